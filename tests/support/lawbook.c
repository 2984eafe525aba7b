#include "support/laws.h"

#include "base/clock.h"
#include "support/sanitized.h"
#include "support/small_factor.h"
#include "support/small_rows.h"
#include "support/small_tall.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

const kernel_law *const law_book[] = {check_laws,  step_laws,  aux_laws,
                                      limit_laws,  run_laws,   chance_laws,
                                      window_laws, cycle_laws, NULL};

const cs_target_type *const law_grounds[] = {
    &small_bits,   &small_masses, &small_sites,  &small_lattice,
    &small_banana, &small_wells,  &small_spins,  &small_colours,
    &small_rows,   &small_tall,   &small_factor, NULL};

/* Values of a kernel's first parameters; the other parameters have their
 * defaults. */
enum { VALUES = 12 };
typedef struct given_values {
    size_t n;
    double value[VALUES];
} given_values;
#define GIVEN(...)                                                             \
    {                                                                          \
        sizeof((double[]){__VA_ARGS__}) / sizeof(double),                      \
        {                                                                      \
            __VA_ARGS__                                                        \
        }                                                                      \
    }

/* Settings that are tried in addition to the defaults: small and large steps,
 * and other options. */
static const struct {
    const char *name;
    given_values given;
} settings[] = {
    {"random_walk", GIVEN(0.7, 2, 2)},
    {"gibbs", GIVEN(1, 1)},
    {"gibbs", GIVEN(0, 2)},
    {"gibbs", GIVEN(1, 2)},
    {"gibbs", GIVEN(0, 3)},
    {"gibbs", GIVEN(2, 1)},
    {"hamming_ball", GIVEN(2, 1)},
    {"hamming_ball", GIVEN(3, 2)},
    {"hamming_ball", GIVEN(1, 1)},
    {"dula", GIVEN(0.3, 0.5)},
    {"dula", GIVEN(2, 0.8)},
    {"dula", GIVEN(1, 0.5, 1)},
    {"dmala", GIVEN(1, 0.7, 1)},
    {"dmala", GIVEN(0.4, 0.5, 1)},
    {"dmala", GIVEN(0.3, 0.5)},
    {"dmala", GIVEN(2, 0.5)},
    {"dmala", GIVEN(1, 0.9)},
    {"dmala", GIVEN(1, 0.5, 0, CS_GRADIENT_FLOAT)},
    {"dmala", GIVEN(0.6, 0.5, 0, CS_GRADIENT_FLOAT)},
    {"edula", GIVEN(2, 0.5, 0.5, 0.7)},
    {"edula", GIVEN(0.3, 0.5, 1, 0.1)},
    {"edmala", GIVEN(1, 0.5, 1, 0.8)},
    {"edmala", GIVEN(2, 0.8, 3, 2)},
    {"edula", GIVEN(1, 0.6, 0.8, 0.5, 1)},
    {"edmala", GIVEN(1, 0.7, 0.8, 0.5, 1)},
    {"edula_glu", GIVEN(1, 0.5, 0.6, 0, 1)},
    {"edmala_glu", GIVEN(1, 0.6, 0.8, 0, 1)},
    {"edula_glu", GIVEN(2, 0.5, 0.3)},
    {"edmala_glu", GIVEN(1, 0.5, 0.5)},
    {"edmala_glu", GIVEN(2, 0.8, 4)},
    {"locally_balanced", GIVEN(1, 2)},
    {"locally_balanced", GIVEN(2, 1)},
    {"locally_balanced", GIVEN(3, 3)},
    {"gwg", GIVEN(0, 2, 1)},
    {"gwg", GIVEN(1, 1, 1)},
    {"gwg", GIVEN(0, 1, 1, CS_GRADIENT_DOUBLE, 1)},
    {"gwg", GIVEN(0, 1, 1, CS_GRADIENT_FLOAT)},
    {"gwg", GIVEN(1, 1, 2, CS_GRADIENT_FLOAT)},
    {"gwg", GIVEN(0, 1, 2)},
    {"gwg", GIVEN(3, 1, 3)},
    {"block_gibbs", GIVEN(2)},
    {"any_scale", GIVEN(1, 0.7, 0, 100)},
    {"any_scale", GIVEN(1, 0.7, 0, 100, 1)},
    /* values in order: sites, balancing function, reach, coding */
    {"path_auxiliary", GIVEN(1, 0, 1)},
    {"path_auxiliary", GIVEN(3, 1, 2)},
    {"path_auxiliary", GIVEN(1.6, 2, 1, 1)},
    {"path_auxiliary", GIVEN(3.3, 3, 2, 1)},
    {"path_auxiliary", GIVEN(100, 0, 2)},
    /* values in order: time, balancing function, solver, coding */
    {"dlmc", GIVEN(0.05)},
    {"dlmc", GIVEN(1, 1, 0, 1)},
    {"dlmc", GIVEN(0.5, 2, 1)},
    {"dlmc", GIVEN(0.3, 3, 0)},
    {"dlmc", GIVEN(0.3, 0, 1, 1)},
    {"dlmc", GIVEN(50, 0, 0)},
    {"mala", GIVEN(0.6)},
    {"barker", GIVEN(0.6)},
    {"barker", GIVEN(2)},
    /* values in order: step, time */
    {"h2mc", GIVEN(0.6)},
    {"h2mc", GIVEN(5, 1)},
    {"hmc", GIVEN(0.3, 3, CS_GRADIENT_DOUBLE, 0)},
    {"hmc", GIVEN(0.6, 1, CS_GRADIENT_DOUBLE, 0)},
    {"hmc", GIVEN(0.3, 3, CS_GRADIENT_FLOAT, 0)},
    {"nuts", GIVEN(0.6, 3)},
    {"nuts", GIVEN(1.5, 1)},
    /* values in order: step, scan */
    {"metropolis_within_gibbs", GIVEN(0.5, 1)},
    {"metropolis_within_gibbs", GIVEN(2.5, 0)},
    /* values in order: width, steps out, scan, coordinates */
    {"slice", GIVEN(0.3, 2, 1, 2)},
    {"slice", GIVEN(2, 0, 0, 1)},
    {"slice", GIVEN(0.5, 50, 0, 3)},
    {"slice_direction", GIVEN(0.3, 2)},
    {"slice_direction", GIVEN(3, 0)},
    /* values in order: mean, sd, prior, coordinates */
    {"elliptical_slice", GIVEN(0.4, 2, 1)},
    {"elliptical_slice", GIVEN(0, 1, 0)},
    {"stretch", GIVEN(5)},
    /* values in order: mean, sd, components */
    {"independence", GIVEN(0.3, 2, 2)},
    {"independence", GIVEN(0.3, 1.5, 2, 3)},
    /* values in order: rate, batch, order, control variates, gradient noise */
    {"sgd", GIVEN(0.05, 2, 1)},
    {"momentum_sgd", GIVEN(0.02, 3, 0, 1)},
    {"sgld", GIVEN(0.1, 2, 0, 0, 1)},
    {"sgld", GIVEN(0.1, 3, 2, 1)},
    {"sghmc", GIVEN(0.02, 2, 1)},
    {"psgld", GIVEN(0.01, 3, 0, 0, 0.5)},
    /* values in order: step, batch, epsilon */
    {"austerity", GIVEN(0.7, 2, 0.2)},
    {"austerity", GIVEN(1.5, 3, 0)},
    /* values in order: step, simulations, bridges, inner */
    {"exchange", GIVEN(0.8, 3, 0)},
    {"exchange", GIVEN(1.5, 2, 2)},
    {"exchange", GIVEN(1.5, 1, 0, 2)},
    /* values in order: step, lambda */
    {"poisson_mh", GIVEN(0.8, 0.3)},
    {"poisson_mala", GIVEN(0.8, 2)},
    {"poisson_barker", GIVEN(1.2, 0.3)},
    /* values in order: step, q */
    {"firefly", GIVEN(0.6, 1)},
    {"firefly", GIVEN(1.2, 0.3)},
    /* values in order: step, chi, batch, length */
    {"tuna_mh", GIVEN(0.8, 0.3)},
    {"tuna_mh", GIVEN(1.5, 3)},
    {"tuna_sgld", GIVEN(0.8, 2, 2)},
    {"tuna_sgld", GIVEN(0.6, 0.5, 1, 0.7)},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Wrappers with an inner kernel and parameters. The parameters of tempering are
 * rungs, highest temperature, period and learning steps. The parameters of
 * flat-histogram wrappers are quantity, coordinate, first, width and number of
 * bins, window, measure and power. After these come the parameters of the
 * particular wrapper. */
static const struct {
    const char *name, *inner;
    given_values given;
} wrappers[] = {
    {"parallel_tempering", "random_walk", GIVEN(2, 4, 3)},
    {"parallel_tempering", "gibbs", GIVEN(3, 16, 2)},
    {"parallel_tempering", "dmala", GIVEN(2, 9, 3)},
    {"parallel_tempering", "edmala", GIVEN(2, 4, 3)},
    {"parallel_tempering", "hmc", GIVEN(2, 10, 3)},
    {"parallel_tempering", "slice_direction", GIVEN(2, 4, 3)},
    {"parallel_tempering", "nuts", GIVEN(2, 10, 3)},
    {"simulated_tempering", "dmala", GIVEN(3, 9, 3, 30)},
    {"simulated_tempering", "gwg", GIVEN(2, 5, 1, 0)},
    {"simulated_tempering", "any_scale", GIVEN(2, 4, 3, 0)},
    {"simulated_tempering", "mala", GIVEN(2, 6, 2, 10)},
    {"simulated_tempering", "nuts", GIVEN(2, 6, 2, 0)},
    {"samc", "random_walk", GIVEN(0, 1, 1, 0.7, 4, 0, 0, 0, 1, 50)},
    {"samc", "gibbs", GIVEN(2, 1, 1, 1, 4, 0, 1, 0, 0.1, 0)},
    {"samc", "mala", GIVEN(1, 1, 0, 0.7, 4, 0, 0, 0.4, 1, 50)},
    {"samc", "gibbs", GIVEN(0, 1, 1, 0.7, 4, 0, 0, 0, 1, 50, 3)},
    {"wang_landau", "random_walk",
     GIVEN(0, 1, 1, 0.7, 4, 0, 1, 0, 0, 8, 0.8, 1e-8)},
    {"wang_landau", "gibbs", GIVEN(0, 1, 1, 0.7, 4, 0, 0, 0, 1, 5, 0.8, 0.01)},
    {"wang_landau", "edmala",
     GIVEN(0, 1, 1, 0.7, 4, 0, 0, 0.5, 0, 8, 0.8, 1e-8)},
    {"multicanonical", "random_walk", GIVEN(0, 1, 1, 0.7, 4, 0, 0, 0, 0, 10)},
    {"multicanonical", "gibbs", GIVEN(0, 1, 1, 0.7, 4, 0, 1, 0, 0, 10)},
    {"multicanonical", "dmala", GIVEN(2, 1, 1, 1, 4, 0, 0, 0.5, 0, 10)},
    {"multicanonical", "edmala", GIVEN(0, 1, 1, 0.7, 4, 0, 0, 0.5, 0, 10)},
    {"multicanonical", "hmc", GIVEN(1, 2, 0, 0.7, 4, 0, 0, 0.3, 0, 10)},
    {"multicanonical", "mala", GIVEN(0, 1, 1, 0.7, 4, 0, 0, 1, 20, 5)},
};
enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };

