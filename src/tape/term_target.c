/* Rows are processed in chunks that fit the nearest cache; for each chunk, all
 * chains of the block run in turn. Row r is added to partial sum r % 8 of its
 * chain, and the partial sums are added in a fixed order at the end. The bits
 * therefore depend neither on the other chains nor on the number of threads. */
#include "tape/term_target.h"

#include "base/hash.h"
#include "base/memory.h"
#include "data/parts.h"
#include "expr/graph_parts.h"
#include "simd/simd.h"
#include "tape/term_bounds.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct term_target {
    cs_terms terms;
    size_t totals, constants; /* maxima over passes */
    cs_region region;         /* support of the prior, or a region that contains
                               * it */
    bool guarded;             /* true if log p is -infinity outside this region
                               * by definition */
    float *range, *change;    /* [own] range: [rows][2]; change: [rows]; given
                               * bounds, or NULL */
} term_target;

/* The scratch of a block, divided into arrays. */
typedef struct workspace {
    double *x;        /* [dim + totals + 1][lanes] the state, followed by
                       * totals */
    double *slots;    /* slots of programs over lanes */
    double *constant; /* [lanes][constants] the constants of each chain */
    double *total;    /* [lanes][totals][CS_PAD] partial sums over rows */
    double *rows;     /* [slots][chunk] slots of programs over rows */
    double *gathered; /* [width][chunk] columns of the rows of a batch */
    double *weight;   /* [chunk] weights of the rows of a batch */
} workspace;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Counts the slots of programs over lanes and over rows. */
static void count_slots(const cs_terms *t, size_t *over_lanes,
                        size_t *over_rows)
{
    const cs_program *const lanes[] = {t->before, t->whole, t->back, t->prior,
                                       t->prior_gradient};
    *over_lanes = *over_rows = 0;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        *over_lanes = larger(*over_lanes, lanes[i]->slots);
    for (int k = 0; k < CS_PASSES; k++)
        *over_rows = larger(*over_rows, t->pass[k]->slots);
}

/* Divides scratch memory into arrays; returns the number of doubles needed. */
static size_t lay_out(const term_target *m, size_t lanes, double *at,
                      workspace *d)
{
    size_t over_lanes, over_rows, used = 0;
    count_slots(&m->terms, &over_lanes, &over_rows);
    const cs_columns *c = &m->terms.columns;
    double **const to[] = {&d->x,    &d->slots,    &d->constant, &d->total,
                           &d->rows, &d->gathered, &d->weight};
    size_t size[] = {(m->terms.dim + m->totals + 1) * lanes,
                     over_lanes * lanes,
                     m->constants * lanes,
                     m->totals * CS_PAD * lanes,
                     over_rows * c->chunk,
                     c->width * c->chunk,
                     c->chunk};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        *to[i] = at ? at + used : NULL;
        used += (size[i] + CS_PAD - 1) / CS_PAD * CS_PAD;
    }
    return used;
}

static workspace workspace_of(const term_target *m, const cs_point *at)
{
    workspace d;
    lay_out(m, at->lanes, at->scratch, &d);
    return d;
}

static bool is_asked(const cs_point *at, size_t l)
{
    return !at->failed || !at->failed[l];
}

/* Returns the constants of pass p for one chain, which begin with the numbers
 * computed from the chain's state. */
static void lane_numbers(const cs_program *before, const cs_program *p,
                         const double *slots, size_t lanes, size_t lane,
                         double *to)
{
    memcpy(to, p->constants, p->n_constants * sizeof *to);
    for (size_t i = 0; i < before->n_roots; i++)
        for (size_t e = 0; e < before->root_size[i]; e++)
            *to++ = slots[(before->root[i] + e) * lanes + lane];
}

static void make_numbers(const term_target *m, const cs_program *p,
                         const cs_point *at, const workspace *d)
{
    cs_program_run(m->terms.before, at->x, at->lanes, d->slots);
    for (size_t l = 0; l < at->live; l++)
        lane_numbers(m->terms.before, p, d->slots, at->lanes, l,
                     d->constant + l * m->constants);
}

static cs_rows rows_of(const term_target *m, const workspace *d, size_t lane)
{
    return (cs_rows){.constants = d->constant + lane * m->constants,
                     .scratch = d->rows,
                     .total = d->total + lane * m->totals * CS_PAD};
}

/* Runs one pass over all rows, for all roots or for all except the first. Adds
 * the sums over rows to the totals. */
