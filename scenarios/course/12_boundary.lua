-- A proposal that falls where the density is zero: four ways to deal with it.
--
-- The target is the exponential density, which is zero below 0. A proposal below 0 can be
-- rejected, drawn again until it is above 0, moved to the border, or reflected. Not all of
-- these ways sample the target.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

-- An answer that is right if the mean of the arm is that of the target.
local function right(name, say) return { name, at_least = 0.8, at_most = 1.09, say = say } end

local function above(propose)
  return cs.kernel { propose = propose }
end

return cs.scenario {
  title  = "At the wall",
  shows  = "Four ways to treat a proposal outside of the support",
  tags   = "course week-1 minutes-10",
  exercise = "exercises/12_boundary.lua",

  target = cs.target {
    space = cs.real(1),
    log_density = function(x) return cs.math.where(cs.math.lt(0, x[1]), -x[1], -1 / 0) end,
  },
  chains = 16, seed = 1,
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
  budget = { steps = 6000 },
  warmup = 0,
  screen = { "lesson", { "marginal", quantity = "x.1", arm = "reject" }, { "trace", quantity = "x.1" } },

  course = {
    { say = "The target is the density p(x) = exp(-x) for x > 0, with a wall at 0: below 0 the density is zero. A walker at x proposes y = x + z, with a standard normal z. The walker is at 0.5, and z is -0.8: the proposal is -0.3, where the density is zero." },
    { say = "Four arms: `reject` stays at 0.5. `redrawn` draws z again until the proposal is above 0. `clipped` proposes 0.01. `reflected` changes the sign and proposes 0.3. All of them then accept a proposal y with probability min(1, p(y) / p(x)), without q." },
    { ask = "Which of the four are right, that is, have the mean 1 of the target at the end?", several = true,
      choose = { right("reject", "The density below 0 is zero, so r is zero for a proposal there, and `reject` stays."),
                 right("redrawn", "Near the wall, `redrawn` proposes moves away from the wall with a higher density q than their reverse moves, and r does not contain q."),
                 right("clipped", "A large share of the draws is exactly 0.01, and these draws make the mean smaller."),
                 right("reflected", "For `reflected`, q is the same in both directions, so it cancels in r.") },
      truth = { figure = "mean", of = 1, at = "end" } },
    { run = 1000, speed = 200, say = "All arms run; the histogram shows the draws of `reject`." },
    { reveal = "The means at the end: {truth}." },
    { ask = "Which acceptance rate is the largest in the end?", choose = { "reject", "redrawn", "clipped", "reflected" },
      truth = { largest = "acceptance", at = "end" },
      wrong = "Near the wall, every move of `clipped` goes to a place where p is larger than almost anywhere." },
    { reveal = "{truth}. A high acceptance rate does not show that the draws are right." },
    { say = "The mean of `redrawn` is too large. Drawing again makes q larger for a move away from the wall than for the reverse move, and r does not contain q.", arm = "redrawn" },
    { ask = "`clipped` puts proposals below 0 at 0.01. Which share of the draws of `clipped` is exactly 0.01 at the end?",
      choose = { { "none", at_most = 0.02, say = "The point is at the wall, where p is larger than almost anywhere: the walker stays there." },
                 { "about a tenth", at_least = 0.05, at_most = 0.16, say = "Each proposal below 0 leads to this point, and it is almost always accepted." },
                 { "more than a quarter", at_least = 0.25 } },
      truth = { figure = "probability", arm = "clipped", of = "x[1] <= 0.01", at = "end" } },
    { run = 5000, say = "All arms run to the end; the histogram shows the draws of `clipped`.", arm = "clipped", point = { word = "the wall", value = 0.01 } },
    { reveal = "{truth}: a large share of the draws is exactly 0.01, and these draws make the mean smaller. The target is a density, so the probability of any single number is zero." },
    { say = "For `reflected`, q is the same in both directions, so it cancels in r: the mean is {mean reflected 1}. For `reject`, q is the same too: the mean is {mean reject 1}. `reject` accepts less ({acceptance reject}, compared with {acceptance reflected}), and its draws are right all the same.", arm = "reflected" },
    { say = "Where the density is zero, reject the proposal, and count the present state as a draw once more. Exercise 12 repairs `redrawn`: chainscope exercise 12 --text" },
  },

  claims = {
    { arm = "reject", stat = "mean", of = 1, exact = 1, within = 0.11 },
    { arm = "reflected", stat = "mean", of = 1, exact = 1, within = 0.11 },
    { arm = "redrawn", stat = "mean", of = 1, near = 1.18, within = 0.13, note = "it samples p(x) Phi(x)" },
    { arm = "clipped", stat = "mean", of = 1, at_most = 0.7 },
  },
}
