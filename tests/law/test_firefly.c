/* Tests firefly Monte Carlo. Given x, the bright rows have the correct
 * distribution, by enumeration and step by step. Each acceptance ratio is
 * recomputed row by row. By quadrature, the joint distribution of the state x
 * and the bright rows is correct. The bounds are below their terms and are
 * tight at the mode. A wrong bound ends the chain with a message. */
#include "base/memory.h"
#include "check/laws.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/mean_test.h"
#include "support/small_rows.h"
#include "support/support.h"
#include "target/lower_bound.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, FEW = 3, SETS = 1 << FEW, WORD_OF_BITS = 2 };

static setting firefly(double step, double q)
{
    setting s = {.kernel = kernel_of("firefly"), .formula = "firefly"};
    s.kernel.values[0] = step;
    s.kernel.values[1] = q;
    return s;
}

/* ---- a regression with three rows, by formulas --------------------------- */

static const double table[FEW][2] = {{1, 0.4}, {-0.5, 1.3}, {1.5, 2.2}};
static const double nu = 2;

static cs_target *three_rows(void)
{
    const cs_value given[] = {{.name = "table",
                               .kind = CS_PARAM_ARRAY,
                               .array = &table[0][0],
                               .rows = FEW,
                               .cols = 2},
                              {.name = "nu", .number = nu}};
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(cs_target_find("robust_regression"),
                                      given, 2, &t, NULL),
                     CS_OK);
    assert_int_equal(cs_lower_bound_make(t, NULL), CS_OK);
    return t;
}

static double term_at(double x, size_t r)
{
    double off = table[r][1] - table[r][0] * x;
    return -(nu + 1) / 2 * log(1 + off * off / nu);
}

/* Returns the bound of a term. As a function of the squared residual, the bound
 * is the tangent to the term at the residual of the mode. */
static double bound_at(const cs_target *t, double x, size_t r)
{
    double off = table[r][1] - table[r][0] * x;
    double xi = table[r][1] - table[r][0] * t->lower->mode[0];
    return -(nu + 1) / 2 *
           (log(1 + xi * xi / nu) + (off * off - xi * xi) / (nu + xi * xi));
}

/* Returns L / B - 1, where L is the likelihood of a row and B its bound. */
static double ratio_at(const cs_target *t, double x, size_t r)
{
    return expm1(term_at(x, r) - bound_at(t, x, r));
}

/* Returns the bright rows of lane l, one bit per row. */
static unsigned set_of(const cs_block *b, size_t l)
{
    uint64_t bits;
    memcpy(&bits, b->move.memory + WORD_OF_BITS * b->lanes + l, sizeof bits);
    return (unsigned)bits;
}

static double mass_of(const cs_target *t, double x, unsigned set)
{
    double mass = 1;
    for (size_t r = 0; r < FEW; r++) {
        double odds = ratio_at(t, x, r);
        mass *= (set >> r & 1 ? odds : 1) / (1 + odds);
    }
    return mass;
}

/* Returns the probability that a row changes from `from` to `to`; true means
 * bright, and false means dark. */
static double flip(double odds, double q, bool from, bool to)
{
    double leaves = from ? fmin(1, q / odds) : fmin(q, odds);
    return from == to ? 1 - leaves : leaves;
}

static double move_of(const cs_target *t, double x, double q, unsigned from,
                      unsigned to)
{
    double p = 1;
    for (size_t r = 0; r < FEW; r++)
        p *= flip(ratio_at(t, x, r), q, from >> r & 1, to >> r & 1);
    return p;
}

/* ---- the bright rows given x --------------------------------------------- */

static const double places[] = {-1, 0.1, 2.5};

static void formulas_are_reversible(void **state)
{
    (void)state;
    cs_target *t = three_rows();
    for (size_t i = 0; i < 3; i++)
        for (unsigned a = 0; a < SETS; a++) {
            double all = 0;
            for (unsigned b = 0; b < SETS; b++) {
                double there =
                    mass_of(t, places[i], a) * move_of(t, places[i], 0.3, a, b);
                double back =
                    mass_of(t, places[i], b) * move_of(t, places[i], 0.3, b, a);
                assert_near(there, back, 1e-14, 1e-16);
                all += move_of(t, places[i], 0.3, a, b);
            }
            assert_near(all, 1, 1e-14, 0);
        }
    cs_target_release(t);
}

