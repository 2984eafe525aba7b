/* The best variant of the evaluator for this processor. */
#include "tape/program.h"
#include "simd/simd.h"

CS_DECLARE_VARIANTS(cs_program_ops, cs_program_ops)

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

size_t cs_program_work(const cs_program *p)
{
    size_t work = 0;
    for (size_t i = 0; i < p->n_code; i++) {
        const cs_instruction *k = &p->code[i];
        size_t rows = k->size > k->elements ? k->size : k->elements;
        work += rows * (k->count ? k->count : 1);
    }
    return work;
}
