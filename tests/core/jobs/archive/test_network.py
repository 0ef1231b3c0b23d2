"""Where the parts of a cluster may listen, and what they know each other by."""

import ssl
from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.archive.network import CA, CERTIFICATE, KEY, Address, make_certificates, security


def test_this_machine_needs_no_certificates_and_others_do(tmp_path: Path) -> None:
    assert str(Address.read("127.0.0.1:8786", None)) == "tcp://127.0.0.1:8786"
    assert str(Address.read("tcp://[::1]:1", None)) == "tcp://[::1]:1"
    assert str(Address.read("192.168.1.5:8786", tmp_path)) == "tls://192.168.1.5:8786"
    for text in ("192.168.1.5:8786", "tcp://10.0.0.1:1", "tls://127.0.0.1:1"):
        with pytest.raises(BadInput, match="certificates"):
            Address.read(text, None)


@pytest.mark.parametrize(
    "text", ["0.0.0.0:8786", "[::]:8786", "", "host.example:1", "127.0.0.1:99999", "http://127.0.0.1:1"]
)
def test_what_listens_everywhere_or_nowhere_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        Address.read(text, tmp_path)


def test_certificates_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    make_certificates(folder)
    assert [(folder / name).stat().st_mode & 0o077 for name in (CA, CERTIFICATE, KEY)] == [0, 0, 0]
    context = ssl.create_default_context(cafile=str(folder / CA))
    context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
    assert security(folder).require_encryption
    with pytest.raises(BadInput, match="already"):
        make_certificates(folder)
    (folder / KEY).chmod(0o644)
    with pytest.raises(BadInput, match="others can read it"):
        security(folder)
    (folder / KEY).unlink()
    with pytest.raises(BadInput, match="is missing"):
        security(folder)
