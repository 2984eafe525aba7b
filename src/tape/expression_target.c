/* A target consists of two programs: one computes the log density, the other
 * the log density and its gradient. The scratch memory of a block holds their
 * slots. Nothing is stored per state. */
#include "tape/expression_target.h"
#include "tape/ode_solver.h"

#include "base/clock.h"
#include "base/memory.h"
#include "expr/graph_parts.h"
#include "simd/simd.h"
#include "tape/program.h"
#include "tape/reroll.h"
#include "tape/sites/site_programs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SITE_LANES = 64,
    COLOUR_LANES = 128, /* lanes in which sites of a colour run */
    /* Limit on the number of nodes of derivatives. The graphs of derivatives
     * are several times larger than the recorded graph. The recorder has its
     * own limit, against endless loops. */
    MOST_NODES = 1 << 29
};

typedef struct traced {
    cs_graph *graph;
    cs_node logp, gradient_of_logp;
    double seconds;            /* seconds that compiling took */
    cs_program *value, *slope; /* value: program with root logp; slope: program
                                * with roots logp and gradient */
    cs_program *site_slope;    /* for a mixed space: log p and its gradient by
                               * discrete coordinates (`slope` has the gradient
                               * by real coordinates); otherwise NULL */
    cs_site_programs *locals;  /* NULL: changes of log p by one site are
                                  computed from complete evaluations */
    cs_program *hessian;       /* NULL until requested: H(x) v for the input x,
                                * v */
    cs_tape_origin origin;     /* all members are NULL if there is no origin */
    unsigned one_by_one;       /* bit n is set if blocks with n chains run state
                                * by state */
} traced;

/* Writes a root of n numbers, for one state, to the rows out[n][lanes]. */
static void put_state(const cs_point *at, const double *root, size_t n,
                      size_t l, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i * at->lanes + l] = root[i];
}

/* Fills lanes without a chain with copies of the first lane. */
static void fill_lanes(const cs_point *at, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t l = at->live; l < at->lanes; l++)
            out[i * at->lanes + l] = out[i * at->lanes];
}

/* Runs a program state by state. Writes logp and g, one of which may be
 * NULL. */
static void run_one_by_one(const cs_program *p, const cs_point *at,
                           double *logp, double *g)
{
    for (size_t l = 0; l < at->live; l++) {
        cs_program_run_one(p, !logp, at->x + l, at->lanes, at->scratch);
        if (logp)
            put_state(at, at->scratch + p->root[0], 1, l, logp);
        if (g)
            put_state(at, at->scratch + p->root[1], p->dim, l, g);
    }
    if (logp)
        fill_lanes(at, 1, logp);
    if (g)
        fill_lanes(at, p->dim, g);
}

static bool suits_one(const traced *self, const cs_point *at)
{
    return at->live <= CS_PAD && self->one_by_one >> at->live & 1;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const traced *self = t->self;
    const cs_program *p = self->value;
    if (suits_one(self, at)) {
        run_one_by_one(p, at, logp, NULL);
        return;
    }
    cs_program_run(p, at->x, at->lanes, at->scratch);
    memcpy(logp, at->scratch + p->root[0] * at->lanes,
           at->lanes * sizeof *logp);
}

/* Returns the program for the gradient that at->of_sites selects. */
static const cs_program *slope_of(const traced *self, const cs_point *at)
{
    return at->of_sites && self->site_slope ? self->site_slope : self->slope;
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const traced *self = t->self;
    const cs_program *p = slope_of(self, at);
    if (suits_one(self, at)) {
        run_one_by_one(p, at, logp, g);
        return;
    }
    cs_program_run(p, at->x, at->lanes, at->scratch);
    memcpy(logp, at->scratch + p->root[0] * at->lanes,
           at->lanes * sizeof *logp);
    memcpy(g, at->scratch + p->root[1] * at->lanes,
           t->space.dim * at->lanes * sizeof *g);
}

static void gradient_alone(const cs_target *t, const cs_point *at, double *g)
{
    const traced *self = t->self;
    const cs_program *p = slope_of(self, at);
    if (suits_one(self, at)) {
        run_one_by_one(p, at, NULL, g);
        return;
    }
    cs_program_run_rest(p, at->x, at->lanes, at->scratch);
    memcpy(g, at->scratch + p->root[1] * at->lanes,
           t->space.dim * at->lanes * sizeof *g);
}

