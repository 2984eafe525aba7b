/* Tests tuners with given acceptance functions. The tuner of acs is compared
 * with a second implementation of Algorithms 2 to 5 in plain loops. For the
 * tuner `acceptance` the search is tested. The number of a trial serves as the
 * state after this trial. Hence the tests also compare the state from which
 * each trial starts. */
#include "support/support.h"

#include "base/memory.h"
#include "tune/tuner.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, PERIOD = 20 };

static cs_tuner tuner_of(const char *name, const cs_value *given, size_t n)
{
    cs_tuner t;
    cs_error err;
    if (cs_tuner_init(&t, cs_tuner_find(name), given, n, &err))
        fail_msg("%s", err.what);
    return t;
}

/* ---- a tuner with an artificial acceptance ---- */

/* Returns the acceptance of a step size and a balance. The acceptance decreases
 * with the step size, and the best balance increases with the step size. */
static double accept(double hard, double step, double balance)
{
    double best = 0.5 + 0.5 * step / (1 + step);
    double miss = balance - best;
    return exp(-hard * step / (1 + step)) * exp(-4 * hard * miss * miss);
}

typedef struct story {
    size_t n;
    double step[MOST], balance[MOST];
    /* for each trial, the number of the trial in whose final state it starts;
     * -1: it starts in the initial state */
    long from[MOST];
    bool taken[MOST];
    double alpha[CS_SCHEDULE_LIST], beta[CS_SCHEDULE_LIST];
    long last; /* final state of the chains */
} story;

static void tell(const cs_tuner *t, double hard, story *s)
{
    long slot[CS_TUNER_SLOTS] = {-1, -1, -1}, here = -1;
    void *memory = calloc(1, t->type->memory);
    cs_schedule out[CS_TUNER_DRIVEN];
    cs_trial trial;
    double result = (double)NAN;
    memset(s, 0, sizeof *s);
    for (;;) {
        bool more = t->type->next(t, memory, &result, &trial);
        if (trial.taken != CS_NO_TRIAL)
            s->taken[trial.taken] = true;
        if (trial.keep != CS_NO_SLOT)
            slot[trial.keep] = here;
        if (trial.from != CS_NO_SLOT)
            here = slot[trial.from];
        if (!more)
            break;
        s->step[s->n] = trial.value[0];
        s->balance[s->n] = trial.value[1];
        s->from[s->n] = here;
        result = trial.unadjusted
                     ? (double)NAN
                     : accept(hard, trial.value[0], trial.value[1]);
        here = (long)s->n++;
        assert_true(s->n <= t->type->trials(t->values));
    }
    t->type->freeze(t, memory, out);
    for (size_t i = 0; i < 2; i++)
        out[i].type->fill(&out[i], 1, PERIOD, i ? s->beta : s->alpha);
    s->last = here;
    free(memory);
}

/* ---- second implementation ---- */

typedef struct hand {
    story s;
    double hard, target;
} hand;

static double test(hand *h, double step, double balance, long from)
{
    size_t n = h->s.n++;
    h->s.step[n] = step;
    h->s.balance[n] = balance;
    h->s.from[n] = from;
    return accept(h->hard, step, balance);
}

static double spaced(double a, double b, int n, int i)
{
    return i == n - 1 ? b : a + (b - a) * i / (n - 1);
}

/* Makes one round of n trials. With `nearest`, selects the trial whose
 * acceptance is nearest to the target acceptance; without `nearest`, the trial
 * with the highest acceptance. Returns the value of the selected trial, and
 * stores its acceptance and final state. */
static double best_of(hand *h, double a, double b, int n, double other,
                      bool is_step, bool nearest, double *rate, long *theta)
{
    double best = 0, value = 0;
    long end = 0;
    for (int i = 0; i < n; i++) {
        double v = spaced(a, b, n, i);
        double rho = test(h, is_step ? v : other, is_step ? other : v, *theta);
        bool better = nearest ? fabs(rho - h->target) < fabs(best - h->target)
                              : rho > best;
        if (i == 0 || better) {
            best = rho;
            value = v;
            end = (long)h->s.n - 1;
        }
    }
    h->s.taken[end] = true;
    *rate = best;
    *theta = end;
    return value;
}

/* Computes Algorithm 4. With `stop`, a search for the largest step ends with
 * the first round in which some trials reach the target acceptance. The search
 * then returns the largest step of these trials. */
