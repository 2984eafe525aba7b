-- Can a chain be right although more go from island 1 to island 2 than back?
--
-- Three islands with 1, 2 and 3 thousand people. `line` has equal flows both ways between
-- any two islands (detailed balance). In `circle` more go round one way than the other, and
-- in `ferry` two of five go from island 2 to island 1.
--
-- Enter and backspace go through the lesson; a digit answers a question.
-- Its exercise: chainscope exercise 22
local cs = require "chainscope"

-- A kernel that moves by the rows of a matrix of probabilities. With this log_q the ratio of the
-- accept step is always 1, so each move is made.
local function matrix(rows)
  return cs.kernel {
    propose = function(x, draw)
      local u, row = draw:uniform(), rows[x[1]]
      for to = 1, 2 do
        if u < row[to] then return { to } end
        u = u - row[to]
      end
      return { 3 }
    end,
    log_q = function(_, to) return math.log(to[1]) end,
  }
end

-- Returns a measure: the share of the steps of each chain that go from one island to another.
local function flow(from, to)
  return function(arm)
    local out = {}
    for c = 1, #arm.chains do
      local rows, n = arm:chain(c):draws(), 0
      for k = 2, #rows do n = n + (rows[k - 1][1] == from and rows[k][1] == to and 1 or 0) end
      out[c] = n / (#rows - 1)
    end
    return out
  end
end

return cs.scenario {
  title  = "Round and round",
  shows  = "Flows between three islands, and the shares that they keep",
  tags   = "course week-2 minutes-6",

  target = cs.target {
    space = cs.ordinal(1, 1, 3),
    log_density = function(x) return cs.math.log(x[1]) end,
  },
  chains = 16, seed = 1,
  start  = { 1 },
  arms   = {
    { name = "line", kernel = matrix { { 1 / 2, 1 / 2, 0 }, { 1 / 4, 1 / 4, 1 / 2 }, { 0, 1 / 3, 2 / 3 } } },
    { name = "circle", kernel = matrix { { 0, 0.75, 0.25 }, { 0.125, 0.25, 0.625 }, { 0.25, 0.25, 0.5 } } },
    { name = "ferry", kernel = matrix { { 0, 0.5, 0.5 }, { 0.4, 0.4, 0.2 }, { 1 / 6, 1 / 3, 0.5 } } },
  },
  budget = { steps = 1000 },
  warmup = 0,
  screen = { "lesson", "state", { "trace", quantity = "x.1", arm = "circle" }, "summary" },

  exercise = "exercises/22_flow.lua",

  course = {
    { say = "Three islands with 1, 2 and 3 thousand people. On `line`, the flow from one island to another is equal to the flow back: detailed balance." },
    { say = "On `circle`, three of four go from island 1 to island 2, and only one of eight goes from 2 to 1. On `ferry`, half go from 1 to 2, and two of five from 2 to 1.", arm = "circle" },
    { say = "So on `circle` more go round one way than the other: from 1 to 2, from 2 to 3, and from 3 to 1. The traveller begins on island 1.", arm = "circle" },
    { ask = "Which of the three has shares of days that do not fit the people?",
      choose = { "line", "ferry", "circle" }, truth = { largest = "tv", at = "end" }, cover = { "mean", "ks", "kl" },
      wrong = "Count the arrivals and departures of each island. The flows need not be equal for each pair." },
    { run = 500, speed = 100, say = "Watch x.1 of `circle`.", arm = "circle" },
    { reveal = "Distance from the exact shares: {truth}. On `circle`, arrivals and departures are equal on each island." },
    { ask = "Effective draws of x.1: `circle` divided by `line`?",
      choose = { { "more than 2", at_least = 2 },
                 { "about 1", at_least = 0.9, at_most = 1.3, say = "Who goes round does not turn back: the trace of `circle` sees the islands in fewer steps." },
                 { "less than 0.8", at_most = 0.8, say = "Who goes round does not turn back: the trace of `circle` sees the islands in fewer steps." } },
      truth = { figure = "ess", arm = "circle", of = 1, ratio_to = "line", at = "end" } },
    { run = 500, say = "To the end of the run.", arm = "line" },
    { reveal = "{truth}: to go round is quicker than to and fro. `circle` has {ess circle 1} effective draws, of 16,000." },
    { ask = "A sixth (0.17) of the days belong to island 1. Which share does `ferry` spend there?",
      choose = { { "less than 0.14", at_most = 0.145, say = "From 2, two of five go to 1; with detailed balance it would be one of four." },
                 { "about 0.17", at_least = 0.155, at_most = 0.18, say = "At these shares, more arrive on island 1 than leave it." },
                 { "more than 0.2", at_least = 0.2 } },
      truth = { figure = "probability", arm = "ferry", of = "x[1] < 1.5" } },
    { reveal = "{truth}. More arrive on island 1 than leave it, until its share has grown. Detailed balance is enough, but not needed: inflow must equal outflow. Your turn: `chainscope exercise 22`.", arm = "ferry" },
  },

  claims = {
    { arm = "line", stat = "share of steps from 1 to 2", measure = flow(1, 2), near = 1 / 12, within = 0.0105 },
    { arm = "line", stat = "share of steps from 2 to 1", measure = flow(2, 1), near = 1 / 12, within = 0.0105 },
    { arm = "circle", stat = "share of steps from 1 to 2", measure = flow(1, 2), near = 1 / 8, within = 0.0135 },
    { arm = "circle", stat = "share of steps from 2 to 1", measure = flow(2, 1), near = 1 / 24, within = 0.008 },
    { arm = "circle", stat = "tv", at_most = 0.03 },
    { arm = "ferry", stat = "tv", at_least = 0.08 },
    { arm = "ferry", stat = "probability", of = "x[1] < 1.5", near = 0.222, within = 0.014 },
    { arm = "circle", stat = "ess", of = 1, ratio_to = "line", at_least = 2 },
  },
}
