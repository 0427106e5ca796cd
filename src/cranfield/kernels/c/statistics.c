/* Statistics of one ranked list. See statistics.h and, for their meaning, reference.py. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "hot.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t relevant(const Group *g) { return g->through - g->before; }
static int64_t irrelevant(const Group *g) { return g->end - g->start - relevant(g); }

/* The share of tied pairs that count as wrong. */
static double tied_share(int64_t ties) { return ties == EXPECTED ? 0.5 : ties == WORST ? 1.0 : 0.0; }

/* ── what rules for ties share ────────────────────────────────────────────────────────────── */

int make_shared(Shared *shared, int64_t groups) {
    const size_t length = (size_t)groups + 1;
    shared->precisions = malloc(length * sizeof *shared->precisions);
    shared->untied = malloc(length * sizeof *shared->untied);
    shared->tied = malloc(length * sizeof *shared->tied);
    return shared->precisions && shared->untied && shared->tied;
}

void free_shared(Shared *shared) {
    free(shared->precisions);
    free(shared->untied);
    free(shared->tied);
}

void share(List *list, Shared *shared) {
    shared->wrong = hot()->precisions(list->groups, list->count, shared->precisions, shared->untied);
    shared->ties = 0;
    shared->summed = 0;
    for (int64_t i = 0; i < list->count; i++) {
        shared->tied[shared->ties] = (uint32_t)i;
        shared->ties += shared->untied[i] == 0.0;
    }
    list->shared = shared;
}

/* ── sums over relevant cells ─────────────────────────────────────────────────────────────── */

/* Rows give their groups in any order: sums are rounded once, so that it never shows. Pairs and other
   whole and half numbers need no such care. */

/* Adds the precisions at the ranks of the relevant cells of a group, of its first `ranks` ranks. */
static inline void add_precisions(Sum *total, const Group *g, int64_t ranks, int64_t ties) {
    const int64_t hits = relevant(g), size = g->end - g->start;
    if (ties == GROUPED) {
        sum_add(total, (double)hits * ((double)g->through / (double)g->end));
    } else if (size == 1) {
        if (ranks > 0) sum_add(total, (double)g->through / (double)g->end);
    } else if (ties == EXPECTED) {
        const double slope = (double)(hits - 1) / (double)(size - 1);
        NEW_SUM(sum);
        for (int64_t r = 1; r <= least(ranks, size); r++)
            sum_add(&sum, ((double)(g->before + 1) + (double)(r - 1) * slope) /
                              (double)(g->start + r));
        sum_add(total, (double)hits / (double)size * sum_round(&sum));
    } else {
        const int64_t above = ties == BEST ? 0 : size - hits;
        for (int64_t r = 1; r <= least(ranks - above, hits); r++)
            sum_add(total, (double)(g->before + r) / (double)(g->start + above + r));
    }
}

/* Long lists add up once what rules for ties share, and add their tied groups to it. */
static double shared_precisions(const List *list, int64_t ties) {
    Shared *const shared = list->shared;
    if (!shared->summed) {
        memset(&shared->sum, 0, sizeof shared->sum);
        fixed_add_all(&shared->sum, shared->untied, list->count);
        shared->summed = 1;
    }
    Fixed rest = shared->sum;
    Sum total = {0.0, 0.0, 0.0, &rest, 1};
    for (int64_t i = 0; i < shared->ties; i++) {
        const Group *g = list->groups + shared->tied[i];
        add_precisions(&total, g, g->end - g->start, ties);
    }
    return sum_round(&total) / (double)list->positives;
}

static double precisions(const List *list, int64_t ties) {
    enum { MANY = 8 * ADDED_AT_ONCE };
    if (list->shared && list->count >= MANY) return shared_precisions(list, ties);
    NEW_SUM(total);
    for (int64_t i = 0; i < list->count; i++) {
        const Group *g = list->groups + i;
        add_precisions(&total, g, g->end - g->start, ties);
    }
    return sum_round(&total) / (double)list->positives;
}

