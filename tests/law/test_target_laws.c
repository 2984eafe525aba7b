/* Applies the laws of targets to every registered target, with its default
 * parameters and with parameters that select other code. For each law, a target
 * with a planted fault must fail. */
#include "support/support.h"
#include "support/target_laws.h"

#include "base/memory.h"
#include "simd/simd.h"

#include <stdio.h>
#include <string.h>

/* A file with a graph that has vertices of every degree. */
static const char uneven[] = "target_laws.tmp";
static const double odd_means[3][3] = {{1, 0, -1}, {0, 3, 0}, {-2, 0, 2}};
/* Parameters that select other code than the defaults do. */
static const struct {
    const char *name;
    cs_value given[3];
    size_t n;
} variations[] = {
    {"gaussian",
     {{.name = "dim", .kind = CS_PARAM_INT, .number = 37},
      {.name = "rho", .kind = CS_PARAM_REAL, .number = 0.7}},
     2},
    {"gaussian",
     {{.name = "dim", .kind = CS_PARAM_INT, .number = 2},
      {.name = "rho", .kind = CS_PARAM_REAL, .number = -0.8}},
     2},
    {"gaussian", {{.name = "dim", .kind = CS_PARAM_INT, .number = 1}}, 1},
    {"eight_schools",
     {{.name = "form", .kind = CS_PARAM_TEXT, .text = "centred"}},
     1},
    {"mixture",
     {{.name = "means",
       .kind = CS_PARAM_ARRAY,
       .array = odd_means[0],
       .rows = 3,
       .cols = 3},
      {.name = "sd", .kind = CS_PARAM_REAL, .number = 0.25}},
     2},
    {"ising",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 3},
      {.name = "coupling", .kind = CS_PARAM_TEXT, .text = "normal"}},
     2},
    {"ising",
     {{.name = "layers", .kind = CS_PARAM_INT, .number = 2},
      {.name = "field", .kind = CS_PARAM_REAL, .number = -0.3}},
     2},
    {"ising",
     {{.name = "file", .kind = CS_PARAM_TEXT, .text = uneven},
      {.name = "beta", .kind = CS_PARAM_REAL, .number = 0.4}},
     2},
    {"max_cut", {{.name = "file", .kind = CS_PARAM_TEXT, .text = uneven}}, 1},
    {"potts",
     {{.name = "file", .kind = CS_PARAM_TEXT, .text = uneven},
      {.name = "field", .kind = CS_PARAM_REAL, .number = 0.3}},
     2},
    {"potts",
     {{.name = "values", .kind = CS_PARAM_INT, .number = 5},
      {.name = "field", .kind = CS_PARAM_REAL, .number = 0.7}},
     2},
    {"independent_set",
     {{.name = "vertices", .kind = CS_PARAM_INT, .number = 10},
      {.name = "complement", .kind = CS_PARAM_BOOL, .number = 1}},
     2},
    {"lattice_modes",
     {{.name = "modes", .kind = CS_PARAM_INT, .number = 4},
      {.name = "gap", .kind = CS_PARAM_INT, .number = 7}},
     2},
    {"perceptron",
     {{.name = "classes", .kind = CS_PARAM_INT, .number = 2},
      {.name = "hidden", .kind = CS_PARAM_INT, .number = 3}},
     2},
    {"perceptron",
     {{.name = "classes", .kind = CS_PARAM_INT, .number = 5},
      {.name = "hidden", .kind = CS_PARAM_INT, .number = 9}},
     2},
    {"perceptron",
     {{.name = "activation", .kind = CS_PARAM_TEXT, .text = "relu"},
      /* With two rows, log p has only a few kinks. */
      {.name = "rows", .kind = CS_PARAM_INT, .number = 2},
      {.name = "hidden", .kind = CS_PARAM_INT, .number = 2}},
     3},
    /* Three networks. The first is dense. The second has three levels and never
     * halves its rows. The third has an odd number of rows and is halved
     * twice. */
    {"energy_network",
     {{.name = "kind", .kind = CS_PARAM_TEXT, .text = "dense"},
      {.name = "channels", .kind = CS_PARAM_INT, .number = 5}},
     2},
    {"energy_network",
     {{.name = "levels", .kind = CS_PARAM_INT, .number = 3},
      {.name = "rows", .kind = CS_PARAM_INT, .number = 2},
      {.name = "halvings", .kind = CS_PARAM_INT, .number = 0}},
     3},
    {"energy_network",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 5},
      {.name = "cols", .kind = CS_PARAM_INT, .number = 2},
      {.name = "halvings", .kind = CS_PARAM_INT, .number = 2}},
     3},
    /* Three tables: one with full tiles and an incomplete tile, one with wide
     * rows, and one with narrow rows. */
    {"robust_regression",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 101},
      {.name = "dim", .kind = CS_PARAM_INT, .number = 10},
      {.name = "beta", .kind = CS_PARAM_REAL, .number = 0.01}},
     3},
    {"robust_regression",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 65},
      {.name = "dim", .kind = CS_PARAM_INT, .number = 1},
      {.name = "radius", .kind = CS_PARAM_REAL, .number = 1.5}},
     3},
    {"truncated_gaussian",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 101},
      {.name = "dim", .kind = CS_PARAM_INT, .number = 20},
      {.name = "beta", .kind = CS_PARAM_REAL, .number = 0.01}},
     3},
    {"truncated_gaussian",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 65},
      {.name = "dim", .kind = CS_PARAM_INT, .number = 1},
      {.name = "beta", .kind = CS_PARAM_REAL, .number = 0.02}},
     3},
    {"truncated_gaussian", {{.name = "beta", .number = 0.1}}, 1},
    {"ising_parameter",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 4},
      {.name = "two", .kind = CS_PARAM_BOOL, .number = 1}},
     2},
    {"random_graph",
     {{.name = "vertices", .kind = CS_PARAM_INT, .number = 5},
      {.name = "statistics", .kind = CS_PARAM_INT, .number = 3}},
     2},
    {"logistic_regression",
     {{.name = "radius", .number = 1},
      {.name = "intercept", .kind = CS_PARAM_BOOL}},
     2},
    {"tsp", {{.name = "cities", .kind = CS_PARAM_INT, .number = 4}}, 1},
    {"tsp",
     {{.name = "gradient", .kind = CS_PARAM_TEXT, .text = "coordinates"}},
     1},
};

