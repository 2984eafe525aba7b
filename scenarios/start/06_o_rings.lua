-- O-rings: logistic regression on the flights before the Challenger accident.
--
-- 23 flights of the space shuttle: the temperature at the joint, and whether
-- an O-ring showed distress. The model is one line: the log odds of distress
-- are b0 + b1 * temperature (brought to mean 0 and deviation 1), with wide
-- normal priors. On the day of the accident it was 31 F; the coldest flight
-- in the table was at 53 F.
--
-- The posterior is smooth and low-dimensional: every sampler gets it right.
-- What differs is the price. HMC's draws even lean away from each other, so
-- that its means are better than those of independent draws: its effective
-- size is larger than the number of draws.
local cs = require "chainscope"

return cs.scenario {
  title  = "O-rings",
  shows  = "a small posterior on real data: everybody is right, at a price",
  source = "Dalal, Fowlkes and Hoadley 1989",

  target = cs.target.logistic_regression { data = "challenger.csv" },
  chains = 4, seed = 5,
  arms   = {
    walk = cs.kernel.random_walk { step = 1.2 },
    mala = cs.kernel.mala { step = 0.8 },
    hmc  = cs.kernel.hmc { step = 0.4, leapfrogs = 6 },
  },
  budget = { steps = 20000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- By quadrature on a fine grid: intercept -1.242 (sd 0.630), slope of the
  -- temperature -1.986 (sd 0.879) per standard deviation of 6.9 F.
  claims = {
    { arm = "walk", stat = "mean", of = "temperature", near = -1.986, within = 0.05 },
    { arm = "mala", stat = "mean", of = "temperature", near = -1.986, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "temperature", near = -1.986, within = 0.03 },
    { arm = "hmc", stat = "sd", of = "temperature", near = 0.879, within = 0.03 },
    { arm = "hmc", stat = "mean", of = 1, near = -1.242, within = 0.02 },
    { arm = "walk", stat = "ess_per_work", near = 80, within = 40 },
    { arm = "mala", stat = "ess_per_work", near = 150, within = 50 },
    { arm = "hmc", stat = "ess_per_work", at_least = 200 },
    { arm = "hmc", stat = "ess", at_least = 80000, note = "from 80000 draws" },
  },
}
