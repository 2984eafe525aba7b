-- Compares the figures of an open run, for all chains and for samples of the
-- chains, with values computed from the chains' states. The definition of each
-- figure is tested in tests/unit/test_figures.c.
local cs = require "chainscope"
local core = require "chainscope.core"

local function near(a, b, what)
  assert(a == a and math.abs(a - b) <= 1e-12 * math.max(1, math.abs(b)), ("%s: %.15g is not %.15g"):format(what, a, b))
end

local run = cs.open(cs.scenario {
  title = "Figures", shows = "what they are of", target = cs.target.gaussian { dim = 3 },
  arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.mala { step = 0.5 } }, chains = 8, seed = 3,
  probes = { "moments", "diagnostics", means = { every = 10 } }, budget = { steps = 400 },
})
run:step(400)
local arm = run:arm "a"

local function ask(facts, name, ...) return (core.figure(facts, name, ...)) end
local function tallied(list, what)
  local n, steps = 0, 0
  for _, i in ipairs(list) do
    local t = arm:chain(i):tally()
    n, steps = n + t[what], steps + t.steps
  end
  return n / steps
end

local whole = core.facts(run, 1, 4)
local all = { 1, 2, 3, 4, 5, 6, 7, 8 }
near(ask(whole, "acceptance"), tallied(all, "accepted"), "acceptance")
near(arm:figure "moved", tallied(all, "moved"), "moved")

-- There are four groups, and group g contains the chains g and g + 4. The
-- sample contains group 1 once and group 3 twice.
local part, list = core.facts_of_sample(whole, 4, { 1, 3, 3 }), { 1, 5, 3, 7, 3, 7 }
near(ask(part, "acceptance"), tallied(list, "accepted"), "acceptance of a sample")
near(ask(part, "gradients"), arm.gradients / (arm.steps * 8), "gradients of a step")
local passes = ask(part, "passes")
assert(passes ~= passes, "there are no rows")
near(ask(part, "failed"), 0, "no chain has failed")

-- If one group is left out, the figure equals that of the remaining chains.
local without = core.facts_of_sample(whole, 4, { 1, 3, 4 }, 2)
local mean, n = 0, 0
for _, i in ipairs { 1, 5, 3, 7, 4, 8 } do
  for _, row in ipairs((arm:chain(i):draws())) do mean, n = mean + row[1], n + 1 end
end
assert(math.abs(ask(without, "mean", 1) - mean / n) < 0.05, "the mean without a group")

-- Tests the worst value over all quantities, and the name of the quantity with
-- this value. A sample uses the same quantity.
local worst, at = core.figure(whole, "ess")
for k = 0, 3 do assert(worst <= ask(whole, "ess", k), k) end
near(worst, ask(whole, "ess", at), "the worst is that one's")
near(ask(without, "ess", nil, at), ask(without, "ess", at), "of the sample")

-- A figure relative to another arm always uses all chains of that arm.
local other = core.facts(run, 2)
local off = 0
for i = 1, 8 do
  local x, y = arm:chain(i):state(), run:arm "b":chain(i):state()
  for k = 1, 3 do off = math.max(off, math.abs(x[k] - y[k])) end
end
near(ask(whole, "apart", 2), off, "apart")
near(ask(whole, "mse_at", { work = 200, unit = "steps", arm = 2 }), arm:figure("mse_at", "200 steps from b"), "from an arm")
assert(ask(other, "acceptance") ~= ask(whole, "acceptance"))

-- Invalid queries.
for _, bad in ipairs { { "speed" }, { "mean" }, { "ess", "x.9" }, { "acceptance", 1 }, { "mse_at", "1e6 lines" }, { "mse_at", "-3 rows" },
                       { "mean_accuracy_at", "5 steps from b" }, { "apart", "c" }, { "mean", "x" } } do
  assert(not pcall(arm.figure, arm, bad[1], bad[2]), bad[1])
end
for _, groups in ipairs { 0, 33 } do assert(not pcall(core.facts_of_sample, whole, groups, { 1 }), groups) end
assert(not pcall(core.facts_of_sample, whole, 4, { 5 }))

-- The facts that core.facts returns describe the run at the time of the call. They remain valid
-- when no variable refers to the run any more.
local kept = ask(whole, "mean", 1)
run:step(10)
near(ask(whole, "mean", 1), kept, "kept")

-- The effective size of one coordinate does not need the diagnosis of all
-- coordinates. Panels ask for it between two pictures.
local wide = cs.open(cs.scenario {
  title = "Wide", shows = "the time of one figure", target = cs.target.gaussian { dim = 1000 },
  arms = { a = cs.kernel.random_walk { step = 0.1 } }, chains = 4, seed = 3,
  probes = { "diagnostics", only = true }, budget = { steps = 400 },
})
wide:step(400)
local function seconds_of(of)
  local facts, from = core.facts(wide, 1), os.clock()
  core.figure(facts, "ess", of)
  return os.clock() - from
end
local one, every = seconds_of(1), seconds_of(nil)
assert(one < every / 4, ("one coordinate took %g s, all took %g s"):format(one, every))