static void obeyed_by(const target_law *laws, const cs_target_type *type,
                      const cs_value *given, size_t n)
{
    room r = room_enter(type, given, n);
    for (; laws->name; laws++)
        if (!target_law_holds(laws, &r))
            fail_msg("target %s violates the law %s", type->name, laws->name);
    room_leave(&r);
}

static void obeyed_by_all(const target_law *laws)
{
    const cs_target_type *type;
    size_t n = 0;
    for (; (type = cs_target_at(n)); n++)
        if (!(type->flags & CS_TARGET_HIDDEN))
            obeyed_by(laws, type, NULL, 0);
    assert_true(n > 0);
    for (size_t k = 0; k < sizeof variations / sizeof *variations; k++)
        obeyed_by(laws, cs_target_find(variations[k].name), variations[k].given,
                  variations[k].n);
}

static void every_target_obeys(void **state)
{
    (void)state;
    obeyed_by_all(target_laws);
}

static void what_is_exact_is_exact(void **state)
{
    (void)state;
    obeyed_by_all(exact_laws);
}

/* ---- planted faults ------------------------------------------------------ */

static const cs_target_type *inner; /* the type of the faulty target */

static void depends_on_the_neighbours(const cs_target *t, const cs_point *at,
                                      double *logp)
{
    inner->log_density(t, at, logp);
    for (size_t l = 0; l < at->lanes && at->live > 1; l++)
        logp[l] = nextafter(logp[l], 0);
}

static void is_another_each_time(const cs_target *t, const cs_point *at,
                                 double *logp)
{
    static unsigned long calls;
    inner->log_density(t, at, logp);
    logp[3] += 1e-9 * (double)++calls;
}

static void block_gradient(const cs_target *t, const cs_point *at, double *logp,
                           double *g)
{
    inner->gradient(t, at, logp, g);
    if (at->live > 1)
        g[0] = nextafter(g[0], 0);
}

static void block_force(const cs_target *t, const cs_point *at, float *g)
{
    inner->force(t, at, g);
    if (at->live > 1)
        g[0] = nextafterf(g[0], 0);
}

static void force_uphill(const cs_target *t, const cs_point *at, float *g)
{
    inner->force(t, at, g);
    for (size_t l = 0; l < at->lanes; l++)
        g[l] = -g[l];
}

