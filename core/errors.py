"""The one way Rollcall says that something it was given cannot be used."""


class BadInput(ValueError):
    """What was given is wrong: the message says what, where, and what to do about it, in one sentence."""


def shown(text: str) -> str:
    """A text that came from outside, fit for one line of a message."""
    return repr(text)[1:-1]
