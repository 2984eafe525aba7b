-- Trajectories of one length, and a coordinate that swings in time with them.
--
-- Along a trajectory of HMC a normal coordinate swings like a pendulum; its period
-- is 2 pi times its deviation. Here x.1 has deviation 0.5, so a period of 3.14,
-- and `period` has trajectories just that long, 20 steps of 0.1564. Whatever the
-- momentum, x.1 comes back to where it was, every time. 99.7 % of the proposals
-- are accepted, the other three coordinates are sampled perfectly, and x.1 never
-- learns that it started in the wrong place: R-hat is 8.
--
-- `half` is half as long, and x.1 jumps to the other side and back. Its mean
-- is then right, even more so than that of independent draws: 270,000
-- effective draws of 57,600. Its deviation is as wrong as before, 1.3 instead of 0.5.
-- So look at more than one figure: R-hat of x.1 and of the energy see it.
--
-- `jittered` has trajectories up to 30 % longer or shorter, at random, as hmc has
-- unless it is told `jitter = 0`: the same step, and all is well. nuts has no length
-- to be set at all.
--
-- Try: a length that is in time with none of them.
--
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
  arms   = {
    period   = cs.kernel.hmc { step = 0.1564, leapfrogs = 20, jitter = 0 },
    half = cs.kernel.hmc { step = 0.1564, leapfrogs = 10, jitter = 0 },
    jittered = cs.kernel.hmc { step = 0.1564, leapfrogs = 20, jitter = 0.3 },
    nuts     = cs.kernel.nuts {},
  },
  budget = { steps = 4000 },
  screen = { "lesson", { "trace", of = "x.1" }, "acceptance", "summary" },

  claims = {
    { arm = "period", stat = "acceptance", at_least = 0.99 },
    { arm = "period", stat = "rhat", of = 1, at_least = 1.5 },
    { arm = "period", stat = "rhat", of = 2, at_most = 1.01 },
    { arm = "half", stat = "mean", of = 1, near = 0, within = 0.005 },
    { arm = "half", stat = "sd", of = 1, at_least = 0.7, note = "0.5 is right" },
    { arm = "jittered", stat = "rhat", at_most = 1.01 },
    { arm = "jittered", stat = "sd", of = 1, near = 0.5, within = 0.03 },
    { arm = "jittered", stat = "ess", of = 1, at_least = 10000 },
    { arm = "nuts", stat = "rhat", at_most = 1.01 },
    { arm = "nuts", stat = "sd", of = 1, near = 0.5, within = 0.03 },
    { arm = "nuts", stat = "ess", of = 1, at_least = 40000 },
  },
}
