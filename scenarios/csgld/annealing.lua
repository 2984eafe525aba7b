-- Annealing: a chain becomes a search.
--
-- Divide the temperature by a little more than 1, again and again, and a
-- sampler ends as an optimiser: at T it samples exp(log p / T), of which only
-- the best mode is left as T goes to 0, if the chain was slow enough to find
-- it. Here the best of many modes is in the middle, and all chains begin two
-- rows off. A claim looks at where chains end.
--
-- `sgd` descends with the noise of its gradient: it ends where it began.
-- `frozen`, SGLD at T = 0.02 from the first step, does the same. `quench` lets
-- T fall from 10 to 0.02 in 1000 steps, and is caught in whatever well it was
-- in. `anneal` takes 38,000 steps for that: eight of ten end in the middle.
--
-- Where a barrier between two wells is b high, a chain stops crossing it at
-- about T = b / log(steps); the slower the fall, the lower that is, and the
-- better the wells it then chooses among. It is a logarithm: ten times the
-- steps are worth little. And a barrier that is high beside what the wells
-- differ by defeats all annealing: on the nine modes of nine_modes.lua (6.7
-- beside 0.9) one chain of seven ends in the middle.
--
-- Rate and temperature fall by `decay`, a factor every so many steps from some
-- step on. The paper trains networks so: both divided by 1.01 in each epoch.
local cs = require "chainscope"
local decay = cs.schedule.decay

-- A bowl with ripples: wells at whole numbers, the next 1.9 below the best, a
-- barrier of 2.6 before it.
local ripples = cs.target {
  name  = "ripples",
  space = cs.real(2),
  view  = { -3.5, 3.5, -3.5, 3.5 },
  log_density = function(x)
    local turn, cos = 2 * math.pi, cs.math.cos
    return 2 * (cos(turn * x[1]) + cos(turn * x[2])) - 2 * (x[1] ^ 2 + x[2] ^ 2)
  end,
}

-- 1 for each chain that ends in the middle well, 0 for others.
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
  shows  = "Rate and temperature that fall slowly make a search of a sampler",
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
