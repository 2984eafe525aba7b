-- Lecture, week 9: informed moves on nine spins, and what their accept step needs.
--
-- `gibbs` redraws one spin per step. The other arms choose the spin that wants to turn most, with
-- weights exp(change of log p / 2), as `gwg` does. `always` takes every such move, `unweighted`
-- accepts it by the ratio of p only, and `informed` by the ratio of p and the sums of the weights.
-- `wolff` turns whole clusters; `dula` has no accept step.
--
-- Enter and backspace go through the lecture; a digit answers a question.
local cs = require "chainscope"

local target = cs.target.ising { rows = 3, cols = 3, beta = 0.2 }

-- The weights of turning each spin and their sum, for all 512 pictures.
local weights = {}

local function turned(x, k)
  local y = { table.unpack(x) }
  y[k] = 1 - y[k]
  return y
end

for n = 0, 511 do
  local x, w = {}, { sum = 0 }
  for i = 1, 9 do x[i] = n >> (i - 1) & 1 end
  local here = target:log_density(x)
  for i = 1, 9 do
    w[i] = math.exp((target:log_density(turned(x, i)) - here) / 2)
    w.sum = w.sum + w[i]
  end
  weights[n] = w
end

local function weights_of(x)
  local n = 0
  for i = 1, 9 do n = n | x[i] << (i - 1) end
  return weights[n]
end

-- Turns a spin that is drawn by its weight.
local function turn(x, draw)
  local w, k = weights_of(x), 1
  local u = draw:uniform() * w.sum
  while k < 9 and u >= w[k] do u, k = u - w[k], k + 1 end
  return turned(x, k)
end

local function log_q(from, to)
  local w = weights_of(from)
  for i = 1, 9 do
    if from[i] ~= to[i] then return math.log(w[i] / w.sum) end
  end
  return -math.huge
end

local function none() return 0 end

return cs.scenario {
  title  = "Lecture 9: nine spins",
  shows  = "State the work, keep the accept step, and check",
  source = "Grathwohl et al. 2021; Zhang, Liu and Liu 2022",
  tags   = "course week-9 minutes-12 lecture",

  target = target,
  chains = 16, seed = 9,
  arms   = {
    { name = "gibbs", kernel = cs.kernel.gibbs {} },
    { name = "always", kernel = cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw) return turn(x, draw) end } },
    { name = "unweighted", kernel = cs.kernel { propose = turn } },
    { name = "informed", kernel = cs.kernel { propose = turn, log_q = log_q } },
    { name = "gwg", kernel = cs.kernel.gwg {} },
    { name = "dula", kernel = cs.kernel.dula { step = 0.2 } },
    { name = "wolff", kernel = cs.kernel.wolff {} },
  },
  budget = { steps = 3000 },
  warmup = 0,
  screen = { "lesson", "picture", "visits" },

  course = {
    { say = "First a question from week 1: a proposal prefers some states. What must the accept step know? Nine spins, 512 pictures; neighbours tend to be equal." },
    { run = 20, speed = 4, say = "Twenty steps of `gibbs`: it redraws one spin per step. Will the next spin turn, if three of its four neighbours disagree with it?", arm = "gibbs" },
    { say = "`gibbs` draws the spin blindly. Could we know which one wants to turn? For each spin compute by how much log p would change, and draw a spin with the weight exp(change / 2): an informed move.", arm = "always" },
    { ask = "`always` takes every informed move. Its total variation distance (tv) from the exact shares of the 512 states, divided by that of `informed`, which accepts or rejects correctly?",
      choose = { { "1 or less", at_most = 1, say = "A picture that many informed moves lead to is visited too often, and nothing rejects these moves." },
                 { "above 1", at_least = 1 } },
      truth = { figure = "tv", arm = "always", ratio_to = "informed", at = "end" }, cover = { "ks" } },
    { run = 980, speed = 500, say = "A thousand steps." },
    { reveal = "{truth}: moves without an accept step sample something else." },
    { ask = "`unweighted` accepts by the ratio of p only. Is it better than never rejecting? Its tv, divided by that of `always`?",
      choose = { { "below 0.5", at_most = 0.5, say = "It has an accept step, but not the right ratio." },
                 { "about 1", at_least = 0.8, at_most = 1.25, say = "It prefers likely pictures twice: by its proposals, and by its ratio." },
                 { "above 2", at_least = 2 } },
      truth = { figure = "tv", arm = "unweighted", ratio_to = "always", at = "end" }, cover = { "ks" } },
    { reveal = "{truth}: worse than no accept step at all. It prefers likely pictures twice: by its proposals, and by its ratio.", arm = "unweighted" },
    { say = "With the sums of the weights in the ratio, `informed` is right: tv {tv informed}. The kernel `gwg` does the same with a gradient." , arm = "informed" },
    { ask = "Put three exact kernels in order of their effective draws of x.1.1 after the same number of steps, the most first.",
      order = { "gibbs", "gwg", "wolff" }, truth = { largest = "ess", of = 1, at = "end" },
      wrong = "`wolff` turns a whole cluster in a step, `gwg` the spin that wants to turn, `gibbs` any spin." },
    { run = 2000, say = "To the end of the run.", arm = "wolff" },
    { reveal = "{truth}." },
    { ask = "A gradient reads nine spins, a step of `gibbs` the neighbours of one. Effective draws per evaluation of log p: `gwg` divided by `gibbs`?",
      choose = { { "below 0.8", at_most = 0.8 }, { "above 1.25", at_least = 1.25, say = "That was for equally many steps. Divide by the work." } },
      truth = { figure = "ess_per_work", arm = "gwg", of = 1, ratio_to = "gibbs" }, cover = { "ess" } },
    { reveal = "{truth}: the order turns round when the work is counted." },
    { ask = "`wolff` never rejects either. Is it exact? Its tv, divided by that of `dula`, which has no accept step?",
      choose = { { "below 0.7: closer", at_most = 0.7 },
                 { "about 1", at_least = 0.8, at_most = 1.25, say = "`wolff` chooses its clusters such that its ratio is always 1. `dula` leaves the ratio out." },
                 { "above 1.4", at_least = 1.4, say = "`wolff` chooses its clusters such that its ratio is always 1." } },
      truth = { figure = "tv", arm = "wolff", ratio_to = "dula" }, cover = { "ks" } },
    { reveal = "{truth}. `wolff` has tv {tv wolff}, `dula` {tv dula}. Lesson 92 asks what `dula` and its kin prefer." },
    { say = "State the work, keep the accept step, and check." },
  },

  claims = {
    { arm = "always", stat = "tv", ratio_to = "informed", at_least = 1.2 },
    { arm = "unweighted", stat = "tv", ratio_to = "always", at_least = 2 },
    { arm = "gwg", stat = "ess_per_work", of = 1, ratio_to = "gibbs", at_most = 0.8 },
  },
}
