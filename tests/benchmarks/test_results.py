"""The command that writes docs/results.md: what it keeps, what it measures again."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import measured, pieces, results
from core.evaluation.generate import films
from core.formats.write.npz import write_problem


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> str:
    page = tmp_path / "docs" / "results.md"
    monkeypatch.setenv("ROLLCALL_TEST_DATA", str(tmp_path))
    usual = ["--sets", "films", "--seeds", "2", "--page", str(page), "--cache", str(tmp_path / "measured")]
    monkeypatch.setattr(sys, "argv", ["results.py", *usual, *options])
    results.main()
    return page.read_text() if page.exists() else ""


@pytest.fixture
def film(tmp_path: Path) -> Path:
    write_problem(films(films=2, groups=20, names=8, dimensions=16), tmp_path / "films.npz")
    (tmp_path / "docs").mkdir()
    return tmp_path


def test_words_around_a_piece_are_kept() -> None:
    page = "before\n<!-- cost -->\nold \\1\n<!-- /cost -->\nafter\n<!-- folds --><!-- /folds -->\n"
    page = results.put(results.put(page, "cost", r"new \g<0>"), "folds", "ten")
    assert page == (
        "before\n<!-- cost -->\nnew \\g<0>\n<!-- /cost -->\nafter\n<!-- folds -->\nten\n<!-- /folds -->\n"
    )  # fmt: skip
    assert results.put("# Results\n", "cost", "new").endswith("<!-- cost -->\nnew\n<!-- /cost -->\n")


def test_only_what_is_missing_is_measured(
    film: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(film, monkeypatch, "--only", "table1", "--methods", "ipal", "--measure")
    assert capsys.readouterr().err.count("measuring") == 1  # ipal has no chance in it: one run for both seeds
    page = run(film, monkeypatch, "--only", "table1", "--methods", "ipal,sure")
    assert capsys.readouterr().err.count("measuring") == 1
    assert "| ipal | " in page
    assert "| sure | " in page
    kept = json.loads((film / "measured" / "answers-films.json").read_text())
    assert sorted(kept) == ["films ipal 0", "films sure 0"]
    assert {one["commit"] for one in kept.values()} == {measured.commit()}
    page = run(film, monkeypatch, "--only", "table1", "--methods", "ipal,pl-leaf", "--write")
    assert capsys.readouterr().err.count("measuring") == 0
    assert "pl-leaf" not in page
    run(film, monkeypatch, "--only", "table1", "--methods", "ipal,sure", "--again")
    assert capsys.readouterr().err.count("measuring") == 2


def test_a_piece_ends_with_the_commits_that_measured_it(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at(commit: str, *options: str) -> str:
        monkeypatch.setattr(measured, "commit", lambda: commit)
        return run(film, monkeypatch, *options)

    at("1111111", "--only", "table1", "--methods", "ipal", "--measure")
    page = at("2222222", "--only", "table1,parameters", "--methods", "ipal,sure")
    assert "\n\nCommits `1111111`, `2222222`.\n<!-- /table1 -->" in page
    assert "\n\nCommit `2222222`.\n<!-- /parameters -->" in page  # nothing is measured there
    page = at("3333333", "--only", "table1", "--methods", "ipal", "--write")
    assert "\n\nCommit `1111111`.\n<!-- /table1 -->" in page
    page = at("3333333", "--only", "table1", "--methods", "ipal", "--again")
    assert "\n\nCommit `3333333`.\n<!-- /table1 -->" in page


def test_the_commit_is_that_of_the_code() -> None:
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=measured.ROOT, check=True, capture_output=True, text=True).stdout
    assert len(measured.commit().removesuffix("-dirty")) >= 7
    assert head.startswith(measured.commit().removesuffix("-dirty"))


def test_measuring_writes_no_page(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(film, monkeypatch, "--only", "table1,histogram", "--methods", "ipal", "--measure") == ""
    assert not (film / "docs" / "pictures").exists()


@pytest.mark.parametrize("option", ["--only", "--sets", "--methods"])
def test_what_there_is_not_is_refused(option: str, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(film, monkeypatch, option, "magic")


def test_every_piece_without_a_picture_is_written(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "OURS", "cluster-voting")
    monkeypatch.setattr(pieces, "save", lambda bench, figure, file, title: f"![{title}]({file})")
    monkeypatch.setattr(pieces.cost, "SERIES", {"faces": (lambda: films(films=1, groups=6, names=3, dimensions=4),)})
    methods = "cluster-voting,ipal,dbgae-no-autoencoder"
    page = run(film, monkeypatch, "--methods", methods)
    for piece in results.PIECES:
        assert f"<!-- {piece} -->\n" in page
        assert f"\n\nCommit `{measured.commit()}`.\n<!-- /{piece} -->" in page
    assert "| cluster-voting minus | films | p over sets |" in page
    assert "](ambiguity-ratio-films)" in page
    assert "touched with the queue" in page
    assert "our failures" in page
    assert "| rollcall | " in page
    assert "| ipal | neighbours " in page