/* Fills in the parameters of wrapper i, and returns their number. If the
 * wrapper does not learn, the parameters include log weights. */
static size_t given_of(size_t i, const cs_kernel_type *type, cs_value *given)
{
    static const double frozen[4] = {0, 0.6, -0.4, 0.9};
    const given_values *g = &wrappers[i].given;
    bool freezes =
        strcmp(type->name, "multicanonical") == 0 && g->value[8] == 0;
    size_t n = g->n;
    assert_true(n <= type->n_params);
    for (size_t k = 0; k < n; k++)
        given[k] = (cs_value){.name = type->params[k].name,
                              .kind = type->params[k].kind == CS_PARAM_BOOL
                                          ? CS_PARAM_BOOL
                                          : CS_PARAM_REAL,
                              .given = 1,
                              .number = g->value[k]};
    if (freezes)
        given[n++] = (cs_value){.name = "log_weights",
                                .kind = CS_PARAM_ARRAY,
                                .given = 1,
                                .array = frozen,
                                .rows = 4,
                                .cols = 1};
    return n;
}

/* Returns wrapper i of the list. The wrapper is created at the first call. */
static const cs_kernel *wrapper_at(size_t i)
{
    static cs_kernel made[WRAPPERS];
    if (made[i].type)
        return &made[i];
    setting inner;
    assert_true(law_setting(cs_kernel_find(wrappers[i].inner), 0, &inner));
    const cs_kernel_type *type = cs_kernel_find(wrappers[i].name);
    cs_value given[CS_KERNEL_PARAMS];
    cs_error err;
    if (cs_kernel_wrap(&made[i], type, given, given_of(i, type, given),
                       &inner.kernel, &err) != CS_OK)
        fail_msg("%s", err.what);
    return &made[i];
}

