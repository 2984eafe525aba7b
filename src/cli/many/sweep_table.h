/* Prints the results of `chainscope sweep`, figures at each point of a grid of
 * parameters, as text, Markdown, HTML, SVG, JSON or CSV. */
#pragma once

#include "base/page.h"
#include "cli/line/subcommand.h"
#include "figure/figure.h"
#include "session/client/sweep_axis.h"

enum { CS_SWEEP_ARMS = 16, CS_SWEEP_FIGURES = 12 };

/* The figure of an arm at a point. */
typedef struct cs_sweep_cell {
    double value, error, freedom; /* value, its standard error and the error's
                                   * degrees of freedom; NAN, NAN, 0 if
                                   * unknown */
    char by[80];                  /* method of the error estimate */
    char why[200]; /* reason why the value is missing; "" if it is known */
} cs_sweep_cell;

typedef struct cs_sweep {
    const char *file;
    const cs_sweep_axis *axis; /* [n_axes] [borrowed]; the last axis varies
                           * fastest */
    size_t n_axes, points, seeds;
    size_t arms, figures;
    char arm[CS_SWEEP_ARMS][64];
    char figure[CS_SWEEP_FIGURES][64];
    const cs_figure_type *type[CS_SWEEP_FIGURES]; /* types of the figures; NULL:
                                                   * unknown figure */
    char unit[32];        /* unit of work, taken from the budget */
    double *work;         /* [points][arms] work at each point; NAN: unknown
                           * [own] */
    cs_sweep_cell *cell;  /* [points][arms][figures] the figures [own] */
    char (*failure)[200]; /* [points] reason for a failure; "": none [own] */
} cs_sweep;

void cs_sweep_fini(cs_sweep *s);

/* Returns the text of the value of axis a at point i. */
const char *cs_sweep_value(const cs_sweep *s, size_t i, size_t a);
cs_sweep_cell *cs_sweep_at(const cs_sweep *s, size_t point, size_t arm,
                           size_t figure);

/* Returns the type of the figure whose column in a sweep has this name, such
 * as "mean(1)"; NULL: unknown. */
const cs_figure_type *cs_sweep_type(const char *name);

/* Returns true if the points of an arm must not be ranked by a figure. In this
 * case also writes the reason (see cs_figure_is_unranked). */
bool cs_sweep_is_unranked(const cs_sweep *s, size_t arm, size_t figure,
                          char *text, size_t size);

#define CS_NO_POINT ((size_t)-1)

/* Returns the point at which the figure of an arm is best. Returns CS_NO_POINT
 * if this point is unknown, or if the figure is a total and the work is
 * unequal. */
size_t cs_sweep_best(const cs_sweep *s, size_t arm, size_t figure);
/* Returns true if this point and the best point cannot be distinguished at the
 * 95 % level. The test assumes that the values at both points are independent.
 * Also returns true if an error is unknown. Returns false if this point has no
 * finite value or is the best point itself. */
bool cs_sweep_ties(const cs_sweep *s, size_t arm, size_t figure, size_t best,
                   size_t point);

typedef struct cs_sweep_format {
    const char *name, *suffix;
    cs_status (*put)(const cs_sweep *s, cs_page *p, cs_error *err);
} cs_sweep_format;

/* Returns format number i, or NULL past the last format. Format 0 is text. */
const cs_sweep_format *cs_sweep_format_at(size_t i);
