-- How much efficiency the exchange algorithm loses, and a bound on this loss.
--
-- Data have the distribution p_theta with an unknown constant Z. The exchange algorithm
-- avoids Z by simulating data at the proposal. By proposition 3 of the auxiliary paper
-- its spectral gap is at least 1 - sup d_TV(p_theta, p_theta') times that of a random
-- walk that knows Z (d_TV: total variation distance). Here the exact gap is computed for
-- an Ising model of 3 x 3 spins, with theta uniform from 0.3 - w to 0.3 + w. The bound is
-- useful only in a narrow range of theta. At w = 0.05 the ratio of the two gaps is 0.912
-- and the bound is 0.85. At w = 0.8 the ratio is 0.702 and the bound is 0.0045.
--
-- Watch the traces: the effective draws of `one` (exchange) and `ideal` (random walk)
-- agree with theory. Try cs.theory.exchange { ... } with your own data, up to 16 spins.

-- Proposition 3 has a second bound: the ratio of the gaps is at least epsilon delta if,
-- for any theta and theta', p_theta > delta p_theta' holds with probability epsilon.

local cs = require "chainscope"
local lattice = require "on_a_grid.lattice"
local computed = require "on_a_grid.computed"

-- There are only 11 values of the sum T of products of neighbours, so everything is
-- summed on 60 values of theta. Columns: w; the ratio of the gap to that of the ideal
-- chain; 1 - sup d_TV; the best epsilon delta.
--     0.05  0.912  0.85     0.59
--     0.1   0.834  0.71     0.42
--     0.2   0.718  0.45     0.23
--     0.4   0.643  0.14     0.054
--     0.8   0.702  0.0045   0.0012
--     1.2   0.753  3.5e-05  1.6e-05
--
-- At large w the bound vanishes but the gap does not. If two values of theta have no
-- data in common, a move between them is seldom proposed. Slow moves do not matter where
-- the posterior is small. With `simulations` the ratios of several simulations are
-- averaged, with a coin to stay exact. At w = 0.8 the gap relative to the ideal one is
-- 0.70 with 1 simulation, 0.78 with 2, 0.83 with 3 and 0.86 with 4. Each simulation has
-- a cost, so one is the most efficient number here.
local centre, wide = 0.3, 0.8
local steps, chains = 15000, 16
local function of(w, more) return lattice.theory(centre - w, centre + w, more or {}) end

local claims = {}
local function claim(...) claims[#claims + 1] = computed(...) end

-- Columns: w, ratio of the gap to that of the ideal chain, 1 - sup d_TV,
-- epsilon delta.
local bounds = { { 0.05, 0.912, 0.8505, 0.586 }, { 0.1, 0.834, 0.7064, 0.419 }, { 0.2, 0.718, 0.4535, 0.226 },
                 { 0.4, 0.643, 0.1371, 0.0541 }, { 0.8, 0.702, 0.00447, 0.00118 }, { 1.2, 0.753, 3.53e-5, 1.61e-5 } }
local printed = "Gap(aux) >= epsilon delta Gap(ideal)"
for _, row in ipairs(bounds) do
  local w, at = row[1], (" at w = %g"):format(row[1])
  local function ratio() local gap = of(w).gap return gap.auxiliary / gap.ideal end
  claim("one", "gap over ideal" .. at, ratio, { near = row[2], within = 0.003 })
  claim("one", "1 - sup d_TV" .. at, function() return of(w).theorem_2.tv end, { near = row[3], within = 0.02 * row[3] })
  claim("one", "best epsilon delta" .. at, function() return of(w).proposition_3 end, { near = row[4], within = 0.02 * row[4] })
  claim("one", "gap over ideal, over 1 - sup d_TV" .. at, function() return ratio() / of(w).theorem_2.tv end,
        { at_least = 1, where = "proposition 3",
          quote = [[\geq\left(1-\sup_{\theta,{\theta^{\prime}}}d_{\sf TV}(p_{\theta},p_{\theta^{\prime}})\right)]],
          paper = "p_aux >= (1 - sup d_TV(p_theta, p_theta')) p_ideal" })
  claim("one", "1 - sup d_TV over epsilon delta" .. at, function() return of(w).theorem_2.tv / of(w).proposition_3 end,
        { at_least = 1, quote = [[\geq\epsilon\delta{\mathsf{Gap}}]], where = "proposition 3", paper = printed })
end

-- Compares measured with computed values.
local function measured(arm, kind, more, acceptance, time, share)
  local function theory() return of(wide, more) end
  claim(arm, "acceptance, computed", function() return theory().acceptance[kind] end, { near = acceptance, within = 0.001 })
  claims[#claims + 1] = { arm = arm, stat = "acceptance", near = acceptance, within = 0.006 }
  claim(arm, "autocorrelation time, computed", function() return theory().time[kind] end, { near = time, within = 0.01 * time })
  local draws = steps * chains / time
  claims[#claims + 1] = { arm = arm, stat = "ess", of = 1, near = draws, within = 0.3 * draws }
  claim(arm, "share of the ideal gap", function() local gap = theory().gap return gap[kind] / gap.ideal end,
        { near = share, within = 0.003 })
end
measured("ideal", "ideal", {}, 0.6737, 7.17, 1)
measured("one", "auxiliary", {}, 0.5726, 11.11, 0.702)
measured("four", "auxiliary", { draws = 4 }, 0.6297, 8.82, 0.8577)

return cs.scenario {
  title  = "The range of theta",
  shows  = "The exchange algorithm has 0.7 of the ideal gap; its bound is only 0.0045",
  source = "auxiliary, proposition 3 and appendix B.8",
  setting = "9 spins, 60 values of theta, all states summed; the paper has only proofs",

  target = lattice.target(centre - wide, centre + wide),
  chains = chains, seed = 17, start = { 0.3 },
  arms   = {
    { name = "ideal", kernel = cs.kernel.random_walk { step = lattice.step } },
    { name = "one", kernel = cs.kernel.exchange { step = lattice.step } },
    { name = "four", kernel = cs.kernel.exchange { step = lattice.step, simulations = 4 } },
  },
  budget = { steps = steps },
  warmup = 100,
  screen = { "lesson", { "simulation", arm = "one" }, { "trace", quantity = "beta" }, "acceptance", "summary" },
  claims = claims,
}