/* Finds setting k of a wrapper type, or of a single wrapper. */
static bool wrapper_setting(const cs_kernel_type *type, size_t k, setting *s)
{
    for (size_t i = 0; i < WRAPPERS; i++) {
        if (strcmp(wrappers[i].name, type->name) != 0 &&
            wrapper_at(i)->type != type)
            continue;
        if (k--)
            continue;
        *s = (setting){.kernel = *wrapper_at(i), .formula = wrappers[i].name};
        return true;
    }
    return false;
}

bool wanders(const cs_kernel_type *type)
{
    return type->aux && (type->wraps || type->aux->variable->unrecorded);
}

bool law_setting(const cs_kernel_type *type, size_t k, setting *s)
{
    if (type->wraps)
        return wrapper_setting(type, k, s);
    *s = (setting){.kernel.type = type, .formula = type->name};
    for (size_t i = 0; i < type->n_params; i++)
        s->kernel.values[i] = type->params[i].def;
    int adapt = cs_param_find(type->params, type->n_params, "adapt");
    if (adapt >= 0) /* laws require a frozen kernel */
        s->kernel.values[adapt] = 0;
    int prior = cs_param_find(type->params, type->n_params, "prior");
    if (prior >= 0) /* most targets have no prior */
        s->kernel.values[prior] = 1;
    for (size_t i = 0; k && i < SETTINGS; i++) {
        if (strcmp(settings[i].name, type->name) != 0 || --k)
            continue;
        assert_true(settings[i].given.n <= type->n_params);
        memcpy(s->kernel.values, settings[i].given.value,
               settings[i].given.n * sizeof *s->kernel.values);
        return true;
    }
    return k == 0;
}