/* Compares how often the set of bright rows changes with the probabilities of
 * the formula, for chains that hardly move. */
static void try_moves(cs_target *t, double x, double q, uint64_t seed)
{
    enum { STEPS = 2000 };
    static double count[SETS][SETS];
    memset(count, 0, sizeof count);
    setting s = firefly(1e-12, q);
    cs_block *b = open_block(&s, t, seed, LANES, &x);
    for (size_t k = 0; k < STEPS; k++) {
        unsigned from[LANES];
        for (size_t l = 0; l < LANES; l++)
            from[l] = set_of(b, l);
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++)
            count[from[l]][set_of(b, l)]++;
    }
    cs_block_destroy(b);
    for (unsigned a = 0; a < SETS; a++) {
        double mass[SETS], p;
        for (unsigned c = 0; c < SETS; c++)
            mass[c] = move_of(t, x, q, a, c);
        p = cs_check_cells_p(count[a], mass, SETS);
        if (p < 1e-5 / SETS)
            fail_msg("from set %u at %g, q = %g: p = %g", a, x, q, p);
    }
}

static void bright_rows_move_as_they_should(void **state)
{
    (void)state;
    static const double q[] = {0.05, 0.4, 1};
    cs_target *t = three_rows();
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            try_moves(t, places[i], q[k], 3 * i + k + 1);
    cs_target_release(t);
}

static void they_begin_with_their_own_law(void **state)
{
    (void)state;
    cs_target *t = three_rows();
    for (size_t i = 0; i < 3; i++) {
        double count[SETS] = {0}, mass[SETS];
        setting s = firefly(1, 0.1);
        cs_block *b = open_block(&s, t, 4, LANES, &places[i]);
        for (size_t k = 0; k < 500; k++) {
            b->step = k;
            cs_block_refresh(b);
            for (size_t l = 0; l < LANES; l++)
                count[set_of(b, l)]++;
        }
        for (unsigned a = 0; a < SETS; a++)
            mass[a] = mass_of(t, places[i], a);
        assert_true(cs_check_cells_p(count, mass, SETS) > 1e-5);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* ---- ratios -------------------------------------------------------------- */

/* Returns the log of the joint density of x and the bright rows, summed row by
 * row. */
static double joint_at(const cs_target *t, double x, unsigned set)
{
    double sum = 0;
    for (size_t r = 0; r < FEW; r++)
        sum += bound_at(t, x, r) + (set >> r & 1 ? log(ratio_at(t, x, r)) : 0);
    return sum;
}

/* Returns a bound on the rounding error of the joint log density. It is large
 * if a term nearly equals its bound. */
static double blur_at(const cs_target *t, double x, unsigned set)
{
    double sum = 1e-10;
    for (size_t r = 0; r < FEW; r++)
        sum += set >> r & 1 ? 1e-14 / ratio_at(t, x, r) : 0;
    return sum;
}

static void ratios_are_those_of_the_joint_density(void **state)
{
    (void)state;
    double zero = 0, accepted = 0;
    cs_target *t = three_rows();
    setting s = firefly(1.5, 0.3);
    cs_block *b = open_block(&s, t, 5, LANES, &zero);
    const cs_info *i = &b->move.info;
    for (size_t k = 0; k < 300; k++) {
        double x[LANES];
        unsigned set[LANES];
        for (size_t l = 0; l < LANES; l++) {
            x[l] = b->move.x[l];
            set[l] = set_of(b, l);
        }
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            double y = i->proposal[l];
            double want = joint_at(t, y, set[l]) - joint_at(t, x[l], set[l]);
            double blur = blur_at(t, y, set[l]) + blur_at(t, x[l], set[l]);
            if (fabs(y) < 15 && isfinite(want))
                assert_near(i->log_aux[l], want, 1e-10, blur);
            if (fabs(i->log_uniform[l] - want) > 1e-6)
                assert_int_equal(i->accepted[l],
                                 fabs(y) < 15 && i->log_uniform[l] < want);
            assert_true(b->move.x[l] == (i->accepted[l] ? y : x[l]));
            accepted += i->accepted[l];
        }
    }
    assert_true(accepted > 1000);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* ---- the joint law ------------------------------------------------------- */

/* A function of x and of the bright rows. Its mean over the chains is compared
 * with the expected mean. */
typedef double test_function(double x, unsigned set);

static double place(double x, unsigned set)
{
    (void)set;
    return x;
}

static double square(double x, unsigned set)
{
    (void)set;
    return x * x;
}

static double below(double x, unsigned set)
{
    (void)set;
    return x < 0.5;
}

static double first(double x, unsigned set)
{
    (void)x;
    return set & 1;
}

static double both(double x, unsigned set)
{
    (void)x;
    return (set & 3) == 3;
}

static double together(double x, unsigned set)
{
    return set & 4 ? x : 0;
}

static double value_of(const void *self, const cs_block *b, size_t l)
{
    test_function *const *f = self;
    return (*f)(b->move.x[l], set_of(b, l));
}

/* Integrates over the ball by the midpoint rule. */
static double quadrature(const cs_target *t, test_function *f)
{
    enum { POINTS = 20000 };
    double all = 0, sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double x = 30 * ((double)i + 0.5) / POINTS - 15, p = 0;
        for (size_t r = 0; r < FEW; r++)
            p += term_at(x, r);
        p = exp(p);
        all += p;
        for (unsigned set = 0; set < SETS; set++)
            sum += p * mass_of(t, x, set) * f(x, set);
    }
    return sum / all;
}

static void the_joint_law_is_kept(void **state)
{
    (void)state;
    static test_function *const f[] = {place, square, below,
                                       first, both,   together};
    static const double q[] = {0.1, 1};
    double zero = 0;
    cs_target *t = three_rows();
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
            setting s = firefly(3, q[k]);
            cs_block *b = open_block(&s, t, 6 + i, LANES, &zero);
            cs_block_run(b, NULL, 200, NULL);
            mean_test m = {.block = b,
                           .value = value_of,
                           .self = &f[i],
                           .want = quadrature(t, f[i]),
                           .thin = 20,
                           .first = 200};
            if (!mean_test_holds(&m))
                fail_msg("mean %zu is not %g at q = %g", i, m.want, q[k]);
            cs_block_destroy(b);
        }
    cs_target_release(t);
}

