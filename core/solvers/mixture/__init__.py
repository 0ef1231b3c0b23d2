"""The default method."""