/* Whole and half numbers, which need no exact sum. */
static double listed_wrong_pairs(const List *list, double share) {
    const Shared *const shared = list->shared;
    double total = 0;
    if (!shared) {
        for (int64_t i = 0; i < list->count; i++) {
            const Group *g = list->groups + i;
            total += (double)relevant(g) *
                     ((double)(g->start - g->before) + share * (double)irrelevant(g));
        }
        return total;
    }
    for (int64_t i = 0; i < shared->ties; i++) {
        const Group *g = list->groups + shared->tied[i];
        total += (double)relevant(g) * (share * (double)irrelevant(g));
    }
    return total + (double)shared->wrong;
}

static double wrong_pairs(const List *list, int64_t ties) {
    if (list->negatives == 0) return NAN;
    const double share = tied_share(ties);
    const int64_t hidden = list->positives - list->retrieved;
    const int64_t above = list->length - list->retrieved;
    const double total =
        listed_wrong_pairs(list, share) +
        (double)hidden * ((double)above + share * (double)(list->negatives - above));
    return total / ((double)list->positives * (double)list->negatives);
}

/* How many groups of a sorted list end within the cut. */
static int64_t groups_within(const List *list, int64_t cut) {
    int64_t low = 0, high = list->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (list->groups[middle].end <= cut) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Whole numbers, and the share of the one group in which the cut falls: added last. */
static double hits_within(const List *list, int64_t cut, int64_t ties) {
    const int64_t first = list->shared ? groups_within(list, cut) : 0;
    const int64_t last = list->shared ? least(first + 1, list->count) : list->count;
    int64_t whole = first ? list->groups[first - 1].through : 0;
    double share = 0;
    for (int64_t i = first; i < last; i++) {
        const Group *g = list->groups + i;
        const int64_t hits = relevant(g), size = g->end - g->start;
        if (g->end <= cut) {
            whole += hits;
        } else if (g->start < cut) {
            if (ties == EXPECTED) {
                share = (double)(hits * (cut - g->start)) / (double)size;
            } else {
                const int64_t above = ties == BEST ? g->start : g->end - hits;
                whole += least(most(cut - above, 0), hits);
            }
        }
    }
    return (double)whole + share;
}

/* A cut through a group of equals, and what stands above it: the sum of precisions of whole groups,
   and how many relevant cells these have. */
typedef struct {
    const Group *group;
    int64_t slots; /* ranks of the group above the cut */
    int64_t above;
    double whole;
    double harmonic, steps; /* Σ 1/rank and Σ (r − 1)/rank over the slots r = 1, 2, … */
} Cut;

static Cut cut_through(const Group *g, int64_t k, int64_t above, double whole) {
    NEW_SUM(harmonic);
    NEW_SUM(steps);
    for (int64_t r = 1; r <= k - g->start; r++) {
        sum_add(&harmonic, 1.0 / (double)(g->start + r));
        sum_add(&steps, (double)(r - 1) / (double)(g->start + r));
    }
    return (Cut){g, k - g->start, above, whole, sum_round(&harmonic), sum_round(&steps)};
}

/* The mean precision at relevant cells above the cut if `hits` of its slots are relevant. */
static double mean_precision(const Cut *cut, int64_t hits) {
    if (cut->above + hits == 0) return 0;
    const double slope = cut->slots > 1 ? (double)(hits - 1) / (double)(cut->slots - 1) : 0;
    const double here = (double)hits / (double)cut->slots *
                        ((double)(cut->group->before + 1) * cut->harmonic + slope * cut->steps);
    return (cut->whole + here) / (double)(cut->above + hits);
}

/* Its mean over all numbers of hits, each as likely as it is: from the likeliest up, then down. */
static double expected_mean_precision(const Cut *cut) {
    const int64_t all = relevant(cut->group), others = irrelevant(cut->group), slots = cut->slots;
    const int64_t low = most(0, slots - others), high = least(slots, all);
    const int64_t mode = (slots + 1) * (all + 1) / (all + others + 2);
    const int64_t likely = least(most(mode, low), high);
    NEW_SUM(total);
    NEW_SUM(weights);
    double weight = 1; /* in multiples of that of the likeliest number */
    for (int64_t h = likely; h <= high; h++) {
        sum_add(&weights, weight);
        sum_add(&total, weight * mean_precision(cut, h));
        weight *= (double)(all - h) * (double)(slots - h) /
                  ((double)(h + 1) * (double)(others - slots + h + 1));
    }
    weight = 1;
    for (int64_t h = likely; h > low; h--) {
        weight *= (double)h * (double)(others - slots + h) /
                  ((double)(all - h + 1) * (double)(slots - h + 1));
        sum_add(&weights, weight);
        sum_add(&total, weight * mean_precision(cut, h - 1));
    }
    return sum_round(&total) / sum_round(&weights);
}

static double precisions_within(const Request *request, const List *list) {
    const int64_t k = request->k;
    const int open = request->ties == EXPECTED && request->variant == RETRIEVED;
    const Group *through = NULL;
    int64_t above = 0;
    NEW_SUM(total);
    for (int64_t i = 0; i < list->count; i++) {
        const Group *g = list->groups + i;
        if (open && g->start < k && g->end > k) {
            through = g;
            continue;
        }
        add_precisions(&total, g, k - g->start, request->ties);
        if (g->end <= k) above += relevant(g);
    }
    const double sum = sum_round(&total);
    if (request->variant == IDEAL) return sum / (double)least(list->positives, k);
    if (request->variant != RETRIEVED) return sum / (double)list->positives;
    if (through) {
        const Cut cut = cut_through(through, k, above, sum);
        return expected_mean_precision(&cut);
    }
    const double hits = hits_within(list, k, request->ties);
    return hits > 0 ? sum / hits : 0;
}

static double discounted(const List *list, int64_t k, int64_t ties) {
    const int64_t cut = k ? k : INT64_MAX;
    const double *sum = list->discounts;
    NEW_SUM(total);
    for (int64_t i = 0; i < list->count; i++) {
        const Group *g = list->groups + i;
        const int64_t hits = relevant(g);
        if (g->start >= cut) continue;
        if (ties == EXPECTED) {
            sum_add(&total, (double)hits * (sum[least(g->end, cut)] - sum[g->start]) /
                                (double)(g->end - g->start));
        } else {
            const int64_t first = ties == BEST ? g->start : g->end - hits;
            sum_add(&total, sum[least(first + hits, cut)] - sum[least(first, cut)]);
        }
    }
    return sum_round(&total) / sum[least(list->positives, cut)];
}

/* ── the last and the first relevant cell ─────────────────────────────────────────────────── */

static double last_of(int64_t start, int64_t size, int64_t hits, int64_t ties) {
    if (ties == WORST) return (double)(start + size);
    if (ties == BEST) return (double)(start + hits);
    return (double)start + (double)hits * (double)(size + 1) / (double)(hits + 1);
}

static double coverage(const List *list, int64_t ties) {
    const int64_t hidden = list->positives - list->retrieved;
    if (hidden) {
        const int64_t size = list->positives + list->negatives - list->length;
        return last_of(list->length, size, hidden, ties);
    }
    double deepest = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const Group *g = list->groups + i;
        const double last = last_of(g->start, g->end - g->start, relevant(g), ties);
        deepest = last > deepest ? last : deepest;
    }
    return deepest;
}