/* Returns the number of lanes in which the sites of several chains run. */
static size_t batch_lanes(const cs_space *space)
{
    size_t values = cs_pad_lanes((size_t)cs_space_most_values(space));
    return values > SITE_LANES ? values : SITE_LANES;
}

/* Returns the largest number of lanes in which site programs run; at least the
 * number of values of one site. */
static size_t site_lanes(const cs_space *space)
{
    size_t values = cs_pad_lanes((size_t)cs_space_most_values(space));
    return values > COLOUR_LANES ? values : COLOUR_LANES;
}

/* Sites of chains that share one program and have the same values. Each value
 * occupies a lane. */
typedef struct site_batch {
    const cs_target *t;
    const cs_point *at;
    bool flips; /* as in cs_site_hooks.several */
    int low;
    size_t values;
    uint32_t site[SITE_LANES]; /* [n] */
    size_t chain[SITE_LANES];  /* [n] lanes of the block */
    double *to[SITE_LANES];    /* [n] first row of each result */
    size_t n;
} site_batch;

static void fill_site_batch(const site_batch *k, size_t lanes, double *x)
{
    const traced *self = k->t->self;
    const cs_point *at = k->at;
    size_t values = k->values;
    for (size_t c = 0; c < k->n; c++) {
        const cs_site_program *local = &self->locals->at[k->site[c]];
        double *lane = x + c * values;
        for (size_t v = 0; v < values; v++)
            lane[v] = k->low + (double)v;
        for (size_t i = 1; i < local->n_input; i++) {
            double now = at->x[local->input[i] * at->lanes + k->chain[c]];
            for (size_t v = 0; v < values; v++)
                lane[i * lanes + v] = now;
        }
        lane += local->n_input * lanes;
        for (size_t i = 0; i < local->n_constant; i++)
            for (size_t v = 0; v < values; v++)
                lane[i * lanes + v] = local->constant[i];
    }
}

static void run_site_batch(site_batch *k)
{
    const traced *self = k->t->self;
    const cs_point *at = k->at;
    const cs_site_program *first = &self->locals->at[k->site[0]];
    size_t values = k->values, rows = first->n_input + first->n_constant;
    size_t used = k->n * values, lanes = cs_pad_lanes(used);
    double *x = at->scratch, *slots = x + rows * lanes;
    fill_site_batch(k, lanes, x);
    for (size_t i = 0; i < rows; i++)
        for (size_t l = used; l < lanes; l++)
            x[i * lanes + l] = x[i * lanes];
    cs_program_run(first->program, x, lanes, slots);
    const double *logp = slots + first->program->root[0] * lanes;
    for (size_t c = 0; c < k->n; c++, logp += values) {
        double now = at->x[k->site[c] * at->lanes + k->chain[c]];
        size_t old = (size_t)(now - k->low);
        if (k->flips)
            *k->to[c] = logp[1 - old] - logp[old];
        for (size_t v = 0; !k->flips && v < values; v++)
            k->to[c][v * at->lanes] = logp[v] - logp[old];
    }
    k->n = 0;
}

/* Adds a site, after running the batch if it is full or the site does not
 * fit in. */
static inline void add_site(site_batch *k, const cs_part *part, uint32_t site,
                            size_t chain, double *to)
{
    const cs_site_program *locals = ((traced *)k->t->self)->locals->at;
    size_t lanes = (k->n + 1) * k->values;
    if (k->n && (locals[site].program != locals[k->site[0]].program ||
                 part->low != k->low || (size_t)part->values != k->values ||
                 k->n == SITE_LANES || lanes > batch_lanes(&k->t->space)))
        run_site_batch(k);
    k->low = part->low;
    k->values = (size_t)part->values;
    k->site[k->n] = site;
    k->chain[k->n] = chain;
    k->to[k->n++] = to;
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    bool mixed = t->space.kind == CS_MIXED;
    cs_part part = cs_space_part(&t->space, 0);
    site_batch k = {.t = t, .at = at};
    for (size_t l = 0; l < at->lanes; l++) {
        if (mixed)
            part = cs_space_part(&t->space, where[l]);
        add_site(&k, &part, where[l], l, d + l);
    }
    run_site_batch(&k);
}

