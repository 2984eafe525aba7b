/* Compares focusing belief propagation with enumeration on one pattern, for
 * which it is exact. Also compares it with explicit messages between replicas
 * whose factors are enumerated. Also tests invalid input. */
#include "learn/focusing.h"
#include "support/support.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 5, M = 3, MOST_Y = 3, ROUNDS = 4000 };

static const double inputs[M * N] = {1, -1, 1, 1,  -1, -1, -1, 1,
                                     1, 1,  1, -1, -1, 1,  1};
static const double labels[M] = {1, -1, 1};

static cs_focus_plan plan_of(const double *focus, double y, double error)
{
    return (cs_focus_plan){.focus = focus,
                           .n = 1,
                           .replicas = y,
                           .error = error,
                           .damping = 0.2,
                           .tolerance = 1e-13,
                           .rounds = ROUNDS,
                           .seed = 3};
}

static double weight_of(unsigned state, size_t i)
{
    return state >> i & 1 ? 1 : -1;
}

static bool meets(const cs_patterns *p, size_t k, unsigned state)
{
    double sum = 0;
    for (size_t i = 0; i < p->inputs; i++)
        sum += p->input[k * p->inputs + i] * weight_of(state, i);
    return p->label[k] * sum > 0;
}

/* With one pattern the graph is a tree, and the magnetisations are exact. This
 * is tested for odd and even numbers of weights, and for hard and soft
 * patterns. */
static void one_pattern_is_exact(void **state)
{
    (void)state;
    static const double none = 0;
    static const double input[8] = {1, -1, -1, 1, 1, 1, -1, 1};
    for (int c = 0; c < 8; c++) {
        const double label = c % 2 ? 1 : -1, error = c % 4 > 1 ? 0.3 : 0;
        const cs_patterns p = {c > 3 ? 8 : 7, 1, input, &label};
        cs_focus_plan plan = plan_of(&none, 1, error);
        double found[8], sum[8] = {0}, all = 0;
        cs_focus_step step;
        assert_int_equal(cs_focus(&p, &plan, found, &step, NULL), CS_OK);
        for (unsigned s = 0; s < 1u << p.inputs; s++) {
            double w = meets(&p, 0, s) ? 1 : error;
            all += w;
            for (size_t i = 0; i < p.inputs; i++)
                sum[i] += w * weight_of(s, i);
        }
        for (size_t i = 0; i < p.inputs; i++)
            assert_near(found[i], sum[i] / all, 1e-12, 0);
        assert_int_equal(step.errors, 0);
    }
}

/* ---- replicas with explicit messages ------------------------------------- */

/* Messages of each replica, as probabilities that a weight is 1. `to` is a
 * message from a pattern to a weight, and `down` is a message from the
 * reference to a weight. */
typedef struct net {
    size_t y;
    double to[MOST_Y][M][N], down[MOST_Y][N];
    bool keeps; /* fault: a factor receives its own message */
} net;

/* Returns the probability that weight i of replica a is 1, given all patterns
 * except pattern k (k = M: given all patterns). With `down`, the reference is
 * given too. */
static double chance_at(const net *b, size_t a, size_t i, size_t k, bool down)
{
    double one = down ? b->down[a][i] : 0.5, other = 1 - one;
    for (size_t m = 0; m < M; m++)
        if (m != k || b->keeps) {
            one *= b->to[a][m][i];
            other *= 1 - b->to[a][m][i];
        }
    return one / (one + other);
}

static void pattern_speaks(const cs_patterns *p, net *b, size_t a, size_t k)
{
    double chance[N], one[N] = {0}, other[N] = {0};
    for (size_t i = 0; i < N; i++)
        chance[i] = chance_at(b, a, i, k, true);
    for (unsigned s = 0; s < 1u << N; s++)
        for (size_t i = 0; i < N; i++) {
            double w = meets(p, k, s) ? 1 : 0.05;
            for (size_t j = 0; j < N; j++)
                if (j != i)
                    w *= s >> j & 1 ? chance[j] : 1 - chance[j];
            *(s >> i & 1 ? &one[i] : &other[i]) += w;
        }
    for (size_t i = 0; i < N; i++)
        b->to[a][k][i] =
            0.2 * b->to[a][k][i] + 0.8 * one[i] / (one[i] + other[i]);
}

/* Returns the probability that a weight w' is 1. The factor e^(focus w w')
 * couples w' to a weight w that is 1 with probability p. */
static double coupled(double p, double focus)
{
    double same = exp(focus), not = exp(-focus);
    return (p * same + (1 - p) * not ) / (same + not );
}

