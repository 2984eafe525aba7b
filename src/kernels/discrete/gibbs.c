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
 * leaves the target invariant but is not reversible. All values^sites states of
 * the set are evaluated, by site differences. log p is updated by differences
 * and evaluated every 1024 steps, so that rounding errors do not add up. */
#include "kernel/step_trace.h"
#include "kernels/discrete/ball.h"

enum { SCAN, SITES };
enum { RANDOM, SYSTEMATIC };

/* Returns the scratch size in doubles per lane: the arrays of ball.h, then
 * uniforms. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_ball_words(t) + CS_BALL_SITES + 1;
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

static void step(cs_move *m)
{
    cs_ball b;
    double *uniform = cs_ball_lay(&b, m, m->scratch);
    size_t sites = (size_t)cs_move_param(m, SITES)[0];
    cs_ball_bound(&b, sites, sites);
    m->info.proposal = NULL;
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

static const char *const scans[] = {"random", "systematic", NULL};

static const cs_param rows[] = {
    [SCAN] = {.name = "scan",
              .kind = CS_PARAM_CHOICE,
              .flags = CS_PARAM_SHARED,
              .max = 1,
              .choices = scans,
              .help =
                  "choice of the next site: at random, or each site in turn"},
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
    .step = step,
};
