"""Throw broken files at the readers: only an error meant for users may come out.

    python tests/fuzz.py --count 100000 --seed 1

Files are random bytes, or good files with bytes changed, cut, doubled or swapped. Whatever they
hold, reading gives a truth, a run, a map, an ontology, a confusion matrix or a `CranfieldError`,
and soon; both parsers agree on which, on every value and on the message; checking finds the error
that reading raises.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars

import cranfield as cf
import score_logs
from cranfield import formats
from cranfield.commands.studies import judgements_of_file
from cranfield.formats.scores import is_scores
from cranfield.kernels import text
from cranfield.knowledge import ConceptMap

TRUTH = cf.Truth([[1, 0], [0, 1], [1, 1]], items=["a", "b", "c"], concepts=["cat", "dog"])
PIECES = [
    b"a", b"b", b"cat", b"item", b"concept", b"value", b" ", b"\t", b",", b";", b"\n", b"\r",
    b"\r\n", b'"', b'""', b"0", b"1", b"0.5", b"-", b"+", b".", b"e", b"E5", b"1e999", b"1e-400",
    b"nan", b"inf", b"\0", b"\xff", b"\xc3\xbc", b"\xef\xbb\xbf", b"\xff\xfe", b"_", b"0x1",
    b"9" * 25, b"\v", b"\f", b"\x1c", b"\xc2\xa0", b"PK\3\4", b"\x93NUMPY", b"\x1f\x8b",
    b"ImageID,", b"LabelName,", b"Confidence", b"-1", b"[", b"]", b"{", b"}", b":", b"null",
    b"true", b"\\ud83d", b'"image_id": ', b'"images": [', b"9" * 5000, b"[" * 3000,
    b"# map: ", b"# hash: ", b"# date: ", b"# counts: ", b"relatedness map", b"2011-03-01",
    b"Q0", b"\nt Q0 d 1 2 r\n", b"\nt 0 d -1\n", b" -2 ", b"t", b"d", b"\xed\xa0\x80", b"\xf4\x90",
    b"@attribute ", b"@data\n", b"'x: -C 1'", b"'", b"\\", b"%", b"?", b"{0,1}", b"{1 2}", b"PAR1",
]  # fmt: skip
PARSERS = ("native", "python")
PATIENCE = 60
"""Seconds after which a reader hangs."""
PROGRESS = 10_000
NAMES = ["x", "x.txt", "x.csv", "x.tsv", "x.npz", "x.npy", "x.gz", "x.csv.gz"]
NAMES += ["x.json", "cat_test.txt", "comp1_cls_test_cat.txt", "comp3_det_test_dog.txt"]
NAMES += ["x.arff", "x.parquet", "x.qrels", "x.dqrels", "x.run"]
ONTOLOGIES = {
    "classes.json": b"""[{"id": "/m/A", "name": "Sounds", "child_ids": ["/m/B", "/m/C"],
  "restrictions": ["abstract"]}, {"id": "/m/B", "name": "Speech", "child_ids": ["/m/D"]},
  {"id": "/m/C", "child_ids": ["/m/D"], "restrictions": []}, {"id": "/m/D", "name": "Whisper"}]""",
    "edges.csv": b"child,parent\nB,A\nC,A\nD,B\nD,C\n",
    "x.ttl": b"""@prefix : <urn:x#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix cranfield: <urn:cranfield:vocabulary#> .
:A a owl:Class ; rdfs:label "sky"@en ; cranfield:category true ; cranfield:droppedIn "flat" .
:B a owl:Class ; rdfs:subClassOf :A , [ owl:onProperty :p ; owl:someValuesFrom :C ] .
:C a owl:Class ; owl:disjointWith :B , :D ; cranfield:position 1 .
:D a owl:Class ; owl:equivalentClass [ owl:unionOf ( :E [ owl:complementOf :C ] ) ] .
:E a owl:Class ; owl:equivalentClass [ owl:intersectionOf ( :A [ owl:minCardinality 1 ;
    owl:onProperty :p ] ) ] .
