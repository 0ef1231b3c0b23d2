"""The one way Rollcall says that something it was given cannot be used."""

JOINERS = "\u200c\u200d"  # invisible, but without them Persian words and many emoji fall apart
NO_MEMORY = "there is not enough memory for this; close other programs and start it again"
LONGEST = 900  # characters of a message, however much of a file it quotes


class BadInput(ValueError):
    """What was given is wrong: the message says what, where, and what to do about it, in one sentence."""

    def __init__(self, message: str) -> None:
        line = " ".join(message.splitlines())
        half = LONGEST // 2
        super().__init__(line if len(line) <= LONGEST else f"{line[:half]} … {line[-half:]}")


def printable(text: str) -> str:
    r"""A text for a terminal's line: what would steer the terminal, or turn the line's direction, is shown instead.

    >>> print(printable("\x1b[31mRoss\n"))
    \x1b[31mRoss\n
    """
    return "".join(c if c.isprintable() or c in JOINERS else repr(c)[1:-1] for c in text)


def shown(text: str) -> str:
    """A text that came from outside, fit for one line of a message."""
    return repr(text)[1:-1]


def short_of_memory(error: BaseException) -> bool:
    """Whether something failed for lack of memory; PyTorch has no type of its own for that."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "allocate memory" in str(error))
