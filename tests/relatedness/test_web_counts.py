"""Counts of a search engine, asked of a server that runs here."""

import json
import math
import threading
from collections.abc import Callable, Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge.relatedness import Distributional, Endpoint, WebCounts
from cranfield.knowledge.relatedness.counts import WebError

PAGES = {'"sky"': 100, '"sea"': 50, '"sea" "sky"': 25, '"still life"': 10, '"nothing"': 0}


class Engine:
    """A search engine that notes what it is asked, and can be told how to answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.keys: list[str | None] = []
        self.faults: list[tuple[int, dict[str, str]]] = []
        """Status and headers of the next answers, before it answers properly."""
        self.says: Callable[[int], str] = lambda number: json.dumps({"found": [{"total": number}]})

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        query = parse_qs(urlsplit(handler.path).query)["q"][0]
        self.asked.append(query)
        self.keys.append(handler.headers.get("Key"))
        status, headers = self.faults.pop(0) if self.faults else (200, {})
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(self.says(PAGES.get(query, 1)).encode())


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def url(engine: Engine) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            engine.answer(self)

        def log_message(self, *said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/search?lang=en&q={{query}}"
        server.shutdown()
        thread.join()


def endpoint(url: str, **other: object) -> Endpoint:
    return Endpoint(url, **{"number": "found.0.total", "total": 1000, "pause": 0, **other})  # type: ignore[arg-type]


def test_relatedness_follows_from_the_pages_that_are_found(url: str, engine: Engine) -> None:
    source = Distributional(WebCounts(endpoint(url)))
    related = source.matrix(["sky", "sea"])
    distance = (math.log(100) - math.log(25)) / (math.log(1000) - math.log(50))
    assert related.map.values[0, 1] == pytest.approx(math.exp(-2 * distance))
    assert engine.asked == ['"sky"', '"sea"', '"sea" "sky"']
    assert source.name == "127.0.0.1"
    provenance = related.map.provenance
    assert provenance.date == date.today().isoformat()
    assert provenance.counts == {"pages": 1000, "answers": 3}


def test_the_web_may_have_more_pages_than_64_bits_can_count(url: str) -> None:
    source = Distributional(WebCounts(endpoint(url, total=20000000000000000000)))
    assert 0 < source.relatedness("sky", "sea") < 1


def test_nothing_is_asked_about_pairs_with_a_word_on_no_page(url: str, engine: Engine) -> None:
    source = Distributional(WebCounts(endpoint(url)))
    related = source.matrix(["sky", "nothing"])
    assert engine.asked == ['"sky"', '"nothing"']
    assert related.coverage.unknown == ("nothing",)


def test_estimates_that_contradict_each_other_stay_in_range(url: str, engine: Engine) -> None:
    engine.says = lambda number: json.dumps({"found": [{"total": {100: 5, 50: 4}.get(number, 9)}]})
    table = Distributional(WebCounts(endpoint(url))).table(["sky", "sea"])
    assert np.array_equal(table, np.ones((2, 2)))


# ── what is kept ──────────────────────────────────────────────────────────────────────────────


def test_no_question_is_asked_twice_even_by_another_client(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    cache = tmp_path / "answers.tsv"
    first = WebCounts(endpoint(url), cache=cache).count(["sky", "sea"])
    second = WebCounts(endpoint(url), cache=cache).count(["sea", "sky"])
    assert len(engine.asked) == 3
    assert np.array_equal(first.together, second.together[::-1, ::-1])
    kept = cache.read_text().splitlines()[0].split("\t")
    assert kept[0] == date.today().isoformat()
    assert kept[1::2] == ["100", '"sky"']


def test_answers_of_another_endpoint_are_not_taken(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    cache = tmp_path / "answers.tsv"
    for address in (url, url.replace("lang=en", "lang=de")):
        WebCounts(endpoint(address), cache=cache).count(["sky"])
    assert len(engine.asked) == 2


def test_the_date_of_old_answers_is_kept(url: str, tmp_path: Path) -> None:
    cache = tmp_path / "answers.tsv"
    WebCounts(endpoint(url), cache=cache).count(["sky"])
    cache.write_text(cache.read_text().replace(date.today().isoformat(), "2009-11-02"))
    counted = WebCounts(endpoint(url), cache=cache).count(["sky", "sea"])
    assert counted.provenance.date == "2009-11-02"


def test_an_answer_that_was_cut_while_it_was_written_is_asked_again(
    url: str, engine: Engine, tmp_path: Path
) -> None:
    cache = tmp_path / "answers.tsv"
    WebCounts(endpoint(url), cache=cache).count(["sky", "sea"])
    whole = cache.read_bytes()
    cache.write_bytes(whole[:-3])
    WebCounts(endpoint(url), cache=cache).count(["sky", "sea"])
    assert len(engine.asked) == 4
    assert cache.read_bytes() == whole


@pytest.mark.parametrize(
    "content", [b"my thesis", b"my\nthesis", b"\x89PNG\r\n\x1a", b"2026-01-01\t5\ta\tb\nx\ncut"]
)
def test_a_file_that_is_no_cache_is_refused_and_left_alone(
    url: str, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "thesis.tex"
    path.write_bytes(content)
    with pytest.raises(cf.FileError, match=r"thesis\.tex:[12]: this is no answer"):
        WebCounts(endpoint(url), cache=path).count(["sky"])
    assert path.read_bytes() == content


def test_a_cache_is_written_only_when_there_is_an_answer(url: str, tmp_path: Path) -> None:
    cache = tmp_path / "answers.tsv"
    WebCounts(endpoint(url), cache=cache).count(["sky"])
    cut = cache.read_bytes() + b"2026-01-0"
    cache.write_bytes(cut)
    WebCounts(endpoint(url), cache=cache).count(["sky"])
    assert cache.read_bytes() == cut


@pytest.mark.parametrize(
    "line",
    [
        "x\n",
        "2026-01-01\t" + "9" * 5000 + "\ta\tb\n",
        "2026-01-01\t-5\ta\tb\n",
        "2026-13-01\t5\ta\tb\n",
        "2026-01-01\t²\ta\tb\n",
    ],
)
def test_a_broken_cache_is_said_with_its_line(url: str, tmp_path: Path, line: str) -> None:
    cache = tmp_path / "answers.tsv"
    cache.write_text("2026-01-01\t5\ta\tb\n" + line)
    with pytest.raises(cf.FileError, match=r"answers\.tsv:2: this is no answer"):
        WebCounts(endpoint(url), cache=cache)


def test_a_cache_that_cannot_be_written_is_said(url: str, tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="cannot be kept here"):
        WebCounts(endpoint(url), cache=tmp_path / "no" / "a.tsv").count(["sky"])
    with pytest.raises(cf.FileError, match="cannot be read"):
        WebCounts(endpoint(url), cache=tmp_path)


def test_keys_go_to_the_server_and_nowhere_else(url: str, engine: Engine, tmp_path: Path) -> None:
    cache = tmp_path / "answers.tsv"
    asked = endpoint(url + "&key=secret", headers={"Key": "hidden"})
    WebCounts(asked, cache=cache).count(["sky"])
    assert engine.keys == ["hidden"]
    assert "secret" not in cache.read_text()
    assert "hidden" not in repr(asked)


# ── patience ──────────────────────────────────────────────────────────────────────────────────


def test_questions_are_asked_with_a_pause_between(url: str) -> None:
    waits: list[float] = []
    WebCounts(endpoint(url, pause=7.0), sleep=waits.append).count(["sky", "sea"])
    assert waits[0] == 0
    assert all(6.0 < wait <= 7.0 for wait in waits[1:])
    assert len(waits) == 3


def test_a_busy_server_is_asked_again_later_and_later(url: str, engine: Engine) -> None:
    engine.faults = [(503, {}), (429, {"Retry-After": "9"}), (500, {})]
    waits: list[float] = []
    counted = WebCounts(endpoint(url), sleep=waits.append).count(["sky"])
    assert counted.alone.tolist() == [100]
    assert [wait for wait in waits if wait] == [1.0, 9.0, 4.0]


def test_patience_ends(url: str, engine: Engine) -> None:
    engine.faults = [(503, {})] * 9
    with pytest.raises(WebError, match=r'127\.0\.0\.1, "sky": no answer \(503'):
        WebCounts(endpoint(url), retries=2, sleep=lambda _: None).count(["sky"])
    assert len(engine.asked) == 3


def test_who_keeps_no_answers_is_not_told_that_they_are_kept(tmp_path: Path) -> None:
    nobody = endpoint("http://127.0.0.1:9/?q={query}")
    for cache, said in ((None, "keep answers with cache=FILE"), ("a.tsv", "so far are kept")):
        file = None if cache is None else tmp_path / cache
        with pytest.raises(WebError, match=f"{said}, and try again later"):
            WebCounts(nobody, cache=file, retries=0).count(["sky"])


@pytest.mark.parametrize(
    ("status", "headers"), [(404, {}), (403, {}), (429, {"Retry-After": "9999"})]
)
def test_what_waiting_does_not_mend_is_said_at_once(
    url: str, engine: Engine, status: int, headers: dict[str, str]
) -> None:
    engine.faults = [(status, headers)]
    with pytest.raises(WebError, match=f"no answer .{status}"):
        WebCounts(endpoint(url)).count(["sky"])
    assert len(engine.asked) == 1


def test_a_server_that_is_not_there_is_said() -> None:
    nobody = endpoint("http://127.0.0.1:9/?q={query}")
    with pytest.raises(WebError, match="no answer"):
        WebCounts(nobody, retries=1, sleep=lambda _: None).count(["sky"])


# ── where the number stands ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("number", "answer", "expected"),
    [
        ("found.0.total", '{"found": [{"total": 12}]}', 12),
        ("total", '{"total": "1,234,567"}', 1234567),
        (r"About ([\d,]+) results", "<b>About 4,300,000,000 results</b>", 4300000000),
        (r"Ungefähr ([\d.]+)", "Ungefähr 1.200 Ergebnisse", 1200),
        (r"([\d\s]+) résultats", "1 200 résultats", 1200),
        ("total", '{"total": -1}', None),
        ("total", '{"total": 1' + "0" * 400 + "}", None),
        ("total", '{"total": true}', None),
        ("total", '{"total": 1.5}', None),
        ("total", '{"total": "1.5"}', None),
        ("total", '{"total": null}', None),
        ("total.x", '{"total": 3}', None),
        ("0", '{"total": 3}', None),
        ("5", "[1, 2]", None),
        ("total", "<html>", None),
        (r"(\d+) hits", "no hits", None),
    ],
)
def test_the_number_is_found_by_a_path_or_a_pattern(
    number: str, answer: str, expected: int | None
) -> None:
    asked = Endpoint("http://x.org/{query}", number, 10)
    assert asked.read(answer.encode()) == expected


def test_an_answer_without_a_number_is_said(url: str, engine: Engine) -> None:
    engine.says = lambda number: "Please prove that you are human"
    with pytest.raises(WebError, match=r"no number at 'found\.0\.total' .*Please prove"):
        WebCounts(endpoint(url)).count(["sky"])


def test_the_way_to_ask_can_be_changed() -> None:
    asked = Endpoint("http://x.org/?q={query}", "n", 10, single="[{}]", both="({} AND {})")
    assert asked.query("still  life") == "[still life]"
    assert asked.query("sky", "sea") == "([sky] AND [sea])"
    assert asked.address("a&b c") == "http://x.org/?q=a%26b+c"


@pytest.mark.parametrize(
    ("url", "options", "said"),
    [
        ("ftp://x.org/{query}", {}, "begin it with http"),
        ("file:///etc/passwd?{query}", {}, "begin it with http"),
        ("http:///{query}", {}, "begin it with http"),
        ("http://x.org/", {}, "where the query goes"),
        ("http://x.org/{query}", {"total": 0}, "the number of all pages"),
        ("http://x.org/{query}", {"number": "(a)(b)"}, "has 2 groups"),
        ("http://x.org/{query}", {"number": "(a"}, "is no pattern"),
        ("http://x.org/{query}", {"both": "{}"}, "both needs two"),
        ("http://x.org/{query}", {"pause": -1}, "give seconds, 0 or more"),
        ("http://x.org/{query}", {"pause": float("nan")}, "give seconds, 0 or more"),
    ],
)
def test_endpoints_that_cannot_work_are_refused(
    url: str, options: dict[str, object], said: str
) -> None:
    with pytest.raises(cf.InputError, match=said):
        endpoint(url, **options)