static void several(const cs_target *t, const cs_point *at,
                    const uint32_t *where, size_t first, size_t n, bool flips,
                    double *d)
{
    const cs_part part = cs_space_part(&t->space, where ? where[0] : first);
    size_t rows = flips ? 1 : (size_t)part.values;
    site_batch k = {.t = t, .at = at, .flips = flips};
    for (size_t i = 0; i < n; i++) {
        uint32_t s = where ? where[i] : (uint32_t)(first + i);
        for (size_t l = 0; l < at->live; l++)
            add_site(&k, &part, s, l, d + i * rows * at->lanes + l);
    }
    run_site_batch(&k);
    fill_lanes(at, n * rows, d);
}

/* ---- sites of a colour --------------------------------------------------- */

static const uint32_t *colour(const cs_target *t, size_t number, size_t *n)
{
    const traced *self = t->self;
    const cs_site_colours *k = &self->locals->colours;
    if (number >= k->n)
        return NULL;
    size_t first = number ? k->end[number - 1] : 0;
    *n = k->end[number] - first;
    return k->site + first;
}

/* Sites of one family, for one chain. Lane v * n + i of the program is value v
 * of site i. `ready`: the rows of values and of shared inputs are those of the
 * batch before. */
typedef struct colour_batch {
    const cs_target *t;
    const cs_point *at;
    size_t chain;
    cs_part part;
    const uint32_t *site; /* [n] */
    size_t n, lanes;
    bool ready;
} colour_batch;

/* Copies the first n numbers of a row to the places of the other values. */
static void repeat(const colour_batch *k, double *row)
{
    for (size_t v = 1; v < (size_t)k->part.values; v++)
        memcpy(row + v * k->n, row, k->n * sizeof *row);
}

static void fill_shared(const colour_batch *k, double *x)
{
    const traced *self = k->t->self;
    const cs_site_program *first = &self->locals->at[k->site[0]];
    for (size_t v = 0; v < (size_t)k->part.values; v++)
        for (size_t i = 0; i < k->n; i++)
            x[v * k->n + i] = k->part.low + (double)v;
    for (size_t j = 1; j < first->n_input; j++) {
        double now = k->at->x[first->input[j] * k->at->lanes + k->chain];
        for (size_t l = 0; first->shared[j] && l < k->lanes; l++)
            x[j * k->lanes + l] = now;
    }
}

static void fill_colour_batch(const colour_batch *k, double *x)
{
    const traced *self = k->t->self;
    const cs_site_program *locals = self->locals->at,
                          *first = &locals[k->site[0]];
    size_t inputs = first->n_input, rows = inputs + first->n_constant;
    if (!k->ready)
        fill_shared(k, x);
    for (size_t j = 1; j < inputs; j++) {
        double *row = x + j * k->lanes;
        if (first->shared[j])
            continue;
        for (size_t i = 0; i < k->n; i++)
            row[i] =
                k->at->x[locals[k->site[i]].input[j] * k->at->lanes + k->chain];
        repeat(k, row);
    }
    for (size_t j = inputs; j < rows; j++) {
        double *row = x + j * k->lanes;
        for (size_t i = 0; i < k->n; i++)
            row[i] = locals[k->site[i]].constant[j - inputs];
        repeat(k, row);
    }
    size_t used = k->n * (size_t)k->part.values;
    for (size_t j = 0; j < rows; j++)
        for (size_t l = used; l < k->lanes; l++)
            x[j * k->lanes + l] = x[j * k->lanes];
}

static void run_colour_batch(const colour_batch *k, size_t stride, double *d)
{
    const traced *self = k->t->self;
    const cs_site_program *first = &self->locals->at[k->site[0]];
    size_t rows = first->n_input + first->n_constant;
    double *x = k->at->scratch, *slots = x + rows * k->lanes;
    fill_colour_batch(k, x);
    cs_program_run(first->program, x, k->lanes, slots);
    const double *logp = slots + first->program->root[0] * k->lanes;
    for (size_t i = 0; i < k->n; i++) {
        double now = k->at->x[k->site[i] * k->at->lanes + k->chain];
        double old = logp[(size_t)(now - k->part.low) * k->n + i];
        for (size_t v = 0; v < (size_t)k->part.values; v++)
            d[v * stride + i] = logp[v * k->n + i] - old;
    }
}