bool law_fits(const setting *s, const points *p)
{
    return cs_kernel_fits(&s->kernel, p->target, NULL) == CS_OK;
}

bool takes_any_target(const cs_kernel_type *type)
{
    points p = points_create(&small_bits);
    setting s;
    law_setting(type, 0, &s);
    bool takes =
        !type->check || type->check(p.target, s.kernel.values, NULL) == CS_OK;
    points_destroy(&p);
    return takes;
}

/* Returns true if the small target is used for the setting. Targets with row
 * bounds are used only for kernels that need bounds. Targets with rows are used
 * only for settings with batches and for kernels that need rows. Graphs are
 * used only for kernels that fit no other kind of target. */
static bool is_wanted(const setting *s, const points *p)
{
    const cs_kernel_type *type = s->kernel.type;
    if (p->target->row_bounds & (CS_ROW_RANGE | CS_ROW_CHANGE))
        return type->prepare;
    if (p->target->n_rows) {
        int batch = cs_param_find(type->params, type->n_params, "batch");
        return !takes_any_target(type) ||
               (batch >= 0 && s->kernel.values[batch] > 0);
    }
    return !p->target->type->sites.bonds || !takes_any_target(s->kernel.type);
}

size_t law_everywhere(const kernel_law *law, const cs_kernel_type *type,
                      bool (*each)(const kernel_law *law, const setting *s,
                                   const points *p))
{
    size_t good = 0;
    for (size_t g = 0; law_grounds[g]; g++) {
        points p = points_create(law_grounds[g]);
        setting s;
        for (size_t k = 0; law_setting(type, k, &s); k++)
            if (law_fits(&s, &p) && is_wanted(&s, &p) &&
                (!law->applies || law->applies(&s, &p)))
                good += each(law, &s, &p);
        points_destroy(&p);
    }
    return good;
}

bool law_has_defaults(const setting *s)
{
    setting usual;
    return law_setting(s->kernel.type, 0, &usual) &&
           memcmp(usual.kernel.values, s->kernel.values,
                  sizeof s->kernel.values) == 0;
}

const kernel_law *law_find(const char *name)
{
    for (size_t k = 0; law_book[k]; k++)
        for (const kernel_law *law = law_book[k]; law->name; law++)
            if (strcmp(law->name, name) == 0)
                return law;
    return NULL;
}

bool law_owed(const kernel_law *law, const cs_kernel_type *type)
{
    return (law->owed ? law->owed : cs_law_find(law->name)->owed)(type);
}

law_result law_try(const kernel_law *law, const setting *s, const points *p)
{
    if (!law->holds)
        return law_check(law->name, s, p);
    return (law_result){.tried = true, .holds = law->holds(s, p)};
}

