-- Trajectories of HMC that are as long as the period of a coordinate.
--
-- A normal coordinate swings along a trajectory with a period of 2 pi times its standard
-- deviation. x.1 has a period of 3.14, and so have the trajectories of `period`: x.1 comes
-- back to where it was. `half` goes half as far: x.1 jumps to the other side and back.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local sds = { 0.5, 0.8, 1.1, 1.4 }
local covariance = {}
for i = 1, #sds do
  for j = 1, #sds do covariance[#covariance + 1] = i == j and sds[i] ^ 2 or 0 end
end

return cs.scenario {
  title  = "Every trajectory is one period long",
  shows  = "Good acceptance and a perfect mean, and yet nothing is known: look at a second figure",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3.2",
  tags   = "course week-6 minutes-6",

  target = cs.target.gaussian { dim = #sds, covariance = covariance },
  chains = 32, seed = 56,
  arms   = {
    period   = cs.kernel.hmc { step = 0.1564, leapfrogs = 20, jitter = 0 },
    half     = cs.kernel.hmc { step = 0.1564, leapfrogs = 10, jitter = 0 },
    jittered = cs.kernel.hmc { step = 0.1564, leapfrogs = 20, jitter = 0.3 },
  },
  budget = { steps = 2000 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "period" }, "acceptance", "summary" },

  course = {
    { say = "A pendulum. The period of x.1 is 2 pi times its standard deviation, and every trajectory of `period` is exactly that long." },
    { run = 1, say = "One step of each chain." },
    { ask = "`period` accepts nearly every proposal. R-hat of x.1 at the end of the run?",
      choose = { { "about 1", at_most = 1.1, say = "To be accepted is not to move: x.1 comes home in every step." },
                 { "about 1.3", at_least = 1.1, at_most = 1.5, say = "Each chain keeps its own value of x.1 for a very long time." },
                 { "above 3", at_least = 1.5 } },
      truth = { figure = "rhat", arm = "period", of = 1, at = "end" }, cover = { "acceptance" } },
    { run = 1999, speed = 200, say = "Watch x.1: each chain keeps its own value." },
    { reveal = "{truth}, with {acceptance period} of all proposals accepted.", point = { word = "accepted, and home again", arm = "period" } },
    { say = "`half` goes for half a period: x.1 changes its sign at each step, and comes back at the next.", arm = "half" },
    { ask = "The standard deviation of x.1 is 0.5. What does `half` say?",
      choose = { { "about 0.5", at_most = 0.55, say = "A chain that only changes the sign of x.1 keeps its size: nothing is learned about it." },
                 { "far more than 0.5", at_least = 0.56 } },
      truth = { figure = "sd", arm = "half", of = 1 }, cover = { "mean" } },
    { reveal = "{truth}. And its mean is {mean half 1}: perfect, since each value is followed by its opposite." },
    { say = "`jittered` varies the length of its trajectories: its standard deviation of x.1 is {sd jittered 1}.", arm = "jittered" },
    { say = "Good acceptance and a perfect mean, and yet nothing is known: look at a second figure." },
  },

  claims = {
    { arm = "period", stat = "acceptance", at_least = 0.99 },
    { arm = "period", stat = "rhat", of = 1, at_least = 3 },
    { arm = "half", stat = "sd", of = 1, at_least = 0.7, note = "the exact value is 0.5" },
    { arm = "jittered", stat = "sd", of = 1, near = 0.5, within = 0.03 },
  },
}
