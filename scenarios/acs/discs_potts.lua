-- Comparing six samplers of colours on a Potts lattice of 8 x 8 sites with four colours.
--
-- The samplers are `gwg` (Gibbs with gradients, one change per step), `dmala` (discrete
-- Metropolis-adjusted Langevin), `acs` (its cyclical version), `any` (any-scale
-- balanced), `path` (path auxiliary) and `dlmc` (discrete Langevin Monte Carlo), as in
-- discs_ising.lua. With coding = "one_hot" each colour has its own bit, so the gradient
-- has one component per colour and predicts a single change exactly. A step takes two
-- evaluations: one of log p, and one of the differences of log p for all single changes.
--
-- Watch the panel `efficiency`: in effective draws per evaluation the order is that of
-- discs_ising, with `dlmc` first; in effective draws per second `any` and `dmala` are
-- first.
local cs = require "chainscope"
local discs = require "discs.table"

-- In the benchmark DISCS the sampler DLMC has only two values per site; here a site can
-- jump to any value.
--
-- Effective draws of the median site per 1000 evaluations ("evals") and per millisecond
-- ("ms"); 10,000 steps of 8 chains, one seed:
--            gwg   acs  dmala  path   any  dlmc
--   evals    4.1    16    36     39    42    48
--   ms       1.9   6.9    16    7.3    18   8.8
local claims = {}
local far = "DLMC and PAS are far more efficient than GWG"
local function claim(arm, t)
  t.arm, t.stat = arm, "ess_per_work"
  claims[#claims + 1] = t
end
claim("dlmc", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS",
                note = "in effective draws of the worst coordinate per 1000 evaluations" })
claim("path", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS" })
claim("any", { less_than = "gwg", at_least = 5 })
claim("dlmc", { than = "path", relation = "better", paper = "DLMC before PAS", source = "another paper", where = "DISCS", only = "full" })
claim("dlmc", { than = "dmala", relation = "better", paper = "DLMC before DMALA", source = "another paper", where = "DISCS" })
claims[#claims + 1] = { arm = "path", stat = "acceptance", near = 0.574, within = 0.04, note = "the target of its tuner" }
claims[#claims + 1] = { arm = "dlmc", stat = "acceptance", near = 0.574, within = 0.04 }

return cs.scenario {
  title  = "Six samplers on a Potts lattice",
  shows  = "A jump process for each site moves further than a Langevin step",
  source = "DISCS (Goshvadi et al. 2023); acs, section 6",
  setting = "8 x 8 sites, 4 colours, 8 chains, one seed",

  target = cs.target.potts { rows = 8, values = 4, beta = 0.6 },
  chains = 8, seed = 1,
  arms   = discs.arms "one_hot",
  budget = { steps = 2600 },
  warmup = 600,
  full   = { budget = { steps = 10600 }, seeds = 5, setting = "8 x 8 sites, 4 colours, 8 chains, five seeds" },
  screen = { "lesson", discs.panel, "picture", "acceptance", "energy" },
  claims = claims,
}
