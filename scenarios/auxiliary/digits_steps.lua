-- Four steps: who is ahead depends on the step.
--
-- The paper's figure 2: all arms at the steps 0.0008, 0.001, 0.002 and 0.004, on what
-- digits_3_5.lua samples. Chains begin near 0, which knows nothing, and 360,000 rows, 225
-- passes, are too few for most of them to arrive: the figure is one of how fast
-- they climb. Arms are named by ten thousand times their step. There are 28: in the panel
-- `distance` v goes to an axis of rows, z makes it large.
--
-- "Tuna-SGLD converges faster than TunaMH for all step sizes": of equal rows it is
-- behind at 0.0008, by 0.02 to 0.03 of the images at three seeds, alike at 0.002, and ahead
-- at 0.004, by 0.02. The twenty rows of its gradient cost a quarter of
-- a step's at 0.0008 (69 rows for TunaMH), a twentieth at 0.004 (346); and
-- its drift grows with the square of the step.
--
-- "Both of them significantly outperform full-batch methods": the shorter the step the
-- more, 0.17 of the images ahead of MALA at 0.0008. At 0.004 MALA, whose steps cost
-- 1601 rows whatever their length, is 0.05 ahead of Tuna-SGLD, and Barker's proposal
-- 0.04. With steps as long as they can be it is not the minibatch that wins here, but the
-- gradient of all rows.
local cs = require "chainscope"
local kmnist = require "digits.kmnist"
local said = kmnist.said

local arms = {}
for _, step in ipairs { 8, 10, 20, 40 } do
  table.move(kmnist.arms(step * 1e-4, "_" .. step), 1, 7, #arms + 1, arms)
end

return cs.scenario(kmnist.scenario {
  title  = "Four steps",
  shows  = "Minibatches lead where steps are short, full batches where they are long",
  source = "auxiliary, section 5.3, figure 2",
  classes = { 3, 5 }, images = "1601 images for 11,552",
  printed = require "paper.settings".digits_3_5,
  arms   = arms,
  screen = { "lesson", { "distance", of = "missed" }, "acceptance", "summary" },
  claims = kmnist.ahead {
    { "tuna_mh_8", "random_walk_8", anywhere = true },
    { "tuna_sgld_8", "tuna_mh_8", said.gradient, only = "full", holds = false, note = "-0.026 +- 0.003 with 64 chains" },
    { "tuna_sgld_10", "tuna_mh_10", said.gradient, only = "full", holds = false, note = "-0.018 +- 0.003 with 64 chains" },
    { "tuna_sgld_20", "tuna_mh_20", said.gradient, only = "full", holds = "cannot tell", note = "0.003 +- 0.003 with 64 chains" },
    { "tuna_sgld_40", "tuna_mh_40", said.gradient, only = "full", note = "0.020 +- 0.003 with 64 chains" },
    { "tuna_mh_8", "mala_8", said.full, note = "0.20 +- 0.02" },
    { "tuna_sgld_8", "mala_8", said.full, note = "0.17 +- 0.02" },
    { "tuna_mh_10", "mala_10", said.full, note = "0.16 +- 0.02" },
    { "tuna_sgld_10", "mala_10", said.full, note = "0.14 +- 0.02" },
    { "tuna_sgld_40", "random_walk_40", said.full, note = "0.14 +- 0.02" },
    { "tuna_mh_40", "mala_40", said.full, holds = false, note = "-0.08 +- 0.01" },
    { "tuna_sgld_40", "mala_40", said.full, holds = false, note = "-0.05 +- 0.01" },
    { "tuna_sgld_40", "barker_40", said.full, holds = false, note = "-0.04 +- 0.01" },
    { "tuna_sgld_10", "hmc_10", said.hmc, holds = false, note = "-0.05 +- 0.01" },
    { "tuna_sgld_40", "hmc_40", said.hmc, holds = false, note = "-0.10 +- 0.01" },
  },
})
