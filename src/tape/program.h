/* A compiled expression: a list of instructions over a block (tape/compile.h
 * lists the compiler passes).
 *
 * Every value is a set of rows of lanes, value[size][lanes], in one array of
 * slots (slot s starts at s * lanes). Constants are stored as single numbers. A
 * sum of products is one instruction, and the sum is kept in registers. Running
 * a program does not allocate, lock or fail. */
#pragma once

#include "expr/graph.h"

/* Memory layout of an operand. */
typedef enum cs_operand_kind {
    CS_FROM_ROWS,   /* slot, one row per element */
    CS_FROM_ROW,    /* slot, the same row for all elements */
    CS_FROM_VECTOR, /* constant, one number per element */
    CS_FROM_NUMBER  /* constant, the same number for all elements */
} cs_operand_kind;

typedef struct cs_operand {
    uint32_t kind : 2;
    uint32_t at : 30; /* slot, or index in `constants` */
} cs_operand;

/* One term of a sum: factor * a, or, for a pair, factor * a * b. */
typedef struct cs_term {
    double factor;
    cs_operand a, b;
} cs_term;

/* Codes of instructions that are not operations of a graph. */
enum {
    CS_CODE_SUM = CS_OP_COUNT, /* out = start + the sum of terms */
    CS_CODE_TOTAL,             /* out = start + the sum of terms, also summed
                                * over elements */
    CS_CODE_COLLECT,           /* totals[out + element] += the sum of terms */
    CS_CODE_SPREAD,            /* totals[out + b[element] - 1] += start *
                                * a[element] */
    CS_CODE_COPY,
    CS_CODE_LOGISTIC,         /* out = softplus(a), second = sigmoid(a) */
    CS_CODE_LOGISTIC_SIGMOID, /* out = sigmoid(a) only, with the same bits */
    CS_CODE_LOG_SUM_EXP,      /* out = log_sum_exp(a), second = softmax(a) */
    CS_CODE_COUNT
};

/* out[size] = op(a, b, c). In sums the terms [first, first + plain) are plain,
 * and the remaining terms, up to first + count, are pairs. `elements` is the
 * length of a reduction. For PRODUCT, GATHER and SCATTER, b.at is the position
 * of the matrix or of the indices. For BILINEAR, c.at is the position of the
 * terms, and `count` is the number of terms. `second` is the node's `extra` if
 * that is not a constant. */
typedef struct cs_instruction {
    uint32_t op, size, out, second;
    uint32_t elements;
    cs_operand a, b, c;
    uint32_t first, plain, count;
    bool constants; /* true if some operand of a term is a constant */
    bool flat;      /* true if all operands of all terms are rows, one per
                     * element */
    double start;
    cs_node node; /* node of the instruction, and the node's line in the
                   * script */
    int line;
} cs_instruction;

/* True if the instruction has a second result, of cs_instruction_second(i)
 * rows. */
static inline bool cs_instruction_is_double(const cs_instruction *i)
{
    return i->op == CS_CODE_LOGISTIC || i->op == CS_CODE_LOG_SUM_EXP;
}
static inline uint32_t cs_instruction_second(const cs_instruction *i)
{
    return i->op == CS_CODE_LOGISTIC ? i->size : i->elements;
}

/* True if the instruction adds to totals. */
static inline bool cs_instruction_collects(const cs_instruction *i)
{
    return i->op == CS_CODE_COLLECT || i->op == CS_CODE_SPREAD;
}

