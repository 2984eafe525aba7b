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
  shows  = "A proposal that is symmetric in log x, and what the ratio must contain",
  tags   = "course week-1 minutes-12",
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
    { say = "A walker moves over the numbers x > 0. It should visit them with the density p(x) = x^2 exp(-x) / 2, which is called the target and has the mean 3." },
    { say = "In each step the walker is at x and proposes y = x exp(0.8 z), with a standard normal z. It accepts y and moves there, or it rejects y and stays at x. Half of all proposals go up, and half go down." },
    { say = "Let q(y | x) be the density of the proposal y from the state x. Metropolis and Hastings accept y with probability min(1, r), where r is p(y) q(x | y) divided by p(x) q(y | x). The second q belongs to the reverse move, from y to x." },
    { run = 1, show = { "lesson", "state" }, arm = "right",
      say = "One step of the arm `right`, which uses this r. An arm is a sampler with its own chains (walkers). The panel `state` shows the step of chain 1: the log of r (`log a`), and a uniform random number u. If u is below r, y is accepted." },
    { show = { "lesson", { "marginal", quantity = "x.1", arm = "right" }, { "trace", quantity = "x.1" }, "state" },
      say = "A factor of 2 leads up from 3 to 6, or down from 3 to 1.5: the same probability is spread over 3 units above, and over 1.5 units below. So q is larger below: q(x | y) / q(y | x) is y / x, not 1." },
    { ask = "The arm `forgotten` leaves q out: its r is p(y) / p(x). Where will the mean of `forgotten` be?",
      choose = { { "below the mean of `right`", at_most = -0.2 },
                 { "at the mean of `right`", at_least = -0.2, at_most = 0.2, say = "Up and down are equally likely, but q is larger for a move down than for the reverse move: the histogram leans to 0." },
                 { "above the mean of `right`", at_least = 0.2, say = "q is larger below, and r does not correct this: the walker is there too often, as the histogram shows." } },
      truth = { figure = "mean", arm = "forgotten", of = 1, less_than = "right", at = "end" } },
    { run = 2000, speed = 500, say = "All arms run; the histogram shows the draws (the states after each step) of `forgotten`.", arm = "forgotten" },
    { reveal = "The mean of `forgotten` minus the mean of `right` is {truth}, so the mean of `forgotten` is too low." },
    { say = "The arm `backwards` exchanges the two q: its r is p(y) q(y | x) divided by p(x) q(x | y). The acceptance rate of an arm is the share of its proposals that are accepted." },
    { ask = "Put the three arms in order of their acceptance rate at the end, the largest first.",
      order = { "right", "forgotten", "backwards" }, truth = { largest = "acceptance", at = "end" },
      wrong = "A high acceptance rate does not mean that the draws are right." },
    { reveal = "Acceptance rates: {truth}. The arm whose draws are most wrong accepts most.", arm = "backwards" },
    { ask = "If the target were p(x) / x, the correct r would be p(y) / p(x), because y / x cancels. So `forgotten` samples a density proportional to x exp(-x). What is the mean of `forgotten`?", within = 0.15,
      truth = { figure = "mean", arm = "forgotten", of = 1, at = "end" },
      wrong = "The mean is the integral of x^2 exp(-x) divided by the integral of x exp(-x). The integral of x^n exp(-x) is n!." },
    { run = 7999, say = "All arms run to the end.", arm = "forgotten" },
    { reveal = "{truth} by `forgotten`. In the same way, `backwards` samples p(x) / x^2: its mean is {mean backwards 1}. The accept step corrects only what r contains." },
    { say = "The ratio needs the density of the reverse move. In a scenario, the function log_q returns log q(y | x). Exercise 11 asks you to write one: chainscope exercise 11 --text" },
  },

  claims = {
    { arm = "right", stat = "mean", of = 1, exact = 3, within = 0.2 },
    { arm = "forgotten", stat = "mean", of = 1, near = 2, within = 0.15, note = "it samples p(x) / x" },
    { arm = "backwards", stat = "mean", of = 1, near = 1, within = 0.15, note = "it samples p(x) / x^2" },
  },
}
