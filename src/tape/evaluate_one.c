/* Runs a program for one state. The elements of a vector occupy the lanes of
 * registers, so that one chain costs less than a full block. Each number is
 * computed as in a lane of evaluate.c, with the same order of summation, so
 * that the bits are equal. Compiled for each instruction set. */
#include "tape/linear_one.h"
#include "tape/machine.h"
#include "tape/special.h"
#include "tape/sum_one.h"

#include <string.h>

/* ---- element by element -------------------------------------------------- */

#define ONE(OP, name, expression)                                              \
    static void run_##name(const machine *m, const cs_instruction *i)          \
    {                                                                          \
        size_t n = i->size, some = n < CS_VECTOR ? n : CS_VECTOR;              \
        cs_side p = side_of(m, i->a);                                          \
        double *out = row_to(m, i->out);                                       \
        for (size_t e = 0; e < n; e = next(e, n)) {                            \
            cs_vd a = take(p, e, some);                                        \
            put(out + e, some, expression);                                    \
        }                                                                      \
    }
#define TWO(OP, name, expression)                                              \
    static void run_##name(const machine *m, const cs_instruction *i)          \
    {                                                                          \
        size_t n = i->size, some = n < CS_VECTOR ? n : CS_VECTOR;              \
        cs_side p = side_of(m, i->a), q = side_of(m, i->b);                    \
        double *out = row_to(m, i->out);                                       \
        for (size_t e = 0; e < n; e = next(e, n)) {                            \
            cs_vd a = take(p, e, some), b = take(q, e, some);                  \
            put(out + e, some, expression);                                    \
        }                                                                      \
    }
#include "tape/element_ops.def"
#undef ONE
#undef TWO

static void run_where(const machine *m, const cs_instruction *i)
{
    size_t n = i->size, some = n < CS_VECTOR ? n : CS_VECTOR;
    cs_side p = side_of(m, i->a), q = side_of(m, i->b), r = side_of(m, i->c);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < n; e = next(e, n)) {
        cs_vd a = take(p, e, some);
        put(out + e, some,
            cs_vselect(a != 0.0, take(q, e, some), take(r, e, some)));
    }
}

/* Computes the softplus of an instruction's elements. Also computes their
 * sigmoid, unless the output of the sigmoid is NULL. run_logistic_sigmoid
 * computes only the sigmoid. */
INLINE void logistics(const machine *m, const cs_instruction *i,
                      double *softplus, double *sigmoid)
{
    size_t n = i->size, some = n < CS_VECTOR ? n : CS_VECTOR;
    cs_side p = side_of(m, i->a);
    for (size_t e = 0; e < n; e = next(e, n)) {
        cs_vd x = take(p, e, some), y, s;
        cs_vlogistic(x, cs_vexp_down(x), &y, &s);
        put(softplus + e, some, y);
        if (sigmoid)
            put(sigmoid + e, some, s);
    }
}

static void run_softplus(const machine *m, const cs_instruction *i)
{
    logistics(m, i, row_to(m, i->out), NULL);
}

static void run_logistic(const machine *m, const cs_instruction *i)
{
    logistics(m, i, row_to(m, i->out), row_to(m, i->second));
}

static void run_logistic_sigmoid(const machine *m, const cs_instruction *i)
{
    size_t n = i->size, some = n < CS_VECTOR ? n : CS_VECTOR;
    cs_side p = side_of(m, i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < n; e = next(e, n)) {
        cs_vd x = take(p, e, some);
        put(out + e, some, cs_vlogistic_sigmoid(x, cs_vexp_down(x)));
    }
}

static void run_copy(const machine *m, const cs_instruction *i)
{
    cs_side p = side_of(m, i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++)
        out[e] = p.p[e * p.step];
}

/* ---- vectors ------------------------------------------------------------- */

/* Computes the log sum exp of one column, adding its parts in sequence. */
static double sum_one_column(const double *a, size_t n, double *share)
{
    size_t some = n < CS_VECTOR ? n : CS_VECTOR, done = 0;
    cs_side from = {a, 1};
    double most = a[0], sum = 0;
    for (size_t e = 1; e < n; e++)
        most = most < a[e] ? a[e] : most;
    for (size_t e = 0; e < n; e = next(e, n)) {
        _Alignas(64) double part[CS_VECTOR];
        cs_vd v = cs_sp_share(take(from, e, some), cs_vset(most));
        cs_store(part, v);
        if (share)
            put(share + e, some, v);
        for (; done < e + some; done++)
            sum += part[done - e];
    }
    double over = 1.0 / sum;
    for (size_t e = 0; share && e < n; e++)
        share[e] *= over;
    return cs_sp_log_sum(cs_vset(sum), cs_vset(most))[0];
}

/* Computes the log sum exp of `some` columns in parallel. */
INLINE cs_vd sum_columns(const double *a, size_t n, size_t step, size_t some,
                         double *share)
{
    cs_vd most = take((cs_side){a, 1}, 0, some), sum = cs_vset(0.0);
    for (size_t e = 1; e < n; e++)
        most = cs_vmax(take((cs_side){a, 1}, e * step, some), most);
    for (size_t e = 0; e < n; e++) {
        cs_vd v = cs_sp_share(take((cs_side){a, 1}, e * step, some), most);
        if (share)
            put(share + e * step, some, v);
        sum += v;
    }
    cs_vd over = 1.0 / sum;
    for (size_t e = 0; share && e < n; e++)
        put(share + e * step, some,
            take((cs_side){share, 1}, e * step, some) * over);
    return cs_sp_log_sum(sum, most);
}

