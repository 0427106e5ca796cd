"""Variables called CRANFIELD_…: what they choose, and values that cannot be honoured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.kernels import environment


@pytest.mark.parametrize(
    ("variable", "value", "read"),
    [
        ("CRANFIELD_KERNELS", "numpy", environment.chosen_kernels),
        ("CRANFIELD_KERNELS", "native", environment.chosen_kernels),
        ("CRANFIELD_LOOPS", "baseline", environment.chosen_loops),
    ],
)
def test_a_choice_counts(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, read: Callable[[], str]
) -> None:
    monkeypatch.setenv(variable, value)
    assert read() == value
    monkeypatch.setenv(variable, "")
    assert not read()
    monkeypatch.setenv(variable, value.upper())
    with pytest.raises(cf.InputError, match=f"{variable} is '{value.upper()}'; set it to"):
        read()


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "two", "٣", "99999999999", "5000"])
def test_a_number_of_threads_is_a_whole_one(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", value)
    with pytest.raises(cf.InputError, match="CRANFIELD_THREADS"):
        environment.chosen_threads()


def test_threads_are_as_many_as_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    assert environment.chosen_threads() == 3
    monkeypatch.delenv("CRANFIELD_THREADS")
    assert environment.chosen_threads() is None


def test_data_is_kept_in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CRANFIELD_DATA", str(tmp_path / "new"))
    assert environment.chosen_data_folder() == tmp_path / "new"
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("CRANFIELD_DATA", str(tmp_path / "file"))
    with pytest.raises(cf.InputError, match="no folder"):
        environment.chosen_data_folder()
