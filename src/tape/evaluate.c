/* Running a program over a block: compiled for each instruction set. */
#include "simd/matmul.h"
#include "tape/linear_lanes.h"
#include "tape/matvec.h"
#include "tape/special.h"
#include "tape/sum_products.h"

#include <string.h>

static void run_sum(const machine *m, const cs_instruction *i)
{
    if (i->flat)
        sum_row(m, i, 0, 1, i->out, i->size * m->lanes, 0);
    else if (i->size > 1 && sum_parts(m, i))
        return;
    else if (i->constants)
        for (size_t e = 0; e < i->size; e++)
            sum_row(m, i, e, e + 1, i->out + e, m->lanes, 1);
    else
        sum_row(m, i, 0, 1, i->out, m->lanes, 0);
}

static void run_total(const machine *m, const cs_instruction *i)
{
    if (m->apart && is_dot(m, i))
        run_dot(m, i);
    else if (total_parts(m, i))
        return;
    else
        sum_row(m, i, 0, i->elements, i->out, m->lanes, 1);
}

/* ---- element by element -------------------------------------------------- */

#define UNARY(name, expression)                                                \
    static void run_##name(const machine *m, const cs_instruction *i)          \
    {                                                                          \
        source s = source_of(m, i->a);                                         \
        double *out = row_to(m, i->out);                                       \
        size_t n = i->size * m->lanes;                                         \
        for (size_t l = 0; l < n; l += CS_VECTOR) {                            \
            cs_vd a = cs_load(s.p + l);                                        \
            cs_store(out + l, expression);                                     \
        }                                                                      \
    }

/* One lane after the other, through the reference. */
INLINE cs_vd one_by_one(cs_op op, cs_vd a, cs_vd b)
{
    for (int k = 0; k < CS_VECTOR; k++)
        a[k] = cs_op_value(op, a[k], b[k], 0);
    return a;
}

INLINE cs_vd truth(cs_vi mask)
{
    return cs_vselect(mask, cs_vset(1.0), cs_vset(0.0));
}

UNARY(sqrt, cs_vsqrt(a))
UNARY(abs, cs_vabs(a))
UNARY(sign, truth(a > 0.0) - truth(a < 0.0))
UNARY(exp, cs_vexp(a))
UNARY(expm1, cs_vexpm1(a))
UNARY(log, cs_vlog(a))
UNARY(log1p, cs_vlog1p(a))
UNARY(tanh, cs_vtanh(a))
UNARY(sigmoid, cs_vsigmoid(a))
UNARY(sin, cs_sp_sin(a))
UNARY(cos, cs_sp_cos(a))
UNARY(tan, cs_sp_tan(a))
UNARY(atan, cs_sp_atan(a))
UNARY(erf, cs_sp_erf(a))
UNARY(normal_cdf, cs_sp_normal_cdf(a))
UNARY(log_normal_cdf, cs_sp_log_normal_cdf(a))
UNARY(normal_ratio, cs_sp_normal_ratio(a))
UNARY(lgamma, cs_sp_lgamma(a))
UNARY(digamma, cs_sp_digamma(a))
UNARY(trigamma, cs_sp_trigamma(a))

/* The exponentials of some lanes, then what they are for, from x and e. */
#define IN_TWO_PASSES(from, n, body)                                           \
    for (size_t first_ = 0; first_ < (n); first_ += NEAR) {                    \
        size_t end_ = first_ + NEAR < (n) ? first_ + NEAR : (n);               \
        for (size_t l = first_; l < end_; l += CS_VECTOR)                      \
            cs_store(out + l, cs_vexp_down(cs_load((from) + l)));              \
        for (size_t l = first_; l < end_; l += CS_VECTOR) {                    \
            cs_vd x = cs_load((from) + l);                                     \
            cs_vd e = cs_load(out + l);                                        \
            body;                                                              \
        }                                                                      \
    }

enum { NEAR = 512 /* numbers that stay in the nearest cache */ };

static void run_softplus(const machine *m, const cs_instruction *i)
{
    cs_vd other;
    const double *a = source_of(m, i->a).p;
    double *out = row_to(m, i->out);
    IN_TWO_PASSES(a, i->size * m->lanes,
                  cs_vlogistic(x, e, (cs_vd *)(out + l), &other))
}

static void run_logistic(const machine *m, const cs_instruction *i)
{
    const double *a = source_of(m, i->a).p;
    double *softplus = row_to(m, i->out), *out = row_to(m, i->second);
    IN_TWO_PASSES(
        a, i->size * m->lanes,
        cs_vlogistic(x, e, (cs_vd *)(softplus + l), (cs_vd *)(out + l)))
}

static void run_logistic_sigmoid(const machine *m, const cs_instruction *i)
{
    const double *a = source_of(m, i->a).p;
    double *out = row_to(m, i->out);
    IN_TWO_PASSES(a, i->size * m->lanes,
                  cs_store(out + l, cs_vlogistic_sigmoid(x, e)))
}

