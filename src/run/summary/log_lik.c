#include "run/summary/log_lik.h"

#include "base/cancellation.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/each_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

typedef struct part_names {
    const char *name[3];
    const char *prefix; /* start of names that other programs build: the group
                         * of ArviZ and the name of a variable */
    const char *what, *hint;
    const char *of_rows; /* hint for a target that is a sum over rows */
} part_names;

static const part_names parts[] = {
    [CS_PART_LIKELIHOOD] = {{"log_lik", "log_likelihood", NULL},
                            "log_likelihood_",
                            "log likelihood of the observations",
                            "write generated = function(p) return { log_lik = "
                            "cs.lpdf.each.normal(y, p.mu, p.sigma) } end",
                            "write log_lik = \"terms\" in the target, if each "
                            "term is the log likelihood of an observation"},
    [CS_PART_PRIOR] = {{"log_prior", "lprior", NULL},
                       "log_prior_",
                       "log prior",
                       "write generated = function(p) return { log_prior = "
                       "cs.lpdf.normal(p.mu, 0, 10) } end",
                       "write the prior of the target as prior = function(p) "
                       "... end, and log_lik = \"terms\""},
};

/* Returns the length of the name without its indices: 5 for "theta.2.3" and
 * "theta[2,3]". */
static size_t stem(const char *name)
{
    size_t n = strcspn(name, "[");
    if (name[n])
        return n;
    for (size_t at = n; at > 0; n = at) {
        while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
            at--;
        if (at == n || at == 0 || name[at - 1] != '.')
            return n;
        at--;
    }
    return n;
}

static bool is_of(const char *coordinate, const char *name)
{
    size_t n = strlen(name);
    return strcmp(coordinate, name) == 0 ||
           (strncmp(coordinate, name, n) == 0 &&
            (coordinate[n] == '.' || coordinate[n] == '[') &&
            stem(coordinate) == n);
}

/* Collects the elements of `name`, or of all quantities whose names begin with
 * it if `begins` is true. Sets *several if these are different quantities, and
 * `first` to the name of the first one. */
static cs_status collect(const cs_target *t, const char *name, bool begins,
                         cs_part_quantities *out, char *first, bool *several,
                         cs_error *err)
{
    char at[CS_PART_NAME];
    size_t capacity = 0;
    *several = false;
    for (size_t i = 0; i < cs_target_shown(t); i++) {
        cs_target_coordinate(t, i, at, sizeof at);
        if (begins ? strncmp(at, name, strlen(name)) != 0 : !is_of(at, name))
            continue;
        if (!CS_GROW(out->scalar, out->n, capacity, 1))
            return cs_fail(err, CS_MEMORY, "out of memory for observations");
        at[stem(at)] = 0;
        if (out->n == 0)
            memcpy(first, at, sizeof at);
        *several |= strcmp(first, at) != 0;
        out->scalar[out->n++] = i + 1;
    }
    return CS_OK;
}

static cs_status refuse(const cs_target *t, const part_names *p,
                        const char *name, cs_error *err)
{
    if (name)
        cs_fail(err, CS_UNKNOWN, "there is no quantity '%.100s'", name);
    else
        cs_fail(err, CS_UNKNOWN,
                "the draws have no %s: no quantity %s, %s or %s...", p->what,
                p->name[0], p->name[1], p->prefix);
    cs_hint(err, "%s", t->n_rows ? p->of_rows : p->hint);
    return CS_UNKNOWN;
}

static cs_status refuse_several(const part_names *p, const char *first,
                                cs_error *err)
{
    cs_fail(err, CS_INPUT, "the draws have the %s of several variables",
            p->what);
    cs_hint(err, "choose one: --log-lik %s", first);
    return CS_INPUT;
}

