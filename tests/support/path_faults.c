#include "support/path_faults.h"

#include <math.h>

/* Layout of the kernel's scratch memory after the proposal y and the gradient
 * at y: the log weights of the moves (for bits, of the sites); the log weights
 * of the sites; the times; the uniforms; the path; the requested path length;
 * the actual path length. */
void path_back_with_replacement(const cs_move *m, double *log_q)
{
    size_t n = m->lanes, d = m->dim * n;
    const double *weight = m->scratch + 3 * d, *path = m->scratch + 6 * d,
                 *length = m->scratch + 7 * d + n;
    for (size_t l = 0; l < n; l++) {
        double left = 0;
        log_q[l] = 0;
        for (size_t i = 0; i < m->dim; i++)
            left += exp(weight[i * n + l]);
        for (size_t j = 0; j < (size_t)length[l]; j++) {
            double w = weight[(size_t)path[j * n + l] * n + l];
            log_q[l] += w - log(left);
        }
    }
}

void flow_back_of_flips(const cs_move *m, const double *before, double *log_q)
{
    size_t n = m->lanes;
    const double *y = m->info.proposal, *g = m->scratch + m->dim * n;
    for (size_t l = 0; l < n; l++) {
        log_q[l] = 0;
        for (size_t at = l; at < m->dim * n; at += n) {
            double change = (1 - 2 * y[at]) * g[at], t = m->param[l];
            double nu = 1 / (1 + exp(-change)), rate = exp(change / 2);
            if (y[at] != before[at])
                log_q[l] += log(nu * (1 - exp(-t * rate / nu)));
        }
    }
}
