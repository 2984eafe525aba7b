-- Annealing: a sampler used as an optimiser.
--
-- SGLD (stochastic gradient Langevin dynamics) at temperature T samples exp(log p / T).
-- If T falls slowly to 0, only the best mode remains. Here the best of many modes is in
-- the middle, and all chains start two rows of modes away. The claims count the chains
-- that end in the middle.
--
-- Watch the trace. `sgd` (gradient descent with noisy gradients) ends where it started,
-- and so does `frozen` (SGLD at T = 0.02 from the start). `quench` lowers T from 10 to
-- 0.02 in 1000 steps and ends in the well that it happens to be in. `anneal` lowers T in
-- 38,000 steps, and 80 % of its chains end in the middle.

-- A chain stops crossing a barrier of height b at about T = b / log(steps), so ten times
-- the steps help only a little.

local cs = require "chainscope"
-- Annealing fails if a barrier is high compared with the differences between wells. On
-- the nine modes of nine_modes.lua the barrier is 6.7 and the difference is 0.9, and one
-- chain of seven ends in the middle mode. From a given step on, `decay` multiplies the
-- rate and the temperature by a factor every n steps. The paper trains networks in this
-- way: both are divided by 1.01 in each epoch.
local decay = cs.schedule.decay

-- A bowl with ripples: wells at integer points. The log density of the second best well
-- is 1.9 below that of the best well. The barrier between the two wells is 2.6.
local ripples = cs.target {
  name  = "ripples",
  space = cs.real(2),
  view  = { -3.5, 3.5, -3.5, 3.5 },
  log_density = function(x)
    local turn, cos = 2 * math.pi, cs.math.cos
    return 2 * (cos(turn * x[1]) + cos(turn * x[2])) - 2 * (x[1] ^ 2 + x[2] ^ 2)
  end,
}

-- Returns 1 for each chain that ends in the middle well, and 0 for the others.
local function share(arm)
  local out = {}
  for c = 1, #arm.chains do
    local x = arm:chain(c):state()
    out[c] = math.abs(x[1]) < 0.5 and math.abs(x[2]) < 0.5 and 1 or 0
  end
  return out
end

local noise = math.sqrt(0.1)
local function cooled(steps)
  return decay { from = 10, factor = (0.02 / 10) ^ (100 / steps), every = 100, start = 101, min = 0.02 }
end

return cs.scenario {
  title  = "Annealing",
  shows  = "With slowly falling rate and temperature a sampler becomes an optimiser",
  source = "csgld, section 4.3 (its annealed arms)",

  target = ripples,
  chains = 64, seed = 47, start = { 2, 2 },
  arms   = {
    { name = "sgd", kernel = cs.kernel.sgd { rate = 2e-3, gradient_noise = noise } },
    { name = "frozen", kernel = cs.kernel.sgld { rate = 2e-3, temperature = 0.02, gradient_noise = noise } },
    { name = "quench", kernel = cs.kernel.sgld {
        rate = 2e-3, temperature = cooled(1000), gradient_noise = noise } },
    { name = "anneal", kernel = cs.kernel.sgld {
        rate = decay { from = 2e-3, factor = 1 / 1.01, every = 100, start = 30001, min = 1e-5 },
        temperature = cooled(38000), gradient_noise = noise } },
  },
  budget = { steps = 40000 },
  warmup = 0,
  screen = { "lesson", "map", "trace", "energy" },

  claims = {
    { arm = "sgd", stat = "ends in the middle", measure = share, at_most = 0.1 },
    { arm = "frozen", stat = "ends in the middle", measure = share, at_most = 0.1 },
    { arm = "quench", stat = "ends in the middle", measure = share, at_most = 0.6 },
    { arm = "anneal", stat = "ends in the middle", measure = share, at_least = 0.65 },
  },
}
