"""The demo film, "The Lighthouse Birthday": written, drawn and rendered by code, so that it shows no real person."""