static double one_error(const List *list, int64_t ties) {
    for (int64_t i = 0; i < list->count; i++) {
        const Group *g = list->groups + i;
        if (g->start) continue;
        if (ties == BEST) return 0;
        if (ties == WORST) return g->through < g->end;
        return 1.0 - (double)g->through / (double)g->end;
    }
    return 1;
}

static double success(const List *list, int64_t k, int64_t ties) {
    const Group *g = list->groups;
    for (int64_t i = 1; i < list->count; i++)
        if (list->groups[i].start < g->start) g = list->groups + i;
    if (list->count == 0 || g->start >= k) return 0;
    const int64_t size = g->end - g->start, others = irrelevant(g);
    const int64_t slots = least(k - g->start, size);
    if (ties == BEST || slots > others) return 1;
    if (ties == WORST) return 0;
    double missed = 1;
    for (int64_t i = 0; i < slots; i++) missed *= (double)(others - i) / (double)(size - i);
    return 1 - missed;
}

static double reciprocal_rank(const List *list, int64_t k, int64_t ties) {
    if (list->count == 0) return 0;
    const Group *g = list->groups;
    const int64_t size = g->end - g->start, others = irrelevant(g), cut = k ? k : INT64_MAX;
    if (ties != EXPECTED) {
        const int64_t rank = g->start + 1 + (ties == WORST ? others : 0);
        return rank > cut ? 0 : 1.0 / (double)rank;
    }
    double missed = 1;
    NEW_SUM(total);
    for (int64_t r = 0; r <= others && g->start + r < cut; r++) {
        sum_add(&total, missed * (double)(size - others) / (double)(size - r) /
                            (double)(g->start + 1 + r));
        missed *= (double)(others - r) / (double)(size - r);
    }
    return sum_round(&total);
}