static void pass_over(const term_target *m, const cs_program *p, bool rest,
                      const cs_point *at, const workspace *d)
{
    const cs_columns *c = &m->terms.columns;
    for (size_t k = 0; k < cs_columns_chunks(c); k++) {
        cs_chunk chunk = cs_columns_chunk(c, k);
        cs_columns_prefetch_chunk(c, k + 1);
        for (size_t l = 0; l < at->live; l++) {
            cs_rows rows = rows_of(m, d, l);
            rows.column = chunk.column;
            rows.lanes = chunk.lanes;
            rows.live = chunk.live;
            rows.roots = rest ? CS_ROOTS_REST : CS_ROOTS_ALL;
            if (is_asked(at, l))
                cs_program_run_rows(p, &rows);
        }
    }
}

static double pairwise_sum(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Writes the state, followed by the totals of pass p, to d->x, for all
 * lanes. */
static void add_up(const term_target *m, const cs_program *p,
                   const cs_point *at, const workspace *d)
{
    size_t lanes = at->lanes, dim = m->terms.dim;
    memcpy(d->x, at->x, dim * lanes * sizeof *d->x);
    for (size_t j = 0; j < p->totals; j++)
        for (size_t l = 0; l < lanes; l++) {
            double *to = d->x + (dim + j) * lanes;
            const double *of = d->total + (l * m->totals + j) * CS_PAD;
            to[l] = l < at->live ? pairwise_sum(of) : to[0];
        }
}

static void clear_totals(const term_target *m, const cs_point *at,
                         const workspace *d)
{
    memset(d->total, 0, at->live * m->totals * CS_PAD * sizeof(double));
}

/* Runs a program over lanes. The roots of the program are logp and g; a root
 * whose output is NULL is not written. */
static void finish(const cs_program *p, const double *x, size_t dim,
                   size_t lanes, double *slots, double *logp, double *g)
{
    if (logp)
        cs_program_run(p, x, lanes, slots);
    else
        cs_program_run_rest(p, x, lanes, slots);
    if (logp)
        memcpy(logp, slots + p->root[0] * lanes, lanes * sizeof *logp);
    if (g)
        memcpy(g, slots + p->root[1] * lanes, dim * lanes * sizeof *g);
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    const term_target *m = t->self;
    workspace d = workspace_of(m, at);
    finish(g ? m->terms.prior_gradient : m->terms.prior, at->x, m->terms.dim,
           at->lanes, d.slots, logp, g);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const term_target *m = t->self;
    const cs_program *p = m->terms.pass[CS_PASS_VALUE];
    workspace d = workspace_of(m, at);
    make_numbers(m, p, at, &d);
    clear_totals(m, at, &d);
    pass_over(m, p, false, at, &d);
    prior(t, at, logp, NULL);
    add_up(m, p, at, &d);
    const double *sum = d.x + (m->terms.dim + p->root[0]) * at->lanes;
    for (size_t l = 0; l < at->lanes; l++)
        if (!m->guarded || logp[l] != -HUGE_VAL)
            logp[l] += sum[l];
}

/* Computes the gradient and, unless logp is NULL, the log density. */
static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const term_target *m = t->self;
    const cs_program *p = m->terms.pass[CS_PASS_GRADIENT];
    workspace d = workspace_of(m, at);
    make_numbers(m, p, at, &d);
    clear_totals(m, at, &d);
    pass_over(m, p, !logp, at, &d);
    add_up(m, p, at, &d);
    finish(m->terms.whole, d.x, m->terms.dim, at->lanes, d.slots, logp, g);
}

static void gradient_alone(const cs_target *t, const cs_point *at, double *g)
{
    gradient(t, at, NULL, g);
}

/* Computes the weights of a chunk's rows from their terms, eight at a time. */
static void weigh_rows(const cs_batch *b, size_t lane, size_t first,
                       const cs_rows *rows, const double *term, double *weight)
{
    for (size_t r = 0; r < rows->live; r += CS_PAD) {
        size_t left = rows->live - r;
        b->weigh(b->of, lane, first + r, left < CS_PAD ? left : CS_PAD,
                 term + r, weight + r);
    }
}

/* Runs pass p over the gathered rows of a batch. The weights of rows depend on
 * the terms of the rows, so the weights are set between the two parts of the
 * program. If the program has only one part, it runs twice: first with weights
 * 0, then with the weights. */
static void run_weighed(const cs_program *p, const cs_batch *b, size_t lane,
                        size_t first, cs_rows *rows, const double *term,
                        double *weight)
{
    bool parts = p->n_before > 0;
    rows->weight = weight;
    rows->roots = parts ? CS_ROOTS_BEFORE : CS_ROOTS_ALL;
    if (!parts)
        memset(weight, 0, rows->lanes * sizeof *weight);
    cs_program_run_rows(p, rows);
    weigh_rows(b, lane, first, rows, term, weight);
    rows->roots = parts ? CS_ROOTS_AFTER : CS_ROOTS_ALL;
    cs_program_run_rows(p, rows);
}

