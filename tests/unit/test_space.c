/* Tests spaces of several parts: their states, what the evaluator computes on
 * them, and which kernels and probes refuse them. */
#include "support/small_mixed.h"
#include "support/support.h"

#include "base/memory.h"
#include "kernel/kernel.h"
#include "probe/probe.h"
#include "target/derivatives.h"
#include "target/enumeration.h"
#include "target/eval.h"

#include <math.h>
#include <string.h>

enum { DIM = 4, STATES = 48 };

static cs_target *make(const cs_target_type *type)
{
    cs_target *t;
    cs_error err;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, &err), CS_OK);
    return t;
}

static double value_at(const cs_target *t, const double *x)
{
    double logp;
    assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
    return logp;
}

/* ---- states ---- */

static void kinds_are_told_apart(void **state)
{
    (void)state;
    const cs_space bits = {.kind = CS_BINARY, .dim = 3, .values = 2};
    const cs_space real = {.kind = CS_CONTINUOUS, .dim = 3};
    cs_target *listed = make(&small_listed), *labels = make(&small_labels);
    assert_true(cs_space_is_discrete(&bits) && !cs_space_is_real(&bits));
    assert_true(cs_space_is_real(&real) && !cs_space_is_discrete(&real));
    assert_false(cs_space_is_discrete(&listed->space));
    assert_false(cs_space_is_real(&listed->space));
    assert_true(cs_space_is_countable(&bits));
    assert_false(cs_space_is_countable(&real));
    assert_true(cs_space_is_countable(&listed->space));
    assert_false(cs_space_is_countable(&labels->space));
    assert_int_equal(cs_space_sites(&bits), 3);
    assert_int_equal(cs_space_sites(&real), 0);
    assert_int_equal(cs_space_sites(&labels->space), 2);
    assert_int_equal(cs_space_most_values(&listed->space), 4);
    assert_int_equal(cs_space_most_values(&real), 0);
    for (size_t i = 0; i < DIM; i++)
        assert_int_equal(cs_space_is_whole(&labels->space, i), i >= 2);
    assert_string_equal(cs_space_name(labels->space.kind), "mixed");
    cs_target_release(listed);
    cs_target_release(labels);
}

static void a_coordinate_has_a_part(void **state)
{
    (void)state;
    cs_target *t = make(&small_listed);
    static const char *const name[DIM] = {"b", "b", "z", "n"};
    static const int low[DIM] = {0, 0, 1, 2}, values[DIM] = {2, 2, 3, 4};
    for (size_t i = 0; i < DIM; i++) {
        cs_part p = cs_space_part(&t->space, i);
        assert_string_equal(p.name, name[i]);
        assert_int_equal(p.low, low[i]);
        assert_int_equal(p.values, values[i]);
    }
    cs_target_release(t);
    const cs_space one = {.kind = CS_ORDINAL, .dim = 5, .low = -1, .values = 3};
    cs_part p = cs_space_part(&one, 4);
    assert_true(p.kind == CS_ORDINAL && p.first == 0 && p.dim == 5);
    assert_true(p.low == -1 && p.values == 3 && !p.name);
}

static void states_are_numbered(void **state)
{
    (void)state;
    cs_target *t = make(&small_listed);
    double x[DIM], wide[DIM * 3], last[DIM] = {-1, 0, 0, 0};
    assert_true(cs_space_states(&t->space) == STATES);
    for (size_t k = 0; k < STATES; k++) {
        cs_space_state(&t->space, k, x);
        assert_true(cs_space_contains(&t->space, x, 1));
        assert_int_equal(cs_space_index(&t->space, x, 1), k);
        for (size_t i = 0; i < DIM; i++)
            wide[3 * i] = x[i];
        assert_true(cs_space_contains(&t->space, wide, 3));
        assert_int_equal(cs_space_index(&t->space, wide, 3), k);
        size_t i = 0; /* the states are in lexicographic order */
        while (i < DIM && x[i] == last[i])
            i++;
        assert_true(i < DIM && x[i] > last[i]);
        memcpy(last, x, sizeof last);
    }
    cs_target *real = make(&small_labels);
    assert_true(cs_space_states(&real->space) == HUGE_VAL);
    cs_target_release(real);
    cs_target_release(t);
}

