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

typedef struct {
    const double *costs; /* (stride, stride); the last concept is the partner of what is left over */
    ptrdiff_t stride;
    ptrdiff_t size;
    int32_t *given, *wanted; /* members of the two sets: rows and columns */
    double *row_price, *column_price;
    int32_t *column_of, *row_of; /* partners, -1 = none yet */
    uint64_t *free;              /* the columns without one, as bits */
    /* Of the search under way, by column: */
    double *length;  /* of the shortest chain to it, … */
    int32_t *before; /* … the row before it */
    /* Columns that no chain will reach sooner. Their length and price above are infinite, so that
       they stay out of all comparisons; the true ones are here. */
    int32_t *closed;
    double *closed_length, *closed_price;
} Problem;

/* The nearest column: a free one among equals, else the first. */
static inline ptrdiff_t nearest_column(const Problem *p, double least) {
    ptrdiff_t first = -1;
    for (ptrdiff_t start = 0; start < p->size; start += WORD) {
        const ptrdiff_t count = p->size - start < WORD ? p->size - start : WORD;
        uint64_t near = 0;
        for (ptrdiff_t j = 0; j < count; j++)
            near |= (uint64_t)(p->length[start + j] == least) << j;
        if (near & p->free[start / WORD]) return start + lowest_bit(near & p->free[start / WORD]);
        if (near && first < 0) first = start + lowest_bit(near);
    }
    return first;
}

/* Goes on from a row that a chain has come to. */
static inline ptrdiff_t prolong(const Problem *p, ptrdiff_t row, double reached) {
    const double *costs = p->costs + p->given[row] * p->stride, price = p->row_price[row];
    double least = INFINITY;
    for (ptrdiff_t j = 0; j < p->size; j++) {
        const double way = reached + (costs[p->wanted[j]] - price) - p->column_price[j];
        const int shorter = way < p->length[j];
        p->before[j] = shorter ? (int32_t)row : p->before[j];
        const double length = way < p->length[j] ? way : p->length[j];
        p->length[j] = length;
        least = length < least ? length : least;
    }
    return nearest_column(p, least);
}

/* Gives a row a partner, and others new ones where that is cheaper. */
static void enter(Problem *p, ptrdiff_t row) {
    for (ptrdiff_t j = 0; j < p->size; j++) p->length[j] = INFINITY;
    double reached = 0.0;
    ptrdiff_t count = 0, column, at = row;
    do {
        column = prolong(p, at, reached);
        reached = p->length[column];
        p->closed[count] = (int32_t)column;
        p->closed_length[count] = reached;
        p->closed_price[count] = p->column_price[column];
        count++;
        p->length[column] = INFINITY;
        p->column_price[column] = -INFINITY;
        at = p->row_of[column];
    } while (at >= 0);

    p->row_price[row] += reached;
    for (ptrdiff_t k = 0; k < count; k++) {
        const int32_t j = p->closed[k];
        const double early = reached - p->closed_length[k];
        if (p->row_of[j] >= 0) p->row_price[p->row_of[j]] += early;
        p->column_price[j] = p->closed_price[k] - early;
    }

    p->free[column / WORD] &= ~((uint64_t)1 << column % WORD);
    for (int32_t partner = -1; partner != row;) {
        partner = p->before[column];
        const int32_t following = p->column_of[partner];
        p->row_of[column] = partner;
        p->column_of[partner] = (int32_t)column;
        column = following;
    }
}

/* Pairs the concepts that are in both sets. */
static void prepair(Problem *p, ptrdiff_t sources, ptrdiff_t targets) {
    for (ptrdiff_t i = 0, j = 0; i < sources && j < targets;) {
        const int32_t source = p->given[i], target = p->wanted[j];
        if (source == target) {
            p->column_of[i] = (int32_t)j;
            p->row_of[j] = (int32_t)i;
            p->free[j / WORD] &= ~((uint64_t)1 << j % WORD);
        }
        i += source <= target;
        j += target <= source;
    }
}

static double cheapest(Problem *p, const uint64_t *one, const uint64_t *other, int prepaired) {
    const ptrdiff_t concepts = p->stride - 1;
    const ptrdiff_t sources = list_members(one, concepts, p->given);
    const ptrdiff_t targets = list_members(other, concepts, p->wanted);
    p->size = sources > targets ? sources : targets;
    for (ptrdiff_t i = sources; i < p->size; i++) p->given[i] = (int32_t)concepts;
    for (ptrdiff_t j = targets; j < p->size; j++) p->wanted[j] = (int32_t)concepts;
    for (ptrdiff_t i = 0; i < p->size; i++) {
        p->row_price[i] = p->column_price[i] = 0.0;
        p->column_of[i] = p->row_of[i] = -1;
    }
    for (ptrdiff_t w = 0; w < words_for(p->size); w++) p->free[w] = ~(uint64_t)0;
    if (prepaired) prepair(p, sources, targets);
    for (ptrdiff_t i = 0; i < p->size; i++)
        if (p->column_of[i] < 0) enter(p, i);
    double total = 0.0;
    for (ptrdiff_t i = 0; i < p->size; i++)
        total += p->costs[p->given[i] * p->stride + p->wanted[p->column_of[i]]];
    return total;
}

/* assign(sources, targets, costs, prepaired, concepts, first, last, out) */
static PyObject *assign(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sources, targets, costs, out;
    Py_ssize_t concepts, first, last;
    int prepaired, enough;
    if (!PyArg_ParseTuple(args, "y*y*y*pnnnw*", &sources, &targets, &costs, &prepaired, &concepts,
                          &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t words = words_for(concepts);
    const size_t room = (size_t)concepts + 1;
    double *numbers = malloc(5 * room * sizeof *numbers);
    int32_t *places = malloc(6 * room * sizeof *places);
    uint64_t *bits = malloc((size_t)(words + 1) * sizeof *bits);
    enough = numbers && places && bits;
    Problem p = {.costs = costs.buf,
                 .stride = concepts + 1,
                 .given = places,
                 .wanted = places + room,
                 .row_price = numbers,
                 .column_price = numbers + room,
                 .column_of = places + 2 * room,
                 .row_of = places + 3 * room,
                 .free = bits,
                 .length = numbers + 2 * room,
                 .before = places + 4 * room,
                 .closed = places + 5 * room,
                 .closed_length = numbers + 3 * room,
                 .closed_price = numbers + 4 * room};
    for (ptrdiff_t i = first; enough && i < last; i++)
        ((double *)out.buf)[i] = cheapest(&p, (const uint64_t *)sources.buf + i * words,
                                          (const uint64_t *)targets.buf + i * words, prepaired);
    free(numbers);
    free(places);
    free(bits);
    Py_END_ALLOW_THREADS
    RELEASE(&sources, &targets, &costs, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef assignment_functions[] = {
    {"assign", assign, METH_VARARGS, "The cheapest assignment between the sets of each row."},
    {NULL, NULL, 0, NULL},
};
