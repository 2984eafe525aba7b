/* Measures the time of each instruction, run as a program of one
 * instruction. */
#include "base/clock.h"
#include "simd/simd.h"
#include "tape/disassembly.h"

#include <assert.h>
#include <math.h>

enum {
    MOST_TIMES = 1 << 16,
    SMALL = 200 /* number of runs that are timed
                                          * together */
};

/* Runs only the given instruction; the input is already in its slots. */
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

/* Returns the seconds of one run of the whole program, timing `times` runs
 * together. */
static double whole(const cs_program *p, size_t times, const double *x,
                    size_t lanes, double *scratch)
{
    double start = cs_clock();
    for (size_t k = 0; k < times; k++)
        cs_program_run(p, x, lanes, scratch);
    return (cs_clock() - start) / (double)times;
}

/* Times the instructions in order, so that every operand is available. An
 * instruction's output shares no slots with its operands, so the instruction
 * can be run several times. Stores the minimum over all passes. The last entry
 * is the time of a run without instructions. */
static void pass(const cs_program *p, size_t times, size_t lanes,
                 double *scratch, double *seconds, double *nothing)
{
    double now = cs_clock();
    for (size_t i = 0; i <= p->n_code; i++) {
        double *least = i < p->n_code ? &seconds[i] : nothing;
        double then = now;
        run_one(p, i, times, lanes, scratch);
        now = cs_clock();
        *least = fmin(*least, (now - then) / (double)times);
    }
}

/* Subtracts the cost of a call, and scales the times so that their sum is the
 * time of the whole program. */
static void fit(double *seconds, size_t n, double nothing, double once)
{
    double sum = 0, least = once * 1e-3 / (double)(n + 1);
    for (size_t i = 0; i < n; i++)
        sum += seconds[i] = fmax(seconds[i] - nothing, least);
    for (size_t i = 0; i < n; i++)
        seconds[i] *= once / sum;
}

void cs_program_time(const cs_program *p, const double *x, size_t lanes,
                     double *scratch, double budget, double *seconds)
{
    assert(lanes % CS_PAD == 0 && budget >= 0);
    double end = cs_clock() + budget;
    double once = fmax(whole(p, 1, x, lanes, scratch), 1e-8);
    size_t together = (size_t)fmin(fmax(1e-4 / once, 1), SMALL);
    double times = budget / 8 / (once + 1e-7 * (double)p->n_code);
    times = fmin(fmax(times, 1), MOST_TIMES);
    double nothing = HUGE_VAL;
    for (size_t i = 0; i < p->n_code; i++)
        seconds[i] = HUGE_VAL;
    do {
        once = fmin(once, whole(p, together, x, lanes, scratch));
        pass(p, (size_t)times, lanes, scratch, seconds, &nothing);
    } while (cs_clock() < end);
    fit(seconds, p->n_code, nothing, once);
}
