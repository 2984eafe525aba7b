#include "tape/linear_form.h"

#include "base/memory.h"
#include "expr/intern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest depth of sums within sums, number of elements of the matrices and of
 * factors, and length of a vector whose elements are read through a gather. */
enum {
    DEEPEST = 200,
    MOST_CELLS = 1 << 16,
    MOST_FACTORS = 1 << 20,
    LONGEST = 64
};

/* Weights of the reasons why y[v] is not finite. Each is above any sum of the
 * lesser ones, so that the sum of the weights shows the greatest: an element that
 * is -infinity; one that is NaN or +infinity; a condition that does not hold. */
static const double impossible = 1, undefined = 0x1p20, unmet = 0x1p40;

/* The factors of the elements of a node in y[v]. If `condition` is true, the
 * elements are conditions, and the factors are positive for those that must
 * hold. */
typedef struct atom {
    cs_node node;
    bool condition;
    size_t v, first; /* first: index in `factor` */
} atom;

struct cs_linear_form {
    cs_graph *g;
    size_t n;
    double *constant, *broken; /* [n] constants; the weight of
                                  conditions that never hold [own] */
    atom *atom;                /* [n_atoms] [own] */
    size_t n_atoms, atom_capacity;
    double *factor; /* [n_factors] [own] */
    size_t n_factors, factor_capacity;
    bool failed; /* memory ran out, or there are too many factors */
};

cs_linear_form *cs_linear_form_create(cs_graph *g, size_t n)
{
    cs_linear_form *f = cs_alloc(1, sizeof *f);
    if (!f)
        return NULL;
    *f = (cs_linear_form){.g = g, .n = n};
    f->constant = cs_alloc(2 * n, sizeof *f->constant);
    if (!f->constant) {
        cs_free(f);
        return NULL;
    }
    f->broken = f->constant + n;
    return f;
}

void cs_linear_form_destroy(cs_linear_form *f)
{
    if (f)
        CS_FREE_ALL(f->constant, f->atom, f->factor, f);
}

/* ---- terms --------------------------------------------------------------- */

/* Terms that are being added: sum_e factor[e] a[e]. */
typedef struct terms {
    cs_linear_form *form;
    size_t v;
    bool condition;
    unsigned depth;
} terms;

static void add(terms t, cs_node a, const double *factor);

static void add_atom(terms t, cs_node a, const double *factor)
{
    cs_linear_form *f = t.form;
    size_t size = cs_graph_size(f->g, a);
    if (f->n_factors + size > MOST_FACTORS ||
        !cs_grow((void **)&f->atom, f->n_atoms, &f->atom_capacity, 1,
                 sizeof *f->atom) ||
        !cs_grow((void **)&f->factor, f->n_factors, &f->factor_capacity, size,
                 sizeof *f->factor)) {
        f->failed = true;
        return;
    }
    f->atom[f->n_atoms++] = (atom){a, t.condition, t.v, f->n_factors};
    memcpy(f->factor + f->n_factors, factor, size * sizeof *factor);
    f->n_factors += size;
}

static void add_constant(terms t, cs_node a, const double *factor)
{
    cs_linear_form *f = t.form;
    for (size_t e = 0; e < cs_graph_size(f->g, a); e++) {
        double value = cs_graph_element(f->g, a, e);
        if (factor[e] == 0)
            continue;
        if (t.condition)
            f->broken[t.v] += value == 0 ? unmet : 0;
        else
            f->constant[t.v] += factor[e] * value;
    }
}

/* Adds argument i of node a, whose elements have the factors factor[] times
 * sign times the elements of `by` (0: none). */
static void add_argument(terms t, cs_node a, size_t i, double sign, cs_node by,
                         const double *factor)
{
    cs_graph *g = t.form->g;
    cs_node of = cs_graph_arg(g, a, i);
    size_t size = cs_graph_size(g, a), own = cs_graph_size(g, of);
    double *next = cs_alloc(own, sizeof *next);
    if (!next) {
        t.form->failed = true;
        return;
    }
    for (size_t e = 0; e < size; e++)
        if (factor[e] != 0)
            next[own > 1 ? e : 0] +=
                sign * factor[e] * (by ? cs_graph_element(g, by, e) : 1);
    add(t, of, next);
    cs_free(next);
}

/* Adds a SUM, GATHER or SLICE. */
static void add_moved(terms t, cs_node a, const double *factor)
{
    cs_graph *g = t.form->g;
    const cs_graph_node *k = cs_graph_at(g, a);
    cs_node of = cs_graph_arg(g, a, 0);
    size_t own = cs_graph_size(g, of);
    const double *index =
        k->op == CS_OP_GATHER ? g->constants[k->extra].v : NULL;
    double *next = cs_alloc(own, sizeof *next);
    if (!next) {
        t.form->failed = true;
        return;
    }
    for (size_t e = 0; k->op == CS_OP_SUM && e < own; e++)
        next[e] = factor[0];
    for (size_t e = 0; k->op != CS_OP_SUM && e < k->size; e++)
        next[index ? (size_t)index[e] : k->extra + e] += factor[e];
    add(t, of, next);
    cs_free(next);
}

