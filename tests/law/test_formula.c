/* Tests that every kernel has a formula. The formula of a kernel with an accept
 * step names parts of the log acceptance ratio. These parts sum to the ratio,
 * and every other part is 0. */
#include "kernels/formula.h"
#include "run/run.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 4, STEPS = 40 };

/* Returns the sum of the parts that the formula names. */
static double sum_of(const cs_formula *f, const cs_decision *d)
{
    return (f->logp ? d->logp_change : 0) + (f->aux ? d->log_aux : 0) +
           (f->back ? d->log_q_back : 0) - (f->forward ? d->log_q_forward : 0);
}

static bool is_summed(const cs_formula *f, const cs_decision *d)
{
    double sum = sum_of(f, d);
    return !isfinite(d->log_ratio) || d->failed_at > 0 ||
           fabs(sum - d->log_ratio) <= 1e-9 * (1 + fabs(d->log_ratio));
}

/* Returns the number of decisions whose log ratio equals the sum of the parts
 * named in `f`. *seen receives the number of all decisions. */
static size_t count(cs_target *t, const cs_kernel *k, const cs_formula *f,
                    size_t *seen)
{
    const cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 5,
                        .workers = 1};
    cs_run *r = NULL;
    size_t good = 0;
    *seen = 0;
    if (cs_run_create(&r, &spec, NULL) != CS_OK)
        return 0;
    for (int i = 0; i < STEPS; i++) {
        if (cs_run_advance(r, 1, NULL, NULL) != CS_OK)
            break;
        for (size_t c = 0; c < CHAINS; c++) {
            cs_decision d = cs_run_decision(r, 0, c).last;
            good += is_summed(f, &d);
            ++*seen;
        }
    }
    cs_run_destroy(r);
    return good;
}

static bool holds(cs_target *t, const cs_kernel *k)
{
    const cs_formula *f = cs_formula_of(k->type->name, NULL);
    size_t seen;
    assert_non_null(f);
    assert_non_null(f->move);
    if (!(k->type->flags & CS_KERNEL_ACCEPTS) || k->type->wraps)
        return true;
    assert_non_null(f->ratio);
    assert_true(strncmp(f->ratio, "log a = ", 8) == 0);
    return count(t, k, f, &seen) == seen;
}

static void parts_with_names_are_the_ratio(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        assert_non_null(cs_formula_of(type->name, NULL));
    assert_true(for_all_fits(holds, true) > 0);
}

/* If the name of a part is left out of a formula, this is detected for every
 * kernel that has this part. */
static void a_part_without_a_name_is_missed(void **state)
{
    static const char *const kernel[] = {"dmala", "mala", "edmala_glu"};
    (void)state;
    for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) {
        cs_kernel k = kernel_of(kernel[i]);
        cs_target *t = target_of(i == 1 ? "gaussian" : "ising");
        cs_formula f = *cs_formula_of(kernel[i], NULL);
        size_t seen;
        assert_int_equal(count(t, &k, &f, &seen), CHAINS * STEPS);
        f.forward = NULL;
        assert_true(count(t, &k, &f, &seen) < seen);
        cs_target_release(t);
    }
}

/* A wrapper has the formula of its inner kernel, unless the wrapper itself
 * accepts or rejects. */
static void wrappers_have_formulas(void **state)
{
    bool tempered;
    (void)state;
    assert_ptr_equal(cs_formula_of("parallel_tempering(dmala)", &tempered),
                     cs_formula_of("dmala", NULL));
    assert_true(tempered);
    assert_ptr_equal(cs_formula_of("samc(dmala)", &tempered),
                     cs_formula_of("wang_landau(gibbs)", NULL));
    assert_false(tempered);
    assert_null(cs_formula_of("nobody", NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_with_names_are_the_ratio),
    cmocka_unit_test(a_part_without_a_name_is_missed),
    cmocka_unit_test(wrappers_have_formulas),
};
TESTS(test_formula)