[] a owl:AllDisjointClasses ; owl:members ( :A :C ) .
[] a cranfield:AtLeastOne ; cranfield:member :B , :C .
:p a owl:FunctionalProperty ; rdfs:range [ owl:unionOf ( :B :C ) ] .
""",
    "x.owl": b"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#"> ]>
<rdf:RDF xmlns:owl="http://www.w3.org/2002/07/owl#" xml:base="http://x/y"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:c="urn:cranfield:vocabulary#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<owl:Class rdf:about="#A"><rdfs:label xml:lang="en">sky</rdfs:label>
  <c:category>true</c:category></owl:Class>
<owl:Class rdf:ID="B"><rdfs:subClassOf rdf:resource="#A"/>
  <rdfs:subClassOf rdf:resource="&owl;Thing"/><owl:disjointWith rdf:resource="#C"/></owl:Class>
<owl:Class rdf:about="#C"><rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="#p"/>
  <owl:someValuesFrom><owl:Class><owl:unionOf rdf:parseType="Collection">
  <rdf:Description rdf:about="#A"/><owl:Class rdf:about="#D"/></owl:unionOf></owl:Class>
  </owl:someValuesFrom></owl:Restriction></rdfs:subClassOf></owl:Class>
</rdf:RDF>
""",
    "x.obo": b"""format-version: 1.4
[Term]
id: X:1
name: sky \\! above ! comment
[Term]
id: X:2 {a="b"}
is_a: X:1 ! sky
intersection_of: X:1
intersection_of: part_of X:3
disjoint_from: X:3
[Term]
id: X:3
relationship: part_of X:1
[Typedef]
id: part_of
""",
    "x.json": b"""{"LabelName": "e", "Subcategory": [ {"LabelName": "a",
"Part": [ {"LabelName": "p"} ] }, {"LabelName": "b", "Subcategory": [ {"LabelName": "a"} ] } ] }""",
    "paths.csv": b'concept,path\nSpring,Scene.Seasons.Spring\n"Arts",Scene.Art\nOil,Scene.Art.Oil',
    "x.tsv": b"child\tparent\tlabel\nsky\t\t\ncloud\tsky\tCloud\nrain\tcloud\t\nrain\tsky\t\n",
}
CONFUSIONS = [
    b"true,cat,dog\ncat,13,2\ndog,4,15\n",
    b"\tcat\tdog\tnone\ncat\t0.5\t0\t.25\ndog\t0\t0.25\t0\n",
    b"13 2\n4 15\n",
    b"true,said,count\ncat,dog,2\ndog,dog,1\n",
    b"item,true,said\na,cat,dog\nb,dog,dog\n",
    b"y_true\ty_pred\n1\t1\n1\t2\n",
    b"  a  b   <-- classified as\n 13  2 |  a = cat\n  4 15 |  b = dog\n",
]
VOTES = [
    b"item,annotator,concept,value\na,x,Sky,1\na,y,Sky,no\nb,x,Season,Summer\nb,y,Fun,3\n",
    b"# question: Fun,grade,0,1,2\nitem\tannotator\tconcept\tvalue\tbatch\tseconds\tcomment\n"
    b'a\tx\tFun\t1\t1\t2.5\t"so,\nso"\na\tx\t\t\t2\t\t\n',
    b"task,worker,label,submitted\n1,x,cat,2011-03-01T12:00:00Z\n1,y,dog,\n2,x,cat,2011-03-01\n",
    b'[{"id": 1, "data": {"image": "a"}, "annotations": [{"id": 2, "completed_by": {"id": 3},\n'
    b'"lead_time": 4.5, "created_at": "2024-05-01T10:00:00.5Z", "was_cancelled": false, "result": ['
    b'{"from_name": "s", "type": "choices", "value": {"choices": ["a", "b"]}},\n{"from_name": "r",'
    b' "type": "rating", "value": {"rating": 4}}]}]}, {"id": "x", "annotations": [{"completed_by": '
    b'7, "result": [{"from_name": "s", "type": "choices", "value": {"choices": ["a"]}}]}]}]',
    b'"HITId","AssignmentId","WorkerId","AssignmentStatus","WorkTimeInSeconds","SubmitTime",'
    b'"Input.i","Answer.Sky.on","Answer.t.A","Answer.t.B","Answer.tags","Answer.taskAnswers"\n'
    b'"h","1","w","Approved","31","Thu Apr 18 12:15:31 PDT 2013","a","true","true","false","p|q",'
    b'"[{""Sea"":{""on"":true}}]"\n"h","2","v","Rejected","","","a","false","false","true","",""\n',
]
SCORES = [
    score_logs.TABLE,
    score_logs.TABLE.replace(b",", b"\t"),
    b'{"run": "A", "item": "q1", "score": 1}\n{"run": "A", "item": "q2", "score": false}\n',
    json.dumps(score_logs.INSPECT, indent=1).encode(),
    score_logs.inspect_archive(),
    score_logs.inspect_archive(summaries=False),
    score_logs.lm_eval_samples([1, 0]),
    score_logs.promptfoo_results(),
]
JUDGEMENTS = [
    b"item,left,right,winner,judge\nx,a,b,a,j\nx,b,a,tie,j\ny,a,b,right,k\ny,b,a,b,k\n",
    b'{"item": 1, "left": "a", "right": "b", "winner": "tie"}\n'
    b'{"item": 2, "left": "b", "right": "a", "winner": "left"}\n',
]
SCORE_NAMES = ["x.csv", "x.tsv", "x.jsonl", "x.json", "x.eval", "samples_x.jsonl", "x.json.gz"]
CLASS_FILES = {
    "cat_test.txt": b"a 1\nb -1\nc 0\n",
    "dog_test.txt": b"a -1\nb -1\nc 1\n",
    "dog_val.txt": b"a 1\nb -1\n",
    "comp1_cls_test_cat.txt": b"a 0.5\nb 0.25\n",
    "comp1_cls_test_dog.txt": b"c 1e-5\n",
    "comp3_det_test_dog.txt": b"a 0.5 1 2 3 4\na 0.75 1 2 3 4.5\n",
}


