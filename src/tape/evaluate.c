/* Runs a program over a block; compiled for each instruction set. */
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

/* First computes e, the exponentials of several lanes; then runs `body`, which
 * uses x and e. */
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

enum { NEAR = 512 /* number of doubles that fit in the nearest cache */ };
enum { FEW = 4 /* number of elements up to which a pick reads all */ };

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

/* Defines an operation with two operands, one of which may be a constant. */
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

#define ONE(OP, name, expression) UNARY(name, expression)
#define TWO(OP, name, expression) BINARY(name, expression)
#include "tape/element_ops.def"
#undef ONE
#undef TWO

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

/* Returns the log sum exp of n elements with distance `step` and, unless
 * `share` is NULL, stores the softmax in `share`: see cs_op_log_sum_exp. */
INLINE cs_vd sum_exp(const double *a, size_t n, size_t step, double *share)
{
    cs_vd most = cs_load(a), sum = cs_vset(0.0);
    for (size_t e = 1; e < n; e++)
        most = cs_vmax(cs_load(a + e * step), most);
    for (size_t e = 0; e < n; e++) {
        cs_vd x = cs_load(a + e * step);
        cs_vd value = cs_sp_share(x, most);
        if (share)
            cs_store(share + e * step, value);
        sum += value;
    }
    cs_vd over = 1.0 / sum;
    for (size_t e = 0; share && e < n; e++)
        cs_store(share + e * step, cs_load(share + e * step) * over);
    return cs_sp_log_sum(sum, most);
}

/* Computes log sum exp and softmax for each of `columns` columns. */
INLINE void sum_exps(const machine *m, const cs_instruction *i, size_t size,
                     size_t columns, double *out, double *share)
{
    const double *a = source_of(m, i->a).p;
    size_t lanes = columns * m->lanes;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd y = sum_exp(a + l, size / columns, lanes, share ? share + l : 0);
        if (out)
            cs_store(out + l, y);
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

/* Picks from few elements: each is selected where the index reaches it. */
static void pick_few(const machine *m, const cs_instruction *i)
{
    source s = source_of(m, i->a), by = source_of(m, i->b);
    bool constant = is_number(i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++, out += m->lanes)
        for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
            cs_vd index = cs_load(by.p + e * by.step + l);
            cs_vd v = load(s, 0, l, constant);
            for (size_t k = 1; k < i->elements; k++)
                v = cs_vselect(index >= (double)(k + 1),
                               load(s, k, l, constant), v);
            cs_store(out + l, v);
        }
}

static void run_pick(const machine *m, const cs_instruction *i)
{
    if (i->elements <= FEW)
        return pick_few(m, i);
    source s = source_of(m, i->a), by = source_of(m, i->b);
    size_t across = !is_number(i->a);
    double *out = row_to(m, i->out);
    for (size_t e = 0; e < i->size; e++, out += m->lanes)
        for (size_t l = 0; l < m->lanes; l++)
            out[l] =
                s.p[cs_nearest_element(by.p[e * by.step + l], i->elements) *
                        s.step +
                    across * l];
}

static void run_spread(const machine *m, const cs_instruction *i)
{
    source s = source_of(m, i->a), by = source_of(m, i->b);
    size_t across = !is_number(i->a);
    double *out = row_to(m, i->out);
    memset(out, 0, i->size * m->lanes * sizeof *out);
    for (size_t e = 0; e < i->elements; e++)
        for (size_t l = 0; l < m->lanes; l++)
            out[cs_nearest_element(by.p[e * by.step + l], i->size) * m->lanes +
                l] += s.p[e * s.step + across * l];
}

static void run_spread_total(const machine *m, const cs_instruction *i)
{
    source s = source_of(m, i->a), by = source_of(m, i->b);
    size_t across = !is_number(i->a), along = !is_number(i->b);
    double *total = m->total + (size_t)i->out * CS_PAD;
    for (size_t e = 0; e < i->elements; e++)
        for (size_t l = 0; l < m->live; l++) {
            size_t k =
                cs_nearest_element(by.p[e * by.step + along * l], i->size);
            double v = i->start * s.p[e * s.step + across * l];
            total[k * CS_PAD + l % CS_PAD] += m->weight ? m->weight[l] * v : v;
        }
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

static void run_cholesky_back(const machine *m, const cs_instruction *i)
{
    cs_lanes_cholesky_back(rows_of(m, i->a), rows_of(m, i->b), side(i->size),
                           m->lanes, row_to(m, i->out));
}

/* Returns a lane before l with the same inputs, or l. Lanes after the last chain
 * repeat another lane. */
static size_t like_lane(source s, size_t across, size_t n, size_t l)
{
    for (size_t k = 0; k < l; k++) {
        size_t j = 0;
        while (j < n &&
               s.p[j * s.step + across * k] == s.p[j * s.step + across * l])
            j++;
        if (j == n)
            return k;
    }
    return l;
}

/* Solves the system once for lanes with the same inputs. */
static void run_ode(const machine *m, const cs_instruction *i)
{
    cs_ode *o = cs_odes_find(&m->p->odes, i->second);
    source s = source_of(m, i->a);
    size_t across = !is_number(i->a);
    double *out = row_to(m, i->out);
    for (size_t l = 0; l < m->lanes; l++) {
        size_t k = like_lane(s, across, i->elements, l);
        for (size_t e = 0; k < l && e < i->size; e++)
            out[e * m->lanes + l] = out[e * m->lanes + k];
        if (k == l)
            o->solve(o, s.p + across * l, s.step, out + l, m->lanes);
    }
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

static const run_function table[CS_CODE_COUNT] = {
#define RUN(code, name) [code] = run_##name,
#include "tape/codes.def"
#undef RUN
    [CS_CODE_COLLECT] = run_collect,
    [CS_CODE_SPREAD] = run_spread_total,
};

static void run_code(const machine *m, cs_program_roots which)
{
    const cs_program *p = m->p;
    const cs_instruction *i = which == CS_ROOTS_REST ? p->rest : p->code;
    const cs_instruction *end = which == CS_ROOTS_REST     ? i + p->n_rest
                                : which == CS_ROOTS_BEFORE ? i + p->n_before
                                                           : i + p->n_code;
    if (which == CS_ROOTS_AFTER)
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
    run_code(&m, rest ? CS_ROOTS_REST : CS_ROOTS_ALL);
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
    run_code(&m, rows->roots);
}

const cs_program_ops CS_VARIANT(cs_program_ops) = {.run = run,
                                                   .run_rows = run_rows};