static void ranges_are_checked_by_coordinate(void **state)
{
    (void)state;
    cs_target *t = make(&small_listed), *labels = make(&small_labels);
    static const double in[][DIM] = {{0, 1, 1, 2}, {1, 1, 3, 5}};
    static const double out[][DIM] = {{2, 0, 1, 2},   {0, 0, 0, 2},
                                      {0, 0, 4, 2},   {0, 0, 1, 1},
                                      {0, 0, 1, 2.5}, {0, 0, 1, 6}};
    for (size_t k = 0; k < 2; k++)
        assert_true(cs_space_contains(&t->space, in[k], 1));
    for (size_t k = 0; k < 6; k++)
        assert_false(cs_space_contains(&t->space, out[k], 1));
    assert_true(cs_space_contains(&labels->space,
                                  (const double[]){-0.3, 7.1, 0, 1}, 1));
    assert_false(cs_space_contains(&labels->space,
                                   (const double[]){-0.3, 7.1, 0.5, 1}, 1));
    assert_false(cs_space_contains(
        &labels->space, (const double[]){(double)NAN, 7.1, 0, 1}, 1));
    double x[DIM];
    cs_space_start(&labels->space, (const double[]){0, 0.75, 0.49, 0.51}, x);
    assert_true(x[0] == -2 && x[1] == 1 && x[2] == 0 && x[3] == 1);
    cs_space_start(&t->space, (const double[]){0.5, 0.49, 0.99, 0.3}, x);
    assert_true(x[0] == 1 && x[1] == 0 && x[2] == 3 && x[3] == 3);
    cs_target_release(t);
    cs_target_release(labels);
}

static void malformed_spaces_are_invalid(void **state)
{
    (void)state;
    static const cs_part gap[] = {
        {.kind = CS_CONTINUOUS, .first = 0, .dim = 1},
        {.kind = CS_CONTINUOUS, .first = 2, .dim = 1}};
    static const cs_part bit[] = {{.kind = CS_BINARY, .dim = 2, .values = 3}};
    static const cs_part nested[] = {{.kind = CS_MIXED, .dim = 2}};
    const cs_part *const part[] = {gap, bit, nested};
    const size_t n[] = {2, 1, 1}, dim[] = {3, 2, 2};
    for (size_t k = 0; k < 3; k++)
        assert_false(cs_space_is_valid(&(cs_space){.kind = CS_MIXED,
                                                   .dim = dim[k],
                                                   .n_parts = n[k],
                                                   .part = part[k]}));
    assert_false(cs_space_is_valid(&(cs_space){.kind = CS_MIXED, .dim = 2}));
    assert_true(cs_space_is_valid(
        &(cs_space){.kind = CS_MIXED, .dim = 1, .n_parts = 1, .part = gap}));
    cs_target *a = make(&small_listed), *b = make(&small_labels);
    assert_true(cs_space_is_same(&a->space, &a->space));
    assert_false(cs_space_is_same(&a->space, &b->space));
    cs_target_release(a);
    cs_target_release(b);
}

/* ---- exact values, derivatives, the evaluator ---- */

static void mixed_states_are_enumerated(void **state)
{
    (void)state;
    cs_target *t = make(&small_listed);
    const cs_enumeration *truth = cs_enumeration_of(t);
    assert_int_equal(truth->n, STATES);
    for (size_t i = 0; i < DIM; i++) {
        double first, width, p[DIM], want[DIM] = {0}, x[DIM];
        cs_part part = cs_space_part(&t->space, i);
        size_t cells = cs_enumeration_axis(t, truth, i, &first, &width, p);
        assert_int_equal(cells, part.values);
        assert_true(first == part.low - 0.5 && width == 1);
        for (size_t k = 0; k < STATES; k++) {
            cs_enumeration_point(t, truth, k, x);
            want[(int)x[i] - part.low] += truth->p[k];
        }
        for (size_t v = 0; v < cells; v++)
            assert_near(p[v], want[v], 1e-14, 0);
    }
    cs_target_release(t);
}

/* The first coordinates are real; those that follow are discrete, and have no
 * second derivatives. */
static void compare_curvatures(cs_target *t, const double *x, size_t first)
{
    cs_derivatives *s;
    double h[DIM * DIM];
    assert_int_equal(cs_derivatives_open(&s, t, CS_CURVATURES, NULL), CS_OK);
    assert_false(cs_derivatives_is_exact(s));
    cs_derivatives_hessian(s, x, h);
    for (size_t i = 0; i < DIM; i++)
        for (size_t j = 0; j < DIM; j++)
            assert_true(isfinite(h[i * DIM + j]) &&
                        ((i < first && j < first) || h[i * DIM + j] == 0));
    cs_derivatives_close(s);
}

