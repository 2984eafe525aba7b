/* Records, for each chain, the first coordinates of the newest 16 draws whose
 * trajectory diverged. Panels plot these draws over the other draws. */
#include "probe/time_bins.h"

#include <math.h>

enum { COORDINATES };
enum { KEPT = 16, USUAL = 64, MOST = 1024 };

/* Memory of a lane: the number of divergences, then a ring of the newest
 * ones. */
enum { SEEN, POINTS };

static size_t coordinates(const cs_probe *p)
{
    size_t dim = cs_target_shown(p->target);
    size_t most = (size_t)p->values[COORDINATES];
    return dim < most ? dim : most;
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    if (!cs_space_is_real(&target->space))
        return cs_fail(err, CS_UNSUPPORTED,
                       "target %s has no Hamiltonian trajectories",
                       target->name);
    p->words = POINTS + KEPT * coordinates(p);
    return CS_OK;
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes, dim = coordinates(p);
    for (size_t l = 0; s->divergent && l < s->live; l++) {
        if (!(s->divergent[l] > 0) || s->left_out[l])
            continue;
        size_t k = (size_t)memory[SEEN * n + l]++ % KEPT;
        for (size_t d = 0; d < dim; d++)
            memory[(POINTS + k * dim + d) * n + l] = s->shown[d * n + l];
    }
}

static size_t kept_of(const cs_lane_memory *chain)
{
    return (size_t)fmin(cs_bin_word(chain, SEEN), KEPT);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    size_t points = 0, dim = coordinates(p);
    for (size_t c = 0; c < n; c++)
        points += kept_of(&chain[c]);
    double *to =
        points ? cs_flat_array(out, points, dim, "%spoints", prefix) : NULL;
    for (size_t c = 0; to && c < n; c++)
        for (size_t k = 0; k < kept_of(&chain[c]) * dim; k++)
            *to++ = cs_bin_word(&chain[c], POINTS + k);
}

static const cs_param params[] = {
    [COORDINATES] = CS_COORDINATES_ROW(
        MOST, USUAL,
        "number of coordinates kept per draw, starting with the "
        "first"),
};

const cs_probe_type CS_VARIANT(cs_probe_divergent) = {
    .name = "divergent",
    .title = "Divergent draws",
    .help = "the newest 16 draws of each chain whose trajectory diverged",
    CS_PARAM_TABLE(params),
    .column = "divergent__",
    .create = create,
    .observe = observe,
    .report = report,
};
