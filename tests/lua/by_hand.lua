-- Tests a run that plain Lua controls step by step: steps, details of a step,
-- changes of parameters, and a rewind.
local cs = require "chainscope"

local banana = cs.target {
  space = cs.real(2),
  log_density = function(x)
    return -0.5 * (x[1]^2 + 20 * (x[2] - x[1]^2)^2)
  end,
}
local run = cs.open { target = banana, arms = { cs.kernel.mala { step = 0.1 } },
                      seed = 1 }
local chain = run:arm(1):chain(1)
while run.steps < 200 do
  run:step(1)
  local i = chain:info()
  assert(math.abs(i.log_ratio - (i.log_density_change + i.log_q_back - i.log_q_forward)) < 1e-12)
  assert(i.log_accept == math.min(0, i.log_ratio))
end
local x = chain:state()
run:arm(1):set("step", 0.3)
run:step(50)
run:rewind(50)
local y = chain:state()
assert(x[1] == y[1] and x[2] == y[2] and run.steps == 200)
assert(#run:summary() > 0)

local seen = {}
run:every(7, function(r) seen[#seen + 1] = r.steps end)
run:step(20)
assert(seen[1] == 203 and seen[2] == 210 and seen[3] == 217 and #seen == 3)

local ok, text = pcall(cs.kernel.mala, { stepp = 1 })
assert(not ok and text:find("step", 1, true))

-- The journal of a run is a text that reproduces the run.
local function hand()
  return cs.open { target = cs.target.gaussian {}, seed = 9,
                   arms = { a = cs.kernel.mala { step = 0.5 } } }
end
local first, second = hand(), hand()
first:step(40)
first:arm("a"):set("step", 0.3)
first:step(30)
first:arm(1):use(cs.kernel.hmc { step = 0.2 })
first:step(5)
second:replay(first:journal())
local p, q = first:arm(1):chain(2):state(), second:arm(1):chain(2):state()
assert(second.steps == 75 and p[1] == q[1] and p[2] == q[2])
ok, text = pcall(hand().replay, hand(), "5 1 value leap 2\n9 end\n")
assert(not ok and text:find("leap", 1, true))
