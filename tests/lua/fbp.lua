-- Tests cs.fbp, focusing belief propagation. Tests a single pattern, for which
-- belief propagation is exact, the results for each focus, and invalid input.
local cs = require "chainscope"

local function refused(fields, want)
  local ok, why = pcall(cs.fbp, fields)
  assert(not ok and why:find(want, 1, true), want .. " <> " .. tostring(why))
end

-- At least two of three weights must agree with the input. This is true for 4
-- of 8 states, and each weight agrees in 3 of these 4 states.
local one = cs.fbp { inputs = { { 1, -1, 1 } }, labels = { -1 }, damping = 0, rounds = 50 }
for i, want in ipairs { -0.5, 0.5, -0.5 } do assert(math.abs(one.magnetisation[i] - want) < 1e-12) end
assert(#one.steps == 1 and one.steps[1].focus == 0 and one.steps[1].errors == 0)
assert(math.abs(one.steps[1].size - 0.5) < 1e-12 and one.steps[1].rounds >= 1 and one.steps[1].change <= 1e-6)

-- Replicas attract each other: the field of each replica acts on the others.
local two = cs.fbp { inputs = { { 1, -1, 1 } }, labels = { -1 }, focus = { 0, 1, 3 }, replicas = 4, damping = 0.5 }
assert(two.steps[1].size < two.steps[2].size and two.steps[2].size < two.steps[3].size and two.steps[3].size > 0.69)
-- A single replica is not attracted to any other.
local alone = cs.fbp { inputs = { { 1, -1, 1 } }, labels = { -1 }, focus = { 3 }, replicas = 1 }
assert(math.abs(alone.steps[1].size - 0.5) < 1e-6)

refused(3, "expects a table")
refused({ inputs = { { 1 } } }, "labels")
refused({ inputs = { { 1 }, { 1 } }, labels = { 1 } }, "give one label per pattern")
refused({ inputs = { { 1, 0 } }, labels = { 1 } }, "input 2 of pattern 1 is 0")
refused({ inputs = { { 1 } }, labels = { 2 } }, "label 1 is 2")
refused({ inputs = { { 1 } }, labels = { 1 }, focus = { 0, -1 } }, "number 2 of 'focus' is -1")
refused({ inputs = { { 1 } }, labels = { 1 }, damping = 1 }, "damping")
refused({ inputs = { { 1 } }, labels = { 1 }, foccus = { 1 } }, "foccus")
