-- Vasoconstriction: is a logistic regression calibrated?
--
-- In 39 tests a person breathed in once, a volume (litres) at a rate (litres per second),
-- and the vessels of the skin narrowed (1) or not (0). One model has both regressors as
-- logs, the other only the volume. The target has both, as independent parameters.
--
-- The panel groups the tests by predicted probability: the share of ones in a group
-- should be near the diagonal, within the replicated shares. Both models are calibrated;
-- press o for the other one. But for fast breaths the second model expects too few ones
-- (p = 0.02), and leave-one-out prefers the first by 8.2 nats, with a standard error of
-- 3.6. Test 32, with the rate 0.03, has a Pareto k of 0.9: its density is unreliable.
local cs = require "chainscope"
local measures = require "predictions.measures"
local M = cs.math

local volume = {
  3.7, 3.5, 1.25, 0.75, 0.8, 0.7, 0.6, 1.1, 0.9, 0.9, 0.8, 0.55, 0.6, 1.4, 0.75, 2.3, 3.2, 0.85, 1.7, 1.8,
  0.4, 0.95, 1.35, 1.5, 1.6, 0.6, 1.8, 0.95, 1.9, 1.6, 2.7, 2.35, 1.1, 1.1, 1.2, 0.8, 0.95, 0.75, 1.3,
}
local rate = {
  0.825, 1.09, 2.5, 1.5, 3.2, 3.5, 0.75, 1.7, 0.75, 0.45, 0.57, 2.75, 3, 2.33, 3.75, 1.64, 1.6, 1.415, 1.06, 1.8,
  2, 1.36, 1.35, 1.36, 1.78, 1.5, 1.5, 1.9, 0.95, 0.4, 0.75, 0.03, 1.83, 2.2, 2, 3.33, 1.9, 1.9, 1.625,
}
local y = {
  1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1,
  0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1,
}
local log_volume, log_rate = {}, {}
for i = 1, #y do log_volume[i], log_rate[i] = math.log(volume[i]), math.log(rate[i]) end
log_volume, log_rate = M.vector(log_volume), M.vector(log_rate)

local function both(p) return p.a + p.b * log_volume + p.c * log_rate end
local function one(p) return p.d + p.e * log_volume end

-- The share of ones among the tests with a rate above 2 litres per second.
local function fast(list)
  local sum, n = 0, 0
  for i, x in ipairs(list) do
    if rate[i] > 2 then sum, n = sum + x, n + 1 end
  end
  return sum / n
end

return cs.scenario {
  title  = "Vasoconstriction",
  shows  = "Two calibrated regressions, of which leave-one-out prefers the sharper one",
  source = "Finney 1947; data as in Pregibon 1981, table 1",
  tags   = "regression predictive",

  target = cs.target {
    name   = "vasoconstriction",
    params = { { a = cs.real() }, { b = cs.real() }, { c = cs.real() }, { d = cs.real() }, { e = cs.real() } },
    log_density = function(p)
      local prior = 0
      for _, name in ipairs { "a", "b", "c", "d", "e" } do
        prior = prior + cs.lpdf.normal(p[name], 0, 5)
      end
      return prior + cs.lpdf.bernoulli_logit(y, both(p)) + cs.lpdf.bernoulli_logit(y, one(p))
    end,
    generated = function(p, rng)
      local first, second = both(p), one(p)
      return {
        { both_rep = rng:bernoulli(M.sigmoid(first)) },
        { log_lik_both = cs.lpdf.each.bernoulli_logit(y, first) },
        { one_rep = rng:bernoulli(M.sigmoid(second)) },
        { log_lik_one = cs.lpdf.each.bernoulli_logit(y, second) },
      }
    end,
  },
  predictive = {
    { data = y, replicated = "both_rep", log_lik = "log_lik_both", statistic = { fast = fast },
      constants = { volume = volume, rate = rate } },
    { data = y, replicated = "one_rep", log_lik = "log_lik_one", statistic = { fast = fast } },
  },
  chains = 4, seed = 42,
  arms   = { nuts = cs.kernel.nuts {} },
  budget = { steps = 4000 },
  screen = { "predictive", "pairs", "trace", "summary" },
  claims = {
    { arm = "nuts", stat = "elpd: both - one", near = 8.16, within = 0.2, measure = measures.gain("log_lik_both", "log_lik_one") },
    { arm = "nuts", stat = "p of fast: both", near = 0.325, within = 0.03, measure = measures.p_of("both", "fast") },
    { arm = "nuts", stat = "p of fast: one", near = 0.02, within = 0.01, measure = measures.p_of("one", "fast") },
    { arm = "nuts", stat = "mean", of = "b", near = 4.9, within = 0.06 },
    { arm = "nuts", stat = "mean", of = "c", near = 4.19, within = 0.06 },
  },
}
