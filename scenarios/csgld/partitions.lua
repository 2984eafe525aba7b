-- How many energy bins should contour SGLD have?
--
-- The csgld paper advises 10 to 1000: a fine partition has a smaller discretisation
-- error, but causes large jumps near the bottom of wells. Here an energy range of 50 nats
-- is cut into 10, 50, 200 and 1000 bins, at the paper's rate of 0.1. The exact mean of x
-- is 0. Each arm `..._energy` is the same chain, but weights each draw by its energy
-- instead of its bin.
--
-- Watch the multipliers of the gradient in `bins` (press z to enlarge). The bias that the
-- bins cause in the mean falls from 0.3 with 50 bins to 0.03 with 1000 bins. But the
-- multipliers of 1000 bins fall to -160 and are limited to [-5, 5]. So the chain no
-- longer samples the intended distribution, and its mean is above 1 with either weight.

-- The intended distribution is p / Psi^zeta. About fifty bins, weighted by the energy,
-- work best. The border of the first bin matters more than the number of bins
-- (bins.lua).

local cs = require "chainscope"
local wells = require "by_hand.wells"

-- The multiplier has the width of a bin in its denominator. Without the limit the chain
-- would diverge at once. Neither a longer run nor a smaller rate removes the error (with
-- 200 bins the error is 0.6 at a rate of 0.03 too). With 10 bins nearly all the mass is
-- in the first bin, where the sampler is SGLD. The arm with 10 bins learns slowly. In
-- 500,000 steps it crosses the barrier 0.30 times as often as with 50 bins, and in 5
-- million steps 0.58 times as often.
local first, zeta = 2, 0.75

local arms, claims = {}, {}
local function claim(row) claims[#claims + 1] = row end
local function contour(name, n, by)
  arms[#arms + 1] = { name = name, kernel = cs.kernel.csgld {
    rate = 0.1, gradient_noise = 0.1, zeta = zeta, bins = n, width = 50 / n, first = first,
    weighing = by, gain = cs.schedule.gain { scale = 1, power = 0.75, offset = 100 } } }
end
for _, n in ipairs { 10, 50, 200, 1000 } do
  contour("bins_" .. n, n, "bin")
  if n > 10 then contour(("bins_%d_energy"):format(n), n, "energy") end
end

local function bias(n, bound)
  bound.arm, bound.stat, bound.of = "bins_" .. n, "mean", "x.1"
  bound[bound.relation and "than" or "less_than"] = ("bins_%d_energy"):format(n)
  claim(bound)
end

-- Returns a measure: the smallest multiplier that would occur without the limit, in
-- the bins up to the top of the barrier between the wells.
local function least(n)
  local bins = { first = first, width = 50 / n, n = n }
  return wells.each(function(chain)
    local theta, out = chain:info().own.theta, 1
    for i = 1, 12 // bins.width do out = math.min(out, wells.multiplier(theta, bins, zeta, i)) end
    return out
  end)
end


local function crossings_over(other)
  return function(arm)
    local list = {}
    for c = 1, #arm.chains do
      list[c] = { wells.crossings(arm:chain(c)), wells.crossings(arm.run:arm(other):chain(c)) }
    end
    return list, function(some)
      local a, b = 0, 0
      for _, two in ipairs(some) do a, b = a + two[1], b + two[2] end
      return a / b
    end
  end
end

bias(50, { near = 0.34, within = 0.05, note = "by quadrature, for small steps: 0.374" })
bias(200, { near = 0.28, within = 0.05 })
bias(1000, { relation = "alike", within = 0.06, quote = "A fine partition will lead to a smaller discretization error", where = "appendix D.5" })
claim { arm = "bins_50", stat = "least multiplier", measure = least(50), at_least = -5 }
claim { arm = "bins_200", stat = "least multiplier", measure = least(200), at_most = -8 }
claim { arm = "bins_1000", stat = "least multiplier", measure = least(1000), at_most = -50,
        quote = "it leads to large bouncy jumps around optima", where = "appendix D.5" }
claim { arm = "bins_1000", stat = "jump", ratio_to = "bins_50", at_least = 1.5, note = "the squared length of steps" }
claim { arm = "bins_50_energy", stat = "mean", of = "x.1", near = 0, within = 0.5, note = "exact: 0" }
claim { arm = "bins_200_energy", stat = "mean", of = "x.1", near = 0, within = 0.35, holds = false, only = "full",
        note = "0.58 +- 0.03; 0.46 +- 0.17 after 500,000 steps" }
claim { arm = "bins_1000_energy", stat = "mean", of = "x.1", near = 0, within = 0.35, holds = false,
        quote = "a moderate number of subregions, e.g. 10-1000", where = "appendix D.5",
        note = "at the paper's rate, for 50 nats as in the paper" }
claim { arm = "bins_10", stat = "crossings over bins_50's", measure = crossings_over "bins_50", at_most = 0.75,
        note = "between consecutive stored draws" }

local setting = "the mixture of section 4.1: the paper gives advice but no experiment"

return cs.scenario {
  title  = "How many bins?",
  shows  = "Finer bins have less bias but larger jumps",
  source = "csgld, appendix D.5",

  target = cs.target.mixture {},
  chains = 8, seed = 5, start = { { -6 }, { 4 } },
  arms   = arms,
  budget = { steps = 300000 },
  warmup = 50000,
  setting = setting,
  full   = { budget = { steps = 5000000 }, setting = setting },
  screen = { "lesson", "bins", { "trace", quantity = "x.1" }, "weights", "summary" },

  claims = claims,
}
