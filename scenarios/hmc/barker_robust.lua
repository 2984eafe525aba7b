-- A gradient that says how far to go, and one that says which way.
--
-- MALA and the Barker proposal both use the slope once a step, and each has one
-- number to set: its step. Ten normal coordinates wait, with deviations from 0.1 to
-- 1; who knows none of them guesses. The arms are the two kernels at the same
-- five guesses, each twice the one before: 0.05, 0.1, 0.2, 0.4, 0.8.
--
-- MALA goes as far as the slope is steep. A step too large for the narrowest
-- coordinate throws that over to the far side, and the proposal is refused: from
-- `mala_3` to `mala_4` the acceptance falls from 0.38 to 0.005, and of 550
-- independent draws of the worst quantity some 30 are left. `mala_5` hardly leaves
-- its start. Barker asks the slope for the direction only. A step too large
-- costs it what it costs a random walk: 840 draws at `barker_3`, 740 at
-- `barker_4`, and `barker_5` still moves.
--
-- So a Barker proposal with a bad step moves enough to find a better one by
-- itself, in a warm-up; MALA may not. With small steps there is little between them.
--
-- Try: a step between the third guess and the fourth.
--
--     :set mala_4.step 0.28
local cs = require "chainscope"

local n, covariance = 10, {}
for i = 1, n do
  local sd = 0.1 * 10 ^ ((i - 1) / (n - 1))
  for j = 1, n do covariance[(i - 1) * n + j] = i == j and sd ^ 2 or 0 end
end

local arms = {}
for k, step in ipairs { 0.05, 0.1, 0.2, 0.4, 0.8 } do
  arms["mala_" .. k] = cs.kernel.mala { step = step }
  arms["barker_" .. k] = cs.kernel.barker { step = step }
end

return cs.scenario {
  title  = "A step too large",
  shows  = "The Barker proposal forgives a step that stops MALA",
  source = "Livingstone and Zanella 2022",
  tags   = "step-size gradient",

  target = cs.target.gaussian { dim = n, covariance = covariance },
  chains = 8, seed = 51, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { steps = 20000 }, warmup = 0,
  screen = { "lesson", { "trace", of = "x.10" }, "acceptance", "summary" },

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
