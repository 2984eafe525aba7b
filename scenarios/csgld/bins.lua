-- The border of the first energy bin biases the weighted means of contour SGLD.
--
-- Contour SGLD (a stochastic gradient sampler) samples p / Psi(U)^zeta. U = -log p is the
-- energy, and Psi interpolates the learned weights theta of energy bins. The target is
-- that of contour.lua, two wells with mean 0. There are 50 bins of width 1, and the arms
-- differ only in the energy at which the first bin ends. A draw in bin J has the weight
-- theta(J)^zeta in the csgld paper. With these weights the mean is wrong by up to 0.6, in
-- either direction. Each arm `..._energy` is the same chain with the weight Psi(U)^zeta.
-- This weight is not in the paper and causes no such bias.
--
-- Watch the means of x.1 in `summary`. Neither `bins` nor `trace` shows the bias, and a
-- longer run does not remove it.

-- Press a for the next arm. Narrower bins do not always remove the bias (see
-- partitions.lua).

local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

-- The bottoms of the wells have the energies 1.430 and 1.835. Within a bin, Psi varies
-- and the sampler follows Psi, but the weight of draws is constant. So the result depends
-- on how much of each well is in the bin, and the first bins hold nearly all the mass.
-- `at_1.5` ends the first bin just above the bottom of the right well, `at_1.75` just
-- below the bottom of the left well, `at_2` (as in contour.lua) above both, and `at_3`
-- further up. The limits below are for infinitely long runs with small steps, by
-- quadrature; with ten times the steps the means are nearer to the limits. With frozen
-- weights and small steps the chain follows p / Psi(U)^zeta for any bins, so weighting by
-- Psi(U)^zeta is exact. The gain falls as the step to the power -0.75. With the paper's
-- power of 0.6 the weights keep fluctuating. This causes a further error, which more
-- steps do remove: at 300,000 steps, with this power, `at_1.75` is wrong by 0.7 to 1.5,
-- for three seeds.
local u, zeta = wells.energy { 0.4, 0.6 }, 0.75

local arms, claims = {}, {}
local function claim(row) claims[#claims + 1] = row end

-- Columns: the end of the first bin; the limit of the weighted mean for small steps;
-- the tolerance, which allows for the finite rate.
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
  claim { arm = name, stat = "mean", of = "x.1", less_than = name .. "_energy", near = limit, within = within }
  claim { arm = name .. "_energy", stat = "mean", of = "x.1", near = 0, within = 0.4,
          note = "exact: 0" }
end
claim { arm = "at_1.5", than = "at_1.5_energy", stat = "mean", of = "x.1", relation = "alike", within = 0.2, holds = false,
        where = "section 3.2",
        quote = "by treating ... as the dynamic importance weight of the sample", paper = "theta(J)^zeta" }

local setting = "the mixture of section 4.1, with our own first borders, since the paper states none"

return cs.scenario {
  title  = "The border of the first bin",
  shows  = "The borders of bins bias weighted means; weighting by the energy itself does not",
  source = "csgld, theorem 2 and section 4.1",

  target = cs.target.mixture {},
  chains = 8, seed = 4, start = { { -6 }, { 4 } },
  arms   = arms,
  budget = { steps = 500000 },
  warmup = 50000,
  printed = settings.bins,
  setting = setting,
  full   = { budget = { steps = 5000000 }, setting = setting },
  screen = { "lesson", "bins", { "trace", quantity = "x.1" }, "weights", "summary" },

  claims = claims,
}
