/* Warnings about steps that are too large or too small. */
#include "base/count.h"
#include "warn/kinds.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

enum { LEAST = 100 }; /* no acceptance rate is assessed after fewer steps */
static const double too_low = 0.005;

static double acceptance(const cs_warn_facts *f)
{
    return f->counts.accepted / f->counts.steps;
}

/* Writes the step to try and the command that sets it. If the kernel has no
 * parameter `step`, writes only the direction. */
static void put_step(const cs_warn_facts *f, double factor, cs_page *p)
{
    double value = f->step * factor;
    if (isnan(f->step))
        cs_page_put(p, "try %s moves", factor > 1 ? "larger" : "smaller");
    else
        cs_page_put(p, "try %.4g (:set %s.step %.4g)", value, f->arm, value);
}

static void put_acceptance(const cs_warn_facts *f, const char *more, cs_page *p)
{
    cs_page_put(p, "accepts %.3g %%", 100 * acceptance(f));
    if (!isnan(f->step))
        cs_page_put(p, " at step size %.4g", f->step);
    cs_page_put(p, "%s: ", more);
}

/* Returns the factor by which to multiply the step of a random walk in order to
 * change its acceptance from a to b. In high dimension a = 2 Phi(-c step)
 * (Roberts, Gelman and Gilks 1997); with a gradient a = 2 Phi(-c step^3)
 * (Roberts and Rosenthal 1998). The factor is limited to the range 1.5 .. 10,
 * since the formulas hold only for steps of about the target's own scale. */
double cs_warn_step_factor(double a, double b, bool gradient)
{
    double ratio = gsl_cdf_ugaussian_Pinv(b / 2) /
                   gsl_cdf_ugaussian_Pinv(fmin(a, 0.999999) / 2);
    return fmin(10, fmax(1.5, gradient ? cbrt(ratio) : ratio));
}

/* Returns the logarithm of the relative efficiency at acceptance a. */
static double log_efficiency(double a, double power)
{
    return log(a) + power * log(-gsl_cdf_ugaussian_Pinv(a / 2));
}

void cs_warn_good_acceptance(double best, double *low, double *high)
{
    const double loss = log(0.8);
    double z = -gsl_cdf_ugaussian_Pinv(best / 2);
    double power = 2 * gsl_ran_ugaussian_pdf(z) * z / best;
    double most = log_efficiency(best, power);
    for (int side = 0; side < 2; side++) {
        double in = best, out = side;
        for (int i = 0; i < 50; i++) {
            double a = (in + out) / 2;
            if (log_efficiency(a, power) >= most + loss)
                in = a;
            else
                out = a;
        }
        *(side ? high : low) = in;
    }
}

/* Returns true if the acceptance rate is far too high: the share of rejected
 * proposals is less than a quarter of the optimal share. If a tuner chose the
 * step, the tuner may have aimed at a high acceptance. In this case the limit
 * is a rejected share of 2 %. */
static bool is_high(const cs_warn_facts *f)
{
    double refused = 1 - acceptance(f);
    return refused < (f->tuned ? 0.02 : (1 - f->best) / 4);
}

static void put_tuner(const cs_warn_facts *f, cs_page *p)
{
    cs_page_put(p, ", or%s",
                f->tuned ? " let the tuner run longer\n"
                         : " add tuner = cs.tuner.acceptance {} to the arm\n");
}

/* If almost nothing is accepted, the step is at least ten times too large. */
bool cs_warn_step_large(const cs_warn_facts *f, cs_page *p)
{
    if (!(f->kernel->type->flags & CS_KERNEL_ACCEPTS) ||
        f->counts.steps < LEAST || !(acceptance(f) < too_low))
        return false;
    put_acceptance(f, "", p);
    put_step(f, 0.1, p);
    put_tuner(f, p);
    return true;
}

bool cs_warn_step_small(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    double few = 100 * (double)f->chains / (double)f->group;
    if (!(type->flags & CS_KERNEL_ACCEPTS) || f->counts.steps < LEAST ||
        !is_high(f) || !(f->worst.size < few))
        return false;
    char best[64];
    snprintf(best, sizeof best, ", best near %.2g %%", 100 * f->best);
    put_acceptance(f, best, p);
    put_step(f,
             cs_warn_step_factor(acceptance(f), f->best,
                                 type->flags & CS_KERNEL_GRADIENT),
             p);
    put_tuner(f, p);
    return true;
}

/* Reports chains that accepted nothing while others accepted some proposals.
 * Such a chain may have started where the target is narrower than the step. */
bool cs_warn_stuck(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(f->kernel->type->flags & CS_KERNEL_ACCEPTS) || !c->stuck ||
        !(acceptance(f) >= too_low))
        return false;
    cs_page_put(p, "chain %zu%s accepted 0 of %s proposals", c->stuck_first,
                c->stuck > 1 ? ", the first of several," : "",
                cs_count(c->stuck_steps).text);
    if (!isnan(f->step))
        cs_page_put(p, " at step size %.4g", f->step);
    cs_page_put(p, ": ");
    put_step(f, 0.1, p);
    cs_page_put(p, ", or start the chain elsewhere\n");
    return true;
}

/* A kernel with a box rejects moves that end outside the box. A chain that
 * starts outside the box never moves. */
bool cs_warn_box(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    const double *values = f->kernel->values;
    int low = cs_param_find(type->params, type->n_params, "low");
    int high = cs_param_find(type->params, type->n_params, "high");
    if (low < 0 || high < 0 || !(values[low] < values[high]) ||
        f->counts.steps < LEAST || !(acceptance(f) < 0.5))
        return false;
    cs_page_put(
        p,
        "%.3g %% of the moves ended in the box, %g to %g: start the chains "
        "inside the box, lower the rate, or widen low and high\n",
        100 * acceptance(f), values[low], values[high]);
    return true;
}