/* Runs pass p over the rows of a batch; writes the value of each term to
 * logp. */
static void pass_batch(const term_target *m, const cs_program *p,
                       const cs_point *at, const cs_batch *b,
                       const workspace *d, double *logp)
{
    const cs_columns *c = &m->terms.columns;
    for (size_t l = 0; l < at->live; l++) {
        cs_rows rows = rows_of(m, d, l);
        rows.column = d->gathered;
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += rows.live) {
            size_t left = b->first[l + 1] - i;
            rows.live = left < c->chunk ? left : c->chunk;
            rows.lanes = cs_pad_lanes(rows.live);
            cs_columns_gather(c, b->row + i, rows.live, rows.lanes,
                              d->gathered);
            const double *term =
                rows.scratch + (p->root[0] - p->dim) * rows.lanes;
            if (b->weight) {
                memcpy(d->weight, b->weight + i, rows.live * sizeof *d->weight);
                rows.weight = d->weight;
            }
            if (b->weigh)
                run_weighed(p, b, l, i, &rows, term, d->weight);
            else
                cs_program_run_rows(p, &rows);
            memcpy(logp + i, term, rows.live * sizeof *logp);
        }
    }
}

static void terms(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp)
{
    const term_target *m = t->self;
    const cs_program *p = m->terms.pass[CS_PASS_TERMS];
    workspace d = workspace_of(m, at);
    cs_batch plain = {.row = b->row, .first = b->first};
    make_numbers(m, p, at, &d);
    pass_batch(m, p, at, &plain, &d, logp);
}

static void slope(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g)
{
    const term_target *m = t->self;
    const cs_program *p = m->terms.pass[CS_PASS_TERMS_GRADIENT];
    workspace d = workspace_of(m, at);
    make_numbers(m, p, at, &d);
    clear_totals(m, at, &d);
    pass_batch(m, p, at, b, &d, logp);
    add_up(m, p, at, &d);
    finish(m->terms.back, d.x, m->terms.dim, at->lanes, d.slots, NULL, g);
}

static void fetch(const cs_target *t, const uint32_t *row, size_t n)
{
    cs_columns_prefetch_rows(&((const term_target *)t->self)->terms.columns,
                             row, n);
}

/* ---- bounds -------------------------------------------------------------- */

static cs_status no_bound(const cs_target *t, const cs_term_bounds *b,
                          cs_term_doubt doubt, size_t row, bool change,
                          cs_error *err)
{
    const term_target *m = t->self;
    char line[32] = "";
    if (cs_term_bounds_line(b))
        snprintf(line, sizeof line, " (line %d)", cs_term_bounds_line(b));
    cs_fail(err, CS_UNSUPPORTED, "target %s: row %zu: the term %s%s", t->name,
            row + 1,
            doubt == CS_TERM_JUMPS ? "may be discontinuous"
            : change               ? "may change without limit or be undefined"
                                   : "may be infinite or undefined",
            line);
    cs_hint(err, "%s%s",
            cs_region_has_end(&m->region)
                ? "make the region smaller"
                : "give the support of the prior, region = { ball = R }",
            change ? ", or give lipschitz = function(row) return c end"
                   : ", or give bound = function(row) return low, high end");
    return CS_UNSUPPORTED;
}

/* Computes bounds of the terms of the first n rows: `low` and `high` or, if
 * `low` is NULL, bounds on the changes of the terms. */
static cs_status try_bounds(const cs_target *t, size_t n, double *low,
                            double *high, cs_error *err)
{
    const term_target *m = t->self;
    const cs_columns *c = &m->terms.columns;
    cs_term_bounds *b;
    cs_status s = cs_term_bounds_create(&m->terms, &m->region, &b, err);
    if (s)
        return s;
    for (size_t r = 0; !s && r < n; r++) {
        const double *row = c->row + r * c->stride;
        cs_term_doubt doubt =
            low ? cs_term_bounds_range(b, row, &low[r], &high[r])
                : cs_term_bounds_change(b, row, &high[r]);
        if (doubt)
            s = no_bound(t, b, doubt, r, !low, err);
    }
    cs_term_bounds_destroy(b);
    return s;
}

/* Finds the bounds. GSL may fail at the ends of intervals; such a failure must
 * not end the program. */