/* Two operands, of which one may be numbers. */
#define BINARY(name, expression)                                               \
    INLINE void each_##name(const machine *m, const cs_instruction *i,         \
                            int fixed_a, int fixed_b)                          \
    {                                                                          \
        source p = source_of(m, i->a), q = source_of(m, i->b);                 \
        double *out = row_to(m, i->out);                                       \
        for (size_t e = 0; e < i->size; e++)                                   \
            for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {                 \
                cs_vd a = load(p, e, l, fixed_a), b = load(q, e, l, fixed_b);  \
                cs_store(out + e * m->lanes + l, expression);                  \
            }                                                                  \
    }                                                                          \
    static void run_##name(const machine *m, const cs_instruction *i)          \
    {                                                                          \
        if (is_number(i->a))                                                   \
            each_##name(m, i, 1, 0);                                           \
        else if (is_number(i->b))                                              \
            each_##name(m, i, 0, 1);                                           \
        else                                                                   \
            each_##name(m, i, 0, 0);                                           \
    }

BINARY(div, a / b)
BINARY(two, one_by_one((cs_op)i->op, a, b))
BINARY(pow, cs_sp_pow(a, b))
BINARY(log_add_exp, cs_sp_log_add_exp(a, b))
BINARY(max, cs_vselect(a < b, b, a))
BINARY(min, cs_vselect(b < a, b, a))
BINARY(lt, truth(a < b))
BINARY(le, truth(a <= b))
BINARY(eq, truth(a == b))

static void run_where(const machine *m, const cs_instruction *i)
{
    source p = source_of(m, i->a), q = source_of(m, i->b),
           r = source_of(m, i->c);
    int fixed[3] = {is_number(i->a), is_number(i->b), is_number(i->c)};
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++)
        for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
            cs_vd a = load(p, e, l, fixed[0]);
            cs_store(out + e * m->lanes + l,
                     cs_vselect(a != 0.0, load(q, e, l, fixed[1]),
                                load(r, e, l, fixed[2])));
        }
}

static void run_copy(const machine *m, const cs_instruction *i)
{
    source p = source_of(m, i->a);
    int fixed = is_number(i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++)
        for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
            cs_store(out + e * m->lanes + l, load(p, e, l, fixed));
}

/* ---- vectors ------------------------------------------------------------- */

/* log sum exp, shifted by the largest; -inf of nothing but -inf. */
static void run_log_sum_exp(const machine *m, const cs_instruction *i)
{
    source s = source_of(m, i->a);
    double *out = row_to(m, i->out);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd most = load(s, 0, l, 0), sum = cs_vset(0.0);
        for (size_t e = 1; e < i->elements; e++)
            most = cs_vmax(load(s, e, l, 0), most);
        cs_vd shift =
            cs_vselect(cs_vabs(most) == CS_VM_INF, cs_vset(0.0), most);
        for (size_t e = 0; e < i->elements; e++)
            sum += cs_vexp(load(s, e, l, 0) - shift);
        cs_store(out + l, shift + cs_vlog(sum));
    }
}

static void run_gather(const machine *m, const cs_instruction *i)
{
    const double *index = m->constants + i->b.at;
    source s = source_of(m, i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++)
        memcpy(out + e * m->lanes, s.p + (size_t)index[e] * s.step,
               m->lanes * sizeof *out);
}

static void run_scatter(const machine *m, const cs_instruction *i)
{
    const double *index = m->constants + i->b.at;
    source s = source_of(m, i->a);
    double *out = row_to(m, i->out);
    memset(out, 0, i->size * m->lanes * sizeof *out);
    for (size_t e = 0; e < i->elements; e++)
        for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
            *(cs_vd *)(out + (size_t)index[e] * m->lanes + l) +=
                load(s, e, l, is_number(i->a));
}

static void run_product(const machine *m, const cs_instruction *i)
{
    cs_matmul(m->constants + i->b.at, i->size, i->elements, i->elements,
              source_of(m, i->a).p, m->lanes, row_to(m, i->out));
}

/* ---- linear algebra ------------------------------------------------------ */

static cs_lane_rows rows_of(const machine *m, cs_operand o)
{
    source s = source_of(m, o);
    return (cs_lane_rows){s.p, s.step, is_number(o)};
}

static size_t side(size_t size)
{
    return (size_t)(sqrt((double)size) + 0.5);
}

static void run_cumulate(const machine *m, const cs_instruction *i)
{
    cs_lanes_cumulate(rows_of(m, i->a), i->size, i->second != 0, m->lanes,
                      row_to(m, i->out));
}

static void run_bilinear(const machine *m, const cs_instruction *i)
{
    cs_lanes_bilinear(m->constants + i->c.at, i->count, rows_of(m, i->a),
                      rows_of(m, i->b), i->size, m->lanes, row_to(m, i->out));
}

static void run_solve(const machine *m, const cs_instruction *i)
{
    size_t n = side(i->elements);
    cs_lanes_solve(rows_of(m, i->a), n, i->second != 0, rows_of(m, i->b),
                   i->size / n, m->lanes, row_to(m, i->out));
}

