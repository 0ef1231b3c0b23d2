"""How the parts of a cluster speak with each other: where they listen, and with which certificates.

Whoever can speak with a scheduler or a worker can run programs there. So each listens on the one address that it is given
and on no other, has no HTTP port at all, and, unless that address is this machine's own, speaks only with those who
show a certificate that was made together with its own.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.errors import BadInput

CA, CERTIFICATE, KEY = "ca.pem", "certificate.pem", "key.pem"
NO_DASK = "the cluster's packages are not installed here; run `make cluster`"


@dataclass(frozen=True)
class Address:
    """Where something listens."""

    host: str
    port: int
    tls: bool

    @staticmethod
    def read(text: str, certificates: Path | None) -> Address:
        """``HOST:PORT``, with or without ``tcp://`` or ``tls://`` before it; the host is an address and no name."""
        parts = urlsplit(text if "//" in text else f"//{text}")
        try:
            host, port = str(ip_address(parts.hostname or "")), parts.port or 0
        except ValueError as error:
            raise BadInput(f"{text!r} is no address; give one with its port, as 192.168.1.5:8786") from error
        if parts.scheme not in ("", "tcp", "tls") or ip_address(host).is_unspecified:
            what = "listens on all networks" if parts.scheme in ("", "tcp", "tls") else "is of an unknown kind"
            raise BadInput(f"{text!r} {what}; give one address of this machine, as 192.168.1.5:8786")
        if certificates is None and (parts.scheme == "tls" or not ip_address(host).is_loopback):
            how = "make certificates with `rollcall cluster certificates` and give them with --certificates"
            raise BadInput(f"{text}: others can reach it; {how}")
        return Address(host, port, certificates is not None)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.tls else 'tcp'}://{host}:{self.port}"


def check_installed() -> None:
    if find_spec("distributed") is None:
        raise BadInput(NO_DASK)


def quiet(level: int) -> None:
    """Of Dask's own log only what matters: it tells with tracebacks of what mends itself."""
    check_installed()
    import distributed  # noqa: F401  # it sets these levels when it is first imported

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(level)


def security(certificates: Path | None) -> Any:
    """What Dask calls security: whom to speak with."""
    check_installed()
    from distributed.security import Security

    if certificates is None:
        return Security(require_encryption=False)
    for name in (CA, CERTIFICATE, KEY):
        if not (certificates / name).is_file():
            raise BadInput(f"{certificates}: {name} is missing; make certificates with `rollcall cluster certificates`")
    if (certificates / KEY).stat().st_mode & 0o077:
        raise BadInput(f"{certificates / KEY}: others can read it; take that right from them (chmod 600)")
    roles: dict[str, str] = {}
    for role in ("scheduler", "worker", "client"):
        roles |= {f"tls_{role}_cert": str(certificates / CERTIFICATE), f"tls_{role}_key": str(certificates / KEY)}
    return Security(require_encryption=True, tls_ca_file=str(certificates / CA), tls_min_version=0x0304, **roles)


def make_certificates(folder: Path, days: int = 365) -> None:
    """An authority, thrown away when it has signed the one certificate that all parts of a cluster show each other."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    if any((folder / name).exists() for name in (CA, CERTIFICATE, KEY)):
        raise BadInput(f"{folder}: there are certificates already; choose a new folder")
    begin, end = datetime.now(UTC) - timedelta(minutes=5), datetime.now(UTC) + timedelta(days=days)

    def signed(name: str, issuer: str, key: Any, by: Any, is_authority: bool) -> bytes:
        called, made_by = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (name, issuer))
        made = (
            x509.CertificateBuilder()
            .subject_name(called)
            .issuer_name(made_by)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(end)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None), critical=True)
        )
        return made.sign(by, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    plain = serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    contents = {
        CA: signed("rollcall authority", "rollcall authority", authority, authority, True),
        CERTIFICATE: signed("rollcall", "rollcall authority", key, authority, False),
        KEY: secret,
    }
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in contents.items():
            file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(file, "wb") as out:
                out.write(content)
    except OSError as error:
        with suppress(OSError):
            for name in contents:
                (folder / name).unlink(missing_ok=True)
        raise BadInput(f"{folder}: cannot be written ({error.strerror}); choose another place") from error
