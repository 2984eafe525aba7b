/* The table of formulas. Kernels with the same formula share a row. */
#include "kernels/formula.h"

#include <stddef.h>
#include <string.h>

#define CHANGE "log p(x') - log p(x)"
#define PRIOR "log prior(x') - log prior(x)"
#define BACK "log q(x|x'), back"
#define THERE "- log q(x'|x), there"
#define METROPOLIS "log a = log p(x') - log p(x)"
#define HASTINGS "log a = [log p(x') - log p(x)] + [log q(x|x') - log q(x'|x)]"
#define ON_PRIOR "log a = [log prior(x') - log prior(x)] + "
#define ON_POISSON                                                             \
    ON_PRIOR "sum_i s_i log [(w_i + phi_i(x')) / (w_i + phi_i(x))]"
#define ON_TUNA                                                                \
    ON_PRIOR "sum_i s_i log [(w_i + phi_i(x',x)) / (w_i + phi_i(x,x'))]"
#define SCORED " + [log q(x|x') - log q(x'|x)]"
#define MINIBATCH "sum over the minibatch"
#define LANGEVIN "prod_i softmax_v [w g_i (v - x_i) - (v - x_i)^2 / (2 step)]"
#define ENTROPIC                                                               \
    "q(x'|x,a) = softmax of w (g - (x - a)/eta) (v - x) - (v - x)^2/(2 step)"
#define FLATTENED                                                              \
    "log a = [log p(x') - log p(x)] + [log q(x|x') - log q(x'|x)] + "          \
    "[log theta(J) - log theta(J')]"

static const cs_formula table[] = {
    {.kernels = "random_walk",
     .move = "x' = x + step z",
     .ratio = METROPOLIS,
     .logp = CHANGE},
    {.kernels = "metropolis_within_gibbs",
     .move = "x_i' = x_i + step z, of one coordinate i",
     .ratio = METROPOLIS,
     .logp = CHANGE},
    {.kernels = "dmala any_scale",
     .move = "q(x'|x) = " LANGEVIN,
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE},
    {.kernels = "h2mc",
     .move = "x' = x + V o + V w^-1/2 z, from the gradient and the Hessian "
             "V l V' of log p at x",
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE},
    {.kernels = "dula", .move = "x' ~ " LANGEVIN},
    {.kernels = "locally_balanced",
     .move = "q(x'|x) = b(log p(x') - log p(x)) / Z(x), one site changed",
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE},
    {.kernels = "gwg",
     .move = "q(x'|x) = b(g(x) (x' - x)) / Z(x), one site changed",
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE},
    {.kernels = "path_auxiliary",
     .move = "q(path) = prod_r b(g(x) move_r) / sum of b over the sites left; "
             "x' by all moves",
     .ratio = "log a = [log p(x') - log p(x)] + [log q(path back|x') - log "
              "q(path|x)]",
     .logp = CHANGE,
     .back = "log q(path back)",
     .forward = "- log q(path)"},
    {.kernels = "dlmc",
     .move = "q(x'|x) = prod_i nu_i (1 - exp(-t w_i / nu_i)), w = b(e^d), "
             "nu ~ e^d, d = g (x' - x)",
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE},
    {.kernels = "edmala",
     .move = ENTROPIC ", a' = a + step_a/2 (x - a)/eta + sqrt(step_a) z",
     .ratio = "log a = [log p(x') - log p(x)] + [log p(a'|x') - log p(a|x)] + "
              "[log q(x,a|x',a') - log q(x',a'|x,a)], "
              "log p(a|x) = -|x - a|^2/(2 eta)",
     .logp = CHANGE,
     .back = "log p(a'|x') q, back",
     .forward = "- log p(a|x) q, there",
     .coupled = "eta"},
    {.kernels = "edmala_glu",
     .move = ENTROPIC ", then a ~ N(x', eta)",
     .ratio = "log a = [log p(x') - log p(x)] + [log p(a|x') - log p(a|x)] + "
              "[log q(x|x',a) - log q(x'|x,a)], "
              "log p(a|x) = -|x - a|^2/(2 eta)",
     .logp = CHANGE,
     .back = "log p(a|x') q, back",
     .forward = "- log p(a|x) q, there",
     .coupled = "eta"},
    {.kernels = "edula",
     .move = ENTROPIC ", a' = a + step_a/2 (x - a)/eta + sqrt(step_a) z"},
    {.kernels = "edula_glu", .move = ENTROPIC ", then a ~ N(x', eta)"},
    {.kernels = "mala",
     .move = "x' = x + step^2/2 grad log p(x) + step z",
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE,
     .scale = "step"},
    {.kernels = "barker",
     .move = "x'_j = x_j + b_j z_j, b_j = 1 with probability "
             "1/(1 + exp(-z_j g_j)), else -1",
     .ratio = HASTINGS,
     .logp = CHANGE,
     .back = BACK,
     .forward = THERE,
     .turned = true},
    {.kernels = "independence",
     .move = "x' ~ q, independent of x",
     .ratio = "log a = [log p(x') - log p(x)] + [log q(x) - log q(x')]",
     .logp = CHANGE,
     .back = "log q(x)",
     .forward = "- log q(x')"},
    {.kernels = "stretch",
     .move = "x' = c + z (x - c), c another chain",
     .ratio = "log a = [log p(x') - log p(x)] + (dim - 1) log z",
     .logp = CHANGE,
     .back = "(dim - 1) log z"},
    {.kernels = "hmc",
     .move = "x' after `leapfrogs` leapfrog steps, p ~ N(0, I)",
     .ratio = "log a = -[U(x') - U(x)] - [K(p') - K(p)], U = -log p, "
              "K = |p|^2/2",
     .logp = "U(x') - U(x), energy",
     .back = "K(p)",
     .forward = "K(p')"},
    {.kernels = "nuts",
     .move = "x' a point of a trajectory, drawn by weights exp(-H(x',p')), "
             "H = -log p + |p|^2/2"},
    {.kernels = "slice slice_direction",
     .move = "x' uniform where log p(x') > log p(x) + log u"},
    {.kernels = "elliptical_slice",
     .move = "x' = x cos t + n sin t, n ~ prior, log L(x') > log L(x) + log u"},
    {.kernels = "gibbs", .move = "x'_i ~ p(x_i | all others)"},
    {.kernels = "block_gibbs", .move = "x'_B ~ p(x_B | all others)"},
    {.kernels = "hamming_ball",
     .move = "c ~ ball around x, x' ~ p in the ball around c"},
    {.kernels = "swendsen_wang wolff",
     .move = "bonds between equal neighbours with probability "
             "1 - exp(-coupling), clusters take new values"},
    {.kernels = "exchange",
     .move = "x' = x + step z, w ~ p(.|x')",
     .ratio = "log a = [log prior f(x',data) ~- log Z(x')~ - log prior "
              "f(x,data) ~+ log Z(x)~] + [log f(x,w) ~- log Z(x)~ - "
              "log f(x',w) ~+ log Z(x')~]",
     .logp = "change of log prior f",
     .aux = "log f(x,w) - log f(x',w)"},
    {.kernels = "austerity",
     .move = "x' = x + step z",
     .ratio = ON_PRIOR "N mean_i [term_i(x') - term_i(x)]",
     .logp = PRIOR,
     .aux = "N times a mean of rows"},
    {.kernels = "poisson_mh",
     .move = "x' = x + step z, s_i ~ Poisson(w_i + phi_i(x))",
     .ratio = ON_POISSON,
     .logp = PRIOR,
     .aux = MINIBATCH},
    {.kernels = "poisson_mala",
     .move = "x' = x + step^2/2 g_s(x) + step z, s_i ~ Poisson(w_i + phi_i(x))",
     .ratio = ON_POISSON SCORED,
     .logp = PRIOR,
     .aux = MINIBATCH,
     .back = BACK,
     .forward = THERE,
     .scale = "step"},
    {.kernels = "poisson_barker",
     .move = "x'_j = x_j + b_j step z_j, b_j the sign of a Barker move by g_s, "
             "s_i ~ Poisson(w_i + phi_i(x))",
     .ratio = ON_POISSON SCORED,
     .logp = PRIOR,
     .aux = MINIBATCH,
     .back = BACK,
     .forward = THERE},
    {.kernels = "tuna_mh",
     .move = "x' = x + step z, s_i ~ Poisson(w_i + phi_i(x,x'))",
     .ratio = ON_TUNA,
     .logp = PRIOR,
     .aux = MINIBATCH},
    {.kernels = "tuna_sgld",
     .move = "x' = x + step^2/2 g_B(x) + step z, "
             "s_i ~ Poisson(w_i + phi_i(x,x'))",
     .ratio = ON_TUNA SCORED,
     .logp = PRIOR,
     .aux = MINIBATCH,
     .back = BACK,
     .forward = THERE,
     .scale = "step"},
    {.kernels = "firefly",
     .move = "x' = x + step n, then rows become bright or dark",
     .ratio = ON_PRIOR "sum_all log [B_i(x')/B_i(x)] + "
                       "sum_bright [o_i(x') - o_i(x)]",
     .logp = PRIOR,
     .aux = "bounds and bright rows"},
    {.kernels = "sgd", .move = "x' = x + rate g", .scale = "rate"},
    {.kernels = "momentum_sgd",
     .move = "v' = momentum v + rate g, x' = x + v'",
     .scale = "rate",
     .carried = true},
    {.kernels = "sgld",
     .move = "x' = x + rate g + sqrt(2 rate T) z",
     .scale = "rate"},
    {.kernels = "replica_exchange_sgld",
     .move = "x' = x + rate g + sqrt(2 rate T) z",
     .scale = "rate",
     .swap = "log S = D [E(x_r) - E(x_r+1)] - D^2 Var/2, "
             "D = 1/T_r - 1/T_r+1, E an estimate of -log p; "
             "probability intensity min(1, S)",
     .swap_energies = "D (E-E')",
     .swap_rest = "penalty"},
    {.kernels = "sghmc",
     .move = "v' = momentum v + rate g + sqrt(2 (a - b) rate T) z, "
             "x' = x + v'",
     .scale = "rate",
     .carried = true},
    {.kernels = "psgld",
     .move = "x' = x + rate G g + sqrt(2 rate T G) z",
     .scale = "rate"},
    {.kernels = "csgld",
     .move = "x' = x + rate M g + sqrt(2 rate T) z, M the multiplier",
     .scale = "rate"},
    {.kernels = "csghmc",
     .move = "v' = momentum v + rate M g + sqrt(2 (a - b) rate T) z, "
             "x' = x + v', M the multiplier",
     .scale = "rate",
     .carried = true},
    {.kernels = "samc wang_landau multicanonical",
     .move = "x' by the inner kernel",
     .ratio = FLATTENED,
     .logp = CHANGE,
     .back = "log theta(J) q(x|x')",
     .forward = "- log theta(J') q(x'|x)"},
    {.kernels = "parallel_tempering",
     .move = "x' by the inner kernel, of p to the power 1/T",
     .swap = "log a = (1/T_r - 1/T_r+1) [E(x_r) - E(x_r+1)], E = -log p"},
    {.kernels = "simulated_tempering",
     .move = "x' by the inner kernel, of p to the power 1/T",
     .swap = "log a = -(1/T_k' - 1/T_k) E(x) + w_k' - w_k, E = -log p",
     .swap_energies = "-d(1/T)E",
     .swap_rest = "w_k'-w_k"},
};

static const cs_formula *find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (const char *at = table[i].kernels; *at; at += *at == ' ') {
            size_t word = strcspn(at, " ");
            if (word == n && strncmp(at, name, n) == 0)
                return &table[i];
            at += word;
        }
    return NULL;
}

const cs_formula *cs_formula_of(const char *name, bool *tempered)
{
    size_t n = strcspn(name, "(");
    const cs_formula *f = find(name, n), *inside = NULL;
    if (name[n] && f && !f->ratio)
        inside = find(name + n + 1, strcspn(name + n + 1, ")"));
    if (tempered)
        *tempered = inside != NULL;
    return inside ? inside : f;
}

const cs_formula *cs_formula_of_swaps(const char *name)
{
    const cs_formula *f = find(name, strcspn(name, "("));
    return f && f->swap ? f : NULL;
}
