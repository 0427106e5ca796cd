/* The cheapest one-to-one assignment between two sets, by shortest augmenting paths.

   The method is told in assignment.py, which takes the same steps. Rows are sources, columns are
   targets; the smaller side is filled up with partners for what is left over. */
#define PY_SSIZE_T_CLEAN
#include "assignment.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "bits.h"
#include "buffers.h"

/* Costs of concepts. */
typedef struct {
    const double *between, *unmatched;
    ptrdiff_t concepts;
    int prepaired; /* concepts in both sets may start as pairs */
} Costs;

typedef struct {
    const Costs *costs;
    int32_t *given, *wanted; /* members of the two sets */
    ptrdiff_t sources, targets, size;
    double *row_price, *column_price;
    int32_t *column_of, *row_of; /* partners, -1 = none yet */
    /* Of the search under way, by column: */
    double *length;  /* of the shortest chain to it … */
    int32_t *before; /* … and the row before it */
    uint8_t *closed; /* no chain will reach it sooner */
} Problem;

/* Goes on from a row that a chain of some length has come to; returns the nearest column that is
   not closed: a free one among equals, else the first. */
static inline ptrdiff_t prolong(Problem *p, ptrdiff_t row, double reached) {
    const Costs *costs = p->costs;
    const int left_over = row >= p->sources;
    const double *to = left_over ? costs->unmatched : costs->between + p->given[row] * costs->concepts;
    const double alone = left_over ? 0.0 : costs->unmatched[p->given[row]];
    double least = INFINITY;
    ptrdiff_t nearest = 0;
    for (ptrdiff_t j = 0; j < p->size; j++) {
        if (p->closed[j]) continue;
        const double cost = j < p->targets ? to[p->wanted[j]] : alone;
        const double way = reached + (cost - p->row_price[row]) - p->column_price[j];
        if (way < p->length[j]) {
            p->length[j] = way;
            p->before[j] = (int32_t)row;
        }
        if (p->length[j] < least ||
            (p->length[j] == least && p->row_of[j] < 0 && p->row_of[nearest] >= 0)) {
            least = p->length[j];
            nearest = j;
        }
    }
    return nearest;
}

/* Gives a row a partner, and others new ones where that is cheaper. */
static void enter(Problem *p, ptrdiff_t row) {
    for (ptrdiff_t j = 0; j < p->size; j++) {
        p->length[j] = INFINITY;
        p->closed[j] = 0;
    }
    double reached = 0.0;
    ptrdiff_t column, at = row;
    do {
        column = prolong(p, at, reached);
        reached = p->length[column];
        p->closed[column] = 1;
        at = p->row_of[column];
    } while (at >= 0);

    p->row_price[row] += reached;
    for (ptrdiff_t j = 0; j < p->size; j++)
        if (p->closed[j]) {
            const double early = reached - p->length[j];
            if (p->row_of[j] >= 0) p->row_price[p->row_of[j]] += early;
            p->column_price[j] -= early;
        }

    for (int32_t partner = -1; partner != row;) {
        partner = p->before[column];
        const int32_t following = p->column_of[partner];
        p->row_of[column] = partner;
        p->column_of[partner] = (int32_t)column;
        column = following;
    }
}

/* Pairs the concepts that are in both sets. */
static void prepair(Problem *p) {
    for (ptrdiff_t i = 0, j = 0; i < p->sources && j < p->targets;) {
        const int32_t source = p->given[i], target = p->wanted[j];
        if (source == target) {
            p->column_of[i] = (int32_t)j;
            p->row_of[j] = (int32_t)i;
        }
        i += source <= target;
        j += target <= source;
    }
}

static double cost_of(const Problem *p, ptrdiff_t row, ptrdiff_t column) {
    const Costs *costs = p->costs;
    if (row >= p->sources) return costs->unmatched[p->wanted[column]];
    if (column >= p->targets) return costs->unmatched[p->given[row]];
    return costs->between[p->given[row] * costs->concepts + p->wanted[column]];
}

static double cheapest(Problem *p, const uint64_t *sources, const uint64_t *targets) {
    p->sources = list_members(sources, p->costs->concepts, p->given);
    p->targets = list_members(targets, p->costs->concepts, p->wanted);
    p->size = p->sources > p->targets ? p->sources : p->targets;
    for (ptrdiff_t i = 0; i < p->size; i++) {
        p->row_price[i] = p->column_price[i] = 0.0;
        p->column_of[i] = p->row_of[i] = -1;
    }
    if (p->costs->prepaired) prepair(p);
    for (ptrdiff_t i = 0; i < p->size; i++)
        if (p->column_of[i] < 0) enter(p, i);
    double total = 0.0;
    for (ptrdiff_t i = 0; i < p->size; i++) total += cost_of(p, i, p->column_of[i]);
    return total;
}

/* assign(sources, targets, between, unmatched, prepaired, concepts, first, last, out) */
static PyObject *assign(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sources, targets, between, unmatched, out;
    Py_ssize_t concepts, first, last;
    int prepaired, enough;
    if (!PyArg_ParseTuple(args, "y*y*y*y*pnnnw*", &sources, &targets, &between, &unmatched,
                          &prepaired, &concepts, &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const Costs costs = {between.buf, unmatched.buf, concepts, prepaired};
    const ptrdiff_t words = words_for(concepts);
    const size_t room = (size_t)concepts + 1;
    double *prices = malloc(3 * room * sizeof *prices);
    int32_t *places = malloc(5 * room * sizeof *places);
    uint8_t *closed = malloc(room);
    enough = prices && places && closed;
    Problem p = {.costs = &costs,
                 .given = places,
                 .wanted = places + room,
                 .row_price = prices,
                 .column_price = prices + room,
                 .column_of = places + 2 * room,
                 .row_of = places + 3 * room,
                 .length = prices + 2 * room,
                 .before = places + 4 * room,
                 .closed = closed};
    for (ptrdiff_t i = first; enough && i < last; i++)
        ((double *)out.buf)[i] = cheapest(&p, (const uint64_t *)sources.buf + i * words,
                                          (const uint64_t *)targets.buf + i * words);
    free(prices);
    free(places);
    free(closed);
    Py_END_ALLOW_THREADS
    RELEASE(&sources, &targets, &between, &unmatched, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef assignment_functions[] = {
    {"assign", assign, METH_VARARGS, "The cheapest assignment between the sets of each row."},
    {NULL, NULL, 0, NULL},
};
