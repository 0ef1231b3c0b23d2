"""The one way Rollcall says that something it was given cannot be used."""


class BadInput(ValueError):
    """What was given is wrong: the message says what, where, and what to do about it, in one sentence."""