static double end_of_cycle(hand *h, double bound, double balance, bool max,
                           bool stop, long theta)
{
    double rho = 0;
    for (int i = 0; i < 100; i += 5) {
        double far = 0.5 * fabs(h->target - rho);
        double other = bound * (max ? 1 - far : 1 + far);
        double first = max ? other : bound, last = max ? bound : other;
        int good = -1;
        for (int k = 0; k < 5; k++)
            if (accept(h->hard, spaced(first, last, 5, k), balance) >
                h->target - 0.01)
                good = k;
        bound = best_of(h, first, last, 5, balance, true, true, &rho, &theta);
        if (!max || !stop || good < 0)
            continue;
        h->s.taken[theta] = false;
        h->s.taken[h->s.n - 5 + (size_t)good] = true;
        return spaced(first, last, 5, good);
    }
    return bound;
}

static int steps_of(double low, double high, double *alpha)
{
    int rest = -1;
    for (int k = 0; k < PERIOD; k++) {
        double a = high / 2 * (cos(3.14159265358979323846 * k / PERIOD) + 1);
        if (a < low && rest < 0)
            rest = k;
        alpha[k] = rest < 0 ? a : low;
    }
    alpha[PERIOD - 1] = low;
    return rest < 0 ? PERIOD - 1 : rest;
}

/* Computes Algorithm 3, Algorithm 4 twice, and Algorithm 5. */
static void by_the_paper(hand *h, bool stop)
{
    double low, high, rho;
    long home;
    test(h, 5, 0.95, -1);
    for (int i = 0; i < 40; i++) { /* two cycles */
        double wave = cos(3.14159265358979323846 * (i % PERIOD) / PERIOD);
        test(h, fmax(5 / 2.0 * (wave + 1), 0.05), 0.225 * wave + 0.725,
             (long)h->s.n - 1);
    }
    home = (long)h->s.n - 1;
    low = end_of_cycle(h, 0.05, 0.5, false, stop, home);
    high = end_of_cycle(h, 5, 0.95, true, stop, home);
    int rest = steps_of(low, high, h->s.alpha);
    for (int k = 0; k < PERIOD; k++)
        h->s.beta[k] = k < rest ? 0.95 : 0.5;
    h->s.last = home;
    for (int k = 1; k < rest; k++)
        h->s.beta[k] = best_of(h, 0.5, h->s.beta[k - 1], 10, h->s.alpha[k],
                               false, false, &rho, &h->s.last);
}

/* Computes the procedure of the authors' program. */
static void as_released(hand *h)
{
    double low = 0.05, high = 5, rho = 0, top = 0, best = 5;
    long theta = 0;
    test(h, 5, 0.95, -1);
    for (int i = 0; i < 100; i += 4)
        low = best_of(h, low * (1 + 0.5 * fabs(rho - h->target)), low, 4, 0.5,
                      true, true, &rho, &theta);
    rho = 0;
    for (int i = 0; i < 100; i += 2) {
        high = best_of(h, high * (1 - 0.5 * fabs(rho - h->target)), high, 2,
                       0.95, true, false, &rho, &theta);
        if (rho > top) {
            top = rho;
            best = high;
        }
        if (rho > h->target - 0.01)
            break;
    }
    int rest = steps_of(low, best, h->s.alpha);
    for (int k = 0; k < PERIOD; k++)
        h->s.beta[k] = 0.5;
    double from = 0.5, to = 0.6;
    theta = 0;
    for (int k = rest - 1; k >= 0; k--) {
        h->s.beta[k] = from =
            best_of(h, from, to, k == rest - 1 ? 3 : 10, h->s.alpha[k], false,
                    false, &rho, &theta);
        to = fmin(0.95, from + 0.25);
        if (rho < 0.9)
            continue;
        for (int j = k - 1; j >= 0; j--)
            h->s.beta[j] = k == 1 ? from : spaced(from, 0.95, k, k - 1 - j);
        break;
    }
    h->s.last = theta;
}

static bool alike(const story *a, const story *b)
{
    bool good = a->n == b->n && a->last == b->last;
    for (size_t i = 0; good && i < a->n; i++)
        good = fabs(a->step[i] - b->step[i]) < 1e-12 * a->step[i] &&
               fabs(a->balance[i] - b->balance[i]) < 1e-12 &&
               a->from[i] == b->from[i] && a->taken[i] == b->taken[i];
    for (size_t k = 0; k < PERIOD; k++)
        good &= fabs(a->alpha[k] - b->alpha[k]) < 1e-12 * a->alpha[k] &&
                fabs(a->beta[k] - b->beta[k]) < 1e-12;
    return good;
}

/* Scales of the acceptance. In easy cases even the upper limit of the step size
 * is accepted. In hard cases the search for the largest step size finds a value
 * below the smallest step size. */
