-- Dippers: survival rates of birds that are caught and seen again.
--
-- 294 dippers were ringed in seven years. In each year phi is the probability that a bird
-- survives to the next year, and p is the probability that a living bird is seen then.
-- The data are, for each year of release, the number of birds first seen again in each
-- later year, and the number never seen again. There was a flood in the second and third
-- years.
--
-- The last year is difficult: only the product phi.6 * p.6 is identified, since a bird
-- that was not seen may have died or been missed. The posterior of phi.6 and p.6 is a
-- curved ridge (watch the map), whose length is set only by the uniform priors. The
-- product itself is known well, and the other ten parameters are easy.
local cs = require "chainscope"
local M = cs.math

-- For the birds released in year i: the numbers that were first seen again in each of
-- the years i + 1 to 7, then the number that was never seen again.
local seen = {
  { 11, 2, 0, 0, 0, 0 }, { 24, 1, 0, 0, 0 }, { 34, 2, 0, 0 },
  { 45, 1, 2 }, { 51, 0 }, { 52 },
}
local never = { 9, 35, 42, 32, 37, 46 }

local function log_likelihood(p)
  local u = 0
  for i = 1, 6 do
    local alive, gone = 0, 0 -- log P(alive and not yet seen), P(seen by then)
    for k, n in ipairs(seen[i]) do
      local year = i + k - 1
      local log_seen = alive + M.log(p.phi[year]) + M.log(p.p[year])
      if n > 0 then u = u + n * log_seen end
      gone = gone + M.exp(log_seen)
      alive = alive + M.log(p.phi[year]) + M.log1p(-p.p[year])
    end
    u = u + never[i] * M.log1p(-gone)
  end
  return u
end

return cs.scenario {
  title  = "Dippers",
  shows  = "A ridge that more data cannot shorten: only the product of two parameters is identified",
  source = "Lebreton, Burnham, Clobert and Anderson 1992, section 5",

  target = cs.target {
    name   = "dippers",
    params = { { phi = cs.interval(0, 1, 6) }, { p = cs.interval(0, 1, 6) } },
    view   = { "phi.6", "p.6", 0, 1, 0, 1 },
    log_density = log_likelihood,
    generated = function(q) return { product = q.phi[6] * q.p[6] } end,
  },
  chains = 4, seed = 35,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.22 },
    mala = cs.kernel.mala { step = 0.28 },
    hmc  = cs.kernel.hmc { step = 0.25, leapfrogs = 10 },
    nuts = cs.kernel.nuts {},
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- Reference values from a Gibbs sampler that draws the year in which each bird died
  -- (40000 sweeps). The paper has the maximum of the likelihood: phi.2 0.435, phi.3
  -- 0.478.
  claims = {
    { arm = "hmc", stat = "mean", of = "phi.1", near = 0.722, within = 0.01 },
    { arm = "hmc", stat = "mean", of = "phi.2", near = 0.450, within = 0.007,
      note = "maximum likelihood: 0.435" },
    { arm = "hmc", stat = "mean", of = "phi.3", near = 0.481, within = 0.005,
      note = "maximum likelihood: 0.478" },
    { arm = "hmc", stat = "sd", of = "phi.3", near = 0.0607, within = 0.003 },
    { arm = "hmc", stat = "mean", of = "p.1", near = 0.665, within = 0.01 },
    { arm = "hmc", stat = "mean", of = "phi.6", near = 0.7345, within = 0.015 },
    { arm = "hmc", stat = "sd", of = "phi.6", near = 0.142, within = 0.01,
      note = "a seventh of the range; more data of this kind do not help" },
    { arm = "hmc", stat = "mean", of = "product", near = 0.518, within = 0.005 },
    { arm = "hmc", stat = "sd", of = "product", near = 0.0498, within = 0.003 },
    { arm = "hmc", stat = "ess_per_work", at_least = 5 },
    { arm = "walk", stat = "ess_per_work", at_most = 4 },
    { arm = "nuts", stat = "mean", of = "phi.1", near = 0.722, within = 0.01 },
    { arm = "nuts", stat = "mean", of = "phi.6", near = 0.7345, within = 0.015 },
    { arm = "nuts", stat = "mean", of = "product", near = 0.518, within = 0.005 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "ess_per_work", at_least = 10 },
  },
}
