-- A proposal that multiplies: up and down are equally likely, and yet it prefers down.
--
-- The walker on x > 0 proposes x exp(0.8 z). This is symmetric in log x, but not in x: near 0
-- the same factor covers a shorter interval, so the density of a proposal is higher there.
-- The function `log_q` gives this density to the accept step. The arm `right` has it,
-- `forgotten` has not, and `backwards` has it with its arguments exchanged.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local scale = 0.8

local function propose(x, draw)
  return { x[1] * math.exp(scale * draw:normal()) }
end

-- The log density of a proposal `to` from the state `from`, without constants.
local function log_q(from, to)
  return -0.5 * ((math.log(to[1]) - math.log(from[1])) / scale)^2 - math.log(to[1])
end

return cs.scenario {
  title  = "A proposal that prefers down",
  shows  = "The ratio needs the density of the reverse move",
  tags   = "course week-1 minutes-7",
  exercise = "exercises/11_asymmetric.lua",

  target = cs.target {
    space = cs.real(1),
    log_density = function(x) return cs.math.where(cs.math.lt(0, x[1]), 2 * cs.math.log(x[1]) - x[1], -1 / 0) end,
  },
  chains = 4, seed = 1,
  start  = { { 3 }, { 1 }, { 6 }, { 2 } },
  arms   = {
    right     = cs.kernel { propose = propose, log_q = log_q },
    forgotten = cs.kernel { propose = propose },
    backwards = cs.kernel { propose = propose, log_q = function(from, to) return log_q(to, from) end },
  },
  budget = { steps = 10000 },
  warmup = 0,
  screen = { "lesson", { "marginal", quantity = "x.1", arm = "right" }, { "trace", quantity = "x.1" }, "state" },

  course = {
    { say = "A walker on x > 0 multiplies its position by exp(0.8 z), with a standard normal z. Up and down are equally likely. Is this proposal symmetric?" },
    { run = 1, say = "One step of `right`. The panel `state` shows the proposal, and its density in both directions: from the state to the proposal, and back." },
    { say = "Half of all proposals go down. But the same factor covers a shorter interval below the state than above it, so the density of the proposals is higher below." },
    { ask = "`forgotten` accepts by the ratio of p only. How does its mean compare with that of `right`?",
      choose = { { "too low", at_most = -0.2 },
                 { "right", at_least = -0.2, at_most = 0.2, say = "A proposal that is symmetric in log x is not symmetric in x: the density of a move down is higher than that of the reverse move." },
                 { "too high", at_least = 0.2, say = "The density of the proposals is higher below, and the accept step does not correct this: the walker is there too often." } },
      truth = { figure = "mean", arm = "forgotten", of = 1, less_than = "right", at = "end" } },
    { run = 2000, speed = 500, say = "The walkers run.", arm = "forgotten" },
    { reveal = "The mean of `forgotten` minus that of `right` is {truth}: it is too low." },
    { ask = "`backwards` has log_q with its two arguments exchanged. Put the three arms in order of their acceptance rate at the end, the largest first.",
      order = { "right", "forgotten", "backwards" }, truth = { largest = "acceptance", at = "end" },
      wrong = "A high acceptance rate does not mean that the draws are right." },
    { reveal = "{truth}: the walker that is most wrong accepts most.", arm = "backwards" },
    { ask = "The mean of the target is 3. What is the mean of `forgotten` at the end?", within = 0.15,
      truth = { figure = "mean", arm = "forgotten", of = 1, at = "end" },
      wrong = "It samples p(x) divided by x, another gamma density: its exponent is lower by one." },
    { run = 7999, say = "To the end of the run.", arm = "forgotten" },
    { reveal = "{truth}. The accept step corrects only the asymmetry that log_q describes. `forgotten` samples p(x) / x; `backwards`, with mean {mean backwards 1}, samples p(x) / x^2." },
    { say = "The ratio needs the density of the reverse move. Your turn: `chainscope exercise 11`." },
  },

  claims = {
    { arm = "right", stat = "mean", of = 1, exact = 3, within = 0.2 },
    { arm = "forgotten", stat = "mean", of = 1, near = 2, within = 0.15, note = "it samples p(x) / x" },
    { arm = "backwards", stat = "mean", of = 1, near = 1, within = 0.15, note = "it samples p(x) / x^2" },
  },
}
