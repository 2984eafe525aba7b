-- Which kernel classifies images best depends on the step size.
--
-- As in figure 2 of the auxiliary paper, all arms run at the steps 0.0008, 0.001, 0.002
-- and 0.004. The target is that of digits_3_5.lua. Chains start near 0, where the
-- classifier can only guess. With 360,000 rows (225 passes) most chains do not converge;
-- the curves show how fast they climb. Names of arms end with the step times 10,000.
--
-- Watch `distance`, the share of held-out images that are misclassified (press v for an
-- axis of rows, z to enlarge). TunaMH and Tuna-SGLD use minibatches. The paper's
-- statement "Tuna-SGLD converges faster than TunaMH for all step sizes" does not hold
-- here. Compared with TunaMH, the misclassified share of Tuna-SGLD is 0.02 to 0.03 higher
-- at the step 0.0008, equal at 0.002, and 0.02 lower at 0.004.

-- "Both of them significantly outperform full-batch methods" holds at the step 0.0008,
-- where both minibatch kernels are 0.17 better than MALA. At the step 0.004 MALA is
-- 0.05 better than Tuna-SGLD, and Barker's proposal is 0.04 better.

local cs = require "chainscope"
local kmnist = require "digits.kmnist"
local said = kmnist.said

-- The twenty rows of Tuna-SGLD's gradient are a quarter of a step's cost at the step
-- 0.0008, where TunaMH draws 69 rows. They are a twentieth at the step 0.004, where
-- TunaMH draws 346 rows; the drift grows with the square of the step. A step of MALA
-- costs 1601 rows at any length, so at long steps the gradient of all rows is better than
-- that of the minibatch. The difference at the step 0.0008 was measured with three seeds.
local arms = {}
for _, step in ipairs { 8, 10, 20, 40 } do
  table.move(kmnist.arms(step * 1e-4, "_" .. step), 1, 7, #arms + 1, arms)
end

return cs.scenario(kmnist.scenario {
  title  = "Four step sizes",
  shows  = "Minibatches are better if steps are short, full batches if steps are long",
  source = "auxiliary, section 5.3, figure 2",
  classes = { 3, 5 }, images = "1601 images instead of 11,552",
  printed = require "paper.settings".digits_3_5,
  arms   = arms,
  screen = { "lesson", { "distance", quantity = "missed" }, "acceptance", "summary" },
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
