-- Tests that each concept has one name, and that the written order is kept
-- everywhere. If an old name is used, the error gives the new name. Arms and
-- parameters keep the order in which they were written. States can be read by
-- position and by name.
local cs = require "chainscope"
local K, T, U = cs.kernel, cs.target, cs.tuner

-- ---- old names ----
local gauss = { target = T.gaussian { dim = 2 }, arms = { a = K.random_walk {} }, seed = 3, chains = 2 }
local function run() return cs.open(gauss) end
local function info()
  local r = run()
  r:step(1)
  return r:arm(1):chain(1):info()
end
local renamed = {
  { function() return K.dmala { weight = 1 } end, "balance" },
  { function() return K.edmala_glu { weight = 1 } end, "balance" },
  { function() return K.dmala { values = "one_hot" } end, "coding" },
  { function() return K.hmc { force = "single" } end, "gradient_precision" },
  { function() return K.hmc { gradient_precision = "single" } end, "float" },
  { function() return K.gwg { gradient_precision = "bytes" } end, "float" },
  { function() return K.gwg { gradient_precision = "int8" } end, "float" },
  { function() return K.random_walk { sites = 2 } end, "flips" },
  { function() return K.random_walk { reach = 2 } end, "radius" },
  { function() return K.gwg { reach = 2 } end, "radius" },
  { function() return K.parallel_tempering { kernel = K.mala {}, every = 2 } end, "swap_interval" },
  { function() return U.acceptance { target = 0.3 } end, "acceptance" },
  { function() return U.acs { test = 5 } end, "trial_steps" },
  { function() return U.acs { budget = 5 } end, "trials" },
  { function() return U.acs { weight_max = 0.9 } end, "balance_max" },
  { function() return T.logistic_regression { data = "challenger" } end, "file" },
  { function() return T.binary_network { test = "x.csv" } end, "held_out" },
  { function() return T.ising { graph = "x" } end, "file" },
  { function() return T.tsp { start = "identity" } end, "tours" },
  { function() return cs.network { units = { 4, 2, 4 } }:reconstruct { spoil = "noise" } end,
    "corruption" },
  { function() return cs.figure(run(), 1, "acceptance") end, "arm:figure(name, of)" },
  { function() return cs.judge(run(), {}) end, "run:judge(claims)" },
  { function() return run():coordinates() end, "#run.coordinates" },
  { function() return run().arms + 1 end, "#run.arms" },
  { function() return info().u end, "log_density" },
  { function() return info().u_proposal end, "log_density_proposed" },
  { function() return info().u_change end, "log_density_change" },
  { function() return info().log_u end, "log_uniform" },
  { function() return run():arm(1):set("sites", 2) end, "flips" },
  { function() return run():set "a.reach=2" end, "radius" },
  { function() return cs.open { target = gauss.target, arms = gauss.arms, probes = { "energy", others = true } } end,
    "only = true" },
}
for i, case in ipairs(renamed) do
  local ok, why = pcall(case[1])
  assert(not ok and why:find("write " .. case[2], 1, true) or not ok and case[2]:find "#" and
         why:find(case[2], 1, true), ("case %d: %s <> %s"):format(i, case[2], tostring(why)))
end

-- ---- order as written in the file -------------------------------------------
local function arms_of(arms)
  local names = {}
  for i, arm in ipairs(cs.open { target = gauss.target, arms = arms }.arms) do names[i] = arm.name end
  return table.concat(names, " ")
end
local function walk(step) return K.random_walk { step = step } end
for _ = 1, 20 do -- the order of keys may differ between tables
  assert(arms_of { small = walk(0.1), right = walk(1), large = walk(9),
                   tuned = { kernel = walk(1), tuner = U.acceptance {} } } == "small right large tuned")
end
local shared = walk(1)
assert(arms_of { zeta = { kernel = shared, tuner = U.acceptance {} },
                 alpha = { kernel = shared, tuner = U.acceptance {} } } == "zeta alpha")
assert(arms_of { { name = "z", kernel = walk(1) }, { name = "b", kernel = walk(2) } } == "z b")