typedef struct cs_program {
    size_t dim, slots;
    bool apart;     /* true if lanes are rows of a table. Then the input is read
                     * in place, not from slots, and sums over lanes are stored
                     * in totals */
    size_t numbers; /* number of scalars at the start of the input; these
                     * scalars are the first constants */
    size_t totals;
    cs_instruction *code;
    size_t n_code;
    cs_instruction *rest; /* [n_rest] instructions for the roots other than the
                           * first; their results have the same bits as the
                           * results of `code` */
    size_t n_rest;
    /* In a program over rows, the first n_before instructions compute the first
     * root and precede any sum over rows; 0 if there is no such split. */
    size_t n_before;
    cs_term *terms;
    size_t n_terms;
    double *constants;
    size_t n_constants;
    size_t n_roots;
    cs_odes odes;   /* systems of the ODE instructions, whose `second` is their
                   * number */
    uint32_t *root; /* [n_roots] slots of the roots */
    uint32_t *root_size; /* [n_roots] */
} cs_program;

/* Compiles the instructions needed for roots[n] of the graph. [own,
 * cs_program_destroy] */
cs_status cs_program_compile(const cs_graph *g, const cs_node *roots, size_t n,
                             cs_program **out, cs_error *err);
void cs_program_destroy(cs_program *p);

/* Approximate cost of a run: the number of terms in sums and in products of
 * matrices plus the elements of other instructions. */
size_t cs_program_work(const cs_program *p);

/* Compiles a program whose lanes are rows of a table. The first elements of the
 * graph's input (their number is `numbers`) are the same for all rows; the
 * other elements are the table's columns. A root is rows of slots or, for a
 * COLLECT, an index in the totals. */
cs_status cs_program_compile_rows(const cs_graph *g, size_t numbers,
                                  const cs_node *roots, size_t n,
                                  cs_program **out, cs_error *err);

/* The roots that a run computes. ALL: all roots. REST: all except the first. If
 * n_before is not 0, the work can also be divided between two runs: the first
 * run computes the first root (BEFORE), and the second run computes the other
 * roots (AFTER). */
typedef enum cs_program_roots {
    CS_ROOTS_ALL,
    CS_ROOTS_REST,
    CS_ROOTS_BEFORE,
    CS_ROOTS_AFTER
} cs_program_roots;

/* A chunk of rows in lanes, live <= lanes: column[dim][lanes] (all lanes must
 * be readable), constants[n_constants] are the constants of the program, which
 * start with the numbers. A run adds to total[totals][CS_PAD]; row r is added
 * to partial sum r % CS_PAD. */
typedef struct cs_rows {
    const double *column, *constants;
    size_t lanes, live;
    double *scratch; /* [slots - dim][lanes] */
    double *total;
    const double *weight; /* [lanes] weight of each row in sums; NULL: 1 */
    cs_program_roots roots;
} cs_rows;
void cs_program_run_rows(const cs_program *p, const cs_rows *rows);

/* Runs the program over x[dim][lanes], with scratch[slots][lanes] aligned to
 * CS_ALIGN. Afterwards root i is at scratch + root[i] * lanes. lanes must be a
 * multiple of the vector width. */
void cs_program_run(const cs_program *p, const double *x, size_t lanes,
                    double *scratch);

/* Runs the program for all roots except the first. */
void cs_program_run_rest(const cs_program *p, const double *x, size_t lanes,
                         double *scratch);

/* Runs the program for one state, whose element i is x[i * stride], in
 * scratch[slots]. If `rest` is true, computes all roots except the first.
 * Afterwards root i is at scratch + root[i]. The results have the same bits as
 * in a lane of a block. */
void cs_program_run_one(const cs_program *p, bool rest, const double *x,
                        size_t stride, double *scratch);

/* Returns true if `states` states run faster one by one than together in
 * `lanes` lanes. In a one-state run, a register holds elements of a vector in
 * its lanes, not several states. */
bool cs_program_suits_one(const cs_program *p, size_t states, size_t lanes);

typedef struct cs_program_one_ops {
    void (*run)(const cs_program *p, bool rest, const double *x, size_t stride,
                double *scratch);
} cs_program_one_ops;

/* The functions that run programs, in one variant per instruction set. */
typedef struct cs_program_ops {
    void (*run)(const cs_program *p, bool rest, const double *x, size_t lanes,
                double *scratch);
    void (*run_rows)(const cs_program *p, const cs_rows *rows);
} cs_program_ops;
