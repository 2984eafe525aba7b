-- Eight schools: one effect for all, or an effect for each?
--
-- Complete pooling gives all schools the same effect. The hierarchical model lets the
-- effects differ, with a standard deviation tau that the data hardly determine. The
-- target has both models, as independent parameters.
--
-- The panel draws each reported effect beside its replications; press o for the other
-- model. Both reproduce the mean, the spread and the extremes of the data, and their
-- leave-one-out densities differ by 0.25 nats. A difference below 4 does not distinguish
-- models, with eight schools in particular. The models differ in their predictions for a
-- single school.
local cs = require "chainscope"
local measures = require "predictions.measures"

local effect = { 28, 8, -3, 7, -1, 1, 18, 12 }
local error  = { 15, 10, 16, 11, 9, 11, 10, 18 }
local errors = cs.math.vector(error)

return cs.scenario {
  title  = "Eight schools, pooled or not",
  shows  = "Predictive checks and leave-one-out cannot tell two models apart",
  source = "Rubin 1981; Gelman et al., Bayesian Data Analysis, sections 5.5, 6.5 and 7.3",
  tags   = "hierarchical predictive",

  target = cs.target {
    name   = "schools_pooled",
    params = { { common = cs.real() }, { mu = cs.real() }, { tau = cs.positive() }, { eta = cs.real(8) } },
    view   = { "mu", "tau", -8, 16, 0, 15 },
    log_density = function(p)
      return cs.lpdf.normal(p.common, 0, 5) + cs.lpdf.normal(effect, p.common, error)
             + cs.lpdf.normal(p.mu, 0, 5) + cs.lpdf.half_cauchy(p.tau, 5)
             + cs.lpdf.normal(p.eta, 0, 1)
             + cs.lpdf.normal(effect, p.mu + p.tau * p.eta, error)
    end,
    generated = function(p, rng)
      local theta = p.mu + p.tau * p.eta
      return {
        { theta = theta },
        { pooled_rep = rng:normal(p.common + 0 * errors, errors) },
        { log_lik_pooled = cs.lpdf.each.normal(effect, p.common, error) },
        { schools_rep = rng:normal(theta, errors) },
        { log_lik_schools = cs.lpdf.each.normal(effect, theta, error) },
      }
    end,
  },
  predictive = {
    { data = effect, replicated = "schools_rep", log_lik = "log_lik_schools", unit = "points",
      statistic = { "max", "min", "mean", "sd" }, constants = { error = error } },
    { data = effect, replicated = "pooled_rep", log_lik = "log_lik_pooled", unit = "points",
      statistic = { "max", "min", "mean", "sd" } },
  },
  chains = 4, seed = 43,
  arms   = { nuts = cs.kernel.nuts {} },
  budget = { steps = 4000 },
  screen = { "predictive", "map", "trace", "summary" },
  -- tau and p: by integration over a grid, and 400,000 independent replications. elpd: runs of
  -- 60,000 steps with three seeds.
  claims = {
    { arm = "nuts", stat = "elpd: schools - pooled", near = -0.25, within = 0.1, measure = measures.gain("log_lik_schools", "log_lik_pooled") },
    { arm = "nuts", stat = "p of max: schools", near = 0.313, within = 0.04, measure = measures.p_of("schools", "max") },
    { arm = "nuts", stat = "p of max: pooled", near = 0.271, within = 0.04, measure = measures.p_of("pooled", "max") },
    { arm = "nuts", stat = "p of sd: schools", near = 0.729, within = 0.04, measure = measures.p_of("schools", "sd") },
    { arm = "nuts", stat = "p of sd: pooled", near = 0.681, within = 0.04, measure = measures.p_of("pooled", "sd") },
    { arm = "nuts", stat = "mean", of = "tau", near = 3.598, within = 0.25 },
  },
}
