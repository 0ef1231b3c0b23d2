"""What Rollcall brings along: its logo and the demo film's drawing code."""