/* ---- many rows ----------------------------------------------------------- */

static cs_target *many_rows(double rows, double dim)
{
    const cs_value given[] = {
        {.name = "rows", .kind = CS_PARAM_INT, .number = rows},
        {.name = "dim", .kind = CS_PARAM_INT, .number = dim}};
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(cs_target_find("robust_regression"),
                                      given, 2, &t, NULL),
                     CS_OK);
    return t;
}

/* Checks that only a few rows are bright, and that a step evaluates only these
 * and a few other rows. Also checks that these evaluations are counted as the
 * work of the step. */
static void few_rows_are_touched(void **state)
{
    (void)state;
    static const double at[3] = {1, 1, 1};
    cs_target *t = many_rows(5000, 3);
    setting s = firefly(0.02, 0.01);
    cs_block *b = open_block(&s, t, 8, 3, at);
    double touched = 0, bright = 0, accepted = 0;
    uint64_t start = b->eval.work.data_terms;
    assert_int_equal(start, 3 * 5000);
    for (size_t k = 0; k < 400; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < 3; l++) {
            touched += b->move.info.stat[l];
            bright += b->move.info.stat[b->lanes + l];
            accepted += b->move.info.accepted[l];
        }
    }
    print_message("of 5000 rows %.0f are bright, a step evaluates %.0f\n",
                  bright / 1200, touched / 1200);
    assert_int_equal(b->eval.work.data_terms - start, (uint64_t)touched);
    assert_true(bright / 1200 < 500 && touched / 1200 < bright / 1200 + 100);
    assert_true(accepted > 200);
    cs_block_destroy(b);
    cs_target_release(t);
}

static void lower_terms_of(const cs_target *t, const double *x, double *term,
                           double *log_b)
{
    size_t first[2] = {0, t->n_rows}, dim = t->space.dim;
    uint32_t *row = cs_alloc(t->n_rows, sizeof *row);
    double *scratch = cs_alloc((dim + t->scratch_words) * CS_PAD, 8);
    for (size_t r = 0; r < t->n_rows; r++)
        row[r] = (uint32_t)r;
    for (size_t i = 0; i < dim * CS_PAD; i++)
        scratch[i] = x[i / CS_PAD];
    cs_point at = {.x = scratch,
                   .scratch = scratch + dim * CS_PAD,
                   .lanes = CS_PAD,
                   .live = 1};
    cs_batch b = {.row = row, .first = first};
    t->type->rows.lower_terms(t, &at, &b, term, log_b);
    cs_free(row);
    cs_free(scratch);
}

