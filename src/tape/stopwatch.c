/* The time of each instruction, one program of one instruction at a time. */
#include "base/clock.h"
#include "tape/listing.h"

#include <math.h>

enum { MOST_TIMES = 1 << 16 };

/* The instruction alone; the input lies in its slots already. */
static void run_one(const cs_program *p, size_t i, size_t times, size_t lanes,
                    double *scratch)
{
    cs_program one = *p;
    one.dim = 0;
    one.code = p->code + i;
    one.n_code = i < p->n_code;
    for (size_t k = 0; k < times; k++)
        cs_program_run(&one, scratch, lanes, scratch);
}

/* Seconds of one run of the whole program. */
static double whole(const cs_program *p, const double *x, size_t lanes,
                    double *scratch)
{
    double start = cs_clock();
    cs_program_run(p, x, lanes, scratch);
    return cs_clock() - start;
}

/* In order, so that every instruction finds what it reads: an output shares
 * no slots with the operands, hence times > 1 do no harm. */
static void pass(const cs_program *p, size_t times, size_t lanes,
                 double *scratch, double *seconds)
{
    double start = cs_clock();
    run_one(p, p->n_code, times, lanes, scratch);
    double now = cs_clock(), nothing = now - start;
    for (size_t i = 0; i < p->n_code; i++) {
        run_one(p, i, times, lanes, scratch);
        double then = now;
        now = cs_clock();
        double took = fmax(now - then - nothing, 0) / (double)times;
        seconds[i] = fmin(seconds[i], took);
    }
}

void cs_program_time(const cs_program *p, const double *x, size_t lanes,
                     double *scratch, double budget, double *seconds)
{
    double end = cs_clock() + budget, once = whole(p, x, lanes, scratch);
    once = fmax(fmin(once, whole(p, x, lanes, scratch)), 1e-8);
    double times = budget / 8 / (once + 1e-7 * (double)p->n_code);
    times = fmin(fmax(times, 1), MOST_TIMES);
    for (size_t i = 0; i < p->n_code; i++)
        seconds[i] = HUGE_VAL;
    do {
        cs_program_run(p, x, lanes, scratch);
        pass(p, (size_t)times, lanes, scratch, seconds);
    } while (cs_clock() < end);
}
