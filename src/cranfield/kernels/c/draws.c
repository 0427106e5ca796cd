/* Ranked lists of resampled items: one order, many draws.

   A list is sorted once, in Python. A draw says how often each item counts; one walk down the list
   then gives the groups of that draw, and every statistic follows from groups as always. */
#define PY_SSIZE_T_CLEAN
#include "draws.h"

#include <stdint.h>
#include <stdlib.h>

#include "buffers.h"
#include "statistics.h"

enum { RELEVANT = 1, LAST = 2 };

/* The groups of one draw; `groups` has room for one more than there are cells. */
static void walk(const uint32_t *items, const uint8_t *marks, ptrdiff_t cells, ptrdiff_t listed,
                 const uint16_t *times, Group *groups, List *list) {
    int64_t upto = 0, found = 0, start = 0, before = 0, count = 0;
    for (ptrdiff_t k = 0; k < listed; k++) {
        const int64_t here = times[items[k]];
        upto += here;
        found += marks[k] & RELEVANT ? here : 0;
        /* Written always and kept if something relevant was drawn: no branch to guess wrongly. */
        groups[count] = (Group){start, upto, before, found};
        const int last = marks[k] & LAST;
        count += last && found > before;
        start = last ? upto : start;
        before = last ? found : before;
    }
    int64_t positives = found, all = upto;
    for (ptrdiff_t k = listed; k < cells; k++) {
        const int64_t here = times[items[k]];
        all += here;
        positives += marks[k] & RELEVANT ? here : 0;
    }
    list->count = count;
    list->length = upto;
    list->retrieved = found;
    list->positives = positives;
    list->negatives = all - positives;
}

/* rank_draws(items, marks, listed, times, size, first, last, plan, requests, discounts, out,
              draws): fills columns first … last of out (requests, draws); times is (draws, size) */
static PyObject *rank_draws(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer items, marks, times, plan, discounts, out;
    int enough = 1;
    Py_ssize_t listed, size, first, last, requests, draws;
    if (!PyArg_ParseTuple(args, "y*y*ny*nnny*ny*w*n", &items, &marks, &listed, &times, &size, &first,
                          &last, &plan, &requests, &discounts, &out, &draws))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t cells = (ptrdiff_t)marks.len;
    Group *groups = malloc((size_t)(cells + 1) * sizeof *groups);
    Shared shared;
    enough = make_shared(&shared, cells) && groups;
    for (ptrdiff_t i = first; enough && i < last; i++) {
        List list = {.groups = groups, .discounts = discounts.buf};
        walk(items.buf, marks.buf, cells, listed, (const uint16_t *)times.buf + i * size, groups,
             &list);
        share(&list, &shared);
        for (ptrdiff_t r = 0; r < requests; r++)
            ((double *)out.buf)[r * draws + i] = statistic((const Request *)plan.buf + r, &list);
    }
    free(groups);
    free_shared(&shared);
    Py_END_ALLOW_THREADS
    RELEASE(&items, &marks, &times, &plan, &discounts, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef draws_functions[] = {
    {"rank_draws", rank_draws, METH_VARARGS, "Statistics of a sorted list in many draws of items."},
    {NULL, NULL, 0, NULL},
};
