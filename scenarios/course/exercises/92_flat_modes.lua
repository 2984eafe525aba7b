-- Exercise: the smoothing of an entropic sampler
local cs = require "chainscope"

local function kernel_of(value)
  local arm = value.arms.mine
  return type(arm) == "table" and arm.kernel or arm
end

return cs.scenario {
  title = "Exercise: less smoothing, less bias",
  shows = "the bias of a sampler without an accept step depends on its smoothing and on its step",
  tags = "course week-9 exercise",
  target = cs.target.bernoulli4 {},
  chains = 16, seed = 21, budget = { steps = 20000 }, warmup = 0,
  arms = { given = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 0.1 } },
  exercise = {
    text = "`edula` with step 0.2 and eta 0.1 has a total variation of 0.14 from the exact probabilities. Change its " ..
      "parameters, so that it is below 0.055 after 20,000 steps of 16 chains. It must remain `edula`, without an accept step.",
    skeleton = [[
-- An entropic sampler without an accept step: change step, step_a or eta.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 92 --mark mine.lua
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise 92", target = cs.target.bernoulli4 {}, chains = 16, budget = { steps = 20000 },
  arms = { mine = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 0.1 } },
}
]],
    hints = { "eta is the variance of the second variable around the bits: how strongly does it hold the bits if eta is small?",
              "With a large eta the second variable hardly acts on the bits: they follow the gradient of log p." },
    judge = {
      own = false,
      tests = { { "edula", function(a)
        local name = kernel_of(a).name
        return name == "edula", name ~= "edula" and "the kernel is " .. name or nil
      end } },
      claims = { { stat = "tv", at_most = 0.055 } },
      slips = {
        { "accepts", "edmala has an accept step, so it is right for every eta: it has no preference either", function(a) return kernel_of(a).name == "edmala" end },
        { "more_steps", "the bias does not shrink with the number of steps: only its Monte Carlo error does", function(a) return a.budget.steps > 20000 end },
        { "longer_step", "without an accept step the bias grows with the step: more bits turn at once than the gradient can foresee", function(a) return kernel_of(a).step > 0.3 end },
      },
    },
  },
}
