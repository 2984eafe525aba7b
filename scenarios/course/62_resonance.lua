-- Trajectories of HMC that are as long as the period of a coordinate.
--
-- Along a trajectory a normal coordinate oscillates with a period of 2 pi times its standard
-- deviation. x.1 has a period of 3.14, the length of the trajectories of `period`: x.1
-- returns to its old value. `half` goes half as far: x.1 changes its sign in each step.
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
  shows  = "Trajectories of a whole period and of half a period",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3.2",
  tags   = "course week-6 minutes-6",
  exercise = "exercises/62_resonance.lua",

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
    { say = "Along a trajectory x.1 oscillates like a pendulum, with a period of 2 pi times its standard deviation. Every trajectory of `period` is exactly that long." },
    { run = 1, say = "One step of each chain." },
    { ask = "`period` accepts nearly every proposal. What is R-hat of x.1 at the end of the run?",
      choose = { { "about 1", at_most = 1.1, say = "A step can be accepted without a move: in the trace, x.1 returns to its old value in every step." },
                 { "about 1.3", at_least = 1.1, at_most = 1.5, say = "Each chain keeps its own value of x.1 for a very long time." },
                 { "above 3", at_least = 1.5 } },
      truth = { figure = "rhat", arm = "period", of = 1, at = "end" }, cover = { "acceptance" } },
    { run = 1999, speed = 200, say = "Watch x.1: each chain keeps its own value." },
    { reveal = "{truth}, although {acceptance period} of all proposals are accepted.", point = { word = "accepted, but x.1 does not move", arm = "period" } },
    { say = "The trajectories of `half` are half a period long: x.1 changes its sign in each step.", arm = "half" },
    { ask = "The standard deviation of x.1 is 0.5. What does `half` measure?",
      choose = { { "about 0.5", at_most = 0.55, say = "A chain that only changes the sign of x.1 keeps its absolute value, which is that of the start." },
                 { "far more than 0.5", at_least = 0.56 } },
      truth = { figure = "sd", arm = "half", of = 1 }, cover = { "mean" } },
    { reveal = "{truth}. But its mean is {mean half 1}, nearly exact, because each value is followed by its negative." },
    { ask = "x.2 is wider: these trajectories carry it to the other side of 0, but not as far as its mirror image. How many effective draws of x.2 does `half` have, of 64,000 draws?",
      choose = { { "more than 100,000", at_least = 100000 },
                 { "about 64,000", at_least = 45000, at_most = 80000, say = "That is the number for independent draws. Here the errors of neighbouring draws cancel." },
                 { "about 10,000", at_most = 30000, say = "A draw and the next one lie on opposite sides of the mean: their errors cancel." } },
      truth = { figure = "ess", arm = "half", of = 2 }, cover = { "ess", "mcse" } },
    { reveal = "{truth}: more than there are draws. The mean is better known than from independent draws. This says nothing about the standard deviation." },
    { say = "`jittered` varies the length of its trajectories: its standard deviation of x.1 is {sd jittered 1}.", arm = "jittered" },
    { say = "A high acceptance rate and an exact mean can hide a chain that does not mix: look at a second figure. Choose a length: `chainscope exercise 62`." },
  },

  claims = {
    { arm = "period", stat = "acceptance", at_least = 0.99 },
    { arm = "period", stat = "rhat", of = 1, at_least = 3 },
    { arm = "half", stat = "sd", of = 1, at_least = 0.7, note = "the exact value is 0.5" },
    { arm = "jittered", stat = "sd", of = 1, near = 0.5, within = 0.018 },
  },
}