/* ── interpolated precision ───────────────────────────────────────────────────────────────── */

static int64_t needed(int64_t level, const Request *request, int64_t positives) {
    const int64_t steps = request->k - 1;
    if (request->variant == EXACT) return (level * positives + steps - 1) / steps;
    const double wanted = (double)level / (double)steps * (double)positives;
    return (int64_t)floor(wanted + (request->variant == TREC9 ? 0.9 : 0.5));
}

/* The first group behind which so many relevant cells are found. */
static int64_t first_through(const List *list, int64_t needed) {
    int64_t low = 0, high = list->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (list->groups[middle].through < needed) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The last point of a group has its best precision; with ties in the best order it comes sooner. */
static double best_precision(const Group *g) {
    return (double)g->through / (double)(g->start + relevant(g));
}

/* The best precision from each level of recall on: that of each stretch between levels, from the
   last. */
static double interpolated(const Request *request, const List *list) {
    double best = 0;
    NEW_SUM(total);
    const Shared *const shared = list->shared;
    int64_t end = list->count, tied = request->ties == BEST ? shared->ties : 0;
    for (int64_t level = request->k - 1; level >= 0; level--) {
        const int64_t from = first_through(list, needed(level, request, list->positives));
        if (from < end) {
            best = fmax(best, hot()->largest(shared->precisions + from, end - from));
            end = from;
        }
        for (; tied > 0 && shared->tied[tied - 1] >= from; tied--)
            best = fmax(best, best_precision(list->groups + shared->tied[tied - 1]));
        sum_add(&total, best);
    }
    return sum_round(&total) / (double)request->k;
}

/* ── points of the precision-recall curve ─────────────────────────────────────────────────── */

/* A point where something relevant is found, and the last point before it. */
typedef struct {
    int64_t found, rank, found_before, rank_before;
} Point;

/* How many points a group has: one, or with its ties in some order one for each relevant cell. */
static int64_t points_of(const Group *g, int64_t ties) { return ties == GROUPED ? 1 : relevant(g); }

static Point point(const Group *g, int64_t ties, int64_t r) {
    if (ties == GROUPED) return (Point){g->through, g->end, g->before, g->start};
    const int64_t first = ties == BEST ? g->start : g->end - relevant(g);
    return (Point){g->before + r + 1, first + r + 1, g->before + r, first + r};
}

static double precision_of(Point p) { return (double)p.found / (double)p.rank; }

static double precision_at_recall(const Request *request, const List *list) {
    double best = 0;
    const double rounded = floor(request->parameter * (double)list->positives + 0.5);
    for (int64_t i = 0; i < list->count; i++)
        for (int64_t r = 0; r < points_of(list->groups + i, request->ties); r++) {
            const Point p = point(list->groups + i, request->ties, r);
            const int enough = request->variant == TREC10
                                   ? (double)p.found >= rounded
                                   : (double)p.found / (double)list->positives >= request->parameter;
            if (enough) best = fmax(best, precision_of(p));
        }
    return best;
}

static double efficiency(const Request *request, const List *list) {
    double nearest = 2;
    for (int64_t i = 0; i < list->count; i++)
        for (int64_t r = 0; r < points_of(list->groups + i, request->ties); r++) {
            const Point p = point(list->groups + i, request->ties, r);
            const double a = 1 - precision_of(p);
            const double b = 1 - (double)p.found / (double)list->positives;
            nearest = fmin(nearest, a * a + b * b);
        }
    return 1 - sqrt(nearest / 2);
}

/* Walks the curve from its end: interpolation takes the best precision from there on. */
static double area_under_points(const Request *request, const List *list) {
    double best = 0;
    NEW_SUM(total);
    for (int64_t i = list->count; i-- > 0;)
        for (int64_t r = points_of(list->groups + i, request->ties); r-- > 0;) {
            const Point p = point(list->groups + i, request->ties, r);
            double height = precision_of(p);
            if (request->variant == INTERPOLATED) height = best = fmax(best, height);
            if (request->variant == TRAPEZOID && p.rank_before)
                height = (height + (double)p.found_before / (double)p.rank_before) / 2;
            sum_add(&total, (double)(p.found - p.found_before) * height);
        }
    return sum_round(&total) / (double)list->positives;
}

/* Precision is π·TPR / (π·TPR + (1 − π)·FPR), whatever the totals of the list. */
static double precisions_at_prevalence(const Request *request, const List *list) {
    if (list->negatives == 0) return NAN;
    const double right = request->parameter * (double)list->negatives;
    const double wrong = (1 - request->parameter) * (double)list->positives;
    NEW_SUM(total);
    for (int64_t i = 0; i < list->count; i++)
        for (int64_t r = 0; r < points_of(list->groups + i, request->ties); r++) {
            const Point p = point(list->groups + i, request->ties, r);
            const double a = right * (double)p.found, b = wrong * (double)(p.rank - p.found);
            sum_add(&total, (double)(p.found - p.found_before) * (a / (a + b)));
        }
    return sum_round(&total) / (double)list->positives;
}

static double rank_biased(const Request *request, const List *list) {
    const double p = request->parameter;
    NEW_SUM(total);
    for (int64_t i = 0; i < list->count; i++) {
        const Group *g = list->groups + i;
        const int64_t hits = relevant(g);
        const int64_t first = request->ties == WORST ? g->end - hits : g->start;
        const int64_t last = request->ties == BEST ? g->start + hits : g->end;
        const double share = (double)hits / (double)(last - first);
        sum_add(&total, share * (pow(p, (double)first) - pow(p, (double)last)));
    }
    return sum_round(&total);
}

/* ── equal error rate ─────────────────────────────────────────────────────────────────────── */

typedef struct {
    int64_t false_positives, true_positives;
} Vertex;

/* FPR − FNR, times both totals. */
static int64_t gap(const List *list, Vertex v) {
    return v.false_positives * list->positives -
           (list->positives - v.true_positives) * list->negatives;
}

static double settle(const Request *request, const List *list, Vertex low, Vertex high) {
    const double P = (double)list->positives, N = (double)list->negatives;
    const int64_t under = gap(list, low), over = gap(list, high);
    if (request->variant == VERTEX) {
        const Vertex v = -under <= over ? low : high;
        return ((double)v.false_positives / N + (P - (double)v.true_positives) / P) / 2;
    }
    if (over == 0) return (double)high.false_positives / N;
    const double share = -(double)under / (double)(over - under);
    return ((double)low.false_positives +
            share * (double)(high.false_positives - low.false_positives)) / N;
}

/* The two neighbouring vertices around the crossing within a straight stretch. */
static double cross(const Request *request, const List *list, Vertex from, Vertex to) {
    if (request->variant == LINEAR) return settle(request, list, from, to);
    const int64_t rise = to.true_positives > from.true_positives;
    int64_t low = 0, high = rise ? to.true_positives - from.true_positives
                                 : to.false_positives - from.false_positives;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        const Vertex v = {from.false_positives + (rise ? 0 : middle),
                          from.true_positives + (rise ? middle : 0)};
        if (gap(list, v) < 0) low = middle; else high = middle;
    }
    const Vertex a = {from.false_positives + (rise ? 0 : low), from.true_positives + (rise ? low : 0)};
    const Vertex b = {from.false_positives + (rise ? 0 : high), from.true_positives + (rise ? high : 0)};
    return settle(request, list, a, b);
}

