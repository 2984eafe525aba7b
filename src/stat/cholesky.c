#include "stat/cholesky.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

bool cs_cholesky(double *a, size_t n)
{
    /* GSL's own would end the program; a failure is ours to tell. */
    gsl_error_handler_t *kept = gsl_set_error_handler_off();
    gsl_matrix_view m = gsl_matrix_view_array(a, n, n);
    bool done = gsl_linalg_cholesky_decomp1(&m.matrix) == GSL_SUCCESS;
    gsl_set_error_handler(kept);
    for (size_t i = 0; i < n; i++) {
        done &= isfinite(a[i * n + i]) != 0;
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = 0;
    }
    return done;
}

void cs_cholesky_invert(double *factor, size_t n)
{
    gsl_matrix_view m = gsl_matrix_view_array(factor, n, n);
    gsl_linalg_cholesky_invert(&m.matrix);
}
