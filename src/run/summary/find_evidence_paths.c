/* Evidence from trajectories and kept draws about a kernel's trajectory length
 * and metric. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/preview/step_path.h"
#include "run/summary/find_evidence.h"
#include "run/views/view.h"

#include <math.h>

/* ---- resonance ----------------------------------------------------------- */

/* Adds the trajectory of a chain's next step to the sums. Returns true if this
 * trajectory is known. */
static bool add_path(cs_run *run, size_t arm, size_t chain, size_t k,
                     double mean, cs_evidence_path *sums)
{
    enum { ROOM = 4096 };
    size_t n, shown = cs_target_shown(cs_run_target(run));
    size_t capacity = ROOM / (shown + 1) + 2;
    double *point = cs_alloc((capacity + 1) * shown, sizeof *point);
    double *end = point ? point + capacity * shown : NULL, most = 0;
    const cs_chain_view v = cs_run_chain(run, arm, chain);
    double from = v.shown ? v.shown[k] : (double)NAN;
    bool good = point &&
                cs_run_path(run, arm, chain, capacity, point, &n, end) &&
                isfinite(from);
    for (size_t i = 0; good && i < n && i < capacity; i++)
        most = fmax(most, fabs(point[i * shown + k] - from));
    if (good) {
        double to = end[k];
        sums->apart += (to - from) * (to - from);
        sums->mirrored += (to + from - 2 * mean) * (to + from - 2 * mean);
        sums->deviation += (from - mean) * (from - mean);
        sums->farthest += most * most;
    }
    cs_free(point);
    return good;
}

/* Returns true if the trajectory length is fixed and long enough to return to
 * the start. */
static bool is_fixed(const cs_kernel *kernel)
{
    const cs_kernel_type *type = kernel->type;
    int length = cs_param_find(type->params, type->n_params, "leapfrogs");
    int jitter = cs_param_find(type->params, type->n_params, "jitter");
    return length >= 0 && jitter >= 0 && kernel->values[length] >= 3 &&
           kernel->values[jitter] == 0;
}

void cs_find_returns(cs_run *run, size_t arm, size_t worst, double mean,
                     cs_evidence *e)
{
    enum { LEAST = 2, MOST = 16 };
    cs_evidence_path sums = {0};
    size_t n = 0;
    const cs_arm_view v = cs_run_arm(run, arm);
    if (!is_fixed(v.kernel))
        return;
    for (size_t c = 0; c < v.chains && c < MOST; c += v.group)
        n += add_path(run, arm, c, worst - 1, mean, &sums);
    if (n < LEAST || !cs_evidence_returns(&sums))
        return;
    e->turns.found = true;
    cs_target_coordinate(cs_run_target(run), worst - 1, e->turns.name,
                         sizeof e->turns.name);
}

/* ---- correlations -------------------------------------------------------- */

enum { COLUMNS = 64 };

/* Unweighted moments of the first columns of the draws. */
typedef struct moments {
    size_t n, draws;
    double mean[COLUMNS], square[COLUMNS * COLUMNS];
} moments;

static void add_draw(moments *m, const double *x)
{
    double off[COLUMNS];
    m->draws++;
    for (size_t i = 0; i < m->n; i++) {
        off[i] = x[i] - m->mean[i];
        m->mean[i] += off[i] / (double)m->draws;
    }
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j <= i; j++)
            m->square[i * COLUMNS + j] += off[i] * (x[j] - m->mean[j]);
}

static void add_draws(cs_run *run, size_t arm, size_t chain, moments *m)
{
    uint64_t every;
    size_t width =
        1 + cs_target_shown(cs_run_target(run)) + cs_run_aux(run, arm);
    size_t n = cs_run_draws(run, arm, chain, NULL, &every);
    double *row = cs_alloc(n * width, sizeof *row);
    n = row ? cs_run_draws(run, arm, chain, row, &every) : 0;
    for (size_t i = 0; i < n; i++)
        add_draw(m, row + i * width + 1);
    cs_free(row);
}

void cs_find_correlation(cs_run *run, size_t arm, cs_evidence *e)
{
    const cs_arm_view v = cs_run_arm(run, arm);
    const cs_target *t = cs_run_target(run);
    moments *m = cs_alloc(1, sizeof *m);
    size_t shown = cs_target_shown(t), worst[2] = {0, 0};
    if (!m || cs_metric_kind_of(v.metric) == CS_METRIC_DENSE) {
        cs_free(m);
        return;
    }
    m->n = shown < COLUMNS ? shown : COLUMNS;
    for (size_t c = 0; c < v.chains; c += v.group)
        add_draws(run, arm, c, m);
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < i; j++) {
            double r =
                fabs(m->square[i * COLUMNS + j]) /
                sqrt(m->square[i * COLUMNS + i] * m->square[j * COLUMNS + j]);
            if (!(r > e->correlation))
                continue;
            e->correlation = r;
            worst[0] = j;
            worst[1] = i;
        }
    for (size_t i = 0; i < 2 && e->correlation > 0; i++)
        cs_target_coordinate(t, worst[i], e->pair[i], sizeof e->pair[i]);
    cs_free(m);
}
