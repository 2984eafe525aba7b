-- Three islands with 1, 2 and 3 thousand people: how often is the traveller on each?
--
-- The traveller proposes a neighbouring island at random, and goes there with probability
-- min(1, ratio of the populations). The shares of his days on each island become constant,
-- although he still moves.
-- `dropped` draws again until a move is accepted: it never writes down a day on which he stays.
--
-- Enter and backspace go through the lesson; a digit answers a question.
-- Its exercise: chainscope exercise 21
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
  shows  = "A matrix of moves, and the shares that it keeps",
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

  exercise = "exercises/21_three_states.lua",

  course = {
    { say = "Three islands have 1, 2 and 3 thousand people." },
    { say = "Each day the traveller, the arm `line`, proposes the left or the right neighbour with probability 1/2. He always goes to a larger island, and to a smaller one with a probability that is the ratio of its people to those of his island. Otherwise, or if there is no such neighbour, he stays." },
    { ask = "What share of his days, from 0 to 1, has he spent on island 3 in the end?", within = 0.03,
      truth = { figure = "probability", arm = "line", of = "x[1] > 2.5", at = "end" },
      wrong = "His days are in proportion to the people: 3 of 6." },
    { run = 20, speed = 4, say = "Twenty days of sixteen travellers." },
    { run = 980, speed = 400, say = "A thousand days." },
    { reveal = "{truth}: island 3 has three of the six thousand people." },
    { ask = "Does he still move, now that the shares hardly change? On what share of days does he change the island?",
      choose = { { "none", at_most = 0.05, say = "The shares are constant because moves are as frequent as the moves back (panel `transitions`), not because they have stopped." },
                 { "about half", at_least = 0.35, at_most = 0.65 },
                 { "nearly all", at_least = 0.9, say = "He stays whenever a move is rejected, or there is no neighbour on that side." } },
      truth = { figure = "moved", arm = "line", at = "end" } },
    { reveal = "{truth}: he moves as often from island 1 to 2 as back, and from 2 to 3 as back." },
    { ask = "`dropped` writes down only the days on which a move is accepted. What is the mean of the island number, where 2.33 is right?",
      choose = { { "2.33", at_least = 2.29, at_most = 2.4, say = "He stays most often on island 3. Without these days, it is counted too seldom." },
                 { "less", at_most = 2.22 }, { "more", at_least = 2.45, say = "From island 1 and from island 3, every move leads to island 2." } },
      truth = { figure = "mean", arm = "dropped", of = 1, at = "end" } },
    { run = 4000, say = "To the end of the run.", arm = "dropped" },
    { reveal = "{truth}: half of the days are on island 2. A rejected step repeats the state, and the repetition counts as a draw." },
    { say = "Detailed balance: equal flows in both directions keep the shares constant, while the traveller moves on. Your turn: `chainscope exercise 21`." },
  },

  claims = {
    { arm = "line", stat = "probability", of = "x[1] > 2.5", near = 0.5, within = 0.018 },
    { arm = "dropped", stat = "mean", of = 1, near = 13 / 6, within = 0.012, note = "the exact value is 2.33" },
    { arm = "line", stat = "moved", near = 0.5, within = 0.011 },
  },
}
