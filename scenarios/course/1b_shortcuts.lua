-- Lecture, week 1, second part: three shortcuts that look harmless and are wrong.
--
-- The target is the gamma(2) density x exp(-x) on x > 0. `right` proposes x + 1.5 z and rejects
-- proposals below 0. `dropped` draws again until a move is accepted, so it never records a rejection.
-- `redrawn` draws again until the proposal is above 0. `forgotten` proposes x exp(0.8 z), and
-- does not correct for the density of the proposals.
--
-- Enter and backspace go through the lecture; a digit answers a question.
local cs = require "chainscope"
local log = math.log

local function log_p(x) return x > 0 and log(x) - x or -math.huge end

-- Draws again until a proposal is accepted. With this log_q the ratio of the accept step is 1.
local function until_accepted(x, draw)
  while true do
    local y = x[1] + 1.5 * draw:normal()
    if log(draw:uniform()) < log_p(y) - log_p(x[1]) then return { y } end
  end
end

local function until_positive(x, draw)
  local y = -1
  while y <= 0 do y = x[1] + 1.5 * draw:normal() end
  return { y }
end

return cs.scenario {
  title  = "Lecture 1, second part: three shortcuts",
  shows  = "Three shortcuts, and the means that they give",
  tags   = "course week-1 minutes-6 lecture",

  target = cs.target {
    space = cs.real(1),
    log_density = function(x) return cs.math.where(cs.math.lt(0, x[1]), cs.math.log(x[1]) - x[1], -1 / 0) end,
  },
  chains = 16, seed = 1,
  start  = { { 3 }, { 1 }, { 0.5 }, { 2 } },
  arms   = {
    right     = cs.kernel.random_walk { step = 1.5 },
    dropped   = cs.kernel { propose = until_accepted, log_q = function(_, to) return log_p(to[1]) end },
    redrawn   = cs.kernel { propose = until_positive },
    forgotten = cs.kernel { propose = function(x, draw) return { x[1] * math.exp(0.8 * draw:normal()) } end },
  },
  budget = { steps = 6000 },
  warmup = 0,
  screen = { "lesson", { "marginal", quantity = "x.1", arm = "right" } },

  course = {
    { say = "The density is x exp(-x) for x above 0, with mean 2. `right` proposes x + 1.5 z, with a standard normal z, and is rejected whenever that is below 0." },
    { ask = "`dropped` does not record rejections: it draws again until a proposal is accepted. Is its mean right in the end?",
      choose = { { "too high", at_least = 0.05 },
                 { "right", at_least = -0.05, at_most = 0.05, say = "The places where it would have stayed are counted too seldom." },
                 { "too low", at_most = -0.05, say = "Rejections are most frequent near 0, where nearly half of the proposals are below 0. Without these draws, low places are counted too seldom." } },
      truth = { figure = "mean", arm = "dropped", of = 1, less_than = "right", at = "end" } },
    { run = 1000, speed = 500, say = "The walkers run.", arm = "dropped" },
    { reveal = "The mean of `dropped` minus that of `right` is {truth}. A rejection is a draw." },
    { ask = "`redrawn` draws again until the proposal is above 0, and then accepts or rejects as usual. Its mean?",
      choose = { { "too low", at_most = -0.05, say = "Near 0 all of its proposals lead into the support, most of them up." },
                 { "right", at_least = -0.05, at_most = 0.05, say = "Near 0 a move up is proposed with a higher density than the reverse move." },
                 { "too high", at_least = 0.05 } },
      truth = { figure = "mean", arm = "redrawn", of = 1, less_than = "right", at = "end" } },
    { run = 1000, say = "The walkers run.", arm = "redrawn" },
    { reveal = "The difference is {truth}. Outside the support the density is zero: reject, and count the state again." },
    { ask = "`forgotten` proposes x exp(0.8 z): up and down are equally likely. What is its mean in the end?",
      choose = { 1, 2, 3 }, truth = { figure = "mean", arm = "forgotten", of = 1, at = "end" },
      wrong = "The same factor covers a shorter interval below x than above it, so the density of the proposals is higher below." },
    { run = 4000, say = "To the end.", arm = "forgotten" },
    { reveal = "{truth}: it samples p(x) / x. The ratio needs the density of the proposal in both directions." },
    { say = "Rejections count. And a move easier in one direction needs `log_q`: the exercise of this week, `chainscope exercise 11`. `check` is the judge." },
  },

  claims = {
    { arm = "right", stat = "mean", of = 1, exact = 2, within = 0.1 },
    { arm = "dropped", stat = "mean", of = 1, at_least = 2.1 },
    { arm = "redrawn", stat = "mean", of = 1, at_least = 2.1 },
    { arm = "forgotten", stat = "mean", of = 1, near = 1, within = 0.1, note = "it samples p(x) / x" },
  },
}
