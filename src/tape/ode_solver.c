#include "tape/ode_solver.h"

#include "base/cancellation.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "expr/graph_parts.h"
#include "tape/program.h"
#include "targets/outside/last_message.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { WORKERS = 64 }; /* solutions that are computed at one time */

const char *const cs_ode_method_names[CS_ODE_METHODS] = {"rk45", "rk8", "bdf"};

/* The memory of one integration. It is allocated by the first solution that
 * needs it, and reused. */
typedef struct work {
    const struct tape_ode *o;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    double *z;       /* [n (1 + m)] y, then the columns of S */
    double *x;       /* [1 + n + k] input of the program */
    double *scratch; /* slots of the program */
    unsigned calls;  /* number of calls of the right-hand side, modulo 2^32 */
    bool stopped;    /* the calling thread's work must stop */
} work;

typedef struct tape_ode {
    cs_ode ode;
    cs_program *slope; /* roots: f[n] and its derivatives by y and p,
                        * [n][n + k] */
    size_t n, k, times, steps;
    double from, relative, absolute;
    double *time; /* [times] [own] */
    cs_ode_method method;
    atomic_flag busy[WORKERS];
    work *work[WORKERS]; /* [own] NULL: not needed yet */
    cs_last_message said;
    atomic_ulong failures;
} tape_ode;

/* ---- the right-hand side ------------------------------------------------- */

/* Computes f and its derivatives at (t, y). Returns false if one of them is
 * infinite or not a number. */
static bool evaluate(const work *w, double t, const double *y, const double **f,
                     const double **by)
{
    const tape_ode *o = w->o;
    w->x[0] = t;
    memcpy(w->x + 1, y, o->n * sizeof *y);
    cs_program_run_one(o->slope, false, w->x, 1, w->scratch);
    *f = w->scratch + o->slope->root[0];
    *by = w->scratch + o->slope->root[1];
    for (size_t i = 0; i < o->n; i++)
        if (!isfinite((*f)[i]))
            return false;
    for (size_t i = 0; i < o->n * (o->n + o->k); i++)
        if (!isfinite((*by)[i]))
            return false;
    return true;
}

static int right_side(double t, const double z[], double dz[], void *of)
{
    enum { EVERY = 16 };
    work *w = of;
    size_t n = w->o->n, m = n + w->o->k;
    const double *f, *by;
    w->stopped |= w->calls++ % EVERY == 0 && cs_cancelled();
    if (w->stopped || !evaluate(w, t, z, &f, &by))
        return GSL_EBADFUNC;
    memcpy(dz, f, n * sizeof *dz);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < n; i++) {
            double sum = j < n ? 0 : by[i * m + j];
            for (size_t l = 0; l < n; l++)
                sum += by[i * m + l] * z[n + j * n + l];
            dz[n + j * n + i] = sum;
        }
    return GSL_SUCCESS;
}

/* Computes the matrix of Newton's method. Second derivatives of f are left out:
 * they affect the convergence of the method, but not its solution. */
static int jacobian(double t, const double z[], double *dfdz, double dfdt[],
                    void *of)
{
    const work *w = of;
    size_t n = w->o->n, m = n + w->o->k, all = n * (1 + m);
    const double *f, *by;
    if (!evaluate(w, t, z, &f, &by))
        return GSL_EBADFUNC;
    memset(dfdz, 0, all * all * sizeof *dfdz);
    memset(dfdt, 0, all * sizeof *dfdt);
    for (size_t b = 0; b < all; b += n)
        for (size_t i = 0; i < n; i++)
            memcpy(dfdz + (b + i) * all + b, by + i * m, n * sizeof *by);
    return GSL_SUCCESS;
}

/* ---- memory -------------------------------------------------------------- */

static void free_work(work *w)
{
    if (!w)
        return;
    if (w->driver)
        gsl_odeiv2_driver_free(w->driver);
    CS_FREE_ALL(w->z, w->x, w->scratch, w);
}

