"""Ingest, run and compare: options become requests, and what does not go together is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli.main import main, parser
from core.cli.work import ingest_request
from core.jobs.requests import IngestMpii, IngestMvad, IngestPictures, IngestProblem, IngestVideo, Request
from core.store.project import Project
from tests.core.cli.commands import check_refused, said
from tests.core.store.test_nicknames import SCENES, film


@pytest.mark.parametrize(
    ("options", "request_"),
    [
        ("--video a.mp4", IngestVideo(Path("a.mp4"))),
        ("--video a.mp4 --captions a.srt --every 2 --window 1.5 --as Eva",
         IngestVideo(Path("a.mp4"), Path("a.srt"), every=2.0, window=1.5, who="Eva")),
        ("--video a.mp4 --per-shot --cast c.txt --people p",
         IngestVideo(Path("a.mp4"), cast=Path("c.txt"), people=Path("p"), per_shot=True)),
        ("--video a.mp4 --no-screen", IngestVideo(Path("a.mp4"), screen=False)),
        ("--video a.mp4 --speech --speech-model m", IngestVideo(Path("a.mp4"), speech=True, model=Path("m"))),
        ("--images a.zip --captions t.csv --as Eva", IngestPictures(Path("a.zip"), Path("t.csv"), who="Eva")),
        ("--problem a.npz", IngestProblem(Path("a.npz"))),
        ("--mvad a.json --features f.npy --captions c.csv", IngestMvad(Path("a.json"), Path("f.npy"), Path("c.csv"))),
        ("--mpii a.csv --features f --persons p.txt --cast c.txt",
         IngestMpii(Path("a.csv"), Path("f"), Path("p.txt"), Path("c.txt"))),
    ],
)  # fmt: skip
def test_options_become_a_request(options: str, request_: Request) -> None:
    assert ingest_request(parser().parse_args(["ingest", "--project", "p", *options.split()])) == request_


def test_ingest_and_run_tell_what_they_did(problem: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "p")
    assert main(["ingest", "--project", folder, "--problem", str(problem), "--json"]) == 0
    assert json.loads(said(capsys)[0])["faces"] == 10
    assert main(["run", "--project", folder, "--seed", "1"]) == 0
    assert "rollcall named 10 of 10 faces; " in said(capsys)[0]
    assert main(["run", "--project", folder, "--from-nothing", "--method", "cluster-voting"]) == 0
    with Project.open(tmp_path / "p") as project:
        assert [(run.method, run.seed) for run in project.runs()] == [("rollcall", 1), ("cluster-voting", 0)]


def test_compare_leaves_the_runs_as_they_are(problem: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "p")
    main(["ingest", "--project", folder, "--problem", str(problem)])
    said(capsys)
    assert main(["compare", "--project", folder, "--methods", "cluster-voting, pair-clustering"]) == 0
    assert [line.split(":")[0] for line in said(capsys)[0].splitlines()] == ["cluster-voting", "pair-clustering"]
    with Project.open(tmp_path / "p") as project:
        assert project.runs() == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--project", "NOWHERE"], "no such folder"),
        (["run", "--project", "P", "--method", "magic"], "no method 'magic'"),
        (["ingest", "--project", "NEW", "--problem", "NOWHERE.npz"], "no such file"),
        (["ingest", "--project", "NEW", "--problem", "P.npz", "--every", "2"], "--every goes with --video"),
        (["ingest", "--project", "NEW", "--problem", "P.npz", "--speech"], "--speech goes with --video"),
        (["ingest", "--project", "NEW", "--images", "x", "--no-screen"], "--screen goes with --video"),
        (["ingest", "--project", "NEW", "--problem", "P.npz", "--cast", "c.txt"], "--cast does not go"),
        (["ingest", "--project", "NEW"], "required"),
        (["ingest", "--project", "NEW", "--mvad", "x.json"], "--features"),
        (["compare", "--project", "P", "--methods", "magic"], "no method 'magic'"),
        (["ingest", "--project", "NEW", "--mvad", "x.json", "--features", "f.npy"], "--captions"),
        (["ingest", "--project", "NEW", "--images", "x", "--persons", "p.txt"], "--persons goes with --mpii"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(in_a_folder, capsys, arguments, words):
    check_refused(arguments, words, capsys)


def test_a_run_tells_whose_nicknames_it_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film(tmp_path / "p", SCENES).close()
    assert main(["run", "--project", str(tmp_path / "p"), "--method", "cluster-voting"]) == 0
    assert "Mon is taken for Monica: said in 3 captions, and Monica is in view at 3 of them" in capsys.readouterr().out
    assert main(["run", "--project", str(tmp_path / "p"), "--method", "cluster-voting", "--json"]) == 0
    assert [one["nickname"] for one in json.loads(capsys.readouterr().out)["nicknames"]] == ["Mon"]
    assert main(["log", "--project", str(tmp_path / "p")]) == 0
    assert "Rollcall: Mon is Monica" in capsys.readouterr().out
