/* swendsen_wang and wolff: clusters of sites move together, for targets that
 * are Ising or Potts models,
 *
 *     log p(x) = sum over bonds i~j of K_ij [x_i = x_j] + sum of f_i(x_i).
 *
 * A bond is satisfied if K > 0 and x_i = x_j, or K < 0 and x_i != x_j. A
 * satisfied bond joins its two sites with probability 1 - exp(-|K|). A cluster
 * moves by one shift of all its values, v -> v + s mod q, which leaves every
 * bond within the cluster unchanged.
 *
 * Swendsen and Wang, "Nonuniversal critical dynamics in Monte Carlo
 * simulations" (1987), in the form of Edwards and Sokal (1988, Eq. 3): given
 * the bonds that join, each cluster takes any of the q shifts with weights
 * exp(sum of its f); without a field, with equal probabilities. Wolff,
 * "Collective Monte Carlo updating for spin systems" (1989): one cluster grows
 * from a site drawn uniformly; without a field it takes any shift s != 0 with
 * equal probabilities.
 *
 * Two differences from the papers, both of which keep detailed balance:
 * clusters take shifts instead of new colours, which also works for bonds with
 * K < 0; and with a field, wolff draws s (possibly 0) with weights exp(sum of f
 * of the cluster), a sum that is the same in both directions.
 *
 * Clusters grow chain by chain, and each site whose bonds are read counts as a
 * site difference. In wolff, log p changes by the bonds that leave the cluster
 * and by its field. The clusters of all chains then move together, site by
 * site, so the cost of a step is proportional to their sizes. For a cluster of
 * more than an eighth of all sites it is cheaper to move all its sites together
 * and then to evaluate log p. log p is also evaluated every 1024 steps, so that
 * rounding errors do not add up. */
#include "kernel/accept.h"

#include <math.h>
#include <string.h>

/* Number of uniforms that wolff draws at first. More are drawn if the cluster
 * needs more. */
enum { FEW = 256 };

/* Work space for one chain, used by the chains of a block in turn. */
typedef struct chain {
    cs_move *m;
    cs_streams streams;
    size_t lane, values, dim;
    uint32_t *x;      /* [dim] indices of the values at the sites, for
                       * swendsen_wang */
    uint32_t *parent; /* [dim] a site of the same cluster with a smaller index,
                       * or the site itself (root) */
    uint32_t *queue;  /* [dim] wolff: sites of the cluster, in the order in
                         which they joined it */
    uint64_t *come;   /* bit i: site i is in the queue; cleared after each
                         chain */
    double *uniform;  /* [capacity] uniforms of the step */
    size_t capacity, drawn;
    double *weight; /* [dim][values] sums of f by root and shift */
    const double *field;
    double strength, chance; /* strength: strength of the last bond; chance:
                              * probability that this bond joins its sites */
} chain;

/* Returns the number of doubles that hold n 32-bit numbers, rounded up to full
 * vectors. */
static size_t half(size_t n)
{
    return cs_pad_lanes((n + 1) / 2);
}

/* Returns the number of uniforms per step: one per bond and one per site, and
 * two more for wolff. */
static size_t uniforms(const cs_target *t)
{
    return cs_pad_lanes(t->n_bonds + 2 + t->space.dim);
}

static size_t room_words(const cs_target *t)
{
    size_t dim = t->space.dim, values = (size_t)t->space.values;
    return 3 * half(dim) + uniforms(t) + cs_pad_lanes(dim * values);
}

/* Returns the scratch size in doubles per lane. All lanes share one work
 * space. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->type->sites.bonds ? cs_rows_for(room_words(t)) : 0;
}

static chain chain_of(cs_move *m, double *scratch)
{
    const cs_target *t = m->eval->target;
    chain c = {.m = m,
               .dim = m->dim,
               .values = (size_t)m->space->values,
               .uniform = scratch,
               .capacity = uniforms(t),
               .field = t->field};
    c.weight = c.uniform + c.capacity;
    double *whole = c.weight + cs_pad_lanes(c.dim * c.values);
    c.x = (uint32_t *)(void *)whole;
    c.come = (uint64_t *)(void *)whole;
    c.parent = (uint32_t *)(void *)(whole + half(c.dim));
    c.queue = (uint32_t *)(void *)(whole + 2 * half(c.dim));
    return c;
}

static void enter(chain *c, size_t lane)
{
    c->lane = lane;
    c->streams = cs_streams_alone(&c->m->streams, lane);
    c->drawn = 0;
}

/* Returns the index that the value at site i has among the values of the
 * space. */
static uint32_t value_at(const chain *c, size_t i)
{
    const cs_move *m = c->m;
    return (uint32_t)(m->x[i * m->lanes + c->lane] - m->space->low);
}

/* Draws the first n uniforms of this chain's step, unless they have been drawn
 * already. */