def good_files() -> list[bytes]:
    """Small files of every format."""
    scores = np.array([[0.5, 0.25], [0.125, 1e-5], [3.0, 0.1]])
    npz, npy = io.BytesIO(), io.BytesIO()
    np.savez_compressed(npz, scores=scores, items=np.array(["a", "b", "c"]), labels=scores > 1)
    np.save(npy, scores)
    files = [
        b"a 0.5 0.25\nb 0.125 1e-05\nc 3.0 0.1\n",
        b"a 0.5 0.25 1 0\nb\t0.125  1e-05 0 0\nc 3.0 0.1 1 1",
        b"a 1 0\nb 0 1\nc 1 1\n",
        b"item,cat,dog\na,0.5,0.25\nb,,0.125\nc,3,0.1\n",
        b'item\tcat\tdog\r\n"a"\t1\t0\r\nb\t\t2\r\nc\t1\t1\r\n',
        b"item,concept,value\na,cat,1\na,dog,0\nb,cat,1\n",
        b"item targets,cat,dog\na,0.5,-3\nb,,1e5\nc,3,0.1\n",
        b"ImageID,Source,LabelName,Confidence\na,x,cat,1\na,x,dog,0\nb,x,cat,1\na,y,cat,1\n",
        b"ImageID,LabelName,Confidence\na,cat,0.5\na,dog,0.25\nb,cat,.75\n",
        b'{"images": [{"id": "a"}, {"id": 7}], "categories": [{"id": "cat", "name": "x"}],\n'
        b'"annotations": [{"image_id": 7, "category_id": "cat", "bbox": [1, 2.5, 3, 4]}]}',
        b'{"annotations": [{"image_id": "a", "category_id": "cat"}],\n"images": [{"id": "a", '
        b'"neg_category_ids": ["dog"]}], "categories": [{"id": "cat"}, {"id": "dog"}]}',
        b'[{"image_id": "a", "category_id": "cat", "score": 0.5},\n'
        b'{"image_id": "a", "category_id": "cat", "score": 1, "bbox": [1, 2]}]',
        b"cat Q0 a 1 0.5 r\ncat\tQ0 b  2 0.25 r\ndog Q0 c - 1e-5 r\ndog Q0 b 2 1 r more words\n",
        b"cat 0 a 1\ncat 0 b -1\ndog 0 c 2\n\ndog 0 a 0\n",
        b"cat 1 a 1\ncat 2 a 1\ncat 1 b -1\ndog 1 c 2\n\ndog 3 a 0\n",
        b"cat 0 a 1 0\ncat 0 b 2 -1\ndog 0 c 1 1\n",
        b"t 0 0 a 1\nt 0 0 b 0\nt 0 1 b 2.5\nt 1 0 b 1\nt 1 0 a 0\nt 0 1 c 1\n",
        b"<top>\n<num> Number: t\n<title> x &amp; y\n<desc> Description: z\n<top><num>u</top>",
        b"<INEX-Topic topic-id='t' ct-no='056'>\n<Title><cw>x</cw> <ce>bdy/sec</ce></Title>\n"
        b"<Narrative>y</Narrative></INEX-Topic>\n<INEX-Topic topic-id='u'></INEX-Topic>\n",
        b"topic,better,worse,judge\nt,a,b,j\nt,b,c,j\nu,c,a,k\n",
        b"a 0.5 0.25\nb 1 0\nc 0.1 0.2\na 1 0\nb 0 1\nc 0 0\n",
        b"Number\tConcept\n0\tcat\n2\tdog\n1\tcow\n",
        b"run,group,threshold\na,x,0.5\nb,y,\n",
        b"run,concept,threshold\na,cat,0.5\na,dog,0\nb,cat,1\n",
        b"<?xml version='1.0'?><a><topic id='t'><title>x</title><narr>y</narr></topic></a>",
        *CLASS_FILES.values(),
        b"@relation 'x: -C -2'\n@attribute size real\n@attribute cat {0,1}\n@attribute dog {1,0}\n"
        b"@data\n0.5,1,0\n2,?,1\n{0 1, 2 0}\n1e5,0,0\n",
        b"@relation x\r\n@attribute item string\r\n@attribute 'cat' real\r\n@attribute dog real\r\n"
        b"% a comment\r\n@data\r\na,0.5,0.25\r\n'b',1,?\r\nc,2,3\r\n",
        _parquet(item=["a", "b", "c"], cat=[0.5, None, 1.0], dog=[True, False, True]),
        _parquet(item=["a", "a", "b"], concept=["cat", "dog", "cat"], value=[1, 0, 1]),
        _parquet(**{"item targets": ["a", "b", "c"], "cat": [0.5, None, -1.0]}),
        npz.getvalue(),
        npy.getvalue(),
        *_maps(),
    ]
    return [*files, *map(gzip.compress, files)]


