/* block_gibbs: complete sweeps of Gibbs sampling, by the target's own
 * `resample`:
 *
 *   p(x_B = v | the rest) = product over i in B of p(x_i = v_i | the rest)
 *
 * for each part B of the sites in turn, where x_B are the values at the sites
 * in B. The sites of a part are independent given the rest and are resampled
 * together: a part is a layer of a Boltzmann machine, or the sites of one
 * colour of a lattice, and otherwise a single site. The order of the parts is
 * fixed, which leaves the target invariant but is not reversible.
 *
 * Geman and Geman, "Stochastic relaxation, Gibbs distributions, and the
 * Bayesian restoration of images" (1984), section XI: sites of one colour are
 * resampled at the same time. */
#include "kernel/accept.h"

enum { SWEEPS };

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->resample_words;
}

static void step(cs_move *m)
{
    size_t sweeps = (size_t)cs_move_param(m, SWEEPS)[0];
    cs_eval_resample(m->eval, &m->streams, sweeps, m->scratch, m->x,
                     m->info.moved);
    cs_finish_moved(m);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    if (t->type->sites.resample)
        return CS_OK;
    cs_fail(
        err, CS_UNSUPPORTED,
        "block_gibbs: target %s has no groups of sites to resample together",
        t->name);
    cs_hint(err, "use gibbs");
    return CS_UNSUPPORTED;
}

static const cs_param rows[] = {
    [SWEEPS] =
        {.name = "sweeps",
         .unit = "sweeps",
         .kind = CS_PARAM_INT,
         .flags = CS_PARAM_SHARED | CS_PARAM_LOG,
         CS_PARAM_RANGE(1, 1e6, 1),
         .help =
             "number of sweeps per step; a sweep resamples every site once"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_block_gibbs) = {
    .name = "block_gibbs",
    .title = "Block Gibbs",
    .ref = "Geman and Geman, Stochastic relaxation, Gibbs distributions, and "
           "the Bayesian restoration of images, 1984, section XI",
    .help = "Redraws every site from its conditional distribution given the "
            "others. Sites that are conditionally independent are redrawn "
            "together, such as the sites of one colour of a lattice or the "
            "units of one layer of a Boltzmann machine.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_PARTS,
    CS_PARAM_TABLE(rows),
    .scratch_words = scratch_words,
    .check = check,
    .step = step,
};