static cs_status find_bounds(const cs_target *t, size_t n, double *low,
                             double *high, cs_error *err)
{
    gsl_error_handler_t *kept = gsl_set_error_handler_off();
    cs_status s = try_bounds(t, n, low, high, err);
    gsl_set_error_handler(kept);
    return s;
}

static cs_status term_range(const cs_target *t, double *low, double *high,
                            cs_error *err)
{
    const term_target *m = t->self;
    if (!m->range)
        return find_bounds(t, t->n_rows, low, high, err);
    for (size_t r = 0; r < t->n_rows; r++) {
        low[r] = (double)m->range[2 * r];
        high[r] = (double)m->range[2 * r + 1];
    }
    return CS_OK;
}

static cs_status term_change(const cs_target *t, double *c, cs_error *err)
{
    const term_target *m = t->self;
    if (!m->change)
        return find_bounds(t, t->n_rows, NULL, c, err);
    for (size_t r = 0; r < t->n_rows; r++)
        c[r] = (double)m->change[r];
    return CS_OK;
}

/* Computes the Euclidean distance between x and y. */
static void change_measure(const cs_target *t, const double *x, const double *y,
                           size_t lanes, double *m)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = {0};
        for (size_t i = 0; i < t->space.dim; i++) {
            cs_vd way = cs_load(x + i * lanes + l) - cs_load(y + i * lanes + l);
            sum += way * way;
        }
        for (size_t k = 0; k < CS_VECTOR; k++)
            m[l + k] = sqrt(sum[k]);
    }
}

static void start(const cs_target *t, const double *uniform, double *x)
{
    const term_target *m = t->self;
    if (m->guarded)
        cs_region_start(&m->region, uniform, x);
    else
        cs_space_start(&t->space, uniform, x);
}

/* ---- instances ----------------------------------------------------------- */

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->exact.log_z = NAN;
    t->self = cs_alloc(1, sizeof(term_target));
    return t->self ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for a target");
}

static void destroy(cs_target *t)
{
    term_target *m = t->self;
    cs_terms_free(&m->terms);
    cs_region_free(&m->region);
    CS_FREE_ALL(m->range, m->change, m);
}

static const cs_target_type term_type = {
    .name = "term",
    .title = "A log density written in Lua as a term of each row of a table",
    .ref = "",
    .help = "The function of the term is called once, with symbols for the "
            "state and for a row. The recorded operations are then evaluated, "
            "and differentiated exactly, for any set of rows.",
    .flags = CS_TARGET_HIDDEN,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .gradient_alone = gradient_alone,
    .prior = prior,
    .rows.terms = terms,
    .rows.slope = slope,
    .rows.range = term_range,
    .rows.change = term_change,
    .rows.change_measure = change_measure,
    .rows.fetch = fetch,
    .start = start,
};

enum { LISTED = 64 };

/* Hashes each column. The rows are visited in memory order. */
static void digest_columns(const cs_term_model *m, uint64_t *h)
{
    for (size_t c = 0; c < m->width; c++)
        h[c] = CS_DIGEST;
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->width; c++) {
            const cs_strided *at = &m->column[c];
            h[c] = cs_digest(h[c], &at->v[r * at->stride], sizeof *at->v);
        }
}

static void put_column(const cs_term_model *m, size_t c, uint64_t h, cs_page *p)
{
    char name[48];
    double x[LISTED];
    snprintf(name, sizeof name, "data.column.%zu", c + 1);
    for (size_t r = 0; r < m->rows && r < LISTED; r++)
        x[r] = m->column[c].v[r * m->column[c].stride];
    if (m->rows <= LISTED)
        cs_parts_numbers(p, name, x, m->rows, 1);
    else
        cs_parts_digest(p, name, "numbers", h);
}

static void put_given(const double *v, size_t n, const char *name, cs_page *p)
{
    if (v)
        cs_parts_digest(p, name, "numbers",
                        cs_digest(CS_DIGEST, v, n * sizeof *v));
}

static void put_bounds(const cs_term_model *m, cs_page *p)
{
    const cs_region *r = m->region;
    if (r && isfinite(r->radius))
        cs_parts_number(p, "region.ball", r->radius);
    else if (r) {
        cs_parts_numbers(p, "region.low", r->low, r->dim, 1);
        cs_parts_numbers(p, "region.high", r->high, r->dim, 1);
    }
    put_given(m->range, 2 * m->rows, "bound", p);
    put_given(m->change, m->rows, "lipschitz", p);
}