def _parquet(**columns: list[Any]) -> bytes:
    stream = io.BytesIO()
    polars.DataFrame(columns).write_parquet(stream, compression="uncompressed")
    return stream.getvalue()


def _maps() -> list[bytes]:
    """Maps as they are written, and one written by hand."""
    provenance = cf.knowledge.Provenance("x, y", "2011-03-01", {"items": 3})
    maps = [
        cf.CostMap([[0, 0.5], [0.25, 0]], ["cat", "dog"], provenance=provenance),
        cf.AgreementMap({"cat": 0.5, "dog": 1.0}, provenance=provenance),
    ]
    files = [b"# by hand\nconcept\tcat\tdog\ncat\t1\t-3.5\ndog\t7e3\t1\n"]
    with tempfile.TemporaryDirectory() as folder:
        for one in maps:
            for name in ("m.csv", "m.npz"):
                cf.formats.write_map(one, Path(folder) / name)
                files.append((Path(folder) / name).read_bytes())
    return files


GOOD = good_files()
MAPS = _maps()


def broken_file(draw: random.Random, good: list[bytes] = GOOD) -> bytes:
    """A good file with a few things done to it, or noise."""
    if draw.random() < 0.1:
        return draw.randbytes(draw.randrange(200))
    if draw.random() < 0.2:
        return b"".join(draw.choices(PIECES, k=draw.randrange(40)))
    content = draw.choice(good)
    for _ in range(draw.randrange(1, 5)):
        begin = draw.randrange(len(content) + 1)
        end = min(len(content), begin + draw.randrange(6))
        piece = draw.choice([b"", draw.choice(PIECES), draw.randbytes(1), content[begin:end] * 2])
        content = content[:begin] + piece + content[end:]
    return content[: draw.randrange(len(content) + 1)] if draw.random() < 0.1 else content


def broken_folder(draw: random.Random) -> dict[str, bytes]:
    """Some of the files of a VOC folder, perhaps broken."""
    names = draw.sample(list(CLASS_FILES), draw.randrange(1, 4))
    return {name: CLASS_FILES[name] if draw.random() < 0.5 else broken_file(draw) for name in names}