static const double worlds[] = {0.05, 0.2, 0.7, 1, 1.5, 3, 8, 30};
enum { WORLDS = sizeof worlds / sizeof *worlds };

static story found;
static hand expected;

static size_t agree(const cs_tuner *t, const char *variant)
{
    size_t n = 0;
    for (size_t i = 0; i < WORLDS; i++) {
        tell(t, worlds[i], &found);
        memset(&expected, 0, sizeof expected);
        expected.hard = worlds[i];
        expected.target = 0.5;
        if (strcmp(variant, "released") == 0)
            as_released(&expected);
        else
            by_the_paper(&expected, strcmp(variant, "paper") == 0);
        n += alike(&found, &expected.s);
    }
    return n;
}

static const char *const variants[] = {"paper", "printed", "released"};
enum { VARIANTS = 3 };

static cs_tuner acs(const char *variant)
{
    const cs_value given = {
        .name = "variant", .kind = CS_PARAM_TEXT, .text = variant, .given = 1};
    return tuner_of("acs", &given, 1);
}

static void acs_is_its_algorithm(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        cs_tuner t = acs(variants[i]);
        assert_int_equal(agree(&t, variants[i]), WORLDS);
    }
}

/* A cycle with a single peak uses only the smallest and the largest step that
 * were found, and does not search for balances. */
static void a_peak_is_both_ends(void **state)
{
    (void)state;
    enum { CYCLE = 6 };
    const cs_value given[] = {
        {.name = "cycle", .kind = CS_PARAM_TEXT, .text = "peak", .given = 1},
        {.name = "period", .kind = CS_PARAM_REAL, .number = CYCLE, .given = 1}};
    cs_tuner t = tuner_of("acs", given, 2);
    void *memory = cs_alloc(1, t.type->memory);
    cs_schedule out[CS_TUNER_DRIVEN];
    cs_trial trial;
    double result = (double)NAN, last = 0, low = 0;
    size_t n = 0;
    for (; t.type->next(&t, memory, &result, &trial); n++) {
        if (trial.phase == 3 && low == 0)
            low = last; /* result of the search for the smallest step */
        last = trial.value[0];
        result = 1 / (1 + trial.value[0]);
    }
    t.type->freeze(&t, memory, out);
    double alpha[CYCLE], beta[CYCLE];
    out[0].type->fill(&out[0], 1, CYCLE, alpha);
    out[1].type->fill(&out[1], 1, CYCLE, beta);
    assert_true(n > 10 && alpha[0] > alpha[1] && beta[0] > beta[1]);
    for (size_t k = 1; k < CYCLE; k++)
        assert_true(alpha[k] == alpha[1] && beta[k] == beta[1]);
    assert_true(low > 0 && trial.from >= 0);
    cs_free(memory);
}

/* ---- planted faults ---- */

static const cs_tuner_type *good;
static int fault;

static bool faulty(const cs_tuner *t, void *memory, const double *result,
                   cs_trial *trial)
{
    const double other = 1 - *result;
    bool more = good->next(t, memory, fault == 0 ? &other : result, trial);
    if (fault == 1 && trial->from > 0)
        trial->from = 3 - trial->from;
    if (fault == 2)
        trial->keep = CS_NO_SLOT;
    if (fault == 3)
        trial->value[0] *= 1 + 1e-9;
    return more;
}

static void faults_are_found(void **state)
{
    cs_tuner_type type = *(good = cs_tuner_find("acs"));
    type.next = faulty;
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        cs_tuner t = acs(variants[i]);
        assert_true(agree(&t, variants[(i + 1) % VARIANTS]) < WORLDS);
        t.type = &type;
        for (fault = 0; fault < 4; fault++)
            assert_true(agree(&t, variants[i]) < WORLDS);
    }
}

/* ---- properties of every plan of acs ---- */

static void a_cycle_falls(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS * WORLDS; i++) {
        cs_tuner t = acs(variants[i % VARIANTS]);
        /* In a cycle of the authors' program, balances may increase. */
        bool released = i % VARIANTS == 2;
        tell(&t, worlds[i / VARIANTS], &found);
        for (size_t k = 1; k < PERIOD; k++) {
            assert_true(found.alpha[k] <= found.alpha[k - 1]);
            assert_true(found.beta[k] <= found.beta[k - 1] || released);
            assert_true(found.beta[k] >= 0.5 && found.beta[k] <= 0.95);
            if (found.alpha[k] == found.alpha[PERIOD - 1])
                assert_near(found.beta[k], 0.5, 0, 0);
        }
        assert_near(found.beta[PERIOD - 1], 0.5, 0, 0);
    }
}

