-- Tests stop rules, which end a run before its budget is spent. The step at
-- which the run ends depends only on the run. A rule is a function, or limits
-- on figures of every arm.
local cs = require "chainscope"

local function open(t)
  local spec = { target = cs.target.gaussian {}, seed = 4, chains = 4,
                 arms = { a = cs.kernel.mala { step = 1 }, b = cs.kernel.random_walk { step = 1.5 } },
                 budget = { steps = 20000 } }
  for k, v in next, t or {} do spec[k] = v end
  return cs.open(spec)
end

-- A function returns the reason for the stop.
local run, asked = open(), {}
run:stop_when(function(r)
  asked[#asked + 1] = r.steps
  return r.steps >= 1500 and "far enough"
end)
assert(run:step(5000) == 1500 and run.steps == 1500)
assert(asked[1] == 100 and asked[10] == 1000 and asked[#asked] == 1500)
assert(run:summary():find("stopped before its budget: far enough", 1, true))
assert(run:step(1000) == 1000 and not run:summary():find "stopped") -- the run stops only once
run:rewind_to(1400)
assert(run:step(1000) == 100) -- after a rewind the rule applies again

-- The number of steps between two calls can be given. A function may return
-- true instead of a reason.
run, asked = open(), {}
run:stop_when(function(r) asked[#asked + 1] = r.steps return #asked == 3 end, 70)
assert(run:step(5000) == 210 and asked[2] == 140)
assert(run:summary():find("its rule is met", 1, true))

-- With limits on figures, the run stops at the first check at which every arm
-- has reached the limits.
local function ends(t, cut)
  local r = open(t)
  local made = 0
  while made < 20000 do
    local n = r:step(cut or 20000)
    made = made + n
    if n < (cut or 20000) then break end
  end
  return r.steps, r
end
local rule = { rhat = 1.02, ess = 300 }
local at, ended = ends { stop = rule }
assert(at > 100 and at < 20000 and at % 100 == 0)
for _, name in ipairs { "a", "b" } do
  assert(ended.arms[name]:figure "rhat" < 1.02 and ended.arms[name]:figure "ess" > 300)
end
local before = open()
before:step(at - (at > 1000 and at // 1100 * 100 or 100))
local worst = 0
for _, name in ipairs { "a", "b" } do
  worst = worst + ((before.arms[name]:figure "rhat" < 1.02 and before.arms[name]:figure "ess" > 300) and 0 or 1)
end
assert(worst > 0)

-- The step at which a run stops does not depend on workers or blocks, nor on
-- how the steps are divided between calls.
for _, t in ipairs { { workers = 1 }, { workers = 3 }, { block_lanes = 1 } } do
  t.stop = rule
  assert(ends(t) == at)
end
assert(ends({ stop = rule }, 37) == at)
assert(ends { stop = { ess = 300, arm = "a" } } <= at)

local function refused(t, what)
  local ok, text = pcall(open, t)
  assert(not ok and text:find(what, 1, true), text)
end
refused({ stop = { rhta = 1.01 } }, "rhat")
refused({ stop = {} }, "needs a figure")
refused({ stop = { rhat = "1" } }, "string")
refused({ stop = { ess = 10, arm = "c" } }, "there is no arm 'c'")
local ok, text = pcall(run.stop_when, run, 3)
assert(not ok and text:find("a stop rule cannot be a number", 1, true))