static void sum_exps(const machine *m, const cs_instruction *i, size_t size,
                     size_t columns, double *out, double *share)
{
    const double *a = side_of(m, i->a).p;
    size_t n = size / columns, some = columns < CS_VECTOR ? columns : CS_VECTOR;
    double y;
    if (columns == 1) {
        y = sum_one_column(a, n, share);
        if (out)
            *out = y;
        return;
    }
    for (size_t j = 0; j < columns; j = next(j, columns)) {
        cs_vd v = sum_columns(a + j, n, columns, some, share ? share + j : 0);
        if (out)
            put(out + j, some, v);
    }
}

static void run_log_sum_exp(const machine *m, const cs_instruction *i)
{
    sum_exps(m, i, i->elements, i->size, row_to(m, i->out), NULL);
}

static void run_softmax(const machine *m, const cs_instruction *i)
{
    sum_exps(m, i, i->size, i->second, NULL, row_to(m, i->out));
}

static void run_both_log_sum_exp(const machine *m, const cs_instruction *i)
{
    sum_exps(m, i, i->elements, i->size, row_to(m, i->out),
             row_to(m, i->second));
}

static void run_gather(const machine *m, const cs_instruction *i)
{
    const double *index = m->constants + i->b.at;
    cs_side p = side_of(m, i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++)
        out[e] = p.p[(size_t)index[e] * p.step];
}

static void run_scatter(const machine *m, const cs_instruction *i)
{
    const double *index = m->constants + i->b.at;
    cs_side p = side_of(m, i->a);
    double *out = row_to(m, i->out);
    memset(out, 0, i->size * sizeof *out);
    for (size_t e = 0; e < i->elements; e++)
        out[(size_t)index[e]] += p.p[e * p.step];
}

static void run_pick(const machine *m, const cs_instruction *i)
{
    cs_side p = side_of(m, i->a), by = side_of(m, i->b);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++)
        out[e] =
            p.p[cs_nearest_element(by.p[e * by.step], i->elements) * p.step];
}

static void run_spread(const machine *m, const cs_instruction *i)
{
    cs_side p = side_of(m, i->a), by = side_of(m, i->b);
    double *out = row_to(m, i->out);
    memset(out, 0, i->size * sizeof *out);
    for (size_t e = 0; e < i->elements; e++)
        out[cs_nearest_element(by.p[e * by.step], i->size)] += p.p[e * p.step];
}

static void run_product(const machine *m, const cs_instruction *i)
{
    cs_one_product(m->constants + i->b.at, i->size, i->elements,
                   side_of(m, i->a).p, row_to(m, i->out));
}

static void run_largest(const machine *m, const cs_instruction *i)
{
    const double *a = side_of(m, i->a).p;
    double most = a[0];
    for (size_t e = 1; e < i->elements; e++)
        most = a[e] > most || a[e] != a[e] ? a[e] : most;
    *row_to(m, i->out) = most;
}

/* ---- linear algebra ------------------------------------------------------ */

static size_t side(size_t size)
{
    return (size_t)(sqrt((double)size) + 0.5);
}

static void run_cumulate(const machine *m, const cs_instruction *i)
{
    cs_one_cumulate(side_of(m, i->a).p, i->size, i->second != 0,
                    row_to(m, i->out));
}

static void run_bilinear(const machine *m, const cs_instruction *i)
{
    cs_one_bilinear(m->constants + i->c.at, i->count, side_of(m, i->a).p,
                    side_of(m, i->b).p, i->size, row_to(m, i->out));
}

static void run_solve(const machine *m, const cs_instruction *i)
{
    size_t n = side(i->elements);
    cs_one_solve(side_of(m, i->a).p, n, i->second != 0, side_of(m, i->b).p,
                 i->size / n, row_to(m, i->out));
}

static void run_cholesky(const machine *m, const cs_instruction *i)
{
    cs_one_cholesky(side_of(m, i->a).p, side(i->size), row_to(m, i->out));
}

static void run_ode(const machine *m, const cs_instruction *i)
{
    cs_ode *o = cs_odes_find(&m->p->odes, i->second);
    cs_side a = side_of(m, i->a);
    o->solve(o, a.p, a.step, row_to(m, i->out), 1);
}

static void run_cholesky_back(const machine *m, const cs_instruction *i)
{
    cs_one_cholesky_back(side_of(m, i->a).p, side_of(m, i->b).p, side(i->size),
                         row_to(m, i->out));
}

static void run_norm(const machine *m, const cs_instruction *i)
{
    *row_to(m, i->out) = cs_one_norm(side_of(m, i->a).p, i->elements);
}

typedef void (*run_function)(const machine *m, const cs_instruction *i);

static const run_function table[CS_CODE_COUNT] = {
#define RUN(code, name) [code] = run_##name,
#include "tape/codes.def"
#undef RUN
};

static void run(const cs_program *p, bool rest, const double *x, size_t stride,
                double *scratch)
{
    machine m = {
        .p = p, .constants = p->constants, .slots = scratch, .lanes = 1};
    const cs_instruction *i = rest ? p->rest : p->code;
    const cs_instruction *end = i + (rest ? p->n_rest : p->n_code);
    for (size_t d = 0; d < p->dim; d++)
        scratch[d] = x[d * stride];
    for (; i < end; i++)
        table[i->op](&m, i);
}

const cs_program_one_ops CS_VARIANT(cs_program_one_ops) = {.run = run};
