-- Trajectories of fixed length, in resonance with a coordinate.
--
-- Along a trajectory of HMC (Hamiltonian Monte Carlo) a normal coordinate swings with
-- period 2 pi times its standard deviation. x.1 has standard deviation 0.5, so its period
-- is 3.14. The trajectories of `period` are that long. x.1 returns to its starting point
-- in every step: 99.7 % of proposals are accepted and the other coordinates are sampled
-- perfectly, but R-hat of x.1 is 8. In `half`, whose trajectories are half as long, x.1
-- jumps to the other side and back: the mean of x.1 is very accurate, but its standard
-- deviation is 1.3 instead of 0.5. So look at R-hat of x.1 and of the energy too.
-- `jittered` varies the length at random by up to 30 %, and works. Try a length that is
-- in resonance with no coordinate:
--     :set period.leapfrogs 13
local cs = require "chainscope"

local sds = { 0.5, 0.8, 1.1, 1.4 }
local covariance = {}
for i = 1, #sds do
  for j = 1, #sds do covariance[#covariance + 1] = i == j and sds[i] ^ 2 or 0 end
end

return cs.scenario {
  title  = "Resonance",
  shows  = "A trajectory as long as a coordinate's period brings it back to where it was",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3.2",
  tags   = "trajectory",

  target = cs.target.gaussian { dim = #sds, covariance = covariance },
  chains = 16, seed = 56,
  -- By default hmc varies the length of its trajectories; `jitter = 0` makes the length
  -- constant. The trajectories of nuts have no set length.
  arms   = {
    period   = cs.kernel.hmc { step = 0.1564, leapfrogs = 20, jitter = 0 },
    half = cs.kernel.hmc { step = 0.1564, leapfrogs = 10, jitter = 0 },
    jittered = cs.kernel.hmc { step = 0.1564, leapfrogs = 20, jitter = 0.3 },
    nuts     = cs.kernel.nuts {},
  },
  budget = { steps = 4000 },
  screen = { "lesson", { "trace", quantity = "x.1" }, "acceptance", "summary" },

  claims = {
    { arm = "period", stat = "acceptance", at_least = 0.99 },
    { arm = "period", stat = "rhat", of = 1, at_least = 1.5 },
    { arm = "period", stat = "rhat", of = 2, at_most = 1.01 },
    -- The means of `half` are better than those of independent draws: 57,600 draws have
    -- an effective size of 270,000.
    { arm = "half", stat = "mean", of = 1, near = 0, within = 0.005 },
    { arm = "half", stat = "sd", of = 1, at_least = 0.7, note = "the exact value is 0.5" },
    { arm = "jittered", stat = "rhat", at_most = 1.01 },
    { arm = "jittered", stat = "sd", of = 1, near = 0.5, within = 0.03 },
    { arm = "jittered", stat = "ess", of = 1, at_least = 10000 },
    { arm = "nuts", stat = "rhat", at_most = 1.01 },
    { arm = "nuts", stat = "sd", of = 1, near = 0.5, within = 0.03 },
    { arm = "nuts", stat = "ess", of = 1, at_least = 40000 },
  },
}
