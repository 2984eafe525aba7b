/* Tests the law `conditional` of check: members that draw from the conditional
 * distribution of small_labels hold; a variance that is too large by 20 %, a
 * shifted mean, labels off by one, and draws that depend on the present values
 * are found in a given number of draws. */
#include "run/run.h"
#include "support/sanitized.h"
#include "support/small_make.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "check/laws.h"
#include "kernel/accept.h"
#include "kernel/composed.h"
#include "target/density_line.h"

#include <math.h>
#include <string.h>

/* The fault of the members. */
static struct {
    double scale, shift;
    bool swapped, follows;
} fault;

/* Draws the two means given the labels, or given other labels. */
static void step_means(cs_move *m)
{
    static const double y[2] = {-0.9, 1.6}, prior[2] = {-1, 1.5};
    double *normal = m->scratch;
    const double *z = m->eval->around + 2 * m->lanes;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, 2, normal);
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t k = 0; k < 2; k++) {
            double n = 1 / 2.25, sum = prior[k] / 2.25;
            size_t at = k * m->lanes + l;
            for (size_t i = 0; i < 2; i++)
                if ((z[i * m->lanes + l] > 0.5) == (k > 0)) {
                    n += 1;
                    sum += y[i];
                }
            double sd = 1 / sqrt(n), mean = sum / n;
            if (fault.follows)
                mean = 0.5 * mean + 0.5 * m->x[at];
            m->x[at] = mean + sd * (fault.shift + fault.scale * normal[at]);
            m->info.moved[l] = true;
        }
    cs_finish_moved(m);
}

/* Draws the labels given the means. */
static void step_labels(cs_move *m)
{
    static const double y[2] = {-0.9, 1.6};
    double *uniform = m->scratch;
    const double *mu = m->eval->around;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 2, uniform);
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t i = 0; i < 2; i++) {
            double p[2], prior[2] = {0.35, 0.65};
            size_t at = i * m->lanes + l;
            for (size_t k = 0; k < 2; k++) {
                double off = y[i] - mu[k * m->lanes + l];
                p[k] = prior[k] * exp(-0.5 * off * off);
            }
            bool one = uniform[at] * (p[0] + p[1]) < p[1];
            m->x[at] = one != fault.swapped;
            m->info.moved[l] = true;
        }
    cs_finish_moved(m);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

#define MEMBER                                                                 \
    .title = "", .ref = "", .help = "", .spaces = CS_CONTINUOUS | CS_DISCRETE, \
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_CONDITIONAL |  \
             CS_KERNEL_HIDDEN,                                                 \
    .scratch_words = scratch_words
static const cs_kernel_type means = {.name = "means",
                                     .step = step_means,
                                     MEMBER},
                            labels = {
                                .name = "labels", .step = step_labels, MEMBER};

/* ---- findings ------------------------------------------------------------ */

typedef struct found {
    size_t n, held, broken;
    char text[4][384];
} found;

static void keep(void *to, const cs_finding *f)
{
    found *k = to;
    assert_string_equal(f->law, "conditional");
    print_message("%s: %s\n", f->verdict == CS_HOLDS ? "holds" : "broken",
                  f->text);
    strcpy(k->text[k->n++ % 4], f->text);
    k->held += f->verdict == CS_HOLDS;
    k->broken += f->verdict == CS_BROKEN;
}

static void open_kernel(cs_kernel *k, cs_target *t, const cs_kernel *parts)
{
    static const uint32_t coordinate[] = {0, 1, 2, 3};
    const cs_member_spec spec[] = {{.name = "mu",
                                    .kernel = &parts[0],
                                    .coordinate = coordinate,
                                    .n = 2,
                                    .times = 1,
                                    .weight = 1},
                                   {.name = "z",
                                    .kernel = &parts[1],
                                    .coordinate = coordinate + 2,
                                    .n = 2,
                                    .times = 1,
                                    .weight = 1}};
    assert_int_equal(cs_kernel_cycle(k, t, spec, 2, NULL), CS_OK);
}

