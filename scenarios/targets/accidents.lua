-- Accidents: one rate for all workers, or a rate for each?
--
-- 647 women made shells for five weeks; 447 had no accident, and two had five. If all
-- had the same risk, the numbers of accidents would be Poisson. If the risks differ by a
-- gamma distribution, the numbers are negative binomial. The target has both models, as
-- independent parameters.
--
-- The panel draws the square roots of the counts. The Poisson model makes too few zeros
-- (p = 0.006) and too little spread; press o for the other model, which fits. The
-- leave-one-out densities agree: the negative binomial gains 24.2 nats, with a standard
-- error of 7.7.
local cs = require "chainscope"
local measures = require "predictions.measures"
local M = cs.math

local women = { [0] = 447, 132, 42, 21, 3, 2 } -- with 0, 1, ... 5 accidents
local y, ones = {}, {}
for accidents = 0, 5 do
  for _ = 1, women[accidents] do
    y[#y + 1], ones[#ones + 1] = accidents, 1
  end
end
ones = M.vector(ones)

return cs.scenario {
  title  = "Accidents",
  shows  = "A rootogram and leave-one-out find that workers differ",
  source = "Greenwood and Yule 1920, women on H. E. shells",
  tags   = "counts predictive",

  target = cs.target {
    name   = "accidents",
    params = { { rate = cs.positive() }, { mean = cs.positive() }, { phi = cs.positive() } },
    log_density = function(p)
      local sum = cs.lpdf.exponential(p.rate, 1) + cs.lpdf.exponential(p.mean, 1)
                  + cs.lpdf.exponential(p.phi, 1)
      for k = 0, 5 do
        sum = sum + women[k] * cs.lpdf.poisson(k, p.rate)
              + women[k] * cs.lpdf.neg_binomial(k, p.mean, p.phi)
      end
      return sum
    end,
    generated = function(p, rng)
      return {
        { poisson_rep = rng:poisson(p.rate * ones, 12) },
        { log_lik_poisson = cs.lpdf.each.poisson(y, p.rate) },
        { mixed_rep = rng:neg_binomial(p.mean * ones, p.phi, 40) },
        { log_lik_mixed = cs.lpdf.each.neg_binomial(y, p.mean, p.phi) },
      }
    end,
  },
  predictive = {
    { data = y, replicated = "poisson_rep", log_lik = "log_lik_poisson",
      statistic = { "zeros", "max", "sd" }, unit = "accidents" },
    { data = y, replicated = "mixed_rep", log_lik = "log_lik_mixed",
      statistic = { "zeros", "max", "sd" }, unit = "accidents" },
  },
  chains = 4, seed = 41,
  arms   = { nuts = cs.kernel.nuts {} },
  budget = { steps = 1200 },
  screen = { "predictive", "trace", "pairs", "summary" },
  -- rate: (1 + accidents) / (1 + women); p of zeros of the Poisson model: binomial. The other values
  -- are means over seven seeds.
  claims = {
    { arm = "nuts", stat = "elpd: negative binomial - poisson", near = 24.2, within = 0.2, measure = measures.gain("log_lik_mixed", "log_lik_poisson") },
    { arm = "nuts", stat = "p of zeros: poisson", near = 0.0056, within = 0.006, measure = measures.p_of("poisson", "zeros") },
    { arm = "nuts", stat = "p of zeros: mixed", near = 0.458, within = 0.04, measure = measures.p_of("mixed", "zeros") },
    { arm = "nuts", stat = "p of max: mixed", near = 0.735, within = 0.03, measure = measures.p_of("mixed", "max") },
    { arm = "nuts", stat = "mean", of = "rate", exact = 302 / 648, within = 0.003 },
    { arm = "nuts", stat = "mean", of = "phi", near = 0.91, within = 0.025 },
  },
}
