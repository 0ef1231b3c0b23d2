"""Sends films in blocks to workers that cannot reach them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.errors import BadInput
from core.jobs.archive.flights import TRIES, Flight, Running
from core.jobs.archive.messages import Put

BLOCK = 8 << 20  # bytes that are sent at once


def send(add: Callable[[Flight], None], running: Running, flight: Flight, have: int, worker: str) -> None:
    """Sends the next block of a film to a worker that cannot reach it; after the last one its tasks follow."""
    if flight.then is None:  # a task that cannot be done yet
        running.held.append(flight)
        if running.sent_to:
            return  # the film is on its way
        if flight.tries + 1 >= TRIES:
            raise BadInput(f"{running.place.path}: workers cannot reach the film, and sending it did not help")
        running.sent_to = worker
    if have >= running.place.size:
        release(add, running, worker)
        return
    with Path(running.place.path).open("rb") as file:
        file.seek(have)
        block = file.read(BLOCK)
    put = Put(running.place.key, have, running.place.size, block)
    add(Flight(put, flight.film, where=worker, then=running.held[0].task, avoid=flight.avoid))


def release(add: Callable[[Flight], None], running: Running, worker: str = "") -> None:
    """Lets the tasks go on that waited for their film; by the worker that has it now, where there is one."""
    held, running.held, running.sent_to, running.where = running.held, [], "", worker
    for flight in held:
        add(replace(flight, tries=flight.tries + 1, where=worker))