/* Returns the number of sites from site[0] on that belong to its family, at most
 * `most`. */
static size_t count_family(const traced *self, const uint32_t *site,
                           size_t most)
{
    const cs_site_program *locals = self->locals->at;
    const bool *family = locals[site[0]].shared;
    size_t n = 1;
    while (n < most && locals[site[n]].shared == family)
        n++;
    return n;
}

static void sites(const cs_target *t, const cs_point *at, size_t lane,
                  const uint32_t *site, size_t n, size_t stride, double *d)
{
    const traced *self = t->self;
    colour_batch k = {.t = t,
                      .at = at,
                      .chain = lane,
                      .part = cs_space_part(&t->space, site[0])};
    size_t values = (size_t)k.part.values;
    size_t most = values < COLOUR_LANES ? COLOUR_LANES / values : 1;
    const bool *family = NULL;
    for (size_t i = 0; i < n; i += k.n) {
        size_t some = n - i < most ? n - i : most;
        some = count_family(self, site + i, some);
        k.ready = some == k.n && self->locals->at[site[i]].shared == family;
        family = self->locals->at[site[i]].shared;
        k.site = site + i;
        k.n = some;
        k.lanes = cs_pad_lanes(some * values);
        run_colour_batch(&k, stride, d + i);
    }
    for (size_t v = 0; v < values; v++)
        for (size_t i = n; i % CS_PAD; i++)
            d[v * stride + i] = 0;
}

static void hessian_times(const cs_target *t, const cs_point *at,
                          const double *v, double *h)
{
    const traced *self = t->self;
    const cs_program *p = self->hessian;
    size_t n = t->space.dim * at->lanes;
    double *both = at->scratch, *slots = both + 2 * n;
    memcpy(both, at->x, n * sizeof *both);
    memcpy(both + n, v, n * sizeof *both);
    cs_program_run(p, both, at->lanes, slots);
    memcpy(h, slots + p->root[0] * at->lanes, n * sizeof *h);
}

static cs_status prepare_hessian(cs_target *t, cs_error *err)
{
    traced *self = t->self;
    cs_graph *g;
    size_t dim = t->space.dim;
    if (self->hessian)
        return CS_OK;
    cs_status status =
        cs_graph_create(2 * dim, self->graph->max_nodes, &g, err);
    if (status)
        return status;
    cs_node v = cs_graph_slice(g, cs_graph_input(g), dim, dim);
    cs_node h = cs_graph_hessian_times(g, self->graph, self->logp, 0, v);
    status = g->status ? cs_fail(err, g->status,
                                 "the second derivatives of this expression "
                                 "cannot be computed")
                       : cs_program_compile(g, &h, 1, &self->hessian, err);
    cs_graph_destroy(g);
    if (status == CS_OK)
        t->hessian_words = 2 * dim + self->hessian->slots;
    return status;
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->exact.log_z = NAN;
    t->self = cs_alloc(1, sizeof(traced));
    return t->self ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for a target");
}

/* Reports the failures of systems of differential equations. */
static bool why(const cs_target *t, char *text, size_t size)
{
    const cs_odes *odes = &((const traced *)t->self)->graph->odes;
    for (size_t i = 0; i < odes->n; i++)
        if (cs_tape_ode_failure(odes->ode[i], text, size))
            return true;
    return false;
}

static void destroy(cs_target *t)
{
    traced *self = t->self;
    cs_graph_destroy(self->graph);
    cs_program_destroy(self->value);
    cs_program_destroy(self->slope);
    cs_program_destroy(self->site_slope);
    cs_site_programs_destroy(self->locals);
    cs_program_destroy(self->hessian);
    if (self->origin.release)
        self->origin.release(self->origin.self);
    cs_free(self);
}

