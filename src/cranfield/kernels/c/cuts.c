/* Whole lists, see standings.c: where they are cut, and on which side of a threshold cells stand. */
#define PY_SSIZE_T_CLEAN
#include "cuts.h"

#include <stdint.h>

#include "bits.h"
#include "buffers.h"
#include "exact.h"

/* So many cells from the top, and the relevant ones among them. */
typedef struct {
    double place, found;
} Vertex;

/* See kernels.Cuts. */
typedef struct {
    Vertex low, before, after, high;
    double kind, threshold;
} Cut;

/* What is cut: levels are relevant and irrelevant cells, each over a divisor. */
typedef struct {
    double relevant, irrelevant;
    double low, target, high;
} Level;

enum { TOGETHER, RELEVANT_FIRST, RELEVANT_LAST };

typedef struct {
    Cut cut;
    Vertex last;
    double reached;  /* the level there */
    int met, passed; /* the target; the level above it */
} Search;

/* Where a level lies between the last end of a group and the next. */
static Vertex between(const Search *search, Vertex end, double reached, double wanted) {
    const double share = (wanted - search->reached) / (reached - search->reached);
    return (Vertex){search->last.place + share * (end.place - search->last.place),
                    search->last.found + share * (end.found - search->last.found)};
}

/* Goes on to the end of a group; `kind`: 0 irrelevant, 1 relevant, -1 both. */
static inline void pass_group(Search *search, const Level *level, Vertex end, double score, int kind) {
    const double reached =
        end.found / level->relevant + (end.place - end.found) / level->irrelevant;
    if (search->reached < level->low && level->low <= reached)
        search->cut.low = between(search, end, reached, level->low);
    if (!search->met) {
        search->cut.before = search->last;
        search->cut.after = end;
        search->cut.kind = kind;
        search->cut.threshold = score;
        search->met = reached >= level->target;
        if (search->met && reached - search->reached > level->high - level->target) {
            search->cut.low = search->last; /* nothing else matters */
            search->cut.high = end;
            search->passed = 1;
        }
    }
    if (!search->passed) {
        search->passed = reached >= level->high;
        search->cut.high = search->passed ? between(search, end, reached, level->high) : end;
    }
    search->last = end;
    search->reached = reached;
}

static Search seek_cut(const double *scores, const uint8_t *relevant, const int64_t *order,
                       const uint8_t *last, int64_t cells, const Level *level, int ties) {
    Search search = {.cut = {.kind = -1}};
    for (int64_t first = 0, end; first < cells && !search.passed; first = end) {
        const double score = scores[order[first]];
        for (end = first + 1; end < cells && !last[end - 1];) end++;
        int64_t hits = 0;
        for (int64_t k = first; k < end; k++) hits += IS_SET(relevant[order[k]]);
        const Vertex all = {(double)end, search.last.found + (double)hits};
        if (ties != TOGETHER && hits > 0 && hits < end - first) {
            const int relevant_first = ties == RELEVANT_FIRST;
            const int64_t leading = relevant_first ? hits : end - first - hits;
            const Vertex half = {(double)(first + leading),
                                 relevant_first ? all.found : search.last.found};
            pass_group(&search, level, half, score, relevant_first);
            pass_group(&search, level, all, score, !relevant_first);
        } else {
            const int kind = hits == 0 ? 0 : hits == end - first ? 1 : -1;
            pass_group(&search, level, all, score, kind);
        }
    }
    if (search.reached < level->low) search.cut.low = search.last;
    return search;
}

/* cuts(scores, relevant, offsets, order, ends, lengths, levels, ties, first, last, cuts): see
   kernels.cuts */
static PyObject *cuts(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, offsets, order, ends, lengths, levels, found;
    Py_ssize_t first, last;
    int ties;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*innw*", &scores, &relevant, &offsets, &order, &ends,
                          &lengths, &levels, &ties, &first, &last, &found))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, *length = lengths.buf;
    for (Py_ssize_t list = first; list < last; list++)
        ((Cut *)found.buf)[list] =
            seek_cut(scores.buf, relevant.buf, (const int64_t *)order.buf + offset[list],
                     (const uint8_t *)ends.buf + offset[list], length[list],
                     (const Level *)levels.buf + list, ties)
                .cut;
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &offsets, &order, &ends, &lengths, &levels, &found);
    Py_RETURN_NONE;
}

/* The cells of a list by kind and side of a threshold: 3 · relevant + 0, 1 or 2, above, at or below. */
static inline int side_of(double score, uint8_t relevant, double threshold) {
    return 3 * IS_SET(relevant) + 2 * (score < threshold) + (score == threshold);
}

enum { SIDES = 6 };

/* count_sides(scores, relevant, offsets, thresholds, counts): counts are (lists, 2, 3) */
static PyObject *count_sides(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, offsets, thresholds, counts;
    if (!PyArg_ParseTuple(args, "y*y*y*y*w*", &scores, &relevant, &offsets, &thresholds, &counts))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, lists = thresholds.len / (Py_ssize_t)sizeof(double);
    const double *score = scores.buf;
    const uint8_t *own = relevant.buf;
    int64_t *count = counts.buf;
    for (int64_t i = 0; i < lists; i++, count += SIDES)
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            count[side_of(score[k], own[k], ((const double *)thresholds.buf)[i])]++;
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &offsets, &thresholds, &counts);
    Py_RETURN_NONE;
}

/* side_sums(scores, relevant, offsets, thresholds, table, items, out): see kernels.side_sums */
static PyObject *side_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, offsets, thresholds, table, items, out;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*w*", &scores, &relevant, &offsets, &thresholds, &table,
                          &items, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, lists = thresholds.len / (Py_ssize_t)sizeof(double);
    const int64_t *item = items.len ? items.buf : NULL;
    const double *score = scores.buf, *value = table.buf;
    const uint8_t *own = relevant.buf;
    double *sums = out.buf;
    const ptrdiff_t size = out.len / (3 * (Py_ssize_t)sizeof(double));
    for (int64_t i = 0; i < lists; i++, value += SIDES) {
        const double threshold = ((const double *)thresholds.buf)[i];
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            add_at(sums, size, item == NULL ? k - offset[i] : item[k],
                   value[side_of(score[k], own[k], threshold)]);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &offsets, &thresholds, &table, &items, &out);
    Py_RETURN_NONE;
}

PyMethodDef cuts_functions[] = {
    {"cuts", cuts, METH_VARARGS, "Where lists are cut."},
    {"count_sides", count_sides, METH_VARARGS, "Cells on each side of thresholds."},
    {"side_sums", side_sums, METH_VARARGS, "Sums of a number for each side of thresholds."},
    {NULL, NULL, 0, NULL},
};
