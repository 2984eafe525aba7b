-- Where the bins begin.
--
-- The two wells of contour.lua, 50 bins of width 1; nothing differs but where the
-- first bin ends. The exact mean is 0. Weighed by theta(J)^zeta of their bins, as
-- the paper does it, the same draws have a mean that is up to 0.6 off, and off
-- to either side. Nothing in `bins` or `trace` tells: compare the means of
-- x.1 in `summary`, where `a` chooses the arm.
--
-- The bottoms of the wells have the energies 1.430 and 1.835. Within a bin the
-- sampler follows Psi, which rises and falls there, and the weight is one number
-- for all of the bin. So what a bin says of the two wells depends on how much of
-- each lies in it; and the first bins hold nearly all the mass. `at_1.5` ends the
-- first just above the right bottom, `at_1.75` before the left one begins,
-- `at_2`, which is contour.lua's, behind both, `at_3` further up.
--
-- No longer run removes it: the limits below are of chains that run for ever in
-- small steps, from quadrature, and ten times the steps bring the figures nearer to
-- these. Narrower bins do not remove it for certain (partitions.lua).
--
-- Psi(U)^zeta, the weight of the energy itself, has no such bias: with frozen
-- weights and small steps the chain follows p / Psi(U)^zeta whatever the bins.
-- Each `..._energy` is the same chain, step by step, with this weight. The
-- paper does not have it.
--
-- The gain falls as the step to the power 0.75. With the paper's 0.6 weights go on
-- wandering, and that is an error too, but one that more steps do remove: at
-- 300,000 steps `at_1.75` is off by 0.7 to 1.5 then, in three seeds.
local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

local u, zeta = wells.energy { 0.4, 0.6 }, 0.75

local arms, claims = {}, {}
local function claim(row) claims[#claims + 1] = row end

-- Where the first bin ends; the limit of the weighted mean, of small steps; how far
-- from it the rate may be.
local borders = { { 1.5, 0.558, 0.15 }, { 1.75, -0.492, 0.6 }, { 2, 0.374, 0.1 }, { 3, 0.072, 0.05 } }

for _, row in ipairs(borders) do
  local first, limit, within = table.unpack(row)
  local name = "at_" .. first
  for _, by in ipairs { "bin", "energy" } do
    arms[#arms + 1] = {
      name = by == "bin" and name or name .. "_energy",
      kernel = cs.kernel.csgld {
        rate = 0.1, gradient_noise = 0.1, zeta = zeta, bins = 50, width = 1, first = first,
        weighing = by, gain = cs.schedule.gain { scale = 1, power = 0.75, offset = 100 } } }
  end
  claim { arm = name, stat = "limit by quadrature", near = limit, within = 0.001,
          measure = wells.quadrature(function()
            return (select(2, wells.rest(u, { first = first, width = 1, n = 50 }, zeta)))
          end) }
  claim { arm = name, stat = "mean", of = "x.1", less = name .. "_energy", near = limit, within = within }
  claim { arm = name .. "_energy", stat = "mean", of = "x.1", near = 0, within = 0.4,
          note = "exactly 0" }
end
claim { arm = "at_1.5", than = "at_1.5_energy", stat = "mean", of = "x.1", relation = "alike", within = 0.2, holds = false,
        where = "section 3.2",
        quote = "by treating ... as the dynamic importance weight of the sample", paper = "theta(J)^zeta" }

local setting = "the mixture of section 4.1, with first borders of ours: the paper prints none"

return cs.scenario {
  title  = "Where the bins begin",
  shows  = "The borders of bins bias weighted means; weights of the energy itself do not",
  source = "csgld, theorem 2 and section 4.1",

  target = cs.target.mixture {},
  chains = 8, seed = 4, start = { { -6 }, { 4 } },
  arms   = arms,
  budget = { steps = 500000 },
  warmup = 50000,
  printed = settings.bins,
  setting = setting,
  full   = { budget = { steps = 5000000 }, setting = setting },
  screen = { "lesson", "bins", { "trace", of = "x.1" }, "weights", "summary" },

  claims = claims,
}
