#include "support/support.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>

void near_or_fail(double got, double want, double relative, double absolute,
                  const char *what, const char *file, int line)
{
    if (fabs(got - want) <= absolute + relative * fabs(want) || got == want)
        return;
    print_error("%s = %.17g, want %.17g (off by %.3g)\n", what, got, want,
                got - want);
    _fail(file, line);
}

int gsl_errors_off(void **state)
{
    (void)state;
    gsl_set_error_handler_off();
    return 0;
}