static void another_density(const cs_target *t, const cs_point *at,
                            double *logp, double *g)
{
    inner->gradient(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = nextafter(logp[l], 0);
}

static void another_gradient(const cs_target *t, const cs_point *at, double *g)
{
    static _Alignas(CS_ALIGN) double logp[TARGET_LANES];
    inner->gradient(t, at, logp, g);
    g[at->lanes - 1] = nextafter(g[at->lanes - 1], 0);
}

static void loses_a_millionth(const cs_target *t, const cs_point *at,
                              double *logp, double *g)
{
    inner->gradient(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        g[l] *= 1 + 1e-4;
}

static void turns_a_site_round(const cs_target *t, const cs_point *at,
                               const uint32_t *site, double *d)
{
    inner->sites.site(t, at, site, d);
    d[5] = -d[5];
    d[at->lanes + 5] = -d[at->lanes + 5];
}

static void knows_one_too_few(const cs_target *t, const cs_point *at, double *d)
{
    inner->sites.neighbours(t, at, d);
    d[(t->space.dim - 1) * at->lanes + 3] = 0.125;
}

static void forgets_a_weight(const cs_target *t, const cs_point *at,
                             const cs_batch *b, double *logp, double *g)
{
    const cs_batch plain = {.row = b->row, .first = b->first};
    inner->rows.slope(t, at, &plain, logp, g);
}

static void shows_one_lane_to_all(const cs_target *t, const cs_point *at,
                                  const cs_batch *b, double *logp)
{
    inner->rows.terms(t, at, b, logp);
    for (size_t l = 0; l < at->live; l++)
        logp[b->first[l]] = logp[0];
}

static void hides_nan(const cs_target *t, const cs_point *at, double *logp)
{
    inner->log_density(t, at, logp);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = isnan(logp[l]) ? -HUGE_VAL : logp[l];
}

static void swaps_two_bits(const cs_target *t, const cs_point *at, double *logp)
{
    double *x = cs_alloc(t->space.dim * at->lanes, 8);
    cs_point other = *at;
    memcpy(x, at->x, t->space.dim * at->lanes * 8);
    memcpy(x, at->x + at->lanes, at->lanes * 8);
    memcpy(x + at->lanes, at->x, at->lanes * 8);
    other.x = x;
    inner->log_density(t, &other, logp);
    cs_free(x);
}

static void draws_too_wide(const cs_target *t, const double *uniform, double *x)
{
    inner->exact.draw(t, uniform, x);
    for (size_t i = 0; i < t->space.dim; i++)
        x[i] *= 1.04;
}

static void draws_another_bit(const cs_target *t, const double *uniform,
                              double *x)
{
    double v = uniform[0] * 0.97;
    inner->exact.draw(t, &v, x);
}

static void names_all_alike(const cs_target *t, size_t i, char *text,
                            size_t size)
{
    (void)t;
    (void)i;
    snprintf(text, size, "x");
}

static cs_status blames_the_input(cs_target *t, const cs_value *values,
                                  cs_error *err)
{
    return inner->create(t, values, err) == CS_OK ? CS_OK : CS_INPUT;
}

static cs_status claims_too_much(cs_target *t, const cs_value *values,
                                 cs_error *err)
{
    static const double weight[] = {1 + 1e-9};
    cs_status s = inner->create(t, values, err);
    t->exact.mode_weight = weight;
    return s;
}

/* Fault: an evaluation that the evaluator does not count. */
static void evaluates_in_secret(const cs_target *t, const cs_point *at,
                                const uint32_t *site, double *d)
{
    t->type->log_density(t, at, d);
    inner->sites.site(t, at, site, d);
}

/* A fault: functions that replace those of a registered target, and the law
 * that must detect the fault. */
static const struct fault {
    const char *law, *target;
    cs_target_type with;
} faults[] = {
    {"density", "gaussian", {.log_density = is_another_each_time}},
    {"a_chain_is_the_same_in_any_block",
     "gaussian",
     {.gradient = block_gradient}},
    {"a_chain_is_the_same_in_any_block", "gaussian", {.force = block_force}},
    {"force_is_nearly_the_gradient", "gaussian", {.force = force_uphill}},
    {"gradient_carries_the_density",
     "gaussian",
     {.log_density = depends_on_the_neighbours}},
    {"gradient_carries_the_density", "mixture", {.gradient = another_density}},
    {"gradient_alone_is_the_gradient",
     "eight_schools",
     {.gradient_alone = another_gradient}},
    {"gradient", "gaussian", {.gradient = loses_a_millionth}},
    {"gradient", "eight_schools", {.gradient = loses_a_millionth}},
    {"gradient", "bernoulli4", {.log_density = swaps_two_bits}},
    {"differences", "bernoulli4", {.sites.site = turns_a_site_round}},
    {"differences", "bernoulli4", {.log_density = swaps_two_bits}},
    {"neighbours_are_site_differences",
     "ising",
     {.sites.neighbours = knows_one_too_few}},
    {"rows_make_the_whole", "perceptron", {.rows.slope = forgets_a_weight}},
    {"rows_make_the_whole",
     "perceptron",
     {.rows.terms = shows_one_lane_to_all}},
    {"rows_make_the_whole",
     "robust_regression",
     {.rows.slope = forgets_a_weight}},
    {"rows_make_the_whole",
     "truncated_gaussian",
     {.rows.slope = forgets_a_weight}},
    {"nan_stays_nan", "gaussian", {.log_density = hides_nan}},
    {"the_door_counts_what_is_done",
     "bernoulli4",
     {.sites.site = evaluates_in_secret}},
    {"creation_survives_lack_of_memory",
     "mixture",
     {.create = blames_the_input}},
    {"exact_values_are_exact", "bernoulli4", {.log_density = swaps_two_bits}},
    {"draws_follow_the_law", "gaussian", {.exact.draw = draws_too_wide}},
    {"draws_follow_the_law",
     "truncated_gaussian",
     {.exact.draw = draws_too_wide}},
    {"draws_follow_the_law", "bernoulli4", {.exact.draw = draws_another_bit}},
    {"weights_sum_to_one", "gaussian", {.create = claims_too_much}},
    {"coordinates_have_names", "gaussian", {.coordinate = names_all_alike}},
};
enum { FAULTS = sizeof faults / sizeof *faults };

static cs_target_type spoilt(const struct fault *f)
{
    inner = cs_target_find(f->target);
    assert_non_null(inner);
    cs_target_type t = *inner;
    t.create = f->with.create ? f->with.create : t.create;
    t.log_density = f->with.log_density ? f->with.log_density : t.log_density;
    t.gradient = f->with.gradient ? f->with.gradient : t.gradient;
    t.gradient_alone =
        f->with.gradient_alone ? f->with.gradient_alone : t.gradient_alone;
    t.force = f->with.force ? f->with.force : t.force;
    t.rows.slope = f->with.rows.slope ? f->with.rows.slope : t.rows.slope;
    t.rows.terms = f->with.rows.terms ? f->with.rows.terms : t.rows.terms;
    t.sites.site = f->with.sites.site ? f->with.sites.site : t.sites.site;
    t.sites.neighbours = f->with.sites.neighbours ? f->with.sites.neighbours
                                                  : t.sites.neighbours;
    t.exact.draw = f->with.exact.draw ? f->with.exact.draw : t.exact.draw;
    t.coordinate = f->with.coordinate ? f->with.coordinate : t.coordinate;
    return t;
}

static void catches_its_faults(const target_law *law)
{
    size_t caught = 0;
    for (size_t k = 0; k < FAULTS; k++) {
        if (strcmp(faults[k].law, law->name) != 0)
            continue;
        cs_target_type type = spoilt(&faults[k]);
        room r = room_enter(&type, NULL, 0);
        if (target_law_holds(law, &r))
            fail_msg("fault %zu (%s) is not detected by %s", k, type.name,
                     law->name);
        room_leave(&r);
        caught++;
    }
    if (caught == 0)
        fail_msg("no fault is planted for %s", law->name);
}

static void every_law_catches_a_fault(void **state)
{
    (void)state;
    faults_on_show = true;
    for (const target_law *law = target_laws; law->name; law++)
        catches_its_faults(law);
    for (const target_law *law = exact_laws; law->name; law++)
        catches_its_faults(law);
    faults_on_show = false;
}

/* ---- the graph ----------------------------------------------------------- */

static int write_graph(void **state)
{
    (void)state;
    FILE *file = fopen(uneven, "w");
    if (!file)
        return -1;
    fputs("6 8\n1 2\n1 3 -1\n1 4\n1 5 2\n1 6\n2 3\n3 4 -1\n4 5\n", file);
    return fclose(file);
}

static int remove_graph(void **state)
{
    (void)state;
    return remove(uneven);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_target_obeys),
    cmocka_unit_test(what_is_exact_is_exact),
    cmocka_unit_test(every_law_catches_a_fault),
};
TESTS_WITH(test_target_laws, write_graph, remove_graph)