/* Checks that each bound is nowhere above its term and equals the term at the
 * mode, and that the bounds sum to the quadratic form. */
static void try_bounds(cs_target *t)
{
    uint64_t seed = 9;
    size_t n = t->n_rows, dim = t->space.dim;
    double *term = cs_alloc(2 * n, sizeof *term), *log_b = term + n, x[8];
    _Alignas(CS_ALIGN) double lanes[8 * CS_PAD], sum[CS_PAD];
    assert_true(dim <= 8);
    assert_int_equal(cs_lower_bound_make(t, NULL), CS_OK);
    for (size_t k = 0; k < 200; k++) {
        double all = 0, size = 0, wide = k ? pow(10, (double)(k % 5) - 2) : 0;
        for (size_t i = 0; i < dim; i++) {
            x[i] = t->lower->mode[i] + wide * small_normal(&seed);
            for (size_t l = 0; l < CS_PAD; l++)
                lanes[i * CS_PAD + l] = x[i];
        }
        lower_terms_of(t, x, term, log_b);
        cs_lower_bound_sum(t->lower, lanes, CS_PAD, sum);
        for (size_t r = 0; r < n; r++) {
            all += log_b[r];
            size += fabs(log_b[r]);
            assert_true(log_b[r] <= term[r] + 1e-12 * (1 + fabs(log_b[r])));
            if (k == 0)
                assert_near(log_b[r], term[r], 1e-10, 1e-10);
        }
        assert_near(sum[0], all, 0, 1e-10 * (1 + size));
    }
    cs_free(term);
}

/* Creates a logistic regression on six rows, with or without intercept. */
static cs_target *signs(bool intercept)
{
    static const double rows[6][3] = {{1, 0.4, 1},    {-0.5, 1.3, 0},
                                      {1.5, 2.2, 1},  {-2, -0.3, 1},
                                      {0.1, -1.1, 0}, {0.6, 0.9, 0}};
    const cs_value given[] = {
        {.name = "table",
         .kind = CS_PARAM_ARRAY,
         .array = &rows[0][0],
         .rows = 6,
         .cols = 3},
        {.name = "prior_sd", .number = 2},
        {.name = "intercept", .kind = CS_PARAM_BOOL, .number = intercept}};
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(cs_target_find("logistic_regression"),
                                      given, 3, &t, NULL),
                     CS_OK);
    return t;
}

static void bounds_are_below_and_tight(void **state)
{
    (void)state;
    cs_target *t[] = {many_rows(300, 4), signs(true), signs(false),
                      target_of("logistic_regression")};
    for (size_t i = 0; i < 4; i++) {
        try_bounds(t[i]);
        cs_target_release(t[i]);
    }
}

/* Functions whose means are compared, for a logistic regression in the plane.
 * The expected means are integrals by the midpoint rule. */
static double second(double x, unsigned set)
{
    (void)set;
    return x;
}

static double value_of_second(const void *self, const cs_block *b, size_t l)
{
    test_function *const *f = self;
    return (*f)(b->move.x[b->lanes + l], set_of(b, l));
}

static double grid_mean(const cs_target *t, test_function *f)
{
    enum { SIDE = 240 };
    const double reach = 12;
    static double x[SIDE][2], logp[SIDE];
    double all = 0, sum = 0;
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j < SIDE; j++) {
            x[j][0] = reach * (2 * ((double)i + 0.5) / SIDE - 1);
            x[j][1] = reach * (2 * ((double)j + 0.5) / SIDE - 1);
        }
        assert_true(cs_enumeration_evaluate(t, x[0], SIDE, logp));
        for (size_t j = 0; j < SIDE; j++) {
            all += exp(logp[j]);
            sum += exp(logp[j]) * f(x[j][1], 0);
        }
    }
    return sum / all;
}

