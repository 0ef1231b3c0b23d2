"""The names in captions."""
