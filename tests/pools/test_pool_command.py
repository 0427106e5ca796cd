"""`cranfield pool`: from runs to qrels, and what they are worth."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from drawn_runs import World, fill_in, ordered, write_world
from typer.testing import CliRunner, Result

import cranfield as cf
from cranfield.cli.program import app

WORLD = World(3)


def cranfield(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words])


def done(*words: object) -> Result:
    result = cranfield(*words)
    assert result.exit_code == 0, result.output
    return result


def refused(*words: object, code: int = 1) -> str:
    result = cranfield(*words)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return " ".join(result.stderr.replace("│", " ").split())


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_world(WORLD, tmp_path)
    return tmp_path


def pooled(folder: str) -> set[tuple[str, str]]:
    with Path(folder, "pool.csv").open(newline="") as file:
        return {(row["topic"], row["document"]) for row in csv.DictReader(file)}


@pytest.fixture
def judged(world: Path) -> Path:
    """A pool of depth 10, judged by two of three people each, without a mistake."""
    done("pool", "make", "runs", "--depth", 10, "-o", "pool")
    done("pool", "assign", "pool", "--to", "anna,ben,carla", "--overlap", 2)
    fill_in(world / "pool", lambda assessor, topic, document: WORLD.grade(topic, document))
    return world / "pool"


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--depth", "7"], {"depth": 7}),
        (["--budget", "100"], {"budget": 100}),
        (["--strata", "5:1,30:0.3", "--seed", "4"], {"strata": {5: 1, 30: 0.3}, "seed": 4}),
        (["--method", "mtf", "--budget", "90"], {"method": "mtf", "budget": 90}),
        (
            ["--method", "mtf", "--budget", "90", "--judge", "full.qrels"],
            {"method": "mtf", "budget": 90, "judge": WORLD.truth},
        ),
        (
            ["--method=yield", "--depth=3", "--step=4", "--budget=200", "--judge=full.qrels"],
            {"method": "yield", "depth": 3, "step": 4, "budget": 200, "judge": WORLD.truth},
        ),
    ],
)
def test_the_command_makes_the_pool_that_the_library_makes(
    world: Path, flags: list[str], options: dict[str, object]
) -> None:
    said = done("pool", "make", "runs", *flags, "-o", "pool", "--json")
    ours = cf.pool(WORLD.runs, **options)
    content = json.loads(said.stdout)
    assert (content["pooled"], content["to_judge"]) == (len(ours), int(ours.drawn.sum()))
    with Path("pool/pool.csv").open(newline="") as file:
        rows = [
            (row["topic"], row["document"], int(row["rank"]), int(row["stratum"]))
            for row in csv.DictReader(file)
        ]
    assert rows == [record[:4] for record in ours.records()]


def test_sheets_are_blind(judged: Path) -> None:
    sheets = sorted(judged.glob("sheets/*/*.csv"))
    assert len(sheets) == 2 * len(WORLD.topics)
    for path in sheets:
        header, *rows = path.read_text().splitlines()
        assert header == "topic,document,judgement"
        for row in rows:
            topic, document, _ = row.split(",")
            assert (topic, document) in pooled("pool")
        for name in [run.name for run in WORLD.runs] + ["group"]:
            assert name not in path.read_text()


def test_merged_judgements_are_qrels_that_score_as_they_should(judged: Path) -> None:
    said = done("pool", "merge", "pool")
    assert "0 of them differently" in said.stdout
    lines = {tuple(line.split()) for line in (judged / "truth.qrels").read_text().splitlines()}
    assert lines == {(t, "0", d, str(WORLD.grade(t, d))) for t, d in pooled("pool")}
    scores = json.loads(done("evaluate", "pool", "runs", "-m", "topic.AP", "--json").stdout)
    wanted = cf.evaluate(WORLD.judged(cf.pool(WORLD.runs, depth=10)), WORLD.runs, "topic.AP")
    for row in scores["scores"]:
        assert row["score"] == pytest.approx(wanted[row["run"], "topic.AP"])


def test_a_sample_is_merged_with_its_strata_and_what_nobody_judged(world: Path) -> None:
    done("pool", "make", "runs", "--strata", "5:1,30:0.2", "-o", "pool")
    done("pool", "assign", "pool", "--to", "anna")
    fill_in(world / "pool", lambda assessor, topic, document: WORLD.grade(topic, document))
    done("pool", "merge", "pool", "-o", "sample.qrels")
    rows = [line.split() for line in Path("sample.qrels").read_text().splitlines()]
    ours = cf.pool(WORLD.runs, strata={5: 1, 30: 0.2})
    wanted = {
        (topic, "0", document, str(stratum), str(WORLD.grade(topic, document) if drawn else -1))
        for topic, document, _, stratum, drawn in ours.records()
    }
    assert {tuple(row) for row in rows} == wanted
    estimated = done("evaluate", "sample.qrels", "runs", "-m", "topic.xinfAP", "--json")
    assert json.loads(estimated.stdout)["scores"][0]["score"] is not None


def test_people_who_disagree_are_told_and_the_rule_decides(judged: Path) -> None:
    path = sorted(judged.glob("sheets/*/*.csv"))[0]
    lines = path.read_text().splitlines()
    topic, document, grade = lines[1].split(",")
    lines[1] = f"{topic},{document},{1 - int(grade)}"
    path.write_text("\n".join(lines) + "\n")
    said = json.loads(done("pool", "merge", "pool", "--rule", "max", "--json").stdout)
    (one,) = said["disagreements"]
    assert (one["topic"], one["document"], one["merged"]) == (topic, document, 1)
    assert sorted(one["grades"].values()) == [0, 1]
    assert document in done("pool", "merge", "pool").stdout


def test_progress_counts_what_is_filled_in(judged: Path) -> None:
    path = sorted(judged.glob("sheets/*/*.csv"))[0]
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *(line[:-1] for line in lines[1:])]) + "\n")
    found = json.loads(done("pool", "progress", "pool", "--json").stdout)
    missing = len(lines) - 1
    assert found["judgements"]["total"] - found["judgements"]["done"] == missing
    person = found["assessors"][path.parent.name]
    assert person["total"] - person["done"] == missing
    assert found["documents"] == {"done": len(pooled("pool")), "total": len(pooled("pool"))}
    assert path.parent.name in done("pool", "progress", "pool").stdout


def test_moving_to_front_goes_on_from_what_people_wrote(world: Path) -> None:
    done("pool", "make", "runs", "--method", "mtf", "--batch", 25, "--budget", 100, "-o", "pool")
    sizes = [len(pooled("pool"))]
    for _ in range(5):
        done("pool", "assign", "pool", "--to", "anna,ben")
        fill_in(world / "pool", lambda assessor, topic, document: WORLD.grade(topic, document))
        before = pooled("pool")
        done("pool", "next", "pool", "runs")
        assert pooled("pool") >= before
        sizes.append(len(pooled("pool")))
    assert sizes == [25, 50, 75, 100, 100, 100]
    progress = json.loads(done("pool", "progress", "pool", "--json").stdout)
    assert progress["judgements"] == {"done": 100, "total": 100}
    found = sum(WORLD.grade(*pair) for pair in pooled("pool"))
    flat = cf.pool(WORLD.runs, budget=100)
    assert found > sum(WORLD.grade(*pair) for pair in flat.pairs)


def test_topics_go_deeper_once_they_are_judged(world: Path) -> None:
    done("pool", "make", "runs", "--method", "yield", "--depth", 3, "--budget", 200, "-o", "pool")
    assert pooled("pool") == set(cf.pool(WORLD.runs, depth=3).pairs)
    before = pooled("pool")
    done("pool", "next", "pool", "runs")
    assert pooled("pool") == before
    done("pool", "assign", "pool", "--to", "anna")
    fill_in(world / "pool", lambda assessor, topic, document: WORLD.grade(topic, document))
    done("pool", "next", "pool", "runs")
    assert len(before) < len(pooled("pool")) <= 200


def test_a_truth_is_not_merged_over_a_sheet(judged: Path) -> None:
    sheet = sorted(judged.glob("sheets/*/*.csv"))[0]
    before = sheet.read_bytes()
    assert "would be lost" in refused("pool", "merge", "pool", "-o", sheet, code=2)
    assert sheet.read_bytes() == before


def test_going_on_wants_the_same_runs(world: Path) -> None:
    done("pool", "make", "runs", "--method", "mtf", "--batch", 25, "-o", "pool")
    assert "run 'run0' is not given" in refused("pool", "next", "pool", "runs/run1.run")
    changed = world / "runs" / "run0.run"
    changed.write_text(changed.read_text().replace("d1 ", "d999 "))
    assert "run 'run0' has changed since" in refused("pool", "next", "pool", "runs")
    done("pool", "make", "runs", "--depth", 3, "-o", "flat")
    assert "follows no judgements" in refused("pool", "next", "flat", "runs")


def test_reuse_tells_what_the_library_tells(judged: Path) -> None:
    done("pool", "merge", "pool")
    said = done("pool", "reuse", "pool", "runs", "--groups", "groups.csv", "--json")
    content = json.loads(said.stdout)
    truth = WORLD.judged(cf.pool(WORLD.runs, depth=10))
    left = cf.assessment.leave_one_out(truth, WORLD.runs, depth=10)
    for ours, theirs in zip(left.groups, content["leave_one_out"]["groups"], strict=True):
        assert theirs["unique"] == ours.unique
        assert [run["without"] for run in theirs["runs"]] == [run.without for run in ours.runs]
    missed = cf.assessment.missed_relevant(truth, WORLD.runs)
    assert content["missed"]["deeper"] == missed.deeper
    open_ = cf.assessment.unjudged_uncertainty(truth, WORLD.runs)
    flips = [pair for pair in content["unjudged"]["pairs"] if pair["can_flip"]]
    assert len(flips) == len(open_.flips)


def test_reuse_prints_tables_and_draws(judged: Path) -> None:
    done("pool", "merge", "pool")
    said = done("pool", "reuse", "pool", "runs", "--picture", "new.json", "-m", "topic.nDCG@10")
    for words in ("Leave one group out", "Missed", "Unjudged", "concept.nDCG@10", "run5"):
        assert words in said.stdout
    values = json.loads(Path("new.json").read_text())["vconcat"][0]["data"]["values"]
    points = [value["depth"] for value in values if value.get("role") == "dots"]
    assert points == list(range(1, 11))
    done("pool", "reuse", "pool", "runs", "-o", "reuse.txt")
    assert "Unjudged" in Path("reuse.txt").read_text()


def test_runs_that_were_not_pooled_get_no_estimate_but_are_compared(judged: Path) -> None:
    done("pool", "merge", "pool")
    run = Path("runs/run0.run").read_text().replace(" d", " e")
    Path("new.run").write_text(run.replace("run0", "new"))
    said = done("pool", "reuse", "pool/truth.qrels", "new.run", "runs/run5.run")
    assert "no estimate of what was missed" in said.stdout
    assert "give the depth of the pool" in said.stdout
    assert "100 %" in said.stdout


def test_items_that_a_closed_truth_lacks_are_refused_or_left_out_of_reuse(world: Path) -> None:
    Path("truth.csv").write_text("item,t\na,1\nb,0\nc,1\n")
    Path("one.csv").write_text("item,t\na,0.9\nb,0.5\nc,0.4\nz,0.3\n")
    Path("two.csv").write_text("item,t\na,0.1\nb,0.5\nc,0.4\nz,0.8\n")
    files = ("truth.csv", "one.csv", "two.csv")
    assert "--extra drop" in refused("pool", "reuse", *files)
    said = done("pool", "reuse", *files, "--extra", "drop")
    assert "each of 2 runs: 1 item that the truth lacks left out" in said.stdout


def test_reuse_takes_one_measure(world: Path) -> None:
    words = ("pool", "reuse", "full.qrels", "runs", "-m", "topic.AP", "-m", "topic.P@5")
    assert "give one, and run the command for each" in refused(*words, code=2)


# ── bad input ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "needs a depth or a budget; give --depth or --budget"),
        (["--depth", "3", "--budget", "3"], "give --depth or --budget"),
        (["--method", "mtf"], "how many documents to pool; give --budget or --batch"),
        (["--strata", "x"], "such as 10:1,100:0.2"),
        (
            ["--strata", "9:1", "--depth", "3"],
            "the method stratified; leave --depth out",
        ),
        (["--depth", "3", "--step", "3"], "leave --step out"),
        (
            ["--depth", "3", "--judge", "x"],
            "the method depth; leave --judge out",
        ),
    ],
)
def test_wrong_usage_is_told_before_a_run_is_read(flags: list[str], message: str) -> None:
    assert message in refused("pool", "make", "no.run", *flags, "-o", "pool", code=2)


def test_a_pool_is_never_written_over(judged: Path) -> None:
    assert "choose another folder" in refused("pool", "make", "runs", "--depth", 3, "-o", "pool")
    Path("file").write_text("x")
    assert "choose another folder" in refused("pool", "make", "runs", "--depth", 3, "-o", "file")


def spoilt(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (lambda lines: ["topic;document;judgement", *lines[1:]], 2, "write semicolons between"),
        (lambda lines: ["a,b,c", *lines[1:]], 1, "a sheet has the columns"),
        (lambda lines: [lines[0], "t0,d0,yes", *lines[1:]], 2, "the judgement is 'yes'"),
        (lambda lines: [lines[0], "t0,d0,-2"], 2, "the judgement is '-2'"),
        (lambda lines: [lines[0], "t0,d0,0.5"], 2, "the judgement is '0.5'"),
        (lambda lines: [lines[0], lines[1], "t0,nope,1"], 3, "is not in the pool"),
        (lambda lines: [*lines[:2], lines[1]], 3, "already; keep one of the two lines"),
        (lambda lines: [lines[0], lines[1] + ",more"], 2, "4 fields"),
        (lambda lines: [lines[0], ",d0,1"], 2, "the topic or the document is missing"),
        (lambda lines: [lines[0], '"t0,d0,1'], 2, "this is no CSV"),
    ],
)
def test_bad_sheets_are_told_with_file_and_line(
    judged: Path, change: Callable[[list[str]], list[str]], line: int, message: str
) -> None:
    path = sorted(judged.glob("sheets/*/*.csv"))[0]
    spoilt(path, change)
    for command in ("merge", "progress", "assign"):
        to = ["--to", "anna,ben,carla"] if command == "assign" else []
        said = refused("pool", command, "pool", *to)
        assert f"{path.relative_to(judged.parent)}:{line}:" in said
        assert message in said


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0", b"{}", b"[1]", b'{"options": {"x": 1}}'])
def test_a_broken_folder_is_told(judged: Path, content: bytes) -> None:
    (judged / "pool.json").write_bytes(content)
    assert "pool.json" in refused("pool", "progress", "pool")
    (judged / "pool.csv").write_bytes(content)
    assert "pool" in refused("pool", "merge", "pool")


@pytest.mark.parametrize("row", ["t0,d0,x,1,1", "t0,d0,0,1,1", "t0,d0,1,1,2", "t0,d0,1"])
def test_broken_lines_of_a_pool_are_told(judged: Path, row: str) -> None:
    spoilt(judged / "pool.csv", lambda lines: [*lines[:2], row])
    assert "pool.csv:3:" in refused("pool", "progress", "pool")


def test_no_pool_no_sheets_no_files(world: Path) -> None:
    assert "there is no such file" in refused("pool", "progress", "nowhere")
    assert "there is no such file" in refused("pool", "make", "no.run", "--depth", 1, "-o", "p")
    done("pool", "make", "runs", "--depth", 1, "-o", "p")
    assert "0 of" in done("pool", "progress", "p").stdout
    assert "ask for one to 1" in refused("pool", "assign", "p", "--to", "a", "--overlap", 2, code=2)
    Path("g.csv").write_text("run,group\nrun0,a\n")
    said = refused("pool", "reuse", "full.qrels", "runs", "--groups", "g.csv")
    assert "says no group of 'run1'" in said
    Path("g.csv").write_text("run,group\nrun0,a\nrun0,b\n")
    assert "g.csv:3:" in refused("pool", "reuse", "full.qrels", "runs", "--groups", "g.csv")


@pytest.mark.parametrize(
    "topic",
    ["a/b", "../../up", "..", ".hidden", "tab\\tx", "COM1:*?", "é", "%2F", "t" * 300, "[bold]"],
)
def test_hostile_ids_stay_within_the_folder_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, topic: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.run").write_text(f"{topic} Q0 ../d=1 1 2.0 x\n{topic} Q0 b,c 2 1.0 x\n", "utf-8")
    done("pool", "make", "one.run", "--depth", 2, "-o", "pool")
    done("pool", "assign", "pool", "--to", "../anna,b/en", "--overlap", 2)
    outside = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path).parts[0] for path in outside} == {"one.run", "pool"}
    assert fill_in(tmp_path / "pool", lambda *_: 1) == 4
    done("pool", "merge", "pool")
    lines = Path("pool/truth.qrels").read_text("utf-8").splitlines()
    assert sorted(lines) == [f"{topic} 0 ../d=1 1", f"{topic} 0 b,c 1"]
    people = json.loads(done("pool", "progress", "pool", "--json").stdout)["assessors"]
    assert set(people) == {"../anna", "b/en"}


def test_titles_are_shown_where_they_are_known(world: Path) -> None:
    Path("topics.csv").write_text('topic,title\nt0,"boats, not ships"\n')
    done("pool", "make", "runs", "--depth", 1, "-o", "pool")
    done("pool", "assign", "pool", "--to", "anna", "--topics", "topics.csv")
    with Path("pool/sheets/anna/t0.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["topic", "title", "document", "judgement"]
    assert {row["title"] for row in rows} == {"boats, not ships"}
    fill_in(world / "pool", lambda *_: 0)
    done("pool", "merge", "pool")


def test_files_of_topics_give_titles_and_lie_in_the_folder_for_people_to_read(world: Path) -> None:
    text = "<top>\n<num> Number: t0\n<title> boats\n<narr> Narrative:\nNot ships.\n</top>\n"
    Path("asked.txt").write_text(text)
    done("pool", "make", "runs", "--depth", 1, "-o", "pool")
    done("pool", "assign", "pool", "--to", "anna", "--topics", "asked.txt")
    with Path("pool/sheets/anna/t0.csv").open(newline="") as file:
        assert {row["title"] for row in csv.DictReader(file)} == {"boats"}
    assert Path("pool/topics.txt").read_text() == text
    fill_in(world / "pool", lambda *_: 0)
    done("pool", "merge", "pool")
    assert cf.read_collection("pool").topics["t0"].narrative == "Not ships."


def test_the_files_of_trec_eval_can_be_pooled() -> None:
    data = Path(__file__).parents[3] / "shared" / "data" / "trec" / "trec_eval_test"
    if not data.is_dir():
        pytest.skip("the test files of trec_eval are not among the data")
    run = cf.read_run(data / "results.test")
    pool = cf.pool(run, depth=10)
    wanted = {(topic, document) for topic, docs in ordered(run).items() for document in docs[:10]}
    assert set(pool.pairs) == wanted
    truth = cf.read_truth(data / "qrels.test")
    front = cf.pool(run, method="mtf", budget=60, judge=truth)
    assert len(front) == 60


def test_qrels_without_their_pool_are_as_reusable_as_with_it(judged: Path) -> None:
    done("pool", "merge", "pool")
    done("pool", "merge", "pool", "-o", "judged.qrels")
    said = [
        json.loads(done("pool", "reuse", where, "runs", "--groups", "groups.csv", "--json").stdout)
        for where in ("judged.qrels", "pool")
    ]
    assert said[0] == said[1]


def test_a_pool_by_yield_grows_by_batches_from_the_start_to_the_end(world: Path) -> None:
    yielding = ("--method", "yield", "--depth", 3, "--step", 20, "--budget", 300)
    done("pool", "make", "runs", *yielding, "--batch", 7, "-o", "pool")
    assert len(pooled("pool")) == 7
    assert len({topic for topic, _ in pooled("pool")}) > 1
    waiting = done("pool", "next", "pool", "runs").stderr
    assert "nothing new: 7 documents without a judgement" in waiting
    for _ in range(60):
        before = pooled("pool")
        done("pool", "assign", "pool", "--to", "anna")
        fill_in(world / "pool", lambda assessor, topic, document: WORLD.grade(topic, document))
        said = done("pool", "next", "pool", "runs").stderr
        if pooled("pool") == before:
            break
        assert len(pooled("pool")) - len(before) <= 7
        assert "new document" in said
    assert "budget of 300" in said
    assert 150 < len(pooled("pool")) <= 300


def test_a_pool_that_holds_everything_says_so(world: Path) -> None:
    done("pool", "make", "runs", "--method", "mtf", "--depth", 1, "--batch", 500, "-o", "pool")
    said = done("pool", "next", "pool", "runs").stderr
    assert "nothing new: every document that the runs retrieved is pooled" in said


def test_a_truth_in_a_format_that_loses_something_is_written_if_asked_for(judged: Path) -> None:
    done("pool", "make", "runs", "--strata", "5:1,20:0.5", "-o", "drawn")
    done("pool", "assign", "drawn", "--to", "anna")
    assert "give --lossy to do without" in refused("pool", "merge", "drawn", "-o", "out.csv")
    said = done("pool", "merge", "drawn", "-o", "out.csv", "--lossy")
    assert "lost " in said.stderr
    assert Path("out.csv").is_file()


def test_sheets_may_come_back_as_spreadsheets_write_them(judged: Path) -> None:
    done("pool", "merge", "pool", "-o", "plain.qrels")
    for path in judged.glob("sheets/*/*.csv"):
        lines = path.read_text().splitlines()
        changed = [lines[0], *(f"{line}.0" for line in lines[1:])]
        path.write_text("".join(line.replace(",", ";") + "\r\n" for line in changed))
    done("pool", "merge", "pool", "-o", "other.qrels")
    assert Path("other.qrels").read_text() == Path("plain.qrels").read_text()