/* Returns true if a is where(c, x, -infinity) and no factor is negative. */
static bool is_guarded(const cs_graph *g, cs_node a, const double *factor)
{
    double otherwise;
    if (cs_graph_at(g, a)->op != CS_OP_WHERE ||
        !cs_graph_is_number(g, cs_graph_arg(g, a, 2), &otherwise) ||
        otherwise != -HUGE_VAL)
        return false;
    for (size_t e = 0; e < cs_graph_size(g, a); e++)
        if (!(factor[e] >= 0))
            return false;
    return true;
}

/* Returns the constant argument of a product, or 0; *other is the index of the
 * other argument. */
static cs_node constant_of(const cs_graph *g, cs_node a, size_t *other)
{
    if (cs_graph_at(g, a)->op != CS_OP_MUL)
        return 0;
    for (size_t i = 0; i < 2; i++)
        if (cs_graph_is_data(g, cs_graph_arg(g, a, i))) {
            *other = 1 - i;
            return cs_graph_arg(g, a, i);
        }
    return 0;
}

/* Adds a node that is a sum or a multiple of others. Returns false if it is
 * neither. */
static bool add_parts(terms t, cs_node a, const double *factor)
{
    cs_graph *g = t.form->g;
    cs_op op = (cs_op)cs_graph_at(g, a)->op;
    size_t other;
    cs_node by = constant_of(g, a, &other);
    if (op == CS_OP_ADD || op == CS_OP_SUB) {
        add_argument(t, a, 0, 1, 0, factor);
        add_argument(t, a, 1, op == CS_OP_ADD ? 1 : -1, 0, factor);
    } else if (by) {
        add_argument(t, a, other, 1, by, factor);
    } else if (is_guarded(g, a, factor)) {
        terms conditions = t;
        conditions.condition = true;
        add_argument(conditions, a, 0, 1, 0, factor);
        add_argument(t, a, 1, 1, 0, factor);
    } else {
        return false;
    }
    return true;
}

static void add(terms t, cs_node a, const double *factor)
{
    cs_graph *g = t.form->g;
    cs_op op = (cs_op)cs_graph_at(g, a)->op;
    bool moves = op == CS_OP_GATHER || op == CS_OP_SLICE;
    if (t.form->failed)
        return;
    t.depth++;
    if (cs_graph_is_data(g, a))
        add_constant(t, a, factor);
    else if ((moves && cs_graph_size(g, cs_graph_arg(g, a, 0)) <= LONGEST) ||
             (op == CS_OP_SUM && !t.condition))
        add_moved(t, a, factor);
    else if (t.depth > DEEPEST || t.condition || !add_parts(t, a, factor))
        add_atom(t, a, factor);
}

void cs_linear_form_add(cs_linear_form *form, size_t v, cs_node a,
                        const double *factor)
{
    if (a && !form->g->status)
        add((terms){.form = form, .v = v}, a, factor);
}

/* ---- the value ----------------------------------------------------------- */

static int in_order(const void *a, const void *b)
{
    const atom *p = a, *q = b;
    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    if (p->condition != q->condition)
        return p->condition ? 1 : -1;
    return (p->v > q->v) - (p->v < q->v);
}

/* Returns the end of the atoms with the node of atom `first`, and of its
 * sort. */
static size_t end_of(const cs_linear_form *f, size_t first)
{
    size_t end = first;
    while (end < f->n_atoms && f->atom[end].node == f->atom[first].node &&
           f->atom[end].condition == f->atom[first].condition)
        end++;
    return end;
}

/* Vectors that are multiplied by a matrix, one after another. */
typedef struct stack {
    cs_node *part; /* [n] [own] */
    size_t n, size;
    double *m; /* [rows][size] [own] */
} stack;

static bool open_stack(const cs_linear_form *f, bool conditions, stack *s)
{
    *s = (stack){.n = 0};
    for (size_t i = 0; i < f->n_atoms; i = end_of(f, i))
        if (conditions || !f->atom[i].condition)
            s->size += cs_graph_size(f->g, f->atom[i].node);
    if (s->size > MOST_CELLS / f->n)
        return false;
    s->part = cs_alloc(f->n_atoms + 1, sizeof *s->part);
    s->m = cs_alloc(f->n * s->size + 1, sizeof *s->m);
    return s->part && s->m;
}

static void close_stack(stack *s)
{
    CS_FREE_ALL(s->part, s->m);
}

