/* Belief propagation with exact sums. Consider the sum of all weights except
 * weight i. Its distribution is a convolution of two distributions of counts:
 * one for the weights before i, one for the weights after i. Both are computed
 * once per pattern, from both ends. All terms are positive, so that tail
 * probabilities are accurate to rounding, however small they are. */
#include "learn/focusing.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Bound on the magnitude of a field, so that e^(-2 field) is representable. */
static const double max_field = 300;

typedef struct messages {
    const cs_patterns *p;
    double *u;      /* [patterns][inputs] messages of the patterns to the
                       weights [own] */
    double *field;  /* [inputs] sum of the messages of all patterns */
    double *focus;  /* [inputs] field that the reference adds */
    double *good;   /* [inputs] probability that a weight has the sign that the
                       current pattern requires */
    double *before; /* [inputs + 1][inputs + 1] row i: distribution of the
                     * number of weights with the right sign among the first i
                     * weights */
    double *behind; /* [inputs + 1][inputs + 2] row i: for each c, probability
                     * that at least c of the weights from i on have the right
                     * sign */
} messages;

static size_t words(const cs_patterns *p)
{
    size_t n = p->inputs;
    return p->patterns * n + 3 * n + (n + 1) * (n + 1) + (n + 1) * (n + 2);
}

static cs_status open_messages(messages *m, const cs_patterns *p, uint64_t seed,
                               cs_error *err)
{
    size_t n = p->inputs;
    *m = (messages){.p = p, .u = cs_alloc(words(p), sizeof(double))};
    if (!m->u)
        return cs_fail(err, CS_MEMORY, "out of memory for messages");
    m->field = m->u + p->patterns * n;
    m->focus = m->field + n;
    m->good = m->focus + n;
    m->before = m->good + n;
    m->behind = m->before + (n + 1) * (n + 1);
    memset(m->focus, 0, n * sizeof *m->focus);
    for (size_t k = 0; k < p->patterns * n; k++) {
        seed = seed * UINT64_C(6364136223846793005) +
               UINT64_C(1442695040888963407);
        m->u[k] = 0.01 * ((double)(seed >> 11) * 0x1p-53 - 0.5);
    }
    return CS_OK;
}

static void sum_fields(messages *m)
{
    size_t n = m->p->inputs;
    memset(m->field, 0, n * sizeof *m->field);
    for (size_t k = 0; k < m->p->patterns; k++)
        for (size_t i = 0; i < n; i++)
            m->field[i] += m->u[k * n + i];
}

/* Returns the sign of w_i that pattern k requires, 1 or -1. */
static double wanted(const cs_patterns *p, size_t k, size_t i)
{
    return p->label[k] * p->input[k * p->inputs + i];
}

/* ---- one pattern --------------------------------------------------------- */

static void count_before(messages *m)
{
    size_t n = m->p->inputs, w = n + 1;
    memset(m->before, 0, w * sizeof *m->before);
    m->before[0] = 1;
    for (size_t i = 0; i < n; i++) {
        const double *row = m->before + i * w;
        double *next = m->before + (i + 1) * w, g = m->good[i];
        for (size_t c = 0; c <= n; c++)
            next[c] = (1 - g) * row[c] + (c ? g * row[c - 1] : 0);
    }
}

static void count_behind(messages *m)
{
    size_t n = m->p->inputs, w = n + 2;
    double *row = m->behind + n * w;
    memset(row, 0, w * sizeof *row);
    row[0] = 1;
    for (size_t i = n; i-- > 0;) {
        const double *last = m->behind + (i + 1) * w;
        double g = m->good[i];
        row = m->behind + i * w;
        for (size_t c = 0; c < w; c++)
            row[c] = c ? g * last[c - 1] + (1 - g) * last[c] : 1;
    }
}

/* Returns the probability that at least `least` of the weights other than i
 * have the right sign. */
static double chance_without(const messages *m, size_t i, size_t least)
{
    size_t n = m->p->inputs;
    const double *before = m->before + i * (n + 1);
    const double *behind = m->behind + (i + 1) * (n + 2);
    double sum = 0;
    for (size_t c = 0; c <= i; c++)
        sum += before[c] * (c < least ? behind[least - c] : 1);
    return sum;
}

/* Returns the log of chance + error (1 - chance). This is the mean weight of a
 * pattern that is satisfied with probability `chance`, where an unsatisfied
 * pattern has weight `error`. */
static double log_met(double chance, double error)
{
    double w = chance + error * (1 - chance);
    return w > 0 ? log(w) : -2 * max_field;
}

/* Computes the messages of pattern k and updates field[]. The probability
 * that a weight has the right sign follows from the messages of the other
 * patterns. */
