/* Selects the variant of the evaluator for this processor. */
#include "tape/program.h"
#include "simd/variants.h"

CS_DECLARE_VARIANTS(cs_program_ops, cs_program_ops)
CS_DECLARE_VARIANTS(cs_program_one_ops, cs_program_one_ops)

static const cs_program_ops *best(void)
{
    static const cs_program_ops *const variants[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_program_ops)};
    return variants[0][cs_simd_level()];
}

void cs_program_run(const cs_program *p, const double *x, size_t lanes,
                    double *scratch)
{
    best()->run(p, false, x, lanes, scratch);
}

void cs_program_run_rest(const cs_program *p, const double *x, size_t lanes,
                         double *scratch)
{
    best()->run(p, true, x, lanes, scratch);
}

void cs_program_run_rows(const cs_program *p, const cs_rows *rows)
{
    best()->run_rows(p, rows);
}

void cs_program_run_one(const cs_program *p, bool rest, const double *x,
                        size_t stride, double *scratch)
{
    static const cs_program_one_ops *const variants[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_program_one_ops)};
    variants[0][cs_simd_level()]->run(p, rest, x, stride, scratch);
}

/* Returns the number of elements of an instruction times the number of its
 * terms. */
static size_t work_of(const cs_instruction *i, size_t *rows)
{
    *rows = i->size > i->elements ? i->size : i->elements;
    return *rows * (i->count ? i->count : 1);
}

bool cs_program_suits_one(const cs_program *p, size_t states, size_t lanes)
{
    /* Constants fitted to measured times for both vector widths. WIDE: assumed
     * number of elements per vector in a one-state run. CALL: fixed cost of an
     * instruction, in units of the work on one vector. TENTHS: factor, in
     * tenths, by which one-state runs are slower because vectors are partly
     * filled. */
    enum { WIDE = 4, CALL = 5, TENTHS = 13 };
    size_t one = 0, all = 0, rows, wide = cs_whole_vectors(1);
    if (states == 1)
        return true;
    for (size_t k = 0; k < p->n_code; k++) {
        size_t work = work_of(&p->code[k], &rows);
        one += CALL + work / rows * ((rows + WIDE - 1) / WIDE);
        all += CALL + work * lanes / wide;
    }
    return states * one * TENTHS < all * 10;
}

size_t cs_program_work(const cs_program *p)
{
    size_t work = 0;
    for (size_t i = 0; i < p->n_code; i++) {
        const cs_instruction *c = &p->code[i];
        size_t rows, one = work_of(c, &rows);
        work += c->op == CS_OP_PRODUCT ? (size_t)c->size * c->elements : one;
    }
    return work;
}
