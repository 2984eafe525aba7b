-- Tests panels that a scenario declares: their contents as sent to the screen,
-- and errors with their remedies.
local cs = require "chainscope"
local words = require("chainscope.core").words

local function open(panels, screen)
  return cs.open {
    target = cs.target.gaussian { dim = 2 }, panels = panels, screen = screen, seed = 4,
    arms = { walk = cs.kernel.random_walk { step = 1 }, mala = cs.kernel.mala { step = 0.5 } },
  }
end

local function shown(panel, steps)
  local run = open { panel }
  run:step(steps or 10)
  return words.show_panel(run, 1), run
end

-- Tests the constant properties of panels. Displayed panels come first.
local a = cs.panel { name = "a", title = "all of it", unit = "nats", curves = "acceptance" }
local b = cs.panel { name = "b", table = function() return {} end }
local list = words.panels(open({ a }, { "trace", b }))
assert(#list == 2 and list[1].name == "b" and list[2].title == "a: all of it" and list[1].title == "b")
assert(list[1].size == nil and list[2].form == "curves" and list[2].unit == "nats")

-- Tests figures of the arms. The bars are in the order of the arms.
local t, run = shown(cs.panel { name = "p", bars = "acceptance" })
assert(t.label[1] == "walk" and t.label[2] == "mala")
assert(t.value[2] == run:arm "mala":figure "acceptance" and t.error[1] ~= t.error[1])
t = shown(cs.panel { name = "p", bars = function() return { { "z", 1, 0.5 }, { "b", 2 } } end })
assert(t.label[1] == "z" and t.error[1] == 0.5 and t.value[2] == 2)
t = shown(cs.panel { name = "p", bars = function() return { zebra = { 1, 0.5 }, apple = 2, walk = 3 } end })
assert(table.concat(t.label, " ") == "walk apple zebra" and t.error[3] == 0.5)

-- At first a curve has a point at each step, later at every second step, then
-- at every fourth step, and so on.
local n = 0
run = open { cs.panel { name = "p", curves = function(r) n = n + 1 return { steps = r.steps, late = r.steps > 5 and 1 or nil } end } }
local function sample(room)
  local due = words.sample_panels(run, room)
  words.sample_panel(run, 1)
  return due
end
for step = 1, 300 do
  run:step(1)
  local due = sample(128)
  assert(due > run.steps and due <= run.steps + 4, due)
end
t = words.show_panel(run, 1)
assert(#t.time <= 129 and t.time[1] == 4 and t.time[#t.time] == 300 and t.label[1] == "late")
for i, step in ipairs(t.time) do
  assert(t.curves[2][i] == step and (t.curves[1][i] == 1) == (step > 5))
end
run:step(1)
sample(16) -- for fewer points the curve is thinned evenly
t = words.show_panel(run, 1)
assert(#t.time <= 17 and t.time[2] - t.time[1] == t.time[3] - t.time[2])
local before = n
assert(sample(0) > 300 and n == before, "it was computed although there is no space")
run:rewind_to(100)
words.sample_panels(run, 0)
t = words.show_panel(run, 1)
assert(t.time[#t.time] == 100, "a later point is present")

-- Tables, lines, histograms.
t = shown(cs.panel { name = "p", head = { "a", "b" }, table = function() return { { "x", 1.5 }, "whole", { 3 } } end })
assert(t.head == "a\tb" and t.row[1] == "x\t1.5" and t.row[2] == "whole" and t.row[3] == "3")
t = shown(cs.panel { name = "p", line = function() return { x = { 1, 2, 3 }, y = { 4, 5, 6 }, exact = function(x) return x * x end } end })
assert(t["x/0"][3] == 3 and t["y/0"][1] == 4 and t["exact/0"][3] == 9)
t = shown(cs.panel { name = "p", histogram = function() return { values = { 0, 0, 1, 1, 1, 1, 1, 1 }, exact = function() return 1 end } end })
assert(#t.edges == #t.counts + 1 and #t.exact == #t.counts)
local mass = 0
for i = 1, #t.counts do mass = mass + t.counts[i] * (t.edges[i + 1] - t.edges[i]) end
assert(math.abs(mass - 1) < 1e-12)
t = shown(cs.panel { name = "p", histogram = function() return { x = { 0, 1, 3 }, y = { 5, 6 } } end })
assert(t.edges[3] == 3 and t.counts[2] == 6)

local function is_refused(what, f, ...)
  local ok, err = pcall(f, ...)
  assert(not ok and tostring(err):find(what, 1, true), ("%s, not %s"):format(err, what))
  assert(tostring(err):find "own_panels.lua:%d+: ", err)
end

-- A panel has exactly one form and a unique name.
for _, case in ipairs {
  { { name = "trace", curves = "ess" }, "the panel 'trace' is built in" },
  { { name = "a b", curves = "ess" }, "is not a valid name for a panel" },
  { { name = "p" }, "panel p shows nothing" },
  { { name = "p", curves = "ess", bars = "ess" }, "has both" },
  { { name = "p", curves = "esss" }, "did you mean 'ess'" },
  { { name = "p", curve = "ess" }, "did you mean 'curves'" },
  { { name = "p", bars = function() end, of = 1 }, "only a panel that shows a figure takes `of`" },
  { { name = "p", bars = "ess", height = 9 }, "the layout chooses the size" },
  { { curves = "ess" }, "needs the field 'name'" },
} do is_refused(case[2], cs.panel, case[1]) end
is_refused("two panels have the name 'a'", open, { a }, { a })
is_refused("panels may contain only panels made by cs.panel", open, { "trace" })
is_refused("did you mean 'gap'", open, { cs.panel { name = "gap", bars = "ess" } }, { "gapp" })
local many = {}
for i = 1, 9 do many[i] = cs.panel { name = "p" .. i, bars = "ess" } end
is_refused("at most 8 panels", open, many)
assert(open({ cs.panel { name = "gap", bars = "ess" } }, { "trace", "gap" }))

-- An error in the value that a panel's function returns is reported with its
-- position and the panel's name.
local function returns(form, value)
  return function() shown(cs.panel { name = "p", [form] = function() return value end }) end
end
local long = {}
for i = 1, 2000 do long[i] = i end
for _, case in ipairs {
  { "curves", 5, "its function returned a number" },
  { "curves", { 1 }, "entry 1 has no name" },
  { "curves", { a = "x" }, "a is a string" },
  { "bars", { a = { {} } }, "a is a table" },
  { "table", { { {} } }, "a table instead of a text" },
  { "table", long, "2000 rows: return at most 60" },
  { "line", { x = { 1, 2 }, y = { 1 } }, "y is not a list of 2 numbers" },
  { "line", { x = long, y = long }, "2000 points: return at most 512" },
  { "histogram", { x = { 0, 0 }, y = { 1 } }, "do not ascend" },
  { "histogram", { x = { 0, 1 }, y = { 1, 2 } }, "y is not a list of 1 numbers" },
} do is_refused(case[3], returns(case[1], case[2])) end
is_refused("p: 13 curves", function()
  local out = {}
  for i = 1, 13 do out["c" .. i] = i end
  returns("curves", out)()
end)

-- A panel observes the quantities that its figure needs. A panel that was not
-- declared does not exist.
local narrow = cs.open { target = cs.target.gaussian { dim = 2 }, probes = { "movement", only = true },
  arms = { a = cs.kernel.random_walk {} }, panels = { cs.panel { name = "p", curves = "ess" } } }
narrow:step(10)
assert(narrow:report "arm/a/diagnostics/table", "the figure is not watched")
