/* The extension module: collects the functions of the other files. Nothing is computed here. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "assignment.h"
#include "counts.h"
#include "cuts.h"
#include "draws.h"
#include "fingerprints.h"
#include "flips.h"
#include "lists.h"
#include "placing.h"
#include "ranks.h"
#include "sets.h"
#include "standings.h"
#include "sums.h"
#include "text.h"

static int add_functions(PyObject *module) {
    PyMethodDef *families[] = {
        counts_functions, lists_functions,     ranks_functions, sets_functions,    assignment_functions,
        draws_functions,  flips_functions,     cuts_functions,  placing_functions, standings_functions,
        sums_functions,   text_functions,      fingerprints_functions,
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (PyModule_AddFunctions(module, families[i]) < 0) return -1;
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_functions}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "cranfield.kernels._native", "Compiled kernels.", 0, NULL, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
