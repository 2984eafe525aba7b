/* The best variant of the evaluator for this processor. */
#include "tape/program.h"
#include "base/simd.h"

CS_DECLARE_VARIANTS(cs_program_ops, cs_program_ops)

void cs_program_run(const cs_program *p, const double *x, size_t lanes,
                    double *scratch)
{
    static const cs_program_ops *const variants[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_program_ops)};
    variants[0][cs_simd_level()]->run(p, x, lanes, scratch);
}
