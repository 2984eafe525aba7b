-- Nine wide coordinates, and one that is narrow.
--
-- Ten independent normals: x1 has deviation 0.01, the others 1. A sampler that
-- knows no scales has one step for all of them. MALA goes as far as the slope is
-- steep, and that of x1 is ten thousand times as steep: a step that x1 allows
-- leaves the others crawling, and `hasty`, five times the narrow deviation, throws
-- x1 so far to the other side that one proposal of 25 is accepted, nearly
-- all from the middle. What lies further out is hardly ever left, and hardly reached.
--
-- The Barker proposal asks the slope for the direction only: each coordinate goes
-- as far as its noise, the steeper the surer uphill. With a step a hundred times
-- the narrow deviation 99 proposals of 100 are refused, since x1 must fall right
-- by chance. Those that are taken carry the wide coordinates far: a hundred times
-- as many independent draws as with MALA. The random walk, robust too, does
-- not know where uphill is.
--
-- Metropolis within Gibbs moves one coordinate a step. What x1 refuses is then
-- refused of x1 alone, and `single`, with one step for all, has four times as many
-- draws of the wide ones as the Barker proposal has; of x1 few, whose turn comes once
-- in ten steps and of whose moves one in a hundred fits. `scaled` learns a step for each coordinate in its
-- warm-up: the widths differ no more, and what remains is that ten steps are a sweep.
--
-- `nuts` learns the ten scales in its warm-up, and then there is nothing small
-- left: five gradients a step, warm-up included, and every second step is worth an
-- independent draw of the worst quantity.
--
-- Try: a step for MALA on the way from one to the other.
--
--     :set mala.step 0.03
local cs = require "chainscope"

local sds = { 0.01, 1, 1, 1, 1, 1, 1, 1, 1, 1 }

return cs.scenario {
  title  = "One small scale",
  shows  = "A slope that sets how far to go can stop a chain; one that only says where cannot",
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
  screen = { "lesson", { "trace", of = "x.2" }, "acceptance", "summary" },

  -- Effective draws are those of the worst coordinate, of 800,000 steps.
  claims = {
    { arm = "mala", stat = "acceptance", near = 0.6, within = 0.03 },
    { arm = "mala", stat = "ess", at_most = 120 },
    { arm = "hasty", stat = "acceptance", at_most = 0.08 },
    { arm = "hasty", stat = "sd", of = 1, at_most = 0.0095, note = "0.01 is right" },
    { arm = "barker", stat = "acceptance", near = 0.0135, within = 0.003 },
    { arm = "barker", stat = "ess", at_least = 1100 },
    { arm = "barker", stat = "sd", of = 1, near = 0.01, within = 0.0008 },
    { arm = "barker", stat = "sd", of = 2, near = 1, within = 0.15 },
    { arm = "walk", stat = "acceptance", near = 0.057, within = 0.01 },
    { arm = "walk", stat = "ess", at_most = 650, note = "as robust, without a direction" },
    { arm = "single", stat = "ess", of = 1, at_most = 1200, note = "x1 fits one step in a hundred" },
    { arm = "single", stat = "ess", of = 2, at_least = 5000 },
    { arm = "scaled", stat = "ess", at_least = 5000 },
    { arm = "scaled", stat = "acceptance", near = 0.44, within = 0.05, note = "0.44 is best" },
    { arm = "scaled", stat = "sd", of = 1, near = 0.01, within = 0.0006 },
    { arm = "scaled", stat = "sd", of = 2, near = 1, within = 0.06 },
    { arm = "nuts", stat = "sd", of = 1, near = 0.01, within = 0.0002 },
    { arm = "nuts", stat = "sd", of = 2, near = 1, within = 0.02 },
    { arm = "nuts", stat = "ess", at_least = 200000 },
    { arm = "nuts", stat = "gradients", at_most = 8 },
  },
}
