"""Where WordNet is looked for."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from small_wordnet import Noun, write_wordnet

from cranfield.errors import FileError, InputError
from cranfield.knowledge.relatedness.wordnet import installation, is_there, opened
from cranfield.knowledge.relatedness.wordnet.installation import located

NOUNS = [Noun(["entity"]), Noun(["dog"], ["entity"])]


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without WordNet."""
    for name in ("WNHOME", "WNSEARCHDIR", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CRANFIELD_DATA", str(tmp_path / "own"))
    monkeypatch.setattr(installation, "_SYSTEM", (str(tmp_path / "system"),))
    monkeypatch.setattr(installation, "_nltk_data", lambda: iter([tmp_path / "nltk_data"]))


def test_without_wordnet_the_error_says_how_to_get_it() -> None:
    assert not is_there()
    with pytest.raises(
        InputError, match=r"install it with cranfield relatedness install wordnet, set WNHOME"
    ):
        located()


def test_a_given_folder_counts_whatever_its_version(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wn", NOUNS)
    assert located(str(folder)) == folder
    write_wordnet(tmp_path / "home" / "dict", NOUNS)
    assert located(tmp_path / "home") == tmp_path / "home" / "dict"


def test_a_given_folder_without_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"has no data\.noun"):
        located(tmp_path)


@pytest.mark.parametrize(("name", "below"), [("WNHOME", "dict"), ("WNSEARCHDIR", "")])
def test_the_environment_can_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, below: str
) -> None:
    monkeypatch.setenv(name, str(tmp_path / "home"))
    with pytest.raises(FileError, match=f"{name} names it"):
        located()
    folder = write_wordnet(tmp_path / "home" / below, NOUNS)
    assert located() == folder


@pytest.mark.parametrize("place", ["own/wordnet-3.0", "system", "nltk_data/corpora/wordnet"])
def test_usual_places_are_looked_at(tmp_path: Path, place: str) -> None:
    write_wordnet(tmp_path / place, NOUNS)
    assert located() == tmp_path / place


def test_another_version_is_not_taken_unasked(tmp_path: Path) -> None:
    data = write_wordnet(tmp_path / "system", NOUNS) / "data.noun"
    data.write_bytes(data.read_bytes().replace(b"WordNet 3.0", b"WordNet 3.1"))
    assert not is_there()
    assert opened(tmp_path / "system").database.version == "3.1"


def test_the_zipped_data_of_nltk_is_read(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wn", NOUNS)
    (tmp_path / "nltk_data" / "corpora").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "nltk_data" / "corpora" / "wordnet.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"wordnet/{path.name}")
    assert opened().senses.of("dogs", "n") == [1]


def test_a_wordnet_is_opened_once(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wn", NOUNS)
    assert opened(folder) is opened(str(folder))
