-- Tests kernel parameters that are given as lists of numbers. The meaning of a plain list depends
-- on the type of the parameter.
local cs = require "chainscope"

local function hills()
  return cs.target.mixture { means = { -2.4, 1.6 }, weights = { 0.4, 0.6 } }
end
local function same(a, b)
  assert(#a == #b, #a .. " and " .. #b)
  for i = 1, #a do assert(a[i] == b[i]) end
end
local function refused(what, hint, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and text:find(what, 1, true) and text:find(hint, 1, true), text)
end

-- Tests lists of any length, and values that are computed from the lists.
local long, known = {}, {}
for i = 1, 1000 do long[i] = i / 3 end
for i = 1, 1001 do known[i] = -i / 100 end
local k = cs.kernel.csgld { borders = long, log_weights = known }
assert(k.bins == 1001 and k.first == 1 / 3)
same(k.borders, long)
same(k.log_weights, known)
assert(cs.kernel.csgld {}.borders == nil)
k = cs.kernel.csghmc { borders = long, log_weights = known, momentum = 0.5 }
assert(k.bins == 1001 and k.momentum == 0.5)
same(k.log_weights, known)
assert(cs.kernel.csgld { log_weights = { 1, 2, 3 } }.bins == 3)

-- If a parameter is a number, a list of numbers is a cycle of values. If a
-- parameter is itself a list, the list is its value.
local function arm(rate, borders)
  return cs.kernel.csgld { rate = rate, borders = borders, log_weights = { 1, 3, 2, 1 } }
end
local borders = { 1.5, 2, 2.75 }
local run = cs.open { target = hills(), seed = 5, arms = { a = arm({ 0.1, 0.2 }, borders) } }
run:step(3)
same(run:arm("a").params.borders, borders)
local plan = run:arm("a"):plan()
same(plan.borders, borders)
same(plan.rate, { 0.1, 0.2 })

-- The kernel can be created again from its plan. The run can be repeated from
-- its journal.
local again = cs.open { target = hills(), seed = 5, arms = { a = cs.kernel.csgld(plan) } }
again:step(3)
assert(again:arm("a"):chain(1):state()[1] == run:arm("a"):chain(1):state()[1])
run:arm("a"):use(arm(0.05, { 1, 2, 3 }))
run:step(5)
run:arm("a"):use(arm(0.05, borders))
run:step(5)
again = cs.open { target = hills(), seed = 5, arms = { a = arm({ 0.1, 0.2 }, borders) } }
again:replay(run:journal())
assert(again.steps == 13)
same(again:arm("a").params.borders, borders)
assert(again:arm("a"):chain(2):state()[1] == run:arm("a"):chain(2):state()[1])
run:rewind(5)
same(run:arm("a").params.borders, { 1, 2, 3 })

-- Invalid lists are reported.
refused("borders must increase: 2 is followed by 2", "borders = {", cs.kernel.csgld, { borders = { 1, 2, 2 } })
refused("bins = 7 conflicts with borders, which gives 4", "leave out bins",
        cs.kernel.csgld, { borders = { 1, 2, 3 }, bins = 7 })
refused("log_weights has 3 numbers, but there are 4 bins", "one number per bin",
        cs.kernel.csgld, { borders = { 1, 2, 3 }, log_weights = { 1, 2, 3 } })
refused("'borders' is a list of numbers, not a function", "{ 1, 2 }",
        cs.kernel.csgld, { borders = function() return 1 end })
refused("borders has 4 numbers in 2 columns", "list of 1 to 9999",
        cs.kernel.csgld, { borders = { { 1, 2 }, { 3, 4 } } })

-- If a parameter is fixed when the kernel is created, neither a list nor a
-- schedule is accepted for it.
refused("'bins' of cs.kernel.csgld is fixed at creation", "give a number", cs.kernel.csgld, { bins = { 10, 20 } })
refused("'batch' of cs.kernel.sgld is fixed at creation", "give a number",
        cs.kernel.sgld, { batch = cs.schedule.linear { from = 1, to = 9, steps = 8 } })
refused("update cannot be 'fast'", "use one of: power, plain, high_zeta", cs.kernel.csgld, { update = "fast" })
refused("borders has 12000 numbers:", "list of 1 to 9999", cs.kernel.csgld, { borders = (function()
  local list = {}
  for i = 1, 12000 do list[i] = i end
  return list
end)() })
local a = run:arm("a")
refused("borders of kernel csgld is fixed when the kernel is created", "arm:use", a.set, a, "borders", { 1, 2 })
refused("width = 0.5 conflicts with borders, which gives 1", "leave out width", a.set, a, "width", 0.5)
refused("first = 7 conflicts with borders, which gives 1", "leave out first",
        a.set, a, "first", cs.schedule.constant { value = 7 })
a:set("zeta", 0.5)
