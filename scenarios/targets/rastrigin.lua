-- Rastrigin's function: a bowl with a dent at every integer point.
--
-- The function is a test for optimisers because every dent is a local minimum. As a
-- density at temperature 4 it has about 50 modes that matter, separated by barriers of 5
-- nats. The coordinates are independent, so all claimed values are known by quadrature in
-- one dimension. All arms get the same number of evaluations.
--
-- Watch the steps: they must be as long as the distance to the next mode. `narrow` suits
-- a dent and accepts half of its proposals. `wide` jumps by one or two dents, rejects six
-- of seven proposals, and has a hundred times the effective draws. The gradient says
-- nothing about the next dent, so `mala` stays in its dent, like `narrow`. Paths of
-- `nuts` sometimes have the energy to cross, at one gradient per point.
local cs = require "chainscope"

local T, M = 4, 5

-- Computes, for one coordinate, the mass of each of the dents -M ... M, the total
-- mass, and the standard deviation.
local function quadrature()
  local mass, all, square, n = {}, 0, 0, 2000
  for k = -M, M do
    local sum = 0
    for i = 1, n do
      local x = k - 0.5 + (i - 0.5) / n
      local p = math.exp(-(x * x - 10 * math.cos(2 * math.pi * x) + 10) / T) / n
      sum, square = sum + p, square + p * x * x
    end
    mass[k], all = sum, all + sum
  end
  return mass, all, math.sqrt(square / all)
end

local mass, all, deviation = quadrature()
local modes, shares = {}, {}
for i = -M, M do
  for k = -M, M do
    modes[#modes + 1] = { i, k }
    shares[#shares + 1] = mass[i] * mass[k] / all^2
  end
end

return cs.scenario {
  title  = "Rastrigin's dents",
  shows  = "Moves as long as the distance to the next mode help more than a gradient",
  source = "Rastrigin, Systems of extremal control, 1974",

  target = cs.target {
    name  = "rastrigin",
    space = cs.real(2),
    view  = { -4.5, 4.5, -4.5, 4.5 },
    modes = modes, mode_shares = shares,
    log_density = function(x)
      local v = 20
      for i = 1, 2 do
        v = v + x[i] * x[i] - 10 * cs.math.cos(2 * math.pi * x[i])
      end
      return -v / T
    end,
  },
  chains = 8, seed = 9,
  start  = { 3, -3 },
  arms   = {
    narrow = cs.kernel.random_walk { step = 0.15 },
    wide   = cs.kernel.random_walk { step = 1.2 },
    mala   = cs.kernel.mala { step = 0.15 },
    nuts   = cs.kernel.nuts {},
  },
  budget = { log_densities = 400000, gradients = 400000 },
  screen = { "map", "trace", "visits", "acceptance", "summary" },

  -- The deviation of a coordinate, by the quadrature above, is 1.4133.
  claims = {
    { arm = "wide", stat = "mean", of = 1, near = 0, within = 0.1 },
    { arm = "wide", stat = "sd", of = 1, near = deviation, within = 0.08 },
    { arm = "wide", stat = "modes_visited", at_least = 70 },
    { arm = "wide", stat = "ess_per_work", of = 1, at_least = 10 },
    { arm = "wide", stat = "acceptance", at_most = 0.2 },
    { arm = "narrow", stat = "ess_per_work", of = 1, at_most = 1 },
    { arm = "narrow", stat = "acceptance", at_least = 0.4 },
    { arm = "mala", stat = "ess_per_work", of = 1, at_most = 1 },
    { arm = "nuts", stat = "ess_per_work", of = 1, at_most = 4 },
  },
}
