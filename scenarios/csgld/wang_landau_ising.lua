-- The number of states of an Ising lattice at each energy, against the exact count.
--
-- Only 2 of the 1.8e19 states are ground states, and a chain that samples states
-- uniformly sees only energies near 0. `falling` (Wang-Landau with an increment f that
-- falls as 1/t) learns a weight theta for each energy. It always accepts a step from a
-- common energy to a rare one, and seldom the reverse step. When all energies are visited
-- equally, theta is the number of states (the density of states).
--
-- Watch `bins`: the share of states per energy above (log scale), the share of steps
-- below (nearly flat in the end). `multicanonical` has exact weights from the start. It
-- passes between states with most spins up and most spins down; `gibbs` does not.

-- `multicanonical` turns the spins by way of high energies. `flat` has the original rule
-- for f (halved each time the histogram of visits is flat), and `samc` has f = 1000 /
-- step. The density of states gives the mean energy at all temperatures.

local cs = require "chainscope"
local counts = require "by_hand.ising_count"

-- At each visit to an energy, the log theta of this energy grows by f. `flat` (Wang and
-- Landau) halves f when the histogram of visits is flat; in the end f is so small that
-- errors remain. `falling` lowers f as the number of energies over the number of steps,
-- and its error falls like 1 / sqrt(steps). On this lattice the difference appears late.
-- After a million steps `flat` has halved f nine times and has three times the error of
-- `falling`; after ten million steps both errors are 0.04. The exact count is from
-- Kaufman's partition function. `multicanonical` is an ordinary chain with an accept
-- step; the weights of its draws correct for the temperature of the target.
local side, beta = 8, 0.6
local sites, bonds = side * side, 2 * side * side
local exact = counts(side, side)

-- The energies of neighbouring levels differ by 4 beta, and each energy is in the
-- middle of its bin. The second energy and the second to last energy do not
-- occur.
local frozen = {}
for i = 1, sites + 1 do
  local u = 2 * (i - 1)
  frozen[i] = exact[u] > -math.huge and exact[u] or 0
end
local function flattened(kernel, more)
  local with = { kernel = cs.kernel.gibbs {}, measure = "uniform", bins = sites + 1,
                 first = beta * (2 - bonds), width = 4 * beta }
  for k, v in pairs(more) do with[k] = v end
  return kernel(with)
end

-- Returns a measure: the mean over the chains of a quantity of each chain.
local function each(of)
  return function(arm)
    local out = {}
    for c = 1, #arm.chains do
      local theta, all, log_density = arm:chain(c):info().own.theta, 0, {}
      for i = 1, #theta do all = all + theta[i] end
      for i = 1, #theta do
        log_density[i] = exact[2 * i - 2] > -math.huge and math.log(theta[i] / all) + sites * math.log(2) or nil
      end
      out[c] = of(log_density)
    end
    return out
  end
end

local function error_of(log_density)
  local sum, n = 0, 0
  for i, d in pairs(log_density) do sum, n = sum + math.abs(d - exact[2 * i - 2]), n + 1 end
  return sum / n
end
local function ground_states(log_density) return math.exp(log_density[1]) end

-- Returns the mean energy per bond (between -1 and 0) at the inverse
-- temperature b.
local function energy(log_density, b)
  local sum, all = 0, 0
  for i = 1, sites + 1 do
    local d = log_density[i]
    if d then
      local e = 4 * (i - 1) - bonds
      local w = math.exp(d - sites * math.log(2) - b * (e + bonds))
      sum, all = sum + w * e, all + w
    end
  end
  return sum / all / bonds
end
local by_count = {}
for i = 1, sites + 1 do
  local d = exact[2 * i - 2]
  by_count[i] = d > -math.huge and d or nil
end
local function error_of_energy(log_density)
  local worst = 0
  for k = 0, 20 do
    worst = math.max(worst, math.abs(energy(log_density, k / 20) - energy(by_count, k / 20)))
  end
  return worst
end

-- Returns the number of times that the majority of the spins changes between up and
-- down. Only every eighth stored draw is used.
local function crossings(arm)
  local out = {}
  for c = 1, #arm.chains do
    local was, n = nil, 0
    local rows = arm:chain(c):draws()
    for k = 1, #rows, 8 do
      local row, up = rows[k], 0
      for i = 1, sites do up = up + row[i] end
      local now = up * 2 > sites
      if up * 2 ~= sites then
        n, was = n + (was ~= nil and was ~= now and 1 or 0), now
      end
    end
    out[c] = n
  end
  return out
end

-- Returns the weighted mean energy per bond of the stored draws.
local function energy_of_draws(arm)
  local out = {}
  for c = 1, #arm.chains do
    local sum, all, top, rows = 0, 0, -math.huge, arm:chain(c):draws()
    for _, row in ipairs(rows) do top = math.max(top, row.log_weight) end
    for _, row in ipairs(rows) do
      local w = math.exp(row.log_weight - top)
      sum, all = sum - w * row.log_density, all + w
    end
    out[c] = sum / all / beta / bonds
  end
  return out
end

return cs.scenario {
  title  = "States by their energy",
  shows  = "A walk that visits all energies equally counts the states",
  source = "Wang and Landau 2001; Belardinelli and Pereyra 2007; Berg and Neuhaus 1991",
  tags   = "images flat-histogram",

  target = cs.target.ising { rows = side, cols = side, beta = beta },
  chains = 8, seed = 3,
  arms   = {
    { name = "falling", kernel = flattened(cs.kernel.wang_landau, {}) },
    { name = "flat", kernel = flattened(cs.kernel.wang_landau, { rule = "flat" }) },
    { name = "samc", kernel = flattened(cs.kernel.samc, { t0 = 1000 }) },
    { name = "multicanonical", kernel = flattened(cs.kernel.multicanonical, { log_weights = frozen }) },
    { name = "gibbs", kernel = cs.kernel.gibbs {} },
  },
  budget = { steps = 1000000 },
  probes = { only = true },
  setting = "8 chains of 1,000,000 single flips on 8 x 8 spins",
  full   = { budget = { steps = 10000000 } },
  screen = { "lesson", "bins" },

  claims = {
    { arm = "falling", stat = "error of log g", measure = each(error_of), at_most = 0.3,
      note = "mean error over 63 energies, for logarithms up to 42" },
    { arm = "samc", stat = "error of log g", measure = each(error_of), at_most = 0.6 },
    { arm = "flat", stat = "error of log g", measure = each(error_of), at_most = 1 },
    { arm = "falling", stat = "ground states", measure = each(ground_states), near = 2, within = 1 },
    { arm = "falling", stat = "error of the energy", measure = each(error_of_energy), at_most = 0.03,
      note = "per bond, -1 to 0; the largest over inverse temperatures 0 to 1" },
    { arm = "multicanonical", stat = "crossings", measure = crossings, at_least = 30,
      note = "from most spins up to most spins down" },
    { arm = "gibbs", stat = "crossings", measure = crossings, at_most = 5 },
    { arm = "multicanonical", stat = "energy", measure = energy_of_draws, near = energy(by_count, beta), within = 0.01 },
  },
}