/* Tests the law with `draws` draws in the first round. */
static found look(size_t draws)
{
    found f = {0};
    cs_target *t;
    cs_run *run;
    const cs_kernel parts[] = {{.type = &means}, {.type = &labels}};
    static const double x[] = {0, 1, 0, 1};
    assert_int_equal(cs_target_create(&small_labels, NULL, 0, &t, NULL), CS_OK);
    cs_arm_spec arm = {.name = "a"};
    open_kernel(&arm.kernel, t, parts);
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 4,
                        .seed = 7,
                        .workers = 1,
                        .start = x,
                        .n_starts = 1};
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    cs_check c = {.say = keep,
                  .to = &f,
                  .seconds = 600,
                  .draws = draws,
                  .law = "conditional"};
    assert_int_equal(cs_check_run(run, &c, NULL), CS_OK);
    assert_int_equal(f.n, 2);
    assert_int_equal(c.broken, f.broken);
    cs_run_destroy(run);
    cs_kernel_release(&arm.kernel);
    cs_target_release(t);
    return f;
}

static void right_draws_hold(void **state)
{
    (void)state;
    fault.scale = 1;
    fault.shift = 0;
    fault.swapped = fault.follows = false;
    found f = look(20000 / SHORTER);
    assert_int_equal(f.held, 2);
}

static void wrong_draws_are_found(void **state)
{
    (void)state;
    found f;
    if (SANITIZED)
        skip();
    fault.scale = sqrt(1.2); /* the variance is 20 % too large */
    f = look(20000);
    assert_true(f.broken == 1 && strstr(f.text[0], "by the member mu") &&
                strstr(f.text[0], "sd 1."));
    fault.scale = 1;
    fault.shift = 0.15;
    f = look(20000);
    assert_true(f.broken == 1 && strstr(f.text[0], "mean off by +0.1"));
    fault.shift = 0;
    fault.follows = true;
    f = look(20000);
    assert_true(f.broken == 1 && strstr(f.text[0], "by the member mu"));
    fault.follows = false;
    fault.swapped = true;
    f = look(20000);
    assert_true(f.broken == 1 && strstr(f.text[1], "by the member z"));
    fault.swapped = false;
}

/* ---- the distribution along a line ---------------------------------------- */

/* A narrow normal far away, a Cauchy, an interval and a mixture of a wide and a
 * narrow normal. */
static int shape;
static double line_density(const double *x, double *g)
{
    double u = x[0], off = (u - 4e3) / 1e-2;
    g[0] = 0;
    if (shape == 0)
        return -0.5 * off * off;
    if (shape == 1)
        return -log1p(u * u);
    if (shape == 2)
        return u > -1 && u < 3 ? 0 : -HUGE_VAL;
    return log(exp(-0.5 * u * u) + 50 * exp(-5000 * (u - 1) * (u - 1)));
}

static cs_status set_line(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v, (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    return CS_OK;
}

static void line_logp(const cs_target *t, const cs_point *at, double *logp)
{
    small_each_lane(t, at, logp, NULL, line_density);
}

static const cs_target_type line_type = {.name = "line",
                                         .title = "one coordinate",
                                         .create = set_line,
                                         .destroy = small_destroy,
                                         .log_density = line_logp};

static double normal(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

static void lines_are_integrated(void **state)
{
    (void)state;
    static const struct {
        int shape;
        double start, y;
    } rows[] = {{0, 4000.02, 4000.01}, {1, 0, 5},   {1, 40, -3},
                {2, 0, 2.5},           {3, 0, 0.9}, {3, 1, 1.005}};
    cs_target *t;
    cs_density_line line = {0};
    assert_int_equal(cs_target_create(&line_type, NULL, 0, &t, NULL), CS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double y = rows[i].y, narrow = 0.5 / (1 + 0.5);
        double want[] = {
            normal((y - 4000) / 1e-2), 0.5 + atan(y) / acos(-1.0), (y + 1) / 4,
            (1 - narrow) * normal(y) + narrow * normal((y - 1) / 1e-2)};
        shape = rows[i].shape;
        assert_true(cs_density_line_find(&line, t, &rows[i].start, 0));
        double got = cs_density_line_below(&line, y, 0.5);
        print_message("shape %d: %zu points, %.6f, not %.6f\n", shape, line.n,
                      got, want[shape]);
        assert_true(fabs(got - want[shape]) < 2e-3);
    }
    cs_density_line_free(&line);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_are_integrated),
    cmocka_unit_test(right_draws_hold),
    cmocka_unit_test(wrong_draws_are_found),
};
TESTS(test_conditional)
