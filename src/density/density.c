#include "density/density.h"

#include "density/density_formula.h"
#include "density/domain.h"
#include "density/families.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const cs_density_kind_names[CS_DENSITY_KINDS] = {
    "lpdf", "lcdf", "lccdf", "math", "helper"};

static const cs_density_family *const families[] = {
    &cs_density_line,    &cs_density_positive,   &cs_density_bounded,
    &cs_density_counts,  &cs_density_categories, &cs_density_multivariate,
    &cs_density_spatial, &cs_density_cumulative, &cs_density_complements,
    &cs_density_math,    &cs_density_helpers,    &cs_density_tails,
};
enum { FAMILIES = sizeof families / sizeof *families };

/* ---- rows ---------------------------------------------------------------- */

/* Copies the next word of *text, which ends at a blank or a comma. */
static bool next_word(const char **text, char *word, size_t size)
{
    const char *at = *text + strspn(*text, " ");
    size_t n = strcspn(at, " ,");
    *text = at + n;
    if (n >= size)
        return false;
    memcpy(word, at, n);
    word[n] = '\0';
    return true;
}

static bool set_shape(cs_density_argument *a, const char *name)
{
    static const char *const shapes[] = {"", "list", "vector", "matrix",
                                         "rows"};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(shapes[i], name)) {
            a->shape = i;
            return true;
        }
    return false;
}

static bool read_arguments(cs_density *d)
{
    const char *at = d->row->arguments;
    char word[24];
    for (d->n = 0; *at && d->n < CS_DENSITY_ARGUMENTS; d->n++) {
        cs_density_argument *a = &d->argument[d->n];
        if (!next_word(&at, a->name, sizeof a->name) ||
            !next_word(&at, word, sizeof word))
            return false;
        a->domain = cs_density_domain_find(word);
        if (!a->domain || !next_word(&at, word, sizeof word) ||
            !set_shape(a, word))
            return false;
        at += *at == ',';
    }
    return !*at;
}

cs_status cs_densities_create(cs_densities **out, cs_error *err)
{
    cs_densities *d = cs_alloc(1, sizeof *d);
    size_t n = 0;
    for (size_t f = 0; f < FAMILIES; f++)
        n += families[f]->n;
    if (d)
        d->all = cs_alloc(n, sizeof *d->all);
    if (!d || !d->all) {
        cs_free(d);
        return cs_fail(err, CS_MEMORY, "out of memory for densities");
    }
    for (int kind = 0; kind < CS_DENSITY_KINDS; kind++)
        for (size_t f = 0; f < FAMILIES; f++)
            for (size_t i = 0;
                 (int)families[f]->kind == kind && i < families[f]->n; i++) {
                cs_density *one = &d->all[d->n++];
                one->row = &families[f]->rows[i];
                one->kind = families[f]->kind;
                snprintf(one->label, sizeof one->label, "cs.%s.%s",
                         cs_density_kind_names[kind], one->row->name);
                if (!read_arguments(one)) {
                    cs_densities_destroy(d);
                    return cs_fail(err, CS_INTERNAL, "%s: mistake in (%s)",
                                   one->row->name, one->row->arguments);
                }
            }
    *out = d;
    return CS_OK;
}

void cs_densities_destroy(cs_densities *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n; i++)
        cs_density_formula_destroy(d->all[i].formula);
    cs_free(d->all);
    cs_free(d);
}

cs_density *cs_densities_find(const cs_densities *d, cs_density_kind kind,
                              const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->all[i].kind == kind && !strcmp(d->all[i].row->name, name))
            return &d->all[i];
    return NULL;
}

const char *cs_density_arguments(const cs_density *d, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < d->n && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "",
                               d->argument[i].name);
    return text;
}

/* ---- checks -------------------------------------------------------------- */

