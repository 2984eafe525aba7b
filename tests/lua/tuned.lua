-- Tests a tuned run that plain Lua controls: the tuner's trials, the plan that
-- results, and another run with this plan.
local cs = require "chainscope"

local function open(arm, more)
  local t = { target = cs.target.bernoulli4 {}, chains = 16, seed = 2, arms = { a = arm } }
  for k, v in next, more or {} do t[k] = v end
  return cs.open(t)
end
local run = open({ kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { trials = 40 } })
local arm = run:arm "a"
assert(arm.tuned == 0 and arm.warm_up == 0)
run:step(100)
assert(arm.tuned > 0 and arm.tuned < 1 and arm.warm_up == 100)
assert(#arm:chain(1):draws() == 0 and arm.gradients == 16 * 101)
local trials = arm:trials()
assert(trials[1].phase == "burn-in" and trials[1].steps == 50 and not trials[1].acceptance)
assert(trials[1].step == 5 and trials[1].balance == 0.95 and trials[2].acceptance <= 1)
while arm.tuned < 1 do run:step(1) end
local warm = arm.warm_up
assert(warm == run.steps)

-- If the run is rewound into the search and makes the same steps again, the
-- plan is the same.
local plan = arm:plan()
assert(#plan.step == 20 and #plan.balance == 20 and plan.coding == "ordered")
run:step(60)
assert(#arm:chain(1):draws() == 60 and arm:chain(1):tally().steps == 60)
local x, draws = arm:chain(3):state(), arm:chain(3):draws()
run:rewind_to(70)
assert(arm.tuned < 1 and #arm:chain(3):draws() == 0)
run:step(warm + 60 - 70)
local y = arm:chain(3):state()
for i = 1, 4 do assert(x[i] == y[i]) end
for k = 1, 20 do assert(arm:plan().step[k] == plan.step[k]) end
assert(#draws == #arm:chain(3):draws())

-- A plan that was edited can be used for another run.
plan.step[1] = 7
local other = open(cs.kernel.dmala(plan))
assert(other:arm("a"):plan().step[1] == 7 and other:arm("a").tuned == 1)
assert(other:arm("a"):plan().balance[20] == 0.5)
other:step(20)

-- A value that the user sets is kept, and the search for this parameter ends.
run = open({ kernel = cs.kernel.dmala { step = 0.4 }, tuner = cs.tuner.acceptance {} })
run:step(20)
run:arm("a"):set("step", 0.3)
assert(run:arm("a").tuned == 1 and run:arm("a").warm_up == 20)
run:step(5)
assert(run:arm("a"):plan().step == 0.3 and #run:arm("a"):chain(1):draws() == 5)

-- Tunes a user-defined kernel.
local own = cs.kernel {
  params = { reach = 9 },
  propose = function(x, draw, p) return { x[1] + p.reach * draw:normal() } end,
}
run = cs.open { target = cs.target.gaussian { dim = 1 }, chains = 8, arms = { a = { kernel = own,
  tuner = cs.tuner.acceptance { parameter = "reach", acceptance = 0.4, steps = 600 } } } }
run:step(1600)
assert(run:arm("a"):plan().reach < 8 and math.abs(run:arm("a"):figure "acceptance" - 0.4) < 0.06)
local ok, why = pcall(cs.open, { target = cs.target.gaussian { dim = 1 }, arms = { a = {
  kernel = cs.kernel { params = { reach = 0 }, propose = own and function(x) return x end },
  tuner = cs.tuner.acceptance { parameter = "reach" } } } })
assert(not ok and why:find("reach = 0", 1, true), why)

-- Tests schedules with and without a formula.
run = open(cs.kernel.dmala { step = { 2, 1 }, balance = cs.schedule.cosine { max = 0.9, min = 0.5, rest = 4 } })
plan = run:arm("a"):plan()
assert(plan.step[1] == 2 and plan.step[2] == 1 and plan.balance(1) == 0.9 and plan.balance(20) == 0.5)
run:arm("a"):set("step", { 3, 2, 1 })
assert(#run:arm("a"):plan().step == 3 and tostring(run:arm("a"):plan().step) == "{ 3, 2, 1 }")
local double = function(k) return 1 + k % 2 end
run:arm("a"):set("step", double)
assert(run:arm("a"):plan().step == double)

-- A tuner without a target acceptance rate uses a rate that suits the kernel.
-- The search starts at the value that was set before the first step.
local plain = cs.target.gaussian { dim = 2 }
for name, want in pairs { random_walk = 0.337, mala = 0.574, barker = 0.4, hmc = 0.8 } do
  local r = cs.open { target = plain, chains = 8, seed = 1, arms = {
    a = { kernel = cs.kernel[name] { step = 0.05 }, tuner = cs.tuner.acceptance { steps = 1500 } } } }
  r:arm("a"):set("step", 0.4)
  r:step(1)
  assert(math.abs(r:arm("a"):trials()[1].step - 0.4) < 1e-12, name .. ": " .. tostring(r:arm("a"):trials()[1].step))
  r:step(4000)
  local got = r:arm("a"):figure "acceptance"
  assert(math.abs(got - want) < 0.06, ("%s is tuned to %g, not %g"):format(name, got, want))
end
