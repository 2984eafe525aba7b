/* gibbs: each step redraws one site, or several together, from their exact
 * distribution given the rest.
 *
 *   p(x_B = v | the rest) = exp(log p(x with x_B = v)) / sum over all values
 *
 * Geman and Geman, "Stochastic relaxation, Gibbs distributions, and the
 * Bayesian restoration of images" (1984); for blocks: Jensen, Kong and
 * Kjaerulff, "Blocking Gibbs sampling in very large probabilistic expert
 * systems" (1995). Random scan draws a set of sites uniformly. Systematic scan
 * takes the next sites in order, from site (step - 1) * sites mod dim on; this
 * leaves the target invariant but is not reversible. A sweep redraws every site
 * once in each step: in the order of the sites, or colour by colour if the target
 * has colours (sweep.h). All values^sites states of the set are evaluated, by
 * site differences. log p is updated by differences
 * and evaluated every 1024 steps, so that rounding errors do not add up. */
#include "kernel/step_trace.h"
#include "kernels/discrete/sweep.h"

enum { SCAN, SITES };
enum { RANDOM, SYSTEMATIC, SWEEP };

/* Number of sweeps after which log p is evaluated, so that rounding errors do
 * not add up. */
enum { EVALUATE = 16 };

/* Returns the scratch size in doubles per lane: the arrays of ball.h, then
 * uniforms; log p before a sweep and the flags `moved` and `odd`; the arrays of a
 * sweep by colours. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_ball_words(t) + CS_BALL_SITES + 1 + 3 + cs_sweep_words(t);
}

static void choose_sites(cs_ball *b, double *uniform)
{
    cs_move *m = b->m;
    if (cs_move_param(m, SCAN)[0] == SYSTEMATIC) {
        cs_ball_next_sites(b,
                           (size_t)((m->streams.step - 1) * b->sites % m->dim));
        return;
    }
    cs_fill_uniform(&m->streams, CS_FOR_SITE, b->sites, uniform);
    cs_ball_any_sites(b, uniform);
}

/* Draws the new value of a single site in the eight lanes from l on. */
static void resample_one(cs_ball *b, size_t l, cs_vd uniform)
{
    cs_move *m = b->m;
    cs_vd change, old = cs_load(b->old + l);
    cs_vi odd;
    cs_vd drawn = m->space->low + cs_draw_row(b->d + l, b->values, m->lanes,
                                              uniform, &change, &odd);
    cs_vi stays = cs_finish_resampled(m, l, drawn != old, change, odd);
    cs_store(b->value + l, cs_vselect(stays, old, drawn));
}

static void step_one(cs_ball *b, const double *uniform)
{
    cs_move *m = b->m;
    cs_eval_site(m->eval, m->x, m->info.logp, b->site, b->d);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        resample_one(b, l, cs_load(uniform + l));
    cs_eval_set_site(m->eval, m->x, b->site, b->value);
}

/* Notes the site, so that its conditional distribution can be shown. */
static void note_site(const cs_ball *b)
{
    cs_step_trace *n = cs_step_trace_of(b->m);
    if (!n)
        return;
    n->site = b->site[0];
    n->has_site = b->sites == 1;
}

/* Results of a sweep, [lanes] each. */
typedef struct swept {
    double *before; /* log p before the sweep */
    double *moved, *odd;
} swept;

/* Redraws all sites in order. */
static void sweep_in_order(cs_ball *b, double *uniform, const swept *to)
{
    cs_move *m = b->m;
    cs_streams pairs = m->streams; /* two rows at a time */
    pairs.ahead = NULL;
    for (uint32_t i = 0; i < m->dim; i++) {
        pairs.skip = i;
        if (i % 2 == 0)
            cs_fill_uniform(&pairs, CS_FOR_PROPOSAL, 2, uniform);
        for (size_t l = 0; l < m->lanes; l++)
            b->site[l] = i;
        cs_ball_read(b, b->old);
        step_one(b, uniform + i % 2 * m->lanes);
        for (size_t l = 0; l < m->lanes; l++) {
            to->moved[l] += m->info.moved[l];
            to->odd[l] += m->info.log_ratio[l] != 0;
        }
    }
}

/* Redraws all sites, colour by colour, one lane after another. */
static void sweep_colours(cs_move *m, double *scratch, const swept *to)
{
    cs_colour_sweep s = cs_sweep_of(m, scratch);
    for (size_t l = 0; l < m->live; l++) {
        if (m->failed[l])
            continue;
        cs_sweep_lane(&s, l);
        m->info.logp[l] += s.change;
        m->failed[l] |= s.failed;
        to->moved[l] = s.moved;
        to->odd[l] = s.odd;
    }
    for (size_t l = m->live; l < m->lanes; l++) {
        m->info.logp[l] = m->info.logp[m->live - 1];
        to->moved[l] = to->moved[m->live - 1];
    }
}