def broken_ontology(draw: random.Random) -> tuple[str, bytes]:
    """A file of an ontology, perhaps of another format than its name says; and the name."""
    name = draw.choice(list(ONTOLOGIES))
    good = [ONTOLOGIES[name]] if draw.random() < 0.8 else list(ONTOLOGIES.values())
    is_said_wrong = draw.random() < 0.5
    content = misspoken(draw, draw.choice(good)) if is_said_wrong else broken_file(draw, good)
    return (name, content) if draw.random() < 0.9 else (f"{name}.gz", gzip.compress(content))


def misspoken(draw: random.Random, content: bytes) -> bytes:
    """A text in which words stand for other words: most grammars take it, but not its sense."""
    words = re.split(rb"([\s,;<>\"]+)", content)
    for _ in range(draw.randrange(1, 4)):
        words[draw.randrange(0, len(words), 2)] = draw.choice(words[::2])
    return b"".join(words)


def attempt_ontology(path: Path, content: bytes) -> None:
    """Read an ontology; what is one can be written, and comes back the same."""
    path.write_bytes(content)
    try:
        found = cf.Ontology.load(path)
    except cf.CranfieldError:
        return
    again = path.with_name("again.ttl")
    found.write(again)
    assert cf.Ontology.load(again).digest == found.digest


def attempt_confusion(path: Path, content: bytes) -> None:
    """Read a confusion matrix; what is one can be scored and written, and comes back the same."""
    path.write_bytes(content)
    read = [outcome(lambda: cf.formats.read_confusion(path), parser) for parser in PARSERS]
    assert read[0] == read[1], read
    if read[0].startswith("digest "):
        found = cf.formats.read_confusion(path)
        with suppress(cf.CranfieldError):  # a matrix without names may have no diagonal
            found.scores()
        again = path.with_name("again.csv")
        with suppress(cf.CranfieldError):  # a class may be called what no CSV file can hold
            cf.formats.write_confusion(found, again)
            assert cf.formats.read_confusion(again).digest == found.digest


def attempt_votes(path: Path, content: bytes) -> None:
    """Read votes; what are some can be written, and come back the same."""
    path.write_bytes(content)
    for options in ({}, {"keep_going": True}, {"keep_going": True, "absent": "no"}):
        read = [outcome(partial(told_votes, path, **options), parser) for parser in PARSERS]
        assert read[0] == read[1], read
    with suppress(cf.CranfieldError):  # it may be broken altogether, or hold what no CSV can
        found = cf.Votes.read(path, keep_going=True)
        again = path.with_name("again.csv")
        found.write(again)
        assert counted_votes(cf.Votes.read(again)) == counted_votes(found)


def attempt_scores(path: Path, content: bytes) -> None:
    """Read scores of items; what are some can be compared, and are recognised as such."""
    path.write_bytes(content)
    try:
        found = cf.read_scores(path, missing="absent")
    except cf.CranfieldError:
        return
    assert is_scores(path)
    with suppress(cf.CranfieldError):  # there may be a single run, or a single item
        cf.compare(found, found.measures[0], samples=100)


def attempt_judgements(path: Path, content: bytes) -> None:
    """Read comparisons of two runs; what are some give finite strengths, or are refused."""
    path.write_bytes(content)
    with suppress(cf.CranfieldError):
        found = cf.studies.preferences(judgements_of_file(path).judgements)
        assert np.isfinite(found.fit.strengths).all()


def told_votes(path: Path, **options: Any) -> list[Any]:
    """Votes with all that is said about them."""
    votes = cf.Votes.read(path, **options)
    return [*votes.problems, *votes.notes, *counted_votes(votes)]


def counted_votes(votes: cf.Votes) -> list[Any]:
    questions = sorted(map(str, votes.questions))
    times = [*map(str, votes.sheets.submitted), *map(str, votes.sheets.seconds)]
    said = [*votes.sheets.comments, *votes.sheets.assignments]
    return [questions, sorted(votes.frame.rows()), sorted(times), sorted(said)]


def attempt(path: Path, content: bytes) -> None:
    """Read one file in every way; raises AssertionError, or what should not have been raised."""
    path.write_bytes(content)
    read_in_every_way(path)


def attempt_folder(path: Path, contents: dict[str, bytes]) -> None:
    """The same for a folder of files."""
    path.mkdir()
    for name, content in contents.items():
        (path / name).write_bytes(content)
    read_in_every_way(path)
    shutil.rmtree(path)


