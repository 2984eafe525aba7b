-- Is a sampler right? Simulated data have a true answer, which can be ranked among the draws.
--
-- 200 data sets are simulated: a true mean from the prior, then four numbers. The chain draws
-- two values from the posterior of each. The true value and the two draws are equally
-- distributed, so the true one is in the middle for a third of the data sets. `langevin` takes
-- gradient steps without an accept step.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"
local M = cs.math

-- Nearly normal numbers, the same on any machine: a sum of twelve uniform numbers minus six.
local state = 11
local function noise()
  local sum = -6
  for _ = 1, 12 do
    state = state * 16807 % 2147483647
    sum = sum + state / 2147483647
  end
  return sum
end

local truth, data = {}, {}
for j = 1, 200 do
  truth[j] = noise()
  data[j] = truth[j] + 0.5 * noise()
end

-- `mu` and `nu` are two independent draws from the posterior of each mean.
local y, t = M.vector(data), M.vector(truth)
local function log_p(mu) return M.sum(cs.lpdf.normal(mu, 0, 1)) + M.sum(cs.lpdf.normal(y, mu, 0.5)) end

return cs.scenario {
  title  = "Is it the posterior?",
  shows  = "Simulated data have a true answer: rank it among the draws",
  source = "Talts, Betancourt, Simpson, Vehtari and Gelman 2018",
  tags   = "course week-5 minutes-7",
  exercise = "exercises/53_ranks.lua",

  target = cs.target {
    name   = "simulated_sets",
    params = { { mu = cs.real(#data) }, { nu = cs.real(#data) } },
    log_density = function(p) return log_p(p.mu) + log_p(p.nu) end,
    -- The share of data sets whose true mean is between the two draws.
    generated = function(p)
      local a, b = M.gt(p.mu, t), M.gt(p.nu, t)
      return { middle = M.sum(a + b - 2 * a * b) / #data }
    end,
  },
  chains = 8, seed = 5,
  arms   = {
    { name = "hmc", kernel = cs.kernel.hmc { step = 0.15, leapfrogs = 5 } },
    { name = "langevin", kernel = cs.kernel.sgld { rate = 0.2 } },
  },
  budget = { steps = 160 },
  warmup = 20,
  screen = { "lesson", { "marginal", quantity = "mu.1", arm = "langevin" }, { "trace", quantity = "middle", arm = "hmc" } },

  course = {
    { say = "200 true means are drawn from their prior, and from each of them a data set. Both arms draw two values, mu and nu, from the posterior of each data set. `langevin` follows the gradient with noise, and has no accept step." },
    { ask = "R-hat of mu.1 by `langevin` in the end?",
      choose = { { "about 1", at_most = 1.12 },
                 { "above 1.25", at_least = 1.25, say = "R-hat asks whether chains agree. All chains of `langevin` agree on the same distribution." } },
      truth = { figure = "rhat", arm = "langevin", of = "mu.1", at = "end" } },
    { run = 40, speed = 20, say = "Forty steps, the first twenty of them warm-up.", arm = "langevin" },
    { reveal = "{truth}: the chains agree with each other. R-hat does not test whether they agree with the posterior." },
    { say = "But these data were simulated, and so the true means are known. Given the data, the true mean and the two draws have the same distribution, if the draws are right." },
    { ask = "For which share of the 200 data sets does the true mean lie between the two draws of `hmc`?",
      choose = { { "a quarter", at_most = 0.28, say = "Three equal values: each of them is in the middle equally often." },
                 { "a third", at_least = 0.31, at_most = 0.355 },
                 { "a half", at_least = 0.45, say = "Three equal values: each of them is in the middle equally often." } },
      truth = { figure = "mean", arm = "hmc", of = "middle", at = "end" } },
    { run = 120, speed = 40, say = "To the end of the run.", arm = "hmc" },
    { reveal = "{truth}: a third, up to the chance of 200 data sets. The rank of the true mean is uniform." },
    { ask = "And for `langevin`, whose draws are too spread out?",
      choose = { { "less than 0.3", at_most = 0.3, say = "Draws that are far out have the true mean between them more often." },
                 { "a third", at_least = 0.31, at_most = 0.355, say = "R-hat was good, but the true mean is not like its draws." },
                 { "more than 0.37", at_least = 0.37 } },
      truth = { figure = "mean", arm = "langevin", of = "middle" } },
    { reveal = "{truth}. Standard deviation of mu.1: `hmc` {sd hmc mu.1}, `langevin` {sd langevin mu.1}. The ranks crowd in the middle.", arm = "langevin" },
    { say = "Simulated data have a true answer: rank it. The command `chainscope sbc` does so with 63 draws per data set. Find the fault of a model: `chainscope exercise 53`." },
  },

  claims = {
    { arm = "hmc", stat = "mean", of = "middle", near = 0.3385, within = 0.0055, note = "1/3 for infinitely many data sets" },
    { arm = "langevin", stat = "mean", of = "middle", near = 0.393, within = 0.006 },
    { arm = "langevin", stat = "rhat", of = "mu.1", at_most = 1.12 },
    { arm = "langevin", stat = "sd", of = "mu.1", near = 0.63, within = 0.072, note = "the exact value is 0.4472" },
  },
}
