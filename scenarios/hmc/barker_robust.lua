-- A step that is too large: MALA stops, the Barker proposal still moves.
--
-- MALA (Metropolis-adjusted Langevin) and the Barker proposal use one gradient per step
-- and have one parameter, the step. The target has ten normal coordinates with standard
-- deviations from 0.1 to 1. Both kernels run at the steps 0.05, 0.1, 0.2, 0.4 and 0.8.
--
-- MALA moves in proportion to the gradient, so a step that is too large for the narrowest
-- coordinate overshoots and is rejected: from `mala_3` to `mala_4` the acceptance falls
-- from 0.38 to 0.005. The Barker proposal uses only the direction of the gradient, so a
-- step that is too large harms it no more than it harms a random walk. With small steps
-- the two kernels hardly differ. Try a step between those of `mala_3` and `mala_4`:
--     :set mala_4.step 0.28
local cs = require "chainscope"

local n, covariance = 10, {}
for i = 1, n do
  local sd = 0.1 * 10 ^ ((i - 1) / (n - 1))
  for j = 1, n do covariance[(i - 1) * n + j] = i == j and sd ^ 2 or 0 end
end

-- Effective draws of the worst quantity: 550 for `mala_3`, about 30 for `mala_4`, 840 for
-- `barker_3` and 740 for `barker_4`. `mala_5` hardly leaves its start; `barker_5` still
-- moves. So with a bad step, a Barker proposal moves enough for a warm-up to adapt the
-- step. MALA with a bad step may not move enough.
local arms = {}
for k, step in ipairs { 0.05, 0.1, 0.2, 0.4, 0.8 } do
  arms["mala_" .. k] = cs.kernel.mala { step = step }
  arms["barker_" .. k] = cs.kernel.barker { step = step }
end

return cs.scenario {
  title  = "A step too large",
  shows  = "The Barker proposal still works with a step that stops MALA",
  source = "Livingstone and Zanella 2022",
  tags   = "step-size gradient",

  target = cs.target.gaussian { dim = n, covariance = covariance },
  chains = 8, seed = 51, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { steps = 20000 }, warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.10" }, "acceptance", "summary" },

  claims = {
    { arm = "mala_3", stat = "acceptance", near = 0.38, within = 0.05 },
    { arm = "barker_3", stat = "acceptance", near = 0.51, within = 0.05 },
    { arm = "mala_4", stat = "acceptance", at_most = 0.02 },
    { arm = "barker_4", stat = "acceptance", near = 0.124, within = 0.03 },
    { arm = "mala_2", stat = "ess", at_least = 50 },
    { arm = "barker_2", stat = "ess", at_least = 50 },
    { arm = "mala_3", stat = "ess", at_least = 100 },
    { arm = "barker_3", stat = "ess", at_least = 100 },
    { arm = "mala_4", stat = "ess", at_most = 150 },
    { arm = "barker_4", stat = "ess", at_least = 100 },
    { arm = "barker_4", stat = "sd", of = 1, near = 0.1, within = 0.006 },
    { arm = "barker_5", stat = "acceptance", at_least = 0.003 },
  },
}
