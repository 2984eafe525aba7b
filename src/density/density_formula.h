/* Formulas of densities as text, for example
 *
 *     z = (y - mu) * (1 / sigma); -0.5 * z * z - log(sigma) - half_log_tau
 *
 * A formula is a list of definitions and an expression. Expressions have
 * numbers, names, + - * / with the usual precedence, calls, and choices
 * `fact ? a : b`. A fact is a function whose value is known, such as few(a, b);
 * only the chosen side is evaluated. Operands are evaluated from left to
 * right. The functions are those of formula_words.c, then the rows of all
 * densities. */
#pragma once

#include "density/density.h"

typedef struct cs_density_formula cs_density_formula;

/* Compiles the formula of a row. Fails if the text has a mistake.
 * [own, cs_density_formula_destroy] */
cs_status cs_density_formula_create(const cs_densities *all,
                                    const cs_density *d,
                                    cs_density_formula **out, cs_error *err);
void cs_density_formula_destroy(cs_density_formula *f);

/* Evaluates the formula for the arguments of its row. */
cs_arg cs_density_formula_value(cs_calc *c, const cs_density_formula *f,
                                const cs_arg *argument, size_t n);

/* A function of formulas: an operation of the graph, or C code. */
typedef struct cs_formula_word {
    const char *name;
    size_t n; /* number of arguments; 0: one to eight */
    cs_op op; /* CS_OP_NONE: `build` computes the value */
    cs_arg (*build)(cs_calc *c, const cs_arg *a, size_t n);
} cs_formula_word;

extern const cs_formula_word cs_formula_words[];
extern const size_t cs_formula_words_n;

/* Named constants of formulas. */
typedef struct cs_formula_constant {
    const char *name;
    double value;
} cs_formula_constant;

extern const cs_formula_constant cs_formula_constants[];
extern const size_t cs_formula_constants_n;
