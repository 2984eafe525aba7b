-- Lecture, week 1: the first steps of a walk, one by one, with a vote before each decision.
--
-- The lecturer presses enter, and the class votes: first in silence, then after a minute of talk with
-- a neighbour. The key i shows the next proposal before it is decided; use it at the steps that
-- say so. The lecture `1b_shortcuts` continues with three shortcuts that are wrong.
--
-- Enter and backspace go through the lecture; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "Lecture 1: the first steps",
  shows  = "The steps of a random walk, one by one",
  source = "Metropolis et al. 1953",
  tags   = "course week-1 minutes-12 lecture",

  target = cs.target.gaussian { dim = 2 },
  chains = 8, seed = 1,
  arms   = { walk = cs.kernel.random_walk { step = 1.5 } },
  budget = { steps = 20000 },
  warmup = 0,
  screen = { "lesson", "map", "state" },

  course = {
    { say = "We want draws from this hill: many where it is high, few where it is low. But its height can only be measured point by point." },
    { say = "One step: look at a place nearby, the proposal, and compare its height with the height here. Press i to see the first proposal of chain 1 and the log of the ratio of the heights, `log r`." },
    { ask = "Is this proposal accepted?", choose = { "yes", "no" }, truth = "accepted",
      wrong = "A higher place is always accepted, a lower one with probability exp(log r)." },
    { run = 1, say = "The step is made." },
    { reveal = "Accepted: {truth}. The rule: a higher place is always accepted. A lower place is accepted with probability r, the ratio of the heights." },
    { run = 20, speed = 5, stop = "reject", say = "On to the next rejection of chain 1." },
    { ask = "The proposal was rejected. Which state is recorded for this step? Click on it in the map, or type its two coordinates.",
      place = { "x.1", "x.2" }, within = 0.1, truth = { state = 1, arm = "walk" }, cover = { "mean" },
      wrong = "A rejection is a decision to stay, and staying counts: the present place is recorded once more." },
    { reveal = "{truth}: the same place, once more. A series of rejections is a series of equal draws.", show = { "lesson", "map", { "trace", quantity = "x.1" } } },
    { ask = "Next, the chains move until a proposal of chain 1 is accepted. Will the accepted place be higher than the place before, or lower?",
      choose = { { "lower, log r below 0", at_most = 0 }, { "higher, log r above 0", at_least = 0 } },
      truth = { decision = "log_ratio" },
      wrong = "Both happen: a lower place is accepted with probability r." },
    { run = 40, speed = 5, stop = "accept", say = "On to the next acceptance of chain 1." },
    { reveal = "log r = {truth}. If no lower place were ever accepted, the walk would only climb, and stay at the top.", show = { "lesson", "map", "state" } },
    { say = "The coin of a step is a uniform number u. The panel `state` compares log u with log r: accepted if log u < log r. Press i again: is the next one likely?" },
    { ask = "Is the next proposal accepted?", choose = { "yes", "no" }, truth = "accepted",
      wrong = "Compare log u with log r in the panel `state`: a likely proposal can be rejected, and an unlikely one accepted." },
    { run = 1, say = "The step is made." },
    { reveal = "Accepted: {truth}." },
    { run = 200, speed = 20, say = "Two hundred steps. Where do the chains stay long?", show = { "lesson", "map", { "trace", quantity = "x.1" } } },
    { ask = "Which share of all proposals is accepted in the end?", choose = { 0.2, 0.4, 0.7 },
      truth = { figure = "acceptance", arm = "walk", at = "end" },
      wrong = "The step is one and a half standard deviations: often too far, and often not." },
    { run = 19700, say = "To the end.", show = { "lesson", "map", "acceptance" } },
    { reveal = "{truth}. And the record: x.1 has the mean {mean walk 1} and the standard deviation {sd walk 1}, where 0 and 1 are exact." },
    { say = "Accept or reject, and record the state either way." },
  },

  claims = {
    { arm = "walk", stat = "acceptance", near = 0.4, within = 0.01 },
    { arm = "walk", stat = "sd", of = 1, exact = 1, within = 0.05 },
  },
}
