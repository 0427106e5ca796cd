"""The optional C extension; everything else about the package stands in pyproject.toml."""

import sys

from setuptools import Extension, setup

# No contraction of a*b+c: the same numbers on every machine and in NumPy.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off", "-std=c11"]

setup(
    ext_modules=[
        Extension(
            "cranfield.kernels._native",
            sources=[
                "src/cranfield/kernels/c/module.c",
                "src/cranfield/kernels/c/text.c",
            ],
            depends=["src/cranfield/kernels/c/text.h"],
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            extra_compile_args=FLAGS,
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