static void put_parts(const cs_term_model *m, cs_page *p)
{
    uint64_t *h = cs_alloc(m->width, sizeof *h);
    p->full |= !h;
    if (m->prior)
        cs_graph_parts(m->prior, m->prior_logp, "prior", p);
    cs_graph_parts(m->term, m->term_logp, "term", p);
    put_bounds(m, p);
    cs_parts_number(p, "data.rows", (double)m->rows);
    if (h)
        digest_columns(m, h);
    for (size_t c = 0; h && c < m->width; c++)
        put_column(m, c, h[c], p);
    cs_free(h);
}

/* Rounds a given value to single precision, down or up. */
static float rounded(double v, bool up)
{
    float f = (float)v;
    bool good = up ? (double)f >= v : (double)f <= v;
    return good ? f : nextafterf(f, up ? INFINITY : -INFINITY);
}

static bool keep_given(term_target *m, const cs_term_model *model)
{
    size_t n = model->rows;
    m->range = model->range ? cs_alloc(2 * n, sizeof *m->range) : NULL;
    m->change = model->change ? cs_alloc(n, sizeof *m->change) : NULL;
    if ((model->range && !m->range) || (model->change && !m->change))
        return false;
    for (size_t i = 0; m->range && i < 2 * n; i++)
        m->range[i] = rounded(model->range[i], i % 2);
    for (size_t i = 0; m->change && i < n; i++)
        m->change[i] = rounded(model->change[i], true);
    return true;
}

/* Stores the region of the states: the intersection of the support derived from
 * the graph of the prior, the given region, and the range of a discrete
 * space. */
static bool keep_region(cs_target *t, const cs_term_model *model)
{
    term_target *m = t->self;
    const cs_space *space = &t->space;
    if (!cs_region_create(space->dim, &m->region))
        return false;
    m->guarded = model->region != NULL;
    if (model->prior)
        cs_region_support(&m->region, model->prior, model->prior_logp);
    for (size_t i = 0; i < space->dim; i++) {
        double low = m->guarded ? model->region->low[i] : -HUGE_VAL;
        double high = m->guarded ? model->region->high[i] : HUGE_VAL;
        if (cs_space_is_discrete(space)) {
            low = fmax(low, space->low);
            high = fmin(high, space->low + space->values - 1);
        }
        m->region.low[i] = fmax(m->region.low[i], low);
        m->region.high[i] = fmin(m->region.high[i], high);
    }
    if (m->guarded)
        m->region.radius = fmin(m->region.radius, model->region->radius);
    return true;
}

/* Returns the kinds of bounds that are available: given bounds, bounds that
 * follow from a region, or else bounds that can be found for the first row. */
static unsigned bounds_of(const cs_target *t)
{
    enum { SMALL = 1 << 14 };
    const term_target *m = t->self;
    double low, high;
    bool try = m->terms.plain->n_nodes <= SMALL;
    unsigned found = 0;
    if (m->range || m->guarded ||
        (try && !find_bounds(t, 1, &low, &high, NULL)))
        found |= CS_ROW_RANGE;
    if (m->change || m->guarded ||
        (try && !find_bounds(t, 1, NULL, &high, NULL)))
        found |= CS_ROW_CHANGE;
    return found;
}

static cs_status make(cs_target *t, const cs_term_model *model, cs_error *err)
{
    term_target *m = t->self;
    put_parts(model, &t->parts);
    cs_status s = cs_terms_create(model, &m->terms, err);
    if (s)
        return s;
    for (int k = 0; k < CS_PASSES; k++) {
        const cs_program *p = m->terms.pass[k];
        m->totals = larger(m->totals, p->totals);
        m->constants = larger(m->constants, p->n_constants);
    }
    workspace d;
    t->n_rows = t->data_terms = model->rows;
    t->scratch_words = cs_rows_for(lay_out(m, CS_LEAST_LANES, NULL, &d));
    if (!keep_given(m, model) || !keep_region(t, model))
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the bounds of a term");
    t->row_bounds = bounds_of(t);
    return CS_OK;
}

cs_status cs_term_target_create(const cs_term_model *model,
                                const cs_space *space, cs_target **out,
                                cs_error *err)
{
    cs_target *t;
    if (cs_target_create(&term_type, NULL, 0, &t, err))
        return CS_MEMORY;
    t->space = *space;
    cs_status s = make(t, model, err);
    if (s)
        cs_target_release(t);
    else
        *out = t;
    return s;
}

const cs_terms *cs_term_target_terms(const cs_target *t)
{
    return t->type == &term_type ? &((const term_target *)t->self)->terms
                                 : NULL;
}

const cs_region *cs_term_target_region(const cs_target *t)
{
    const term_target *m = t->self;
    return t->type == &term_type && m->guarded ? &m->region : NULL;
}