static void a_logistic_regression_is_kept(void **state)
{
    (void)state;
    static const double zero[2];
    static test_function *const f[] = {second, square};
    cs_target *t = signs(false);
    for (size_t i = 0; i < 2; i++) {
        setting s = firefly(1.5, 0.2);
        cs_block *b = open_block(&s, t, 12 + i, LANES, zero);
        cs_block_run(b, NULL, 200, NULL);
        mean_test m = {.block = b,
                       .value = value_of_second,
                       .self = &f[i],
                       .want = grid_mean(t, f[i]),
                       .thin = 20,
                       .first = 200};
        if (!mean_test_holds(&m))
            fail_msg("mean %zu is not %g", i, m.want);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* Checks that log p decreases from the mode in each direction. */
static void the_mode_is_found(void **state)
{
    (void)state;
    cs_target *t = many_rows(300, 4);
    assert_int_equal(cs_lower_bound_make(t, NULL), CS_OK);
    double x[9][4], logp[9];
    for (size_t k = 0; k < 9; k++) {
        memcpy(x[k], t->lower->mode, sizeof x[k]);
        if (k)
            x[k][(k - 1) / 2] += k % 2 ? 0.01 : -0.01;
    }
    assert_true(cs_enumeration_evaluate(t, x[0], 9, logp));
    for (size_t k = 1; k < 9; k++)
        assert_true(logp[k] < logp[0]);
    cs_target_release(t);
}

/* ---- a wrong bound ------------------------------------------------------- */

static double spoil_to; /* added to the bound of row 4 */

static void spoil_bound(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *log_b)
{
    small_rows.rows.lower_terms(t, at, b, logp, log_b);
    for (size_t i = 0; i < b->first[at->live]; i++)
        if (b->row[i] == 4)
            log_b[i] += spoil_to;
}

static void spoil_term(const cs_target *t, const cs_point *at,
                       const cs_batch *b, double *logp, double *log_b)
{
    small_rows.rows.lower_terms(t, at, b, logp, log_b);
    for (size_t i = 0; i < b->first[at->live]; i++)
        if (b->row[i] == 4 && at->x[0] > 0)
            logp[i] = (double)NAN;
}

/* Runs until all chains have failed, and returns the first message. */
static void fail_by(const cs_target_type *type, char *text, size_t size)
{
    static const double start[SMALL_ROWS_DIM] = {-0.5, 0};
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    setting s = firefly(0.7, 0.5);
    cs_block *b = open_block(&s, t, 10, LANES, start);
    for (size_t k = 0; k < 400; k++)
        one_step(&s, b);
    for (size_t l = 0; l < LANES; l++) {
        assert_true(b->failed[l] != 0);
        assert_int_equal(b->fault[l], CS_FAULT_KERNEL);
        assert_true(cs_block_reason(b, l).row == 4);
    }
    cs_reason why = cs_block_reason(b, 0);
    cs_kernel_explain(&s.kernel, &why, text, size);
    cs_block_destroy(b);
    cs_target_release(t);
}

static void a_wrong_bound_ends_the_chain(void **state)
{
    (void)state;
    char text[256];
    cs_target_type type = small_rows;
    type.rows.lower_terms = spoil_bound;
    spoil_to = 3;
    fail_by(&type, text, sizeof text);
    assert_non_null(strstr(text, "row 5: its term -"));
    assert_non_null(strstr(text, "is below its lower bound "));
    type.rows.lower_terms = spoil_term;
    fail_by(&type, text, sizeof text);
    assert_string_equal(text, "the term of row 5 is not a number");
}

static void it_asks_for_bounds(void **state)
{
    (void)state;
    static const char *const none[] = {"gaussian", "truncated_gaussian"};
    cs_kernel k = kernel_of("firefly");
    for (size_t i = 0; i < 2; i++) {
        cs_target *t = target_of(none[i]);
        cs_error err = {0};
        assert_int_not_equal(cs_kernel_fits(&k, t, &err), CS_OK);
        assert_non_null(strstr(err.what, "lower bounds"));
        cs_target_release(t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(formulas_are_reversible),
    cmocka_unit_test(bright_rows_move_as_they_should),
    cmocka_unit_test(they_begin_with_their_own_law),
    cmocka_unit_test(ratios_are_those_of_the_joint_density),
    cmocka_unit_test(the_joint_law_is_kept),
    cmocka_unit_test(few_rows_are_touched),
    cmocka_unit_test(bounds_are_below_and_tight),
    cmocka_unit_test(a_logistic_regression_is_kept),
    cmocka_unit_test(the_mode_is_found),
    cmocka_unit_test(a_wrong_bound_ends_the_chain),
    cmocka_unit_test(it_asks_for_bounds),
};
TESTS(test_firefly)