static void draw(chain *c, size_t n)
{
    if (n <= c->drawn)
        return;
    c->drawn = n;
    cs_fill_uniform(&c->streams, CS_FOR_AUXILIARY, n, c->uniform);
}

/* Returns the probability that a satisfied bond joins its sites. */
static double chance_of(chain *c, double strength)
{
    if (strength != c->strength)
        c->chance = -expm1(-fabs(c->strength = strength));
    return c->chance;
}

static bool is_satisfied(uint32_t one, uint32_t other, double strength)
{
    return (strength > 0) == (one == other);
}

static size_t shifted(const chain *c, size_t value, size_t by)
{
    value += by;
    return value < c->values ? value : value - c->values;
}

/* For each shift s, adds to weight[s] the field of site i at the shifted value.
 * x is the index of the current value. */
static void weigh(chain *c, size_t i, uint32_t x, double *weight)
{
    const double *field = c->field + i * c->values;
    for (size_t s = 0; s < c->values; s++)
        weight[s] += field[shifted(c, x, s)];
}

/* Draws a shift with probabilities proportional to exp(weight). Overwrites the
 * weights. */
static size_t shift_by(const chain *c, double *weight, double uniform)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t s = 0; s < c->values; s++)
        most = fmax(most, weight[s]);
    for (size_t s = 0; s < c->values; s++)
        sum += weight[s] = exp(weight[s] - most);
    double left = uniform * sum;
    size_t s = 0;
    while (s + 1 < c->values && left >= weight[s])
        left -= weight[s++];
    return s;
}

static size_t any_of(size_t n, double uniform)
{
    size_t k = (size_t)(uniform * (double)n);
    return k < n ? k : n - 1;
}

static void put(const chain *c, size_t i, size_t value)
{
    c->m->x[i * c->m->lanes + c->lane] = c->m->space->low + (double)value;
}

/* Copies the last chain to the padding lanes. */
static void pad(cs_move *m)
{
    size_t n = m->lanes, last = m->live - 1;
    for (size_t l = m->live; l < n; l++) {
        m->info.moved[l] = m->info.moved[last];
        for (size_t i = 0; i < m->dim; i++)
            m->x[i * n + l] = m->x[i * n + last];
    }
}

/* ---- swendsen_wang: all clusters ----------------------------------------- */

static uint32_t root_of(const chain *c, uint32_t i)
{
    while (c->parent[i] != i)
        i = c->parent[i] = c->parent[c->parent[i]];
    return i;
}

static void join(const chain *c, uint32_t i, uint32_t j)
{
    uint32_t a = root_of(c, i), b = root_of(c, j);
    if (a < b)
        c->parent[b] = a;
    else
        c->parent[a] = b;
}

/* Joins the sites of satisfied bonds at random: bond number k uses uniform
 * number k. */
static void hold(chain *c)
{
    size_t k = 0;
    for (uint32_t i = 0; i < c->dim; i++) {
        cs_site_bonds at = cs_eval_bonds(c->m->eval, i);
        for (size_t e = 0; e < at.n; e++) {
            if (at.other[e] < i)
                continue;
            double strength = at.scale * at.strength[e];
            if (is_satisfied(c->x[i], c->x[at.other[e]], strength) &&
                c->uniform[k] < chance_of(c, strength))
                join(c, i, at.other[e]);
            k++;
        }
    }
}

/* Draws a shift for each cluster, with the uniform of the cluster's root, and
 * applies it. Returns true if any site changed. */
static bool shift_all(chain *c)
{
    const double *uniform = c->uniform + c->m->eval->target->n_bonds;
    uint32_t *shift = c->queue;
    bool moved = false;
    for (uint32_t i = 0; c->field && i < c->dim; i++)
        weigh(c, i, c->x[i], c->weight + root_of(c, i) * c->values);
    for (uint32_t i = 0; i < c->dim; i++) {
        uint32_t root = root_of(c, i); /* root <= i */
        if (root == i && c->field)
            shift[i] =
                (uint32_t)shift_by(c, c->weight + i * c->values, uniform[i]);
        else if (root == i)
            shift[i] = (uint32_t)any_of(c->values, uniform[i]);
        moved |= shift[root] != 0;
        put(c, i, shifted(c, c->x[i], shift[root]));
    }
    return moved;
}

static void step_all(cs_move *m)
{
    chain c = chain_of(m, m->scratch);
    for (size_t l = 0; l < m->live; l++) {
        enter(&c, l);
        for (size_t i = 0; i < c.dim; i++) {
            c.x[i] = value_at(&c, i);
            c.parent[i] = (uint32_t)i;
        }
        draw(&c, m->eval->target->n_bonds + c.dim);
        if (c.field)
            memset(c.weight, 0, c.dim * c.values * sizeof *c.weight);
        hold(&c);
        m->info.moved[l] = shift_all(&c);
    }
    pad(m);
    cs_finish_moved(m);
}

