"""The words of the source: those that a practitioner would type."""

from words import SOURCES, share


def test_at_most_two_per_cent_of_the_names_are_idiom() -> None:
    assert share(sorted(SOURCES.rglob("*.py"))) <= 0.02


def test_every_room_keeps_below_the_limit() -> None:
    rooms = {room.name: sorted(room.rglob("*.py")) for room in SOURCES.iterdir() if room.is_dir()}
    above = {name: share(paths) for name, paths in rooms.items() if share(paths) > 0.02}
    assert above == {}