/* A stretch of irrelevant cells: with tied scores, only the ends of each run are vertices. */
static double cross_negatives(const Request *request, const List *list, Vertex from, Vertex to) {
    if (request->variant == LINEAR || request->ties != GROUPED)
        return cross(request, list, from, to);
    int64_t low = from.false_positives, high = to.false_positives;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        const Vertex v = {middle, from.true_positives};
        if (gap(list, v) < 0) low = middle; else high = middle;
    }
    int64_t begin, end;
    list->run_of(list->keys, from.true_positives + high - 1, &begin, &end);
    const Vertex a = {begin - from.true_positives, from.true_positives};
    const Vertex b = {end - from.true_positives, from.true_positives};
    return settle(request, list, a, b);
}

/* One group of cells of one score: a diagonal, or two steps. */
static double cross_group(const Request *request, const List *list, Vertex at, int64_t hits,
                          int64_t others) {
    const Vertex to = {at.false_positives + others, at.true_positives + hits};
    if (request->ties == GROUPED) return settle(request, list, at, to);
    Vertex corner = at;
    if (request->ties == BEST) corner.true_positives = to.true_positives;
    else corner.false_positives = to.false_positives;
    return gap(list, corner) >= 0 ? cross(request, list, at, corner)
                                  : cross(request, list, corner, to);
}

