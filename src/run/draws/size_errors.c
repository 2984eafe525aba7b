#include "run/draws/size_errors.h"

#include "base/memory.h"
#include "probe/rows.h"
#include "stat/moments.h"

#include <assert.h>
#include <math.h>

size_t cs_jackknife_groups(size_t n)
{
    if (n < CS_JACKKNIFE_LEAST)
        return 0;
    return n < CS_JACKKNIFE_MOST ? n : CS_JACKKNIFE_MOST;
}

double cs_jackknife_error(const double *without, size_t groups)
{
    double g = (double)groups;
    if (groups < 2)
        return (double)NAN;
    return (g - 1) / sqrt(g) * sqrt(cs_variance(without, groups));
}

/* Copies the lanes that are alive to `to`, except the lanes of group number
 * `group`. Returns the number of copied lanes. */
static size_t leave_out(const cs_lane_memory *lane, size_t n, size_t groups,
                        size_t group, cs_lane_memory *to)
{
    size_t live = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!lane[i].failed && live++ % groups != group)
            to[kept++] = lane[i];
    return kept;
}

static size_t count_live(const cs_lane_memory *lane, size_t n)
{
    size_t live = 0;
    for (size_t i = 0; i < n; i++)
        live += !lane[i].failed;
    return live;
}

/* The figures of the arm. without[scalar][groups]: the figures with one group
 * of chains left out, for each group. */
typedef struct search {
    const cs_lane_memory *lane;
    size_t n, groups, scalars;
    double *without;       /* [own] */
    cs_lane_memory *some;  /* [n] [own] */
    unsigned char *memory; /* [own] memory for a report */
    size_t bytes;
} search;

static bool begin(search *s, const cs_lane_memory *lane, size_t n,
                  size_t scalars)
{
    *s = (search){.lane = lane, .n = n, .scalars = scalars};
    s->groups = cs_jackknife_groups(count_live(lane, n));
    if (!s->groups || !scalars)
        return false;
    s->bytes = 4096 + scalars * sizeof(cs_row_steps);
    s->without = cs_alloc(scalars * s->groups, sizeof *s->without);
    s->some = cs_alloc(n, sizeof *s->some);
    s->memory = cs_alloc(s->bytes, 1);
    return s->without && s->some && s->memory;
}

static void end(search *s)
{
    CS_FREE_ALL(s->without, s->some, s->memory);
}

static void look_without(search *s, cs_run *r, size_t probe, size_t group,
                         cs_lanes_report *report)
{
    cs_flat f;
    cs_flat_entry e;
    size_t n = leave_out(s->lane, s->n, s->groups, group, s->some);
    cs_flat_begin(&f, s->memory, s->bytes);
    report(r, probe, s->some, n, "", &f);
    bool there =
        cs_flat_find(f.base, f.used, &e, "all") && e.rows == s->scalars;
    const cs_row_steps *row = there ? CS_ENTRY_ROWS(e, cs_row_steps) : NULL;
    for (size_t k = 0; k < s->scalars; k++)
        s->without[k * s->groups + group] =
            row ? log(row[k].ess / (double)n) : (double)NAN;
}

static size_t rows_of(const cs_flat *out, const char *prefix, const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(out->base, out->used, &e, "%s%s", prefix, key);
    return there && e.data ? e.rows : 0;
}

void cs_size_errors_put(cs_run *r, size_t probe, const cs_lane_memory *lane,
                        size_t n, cs_lanes_report *report, size_t worst,
                        double error, const char *prefix, cs_flat *out)
{
    assert(report);
    search s;
    size_t known = rows_of(out, prefix, "all");
    size_t all = rows_of(out, prefix, "table");
    if (begin(&s, lane, n, known)) {
        for (size_t g = 0; g < s.groups && known >= all; g++)
            look_without(&s, r, probe, g, report);
        double *to = cs_flat_array(out, 1, all, "%ssize_errors", prefix);
        for (size_t k = 0; to && k < all; k++)
            to[k] = known >= all
                        ? cs_jackknife_error(s.without + k * s.groups, s.groups)
                    : k == worst ? error
                                 : (double)NAN;
        cs_flat_number(out, (double)s.groups - 1, "%ssize_freedom", prefix);
    }
    end(&s);
}
