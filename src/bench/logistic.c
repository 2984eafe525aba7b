#include "bench/logistic.h"

#include "files/open.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

enum { D = CS_BENCH_LOGISTIC };

const char cs_bench_logistic_code[] =
    "local cs = require 'chainscope'\n"
    "local columns = {}\n"
    "for j = 1, 10 do columns[j] = 'x' .. j end\n"
    "return cs.target {\n"
    "  space = cs.real(10),\n"
    "  data = { file = FILE, x = columns, y = 'y' },\n"
    "  prior = function(b) return -0.005 * cs.math.sum(b^2) end,\n"
    "  term = function(b, row)\n"
    "    local e = cs.math.sum(b * row.x)\n"
    "    return row.y * e - cs.math.softplus(e)\n"
    "  end,\n"
    "}\n";

void cs_bench_logistic_make(size_t n, double *x, double *y)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < n; i++) {
        double e = 0;
        for (size_t j = 0; j < D; j++) {
            double z = round(1e6 * gsl_ran_gaussian_ziggurat(r, 1)) / 1e6;
            x[i * D + j] = z;
            e += (j % 2 ? z : -z) / sqrt((double)D);
        }
        y[i] = gsl_rng_uniform(r) < 1 / (1 + exp(-e)) ? 1 : 0;
    }
    gsl_rng_free(r);
}

bool cs_bench_logistic_write(const char *file, size_t n, const double *x,
                             const double *y)
{
    FILE *f = cs_open_to(file, "w");
    if (!f)
        return false;
    for (size_t j = 1; j <= D; j++)
        fprintf(f, "x%zu,", j);
    fprintf(f, "y\n");
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < D; j++)
            fprintf(f, "%.6f,", x[i * D + j]);
        fprintf(f, "%g\n", y[i]);
    }
    return fclose(f) == 0;
}
