-- The exact error of an inner Markov chain that replaces an exact simulation.
--
-- If data cannot be simulated exactly, an inner Markov chain can replace the simulation:
-- the inner chain makes a few sweeps, starting from the data (Liang's double
-- Metropolis-Hastings). The chain of theta then has a wrong stationary distribution. Here
-- that distribution is computed for an Ising model of 3 x 3 spins by enumerating all 512
-- states. The error of the posterior mean is 0.154 for one sweep, 0.056 for two and
-- 0.0061 for four; the posterior deviation is 0.267.
--
-- Watch `distance` and `simulation`. The acceptance shows nothing wrong.

-- The enumeration gives the distribution of the inner chain after n sweeps, and from it
-- the transition matrix of theta. The inner chain starts at the data and stays too
-- similar to them, so the coupling theta is overestimated. Try inner = 4 for two_sweeps,
-- or cs.theory.exchange { how = "sweeps", ... }.

local cs = require "chainscope"
local lattice = require "on_a_grid.lattice"
local computed = require "on_a_grid.computed"

-- Columns: n sweeps (site by site and back); total variation distance of theta's
-- distribution from the posterior; error of the mean.
--     1  0.223    0.154
--     2  0.083    0.056
--     4  0.0093   0.0061
--     8  0.00011  0.00007
--
-- The acceptance is 0.65 with one sweep and 0.57 with exact draws. The chains of this run
-- have the computed means: 0.451 with one sweep instead of the exact 0.296. A second kind
-- of error is to use the mean of K ratios instead of one ratio. One ratio is unbiased and
-- correct. The mean of several ratios is less noisy but wrong, because the reverse move
-- would have other draws. The error is 0.0055 in total variation for K = 3. The kernel's
-- `simulations` uses a coin for the direction and is exact.
local low, high, steps = -0.5, 1.1, 15000
local function of(more) return lattice.theory(low, high, more) end
local function sweeps(n) return of { how = "sweeps", sweeps = n } end

local claims = {}
local function claim(...) claims[#claims + 1] = computed(...) end

-- Columns: sweeps, total variation, shift of the mean.
for _, row in ipairs { { 1, 0.2235, 0.1545 }, { 2, 0.0830, 0.0556 }, { 4, 0.00932, 0.00614 }, { 8, 1.084e-4, 7.18e-5 } } do
  local n, at = row[1], (" (sweeps: %d)"):format(row[1])
  claim("one_sweep", "total variation" .. at, function() return sweeps(n).bias end, { near = row[2], within = 0.01 * row[2] })
  claim("one_sweep", "mean less the exact one" .. at, function() return sweeps(n).mean_bias end, { near = row[3], within = 0.01 * row[3] })
end
for _, row in ipairs { { "exact", 0.5726, {} }, { "one_sweep", 0.6468, { how = "sweeps", sweeps = 1 } } } do
  claim(row[1], "acceptance, computed", function() return of(row[3]).acceptance.auxiliary end, { near = row[2], within = 0.001 })
  claims[#claims + 1] = { arm = row[1], stat = "acceptance", near = row[2], within = 0.01 }
end
claim("one_sweep", "largest imbalance of 1 sweep", function() return sweeps(1).imbalance end,
      { at_most = 1e-9, holds = false, note = "proposition 2 requires omega_2 to be drawn from P_theta,theta'" })
claim("exact", "largest imbalance", function() return of({}).imbalance end,
      { at_most = 1e-14, quote = "is reversible with respect to", where = "proposition 2" })

-- The mean of theta under a computed distribution on the grid.
local function mean_of(theory, name)
  local sum, n = 0, lattice.points
  for a, p in ipairs(theory[name]) do sum = sum + p * (low + (high - low) * (a - 0.5) / n) end
  return sum
end
local function compare(arm, theory, mean)
  claim(arm, "mean, computed", function() return mean_of(theory(), "stationary") end, { near = mean, within = 0.001 })
  claims[#claims + 1] = { arm = arm, stat = "mean", of = 1, near = mean, within = 0.025 }
end
compare("exact", function() return of {} end, 0.2964)
compare("one_sweep", function() return sweeps(1) end, 0.4509)
compare("two_sweeps", function() return sweeps(2) end, 0.3521)
compare("three", function() return of { draws = 3 } end, 0.2964)

claim("three", "largest imbalance with a coin", function() return of { draws = 3 }.imbalance end, { at_most = 1e-14 })
claim("three", "total variation of the mean of 3 ratios in place of one", function() return of { draws = 3, how = "average" }.bias end,
      { near = 0.0055, within = 1e-4 })

return cs.scenario {
  title  = "An inner chain",
  shows  = "With one sweep from the data instead of an exact draw the mean is wrong by half a standard deviation",
  source = "auxiliary, proposition 2 and algorithm 4; Liang 2010",
  setting = "9 spins, 60 values of theta, all states enumerated; the paper draws exactly",

  target = lattice.target(low, high),
  chains = 8, seed = 17, start = { 0.3 },
  arms   = {
    { name = "exact", kernel = cs.kernel.exchange { step = lattice.step } },
    { name = "one_sweep", kernel = cs.kernel.exchange { step = lattice.step, inner = 1 } },
    { name = "two_sweeps", kernel = cs.kernel.exchange { step = lattice.step, inner = 2 } },
    { name = "three", kernel = cs.kernel.exchange { step = lattice.step, simulations = 3 } },
  },
  budget = { steps = steps },
  warmup = 100,
  screen = { "lesson", { "simulation", arm = "one_sweep" }, { "trace", quantity = "beta" }, "distance", "summary" },
  claims = claims,
}