/* ---- wolff: one cluster -------------------------------------------------- */

static bool has_come(const chain *c, uint32_t site)
{
    return c->come[site / 64] >> site % 64 & 1;
}

/* Appends the neighbours that bonds join to site i to the queue of n sites.
 * Returns the new length. Each bond is tried at most once, with uniform number
 * *k. The numbers start at 2, because uniforms 0 and 1 choose the site and the
 * shift. The loop has no branches, because they would be mispredicted. */
static size_t grow(chain *c, uint32_t i, size_t n, size_t *k)
{
    uint32_t x = value_at(c, i);
    cs_site_bonds at = cs_eval_bonds(c->m->eval, i);
    if (*k + at.n > c->drawn)
        draw(c, 4 * (*k + at.n) < c->capacity ? 4 * (*k + at.n) : c->capacity);
    for (size_t e = 0; e < at.n; e++) {
        uint32_t j = at.other[e];
        double strength = at.scale * at.strength[e];
        bool asked =
            !has_come(c, j) & is_satisfied(x, value_at(c, j), strength);
        bool held = asked & (c->uniform[*k] < chance_of(c, strength));
        c->come[j / 64] |= (uint64_t)held << j % 64;
        c->queue[n] = j; /* if j does not join, this writes to a spare element
                          * of the queue */
        n += held;
        *k += asked;
    }
    return n;
}

static size_t shift_one(chain *c, size_t n)
{
    double uniform = c->uniform[1];
    if (!c->field)
        return 1 + any_of(c->values - 1, uniform);
    memset(c->weight, 0, c->values * sizeof *c->weight);
    for (size_t k = 0; k < n; k++)
        weigh(c, c->queue[k], value_at(c, c->queue[k]), c->weight);
    return shift_by(c, c->weight, uniform);
}

/* The clusters of all chains, found before any of them moves. */
typedef struct clusters {
    uint32_t *queue;  /* [lanes][2 half(dim + 1)] sites of each cluster */
    uint32_t *n, *by; /* [lanes] n: number of sites to move one by one; by:
                         shift of the cluster */
    uint32_t *site;   /* [lanes] site that changes next */
    double *value;    /* [lanes] new value of that site */
    double *change;   /* [lanes] change of log p */
    bool *large;      /* [lanes] all sites of the cluster were moved together:
                         log p must be evaluated */
    size_t most;      /* largest n of all lanes */
} clusters;

/* ROWS: number of [lanes] rows in scratch. A cluster is large if it has more
 * than LARGE sites and contains more than 1 / LARGE of all sites. */
enum { ROWS = 6, LARGE = 8 };

static size_t one_words(const cs_target *t, const double *values)
{
    return ROWS + half(t->space.dim + 1) + scratch_words(t, values);
}

/* Places the arrays in the scratch. Returns the address after the last
 * array. */
static double *lay(clusters *all, const cs_move *m)
{
    size_t n = m->lanes;
    double *at = m->scratch;
    *all = (clusters){.n = (uint32_t *)(void *)at,
                      .by = (uint32_t *)(void *)(at + n),
                      .site = (uint32_t *)(void *)(at + 2 * n),
                      .large = (bool *)(at + 3 * n),
                      .value = at + 4 * n,
                      .change = at + 5 * n,
                      .queue = (uint32_t *)(void *)(at + ROWS * n)};
    return at + n * (ROWS + half(m->dim + 1));
}

/* Returns the change of log p by a shift of the cluster, before any site is
 * moved. */
static double change_by(chain *c, size_t n, size_t by)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = c->queue[k], x = value_at(c, i);
        size_t y = shifted(c, x, by);
        cs_site_bonds at = cs_eval_bonds(c->m->eval, i);
        if (c->field)
            sum += c->field[i * c->values + y] - c->field[i * c->values + x];
        for (size_t e = 0; e < at.n; e++) {
            uint32_t j = at.other[e], z = value_at(c, j);
            if (!has_come(c, j))
                sum += at.scale * at.strength[e] * ((z == y) - (z == x));
        }
    }
    return sum;
}

/* Returns the chain whose data are in a lane. A padding lane has the data of
 * the last chain. */
static size_t shown(const cs_move *m, size_t lane)
{
    return lane < m->live ? lane : m->live - 1;
}

/* Moves all sites of a chain's cluster together. If this is the last chain, the
 * padding lanes move too. */
static void put_all(chain *c, size_t n, size_t by)
{
    cs_move *m = c->m;
    size_t end = c->lane + 1 == m->live ? m->lanes : c->lane + 1;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = c->queue[k];
        double *row = m->x + i * m->lanes;
        double to = m->space->low + (double)shifted(c, value_at(c, i), by);
        for (size_t l = c->lane; l < end; l++)
            row[l] = to;
    }
}

