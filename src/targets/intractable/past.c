#include "targets/intractable/past.h"

#include "simd/simd.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The lanes that are simulated together. */
typedef struct run {
    const cs_past_model *m;
    const cs_point *at;
    const cs_simulation *s;
    cs_past_block block;
    double *theta, *u; /* theta[parameters][lanes]; u[CS_PAST_NUMBERS]: random
                          numbers */
    uint64_t chain[CS_PAST_LANES];
    size_t place[CS_PAST_LANES]; /* index among the lanes of the data, for each
                                    simulated lane */
    size_t n;                    /* number of lanes, without padding */
} run;

/* Rounds a number of rows up to an even number. */
static size_t whole_rows(size_t n)
{
    return n + n % 2;
}

size_t cs_past_words(const cs_past_model *m)
{
    return m->type->words(m->of) + m->parameters + cs_rows_for(CS_PAST_NUMBERS);
}

static run run_of(const cs_past_model *m, const cs_point *at,
                  const cs_simulation *s)
{
    run r = {.m = m, .at = at, .s = s};
    size_t most = at->lanes < CS_PAST_LANES ? at->lanes : CS_PAST_LANES;
    r.u = at->scratch;
    r.theta = r.u + CS_PAST_NUMBERS;
    r.block.model = m->of;
    r.block.theta = r.theta;
    r.block.memory = r.theta + m->parameters * most;
    return r;
}

/* Collects the lanes that need data, starting at lane `first`. Collects at most
 * CS_PAST_LANES lanes. */
static void collect(run *r, size_t first)
{
    r->n = 0;
    for (size_t l = first; l < r->at->live && l < first + CS_PAST_LANES; l++)
        if (!r->at->failed || !r->at->failed[l])
            r->place[r->n++] = l;
}

/* Copies theta of the collected lanes to consecutive lanes. Each padding lane
 * gets the theta of the last collected lane. */
static void gather(run *r)
{
    size_t lanes = cs_whole_vectors(r->n);
    r->block.lanes = lanes;
    r->block.live = r->n;
    for (size_t l = 0; l < lanes; l++) {
        size_t from = r->place[l < r->n ? l : r->n - 1];
        r->chain[l] = r->s->streams->chain[from];
        for (size_t p = 0; p < r->m->parameters; p++)
            r->theta[p * lanes + l] = r->at->x[p * r->at->lanes + from];
    }
    r->m->type->begin(&r->block);
}

/* Runs one part of a sweep, or of `finish`. The part has n rows, and starts at
 * row `row`. The random numbers of these rows are in r->u. */
typedef void take(const run *r, bool back, size_t row, size_t n);

static void each_part(const run *r, size_t first, size_t rows, bool back,
                      take *f)
{
    cs_streams s = *r->s->streams;
    size_t most = CS_PAST_NUMBERS / r->block.lanes;
    s.chain = r->chain;
    s.lanes = r->block.lanes;
    s.live = r->n;
    s.ahead = NULL;
    for (size_t row = 0; row < rows; row += most) {
        size_t n = rows - row < most ? rows - row : most;
        s.skip = r->s->streams->skip + r->s->first + first + row;
        cs_fill_uniform(&s, CS_FOR_AUXILIARY, n, r->u);
        f(r, back, row, n);
    }
}

static void update(const run *r, bool back, size_t row, size_t n)
{
    r->m->type->update(&r->block, back, row, n, r->u);
}

static void finish(const run *r, bool back, size_t row, size_t n)
{
    (void)back;
    r->m->type->finish(&r->block, row, n, r->u);
}

/* Returns the number of rows of random numbers for time 0. These rows precede
 * the rows for earlier times. */
static size_t last_rows(const cs_past_model *m)
{
    return m->type->finish ? m->type->last_rows(m->of) : 0;
}

/* Runs the sweep from time -t to time 1 - t. */
static void pass(const run *r, size_t t)
{
    size_t rows = r->m->type->rows(r->m->of);
    each_part(r, whole_rows(last_rows(r->m)) + (t - 1) * whole_rows(rows), rows,
              false, update);
}

/* Runs the chains from time -past to time 0. */
static void come(const run *r, size_t past)
{
    r->m->type->forget(&r->block);
    for (size_t t = past; t > 0; t--)
        pass(r, t);
}

/* Writes the data of the lanes that have coalesced, and removes these lanes. */
static void settle(run *r, size_t past, double spent)
{
    uint64_t open = r->m->type->open(&r->block);
    size_t n = r->n, lanes = r->at->lanes;
    if (open != UINT64_MAX >> (CS_PAST_LANES - n))
        each_part(r, 0, last_rows(r->m), false, finish);
    r->n = 0;
    for (size_t l = 0; l < n; l++) {
        size_t to = r->place[l];
        r->s->updates[to] = spent;
        r->s->past[to] = (double)past;
        r->s->left[to] = 0;
        if (!(open >> l & 1))
            r->m->type->write(&r->block, l, r->s->data + to, lanes);
        else
            r->place[r->n++] = to;
        if (open >> l & 1)
            r->s->left[to] = (double)r->m->type->left(&r->block, l);
    }
}

