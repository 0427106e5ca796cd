"""Settings of the whole suite: hypothesis draws the same examples every time; nothing waits.
And the browser that all tests of pages share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from typer import testing

from browser import CHROMIUM, Browser

settings.register_profile(
    "cranfield",
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cranfield")

# Small matrices are many times slower with several threads, which wait for each other. Read when
# NumPy and scikit-learn are loaded, here and in processes that tests start.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# The program is the same for every call, and putting it together takes longer than most commands.
testing._get_command = cache(testing._get_command)


def pytest_configure() -> None:
    """A C extension that is older than its sources computes what they no longer say."""
    module = find_spec("cranfield.kernels")  # NumPy is not loaded yet
    assert module is not None
    assert module.origin is not None
    folder = Path(module.origin).parent
    newest = max((path.stat().st_mtime for path in (folder / "c").glob("*")), default=0.0)
    if any(built.stat().st_mtime < newest for built in folder.glob("_native*.so")):
        pytest.exit("the C extension is older than its sources; build it again: make test", 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever looks at pages in a browser is slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium to look at pages with")
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened
