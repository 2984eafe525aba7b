-- A bioassay: which dose kills half of the animals?
--
-- Each of four doses was given to five animals; 0, 1, 3 and 5 animals died. The model is
-- logistic regression on the log dose x with flat priors: logit P(death) = alpha + beta *
-- x. The dose that kills half of the animals is at x = -alpha / beta.
--
-- With only twenty animals the posterior is not an ellipse: it has a long tail towards
-- large alpha and larger beta, where the curve of P(death) is nearly a step between the
-- second and the fourth dose. The scales of the parameters differ too: beta has five
-- times the standard deviation of alpha, so a step that suits alpha is too short for
-- beta. Watch `scaled`, a kernel written here that moves five times as far in beta.
local cs = require "chainscope"

local scaled = cs.kernel {
  params  = { step = 1.2 },
  propose = function(at, draw, p)
    return { at[1] + p.step * draw:normal(), at[2] + 5 * p.step * draw:normal() }
  end,
}

return cs.scenario {
  title  = "A bioassay",
  shows  = "A posterior that is not an ellipse, with parameters of unequal scale",
  source = "Racine et al. 1986; Gelman et al., Bayesian Data Analysis, section 3.7",

  target = cs.target {
    name   = "bioassay",
    params = { { alpha = cs.real() }, { beta = cs.real() } },
    view   = { -2.5, 6, -5, 40 },
    data   = {
      x = { -0.86, -0.30, -0.05, 0.73 }, -- log(g / ml)
      deaths = { 0, 1, 3, 5 },
    },
    term   = function(p, dose) -- contribution of one dose to the log density
      return cs.lpdf.binomial_logit(dose.deaths, 5, p.alpha + p.beta * dose.x)
    end,
    generated = function(p) return { half = -p.alpha / p.beta } end,
  },
  chains = 4, seed = 36,
  start  = { alpha = 1, beta = 8 },
  arms   = {
    walk   = cs.kernel.random_walk { step = 2 },
    scaled = scaled,
    mala   = cs.kernel.mala { step = 1.4 },
    hmc    = cs.kernel.hmc { step = 0.9, leapfrogs = 8 },
    nuts   = cs.kernel.nuts {},
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- By quadrature on a grid of 600 x 600: the means are 1.3145 for alpha (standard
  -- deviation 1.1014), 11.635 for beta (5.771) and -0.1068 for half. The book's grid
  -- gave 1.3 and 11.6.
  claims = {
    { arm = "hmc", stat = "mean", of = "alpha", near = 1.3145, within = 0.07, paper = "1.3" },
    { arm = "hmc", stat = "sd", of = "alpha", near = 1.1014, within = 0.07 },
    { arm = "hmc", stat = "mean", of = "beta", near = 11.635, within = 0.5, paper = "11.6" },
    { arm = "hmc", stat = "sd", of = "beta", near = 5.771, within = 0.5 },
    { arm = "hmc", stat = "mean", of = "half", near = -0.1068, within = 0.003 },
    { arm = "scaled", stat = "mean", of = "beta", near = 11.635, within = 0.4 },
    { arm = "hmc", stat = "ess_per_work", at_least = 20 },
    { arm = "scaled", stat = "ess_per_work", at_least = 20,
      note = "matching the scales helps more than a gradient here" },
    { arm = "walk", stat = "ess_per_work", at_most = 19 },
    { arm = "mala", stat = "ess_per_work", at_most = 15 },
    { arm = "nuts", stat = "mean", of = "alpha", near = 1.3145, within = 0.07 },
    { arm = "nuts", stat = "mean", of = "beta", near = 11.635, within = 0.4 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "ess_per_work", of = "beta", at_least = 10 },
  },
}