static void pass_pattern(messages *m, size_t k, const cs_focus_plan *plan)
{
    size_t n = m->p->inputs, least = n / 2 + 1;
    double *u = m->u + k * n;
    for (size_t i = 0; i < n; i++) {
        double h = m->field[i] + m->focus[i] - u[i];
        m->good[i] = 1 / (1 + exp(-2 * wanted(m->p, k, i) * h));
    }
    count_before(m);
    count_behind(m);
    for (size_t i = 0; i < n; i++) {
        double does = chance_without(m, i, least - 1);
        double does_not = chance_without(m, i, least);
        double to =
            wanted(m->p, k, i) / 2 *
            (log_met(does, plan->error) - log_met(does_not, plan->error));
        to = fmin(fmax(to, -max_field), max_field);
        to = plan->damping * u[i] + (1 - plan->damping) * to;
        m->field[i] += to - u[i];
        u[i] = to;
    }
}

/* ---- replicas ------------------------------------------------------------ */

/* Returns atanh(tanh a tanh b). */
static double through(double a, double b)
{
    double more = fabs(a + b), less = fabs(a - b);
    return (more - less) / 2 +
           (log1p(exp(-2 * more)) - log1p(exp(-2 * less))) / 2;
}

static void focus_all(messages *m, double focus, double replicas)
{
    for (size_t i = 0; i < m->p->inputs; i++)
        m->focus[i] =
            through(focus, (replicas - 1) * through(focus, m->field[i]));
}

/* Runs one round. Returns the largest change of a magnetisation. */
static double pass_all(messages *m, const cs_focus_plan *plan, double focus,
                       double *magnetisation)
{
    double change = 0;
    focus_all(m, focus, plan->replicas);
    for (size_t k = 0; k < m->p->patterns; k++)
        pass_pattern(m, k, plan);
    sum_fields(m); /* computes the fields again, without accumulated rounding
                      errors */
    for (size_t i = 0; i < m->p->inputs; i++) {
        double now = tanh(m->field[i] + m->focus[i]);
        change = fmax(change, fabs(now - magnetisation[i]));
        magnetisation[i] = now;
    }
    return change;
}

/* ---- the algorithm ------------------------------------------------------- */

size_t cs_pattern_errors(const cs_patterns *p, const double *w)
{
    size_t errors = 0;
    for (size_t k = 0; k < p->patterns; k++) {
        double sum = 0;
        for (size_t i = 0; i < p->inputs; i++)
            sum += wanted(p, k, i) * (w[i] < 0 ? -1 : 1);
        errors += sum > 0 ? 0 : 1;
    }
    return errors;
}

static cs_status check(const cs_patterns *p, cs_error *err)
{
    if (p->inputs < 1 || p->inputs > CS_FOCUS_INPUTS || p->patterns < 1 ||
        p->patterns > CS_FOCUS_PATTERNS)
        return cs_fail(err, CS_RANGE,
                       "%zu patterns of %zu inputs: at most %d patterns of at "
                       "most %d inputs are supported",
                       p->patterns, p->inputs, CS_FOCUS_PATTERNS,
                       CS_FOCUS_INPUTS);
    for (size_t k = 0; k < p->patterns; k++) {
        if (fabs(p->label[k]) != 1)
            return cs_fail(err, CS_RANGE, "label %zu is %g: it must be -1 or 1",
                           k + 1, p->label[k]);
        for (size_t i = 0; i < p->inputs; i++)
            if (fabs(p->input[k * p->inputs + i]) != 1)
                return cs_fail(
                    err, CS_RANGE,
                    "input %zu of pattern %zu is %g: it must be -1 or 1", i + 1,
                    k + 1, p->input[k * p->inputs + i]);
    }
    return CS_OK;
}

cs_status cs_focus(const cs_patterns *p, const cs_focus_plan *plan,
                   double *magnetisation, cs_focus_step *step, cs_error *err)
{
    messages m;
    cs_status status = check(p, err);
    if (status || (status = open_messages(&m, p, plan->seed, err)))
        return status;
    sum_fields(&m);
    memset(magnetisation, 0, p->inputs * sizeof *magnetisation);
    for (size_t k = 0; k < plan->n; k++) {
        step[k] = (cs_focus_step){.change = HUGE_VAL};
        while (step[k].rounds < plan->rounds &&
               step[k].change > plan->tolerance) {
            step[k].change = pass_all(&m, plan, plan->focus[k], magnetisation);
            step[k].rounds++;
        }
        step[k].errors = cs_pattern_errors(p, magnetisation);
        for (size_t i = 0; i < p->inputs; i++)
            step[k].size += fabs(magnetisation[i]) / (double)p->inputs;
    }
    cs_free(m.u);
    return CS_OK;
}
