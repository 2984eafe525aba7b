-- The parameter chi of TunaMH: from few rows and many rejections to plain Metropolis.
--
-- A step of TunaMH (a minibatch kernel) draws C M + chi (C M)^2 rows on average. M is the
-- length of the proposed move, and C is the sum of the rows' bounds for a move of length
-- 1. Here C M is 1034, and the table of data has 1600 rows. The larger chi C M is, the
-- nearer the acceptance ratio is to that of Metropolis, which evaluates all rows.
--
-- Watch `rows` and `acceptance`. `least` (chi near 0) and `printed` (chi 1e-5, as in the
-- auxiliary paper) draw about 1034 rows and accept 0.26 of the proposals. `thousandth`
-- draws twice that number and accepts 0.45. `hundredth` draws seven times the rows of the
-- table and accepts 0.58. Metropolis accepts 0.59.

-- `default` (chi 0.1) draws 68 times the table and is not accepted more often
-- than `hundredth`. If C M is in the hundreds, use a chi of at most 1 / (C M).

local cs = require "chainscope"
local kmnist = require "digits.kmnist"

-- chi C M is 0.01 for `printed` and 1 for `thousandth`; `default` draws 109,000 rows.
-- Drawn rows are evaluated twice, and Metropolis stores its current value. So per row
-- `thousandth` has 0.85 times the accepted moves of `least`, and Metropolis has 2.9
-- times the accepted moves of `least`. Such long moves do not suit a minibatch. With
-- a fifth of the step C M is 207, and `short_least` accepts 0.65. Per row it has 2.8
-- times the accepted moves of `short_metropolis`.
local function tuna(chi) return cs.kernel.tuna_mh { step = 0.02, chi = chi } end

-- The coefficients that generated the random table.
local truth = {}
for j = 1, 50 do truth[j] = math.cos(j - 1) end

return cs.scenario {
  title  = "Chi",
  shows  = "To be accepted as often as with all rows, a minibatch must be larger than the table",
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
  screen = { "lesson", { "rows", arm = "printed" }, "acceptance", { "trace", quantity = "x1" }, "summary" },

  claims = {
    { arm = "least", stat = "rows_drawn", near = 1034, within = 20 },
    { arm = "printed", stat = "rows_drawn", near = 1045, within = 20 },
    { arm = "thousandth", stat = "rows_drawn", near = 2112, within = 60 },
    { arm = "hundredth", stat = "rows_drawn", near = 11814, within = 400 },
    { arm = "default", stat = "rows_drawn", near = 108800, within = 15000 },
    { arm = "short_least", stat = "rows_drawn", near = 207, within = 4 },
    { arm = "least", stat = "acceptance", near = 0.26, within = 0.08 },
    { arm = "printed", stat = "acceptance", less_than = "least", near = 0, within = 0.05 },
    { arm = "thousandth", stat = "acceptance", less_than = "least", at_least = 0.12 },
    { arm = "hundredth", stat = "acceptance", less_than = "metropolis", near = 0, within = 0.06 },
    { arm = "default", stat = "acceptance", less_than = "hundredth", near = 0, within = 0.15 },
    { arm = "short_metropolis", stat = "acceptance", less_than = "short_least", at_least = 0.15 },
  },
}
