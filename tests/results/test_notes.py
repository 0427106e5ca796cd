"""Notes that differ in a count alone are made once."""

from cranfield.core.notes import gathered


def test_notes_that_differ_in_a_count_are_one_with_a_range() -> None:
    notes = [("ties in 1 list: a", "x"), ("ties in 12 lists: a", "y"), ("ties in 9 lists: a", "x")]
    assert gathered(notes) == [("ties in 1 to 12 lists: a", ["x", "y", "x"])]


def test_notes_that_differ_in_words_or_agree_stay_as_they_are() -> None:
    notes = [("ties in 4 lists: a", 1), ("ties in 4 lists: b", 2), ("ties in 4 lists: a", 3)]
    assert gathered(notes) == [("ties in 4 lists: a", [1, 3]), ("ties in 4 lists: b", [2])]