/* Grows the cluster of one chain and draws its shift. Moves the cluster if it
 * is large. */
static void find(chain *c, clusters *all, size_t l)
{
    size_t k = 2;
    enter(c, l);
    draw(c, FEW < c->capacity ? FEW : c->capacity);
    c->queue = all->queue + 2 * half(c->dim + 1) * l;
    size_t n = 1, site = any_of(c->dim, c->uniform[0]);
    c->queue[0] = (uint32_t)site;
    c->come[site / 64] = UINT64_C(1) << site % 64;
    for (size_t next = 0; next < n; next++)
        n = grow(c, c->queue[next], n, &k);
    size_t by = shift_one(c, n);
    bool large = n > LARGE && n > c->dim / LARGE;
    all->by[l] = (uint32_t)by;
    all->large[l] = by && large;
    all->n[l] = by && !large ? (uint32_t)n : 0;
    all->most = all->n[l] > all->most ? all->n[l] : all->most;
    all->change[l] = change_by(c, all->n[l], by);
    if (all->large[l])
        put_all(c, n, by);
    for (size_t i = 0; i < n; i++)
        c->come[c->queue[i] / 64] = 0;
}

/* Moves site number k of each cluster that has more than k sites. In other
 * lanes writes the current value of a site. */
static void move_sites(chain *c, clusters *all, size_t k)
{
    cs_move *m = c->m;
    for (size_t l = 0; l < m->lanes; l++) {
        size_t of = c->lane = shown(m, l);
        bool moves = k < all->n[of];
        uint32_t site = all->queue[2 * half(c->dim + 1) * of + (moves ? k : 0)];
        size_t by = moves ? all->by[of] : 0;
        all->site[l] = site;
        all->value[l] =
            m->space->low + (double)shifted(c, value_at(c, site), by);
    }
    cs_eval_set_site(m->eval, m->x, all->site, all->value);
}

/* Fills info. Evaluates log p in lanes where a large cluster has moved. */
static void note(cs_move *m, clusters *all)
{
    cs_info *i = &m->info;
    i->proposal = NULL;
    for (size_t l = 0; l < m->lanes; l++) {
        i->moved[l] = all->by[shown(m, l)] != 0;
        all->change[l] = all->change[shown(m, l)];
        all->large[l] = all->large[shown(m, l)];
    }
    if (memchr(all->large, true, m->lanes))
        cs_eval_renew(m->eval, all->large, m->x, all->value);
    for (size_t l = 0; l < m->lanes; l++)
        if (all->large[l])
            all->change[l] = all->value[l] - i->logp[l];
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi stays = cs_finish_resampled(m, l, cs_load_bool(i->moved + l),
                                          cs_load(all->change + l), (cs_vi){0});
        /* Marks a lane as failed if it should stay, because its sites have
         * already been moved. */
        cs_store_bool(m->failed + l, cs_load_bool(m->failed + l) | stays);
    }
    cs_finish_resampled_anew(m);
}

static void step_one(cs_move *m)
{
    clusters all;
    chain c = chain_of(m, lay(&all, m));
    memset(c.come, 0, (c.dim + 63) / 64 * sizeof *c.come);
    for (size_t l = 0; l < m->live; l++)
        find(&c, &all, l);
    for (size_t k = 0; k < all.most; k++)
        move_sites(&c, &all, k);
    note(m, &all);
}

/* ---- tables of the kernels ----------------------------------------------- */

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    if (t->type->sites.bonds)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "clusters: target %s has no bonds to form clusters, because it is "
            "not an Ising or Potts model",
            t->name);
    cs_hint(err, "use gibbs");
    return CS_UNSUPPORTED;
}

const cs_kernel_type CS_VARIANT(cs_kernel_swendsen_wang) = {
    .name = "swendsen_wang",
    .title = "Swendsen-Wang",
    .ref = "Swendsen and Wang, Nonuniversal critical dynamics in Monte Carlo "
           "simulations, 1987",
    .help = "Draws which bonds of an Ising or Potts model join their two "
            "sites, then draws a new value for each cluster of joined sites.",
    .spaces = CS_BINARY | CS_CATEGORICAL,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_PARTS,
    .scratch_words = scratch_words,
    .check = check,
    .step = step_all,
};

const cs_kernel_type CS_VARIANT(cs_kernel_wolff) = {
    .name = "wolff",
    .title = "Wolff",
    .ref = "Wolff, Collective Monte Carlo updating for spin systems, 1989",
    .help = "Grows one cluster of an Ising or Potts model from a random site "
            "and gives it another value.",
    .spaces = CS_BINARY | CS_CATEGORICAL,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_PARTS,
    .scratch_words = one_words,
    .check = check,
    .step = step_one,
};
