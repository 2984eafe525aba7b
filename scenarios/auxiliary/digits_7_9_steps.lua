-- Do the results for classes 7 and 9 of KMNIST depend on the step size?
--
-- This is digits_7_9.lua at the steps 0.0008, 0.001, 0.002 and 0.004. Arms are named by
-- their step times ten thousand. The values below are shares of held-out images that are
-- classified correctly, from 64 chains.
--
-- According to the auxiliary paper Tuna-SGLD is "better than its original minibatch
-- non-gradient version" (TunaMH) "in all step size configurations". This statement holds
-- only at the longest step, 0.004. At this step the share of Tuna-SGLD is 0.019 +- 0.004
-- larger than that of TunaMH. At the step 0.002 the shares of the two kernels are equal.
-- At 0.001 the share of Tuna-SGLD is 0.027 +- 0.004 smaller, and at 0.0008 it is 0.032 +-
-- 0.004 smaller.

-- digits_steps.lua has the same steps for classes 3 and 5. The paper also says: "All
-- minibatch methods still significantly improve the performances of full-batch methods".
-- This holds at short steps, by 0.16. At a step of 0.004 MALA (all rows) is 0.05 better
-- than Tuna-SGLD and 0.07 better than TunaMH.

local cs = require "chainscope"
local kmnist = require "digits.kmnist"
local better = { "our proposed minibatch gradient-based algorithm performs better than its original minibatch non-gradient version in all step size configurations", "appendix G.5" }
local full = { "All minibatch methods still significantly improve the performances of full-batch methods", "appendix G.5" }

local arms = {}
for _, step in ipairs { 8, 10, 20, 40 } do
  local all = kmnist.arms(step * 1e-4, "_" .. step)
  table.move(all, 1, 5, #arms + 1, arms)
end

return cs.scenario(kmnist.scenario {
  title  = "Two other classes at four step sizes",
  shows  = "A gradient of twenty rows helps only at long steps",
  source = "auxiliary, appendix G.5, figure 13",
  classes = { 7, 9 }, images = "1588 images instead of 12,214",
  printed = { rows = 12214 },
  arms   = arms,
  screen = { "lesson", { "distance", quantity = "missed" }, "acceptance", "summary" },
  claims = kmnist.ahead {
    { "tuna_mh_8", "random_walk_8", anywhere = true },
    { "tuna_sgld_8", "tuna_mh_8", better, only = "full", holds = false, note = "-0.032 +- 0.004" },
    { "tuna_sgld_10", "tuna_mh_10", better, only = "full", holds = false, note = "-0.027 +- 0.004" },
    { "tuna_sgld_20", "tuna_mh_20", better, only = "full", holds = "cannot tell", note = "-0.002 +- 0.004" },
    { "tuna_sgld_40", "tuna_mh_40", better, only = "full", note = "0.019 +- 0.004" },
    { "tuna_sgld_8", "mala_8", full },
    { "tuna_sgld_10", "mala_10", full },
    { "tuna_sgld_40", "mala_40", full, only = "full", holds = false, note = "-0.048 +- 0.005" },
    { "tuna_mh_40", "mala_40", full, only = "full", holds = false, note = "-0.068 +- 0.008" },
    { "tuna_sgld_40", "barker_40", full, only = "full", holds = false, note = "-0.030 +- 0.004" },
    { "tuna_sgld_40", "random_walk_40", full, only = "full" },
  },
})