local function density(p) return -p.s^2 - p.a^2 - cs.math.dot(p.b, p.b) end
for _, params in ipairs {
  { { s = cs.real() }, { b = cs.real(2) }, { a = cs.positive() } },
  { s = cs.real(), b = cs.real(2), a = cs.positive() },
} do
  local target = T { params = params, log_density = density,
                     generated = function(p) return { { z = p.s + 1 }, { q = p.a * p.b } } end }
  assert(table.concat(target.coordinates, " ") == "s b.1 b.2 a z q.1 q.2", table.concat(target.coordinates, " "))
  local r = cs.open { target = target, arms = { K.random_walk {} }, chains = 1, seed = 4,
                      start = { a = 0.5, b = { 1, 2 }, s = 3 } }
  local chain = r.arms[1].chains[1]
  local x, shown = chain:state(), chain:shown()
  assert(x[1] == 3 and x[2] == 1 and x[3] == 2 and math.abs(x[4] - math.log(0.5)) < 1e-15)
  assert(x.s == 3 and x.b[2] == 2 and math.abs(x.a - 0.5) < 1e-15 and x["q.2"] == shown["q.2"])
  assert(shown[1] == 3 and shown[3] == 2 and shown[5] == 4 and shown.z == 4 and shown["b.2"] == 2)
  assert(x.log_density == select(2, chain:state()) and shown.log_density == x.log_density)
  assert(#x == 4 and #shown == 7 and x[5] == nil)
  -- A state is accepted as a point, as a start and as the position of a chain.
  -- Values given by name are accepted too.
  assert(target:log_density(x) == x.log_density)
  assert(target:log_density { b = { 1, 2 }, a = 0.5, s = 3 } == x.log_density)
  assert(target:gradient { b = { 1, 2 }, a = 0.5, s = 3 }[1] == target:gradient(x)[1])
  r:step(50)
  chain:set_state(x)
  assert(chain:state().log_density == x.log_density)
  local draws = chain:draws()
  assert(draws[7]["q.1"] == draws[7][6] and #draws[7] == 7 and draws[7].log_density < 0)
  for _, wrong in ipairs { { function() return x.u end, "a state has no 'u'" },
                           { function() return draws[1].b end, "a draw has no 'b'" },
                           { function() chain:set_state { a = 1 } end, "set_state: s is missing" },
                           { function() chain:set_state { t = 1 } end, "set_state: there is no parameter 't'" },
                           { function() return target:gradient { s = 1 } end, "target:gradient: b is missing" },
                           { function() chain:draws(-1) end, "draws takes no argument" } } do
    local ok, why = pcall(wrong[1])
    assert(not ok and why:find(wrong[2], 1, true), wrong[2] .. " <> " .. tostring(why))
  end
end

-- ---- discrete states are integers -------------------------------------------
local r = cs.open { target = T.ising { rows = 2, cols = 2 }, arms = { K.gibbs {} }, chains = 1 }
r:step(3)
local chain = r.arms[1].chains[1]
for _, x in ipairs { chain:state(), chain:shown(), chain:draws()[1] } do
  for i = 1, 4 do assert(math.type(x[i]) == "integer") end
end
assert(math.type(run().arms[1].chains[1]:state()[1]) == "float")

-- ---- figures, rewind, lists ----
r = run()
local value, why = r.arms.a:figure "mode_tv"
assert(value == nil and why == "no steps were run", why)
r:step(30)
r:rewind(10)
assert(r.steps == 20)
r:rewind_to(5)
assert(r.steps == 5 and #r.arms == 1 and #r.arms.a.chains == 2 and r.coordinates[2] == "x.2")
r:set "a.step=0.25"
assert(r.arms.a.params.step == 0.25)
r.arms.a:set "step = 0.5"
assert(r.arms.a.params.step == 0.5)
local ok, text = pcall(function() return r.stepz end)
assert(not ok and text:find "did you mean 'step")
ok, text = pcall(function() return r.qqqqqqq end)
assert(not ok and text:find "use one of: .*arms, .*steps", text)

-- A long list of names ends at a whole name.
local many = {}
for i = 1, 60 do many["a_walk_with_number_" .. i] = walk(i) end
ok, text = pcall(cs.open, { target = T.gaussian { dim = 1 }, arms = many, claims = { { arm = "zzz", stat = "acceptance", at_least = 0 } } })
local hint = text:match "use one of: (.*)"
assert(not ok and hint, text)
local listed, rest = hint:match "^(.*) and (%d+) more$"
assert(listed, hint)
local n = 0
for name in listed:gmatch "[^ ,]+" do
  n = n + 1
  assert(many[name], name .. " is cut")
end
assert(n > 5 and n + rest == 60, hint)

-- ---- named probes are added; `only` restricts; panels and claims add probes ----
local function probes(t)
  local spec = { target = T.gaussian { dim = 2 }, arms = { a = walk(1) }, budget = { steps = 20 } }
  for k, v in pairs(t) do spec[k] = v end
  local opened, seen = cs.open(spec), {}
  opened:step(20)
  for key in pairs(opened:report()) do seen[key:match "^arm/a/(%w+)/"] = true end
  return seen, opened
end
local all = probes {}
local more = probes { probes = { "curvature" } }
assert(all.trace and all.energy and all.diagnostics and not all.curvature and more.curvature)
for name in pairs(all) do assert(more[name], name .. " is switched off") end
local few = probes { probes = { "energy", only = true } }
assert(few.energy and not few.trace and not few.diagnostics)
few = probes { probes = { only = true }, screen = { "trace", "map" } }
assert(few.trace and few.plane and not few.energy)
local seen, judged = probes { probes = { only = true }, claims = { { arm = "a", stat = "ess", at_least = 1e9 } } }
assert(seen.diagnostics and not seen.trace and judged:judge()[1].value > 0)

-- ---- budget per chain ----
local function evaluations(budget, chains)
  local one = cs.open { target = T.gaussian { dim = 2 }, arms = { walk(1), K.random_walk { step = 2 } },
                        chains = chains, budget = budget }
  while one:step(1000) == 1000 do end
  return one.arms[1].log_densities, one.steps
end
local _, of_arm = evaluations({ log_densities = 800 }, 8)
local _, of_chain = evaluations({ log_densities = 800, each = "chain" }, 8)
assert(of_arm < 110 and of_chain > 790 and of_chain < 810, of_arm .. " " .. of_chain)
for budget, want in pairs { [{ steps = 3, each = "run" }] = "unknown value each = 'run'" } do
  local good, said = pcall(evaluations, budget, 2)
  assert(not good and said:find(want, 1, true), said)
end
local good, said = pcall(cs.open, { target = T.gaussian {}, budget = { gradients = 9, each = "chain" },
                              arms = { { kernel = K.mala {}, chains = 2 }, { kernel = K.hmc {}, chains = 3 } } })
assert(not good and said:find("equal numbers of chains", 1, true), said)