/* Appends a vector, which belongs to the node of the atoms first .. end - 1, and
 * its columns: their factors or, if `uses`, 1 for each element that is read. */
static void push(const cs_linear_form *f, size_t first, size_t end, bool uses,
                 cs_node part, size_t *column, stack *s)
{
    size_t size = cs_graph_size(f->g, f->atom[first].node);
    for (size_t i = first; i < end; i++)
        for (size_t e = 0; e < size; e++) {
            double factor = f->factor[f->atom[i].first + e];
            double *cell = &s->m[f->atom[i].v * s->size + *column + e];
            *cell = uses ? *cell != 0 || factor != 0 : *cell + factor;
        }
    s->part[s->n++] = part;
    *column += size;
}

static cs_node product(const cs_linear_form *f, const stack *s)
{
    if (!s->n)
        return cs_graph_number(f->g, 0);
    return cs_graph_product(f->g, s->m, f->n, s->size,
                            cs_graph_pack(f->g, s->part, s->n));
}

/* Returns the weights of the elements of the atoms first .. end - 1, where they
 * are not finite. If their factors have both signs, all infinite elements count
 * as -infinity. */
static cs_node weights(const cs_linear_form *f, size_t first, size_t end)
{
    cs_graph *g = f->g;
    cs_node a = f->atom[first].node, zero = cs_graph_number(g, 0);
    bool above = false, below = false;
    if (f->atom[first].condition)
        return cs_graph_number(g, unmet);
    for (size_t i = first; i < end; i++)
        for (size_t e = 0; e < cs_graph_size(g, a); e++) {
            above |= f->factor[f->atom[i].first + e] > 0;
            below |= f->factor[f->atom[i].first + e] < 0;
        }
    if (above && below)
        a = cs_graph_op1(g, CS_OP_ABS, a);
    cs_node low = below ? cs_graph_op2(g, CS_OP_LT, zero, a)
                        : cs_graph_op2(g, CS_OP_LT, a, zero);
    return cs_graph_op3(g, CS_OP_WHERE, low, cs_graph_number(g, impossible),
                        cs_graph_number(g, undefined));
}

/* Fills both stacks: the elements of each node that are finite, with 0 in place
 * of the others; and the weights of elements that are not finite, and of
 * conditions that do not hold. */
static void fill(const cs_linear_form *f, stack *values, stack *broken)
{
    cs_graph *g = f->g;
    cs_node zero = cs_graph_number(g, 0);
    size_t at = 0, at_broken = 0;
    for (size_t i = 0, end; i < f->n_atoms; i = end) {
        cs_node a = f->atom[i].node, good = a;
        end = end_of(f, i);
        if (!f->atom[i].condition) {
            good = cs_graph_op2(g, CS_OP_LT, cs_graph_op1(g, CS_OP_ABS, a),
                                cs_graph_number(g, HUGE_VAL));
            push(f, i, end, false, cs_graph_op3(g, CS_OP_WHERE, good, a, zero),
                 &at, values);
        }
        push(f, i, end, true,
             cs_graph_op3(g, CS_OP_WHERE, good, zero, weights(f, i, end)),
             &at_broken, broken);
    }
}

/* Returns the value of y[v] where the sum of the weights is not 0. */
static cs_node not_finite(cs_graph *g, cs_node sum)
{
    cs_node none = cs_graph_number(g, -HUGE_VAL);
    cs_node odd =
        cs_graph_op3(g, CS_OP_WHERE,
                     cs_graph_op2(g, CS_OP_LT, sum, cs_graph_number(g, unmet)),
                     cs_graph_number(g, (double)NAN), none);
    return cs_graph_op3(
        g, CS_OP_WHERE,
        cs_graph_op2(g, CS_OP_LT, sum, cs_graph_number(g, undefined)), none,
        odd);
}

cs_node cs_linear_form_value(cs_linear_form *f)
{
    cs_graph *g = f->g;
    stack values = {.n = 0}, broken = {.n = 0};
    cs_node y = 0;
    if (f->failed || g->status)
        return 0;
    if (f->n_atoms)
        qsort(f->atom, f->n_atoms, sizeof *f->atom, in_order);
    if (open_stack(f, false, &values) && open_stack(f, true, &broken)) {
        fill(f, &values, &broken);
        y = cs_graph_op2(g, CS_OP_ADD, cs_graph_vector(g, f->constant, f->n),
                         product(f, &values));
        cs_node sum =
            cs_graph_op2(g, CS_OP_ADD, cs_graph_vector(g, f->broken, f->n),
                         product(f, &broken));
        y = cs_graph_op3(g, CS_OP_WHERE, sum, not_finite(g, sum), y);
    }
    close_stack(&values);
    close_stack(&broken);
    return y;
}
