/* Lines of names and numbers, cut into their fields. */
#ifndef CRANFIELD_FIELDS_H
#define CRANFIELD_FIELDS_H
#include "numbers.h"

typedef enum { INSIDE, BLANK, SEPARATOR, END, STRANGE } Kind;

typedef struct {
    unsigned char kind[256];
    int separated; /* by one character, so that a field may be empty; else by any run of blanks */
} Grammar;

static Grammar grammar_of(int separator) {
    Grammar g = {{INSIDE}, separator != 0};
    g.kind[' '] = g.kind['\t'] = BLANK;
    g.kind['\v'] = g.kind['\f'] = separator ? STRANGE : BLANK;
    if (separator) {
        g.kind['"'] = STRANGE;
        g.kind[separator] = SEPARATOR;
    }
    g.kind['\n'] = END;
    g.kind[0] = STRANGE;
    return g;
}

#define KIND(s) (grammar->kind[(unsigned char)*(s)])

static inline const char *blanks(const char *s, const Grammar *grammar) {
    while (KIND(s) == BLANK) s++;
    return s;
}

/* The same where it is nearly always a single space. */
static inline const char *one_blank(const char *s, const Grammar *grammar) {
    if (*s == ' ') s++;
    return KIND(s) == BLANK ? blanks(s, grammar) : s;
}

/* Reads a name; its span goes to span[0], span[1]. NULL if it is empty or not plain. */
static inline const char *name(const char *s, const char *base, const Grammar *grammar,
                               int64_t *span) {
    const char *begin = s;
    if (grammar->separated) {
        while (KIND(s) <= BLANK) s++;
        if (KIND(s) == STRANGE) return NULL;
        const char *end = s;
        while (end > begin && KIND(end - 1) == BLANK) end--;
        if (end == begin) return NULL;
        span[0] = begin - base, span[1] = end - base;
        return s;
    }
    while (KIND(s) == INSIDE) s++;
    if (KIND(s) == STRANGE) return NULL;
    span[0] = begin - base, span[1] = s - base;
    return s;
}

/* How a line is built: names, numbers, names again. */
typedef struct {
    Py_ssize_t names, width, after;
    unsigned long long loose; /* the numbers, by bit, that may be any text: they become NaN */
} Layout;

/* Reads a name that something stands before. */
static inline const char *next_name(const char *s, const char *base, const Grammar *grammar,
                                    int64_t *span) {
    if (grammar->separated && KIND(s) != SEPARATOR) return NULL;
    s = blanks(s + grammar->separated, grammar);
    return KIND(s) == END ? NULL : name(s, base, grammar, span);
}

/* Reads one line that is not blank; returns its end, NULL if it is declined. */
static inline const char *line(const char *s, const char *base, const char *wide,
                               const Grammar *grammar, const Layout *layout,
                               PyThreadState **thread, double *values, int64_t *spans) {
    s = name(s, base, grammar, spans);
    for (Py_ssize_t i = 1; s != NULL && i < layout->names; i++)
        s = next_name(s, base, grammar, spans + 2 * i);
    if (s == NULL) return NULL;
    for (Py_ssize_t j = 0; j < layout->width; j++) {
        if (grammar->separated) {
            if (KIND(s) != SEPARATOR) return NULL;
            s = blanks(s + 1, grammar);
            if (KIND(s) == SEPARATOR || KIND(s) == END) {
                values[j] = NAN; /* an empty field */
                continue;
            }
        } else {
            s = one_blank(s, grammar);
        }
        const char *begin = s, *after = common_number(s, wide, values + j);
        s = after ? after : any_number(s, wide, thread, values + j);
        if (s == NULL || KIND(s) == INSIDE) {
            int64_t span[2];
            if (j > 63 || !(layout->loose >> j & 1) || KIND(begin) == END) return NULL;
            values[j] = NAN;
            s = name(begin, base, grammar, span);
            if (s == NULL) return NULL;
        }
        if (grammar->separated) s = blanks(s, grammar);
    }
    for (Py_ssize_t i = layout->names; i < layout->names + layout->after; i++) {
        s = next_name(s, base, grammar, spans + 2 * i);
        if (s == NULL) return NULL;
    }
    s = blanks(s, grammar);
    return KIND(s) == END ? s : NULL;
}

#endif
