-- Six samplers of bits on spins that are nearly free.
--
-- The benchmark DISCS prints effective draws for each evaluation of log p and for each second, of
-- samplers that know a gradient. Here are its newest two beside those of this folder: `path`
-- (path auxiliary, PAS) draws several sites without replacement and turns all, `dlmc`
-- (discrete Langevin Monte Carlo) lets each spin follow a jump process for a time. Each is
-- tuned in its warm-up to accept 0.574, as there, and then left alone; DISCS goes on tuning
-- for ever, and its draws are then not quite the target's.
--
-- On 12 x 12 spins at beta 0.2, the median spin, effective draws for 1000 evaluations and in
-- a thousandth of a second (10,000 steps of 8 chains, one seed):
--
--            gwg   acs  dmala  path   any  dlmc
--   evals    5.6    36    65     74    77    85
--   ms       1.8    13    23    7.9    26    17
--
-- So the order of DISCS holds by evaluations: DLMC before PAS before DMALA, and all far before
-- GWG, which turns one spin a step; the any-scale sampler, which is not in it, is near the
-- first. The clock has another order: a gradient costs so little here that proposals count, and
-- `dmala` and `any`, whose flips take one exponential, come before `dlmc` with its two and
-- `path`, which sorts sites.
--
-- What helps is how far a step goes: 17 spins of `dlmc`, 14 of `path` and `any`, 12 of `dmala`.
--
-- Try: beta 0.4, where spins hold together; discs_potts and discs_machine.
local cs = require "chainscope"
local discs = require "discs.table"

local arms, claims = discs.arms(), {}
local far = "DLMC and PAS are far more efficient than GWG"
local function claim(arm, t)
  t.arm, t.stat = arm, "ess_per_work"
  claims[#claims + 1] = t
end
claim("dlmc", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS",
                note = "effective draws of the worst coordinate for 1000 evaluations" })
claim("path", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS" })
claim("dmala", { less = "gwg", at_least = 5 })
claims[#claims + 1] = { arm = "path", stat = "acceptance", near = 0.574, within = 0.04, note = "what its tuner aims at" }
claims[#claims + 1] = { arm = "dlmc", stat = "acceptance", near = 0.574, within = 0.04 }
claims[#claims + 1] = { arm = "path", stat = "hamming", near = 14.1, within = 1.5, note = "of 25 sites proposed" }
claims[#claims + 1] = { arm = "dlmc", stat = "hamming", near = 16.9, within = 1.5 }
claims[#claims + 1] = { arm = "dmala", stat = "hamming", near = 12.2, within = 1.5 }

return cs.scenario {
  title  = "Six samplers on an Ising lattice",
  shows  = "Far steps win by evaluations, cheap ones by the clock",
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