#define TRACED                                                                 \
    .name = "traced", .title = "A log density written in Lua, traced",         \
    .ref = "",                                                                 \
    .help = "The script's function is called once, with symbols instead of "   \
            "numbers. The recorded operations are then evaluated, and "        \
            "differentiated exactly, for a block of chains.",                  \
    .flags = CS_TARGET_HIDDEN | CS_TARGET_ALONE, .create = create,             \
    .destroy = destroy, .log_density = log_density, .gradient = gradient,      \
    .gradient_alone = gradient_alone, .outside.why = why
#define HESSIAN                                                                \
    .prepare_hessian = prepare_hessian, .hessian_times = hessian_times

#define SITES                                                                  \
    .sites.site = site, .sites.several = several, .sites.colour = colour,      \
    .sites.sites = sites
#define NAMED .coordinate = cs_target_name_coordinate

/* The types of targets: on a space of one kind, with names of coordinates, and
 * on a mixed space; each also with differences of sites, if each site affects
 * only a few terms. */
static const cs_target_type types[3][2] = {
    {{TRACED, HESSIAN}, {TRACED, HESSIAN, SITES}},
    {{TRACED, HESSIAN, NAMED}, {TRACED, HESSIAN, NAMED, SITES}},
    {{TRACED, NAMED}, {TRACED, NAMED, SITES}}};

static bool is_traced(const cs_target *t)
{
    return t->type->destroy == destroy;
}

/* A graph, as recorded or rerolled, and its programs. The cheaper of the two
 * candidates is used. */
typedef struct candidate {
    cs_graph *graph;
    cs_node logp, gradient_of_logp;
    cs_program *value, *slope;
} candidate;

/* Returns true if some coordinates are real and others have ranges. */
static bool is_mixed(const cs_graph *g)
{
    size_t whole = 0;
    for (size_t i = 0; i < g->n_ranges; i++)
        whole += g->ranges[i].n;
    return whole && whole < g->dim;
}

static cs_status compile_candidate(candidate *f, cs_error *err)
{
    cs_node roots[2] = {f->logp, 0};
    roots[1] = is_mixed(f->graph)
                   ? cs_graph_gradient_of(f->graph, f->logp, CS_READS_REAL)
                   : cs_graph_gradient(f->graph, f->logp);
    f->gradient_of_logp = roots[1];
    if (f->graph->status)
        return cs_fail(err, f->graph->status,
                       "the gradient of this expression cannot be computed");
    if (cs_program_compile(f->graph, roots, 1, &f->value, err))
        return err->status;
    return cs_program_compile(f->graph, roots, 2, &f->slope, err);
}

static void destroy_candidate(candidate *f)
{
    cs_graph_destroy(f->graph);
    cs_program_destroy(f->value);
    cs_program_destroy(f->slope);
}

/* Returns true if the program with vectors should run faster. Vectors run
 * faster than sequences of scalars, but sums of scalars are kept in registers,
 * while a vector may have to be stored. */
static bool is_cheaper(const candidate *rolled, const candidate *plain)
{
    return 3 * cs_program_work(rolled->slope) <
           4 * cs_program_work(plain->slope);
}

/* Compiles the gradient by discrete coordinates in a mixed space. */
static cs_status compile_site_slope(traced *self, cs_error *err)
{
    cs_node roots[2] = {self->logp, 0};
    if (!is_mixed(self->graph))
        return CS_OK;
    roots[1] = cs_graph_gradient_of(self->graph, self->logp, CS_READS_WHOLE);
    return self->graph->status
               ? cs_fail(err, self->graph->status,
                         "the slopes of this expression cannot be computed")
               : cs_program_compile(self->graph, roots, 2, &self->site_slope,
                                    err);
}