/* Compares the differences of all sites with log p at the changed states. */
static void compare_differences(const cs_target_type *type, size_t first)
{
    cs_target *t = make(type);
    cs_derivatives *s;
    cs_error err;
    const double x[DIM] = {1, 0, first ? 1 : 2, first ? 0 : 4};
    double d[DIM], y[DIM], now = value_at(t, x);
    assert_int_equal(cs_derivatives_open(&s, t, CS_VALUES, &err), CS_OK);
    for (size_t i = first; i < DIM; i++) {
        cs_part part = cs_space_part(&t->space, i);
        cs_derivatives_differences(s, x, i, d);
        for (int v = 0; v < part.values; v++) {
            memcpy(y, x, sizeof y);
            y[i] = part.low + v;
            assert_near(d[v], value_at(t, y) - now, 1e-13, 0);
        }
    }
    cs_derivatives_close(s);
    if (first && type->gradient) {
        compare_curvatures(t, x, first);
    } else {
        assert_int_not_equal(cs_derivatives_open(&s, t, CS_CURVATURES, &err),
                             CS_OK);
        assert_non_null(strstr(err.what, t->name));
    }
    cs_target_release(t);
}

static void differences_of_sites(void **state)
{
    (void)state;
    compare_differences(&small_listed, 0);
    compare_differences(&small_cached, 0);
    compare_differences(&small_labels, 2);
}

/* Asks for sites of different parts in one call. */
static void lanes_may_ask_for_sites_of_several_parts(void **state)
{
    (void)state;
    static const cs_target_type *const types[] = {&small_listed, &small_cached};
    for (size_t k = 0; k < 2; k++) {
        cs_target *t = make(types[k]);
        enum { LANES = CS_PAD };
        size_t cache = cs_eval_cache_words(t),
               scratch = cs_eval_scratch_words(t);
        double *memory =
            cs_alloc((DIM + 1 + 4 + cache + scratch) * LANES, sizeof *memory);
        double *x = memory, *logp = x + DIM * LANES, *d = logp + LANES;
        cs_eval e;
        cs_eval_open(&e, t, LANES, LANES, d + 4 * LANES,
                     d + (4 + cache) * LANES);
        uint32_t site[LANES];
        double y[DIM];
        for (size_t l = 0; l < LANES; l++) {
            cs_space_state(&t->space, 5 * l + 3, y);
            site[l] = (uint32_t)(l % DIM);
            for (size_t i = 0; i < DIM; i++)
                x[i * LANES + l] = y[i];
        }
        cs_eval_log_density(&e, CS_NOW, x, logp);
        cs_eval_site(&e, x, logp, site, d);
        for (size_t l = 0; l < LANES; l++) {
            cs_part part = cs_space_part(&t->space, site[l]);
            cs_space_state(&t->space, 5 * l + 3, y);
            for (int v = 0; v < part.values; v++) {
                y[site[l]] = part.low + v;
                assert_near(d[(size_t)v * LANES + l], value_at(t, y) - logp[l],
                            1e-13, 0);
            }
        }
        cs_free(memory);
        cs_target_release(t);
    }
}

static void a_site_costs_its_share_of_the_sites(void **state)
{
    (void)state;
    cs_target *t = make(&small_labels);
    const cs_work sites = {.site_differences = 6};
    assert_near(cs_work_evaluations(&sites, t), 3, 1e-14, 0);
    cs_target_release(t);
}

/* ---- refusals ---- */

static void kernels_refuse_mixed_spaces_by_name(void **state)
{
    (void)state;
    cs_target *t = make(&small_labels);
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        cs_kernel k;
        cs_error err = {0};
        if (type->wraps || cs_kernel_init(&k, type, NULL, 0, &err))
            continue;
        assert_int_equal(cs_kernel_fits(&k, t, &err), CS_UNSUPPORTED);
        assert_non_null(strstr(err.what, type->name));
        assert_non_null(strstr(err.what, "mixed"));
        cs_kernel_release(&k);
    }
    cs_target_release(t);
}

static void probes_refuse_or_take_mixed_spaces(void **state)
{
    (void)state;
    static const char *const refused[] = {"mmd", "transitions", "divergent",
                                          "curvature"};
    cs_target *t = make(&small_labels);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const cs_probe_type *type = cs_probe_find(refused[k]);
        cs_probe p;
        cs_error err = {0};
        assert_non_null(type);
        assert_int_equal(cs_probe_init(&p, type, NULL, 0, t, &err),
                         CS_UNSUPPORTED);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_are_told_apart),
    cmocka_unit_test(a_coordinate_has_a_part),
    cmocka_unit_test(states_are_numbered),
    cmocka_unit_test(ranges_are_checked_by_coordinate),
    cmocka_unit_test(malformed_spaces_are_invalid),
    cmocka_unit_test(mixed_states_are_enumerated),
    cmocka_unit_test(differences_of_sites),
    cmocka_unit_test(lanes_may_ask_for_sites_of_several_parts),
    cmocka_unit_test(a_site_costs_its_share_of_the_sites),
    cmocka_unit_test(kernels_refuse_mixed_spaces_by_name),
    cmocka_unit_test(probes_refuse_or_take_mixed_spaces),
};
TESTS(test_space)