static void run_cholesky(const machine *m, const cs_instruction *i)
{
    cs_lanes_cholesky(rows_of(m, i->a), side(i->size), m->lanes,
                      row_to(m, i->out));
}

static void run_norm(const machine *m, const cs_instruction *i)
{
    cs_lanes_norm(rows_of(m, i->a), i->elements, m->lanes, row_to(m, i->out));
}

static void run_largest(const machine *m, const cs_instruction *i)
{
    cs_lanes_largest(rows_of(m, i->a), i->elements, m->lanes,
                     row_to(m, i->out));
}

typedef void (*run_function)(const machine *m, const cs_instruction *i);

static const run_function table[CS_CODE_LOGISTIC_SIGMOID + 1] = {
    [CS_OP_DIV] = run_div,
    [CS_OP_POW] = run_pow,
    [CS_OP_MAX] = run_max,
    [CS_OP_MIN] = run_min,
    [CS_OP_LT] = run_lt,
    [CS_OP_LE] = run_le,
    [CS_OP_EQ] = run_eq,
    [CS_OP_IS] = run_eq,
    [CS_OP_WHERE] = run_where,
    [CS_OP_SQRT] = run_sqrt,
    [CS_OP_ABS] = run_abs,
    [CS_OP_SIGN] = run_sign,
    [CS_OP_EXP] = run_exp,
    [CS_OP_EXPM1] = run_expm1,
    [CS_OP_LOG] = run_log,
    [CS_OP_LOG1P] = run_log1p,
    [CS_OP_SIN] = run_sin,
    [CS_OP_COS] = run_cos,
    [CS_OP_TAN] = run_tan,
    [CS_OP_TANH] = run_tanh,
    [CS_OP_ATAN] = run_atan,
    [CS_OP_ERF] = run_erf,
    [CS_OP_NORMAL_CDF] = run_normal_cdf,
    [CS_OP_LOG_NORMAL_CDF] = run_log_normal_cdf,
    [CS_OP_NORMAL_RATIO] = run_normal_ratio,
    [CS_OP_LGAMMA] = run_lgamma,
    [CS_OP_DIGAMMA] = run_digamma,
    [CS_OP_TRIGAMMA] = run_trigamma,
    [CS_OP_SOFTPLUS] = run_softplus,
    [CS_OP_SIGMOID] = run_sigmoid,
    [CS_OP_LOG_SUM_EXP] = run_log_sum_exp,
    [CS_OP_GATHER] = run_gather,
    [CS_OP_SCATTER] = run_scatter,
    [CS_OP_PRODUCT] = run_product,
    [CS_OP_CUMULATE] = run_cumulate,
    [CS_OP_BILINEAR] = run_bilinear,
    [CS_OP_SOLVE] = run_solve,
    [CS_OP_CHOLESKY] = run_cholesky,
    [CS_OP_LARGEST] = run_largest,
    [CS_OP_NORM] = run_norm,
    [CS_OP_LOG_ADD_EXP] = run_log_add_exp,
    [CS_OP_LOG_RISING] = run_two,
    [CS_OP_DIGAMMA_RISING] = run_two,
    [CS_OP_POLYGAMMA] = run_two,
    [CS_CODE_SUM] = run_sum,
    [CS_CODE_TOTAL] = run_total,
    [CS_CODE_COLLECT] = run_collect,
    [CS_CODE_COPY] = run_copy,
    [CS_CODE_LOGISTIC] = run_logistic,
    [CS_CODE_LOGISTIC_SIGMOID] = run_logistic_sigmoid,
};

static void run_code(const machine *m, cs_part which)
{
    const cs_program *p = m->p;
    const cs_instruction *i = which == CS_PART_REST ? p->rest : p->code;
    const cs_instruction *end = which == CS_PART_REST     ? i + p->n_rest
                                : which == CS_PART_BEFORE ? i + p->n_before
                                                          : i + p->n_code;
    if (which == CS_PART_AFTER)
        i += p->n_before;
    for (; i < end; i++)
        table[i->op](m, i);
}

static void run(const cs_program *p, bool rest, const double *x, size_t lanes,
                double *scratch)
{
    machine m = {.p = p,
                 .constants = p->constants,
                 .slots = scratch,
                 .lanes = lanes,
                 .live = lanes};
    memcpy(scratch, x, p->dim * lanes * sizeof *x);
    run_code(&m, rest ? CS_PART_REST : CS_PART_ALL);
}

static void run_rows(const cs_program *p, const cs_rows *rows)
{
    machine m = {.p = p,
                 .constants = rows->constants,
                 .input = rows->column,
                 .slots = rows->scratch,
                 .apart = p->dim,
                 .lanes = rows->lanes,
                 .live = rows->live,
                 .total = rows->total,
                 .weight = rows->weight};
    run_code(&m, rows->part);
}

const cs_program_ops CS_VARIANT(cs_program_ops) = {.run = run,
                                                   .run_rows = run_rows};