static bool check_shape(cs_calc *c, const cs_density_argument *a, cs_arg x)
{
    static const char *const wanted[] = {
        [CS_SHAPE_VECTOR] = "a vector: a list of numbers",
        [CS_SHAPE_LIST] = "a number or a list of numbers",
        [CS_SHAPE_MATRIX] = "a square matrix: a list of equally long lists",
        [CS_SHAPE_ROWS] = "a vector, or a matrix with one value per row",
    };
    char text[64];
    if (a->shape == CS_SHAPE_EACH ||
        (a->shape == CS_SHAPE_VECTOR && x.rank == 1) ||
        (a->shape == CS_SHAPE_LIST && x.rank < 2) ||
        (a->shape == CS_SHAPE_MATRIX && x.rank == 2 && x.rows == x.cols) ||
        (a->shape == CS_SHAPE_ROWS && x.rank > 0))
        return true;
    char hint[96];
    snprintf(hint, sizeof hint, "give %s", wanted[a->shape]);
    cs_calc_fail(c, hint, "%s is %s", a->name, cs_arg_text(x, text));
    return false;
}

/* Fails if two elementwise arguments cannot be combined. */
static bool check_sizes(cs_calc *c, const cs_density *d, const cs_arg *x)
{
    size_t most = CS_DENSITY_ARGUMENTS;
    for (size_t i = 0; i < d->n; i++) {
        if (d->argument[i].shape != CS_SHAPE_EACH || x[i].size < 2)
            continue;
        if (most < d->n &&
            (x[most].size != x[i].size || x[most].rank != x[i].rank ||
             x[most].cols != x[i].cols)) {
            char one[64], other[64];
            cs_calc_fail(
                c, "combine vectors of equal length, or a vector and a number",
                "%s and %s, %s and %s, cannot be combined",
                d->argument[most].name, d->argument[i].name,
                cs_arg_text(x[most], one), cs_arg_text(x[i], other));
            return false;
        }
        most = i;
    }
    return true;
}

/* Returns the number of entries of a vector, or of the rows of a matrix. */
static size_t length_of(cs_arg x)
{
    return x.rank == 2 ? x.cols : x.size;
}

/* Writes "y has 3 entries", "each row of y has 3 entries" or "s is 3 x 3". */
static void tell_length(const cs_density_argument *a, cs_arg x, char text[96])
{
    if (x.rank == 2 && a->shape != CS_SHAPE_ROWS)
        snprintf(text, 96, "%s is %zu x %zu", a->name, x.rows, x.cols);
    else
        snprintf(text, 96, "%s%s has %zu entr%s",
                 x.rank == 2 ? "each row of " : "", a->name, length_of(x),
                 length_of(x) == 1 ? "y" : "ies");
}

/* Fails if the vectors and matrices of one density differ in length. Entries of
 * elementwise operations would be repeated for a vector of one entry. */
static bool check_lengths(cs_calc *c, const cs_density *d, const cs_arg *x)
{
    size_t first = d->n;
    for (size_t i = 0; d->row->whole && i < d->n; i++) {
        const cs_density_argument *a = d->argument;
        if (a[i].shape == CS_SHAPE_EACH || !x[i].rank)
            continue;
        if (first < d->n && length_of(x[i]) != length_of(x[first])) {
            char one[96], other[96];
            tell_length(&a[first], x[first], one);
            tell_length(&a[i], x[i], other);
            cs_calc_fail(c, "give both the same length", "%s, but %s", one,
                         other);
            return false;
        }
        first = first < d->n ? first : i;
    }
    return true;
}

static bool check_known(cs_calc *c, const cs_density_argument *a, cs_arg x)
{
    for (size_t i = 0; cs_is_known(x) && i < x.size; i++)
        if (!a->domain->has(x.v[i])) {
            char hint[96];
            snprintf(hint, sizeof hint, "%s must be %s", a->name,
                     a->domain->text);
            cs_calc_fail(c, hint, "%s = %.9g", a->name, x.v[i]);
            return false;
        }
    if (a->domain->to_1 && cs_is_known(x) && cs_density_sum(x) != 1) {
        cs_calc_fail(c, "divide the numbers by their sum",
                     "the numbers of %s must sum to 1, but their sum is %.9g",
                     a->name, cs_density_sum(x));
        return false;
    }
    return true;
}