static cs_status compile(traced *self, cs_error *err)
{
    /* Number of nodes; larger graphs are always rerolled. */
    enum { SMALL = 2000 };
    candidate plain = {.graph = self->graph, .logp = self->logp}, rolled = {0};
    bool small = plain.graph->n_nodes < SMALL;
    self->graph = NULL;
    cs_status s = cs_graph_reroll(plain.graph, plain.logp, &rolled.graph,
                                  &rolled.logp, err);
    if (!s && rolled.graph) {
        rolled.graph->recorded = plain.graph->recorded;
        rolled.graph->seconds = plain.graph->seconds;
        s = compile_candidate(&rolled, err);
    }
    if (!s && (!rolled.graph || small))
        s = compile_candidate(&plain, err);
    bool roll = !s && rolled.graph && (!small || is_cheaper(&rolled, &plain));
    candidate *best = roll ? &rolled : &plain;
    destroy_candidate(roll ? &plain : &rolled);
    self->graph = best->graph;
    self->logp = best->logp;
    self->gradient_of_logp = best->gradient_of_logp;
    self->value = best->value;
    self->slope = best->slope;
    if (!s)
        s = compile_site_slope(self, err);
    for (unsigned n = 1; !s && n <= CS_PAD; n++)
        if (cs_program_suits_one(self->slope, n, cs_whole_vectors(n)))
            self->one_by_one |= 1u << n;
    return s;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns a size of the scratch memory that suffices for either program and for
 * the values of one site. (These values have their own lanes, at least one
 * vector.) */
static size_t scratch_words(const traced *self, const cs_space *space)
{
    size_t words = larger(self->value->slots, self->slope->slots);
    if (self->site_slope)
        words = larger(words, self->site_slope->slots);
    if (!self->locals)
        return words;
    size_t local = self->locals->max_inputs + self->locals->max_slots;
    return larger(words, cs_rows_for(local * site_lanes(space)));
}

bool cs_tape_set_ranges(cs_graph *g, const cs_space *space)
{
    size_t n = space->kind == CS_MIXED ? space->n_parts : 1, used = 0;
    cs_graph_range *range = cs_alloc(n, sizeof *range);
    for (size_t i = 0, at = 0; range && i < n; i++) {
        cs_part part = cs_space_part(space, at);
        at += part.dim;
        if (part.kind == CS_CONTINUOUS)
            continue;
        cs_graph_range *r = &range[used++];
        *r = (cs_graph_range){part.first, part.dim, part.low, part.values, ""};
        if (part.name)
            snprintf(r->name, sizeof r->name, "%s", part.name);
    }
    bool set = range && cs_graph_set_ranges(g, range, used);
    cs_free(range);
    return set;
}

cs_status cs_tape_target_create(cs_graph *g, cs_node logp,
                                const cs_space *space, cs_target **out,
                                cs_error *err)
{
    assert(g->dim == space->dim);
    cs_target *t;
    cs_error why = {0};
    if (cs_target_create(&types[0][0], NULL, 0, &t, &why)) {
        cs_graph_destroy(g);
        if (err)
            *err = why;
        return why.status;
    }
    traced *self = t->self;
    self->graph = g;
    self->logp = logp;
    g->max_nodes = MOST_NODES;
    cs_graph_parts(g, logp, "log_density", &t->parts);
    double start = cs_clock();
    if (cs_target_take_space(t, space, &why) || compile(self, &why) ||
        (!cs_space_is_real(&t->space) &&
         cs_site_programs_create(self->graph, self->logp, &self->locals,
                                 &why))) {
        cs_target_release(t);
        if (err)
            *err = why;
        return why.status;
    }
    size_t kind = t->space.kind == CS_MIXED ? 2 : t->named != NULL;
    t->type = &types[kind][self->locals != NULL];
    self->seconds = cs_clock() - start;
    t->scratch_words = scratch_words(self, &t->space);
    *out = t;
    return CS_OK;
}

const cs_graph *cs_tape_target_graph(const cs_target *t, cs_node *logp)
{
    if (!is_traced(t))
        return NULL;
    const traced *self = t->self;
    *logp = self->logp;
    return self->graph;
}

void cs_tape_target_set_origin(cs_target *t, cs_tape_origin origin)
{
    assert(origin.again && origin.release);
    ((traced *)t->self)->origin = origin;
}

bool cs_tape_target_inside(const cs_target *t, cs_tape_inside *out)
{
    if (!is_traced(t))
        return false;
    const traced *self = t->self;
    *out = (cs_tape_inside){
        .graph = self->graph,
        .part = {{"log density", self->value, {self->logp, 0}, 1},
                 {"log density and gradient",
                  self->slope,
                  {self->logp, self->gradient_of_logp},
                  2}},
        .locals = self->locals,
        .seconds = self->seconds,
        .origin = self->origin.again ? &self->origin : NULL};
    return true;
}