static void references_speak(net *b, double focus)
{
    double next[MOST_Y][N] = {{0}};
    for (size_t a = 0; a < b->y; a++)
        for (size_t i = 0; i < N; i++) {
            double one = 1, other = 1;
            for (size_t c = 0; c < b->y; c++)
                if (c != a) {
                    double p = coupled(chance_at(b, c, i, M, false), focus);
                    one *= p;
                    other *= 1 - p;
                }
            next[a][i] = coupled(one / (one + other), focus);
        }
    memcpy(b->down, next, sizeof next);
}

static void settle(const cs_patterns *p, net *b, double focus)
{
    for (size_t a = 0; a < MOST_Y; a++)
        for (size_t i = 0; i < N; i++) {
            b->down[a][i] = 0.5;
            for (size_t k = 0; k < M; k++)
                b->to[a][k][i] = 0.5;
        }
    for (int round = 0; round < 250; round++) {
        references_speak(b, focus);
        for (size_t a = 0; a < b->y; a++)
            for (size_t k = 0; k < M; k++)
                pattern_speaks(p, b, a, k);
    }
}

static double apart(const cs_patterns *p, net *b, double focus, double y)
{
    double found[N], worst = 0;
    cs_focus_step step;
    cs_focus_plan plan = plan_of(&focus, y, 0.05);
    settle(p, b, focus);
    assert_int_equal(cs_focus(p, &plan, found, &step, NULL), CS_OK);
    assert_true(step.change <= plan.tolerance);
    for (size_t a = 0; a < b->y; a++)
        for (size_t i = 0; i < N; i++)
            worst = fmax(worst,
                         fabs(found[i] + 1 - 2 * chance_at(b, a, i, M, true)));
    return worst;
}

/* Replicas with explicit messages converge to the result of focusing belief
 * propagation. With another number of replicas or another coupling, or if a
 * factor receives its own message, they converge to another result. */
static void replicas_come_to_the_same(void **state)
{
    (void)state;
    const cs_patterns p = {N, M, inputs, labels};
    for (size_t y = 1; y <= MOST_Y; y++)
        for (double focus = 0; focus < 0.7; focus += 0.2) {
            net b = {.y = y}, deaf = {.y = y, .keeps = true};
            assert_true(apart(&p, &b, focus, (double)y) < 1e-9);
            assert_true(apart(&p, &deaf, focus, (double)y) > 1e-3);
            if (focus > 0.1)
                assert_true(apart(&p, &b, focus, (double)y + 1) > 1e-3);
        }
}

/* ---- solutions ----------------------------------------------------------- */

/* Tests a hundred weights and fifty patterns. The signs found by belief
 * propagation violate some patterns. The signs found by focusing belief
 * propagation violate none. */
static void focus_finds_a_solution(void **state)
{
    (void)state;
    enum { WIDE = 101, MANY = 50, STEPS = 8 };
    static const double focus[STEPS] = {0, 0.2, 0.4, 0.5, 0.6, 0.8, 1, 1.5};
    static double input[MANY * WIDE], label[MANY], found[WIDE];
    unsigned seed = 5;
    for (size_t k = 0; k < MANY * WIDE + MANY; k++) {
        seed = seed * 1664525u + 1013904223u;
        *(k < MANY ? label + k : input + k - MANY) = seed >> 31 ? 1 : -1;
    }
    const cs_patterns p = {WIDE, MANY, input, label};
    cs_focus_step step[STEPS];
    cs_focus_plan plan = plan_of(focus, 7, 0);
    plan.n = STEPS;
    plan.tolerance = 1e-6;
    plan.rounds = 300;
    plan.damping = 0.3;
    assert_int_equal(cs_focus(&p, &plan, found, step, NULL), CS_OK);
    assert_true(step[0].errors > 0);
    assert_int_equal(step[STEPS - 1].errors, 0);
    assert_int_equal(cs_pattern_errors(&p, found), 0);
    for (size_t k = 1; k < STEPS; k++)
        assert_true(step[k].size > step[k - 1].size);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const double focus = 0;
    double bad[M * N], found[N];
    cs_focus_step step;
    cs_error err;
    cs_focus_plan plan = plan_of(&focus, 1, 0);
    memcpy(bad, inputs, sizeof bad);
    bad[7] = 0.5;
    cs_patterns p = {N, M, bad, labels};
    assert_int_equal(cs_focus(&p, &plan, found, &step, &err), CS_RANGE);
    assert_string_equal(err.what,
                        "input 3 of pattern 2 is 0.5: it must be -1 or 1");
    p.inputs = CS_FOCUS_INPUTS + 1;
    assert_int_equal(cs_focus(&p, &plan, found, &step, &err), CS_RANGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_pattern_is_exact),
    cmocka_unit_test(replicas_come_to_the_same),
    cmocka_unit_test(focus_finds_a_solution),
    cmocka_unit_test(nonsense_is_refused),
};
TESTS(test_focusing)