static work *new_work(const tape_ode *o)
{
    static const gsl_odeiv2_step_type *const *const types[CS_ODE_METHODS] = {
        &gsl_odeiv2_step_rkf45, &gsl_odeiv2_step_rk8pd, &gsl_odeiv2_step_msbdf};
    size_t all = o->n * (1 + o->n + o->k);
    work *w = cs_alloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->o = o;
    w->z = cs_alloc(all, sizeof *w->z);
    w->x = cs_alloc(1 + o->n + o->k, sizeof *w->x);
    w->scratch = cs_alloc(o->slope->slots, sizeof *w->scratch);
    w->system = (gsl_odeiv2_system){right_side, jacobian, all, w};
    if (w->z && w->x && w->scratch)
        w->driver = gsl_odeiv2_driver_alloc_standard_new(
            &w->system, *types[o->method], 1e-3, o->absolute, o->relative, 1,
            0);
    if (w->driver &&
        gsl_odeiv2_driver_set_nmax(w->driver, o->steps) == GSL_SUCCESS)
        return w;
    free_work(w);
    return NULL;
}

/* Takes the memory of one integration; give it back with
 * atomic_flag_clear(&o->busy[*at]). Returns NULL if out of memory. */
static work *take_work(tape_ode *o, size_t *at)
{
    for (;;) {
        for (*at = 0; *at < WORKERS; ++*at)
            if (!atomic_flag_test_and_set(&o->busy[*at])) {
                if (!o->work[*at])
                    o->work[*at] = new_work(o);
                return o->work[*at];
            }
        sched_yield();
    }
}

/* ---- solutions ----------------------------------------------------------- */

/* Sets y and S at t0. Returns false if an input is not finite. */
static bool start(const tape_ode *o, work *w, const double *a, size_t step)
{
    size_t n = o->n, m = n + o->k;
    memset(w->z, 0, n * (1 + m) * sizeof *w->z);
    for (size_t i = 0; i < m; i++) {
        double v = a[i * step];
        if (!isfinite(v))
            return false;
        if (i < n) {
            w->z[i] = v;
            w->z[n + i * n + i] = 1;
        } else
            w->x[1 + i] = v;
    }
    double span = o->time[o->times - 1] - o->from;
    w->stopped = false;
    return gsl_odeiv2_driver_reset_hstart(
               w->driver, span > 0 ? 1e-3 * span : 1e-3) == GSL_SUCCESS;
}

static void store(const tape_ode *o, const double *z, size_t q, double *out,
                  size_t step)
{
    size_t n = o->n, m = n + o->k;
    double *slopes = out + o->ode.values * step;
    for (size_t i = 0; i < n; i++) {
        out[(q * n + i) * step] = z[i];
        for (size_t j = 0; j < m; j++)
            slopes[((q * n + i) * m + j) * step] = z[n + j * n + i];
    }
}

/* Integrates to all times. Returns NULL, or the reason of a failure; *t is the
 * time that was reached. */
static const char *integrate(const tape_ode *o, work *w, double *t, double *out,
                             size_t step)
{
    for (size_t q = 0; q < o->times; q++) {
        int status = GSL_SUCCESS;
        if (o->time[q] > *t)
            status = gsl_odeiv2_driver_apply(w->driver, t, o->time[q], w->z);
        if (status == GSL_EMAXITER)
            return "too many steps";
        if (status == GSL_EBADFUNC)
            return w->stopped ? "it was stopped"
                              : "the right side is not finite";
        if (status != GSL_SUCCESS)
            return "the step size is too small for the tolerances";
        store(o, w->z, q, out, step);
    }
    return NULL;
}

static void fail(tape_ode *o, const char *why, double t, double *out,
                 size_t step)
{
    char text[160];
    for (size_t i = 0; i < o->ode.values * (1 + o->ode.inputs); i++)
        out[i * step] = (double)NAN;
    atomic_fetch_add(&o->failures, 1);
    snprintf(text, sizeof text, "%s at t = %.6g", why, t);
    cs_last_message_store(&o->said, text);
}

static void solve(cs_ode *ode, const double *a, size_t step, double *out,
                  size_t out_step)
{
    tape_ode *o = (tape_ode *)ode;
    size_t at;
    double t = o->from;
    work *w = take_work(o, &at);
    const char *why = !w ? "out of memory"
                      : !start(o, w, a, step)
                          ? "a parameter is not finite"
                          : integrate(o, w, &t, out, out_step);
    if (why)
        fail(o, why, t, out, out_step);
    atomic_flag_clear(&o->busy[at]);
}

