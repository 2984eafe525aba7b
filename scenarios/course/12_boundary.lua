-- A proposal that falls where the density is zero: four ways to deal with it.
--
-- The target is the exponential density, which is zero below 0. A proposal below 0 can be
-- rejected, drawn again until it is above 0, moved to the border, or reflected. Two of
-- these ways sample the target, and the other two do not.
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
  shows  = "Outside the support the density is zero: reject, and count the state again",
  tags   = "course week-1 minutes-6",
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
    { say = "A walker on the positive numbers adds a standard normal number to its position. It is at 0.5, and the proposal is -0.3. What should it do?" },
    { say = "Four walkers: `reject` stays, `redrawn` draws again until the proposal is above 0, `clipped` proposes 0.01, `reflected` changes the sign. Each proposal is then accepted with probability min(1, p(proposal) / p(state))." },
    { ask = "Which of the four are right, that is, have the mean 1 of the target in the end?", several = true,
      choose = { right("reject", "The density outside is zero, so a proposal there is rejected: this is the accept step itself."),
                 right("redrawn", "Drawing again changes the density of the proposals near the wall."),
                 right("clipped", "All proposals from below 0 meet in one point."),
                 right("reflected", "A reflected step and its reverse have the same density.") },
      truth = { figure = "mean", of = 1, at = "end" } },
    { run = 1000, speed = 200, say = "Watch what the walkers do near the wall." },
    { reveal = "The means in the end: {truth}." },
    { ask = "Which acceptance rate is the largest in the end?", choose = { "reject", "redrawn", "clipped", "reflected" },
      truth = { largest = "acceptance", at = "end" },
      wrong = "Near the wall, every move of `clipped` goes to a place where p is larger than almost anywhere." },
    { reveal = "{truth}. A high acceptance rate does not show that the draws are right." },
    { say = "`redrawn` has too large a mean: drawing again makes moves away from the wall more likely than moves towards it, and the accept step does not correct this.", arm = "redrawn" },
    { ask = "`clipped` puts proposals below 0 at 0.01. Which share of its draws is exactly there in the end?",
      choose = { { "none", at_most = 0.02, say = "The point is at the wall, where p is larger than almost anywhere: the walker stays there." },
                 { "about a tenth", at_least = 0.05, at_most = 0.16, say = "Each proposal below 0 leads to this point, and it is almost always accepted." },
                 { "more than a quarter", at_least = 0.25 } },
      truth = { figure = "probability", arm = "clipped", of = "x[1] <= 0.01", at = "end" } },
    { run = 5000, say = "To the end of the run.", arm = "clipped", point = { word = "the wall", value = 0.01 } },
    { reveal = "{truth}: a large share of the draws is exactly 0.01. The target has a density, in which a single point has no probability." },
    { say = "A reflected step and its reverse have the same density, so `reflected` needs no correction: its mean is {mean reflected 1}. `reject` accepts less ({acceptance reject}, against {acceptance reflected}), and is right too: its mean is {mean reject 1}.", arm = "reflected" },
    { say = "Outside the support the density is zero: reject, and count the state again. Your turn: `chainscope exercise 12`." },
  },

  claims = {
    { arm = "reject", stat = "mean", of = 1, exact = 1, within = 0.11 },
    { arm = "reflected", stat = "mean", of = 1, exact = 1, within = 0.11 },
    { arm = "redrawn", stat = "mean", of = 1, near = 1.18, within = 0.13, note = "it samples p(x) Phi(x)" },
    { arm = "clipped", stat = "mean", of = 1, at_most = 0.7 },
  },
}
