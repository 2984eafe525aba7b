-- Tests that the variables of event functions are rewound and repeated with the
-- run.
local cs = require "chainscope"

local function open()
  return cs.open {
    target = cs.target.gaussian { dim = 1 }, chains = 2, seed = 5,
    arms = { a = cs.kernel.random_walk { step = 1 } },
  }
end
local function state(run) return run:arm(1):chain(1):state()[1] end

-- Tests an event that counts its calls and sets a parameter. Every sequence of
-- steps and rewinds must give the same run.
local function counting()
  local run, n, seen = open(), 0, { 0 }
  run:every(50, function(r)
    n = n + 1
    seen[#seen + 1] = { r.steps, n }
    r:arm(1):set("step", 0.5 + n % 7)
  end)
  return run, function() return n, #seen end
end
local run, kept = counting()
run:step(900)
local want = state(run)
assert(kept() == 18)
for _, way in ipairs {
  function(r) r:step(760) r:rewind_to(430) r:step(470) end,
  function(r) r:step(760) r:rewind(760) r:step(900) end,
  function(r) r:step(900) r:rewind_to(450) r:step(450) end, -- the event at step 450 runs again
  function(r) for _ = 1, 30 do r:step(31) end r:rewind_to(77) r:step(823) end,
} do
  local other, what = counting()
  way(other)
  local n, seen = what()
  assert(n == 18 and seen == 19, n .. " " .. seen)
  assert(state(other) == want)
end

-- Tests two functions that share a variable, a class, a table with unusual
-- keys, functions that are created during the run, and a run that is rewound
-- twice.
local Sum = {}
Sum.__index = Sum
function Sum:add(x) self.n = self.n + x end
local total, sum, odd = 0, setmetatable({ n = 0 }, Sum), {}
run = open()
run:every(10, function(r)
  total = total + 1
  sum:add(total)
  odd[sum] = { [r.steps] = function() return total end }
  if total % 3 == 1 then r:at(r.steps + 7, function(q) total = total + 100 q:arm(1):set("step", 1 + total % 5) end) end
end)
run:stop_when(function() total = total + 0.5 return false end, 30)
run:step(33)
local here, at, last = total, state(run), odd[sum]
run:step(50)
local there, x = total, state(run)
run:rewind_to(33)
assert(total == here and state(run) == at and odd[sum][30] and sum.n == 1 + 102 + 103, sum.n)
run:step(50)
assert(total == there and state(run) == x)
run:rewind(83)
assert(total == 0 and sum.n == 0 and next(odd) == nil)
run:step(83)
assert(total == there and state(run) == x)
assert(type(last[30]) == "function")

-- If a run is rewound to a step before an event was added, the event starts
-- again.
run = open()
run:step(100)
local late = 0
run:every(7, function() late = late + 1 end)
run:step(50)
assert(late == 7)
run:rewind(50)
assert(late == 0)
run:step(50)
assert(late == 7)
run:rewind_to(0)
run:step(150)
assert(late == 21)

-- The journal contains the state of the event functions. It can be replayed on
-- another run that is created in the same way.
run, kept = counting()
run:step(430)
local text = run:journal()
local other, again = counting()
other:replay(text)
assert(again() == 8 and state(other) == state(run))
-- The event functions of both runs have the same state at later steps too.
run:step(200)
other:step(200)
assert(again() == 12 and state(other) == state(run))

-- If a variable has a value that cannot be saved, an error names the variable
-- when the run is rewound, and not earlier.
run = open()
local c = coroutine.create(function() while true do coroutine.yield() end end)
run:every(10, function() coroutine.resume(c) end)
assert(run:step(40) == 40)
local good, why = pcall(run.rewind, run, 20)
assert(not good and why:find "the run cannot go back: " and why:find "'c': a coroutine cannot be saved", why)
assert(run.steps == 40)

-- A run is saved as bytes, loaded, and forked. All copies continue in the same
-- way, bit for bit.
local first = open()
first:step(40)
first:set "a.step=2"
first:step(60)
local bytes, twin, third = first:save(), open(), first:fork()
twin:load(bytes)
for _, r in ipairs { first, twin, third } do assert(r.steps == 100) r:step(50) end
assert(state(first) == state(twin) and state(first) == state(third))
first:step(1)
assert(third.steps == 150 and twin.steps == 150)
local function fails(want, f, ...)
  local good, why = pcall(f, ...)
  assert(not good and why:find(want, 1, true), tostring(why))
end
fails("a saved run must be a string, not a table", twin.load, twin, {})
fails("corrupt checkpoint", twin.load, twin, bytes:sub(1, 60) .. "x" .. bytes:sub(62))
fails("a run with events cannot be forked", function() local r = counting() r:fork() end)
