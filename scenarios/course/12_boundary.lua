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
  tags   = "course week-1 minutes-6",

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
    { say = "A walker on the positive numbers adds a standard normal number to its position. It is at 0.5, and the proposal is -0.3. What should it do?" },
    { say = "Four walkers: `reject` stays, `redrawn` draws again until the proposal is above 0, `clipped` proposes 0.01, `reflected` changes the sign. Each proposal is then accepted with probability min(1, p(proposal) / p(state))." },
    { ask = "Which acceptance rate is the largest in the end?", choose = { "reject", "redrawn", "clipped", "reflected" },
      truth = { largest = "acceptance", at = "end" },
      wrong = "Near the wall, every move of `clipped` goes to a place where p is larger than almost anywhere." },
    { run = 2000, speed = 400, say = "Watch what the walkers do near the wall." },
    { reveal = "{truth}. A high acceptance rate does not show that the draws are right." },
    { ask = "The mean of the target is 1. Where is the mean of `redrawn` in the end?",
      choose = { { "below 1", at_most = 0.93, say = "Near the wall, most proposals of `redrawn` lead away from it." },
                 { "at 1", at_least = 0.93, at_most = 1.07, say = "Near the wall, moves away from it are proposed with a higher density than the reverse moves." },
                 { "above 1", at_least = 1.07 } },
      truth = { figure = "mean", arm = "redrawn", of = 1, at = "end" } },
    { reveal = "The mean is {truth}: drawing again makes moves away from the wall more likely than moves towards it, and the accept step does not correct this.", arm = "redrawn" },
    { ask = "`clipped` puts proposals below 0 at 0.01. Where is its mean in the end?",
      choose = { { "below 0.8", at_most = 0.8 }, { "between 0.8 and 1.2", at_least = 0.8, at_most = 1.2, say = "A single point gets a large share of the draws, and that point is at the wall." },
                 { "above 1.2", at_least = 1.2, say = "The walker is put at the wall, not moved away from it." } },
      truth = { figure = "mean", arm = "clipped", of = 1, at = "end" } },
    { run = 18000, say = "To the end of the run.", arm = "clipped", point = { word = "the wall", value = 0.01 } },
    { reveal = "{truth}: a large share of the draws is exactly 0.01. The target has a density, in which no single point has probability." },
    { say = "A reflected step and its reverse have the same density, so `reflected` needs no correction: its mean is {mean reflected 1}. `reject` accepts less ({acceptance reject}, against {acceptance reflected}), and is right too: its mean is {mean reject 1}.", arm = "reflected" },
    { say = "Outside the support the density is zero: reject, and count the state again." },
  },

  claims = {
    { arm = "reject", stat = "mean", of = 1, exact = 1, within = 0.11 },
    { arm = "reflected", stat = "mean", of = 1, exact = 1, within = 0.11 },
    { arm = "redrawn", stat = "mean", of = 1, near = 1.18, within = 0.13, note = "it samples p(x) Phi(x)" },
    { arm = "clipped", stat = "mean", of = 1, at_most = 0.7 },
  },
}
