-- O-rings: logistic regression on the flights before the Challenger accident.
--
-- 23 flights of the space shuttle: the temperature at the joint, and whether an
-- O-ring showed distress. The model is one line: the log odds of distress are
-- a + b * (temperature - 70 F) / 7 F, with wide Gaussian priors (70 F and 7 F are
-- the middle and the spread of the temperatures). On the day of the accident it
-- was 31 F; the coldest flight in the table was at 53 F.
--
-- What one flight adds to the log density is `term`: it is called once, with
-- symbols for a, b and the flight, and evaluated for all rows of the table.
--
-- The posterior is smooth and low-dimensional: every sampler gets it right. What
-- differs is the price. Successive draws of HMC are even negatively correlated, so
-- that its means are better than those of independent draws: its effective sample
-- size is larger than the number of draws.
local cs = require "chainscope"

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
  shows  = "A small real-data posterior: every sampler gets it right; some pay more",
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
  speed  = 500, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", "map", "trace", "acceptance", "summary" },

  -- By quadrature on a fine grid: a = -1.366 (sd 0.649), b = -2.013 (sd 0.890);
  -- that an O-ring is in distress at 31 F has probability 0.989.
  claims = {
    { arm = "walk", stat = "mean", of = 2, near = -2.013, within = 0.05 },
    { arm = "mala", stat = "mean", of = 2, near = -2.013, within = 0.05 },
    { arm = "hmc", stat = "mean", of = 2, near = -2.013, within = 0.03 },
    { arm = "hmc", stat = "sd", of = 2, near = 0.890, within = 0.03 },
    { arm = "hmc", stat = "mean", of = 1, near = -1.366, within = 0.02 },
    { arm = "walk", stat = "ess_per_work", at_most = 130 },
    { arm = "mala", stat = "ess_per_work", near = 125, within = 50 },
    { arm = "hmc", stat = "ess_per_work", at_least = 30 },
    { arm = "hmc", stat = "ess", at_least = 15000, note = "the worst of all: the energy's or a spread's; means have more" },
  },
}
