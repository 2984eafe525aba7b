-- Chi: from few rows and many refusals to Metropolis.
--
-- A step of TunaMH draws C M + chi (C M)^2 rows in the mean: M is how far it would go,
-- C the sum of the rows' bounds for a move of length 1. C M follows from step and bounds,
-- 1034 here, of 1600 rows; chi is free, and what counts is chi C M. The larger
-- it is, the less do the rows that were kept differ from what is expected of them, and the
-- nearer is the ratio to that of Metropolis, which looks at all rows.
--
-- `least`, chi of next to nothing, draws 1034 rows and accepts 0.26 of its proposals. So
-- does `printed`, the paper's 1e-5, for chi C M is 0.01. `thousandth`, where chi C M
-- is 1, draws twice the rows and accepts 0.45; `hundredth` seven times as many
-- as there are rows, and accepts 0.58, as good as Metropolis's 0.59. `default`, 0.1, draws
-- 109,000 rows, 68 times the table, and accepts no more: where C M is in the hundreds
-- give a chi near 1 / (C M), or less.
--
-- Rows that are drawn are evaluated twice, so of accepted moves a row `thousandth`
-- has 0.85 of what `least` has, and Metropolis, which remembers where it is, 2.9 times as
-- many: moves as long as these are none for a minibatch. With a fifth of the step C M is 207;
-- `short_least` accepts 0.65, and has 2.8 moves a row for one of `short_metropolis`.
local cs = require "chainscope"
local kmnist = require "digits.kmnist"

local function tuna(chi) return cs.kernel.tuna_mh { step = 0.02, chi = chi } end

-- What the table at random was made with.
local truth = {}
for j = 1, 50 do truth[j] = math.cos(j - 1) end

return cs.scenario {
  title  = "Chi",
  shows  = "A larger minibatch is accepted as often as all rows, long after it costs more than they do",
  source = "auxiliary, algorithm 6 and section 5.3",

  target = kmnist.table_at_random,
  chains = 8, seed = 17, start = truth,
  arms   = {
    { name = "least", kernel = tuna(1e-9) },
    { name = "printed", kernel = tuna(1e-5) },
    { name = "thousandth", kernel = tuna(0.001) },
    { name = "hundredth", kernel = tuna(0.01) },
    { name = "default", kernel = tuna(0.1), chains = 4 },
    { name = "metropolis", kernel = cs.kernel.random_walk { step = 0.02 } },
    { name = "short_least", kernel = cs.kernel.tuna_mh { step = 0.004, chi = 1e-9 } },
    { name = "short_metropolis", kernel = cs.kernel.random_walk { step = 0.004 } },
  },
  budget = { steps = 200 },
  warmup = 50,
  screen = { "lesson", { "rows", arm = "printed" }, "acceptance", { "trace", of = "x1" }, "summary" },

  claims = {
    { arm = "least", stat = "rows_drawn", near = 1034, within = 20 },
    { arm = "printed", stat = "rows_drawn", near = 1045, within = 20 },
    { arm = "thousandth", stat = "rows_drawn", near = 2112, within = 60 },
    { arm = "hundredth", stat = "rows_drawn", near = 11814, within = 400 },
    { arm = "default", stat = "rows_drawn", near = 108800, within = 15000 },
    { arm = "short_least", stat = "rows_drawn", near = 207, within = 4 },
    { arm = "least", stat = "acceptance", near = 0.26, within = 0.08 },
    { arm = "printed", stat = "acceptance", less = "least", near = 0, within = 0.05 },
    { arm = "thousandth", stat = "acceptance", less = "least", at_least = 0.12 },
    { arm = "hundredth", stat = "acceptance", less = "metropolis", near = 0, within = 0.06 },
    { arm = "default", stat = "acceptance", less = "hundredth", near = 0, within = 0.15 },
    { arm = "short_metropolis", stat = "acceptance", less = "short_least", at_least = 0.15 },
  },
}
