-- A proposal that falls where the density is zero: four ways to deal with it.
--
-- The target is the exponential density, which is zero below 0. A proposal below 0 can be
-- rejected, drawn again until it is above 0, moved to the border, or reflected. Two of
-- these ways sample the target, and the other two do not.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local function above(propose)
  return cs.kernel { propose = propose }
end

return cs.scenario {
  title  = "At the wall",
  shows  = "Outside the support the density is zero: reject, and count the state again",
  tags   = "course week-1 minutes-10",

  target = cs.target {
    space = cs.real(1),
    log_density = function(x) return cs.math.where(cs.math.lt(0, x[1]), -x[1], -1 / 0) end,
  },
  chains = 4, seed = 1,
  start  = { { 3 }, { 1 }, { 0.5 }, { 2 } },
  arms   = {
    reject    = cs.kernel.random_walk { step = 1 },
    redrawn   = above(function(x, draw)
      local y = -1
      while y <= 0 do y = x[1] + draw:normal() end
      return { y }
    end),
    clipped   = above(function(x, draw) return { math.max(0.01, x[1] + draw:normal()) } end),
    reflected = above(function(x, draw) return { math.abs(x[1] + draw:normal()) } end),
  },
  budget = { steps = 20000 },
  warmup = 0,
  screen = { "lesson", { "marginal", quantity = "x.1", arm = "reject" }, { "trace", quantity = "x.1" } },

  course = {
    { say = "The target is the density p(x) = exp(-x) for x > 0, with a wall at 0: below 0 the density is zero. A walker at x proposes y = x + z, with a standard normal z. The walker is at 0.5, and z is -0.8: the proposal is -0.3, where the density is zero." },
    { say = "Four arms: `reject` stays at 0.5. `redrawn` draws z again until the proposal is above 0. `clipped` proposes 0.01. `reflected` changes the sign and proposes 0.3. All of them then accept a proposal y with probability min(1, p(y) / p(x)), without q." },
    { ask = "Which acceptance rate is the largest in the end?", choose = { "reject", "redrawn", "clipped", "reflected" },
      truth = { largest = "acceptance", at = "end" },
      wrong = "Near the wall, every move of `clipped` goes to a place where p is larger than almost anywhere." },
    { run = 2000, speed = 400, say = "All arms run; the histogram shows the draws of `reject`." },
    { reveal = "{truth}. A high acceptance rate does not show that the draws are right." },
    { ask = "The mean of the target is 1. Where is the mean of `redrawn` at the end?",
      choose = { { "below 1", at_most = 0.93, say = "Near the wall, most proposals of `redrawn` lead away from the wall, to larger numbers." },
                 { "at 1", at_least = 0.93, at_most = 1.07, say = "Near the wall, `redrawn` proposes moves away from the wall with a higher density q than their reverse moves, and r does not contain q." },
                 { "above 1", at_least = 1.07 } },
      truth = { figure = "mean", arm = "redrawn", of = 1, at = "end" } },
    { reveal = "The mean is {truth}. Drawing again makes q larger for a move away from the wall than for the reverse move, and r does not contain q.", arm = "redrawn" },
    { ask = "`clipped` puts proposals below 0 at 0.01. Where is the mean of `clipped` at the end?",
      choose = { { "below 0.8", at_most = 0.8 }, { "between 0.8 and 1.2", at_least = 0.8, at_most = 1.2, say = "A large share of the draws is exactly 0.01, and these draws make the mean smaller." },
                 { "above 1.2", at_least = 1.2, say = "`clipped` puts the walker next to the wall, where x is small." } },
      truth = { figure = "mean", arm = "clipped", of = 1, at = "end" } },
    { run = 18000, say = "All arms run to the end; the histogram shows the draws of `clipped`.", arm = "clipped", point = { word = "the wall", value = 0.01 } },
    { reveal = "The mean is {truth}, because a large share of the draws is exactly 0.01. The target is a density, so the probability of any single number is zero." },
    { say = "For `reflected`, q is the same in both directions, so it cancels in r: the mean is {mean reflected 1}. For `reject`, q is the same too: the mean is {mean reject 1}. `reject` accepts less ({acceptance reject}, compared with {acceptance reflected}), and its draws are right all the same.", arm = "reflected" },
    { say = "Where the density is zero, reject the proposal, and count the present state as a draw once more. Exercise 12 repairs `redrawn`: chainscope exercise 12 --text" },
  },

  claims = {
    { arm = "reject", stat = "mean", of = 1, exact = 1, within = 0.1 },
    { arm = "reflected", stat = "mean", of = 1, exact = 1, within = 0.1 },
    { arm = "redrawn", stat = "mean", of = 1, near = 1.18, within = 0.1, note = "it samples p(x) Phi(x)" },
    { arm = "clipped", stat = "mean", of = 1, at_most = 0.7 },
  },
}
