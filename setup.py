"""The optional C extension; everything else about the package stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup

SOURCES = Path("src/cranfield/kernels/c")

# No contraction of a*b+c: the same numbers on every machine and in NumPy.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off", "-std=c11"]

setup(
    ext_modules=[
        Extension(
            "cranfield.kernels._native",
            sources=sorted(path.as_posix() for path in SOURCES.glob("*.c")),
            depends=sorted(path.as_posix() for path in SOURCES.glob("*.[hi]*")),
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            extra_compile_args=FLAGS,
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