/* The ROC point behind the first groups. */
static Vertex behind(const List *list, int64_t groups) {
    if (groups == 0) return (Vertex){0, 0};
    const Group *g = list->groups + groups - 1;
    return (Vertex){g->end - g->through, g->through};
}

static double equal_error_rate(const Request *request, const List *list) {
    if (list->negatives == 0) return NAN;
    /* The gap grows along the curve: find the first groups behind which it is not negative. */
    int64_t low = 0, high = list->count + 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (gap(list, behind(list, middle)) < 0) low = middle;
        else high = middle;
    }
    Vertex at = behind(list, low);
    const Group *g = low < list->count ? list->groups + low : NULL;
    const Vertex to = {(g ? g->start : list->length) - at.true_positives, at.true_positives};
    if (gap(list, to) >= 0) return cross_negatives(request, list, at, to);
    /* The next group; or the cells that were not retrieved, one tie at the bottom. */
    return g ? cross_group(request, list, to, relevant(g), irrelevant(g))
             : cross_group(request, list, to, list->positives - list->retrieved,
                           list->negatives - (list->length - list->retrieved));
}

/* A sum of rounded shares may exceed 1 in its last bit. */
static double at_most_one(double share) { return share > 1 ? 1 : share; }

double statistic(const Request *request, const List *list) {
    if (list->positives == 0) return NAN;
    const double P = (double)list->positives;
    switch (request->name) {
        case AUC: return 1.0 - wrong_pairs(list, request->ties);
        case RANKING_LOSS: return at_most_one(wrong_pairs(list, request->ties));
        case AP: return at_most_one(precisions(list, request->ties));
        case IAP: return at_most_one(interpolated(request, list));
        case EER: return equal_error_rate(request, list);
        case RP: return at_most_one(hits_within(list, list->positives, request->ties) / P);
        case P_AT:
            return at_most_one(hits_within(list, request->k, request->ties) / (double)request->k);
        case R_AT: return at_most_one(hits_within(list, request->k, request->ties) / P);
        case NDCG: return at_most_one(discounted(list, request->k, request->ties));
        case SUCCESS: return success(list, request->k, request->ties);
        case RR: return reciprocal_rank(list, request->k, request->ties);
        case ONE_ERROR: return one_error(list, request->ties);
        case COVERAGE: return coverage(list, request->ties);
        case RBP: return at_most_one(rank_biased(request, list));
        case P_AT_RECALL: return precision_at_recall(request, list);
        case EFFICIENCY: return efficiency(request, list);
        case PRAUC: return at_most_one(area_under_points(request, list));
        case AP_AT: return at_most_one(precisions_within(request, list));
        case AP_AT_PREVALENCE: return at_most_one(precisions_at_prevalence(request, list));
    }
    return NAN;
}
