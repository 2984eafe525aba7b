-- A first-order phase transition, computed from the number of states at each energy.
--
-- At its transition temperature a lattice of spins with ten values is either ordered,
-- where 5/6 of the pairs of neighbours are equal, or disordered, where half of them are.
-- States in between are rare: an ordinary chain seldom crosses, and never on large
-- lattices. The Wang-Landau chain here visits all energies equally and so counts states:
-- 10 of 10^64 states have all spins equal, and 5760 have all spins but one equal.
--
-- Watch `bins`: the upper plot is the share of states at each energy (log scale), the
-- lower plot the share of steps. The counts give the distribution of the energy at any
-- temperature. At the temperature where its two peaks are equally high, the valley
-- between the peaks is a tenth of their height on this small lattice.
local cs = require "chainscope"

-- On the infinite lattice the transition temperature is 1 / log(1 + sqrt 10), and the
-- share of equal bonds is 0.484 at one peak and 0.832 at the other.
local side, values = 8, 10
local sites, bonds = side * side, 2 * side * side
local critical = math.log(1 + math.sqrt(values))

-- Returns a measure that is computed from log g for the energies that were visited. g is
-- the number of states with a given number of equal bonds.
local function each(of)
  return function(arm)
    local visits, out = arm:report "kernel/bin_visits", {}
    for c = 1, #arm.chains do
      local theta, all, log_density = arm:chain(c):info().own.theta, 0, {}
      for i, x in ipairs(theta) do all = all + (visits[i] > 0 and x or 0) end
      for i, x in ipairs(theta) do
        log_density[bonds + 1 - i] = visits[i] > 0 and math.log(x / all) + sites * math.log(values) or nil
      end
      out[c] = of(log_density)
    end
    return out
  end
end

-- For an inverse temperature, returns the position and the log p of the disordered
-- peak and of the ordered peak, and the log p at the bottom of the valley between the
-- peaks.
local function peaks(log_density, beta)
  local p, border = {}, 0.65 * bonds
  local low, high, valley = { p = -math.huge }, { p = -math.huge }, math.huge
  for e = 0, bonds do
    p[e] = log_density[e] and log_density[e] + beta * e
    local side_of = e < border and low or high
    if p[e] and p[e] > side_of.p then side_of.p, side_of.at = p[e], e end
  end
  for e = low.at, high.at do valley = math.min(valley, p[e] or math.huge) end
  return low, high, valley
end

-- Returns the inverse temperature at which both peaks are equally high.
local function transition(log_density)
  local a, b = 0.8 * critical, 1.2 * critical
  for _ = 1, 40 do
    local middle = (a + b) / 2
    local low, high = peaks(log_density, middle)
    if high.p > low.p then b = middle else a = middle end
  end
  return (a + b) / 2
end
local function there(what)
  return each(function(log_density)
    local low, high, valley = peaks(log_density, transition(log_density))
    return what(low, high, valley)
  end)
end

return cs.scenario {
  title  = "Spins of ten values",
  shows  = "The density of states shows a transition that an ordinary chain cannot cross",
  source = "Wang and Landau 2001; Belardinelli and Pereyra 2007",
  tags   = "images flat-histogram",

  target = cs.target.potts { rows = side, cols = side, values = values, beta = critical },
  chains = 8, seed = 3,
  arms   = {
    { name = "falling", kernel = cs.kernel.wang_landau {
      kernel = cs.kernel.gibbs {}, measure = "uniform",
      first = critical * (0.5 - bonds), width = critical, bins = bonds + 1 } },
  },
  budget = { steps = 2000000 },
  probes = { only = true },
  setting = "8 x 8 spins instead of 60 x 60 to 200 x 200; 1/t rule",
  full   = { budget = { steps = 10000000 } },
  screen = { "lesson", "bins" },

  claims = {
    { arm = "falling", stat = "log of ground states", measure = each(function(d) return d[bonds] end),
      near = math.log(values), within = 2 },
    { arm = "falling", stat = "log of states with one odd spin, less that",
      measure = each(function(d) return d[bonds - 4] - d[bonds] end), near = math.log(9 * sites), within = 1 },
    { arm = "falling", stat = "transition", measure = each(transition), near = critical, within = 0.06,
      paper = "a strong first-order transition", source = "another paper", where = "Wang and Landau 2001", note = "infinite lattice: 1.426" },
    { arm = "falling", stat = "valley", measure = there(function(low, _, valley) return low.p - valley end), at_least = 1.5,
      paper = "double peaks, and a valley between them", source = "another paper", where = "Wang and Landau 2001", note = "in nats" },
    { arm = "falling", stat = "peak, disordered", measure = there(function(low) return low.at / bonds end),
      near = 0.4, within = 0.06 },
    { arm = "falling", stat = "peak, ordered", measure = there(function(_, high) return high.at / bonds end),
      near = 0.9, within = 0.08 },
  },
}
