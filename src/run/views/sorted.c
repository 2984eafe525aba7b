#include "run/views/sorted.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/views/view.h"
#include "stat/sort.h"
#include "stat/weighted.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { EXACT_DRAWS = 1 << 15 };

/* Draws in the order of the chains: value[n][coordinates]. */
typedef struct draws {
    size_t n, coordinates;
    double *value, *weight, *chain; /* value is [own] and contains all arrays */
} draws;

static void end(draws *d)
{
    cs_free(d->value);
}

static bool begin(draws *d, size_t n, size_t coordinates)
{
    *d = (draws){.n = 0, .coordinates = coordinates};
    d->value = cs_alloc(n * (coordinates + 2) + 1, sizeof *d->value);
    if (!d->value)
        return false;
    d->weight = d->value + n * coordinates;
    d->chain = d->weight + n;
    return true;
}

/* Adds every `stride`-th draw of a chain. */
static bool add_chain(draws *d, const cs_run *r, size_t arm, size_t c,
                      size_t stride)
{
    size_t n = cs_run_draws(r, arm, c, NULL, NULL);
    size_t cols = 1 + d->coordinates + cs_run_aux(r, arm);
    double *row = cs_alloc(n * (cols + 1) + 1, sizeof *row);
    double *weight = row ? row + n * cols : NULL;
    if (!row)
        return false;
    cs_run_weighed_draws(r, arm, c, row, weight, NULL);
    bool good = n == 0 || cs_weights_of_chains(weight, 1, n, weight);
    for (size_t i = 0; good && i < n; i += stride, d->n++) {
        memcpy(d->value + d->n * d->coordinates, row + i * cols + 1,
               d->coordinates * sizeof *row);
        d->weight[d->n] = weight[i];
        d->chain[d->n] = (double)c;
    }
    cs_free(row);
    return good;
}

static bool take(draws *d, const cs_run *r, size_t arm)
{
    cs_arm_view v = cs_run_arm(r, arm);
    size_t all = 0;
    for (size_t c = 0; c < v.chains; c += v.group)
        all += cs_run_draws(r, arm, c, NULL, NULL);
    size_t stride = all / CS_SORTED_DRAWS + 1;
    bool good = begin(d, all, cs_target_shown(cs_run_target(r)));
    for (size_t c = 0; good && c < v.chains; c += v.group)
        good = add_chain(d, r, arm, c, stride);
    return good;
}

/* Uses exact draws of the target instead of an arm's draws. */
static bool take_exact(draws *d, const cs_target *t)
{
    if (t->outputs.n || !t->type->exact.draw ||
        !begin(d, EXACT_DRAWS, t->space.dim))
        return false;
    d->n = EXACT_DRAWS;
    for (size_t i = 0; i < d->n; i++)
        d->weight[i] = 1;
    return cs_enumeration_draws(t, d->n, d->value);
}

static void put_in_order(const draws *d, size_t k, cs_sort_place *place)
{
    for (size_t i = 0; i < d->n; i++)
        place[i] = (cs_sort_place){d->value[i * d->coordinates + k], i};
    cs_sort_places(place, d->n);
}

/* Computes P(X < x) and P(X <= x) of the reference at the sorted values
 * x[n]. */
static void compare(const draws *of, const cs_sort_place *place, size_t n,
                    const double *x, double *low, double *high)
{
    double all = 0, below = 0, upto = 0;
    size_t a = 0, b = 0;
    for (size_t i = 0; i < of->n; i++)
        all += of->weight[i];
    for (size_t i = 0; i < n; i++) {
        for (; a < of->n && place[a].value < x[i]; a++)
            below += of->weight[place[a].at];
        for (; b < of->n && place[b].value <= x[i]; b++)
            upto += of->weight[place[b].at];
        low[i] = below / all;
        high[i] = upto / all;
    }
}

static void compare_exactly(const cs_target *t, size_t k, size_t n,
                            const double *x, double *low, double *high)
{
    for (size_t i = 0; i < n; i++) {
        low[i] = t->type->exact.marginal(t, k, nextafter(x[i], -HUGE_VAL));
        high[i] = t->type->exact.marginal(t, k, x[i]);
    }
}

