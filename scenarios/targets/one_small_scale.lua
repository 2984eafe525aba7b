-- Nine wide coordinates and one narrow one: which kernels can cope with one step?
--
-- The target is ten independent normals: x1 has deviation 0.01, the others have 1. The
-- gradient of x1 is ten thousand times as steep. A MALA step that suits x1 is tiny for
-- the others. `hasty`, MALA with a step of five times the narrow deviation, overshoots
-- and accepts one proposal of 25. `barker` uses only the direction of the gradient. With
-- a step of 1 it rejects 99 of 100 proposals, but the accepted ones are long, and it has
-- a hundred times the effective draws of MALA. `single` moves one coordinate per step;
-- `scaled` also learns a step for each coordinate; `nuts` learns the ten scales.
--
-- Try a step for MALA between those of `mala` and `hasty`:
--     :set mala.step 0.03
local cs = require "chainscope"

local sds = { 0.01, 1, 1, 1, 1, 1, 1, 1, 1, 1 }

return cs.scenario {
  title  = "One small scale",
  shows  = "Moves in proportion to the gradient can stop a chain; moves by its direction only cannot",
  source = "Livingstone and Zanella 2022",

  target = cs.target {
    name  = "one_small_scale",
    space = cs.real(#sds),
    log_density = function(x)
      local sum = 0
      for i = 1, #sds do sum = sum + (x[i] / sds[i])^2 end
      return -sum / 2
    end,
  },
  chains = 8, seed = 17,
  start  = { 0.01, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  -- `hasty` accepts nearly all of its moves near the centre of x1: it hardly ever leaves
  -- points further out, and hardly ever reaches them. The random walk is robust too, but
  -- its proposals go downhill as often as uphill. In Metropolis within Gibbs a rejection
  -- of x1 does not reject the other coordinates. So `single` has four times the effective
  -- draws of `barker` for the wide coordinates, but few for x1, which is updated once in
  -- ten steps and accepts one move in a hundred. After the warm-up of `scaled` the widths
  -- no longer matter, and a sweep is ten steps. `nuts` needs five gradients per step,
  -- warm-up included, and gives one effective draw of the worst quantity for every second
  -- step.
  arms   = {
    mala   = cs.kernel.mala { step = 0.018 },
    hasty  = cs.kernel.mala { step = 0.05 },
    barker = cs.kernel.barker { step = 1 },
    walk   = cs.kernel.random_walk { step = 0.2 },
    single = cs.kernel.metropolis_within_gibbs { step = 1 },
    scaled = { kernel = cs.kernel.metropolis_within_gibbs { step = 1 },
               tuner = cs.tuner.window_adaptation { steps = 10000, metric = "diagonal" } },
    nuts   = cs.kernel.nuts {},
  },
  budget = { steps = 100000 },
  screen = { "lesson", { "trace", quantity = "x.2" }, "acceptance", "summary" },

  -- The ESS is that of the worst coordinate, from 800,000 steps.
  claims = {
    { arm = "mala", stat = "acceptance", near = 0.6, within = 0.03 },
    { arm = "mala", stat = "ess", at_most = 120 },
    { arm = "hasty", stat = "acceptance", at_most = 0.08 },
    { arm = "hasty", stat = "sd", of = 1, at_most = 0.0095, note = "exact: 0.01" },
    { arm = "barker", stat = "acceptance", near = 0.0135, within = 0.003 },
    { arm = "barker", stat = "ess", at_least = 1100 },
    { arm = "barker", stat = "sd", of = 1, near = 0.01, within = 0.0008 },
    { arm = "barker", stat = "sd", of = 2, near = 1, within = 0.15 },
    { arm = "walk", stat = "acceptance", near = 0.057, within = 0.01 },
    { arm = "walk", stat = "ess", at_most = 650, note = "as robust, but without the direction of the gradient" },
    { arm = "single", stat = "ess", of = 1, at_most = 1200, note = "x1 accepts one move in a hundred" },
    { arm = "single", stat = "ess", of = 2, at_least = 5000 },
    { arm = "scaled", stat = "ess", at_least = 5000 },
    { arm = "scaled", stat = "acceptance", near = 0.44, within = 0.05, note = "0.44 is optimal" },
    { arm = "scaled", stat = "sd", of = 1, near = 0.01, within = 0.0006 },
    { arm = "scaled", stat = "sd", of = 2, near = 1, within = 0.06 },
    { arm = "nuts", stat = "sd", of = 1, near = 0.01, within = 0.0002 },
    { arm = "nuts", stat = "sd", of = 2, near = 1, within = 0.02 },
    { arm = "nuts", stat = "ess", at_least = 200000 },
    { arm = "nuts", stat = "gradients", at_most = 8 },
  },
}
