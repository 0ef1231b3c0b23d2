"""A small OpenID Connect provider for tests, on this machine: authorization code flow with PKCE, discovery, keys, logout."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "rollcall", "the client's secret"


@dataclass
class Provider:
    """Its address, and the people it knows: a word to click on, and what it says about them."""

    address: str
    people: Mapping[str, Mapping[str, Any]]
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "test"}))
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def secrets(self, cookie_secret: str) -> str:
        """A secrets.toml for an app that lets people log in here."""
        values = {
            "redirect_uri": "http://127.0.0.1:{port}/oauth2callback",
            "cookie_secret": cookie_secret,
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{self.address}/.well-known/openid-configuration",
        }
        return "[auth]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "end_session_endpoint": f"{self.address}/leave",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def ask(self, asked: dict[str, str]) -> str:
        """The page that asks who one is; each answer leads back with a code."""
        assert asked["client_id"] == CLIENT
        assert asked["response_type"] == "code"
        links = []
        for who in self.people:
            code = secrets.token_urlsafe()
            self.codes[code] = asked | {"who": who}
            back = f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"
            links.append(f'<li><a href="{escape(back)}">{escape(who)}</a></li>')
        return f"<!doctype html><title>Provider</title><h1>Who are you?</h1><ul>{''.join(links)}</ul>"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any]:
        """What a code is worth, once, to the client that asked for it and knows the secrets."""
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        asked = self.codes.pop(form["code"], None)
        challenge = hashlib.sha256(form["code_verifier"].encode()).digest()
        proved = base64.urlsafe_b64encode(challenge).decode().rstrip("=")
        if authorization != f"Basic {basic}" or asked is None or proved != asked["code_challenge"]:
            return {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "sub": asked["who"], "iat": now, "exp": now + 600}
        token = jwt.encode(
            {"alg": "RS256", "kid": "test"}, claims | {"nonce": asked["nonce"]} | dict(self.people[asked["who"]]), self.key
        )
        return {"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "expires_in": 600, "id_token": token}


@contextmanager
def provide(people: Mapping[str, Mapping[str, Any]]) -> Iterator[Provider]:
    """Runs the provider on a free port; ends it afterwards."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(url.query).items()}
            if url.path == "/.well-known/openid-configuration":
                self._say(json.dumps(provider.configuration()))
            elif url.path == "/keys":
                self._say(json.dumps({"keys": [provider.key.as_dict(private=False)]}))
            elif url.path == "/authorize":
                self._say(provider.ask(asked), "text/html")
            elif url.path == "/leave":
                self.send_response(302)
                self.send_header("Location", asked["post_logout_redirect_uri"])
                self.end_headers()
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._say(json.dumps(provider.token(form, self.headers.get("Authorization", ""))))

        def _say(self, text: str, kind: str = "application/json") -> None:
            content = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}", people)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
