-- Logistic regression on the O-rings of the flights before the Challenger accident.
--
-- The data are 23 flights of the space shuttle: the temperature at the joint, and whether
-- an O-ring showed distress. The log odds of distress are a + b * (temperature - 70 F) /
-- 7 F, with wide Gaussian priors (70 F and 7 F are the centre and the spread of the
-- temperatures). On the day of the accident the temperature was 31 F; the coldest flight
-- in the data was at 53 F.
--
-- The posterior is smooth and has two dimensions, so every sampler is right, but at a
-- different cost. Successive draws of HMC (Hamiltonian Monte Carlo) are negatively
-- correlated. So the effective sample size of HMC exceeds the number of draws: its means
-- are better than those of independent draws.
local cs = require "chainscope"

-- `term` is the contribution of one flight to the log density. It is called once, with
-- symbols for a, b and the flight; the resulting expression is evaluated for all rows of
-- the table.
local o_rings = cs.target {
  name  = "o_rings",
  space = cs.real(2), -- a, b
  view  = { -4, 1, -6, 1 },
  data  = "challenger.csv",
  prior = function(x) return -(x[1]^2 + x[2]^2) / 200 end,
  term  = function(x, flight)
    local log_odds = x[1] + x[2] * (flight.temperature - 70) / 7
    return flight.distress * log_odds - cs.math.softplus(log_odds)
  end,
}

return cs.scenario {
  title  = "O-rings",
  shows  = "A small posterior from real data: every sampler is right, some need more work",
  source = "Dalal, Fowlkes and Hoadley 1989",
  tags   = "lesson regression data",

  target = o_rings,
  chains = 4, seed = 5,
  arms   = {
    walk = cs.kernel.random_walk { step = 1.2 },
    mala = cs.kernel.mala { step = 0.8 },
    hmc  = cs.kernel.hmc { step = 0.4, leapfrogs = 6 },
  },
  budget = { steps = 20000 },
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", "map", "trace", "acceptance", "summary" },

  -- Exact values, by quadrature on a fine grid: a = -1.366 (standard deviation 0.649), b
  -- = -2.013 (standard deviation 0.890); the probability of O-ring distress at 31 F is
  -- 0.989.
  claims = {
    { arm = "walk", stat = "mean", of = 2, near = -2.013, within = 0.05 },
    { arm = "mala", stat = "mean", of = 2, near = -2.013, within = 0.05 },
    { arm = "hmc", stat = "mean", of = 2, near = -2.013, within = 0.03 },
    { arm = "hmc", stat = "sd", of = 2, near = 0.890, within = 0.03 },
    { arm = "hmc", stat = "mean", of = 1, near = -1.366, within = 0.02 },
    { arm = "walk", stat = "ess_per_work", at_most = 130 },
    { arm = "mala", stat = "ess_per_work", near = 125, within = 50 },
    { arm = "hmc", stat = "ess_per_work", at_least = 30 },
    { arm = "hmc", stat = "ess", at_least = 15000, note = "the smallest ESS, that of the energy or of a spread; the ESS of means is larger" },
  },
}