static bool fill(cs_sorted *s, const draws *mine, const draws *of,
                 const cs_target *t)
{
    size_t n = mine->n, m = of ? of->n : 0;
    cs_sort_place *place = cs_alloc((n > m ? n : m) + 1, sizeof *place);
    for (size_t k = 0; place && k < s->coordinates; k++) {
        double *x = s->x + k * n;
        put_in_order(mine, k, place);
        for (size_t i = 0; i < n; i++) {
            x[i] = place[i].value;
            s->at[k * n + i] = (double)place[i].at;
        }
        if (of)
            put_in_order(of, k, place);
        if (of)
            compare(of, place, n, x, s->low + k * n, s->high + k * n);
        else
            compare_exactly(t, k, n, x, s->low + k * n, s->high + k * n);
    }
    cs_free(place);
    return place != NULL;
}

static bool open_sorted(cs_sorted *s, const draws *d, size_t chains)
{
    size_t each = d->n * d->coordinates;
    *s =
        (cs_sorted){.n = d->n, .coordinates = d->coordinates, .chains = chains};
    s->memory = cs_alloc(4 * each + 2 * d->n + 1, sizeof *s->memory);
    if (!s->memory)
        return false;
    s->x = s->memory;
    s->at = s->x + each;
    s->low = s->at + each;
    s->high = s->low + each;
    s->weight = s->high + each;
    s->chain = s->weight + d->n;
    memcpy(s->weight, d->weight, d->n * sizeof *s->weight);
    memcpy(s->chain, d->chain, d->n * sizeof *s->chain);
    return true;
}

cs_status cs_sorted_make(cs_sorted *s, cs_run *r, size_t arm, size_t reference,
                         cs_error *err)
{
    const cs_target *t = cs_run_target(r);
    bool by_arm = reference != CS_NO_ARM;
    bool exact = !by_arm && t->type->exact.marginal && !t->outputs.n;
    draws mine = {0}, of = {0};
    *s = (cs_sorted){0};
    cs_status status = CS_OK;
    if (!exact && !by_arm &&
        (!t->type->exact.draw || t->outputs.n || !t->n_uniform))
        status = cs_fail(err, CS_UNSUPPORTED, "target %s has no exact draws",
                         t->name);
    else if (!take(&mine, r, arm) ||
             (!exact &&
              !(by_arm ? take(&of, r, reference) : take_exact(&of, t))) ||
             !open_sorted(s, &mine, cs_run_arm(r, arm).chains) ||
             !fill(s, &mine, exact ? NULL : &of, t))
        status = cs_fail(err, CS_MEMORY, "out of memory for sorted draws");
    else if (mine.n == 0 || (!exact && of.n == 0))
        status = cs_fail(err, CS_UNSUPPORTED, "there are no draws yet");
    end(&mine);
    end(&of);
    if (status)
        cs_sorted_end(s);
    return status;
}

void cs_sorted_end(cs_sorted *s)
{
    cs_free(s->memory);
    *s = (cs_sorted){0};
}

/* The distribution functions differ most at a draw or just below a draw. Equal
 * draws count as one place. */
void cs_sorted_distance(const cs_sorted *s, const double *times, double *ks)
{
    double all = 0;
    for (size_t i = 0; i < s->n; i++)
        all += s->weight[i] * times[(size_t)s->chain[i]];
    for (size_t k = 0; k < s->coordinates; k++) {
        const double *x = s->x + k * s->n, *at = s->at + k * s->n;
        double sum = 0, most = 0;
        for (size_t i = 0; i < s->n; i++) {
            size_t j = (size_t)at[i];
            double low = s->low[k * s->n + i], high = s->high[k * s->n + i];
            if (i == 0 || x[i] != x[i - 1])
                most = fmax(most, fabs(sum / all - low));
            sum += s->weight[j] * times[(size_t)s->chain[j]];
            if (i + 1 == s->n || x[i] != x[i + 1])
                most = fmax(most, fabs(sum / all - high));
        }
        ks[k] = all > 0 ? most : (double)NAN;
    }
}
