-- Tests panels for which the user chooses the contents. The named quantities
-- are observed. If a quantity cannot be displayed, the error gives a remedy.
local cs = require "chainscope"

local function spec(screen, probes)
  return {
    target = cs.target { space = cs.real(12),
                         log_density = function(x) return -cs.math.sum(x * x) / 2 end },
    arms = { a = cs.kernel.random_walk { step = 0.5 }, small = cs.kernel.random_walk { step = 0.1 } },
    budget = { steps = 100 }, screen = screen, probes = probes,
  }
end

local run = cs.open(spec { { "trace", quantity = "x.12", arm = "small" }, "summary",
                           { "map", quantity = { "x.11", "x.3", -3, 3, -4, 5 } } })
run:step(100)
local a = run:report "arm/a/trace/names"
assert(a:find "^energy x.1 " and a:find " x.12$", a)
local seen, now = run:report "arm/a/trace/x.12/recent", run:arm(1):chain(1):shown()
assert(seen[1][#seen[1]] == now[12], "the recorded curve is not that of x.12")
local axes = run:report "arm/a/plane/axes"
assert(axes[1] == 11 and axes[2] == 3)
local view = run:report "arm/a/plane/view"
assert(view[1] == -3 and view[4] == 5)
assert(run:report "arm/a/energy/counts", "the other probes are there too")

-- The probes that a panel reads are active, even if the scenario switches off
-- all other probes.
local reads = { energy = "energy/counts", acceptance = "acceptance/chains", trace = "diagnostics/table",
                picture = "moments/mean", map = "plane/counts",
                ranks = "diagnostics/table" }
for panel, key in pairs(reads) do
  local narrow = cs.open(spec({ panel }, { "movement", only = true }))
  narrow:step(10)
  assert(narrow:report("arm/a/" .. key), panel .. " lacks " .. key)
  assert(panel == "energy" or not narrow:report "arm/a/energy/counts", "only = true is not kept to")
end

local wrong = {
  { { { "trac", quantity = "x.1" } }, "did you mean 'trace'" },
  { { { "trace", quantity = "x.99" } }, "no coordinate 'x.99'" },
  { { { "trace", quantity = { "x.1", "x.2" } } }, 'for example quantity = "x.1"' },
  { { { "trace", of = "x.1" } }, "write quantity" },
  { { { "trace", arm = "smal" } }, "did you mean 'small'" },
  { { { "map", quantity = { "x.1" } } }, "view is not a window" },
  { { { "marginal", quantity = "x.99" } }, "no coordinate 'x.99'" },
  { { { "pairs", quantity = { "x.1", "x.99" } } }, "no coordinate 'x.99'" },
  { { { "pairs", quantity = { 1, 2 } } }, "a list of coordinate names" },
  { { { "map", quantity = { "x.1", "y" } } }, "no coordinate 'y'" },
  { { { "summary", quantity = "x.1" } }, "only autocorrelation, distance, map" },
  { { { "race", quantity = "x.99" } }, "no coordinate 'x.99'" },
  { { { "race", quantity = { "x.1" } } }, 'for example quantity = "x.1"' },
  { { { "race", quantity = "x.1", name = "first" } }, "only a function or an expression has a name" },
  { { { "race", quantity = "x[1]^2" } }, "needs a target with `params`" },
  { { "trace", { "trace", quantity = "x.2" } }, "'trace' is listed twice" },
  { { { quantity = "x.1" } }, "there is no panel" },
}
for _, case in ipairs(wrong) do
  local ok, message = pcall(cs.open, spec(case[1]))
  assert(not ok and message:find(case[2], 1, true), case[2] .. " <> " .. tostring(message))
end
local ok, message = pcall(cs.open, spec({ { "map", quantity = { "x.1", "x.2" } } }, { plane = { x = 3, y = 4 } }))
assert(not ok and message:find "leave one of them out", message)

-- A race of a function: the function is a generated quantity of the target, with the values of the
-- same quantity returned by `generated`.
local function raced(screen, generated)
  return { target = cs.target { params = { { x = cs.real(2) }, { s = cs.positive() } },
             log_density = function(p) return cs.lpdf.normal(p.x, 0, 1) + cs.lpdf.exponential(p.s, 1) end,
             generated = generated },
           arms = { a = cs.kernel.random_walk { step = 1 } }, chains = 2, seed = 1, screen = screen }
end
local function loss(p) return p.x[1] ^ 2 + cs.math.exp(-p.s) end
local function own(p, rng) return { twice = 2 * p.s, noise = rng:normal(0, 1) } end
local cases = {
  { { "race", quantity = loss, name = "loss" }, "loss", function(p, rng) return { { noise = rng:normal(0, 1) }, { twice = 2 * p.s }, { loss = loss(p) } } end },
  { { "race", quantity = "x[1]^2 + exp(-s) + twice" }, "raced", function(p, rng) return { { noise = rng:normal(0, 1) }, { twice = 2 * p.s }, { raced = loss(p) + 2 * p.s } } end },
}
for _, case in ipairs(cases) do
  local by_panel, by_hand = cs.open(raced({ case[1] }, own)), cs.open(raced(nil, case[3]))
  assert(by_panel.coordinates[6] == case[2] and #by_panel.coordinates == 6, table.concat(by_panel.coordinates, " "))
  by_panel:step(50)
  by_hand:step(50)
  for _, name in ipairs { case[2], "noise", "twice" } do
    local a, b = by_panel:arm "a":figure("mean", name), by_hand:arm "a":figure("mean", name)
    assert(a == b and a == a, ("%s: %s %s"):format(name, a, b))
  end
end
for said, panel in next, {
  ["there is no quantity 'y' in the expression 'exp(y) + s'"] = { "race", quantity = "exp(y) + s" },
  ["'x[1' is not an expression"] = { "race", quantity = "x[1" },
  ["cannot be compared"] = { "race", quantity = function(p) return p.s > 1 and 1 or 0 end },
  ["'s' is invalid or already in use"] = { "race", quantity = loss, name = "s" },
} do
  local good, why = pcall(cs.open, raced { panel })
  assert(not good and tostring(why):find(said, 1, true), tostring(why) .. " does not say " .. said)
end
local good, why = pcall(cs.open, raced { { "race", quantity = loss }, { "race", quantity = "s^2" } })
assert(not good and tostring(why):find("'race' is listed twice", 1, true), why)
