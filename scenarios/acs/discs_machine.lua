-- Comparing six samplers of bits on a Boltzmann machine with random weights.
--
-- The machine has 100 visible and 40 hidden units, and weights with standard deviation
-- 0.3. Unlike the spins of a lattice (discs_ising.lua), each visible unit has its own
-- field. The samplers are `gwg` (Gibbs with gradients, one flip per step), `dmala`
-- (discrete Metropolis-adjusted Langevin), `acs` (its cyclical version), `any` (any-scale
-- balanced), `path` (path auxiliary) and `dlmc` (discrete Langevin Monte Carlo).
--
-- Watch the panel `efficiency`: in effective draws per evaluation of log p `dlmc` is
-- first, as in discs_ising. In effective draws per second `acs` is first, since its large
-- steps take no more time than its small steps.
local cs = require "chainscope"
local discs = require "discs.table"

-- Effective draws of the median pixel per 1000 evaluations ("evals") and per millisecond
-- ("ms"); 10,000 steps of 8 chains, one seed:
--            gwg   any  dmala  path   acs  dlmc
--   evals     12    96   119    149   154   180
--   ms       5.3    37    46     21    61    42
--
-- On a Boltzmann machine trained on digits all six samplers fail (see rbm_mmd): a chain
-- hardly leaves its digit, so there are almost no effective draws.
--
-- The weights are sums of twelve uniform numbers from a small generator, so every
-- computer gives equal weights.
local seed = 1
local function normal()
  local sum = -6
  for _ = 1, 12 do
    seed = (seed * 1664525 + 1013904223) % 2^32
    sum = sum + seed / 2^32
  end
  return sum
end
local function machine()
  seed = 1
  local rows = { { 0 } }
  for i = 1, 100 do rows[1][i + 1] = 0.5 * normal() end
  for j = 1, 40 do
    rows[j + 1] = { 0.5 * normal() }
    for i = 1, 100 do rows[j + 1][i + 1] = 0.3 * normal() end
  end
  return cs.target.rbm { weights = rows, cols = 10 }
end

local claims = {}
local far = "DLMC and PAS are far more efficient than GWG"
local function claim(arm, t)
  t.arm, t.stat = arm, "ess_per_work"
  claims[#claims + 1] = t
end
claim("dlmc", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS",
                note = "in effective draws of the worst coordinate per 1000 evaluations" })
claim("path", { than = "gwg", relation = "better", paper = far, source = "another paper", where = "DISCS" })
claims[#claims + 1] = { arm = "path", stat = "acceptance", near = 0.574, within = 0.04, note = "the target of its tuner" }
claims[#claims + 1] = { arm = "dlmc", stat = "acceptance", near = 0.574, within = 0.04 }

return cs.scenario {
  title  = "Six samplers on a Boltzmann machine",
  shows  = "The jump process is best per evaluation, the cycle per second",
  source = "DISCS (Goshvadi et al. 2023); acs, section 6",
  setting = "100 visible units, 8 chains, one seed",

  target = machine,
  chains = 8, seed = 1,
  arms   = discs.arms(),
  budget = { steps = 2600 },
  warmup = 600,
  full   = { budget = { steps = 10600 }, seeds = 5, setting = "100 visible units, 8 chains, five seeds" },
  screen = { "lesson", discs.panel, "picture", "acceptance", "energy" },
  claims = claims,
}