bool cs_tape_ode_failure(cs_ode *ode, char *text, size_t size)
{
    tape_ode *o = (tape_ode *)ode;
    char why[160];
    unsigned long n = atomic_load(&o->failures);
    if (!n || !cs_last_message_get(&o->said, why, sizeof why))
        return false;
    snprintf(text, size, "cs.ode failed %lu time%s, the last time because %s",
             n, n == 1 ? "" : "s", why);
    return true;
}

/* ---- creation ------------------------------------------------------------ */

static void destroy(cs_ode *ode)
{
    tape_ode *o = (tape_ode *)ode;
    for (size_t i = 0; i < WORKERS; i++)
        free_work(o->work[i]);
    cs_program_destroy(o->slope);
    cs_last_message_fini(&o->said);
    CS_FREE_ALL(o->time, o);
}

/* Adds the derivatives of f to the graph, [n][n + k]. */
static cs_node derivatives(cs_graph *g, cs_node f, size_t n, size_t k)
{
    cs_node *row = cs_alloc(n, sizeof *row), made = 0;
    for (size_t i = 0; row && i < n && !g->status; i++)
        row[i] = cs_graph_slice(
            g, cs_graph_gradient(g, cs_graph_slice(g, f, i, 1)), 1, n + k);
    if (row && !g->status)
        made = cs_graph_pack(g, row, n);
    cs_free(row);
    return made;
}

static cs_status compile(tape_ode *o, const cs_ode_spec *spec, cs_error *err)
{
    cs_graph *g;
    cs_status s =
        cs_graph_create(spec->graph->dim, spec->graph->max_nodes, &g, err);
    if (s)
        return s;
    cs_node root[2] = {
        cs_graph_copy(g, spec->graph, spec->f, cs_graph_input(g)), 0};
    root[1] = derivatives(g, root[0], spec->n, spec->k);
    s = root[1] ? cs_program_compile(g, root, 2, &o->slope, err)
                : cs_fail(err, g->status ? g->status : CS_MEMORY,
                          "the derivatives of this system cannot be computed");
    cs_graph_destroy(g);
    return s;
}

/* Returns a number that is equal for equal systems. */
static uint32_t number_of(const tape_ode *o, const cs_ode_spec *spec)
{
    cs_page p = {0};
    cs_graph_parts(spec->graph, spec->f, "f", &p);
    uint64_t h = p.text ? cs_digest(CS_DIGEST, p.text, p.used) : CS_DIGEST;
    const double of[] = {(double)o->n,     (double)o->k, o->from,
                         o->relative,      o->absolute,  (double)o->steps,
                         (double)o->method};
    cs_free(p.text);
    h = cs_digest(h, of, sizeof of);
    h = cs_digest(h, o->time, o->times * sizeof *o->time);
    return (uint32_t)(h ^ h >> 32);
}

cs_status cs_tape_ode_create(const cs_ode_spec *spec, cs_ode **out,
                             cs_error *err)
{
    tape_ode *o = cs_alloc(1, sizeof *o);
    if (!o)
        return cs_fail(err, CS_MEMORY, "out of memory for a system");
    gsl_set_error_handler_off(); /* failures of GSL are reported, not fatal */
    o->ode = (cs_ode){.solve = solve,
                      .destroy = destroy,
                      .inputs = spec->n + spec->k,
                      .values = spec->n * spec->times};
    atomic_init(&o->ode.holders, 1);
    for (size_t i = 0; i < WORKERS; i++)
        atomic_flag_clear(&o->busy[i]);
    o->n = spec->n;
    o->k = spec->k;
    o->times = spec->times;
    o->steps = spec->steps;
    o->from = spec->from;
    o->relative = spec->relative;
    o->absolute = spec->absolute;
    o->method = spec->method;
    cs_last_message_init(&o->said);
    o->time = cs_alloc(o->times, sizeof *o->time);
    cs_status s =
        o->time ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for a system");
    if (!s) {
        memcpy(o->time, spec->time, o->times * sizeof *o->time);
        o->ode.number = number_of(o, spec);
        s = compile(o, spec, err);
    }
    if (s)
        destroy(&o->ode);
    else
        *out = &o->ode;
    return s;
}