static void finish_sweep(cs_move *m, const swept *did)
{
    cs_info *i = &m->info;
    for (size_t l = 0; l < m->lanes; l++) {
        i->logp_proposal[l] = i->logp[l];
        i->logp_change[l] =
            did->moved[l] != 0 ? i->logp[l] - did->before[l] : 0;
        i->log_q_forward[l] = i->log_q_back[l] = i->log_uniform[l] = 0;
        i->log_ratio[l] = did->odd[l] != 0 ? (double)NAN : 0;
        i->accepted[l] = true;
        i->moved[l] = did->moved[l] != 0;
    }
    if (m->streams.step % EVALUATE == 0)
        cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

/* Redraws every site once. */
static void sweep(cs_ball *b, double *uniform)
{
    cs_move *m = b->m;
    size_t n = m->lanes;
    double *at = uniform + (CS_BALL_SITES + 1) * n;
    const swept did = {at, at + n, at + 2 * n};
    memcpy(did.before, m->info.logp, n * sizeof *at);
    memset(did.moved, 0, 2 * n * sizeof *at);
    if (cs_sweep_has_colours(m->eval->target))
        sweep_colours(m, at + 3 * n, &did);
    else
        sweep_in_order(b, uniform, &did);
    finish_sweep(m, &did);
}

static void step(cs_move *m)
{
    cs_ball b;
    double *uniform = cs_ball_lay(&b, m, m->scratch);
    size_t sites = (size_t)cs_move_param(m, SITES)[0];
    cs_ball_bound(&b, sites, sites);
    m->info.proposal = NULL;
    if (cs_move_param(m, SCAN)[0] == SWEEP) {
        sweep(&b, uniform);
        return;
    }
    choose_sites(&b, uniform);
    note_site(&b);
    cs_ball_read(&b, b.old);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 1, uniform);
    memcpy(b.now, m->info.logp, m->lanes * sizeof *b.now);
    if (b.sites == 1)
        step_one(&b, uniform);
    else
        cs_ball_resample(&b, uniform);
    cs_finish_resampled_anew(m);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    size_t dim = t->space.dim, sites = (size_t)values[SITES];
    sites = sites < dim ? sites : dim;
    if (sites > 1 && values[SCAN] == SWEEP) {
        cs_fail(err, CS_INPUT, "gibbs: a sweep redraws one site at a time");
        cs_hint(err, "leave 'sites' out, or use scan = \"random\"");
        return CS_INPUT;
    }
    if (sites == 1 || cs_ball_size(sites, sites, (size_t)t->space.values,
                                   CS_BALL_STATES + 1) <= CS_BALL_STATES)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "gibbs: %zu sites of %d values have more than %d states", sites,
            t->space.values, CS_BALL_STATES);
    cs_hint(err, "use fewer sites at a time");
    return CS_RANGE;
}

static bool is_reversible(const double *values)
{
    return values[SCAN] == RANDOM;
}

static size_t sites_at_once(const double *values)
{
    return values[SCAN] == SWEEP ? 1 : (size_t)values[SITES];
}

static const char *const scans[] = {"random", "systematic", "sweep", NULL};

static const cs_param rows[] = {
    [SCAN] = {.name = "scan",
              .kind = CS_PARAM_CHOICE,
              .flags = CS_PARAM_SHARED,
              .max = SWEEP,
              .choices = scans,
              .help = "choice of the next site: at random, or each site in "
                      "turn; a sweep redraws all sites in each step"},
    [SITES] = {.name = "sites",
               .unit = "sites",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED | CS_PARAM_SIZE,
               CS_PARAM_RANGE(1, CS_BALL_SITES, 1),
               .help = "number of sites that are resampled together; each step "
                       "evaluates values^sites states",
               .ref = "Jensen, Kong and Kjaerulff 1995"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_gibbs) = {
    .name = "gibbs",
    .title = "Gibbs",
    .ref = "Geman and Geman, Stochastic relaxation, Gibbs distributions, and "
           "the Bayesian restoration of images, 1984",
    .help = "Redraws one site per step, or several sites together, from their "
            "exact conditional distribution given all other sites.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT,
    CS_PARAM_TABLE(rows),
    .scratch_words = scratch_words,
    .check = check,
    .is_reversible = is_reversible,
    .sites_at_once = sites_at_once,
    .step = step,
};