/* Sets the data of the remaining lanes to NAN. These lanes have not coalesced,
 * so that their states are not draws. */
static void give_up(const run *r)
{
    for (size_t l = 0; l < r->n; l++)
        for (size_t i = 0; i < r->m->n_data; i++)
            r->s->data[i * r->at->lanes + r->place[l]] = NAN;
}

static void draw_some(run *r)
{
    double rows = (double)r->m->type->rows(r->m->of), spent = 0;
    for (size_t l = 0; l < r->n; l++) {
        size_t to = r->place[l];
        r->s->updates[to] = r->s->past[to] = 0;
        r->s->left[to] = (double)r->m->n_data;
    }
    for (size_t past = 1; r->n; past *= 2) {
        double more = rows * (double)past;
        if (spent + more > r->m->limit)
            break;
        spent += more;
        gather(r);
        come(r, past);
        settle(r, past, spent);
    }
    give_up(r);
}

/* Copies the data of the last live lane to the padding lanes. */
static void pad(const cs_past_model *m, const cs_point *at, double *data)
{
    for (size_t i = 0; at->live < at->lanes && i < m->n_data; i++)
        for (size_t l = at->live; l < at->lanes; l++)
            data[i * at->lanes + l] = data[i * at->lanes + at->live - 1];
}

void cs_past_draw(const cs_past_model *m, const cs_point *at,
                  const cs_simulation *s)
{
    assert(m->type && at->scratch && s->data && s->left);
    run r = run_of(m, at, s);
    for (size_t first = 0; first < at->live; first += CS_PAST_LANES) {
        collect(&r, first);
        draw_some(&r);
    }
    pad(m, at, s->data);
}

void cs_past_draw_either(const cs_past_model *below, const cs_past_model *above,
                         double from, const cs_point *at,
                         const cs_simulation *s)
{
    const cs_past_model *kind[] = {below, above};
    bool *skip = (bool *)(void *)at->scratch;
    cs_point some = *at;
    some.scratch = at->scratch + at->lanes;
    some.failed = skip;
    for (int k = 0; k < 2; k++) {
        for (size_t l = 0; l < at->live; l++)
            skip[l] =
                (at->x[l] >= from) != (k == 1) || (at->failed && at->failed[l]);
        cs_past_draw(kind[k], &some, s);
    }
}

/* Records point number i of the history in *c. */
static void look(const run *r, const cs_coupling *c, size_t i)
{
    const cs_past_type *type = r->m->type;
    c->left[i] = (double)type->left(&r->block, 0);
    if (i == c->when && type->mark)
        type->mark(&r->block, 0, c->open);
}

void cs_past_watch(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s, const cs_coupling *c)
{
    assert(at->live == 1 && c->points && c->when <= c->points);
    run r = run_of(m, at, s);
    size_t i = 0;
    for (size_t k = 0; k < m->n_data; k++)
        c->open[k] = NAN;
    collect(&r, 0);
    gather(&r);
    m->type->forget(&r.block);
    for (size_t k = 0; k <= c->past; k++) {
        for (; i <= c->points && i * c->past / c->points == k; i++)
            look(&r, c, i);
        if (k < c->past)
            pass(&r, c->past - k);
    }
}

static void sweep_some(run *r)
{
    const cs_past_type *type = r->m->type;
    size_t rows = type->rows(r->m->of), lanes = r->at->lanes;
    gather(r);
    for (size_t l = 0; l < r->block.lanes; l++)
        type->read(&r->block, l, r->s->data + r->place[l < r->n ? l : r->n - 1],
                   lanes);
    for (size_t k = 0; k < 2 * r->s->sweeps; k++)
        each_part(r, k * whole_rows(rows), rows, k % 2 != 0, update);
    for (size_t l = 0; l < r->n; l++) {
        size_t to = r->place[l];
        type->write(&r->block, l, r->s->data + to, lanes);
        r->s->updates[to] = (double)(2 * r->s->sweeps * rows);
        r->s->past[to] = r->s->left[to] = 0;
    }
}

void cs_past_sweep(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s)
{
    assert(m->type && at->scratch && s->data && s->sweeps);
    run r = run_of(m, at, s);
    for (size_t first = 0; first < at->live; first += CS_PAST_LANES) {
        collect(&r, first);
        if (r.n)
            sweep_some(&r);
    }
    pad(m, at, s->data);
}
