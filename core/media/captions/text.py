"""Text files as people have them: read whole, in whichever usual encoding they are written."""

from __future__ import annotations

import codecs
import re
import unicodedata
from itertools import islice
from pathlib import Path

from core.errors import BadInput

LARGEST = 50_000_000  # bytes; the captions of a long film are a hundred kilobytes
GUESSES = ("cp1252", "cp1251", "cp1250", "shift_jis", "gb18030", "big5", "euc_kr", "cp1253", "cp1255", "cp1256", "koi8-r")
FOREIGN = re.compile(r"[^\x00-\x7f]")
SAMPLE = 5000  # characters by which an encoding is judged
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# the first bytes of files that people take for captions: pictures, videos, archives, documents
BINARY = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"\x1aE\xdf\xa3", b"PK\x03\x04", b"%PDF", b"\x1f\x8b", b"SQLite ")


def read_text(path: Path, what: str, instead: str) -> str:
    """The text of ``path`` with plain line ends; ``what`` it should be and what to name ``instead`` are for messages."""
    return decoded(_read_bytes(path, what, instead), str(path), what, instead)


def decoded(raw: bytes, path: str, what: str, instead: str) -> str:
    """The same for a file's content, which may come out of a zip."""
    if not raw.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise BadInput(f"{path}: the file is empty; {instead}")
    text = _decode(raw)
    if text is None:
        raise BadInput(f"{path}: this is not {what}, it is no text at all; {instead}")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _read_bytes(path: Path, what: str, instead: str) -> bytes:
    try:
        if path.is_dir():
            raise BadInput(f"{path}: this is a folder, not {what}; {instead}")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: this is larger than {LARGEST // 1_000_000} MB, too large for {what}; {instead}")
        return path.read_bytes()
    except BadInput:
        raise
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadInput(f"{path}: there is no such file; check the path") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check its permissions") from error
    except ValueError as error:  # a path with a null character in it
        raise BadInput(f"{str(path)!r}: this is no path of a file; check it") from error


def _decode(raw: bytes) -> str | None:
    """UTF-8 first, as nothing else looks like it by chance; then UTF-16; then the likeliest of the old encodings."""
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return _plain(raw.decode(encoding, errors="replace"))
    if raw.startswith(BINARY) or raw[4:8] == b"ftyp":
        return None
    even, odd = raw[:4000:2].count(0), raw[1:4000:2].count(0)
    if abs(even - odd) > len(raw[:4000]) // 50:  # digits and spaces have a zero byte in UTF-16, always on the same side
        return _plain(raw.decode("utf-16-be" if even > odd else "utf-16-le", errors="replace"))
    text = raw.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    if broken * 10 <= len(FOREIGN.findall(text)):  # one spoilt byte does not make it another encoding
        return _plain(text)
    return _guess(raw)


def _guess(raw: bytes) -> str | None:
    """The encoding whose reading is most like writing: letters of one script, capitals only where words begin."""
    texts = []
    for encoding in GUESSES:
        try:
            texts.append(raw.decode(encoding))
        except UnicodeDecodeError:
            continue
    return _plain(max(texts, key=_likeness, default=raw.decode("latin-1")))


def _likeness(text: str) -> float:
    """How much the characters of a text that are not ASCII look like writing, on average."""
    places = [match.start() for match in islice(FOREIGN.finditer(text), SAMPLE)]
    score = sum(_fits(text[place - 1] if place else " ", text[place], text[place + 1 : place + 2]) for place in places)
    letters = {text[place] for place in places if not _latin(text[place])}
    if any(c.islower() for c in letters) and not any(c.isupper() for c in letters):
        score -= 0.5 * len(places)  # a whole text without a capital is of a script that has none
    return score / max(len(places), 1)


def _fits(before: str, here: str, after: str) -> float:
    kind = unicodedata.category(here)
    if kind in ("Cc", "Cn", "Co"):
        return -3.0
    if _ideograph(here) or _hangul(here):
        if (_hangul(before) and _ideograph(here)) or (_ideograph(before) and _hangul(here)):
            return -1.0
        return 1.6 if _hangul(here) else 1.5 if _common(here) else 0.2
    if "\u3040" <= here < "\u3100":
        return 1.5
    if "\uff61" <= here < "\uffa0":
        return -1.0  # half-width kana, as which Shift-JIS takes almost any byte
    if kind in ("Lu", "Ll", "Lo"):
        if (kind == "Lu" and before.islower()) or (after.isalpha() and _latin(here) != _latin(after)):
            return -1.5
        return _follows(before, here)
    return 0.6 if here in "–—…‘’“”«»¡¿„♪°。、，！？（）「」" else -0.3


def _follows(before: str, here: str) -> float:
    """A letter after a letter: scripts do not mix within a word, and accented letters seldom come in pairs."""
    if not before.isalpha():
        return 0.8 if here.isupper() or not _latin(here) else 0.4
    if _latin(before) != _latin(here):
        return -1.5
    return -0.2 if _latin(here) and before > "\x7f" else 1.0


def _latin(letter: str) -> bool:
    return letter < "\u0250"


def _ideograph(letter: str) -> bool:
    return "\u4e00" <= letter < "\ua000"


def _hangul(letter: str) -> bool:
    return "\uac00" <= letter < "\ud7a4"


def _common(letter: str) -> bool:
    """Whether a Chinese character is a common one: the old standards put those into their first level."""
    for encoding, end in (("gb2312", 0xD8), ("shift_jis", 0x98), ("big5", 0xC9)):
        try:
            return letter.encode(encoding)[0] < end
        except UnicodeEncodeError:
            continue
    return False


def _plain(text: str) -> str | None:
    """The text, unless it is full of control characters as only binary files are."""
    start = text[:20_000]
    odd = sum(1 for c in start if (c < " " and c not in "\t\n\r\f\v\0\x1b\x1c\x1d\x1e\x1a") or c == "\ufffd")
    return None if odd > 0.02 * len(start) + 2 else text
