-- Longer steps: which kernel is ahead when each has its best.
--
-- digits_steps.lua with the steps 0.004, 0.016 and 0.032 for the kernels that look at all rows, and
-- the best of TunaMH and Tuna-SGLD, 0.006 and 0.008 (longer ones are no better: their batches
-- grow with the step). Arms are named by ten thousand times their step.
--
-- "Increasing the step size overall improves the performance of every full-batch algorithm":
-- it does, from 0.75 to 0.84 of the images for MALA; twice as long, 0.064, MALA and HMC are
-- hardly ever accepted any more and know 0.6 of them, while Barker's proposal still has 0.84.
--
-- "Tuna-SGLD converges fastest among all algorithms", each at its best, "followed by TunaMH
-- and random-walk Metropolis": of equal rows it is the other way round. A true HMC of five
-- leapfrogs has 0.845, MALA and Barker 0.84, a random walk 0.79, Tuna-SGLD 0.776, TunaMH 0.764.
-- What is random costs a chain its long steps.
--
-- Step by step (their figure 11, on the right) MALA is ahead of Tuna-SGLD and a random walk of
-- TunaMH, as printed and as theory has it.
local cs = require "chainscope"
local kmnist = require "digits.kmnist"
local K = cs.kernel

local arms = {}
local function add(name, kernel) arms[#arms + 1] = { name = name, kernel = kernel } end
for _, n in ipairs { 40, 160, 320 } do
  local step = n * 1e-4
  add("random_walk_" .. n, K.random_walk { step = step })
  add("mala_" .. n, K.mala { step = step })
  add("barker_" .. n, K.barker { step = step })
  add("hmc_2_" .. n, K.hmc { step = step, leapfrogs = 2 })
  add("hmc_5_" .. n, K.hmc { step = step, leapfrogs = 5 })
end
add("tuna_mh_60", K.tuna_mh { step = 0.006, chi = 1e-5 })
add("tuna_sgld_80", K.tuna_sgld { step = 0.008, chi = 1e-5, batch = 20, gradient_length = 2 })

local longer = "Increasing the step size overall improves the performance of every full-batch algorithm"
local fastest = "Tuna-SGLD converges fastest among all algorithms, followed by TunaMH and random-walk Metropolis"
local struggles = "HMC still struggles with mixing, even with very large step sizes"
local by_steps = "MALA exhibits superior iteration-wise convergence compared to Tuna-SGLD"

return cs.scenario(kmnist.scenario {
  title  = "Longer steps",
  shows  = "Each kernel at its best step: of equal rows the full batches are ahead",
  source = "auxiliary, appendix G.4, figures 10 and 11",
  classes = { 3, 5 }, images = "1601 images for 11,552",
  arms   = arms,
  screen = { "lesson", { "distance", of = "missed" }, "acceptance", "summary" },
  claims = kmnist.ahead {
    { "random_walk_320", "random_walk_40", longer, anywhere = true },
    { "mala_320", "mala_40", longer },
    { "barker_320", "barker_40", longer },
    { "hmc_2_320", "hmc_2_40", longer },
    { "hmc_5_160", "hmc_5_40", longer },
    { "tuna_sgld_80", "hmc_5_160", struggles, holds = false, note = "-0.07 +- 0.01" },
    { "tuna_sgld_80", "mala_320", fastest, holds = false, note = "-0.06 +- 0.01" },
    { "tuna_sgld_80", "random_walk_320", fastest, only = "full", holds = false, note = "-0.010 +- 0.008" },
    { "tuna_mh_60", "random_walk_320", fastest, holds = false, note = "-0.02 +- 0.01" },
    { "mala_320", "tuna_sgld_80", by_steps, of = "200 steps" },
    { "random_walk_320", "tuna_mh_60", "random-walk Metropolis demonstrates better iteration-wise convergence than TunaMH", of = "200 steps" },
  },
})