bool cs_density_check(cs_calc *c, const cs_density *d, const cs_arg *argument,
                      bool tracing)
{
    for (size_t i = 0; i < d->n; i++)
        if (!argument[i].size || !check_shape(c, &d->argument[i], argument[i]))
            return false;
    for (size_t i = 0; tracing && i < d->n; i++)
        if (!check_known(c, &d->argument[i], argument[i]))
            return false;
    return check_sizes(c, d, argument) && check_lengths(c, d, argument);
}

const char *cs_density_column_kind(const cs_density_argument *a)
{
    return a->domain->column;
}

void cs_density_fail_column(cs_calc *c, const cs_density *d, size_t i,
                            double value, size_t row)
{
    const cs_density_argument *a = &d->argument[i];
    char hint[96];
    snprintf(hint, sizeof hint, "%s must be %s", a->name, a->domain->text);
    cs_calc_fail(c, hint, "%s = %.9g in row %zu of the data", a->name, value,
                 row);
}

/* ---- values -------------------------------------------------------------- */

/* Multiplies the condition *all by one more. Without a condition its size is
 * 0. */
static void require(cs_calc *c, cs_arg *all, cs_arg one)
{
    *all = all->size ? cs_calc_op2(c, CS_OP_MUL, *all, one) : one;
}

/* Computes the conditions that the arguments are in their domains: one for all
 * entries together, and one per entry. A condition that always holds has size
 * 0. */
static void conditions(cs_calc *c, const cs_density *d, const cs_arg *x,
                       cs_arg *of_all, cs_arg *of_each)
{
    bool tracing = c->graph != NULL;
    for (size_t i = 0; i < d->n; i++) {
        const cs_density_domain *domain = d->argument[i].domain;
        if (!domain->inside || (tracing && cs_is_known(x[i])))
            continue;
        cs_arg one = domain->inside(c, x[i]);
        require(c, one.rank ? of_each : of_all, one);
    }
}

cs_arg cs_density_apply(cs_calc *c, cs_density *d, const cs_arg *argument)
{
    for (size_t i = 0; i < d->n; i++)
        if (!argument[i].size)
            return argument[i];
    if (!d->row->formula)
        return d->row->build(c, argument);
    if (!d->formula) {
        cs_error err;
        if (cs_density_formula_create(c->densities, d, &d->formula, &err)) {
            if (!c->err.status)
                c->err = err;
            return (cs_arg){0};
        }
    }
    return cs_density_formula_value(c, d->formula, argument, d->n);
}

cs_arg cs_density_value(cs_calc *c, cs_density *d, const cs_arg *argument,
                        bool each)
{
    cs_arg of_all = {0}, of_each = {0};
    bool pooled = d->row->pooled || d->row->whole;
    if (d->kind == CS_DENSITY_WORD)
        return cs_density_apply(c, d, argument);
    conditions(c, d, argument, &of_all, &of_each);
    if (pooled && of_each.size) {
        require(c, &of_all, cs_calc_least(c, of_each));
        of_each.size = 0;
    }
    cs_arg u = cs_density_apply(c, d, argument);
    if (of_each.size)
        u = cs_calc_inside(c, of_each, u);
    if (!each)
        u = cs_calc_reduce(c, CS_OP_SUM, u);
    return of_all.size ? cs_calc_inside(c, of_all, u) : u;
}

cs_arg cs_density_call(cs_calc *c, const char *name, const cs_arg *argument,
                       size_t n)
{
    for (size_t i = 0; i < c->densities->n; i++) {
        cs_density *d = &c->densities->all[i];
        if (d->n == n && !strcmp(d->row->name, name))
            return cs_density_apply(c, d, argument);
    }
    return cs_calc_fail(c, NULL, "there is no function %s", name);
}

bool cs_density_few(cs_arg a)
{
    for (size_t i = 0; cs_is_known(a) && i < a.size; i++)
        if (!(a.v[i] <= CS_DENSITY_MANY))
            return false;
    return cs_is_known(a);
}
