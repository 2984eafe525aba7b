/* Lists the kernels that are instances of algorithm 1 (Yuan and Wang 2026):
 *
 *   r = [pi(y) P_y,x(omega_1, omega_2) q_omega_1(y, x)] /
 *       [pi(x) P_x,y(omega_1, omega_2) q_omega_1(x, y)]
 *
 * in the notation of poisson.h and tuna.h; see section 3 and Examples 1 to 3 of
 * the paper. */
#include "kernels/auxiliary/scheme.h"

#include <string.h>

#define WALK "y = x + step z, z normal"
#define POISSON_COUNTS "counts of rows s_i ~ Poisson(Lambda M_i / L + phi_i(x))"
#define POISSON_RATIO                                                          \
    "prior(y) / prior(x) times the product of [(Lambda M_i / L + phi_i(y)) / " \
    "(Lambda M_i / L + phi_i(x))]^s_i"
#define TUNA_COUNTS                                                            \
    "counts of rows s_i ~ Poisson(lambda c_i / C + phi_i(x, y)), lambda = "    \
    "chi C^2 M(x, y)^2"
#define TUNA_RATIO                                                             \
    "prior(y) / prior(x) times the product of [(lambda c_i / C + "             \
    "phi_i(y, x)) / (lambda c_i / C + phi_i(x, y))]^s_i"
#define PROPOSALS ", times q(x | y, omega_1) / q(y | x, omega_1)"

static const cs_scheme schemes[] = {
    {"exchange", "none", WALK, "data w simulated at y, w ~ p(. | y)",
     "prior(y) f(y, data) f(x, w) / [prior(x) f(x, data) f(y, w)]; Z cancels"},
    {"poisson_mh", "none", WALK, POISSON_COUNTS,
     POISSON_RATIO "; the other terms cancel"},
    {"poisson_mala", POISSON_COUNTS,
     "a Langevin step along the gradient of log [pi(x) P_x(s)]",
     "the same counts", POISSON_RATIO PROPOSALS},
    {"poisson_barker", POISSON_COUNTS,
     "Barker's proposal by the gradient of log [pi(x) P_x(s)]",
     "the same counts", POISSON_RATIO PROPOSALS},
    {"tuna_mh", "none", WALK, TUNA_COUNTS,
     TUNA_RATIO "; the other terms cancel"},
    {"tuna_sgld", "a set of rows B, uniform over all sets",
     "a Langevin step along the gradient on the rows of B",
     TUNA_COUNTS ", independent of B", TUNA_RATIO PROPOSALS},
};

const cs_scheme *cs_scheme_at(size_t i)
{
    return i < sizeof schemes / sizeof *schemes ? &schemes[i] : NULL;
}

const cs_scheme *cs_scheme_of(const char *name)
{
    const cs_scheme *s;
    for (size_t i = 0; (s = cs_scheme_at(i)); i++)
        if (strcmp(s->kernel, name) == 0)
            return s;
    return NULL;
}

const char *cs_scheme_part(const cs_scheme *s, size_t i, const char **text)
{
    static const char *const names[] = {"omega_1", "proposal", "omega_2",
                                        "ratio"};
    const char *const texts[] = {s->omega_1, s->proposal, s->omega_2, s->ratio};
    *text = texts[i];
    return names[i];
}
