-- Comparing six samplers of bits on weakly coupled spins (an Ising lattice).
--
-- The samplers are `path` (path auxiliary), which draws several sites and flips all of
-- them; `dlmc` (discrete Langevin Monte Carlo), which lets each spin follow a jump
-- process for some time; `dmala` (discrete Metropolis-adjusted Langevin); `acs` (its
-- cyclical version); `any` (any-scale balanced); `gwg` (Gibbs with gradients, one flip).
--
-- Watch `efficiency`. In effective draws per evaluation of log p the order is that of the
-- benchmark DISCS: `dlmc`, `path`, `dmala`, and far below them `gwg`; `any` is close to
-- `dlmc`. In draws per second `any` and `dmala` are first: gradients are cheap here, so
-- the cost of proposals matters. Try a stronger coupling (beta 0.4). See also discs_potts
-- and discs_machine.
local cs = require "chainscope"
local discs = require "discs.table"

-- `path` and `dlmc` are the newest two samplers in DISCS. `path` draws its sites without
-- replacement. `path`, `dlmc` and `dmala` are tuned in the warm-up to accept 0.574 of
-- their proposals and then kept fixed.
--
-- On 12 x 12 spins at beta 0.2, effective draws of the median spin per 1000 evaluations
-- ("evals") and per millisecond ("ms"); 10,000 steps of 8 chains, one seed:
--            gwg   acs  dmala  path   any  dlmc
--   evals    5.6    36    65     74    77    85
--   ms       1.8    13    23    7.9    26    17
--
-- For each flip `dmala` and `any` compute one exponential and `dlmc` computes two;
-- `path` sorts the sites. A longer step helps: per step `dlmc` flips 17 spins, `path`
-- and `any` 14, `dmala` 12. DISCS keeps tuning during sampling, so its draws are not
-- exactly from the target.
local arms, claims = discs.arms(), {}
local far = "DLMC and PAS are far more efficient than GWG"
local function claim(arm, t)
  t.arm, t.stat = arm, "ess_per_work"
  claims[#claims + 1] = t
end
claim("dlmc", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS",
                note = "in effective draws of the worst coordinate per 1000 evaluations" })
claim("path", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS" })
claim("dmala", { less_than = "gwg", at_least = 5 })
claims[#claims + 1] = { arm = "path", stat = "acceptance", near = 0.574, within = 0.04, note = "the target of its tuner" }
claims[#claims + 1] = { arm = "dlmc", stat = "acceptance", near = 0.574, within = 0.04 }
claims[#claims + 1] = { arm = "path", stat = "hamming", near = 14.1, within = 1.5, note = "14 of the 25 proposed flips" }
claims[#claims + 1] = { arm = "dlmc", stat = "hamming", near = 16.9, within = 1.5 }
claims[#claims + 1] = { arm = "dmala", stat = "hamming", near = 12.2, within = 1.5 }

return cs.scenario {
  title  = "Six samplers on an Ising lattice",
  shows  = "Long steps are best per evaluation, cheap steps per second",
  source = "DISCS (Goshvadi et al. 2023); acs, section 6",
  setting = "12 x 12 spins, 8 chains, one seed",

  target = cs.target.ising { rows = 12, beta = 0.2 },
  chains = 8, seed = 1,
  arms   = arms,
  budget = { steps = 2600 },
  warmup = 600,
  full   = { budget = { steps = 10600 }, seeds = 5, setting = "12 x 12 spins, 8 chains, five seeds" },
  screen = { "lesson", discs.panel, "picture", "acceptance", "energy" },
  claims = claims,
}