/* ---- acceptance ---- */

/* With the acceptance exp(-v), the target acceptance is reached at v =
 * -log(target). */
static void acceptance_finds_the_root(void **state)
{
    static const double starts[] = {1e-6, 0.3, 50, 1e4};
    static const double targets[] = {0.1, 0.234, 0.574, 0.8, 0.95};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 5; k++) {
            const cs_value given[] = {
                {.name = "acceptance", .number = targets[k]},
                {.name = "steps", .kind = CS_PARAM_INT, .number = 4000}};
            cs_tuner t = tuner_of("acceptance", given, 2);
            void *memory = calloc(1, t.type->memory);
            cs_schedule out;
            cs_trial trial;
            double result = (double)NAN;
            size_t n = 0;
            t.start[0] = starts[i];
            for (; t.type->next(&t, memory, &result, &trial); n++) {
                assert_int_equal(trial.steps, 5);
                result = exp(-trial.value[0]);
            }
            assert_int_equal(n, t.type->trials(t.values));
            t.type->freeze(&t, memory, &out);
            assert_near(exp(-out.values[0]), targets[k], 0.005, 0);
            free(memory);
        }
}

/* If the acceptance is constant, the values that are tried are known. The
 * frozen value is the geometric mean of the next value and of the values tried
 * in the second half of the search. */
static void acceptance_freezes_the_mean(void **state)
{
    const cs_value given[] = {
        {.name = "acceptance", .number = 0.5},
        {.name = "steps", .kind = CS_PARAM_INT, .number = 50}};
    (void)state;
    cs_tuner t = tuner_of("acceptance", given, 2);
    void *memory = calloc(1, t.type->memory);
    cs_schedule out;
    cs_trial trial;
    double result = (double)NAN, value[12], sum = 0;
    size_t n = 0;
    t.start[0] = 1;
    for (; t.type->next(&t, memory, &result, &trial); n++) {
        value[n] = trial.value[0];
        result = 0.9;
    }
    value[n] = trial.value[0];
    assert_int_equal(n, 10);
    for (size_t i = n / 2 + 1; i <= n; i++) {
        assert_true(value[i] > 1.01 * value[i - 1]);
        sum += log(value[i]);
    }
    /* Andrieu and Thoms: the gain of the log step is trials^(-2/3) */
    for (size_t i = 1; i <= n; i++)
        assert_near(log(value[i] / value[i - 1]),
                    pow((double)i, -2. / 3) * (0.9 - 0.5) / 0.25, 1e-12, 0);
    t.type->freeze(&t, memory, &out);
    assert_near(log(out.values[0]), sum / (double)(n - n / 2), 1e-12, 0);
    free(memory);
}

/* The acceptance at the largest step must be at least the target acceptance
 * minus 0.01. If the first round of a search reaches target - 0.005, the search
 * takes the largest step of that round. If the first round reaches target -
 * 0.015, the search continues. */
static void acs_is_content_just_below_its_target(void **state)
{
    (void)state;
    cs_tuner t = acs(variants[0]);
    int row = cs_param_find(t.type->params, t.type->n_params, "acceptance");
    for (int k = 0; k < 2; k++) {
        void *memory = calloc(1, t.type->memory);
        cs_trial trial;
        double result = (double)NAN;
        size_t rounds = 0, high = 0;
        while (t.type->next(&t, memory, &result, &trial)) {
            bool searches =
                strcmp(t.type->phases[trial.phase], "largest step") == 0;
            high += searches;
            rounds += searches && high % 5 == 1;
            result = t.values[row] - (k ? 0.015 : 0.005);
        }
        assert_true(k ? rounds > 1 : rounds == 1);
        free(memory);
    }
}

static void wrong_values_are_refused(void **state)
{
    cs_tuner t;
    const cs_value given[] = {{.name = "balance_min", .number = 0.96},
                              {.name = "step_min", .number = 6}};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(
            cs_tuner_init(&t, cs_tuner_find("acs"), &given[i], 1, NULL),
            CS_RANGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(acs_is_its_algorithm),
    cmocka_unit_test(a_peak_is_both_ends),
    cmocka_unit_test(faults_are_found),
    cmocka_unit_test(a_cycle_falls),
    cmocka_unit_test(acceptance_finds_the_root),
    cmocka_unit_test(acceptance_freezes_the_mean),
    cmocka_unit_test(acs_is_content_just_below_its_target),
    cmocka_unit_test(wrong_values_are_refused),
};
TESTS(test_tuners)