def read_in_every_way(path: Path) -> None:
    read_as_truth_and_run(path)
    read_what_lies_beside(path)
    for kind in (cf.CostMap, cf.RelatednessMap, cf.AgreementMap):
        read_as_map(path, kind)


def read_what_lies_beside(path: Path) -> None:
    readers: list[Callable[[Path], object]] = [
        formats.read_preferences,
        formats.read_topics,
        formats.read_concepts,
        lambda path: repr(cf.formats.read_thresholds(path)),
    ]
    for read in readers:
        outcomes = [outcome(partial(read, path), parser) for parser in PARSERS]
        assert outcomes[0] == outcomes[1], outcomes


def read_as_map(path: Path, kind: type[ConceptMap]) -> None:
    read = [outcome(lambda: formats.read_map(kind, path), parser) for parser in PARSERS]
    assert read[0] == read[1], read
    checks = [outcome(lambda: formats.check_map(kind, path), parser) for parser in PARSERS]
    assert checks[0] == checks[1], checks
    if read[0].startswith("digest "):
        assert checks[0] == "", checks
    else:
        assert read[0] in checks[0], (read[0], checks[0])


def read_as_truth_and_run(path: Path) -> None:
    ways: list[Callable[[], cf.Truth | cf.Run]] = [
        lambda: cf.read_truth(path),
        lambda: cf.read_truth(path, concepts=["dog", "cat"]),
        lambda: cf.read_run(path, TRUTH),
    ]
    outcomes = {parser: [outcome(way, parser) for way in ways] for parser in PARSERS}
    assert outcomes["native"] == outcomes["python"], outcomes
    checks = [outcome(lambda: formats.check(path, against=TRUTH), parser) for parser in outcomes]
    assert checks[0] == checks[1], checks
    last = outcomes["native"][-1]
    assert last.startswith("digest ") or last in checks[0], (last, checks[0])


def outcome(read: Callable[[], object], parser: str) -> str:
    """What comes of reading, as text to compare."""
    native = text.extension
    if parser == "python":
        text.extension = None
    try:
        result = read()
    except cf.CranfieldError as error:
        return str(error)
    finally:
        text.extension = native
    if isinstance(result, list):
        return "\n".join(map(str, result))
    return f"digest {getattr(result, 'digest', result)}"


def give_up(*_: object) -> None:
    raise TimeoutError(f"not read within {PATIENCE} s")


KINDS = {
    "file": 8,
    "folder": 1,
    "ontology": 1,
    "confusion": 1,
    "votes": 2,
    "scores": 2,
    "judgements": 1,
}
"""What to read, and how often."""


def drawn(draw: random.Random, kind: str, place: Path) -> tuple[Callable[..., None], Path, Any]:
    """How to read what, from where."""
    match kind:
        case "folder":
            return attempt_folder, place / "folder", broken_folder(draw)
        case "ontology":
            name, content = broken_ontology(draw)
            return attempt_ontology, place / name, content
        case "confusion":
            content = broken_file(draw, CONFUSIONS)
            return attempt_confusion, place / draw.choice(NAMES), content
        case "votes":
            return attempt_votes, place / draw.choice(NAMES), broken_file(draw, VOTES)
        case "judgements":
            content = broken_file(draw, JUDGEMENTS)
            return attempt_judgements, place / draw.choice(SCORE_NAMES), content
        case "scores":
            return attempt_scores, place / draw.choice(SCORE_NAMES), broken_file(draw, SCORES)
    content = broken_file(draw)
    return attempt, place / draw.choice(NAMES), content


def main() -> int:
    signal.signal(signal.SIGALRM, give_up)
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--count", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--only", choices=KINDS)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for number in range(options.count):
            draw = random.Random(f"{options.seed} {number}")
            kind = options.only or draw.choices(list(KINDS), list(KINDS.values()))[0]
            read, path, content = drawn(draw, kind, Path(place))
            if number and number % PROGRESS == 0:
                print(f"{number} of {options.count} files", file=sys.stderr, flush=True)
            signal.alarm(PATIENCE)
            try:
                read(path, content)
            except Exception as error:
                print(f"{kind} {number} of seed {options.seed}: {content!r}", file=sys.stderr)
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
                return 1
    print(f"{options.count} files: nothing but errors meant for users, and both parsers agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