/* Returns true if the environment variable is set to this name, is empty, or is
 * not set. */
static bool is_asked(const char *variable, const char *name)
{
    const char *only = getenv(variable);
    if (only && *only && !law_find(only) && !cs_kernel_find(only))
        fail_msg("%s=%s is neither a law nor a kernel", variable, only);
    return !only || !*only || strcmp(only, name) == 0;
}

static bool must_hold(const kernel_law *law, const setting *s, const points *p)
{
    static const kernel_law *of;
    static const cs_kernel_type *by;
    static size_t seen;
    if (of != law || by != s->kernel.type)
        seen = 0;
    of = law;
    by = s->kernel.type;
    if (seen % CASES_EVERY) {
        seen++;
        return false;
    }
    law_result r = law_try(law, s, p);
    seen += r.tried;
    if (r.tried && !r.holds)
        fail_msg("%s (%g, %g, %g) on %s violates the law: %s %s",
                 s->kernel.type->name, s->kernel.values[0], s->kernel.values[1],
                 s->kernel.values[2], p->target->name, law->name, r.text);
    return r.tried;
}

void laws_hold(const kernel_law *laws)
{
    const cs_kernel_type *type;
    for (; laws->name; laws++) {
        size_t tried = 0, kernels = 0;
        double from = cs_clock();
        if (!is_asked("LAW", laws->name))
            continue;
        for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
            if (!is_asked("KERNEL", type->name))
                continue;
            size_t n = law_everywhere(laws, type, must_hold);
            if (n == 0 && law_owed(laws, type))
                fail_msg("kernel %s: the law was never tried: %s", type->name,
                         laws->name);
            tried += n;
            kernels += n > 0;
        }
        if (tried)
            print_message("%-14s holds in %zu cases of %zu kernels, %.2f s\n",
                          laws->name, tried, kernels, cs_clock() - from);
    }
}

/* ---- faults -------------------------------------------------------------- */

static void catch (const kernel_law *law, const kernel_fault *f)
{
    cs_kernel_type copy;
    setting s = {.formula = f->kernel};
    points p = points_create(f->target);
    kernel_spoil(f, &copy);
    s.kernel.type = &copy;
    for (size_t i = 0; i < copy.n_params; i++)
        s.kernel.values[i] = copy.params[i].def;
    memcpy(s.kernel.values, f->value, sizeof f->value);
    assert_true(law_fits(&s, &p));
    law_result r = law_try(law, &s, &p);
    if (r.holds || !r.tried)
        fail_msg("a fault of %s on %s is not detected by the law: %s%s",
                 f->kernel, p.target->name, law->name,
                 r.tried ? "" : ", untried");
    if (r.text[0] && getenv("LAW"))
        print_message("  %s on %s: %s\n", f->kernel, p.target->name, r.text);
    points_destroy(&p);
}

void laws_catch_faults(const kernel_law *laws)
{
    if (SANITIZED)
        skip();
    for (; laws->name; laws++) {
        size_t n = 0, of = 0;
        if (!is_asked("LAW", laws->name))
            continue;
        for (const kernel_fault *f = kernel_faults; f->law; f++)
            if (strcmp(f->law, laws->name) == 0) {
                of++;
                if (!is_asked("KERNEL", f->kernel))
                    continue;
                catch (laws, f);
                n++;
            }
        if (of == 0)
            fail_msg("no fault is planted for the law: %s", laws->name);
        print_message("%-14s detects %zu faults\n", laws->name, n);
    }
}

/* ---- blocks -------------------------------------------------------------- */

cs_block *open_block(const setting *s, cs_target *target, uint64_t seed,
                     size_t live, const double *x)
{
    const double *start[LAW_CHAINS];
    cs_block *b = NULL;
    assert_true(live <= LAW_CHAINS);
    for (size_t l = 0; l < live; l++)
        start[l] = x;
    assert_int_equal(
        cs_block_create(&b, target, &s->kernel, seed, 0, live, NULL, 0, NULL),
        CS_OK);
    cs_block_set_metric(b, s->metric);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    return b;
}

void one_step(const setting *s, cs_block *b)
{
    double value[CS_KERNEL_PARAMS];
    cs_driven driven = {.n = s->kernel.type->n_params, .value = value};
    memcpy(value, s->kernel.values, sizeof value);
    for (size_t i = 0; i < driven.n; i++)
        driven.param[i] = i;
    assert_int_equal(cs_block_run(b, &driven, 1, NULL), 1);
}
