/* slice: slice sampling, one coordinate after another.
 *
 *   level = log p(x) + log u,  u ~ U(0, 1)
 *   x_i   = a uniform draw from {v : log p(x with x_i = v) >= level}, within a
 *           bracket around x_i that steps out by `width` and shrinks to x_i
 *
 * Neal, "Slice sampling" (2003), section 4: stepping out (figure 3) and
 * shrinking (figure 5). The limit m of figure 3 is 1 + max_steps_out widths,
 * divided between the two sides at random; without this division the bracket
 * would not be equally likely from the new state. The width is the same for all
 * coordinates.
 *
 * The parameter `coordinates` is the number of coordinates that a step redraws,
 * one after another. They are either the next ones in order, from index (step -
 * 1) * coordinates mod dim on, or each is drawn at random. The fixed order
 * leaves the target invariant but is not reversible. */
#include "kernels/real/slice.h"

enum { WIDTH, STEPS_OUT, SCAN, COORDINATES };
enum { RANDOM, SYSTEMATIC };

/* Returns the scratch size in doubles per lane. The rows that belong to the
 * kernel itself hold the coordinates that the step redraws. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_slice_words(t->space.dim, t->space.dim, t->space.dim);
}

/* Fills site[n][lanes] with the coordinates that a step redraws. */
static void choose(const cs_move *m, size_t n, double *site)
{
    double d = (double)m->dim;
    if (cs_move_param(m, SCAN)[0] == RANDOM) {
        cs_fill_uniform(&m->streams, CS_FOR_SITE, n, site);
        for (size_t at = 0; at < n * m->lanes; at++)
            site[at] = fmin(floor(site[at] * d), d - 1);
        return;
    }
    uint64_t first = (m->streams.step - 1) * n;
    for (size_t at = 0; at < n * m->lanes; at++)
        site[at] = (double)((first + at / m->lanes) % m->dim);
}

/* Returns the index in x of the coordinate that lane l redraws; an arbitrary
 * coordinate if the lane has finished. */
static size_t place_of(const cs_slice *s, size_t l)
{
    size_t n = s->m->lanes, k = (size_t)s->number[l];
    k = k < s->curves ? k : s->curves - 1;
    return (size_t)s->own[k * n + l] * n + l;
}

static void lay(cs_slice *s)
{
    for (size_t l = 0; l < s->m->lanes; l++) {
        size_t at = place_of(s, l);
        s->y[at] = s->m->x[at] + s->at[l];
        s->still[l] = s->y[at] == s->m->x[at];
    }
}

static void bracket(cs_slice *s, size_t l)
{
    cs_slice_place(s, l, cs_move_param(s->m, WIDTH)[l],
                   cs_move_param(s->m, STEPS_OUT)[l]);
}

static void keep(cs_slice *s, size_t l)
{
    size_t at = place_of(s, l);
    s->m->x[at] = s->y[at];
}

static void step(cs_move *m)
{
    static const cs_slice_curve axis = {lay, bracket, keep};
    double wanted = cs_move_param(m, COORDINATES)[0];
    size_t n = wanted < (double)m->dim ? (size_t)wanted : m->dim;
    cs_slice s;
    cs_slice_open(&s, m, &axis, n);
    choose(m, n, s.own);
    cs_slice_step(&s);
}

static bool is_reversible(const double *values)
{
    return values[SCAN] == RANDOM;
}

static const char *const scans[] = {"random", "systematic", NULL};

static const cs_param rows[] = {
    [WIDTH] = CS_SLICE_WIDTH("of the bracket around a coordinate"),
    [STEPS_OUT] = CS_SLICE_STEPS_OUT,
    [SCAN] = {.name = "scan",
              .kind = CS_PARAM_CHOICE,
              .flags = CS_PARAM_SHARED,
              .max = SYSTEMATIC,
              .def = SYSTEMATIC,
              .choices = scans,
              .help = "choice of the next coordinate: at random, or each "
                      "coordinate in turn"},
    [COORDINATES] = {.name = "coordinates",
                     .unit = "coordinates",
                     .kind = CS_PARAM_INT,
                     .flags = CS_PARAM_SHARED,
                     CS_PARAM_RANGE(1, 1e9, 10),
                     .help = "number of coordinates that each step redraws, "
                             "one after another; at most all coordinates"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_slice) = {
    .name = "slice",
    .title = "Slice sampling",
    .ref = "Neal, Slice sampling, 2003, section 4",
    .help = "Redraws one coordinate after another: draws a random level below "
            "log p, then draws the coordinate uniformly from the values where "
            "log p is above this level. No step is rejected, and the width of "
            "the search bracket adapts itself.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT,
    CS_PARAM_TABLE(rows),
    .stats = cs_slice_stats,
    .scratch_words = scratch_words,
    .is_reversible = is_reversible,
    .step = step,
};
