"""The log of what people decided, the state that follows from it, and who writes it."""
