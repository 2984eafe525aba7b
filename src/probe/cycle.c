/* Acceptance at each position in the cycle of a periodic schedule. Step k of
 * the schedule is at position (k - 1) mod period. All steps count equally, also
 * for weighted draws, because acceptance is a property of the chains. */
#include "probe/probe.h"
#include "simd/simd.h"

#include <math.h>

enum { PERIOD };
/* Rows of a lane's memory; each row has one word per position in the cycle. */
enum { SEEN, ACCEPTANCE, MOVED, ROWS };

static size_t period(const cs_probe *p)
{
    return (size_t)p->values[PERIOD];
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)target;
    (void)err;
    p->words = ROWS * period(p);
    return CS_OK;
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes, at = (size_t)((s->of_schedule - 1) % period(p));
    double *row = memory + ROWS * at * n;
    for (size_t l = 0; l < n; l++) {
        double ratio = s->info->log_ratio[l];
        if (s->failed[l])
            continue;
        row[SEEN * n + l]++;
        row[ACCEPTANCE * n + l] += ratio < 0 ? exp(ratio) : ratio >= 0;
        row[MOVED * n + l] += s->info->moved[l];
    }
}

static double sum(const cs_lane_memory *chain, size_t n, size_t word)
{
    double all = 0;
    for (size_t c = 0; c < n; c++)
        all += chain[c].word[word * chain[c].stride];
    return all;
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    static const char *const name[] = {
        [ACCEPTANCE] = "acceptance", [MOVED] = "moved"};
    for (size_t row = ACCEPTANCE; row < ROWS; row++) {
        double *to =
            cs_flat_array(out, 1, period(p), "%s%s", prefix, name[row]);
        for (size_t k = 0; to && k < period(p); k++) {
            double seen = sum(chain, n, ROWS * k + SEEN);
            to[k] =
                seen > 0 ? sum(chain, n, ROWS * k + row) / seen : (double)NAN;
        }
    }
}

static const cs_param rows[] = {
    [PERIOD] = {.name = "period",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(1, 128, 20),
                .help = "length of the cycle"},
};

const cs_probe_type CS_VARIANT(cs_probe_cycle) = {
    .name = "cycle",
    .title = "Acceptance along a cycle",
    .help = "mean acceptance and share of moves at each position of a cycle",
    CS_PARAM_TABLE(rows),
    .asked = true,
    .create = create,
    .observe = observe,
    .report = report,
};