cs_status cs_part_find(const cs_target *t, cs_part_kind kind, const char *name,
                       bool all, cs_part_quantities *out, cs_error *err)
{
    const part_names *p = &parts[kind];
    char first[CS_PART_NAME];
    bool several = false;
    cs_status status = CS_OK;
    *out = (cs_part_quantities){.n = 0};
    if (name)
        status = collect(t, name, false, out, first, &several, err);
    for (size_t i = 0; !name && p->name[i] && !out->n && status == CS_OK; i++)
        status = collect(t, p->name[i], false, out, first, &several, err);
    if (!name && !out->n && status == CS_OK)
        status = collect(t, p->prefix, true, out, first, &several, err);
    if (status == CS_OK && !out->n)
        status = refuse(t, p, name, err);
    if (status == CS_OK && several && !all)
        status = refuse_several(p, first, err);
    if (status) {
        cs_free(out->scalar);
        *out = (cs_part_quantities){.n = 0};
    }
    return status;
}

/* ---- leave-one-out densities ---- */

static cs_status fail_infinite(const cs_run *r, size_t scalar, cs_error *err)
{
    char name[CS_PART_NAME];
    cs_target_coordinate(cs_run_target(r), scalar - 1, name, sizeof name);
    cs_fail(err, CS_RANGE, "%s is not finite in at least one draw", name);
    cs_hint(err, "the log density of each observation must be a number for "
                 "every draw");
    return CS_RANGE;
}

/* The number of scalars from list[0] on that are neighbours, at most `most`. */
static size_t neighbours(const size_t *list, size_t n, size_t most)
{
    size_t k = 1;
    while (k < n && k < most && list[k] == list[0] + k)
        k++;
    return k;
}

/* Returns true if the results of an observation can be used. Draws from the
 * posterior with the observation never have a likelihood of 0. */
static bool is_usable(const cs_loo *l, bool left_out)
{
    return left_out ? !isnan(l->elpd) : isfinite(l->elpd);
}

/* Computes the results of `n` neighbouring scalars. */
static cs_status find_points(cs_run *r, size_t arm, size_t scalar, size_t n,
                             const cs_loo_ask *ask, cs_loo *out, cs_error *err)
{
    cs_scalar_draws d;
    cs_status status =
        cs_run_scalar_draws(r, arm, scalar, n, ask->sample, &d, err);
    for (size_t i = 0; i < n && status == CS_OK; i++) {
        const double *x = d.x + i * d.n * d.chains;
        if (!cs_loo_of((cs_draws){x, d.n, d.chains}, &out[i]))
            status = cs_fail(err, CS_MEMORY, "out of memory for densities");
        else if (!is_usable(&out[i], ask->left_out))
            status = fail_infinite(r, scalar + i, err);
    }
    cs_free(d.x);
    return status;
}

cs_status cs_run_loo_find(cs_run *r, size_t arm, const cs_loo_ask *ask,
                          cs_run_loo *out, cs_error *err)
{
    enum { AT_ONCE = 64 };
    *out = (cs_run_loo){.point = NULL};
    cs_part_quantities *of = &out->of;
    cs_status status = cs_part_find(cs_run_target(r), CS_PART_LIKELIHOOD,
                                    ask->name, false, of, err);
    if (status)
        return status;
    out->point = cs_alloc(of->n, sizeof *out->point);
    if (!out->point)
        return cs_fail(err, CS_MEMORY, "out of memory for observations");
    for (size_t i = 0, k; i < of->n && status == CS_OK; i += k) {
        k = neighbours(of->scalar + i, of->n - i, AT_ONCE);
        status =
            find_points(r, arm, of->scalar[i], k, ask, &out->point[i], err);
        if (status == CS_OK && cs_cancelled())
            status = cs_fail(err, CS_STOPPED, "at observation %zu", i + 1);
    }
    return status;
}

void cs_run_loo_free(cs_run_loo *l)
{
    CS_FREE_ALL(l->of.scalar, l->point);
    *l = (cs_run_loo){.point = NULL};
}
