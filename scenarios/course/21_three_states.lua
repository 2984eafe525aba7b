-- Three islands with 1, 2 and 3 thousand people: how often is the traveller on each?
--
-- The traveller asks a neighbouring island at random, and goes there with the probability that
-- the ratio of the people gives. In the end the shares of his days stand still, and he does not.
-- `dropped` draws again until a move is accepted: it never writes down a day on which he stays.
--
-- Enter and backspace go through the lesson; a digit answers a question.
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

return cs.scenario {
  title  = "Three islands",
  shows  = "Equal flows both ways, and the shares stand still while the traveller does not",
  tags   = "course week-2 minutes-6",

  target = cs.target {
    space = cs.ordinal(1, 1, 3),
    log_density = function(x) return cs.math.log(x[1]) end,
  },
  chains = 16, seed = 1,
  start  = { 1 },
  arms   = {
    line    = matrix { { 1 / 2, 1 / 2, 0 }, { 1 / 4, 1 / 4, 1 / 2 }, { 0, 1 / 3, 2 / 3 } },
    dropped = matrix { { 0, 1, 0 }, { 1 / 3, 0, 2 / 3 }, { 0, 1, 0 } },
  },
  budget = { steps = 5000 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "line" }, "transitions", "summary" },

  course = {
    { say = "Three islands have 1, 2 and 3 thousand people." },
    { say = "The traveller asks his left or his right neighbour, half of the time each. He goes to a larger island always, and to a smaller one with the ratio of the people. Otherwise he stays." },
    { ask = "Which share of his days does he spend on island 3 in the end?", within = 0.03,
      truth = { figure = "probability", arm = "line", of = "x[1] > 2.5", at = "end" },
      wrong = "His days are in proportion to the people: 3 of 6." },
    { run = 20, speed = 4, say = "Twenty days of sixteen travellers." },
    { run = 980, speed = 400, say = "A thousand days." },
    { reveal = "{truth}: three of six." },
    { ask = "Does he still move, now that the shares stand still? The share of days on which he changes the island:",
      choose = { { "none", at_most = 0.05, say = "The shares stand still because equally many go each way between any two islands, not because the moves have stopped." },
                 { "about half", at_least = 0.35, at_most = 0.65 },
                 { "nearly all", at_least = 0.9, say = "He stays whenever his neighbour is refused, or is the sea." } },
      truth = { figure = "moved", arm = "line", at = "end" } },
    { reveal = "{truth}: equal flows both ways." },
    { ask = "`dropped` writes down only the days on which a move is accepted. The mean of the islands, where 2.33 is right?",
      choose = { { "2.33", at_least = 2.29, at_most = 2.4, say = "A day on which he stays is a day on the island: who leaves it out counts large islands too seldom." },
                 { "less", at_most = 2.22 }, { "more", at_least = 2.45, say = "From each other island, every move leads to island 2." } },
      truth = { figure = "mean", arm = "dropped", of = 1, at = "end" } },
    { run = 4000, say = "To the end of the run.", arm = "dropped" },
    { reveal = "{truth}: half of the days are on island 2. A refused step is an entry of the record." },
    { say = "Equal flows both ways, and the shares stand still while the traveller does not." },
  },

  claims = {
    { arm = "line", stat = "probability", of = "x[1] > 2.5", near = 0.5, within = 0.02 },
    { arm = "dropped", stat = "mean", of = 1, near = 2.17, within = 0.05, note = "the exact value is 2.33" },
    { arm = "line", stat = "moved", near = 0.5, within = 0.05 },
  },
}
