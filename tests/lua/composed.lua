-- Tests cycles and mixtures of kernels in scripts: members on named parameters and on coordinates,
-- their parameters and schedules, changes and journals of a run, wrappers, and refusals by name.
local cs = require "chainscope"
local M = cs.math

local function refused(what, hint, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok, "nothing is refused: " .. what)
  assert(text:find(what, 1, true) and text:find(hint, 1, true), text)
end

-- Two parameters with constraints; the joint density is a product.
local function model()
  return cs.target {
    params = { { mu = cs.real() }, { tau = cs.positive() }, { eta = cs.real(3) } },
    log_density = function(p)
      return -0.5 * (p.mu - 1) ^ 2 - p.tau - 0.5 * M.sum(p.eta * p.eta)
    end,
  }
end
local function bits() return cs.target { space = cs.binary(4), log_density = function(x) return x[1] + 0.5 * x[2] * x[3] - x[4] end } end
local function opened(target, kernel, fields)
  local t = { target = target, seed = 5, chains = 3, arms = { a = kernel } }
  for key, v in next, fields or {} do t[key] = v end
  return cs.open(t)
end
local function same(one, two)
  for c = 1, 3 do
    local x, y = one:arm("a"):chain(c):state(), two:arm("a"):chain(c):state()
    for i = 1, #x do assert(x[i] == y[i], i .. ", chain " .. c) end
  end
end

-- A member moves its own parameters only.
local still = 1e-12
local kernel = cs.kernel.cycle {
  cs.kernel.random_walk { on = { "mu", "tau" }, step = still },
  cs.kernel.mala { on = "eta", step = 0.8, times = 2 },
}
assert(kernel.name == "cycle(random_walk+mala)" and kernel["eta.step"] == 0.8 and kernel["mu_tau.step"] == still)
local run = opened(model(), kernel)
local x = run:arm("a"):chain(1):state()
run:step(50)
local y = run:arm("a"):chain(1):state()
assert(math.abs(x[1] - y[1]) < 1e-9 and math.abs(x[2] - y[2]) < 1e-9)
for i = 3, 5 do assert(math.abs(x[i] - y[i]) > 1e-9) end

-- Names, coordinates and a list of `on` beside the members mean the same.
local function pair(a, b, on)
  return cs.kernel.cycle {
    cs.kernel.random_walk { on = a, name = "first" }, cs.kernel.mala { on = b, name = "second", step = 0.8 }, on = on,
  }
end
local by_name, by_number = opened(model(), pair({ "mu", "tau" }, "eta")), opened(model(), pair({ 2, 1 }, { 3, 4, 5 }))
local beside = opened(model(), pair(nil, nil, { { "mu", "tau" }, { "eta.1", "eta.2", "eta.3" } }))
by_name:step(40)
by_number:step(40)
beside:step(40)
same(by_name, by_number)
same(by_name, beside)

-- Two steps of a member in one step of the whole are two steps of it.
local function twice(times) return cs.kernel.cycle { cs.kernel.mala { on = { "mu", "tau", "eta" }, times = times, step = 0.8 } } end
local one, two = opened(model(), twice(1)), opened(model(), twice(2))
one:step(20)
two:step(10)
same(one, two)

-- A member has a metric of its own: with variances of 100 its steps are ten times as long.
local function scaled(step, metric)
  return cs.kernel.cycle { cs.kernel.random_walk { on = { 1, 2, 3, 4, 5 }, step = step, metric = metric, name = "all" } }
end
one, two = opened(model(), scaled(1)), opened(model(), scaled(0.125, { 64, 64, 64, 64, 64 }))
one:step(20)
two:step(20)
same(one, two)

-- The means of a product are those of its factors, by a tree of kernels and around it.
local function tree()
  return cs.kernel.mixture {
    cs.kernel.cycle { cs.kernel.slice { on = "tau" }, cs.kernel.hmc { on = { "mu", "eta" }, step = 0.7 } },
    cs.kernel.nuts { on = { "mu", "tau", "eta" }, step = 0.6, name = "all" },
    weights = { 2, 1 },
  }
end
for _, k in ipairs { tree(), cs.kernel.simulated_tempering { rungs = 2, hottest = 2, learn = 200, kernel = tree() } } do
  run = opened(model(), k, { chains = 4, warmup = 200 })
  run:step(4200)
  local sum, n = { 0, 0, 0 }, 0
  for c = 1, 4 do
    for _, row in ipairs((run:arm("a"):chain(c):draws())) do
      n = n + 1
      for i = 1, 3 do sum[i] = sum[i] + row[i] end
    end
  end
  assert(n > 3000, n)
  for i, want in ipairs { 1, 1, 0 } do
    assert(math.abs(sum[i] / n - want) < 0.12, ("%d: %g"):format(i, sum[i] / n))
  end
end

-- Schedules of members; parameters can be set, rewound and replayed.
local function scheduled()
  return cs.kernel.cycle {
    cs.kernel.random_walk { on = "mu", step = { 0.5, 1.5 } }, cs.kernel.slice { on = { "tau", "eta" }, name = "rest" },
  }
end
run = opened(model(), scheduled())
run:step(10)
run:arm("a"):set("rest.width", 2.5)
run:arm("a"):set("mu.step", cs.schedule.cosine { max = 2, min = 1, period = 10 })
run:arm("a"):set("mu.step.max", 3)
run:step(10)
local other = opened(model(), scheduled())
other:replay(run:journal())
assert(other.steps == 20 and other:arm("a").params["rest.width"] == 2.5)
same(run, other)
run:step(1)
run:arm("a"):set("rest.width", 1)
run:step(5)
run:rewind(6) -- back to step 20
assert(run:arm("a").params["rest.width"] == 2.5)
same(run, other)

-- An arm may change to a cycle, also by the names of parameters.
run = opened(model(), cs.kernel.nuts { step = 0.5 })
run:step(5)
run:arm("a"):use(scheduled())
run:step(5)
assert(run:arm("a").params["rest.width"])

-- One kernel can be used with several targets, by several arms, inside a wrapper, and by arm:use.
local both = tree()
for _, k in ipairs { both, cs.kernel.simulated_tempering { rungs = 2, hottest = 2, kernel = both }, scheduled() } do
  one, two = opened(model(), k), opened(model(), k)
  local third = cs.open { target = model(), seed = 5, chains = 3, arms = { a = k, b = k } }
  for _, r in ipairs { one, two, third } do r:step(20) end
  same(one, two)
  same(one, third)
  two:arm("a"):use(k)
  third:arm("a"):use(k)
  two:step(20)
  third:step(20)
  same(two, third)
end
local points = cs.sweep {
  target = function() return model() end, arms = { a = tree() }, over = { ["a.all.step"] = { 0.5, 0.6 } },
  chains = 2, budget = { steps = 50 },
}
assert(#points == 2)

-- Discrete coordinates by number.
run = opened(bits(), cs.kernel.cycle { cs.kernel.gibbs { on = { 1, 2 }, times = 2 }, cs.kernel.dmala { on = { 4, 3 }, name = "rest" } })
run:step(30)

-- The report has the statistics of each member, and the share of the time.
local report = run:arm("a"):report "kernel/members"
assert(#report == 2 and #report[1] == 7)

-- Refusals by name.
local walk = cs.kernel.random_walk
refused("cs.kernel.cycle needs at least one kernel", "cs.kernel.NAME", cs.kernel.cycle, {})
refused("member 1, random_walk, moves no parameter", "cs.kernel.random_walk { on =", cs.kernel.cycle, { walk {} })
refused("member 2 is a number, not a kernel", "cs.kernel.NAME", cs.kernel.cycle, { walk { on = "mu" }, 3 })
refused("two members have the name mu", "name = \"mu_2\"", cs.kernel.cycle, { walk { on = "mu" }, cs.kernel.mala { on = "mu" } })
refused("'on' has mu twice", "", cs.kernel.random_walk, { on = { "mu", "mu" } })
refused("'on' has names and numbers", "names only", cs.kernel.random_walk, { on = { "mu", 2 } })
refused("entry 1 of 'on' is a table", "on = { \"mu\" }", cs.kernel.random_walk, { on = { {} } })
refused("there is no coordinate 4294967297", "from 1", cs.kernel.random_walk, { on = { 1, 4294967297 } })
refused("entry 1 of 'on' is 0", "a coordinate from 1", cs.kernel.random_walk, { on = 0 })
refused("'on' must be a list", "on = { 1, 2 }", cs.kernel.random_walk, { on = {} })
refused("times", "", cs.kernel.random_walk, { on = "mu", times = 0 })
refused("'name' must be a word", "labels", cs.kernel.random_walk, { on = "mu", name = "a.b" })
refused("'on' must have an entry for each of the 2 members", "on = {", cs.kernel.cycle, { walk {}, walk {}, on = { "mu" } })
refused("member 1 has 'on' twice", "", cs.kernel.cycle, { walk { on = "mu" }, on = { "tau" } })
refused("cs.kernel.cycle has no weights", "cs.kernel.mixture", cs.kernel.cycle, { walk { on = "mu" }, weights = { 1 } })
refused("'weights' must be a list of 1", "", cs.kernel.mixture, { walk { on = "mu" }, weights = { 1, 2 } })
refused("the weight of the member mu must be a positive number, not -1", "", cs.kernel.mixture, { walk { on = "mu" }, weights = { -1 } })
refused("has no field 'weight'", "weights", cs.kernel.mixture, { walk { on = "mu" }, weight = { 1 } })
refused("csgld cannot be the member mu: it uses more of the target", "random_walk", cs.kernel.cycle, { cs.kernel.csgld { on = "mu" } })
refused("it changes the temperature", "around the cycle", cs.kernel.cycle,
        { cs.kernel.parallel_tempering { kernel = walk {}, on = "mu" } })
refused("metric: entry 1 is a string", "give numbers", cs.kernel.mala, { on = "mu", metric = { "a" } })
local function open(target, k) return function() opened(target, k) end end
refused("arm a: the member mu_nu: the target has no parameter 'nu'", "mu", open(model(), cs.kernel.cycle { walk { on = { "mu", "nu" } } }))
refused("no member moves eta.1", "'on' of a member", open(model(), cs.kernel.cycle { walk { on = { "mu", "tau" } } }))
refused("arm a: 'on' is for the members", "cs.kernel.cycle", open(model(), walk { on = "mu" }))
refused("kernel gibbs cannot move target mu", "", open(model(), cs.kernel.cycle { cs.kernel.gibbs { on = "mu" }, walk { on = { "tau", "eta" } } }))
refused("arm a: 'times' of a kernel is for the members", "leave it out", open(model(), cs.kernel.cycle { walk { on = { "mu", "tau", "eta" } }, times = 2 }))
refused("arm a: 'metric' of a kernel is for the members", "beside the kernel", open(model(), walk { metric = { 1 } }))
refused("not positive definite", "", cs.kernel.cycle,
        { walk { on = "mu", metric = { 1 } }, walk { on = { "tau", "eta" }, metric = { { 1, 2 }, { 2, 1 } } } })
refused("the metric of the member mu is that of 2 coordinates, but it moves 1", "",
        open(model(), cs.kernel.cycle { walk { on = "mu", metric = { 1, 2 } }, cs.kernel.slice { on = { "tau", "eta" } } }))
refused("has no coordinate 7", "", open(model(), cs.kernel.cycle { walk { on = { 7 } } }))
refused("no parameter or coordinate 'mu'", "x.1 ... x.4", open(bits(), cs.kernel.cycle { cs.kernel.gibbs { on = "mu" } }))

-- A long list of coordinates that a member moves ends in "...".
local odd, even = {}, {}
for i = 1, 199, 2 do odd[#odd + 1], even[#even + 1] = i, i + 1 end
local long = cs.target { space = cs.binary(200), log_density = function(x) return M.sum(x) end }
run = cs.open { target = long, seed = 1, arms = { a = cs.kernel.cycle {
  cs.kernel.gibbs { on = odd, name = "odd" }, cs.kernel.gibbs { on = even, name = "even" } } } }
run:step(1)
local moves = run:arm("a"):report "kernel/member/0/moves"
assert(moves:find("^x.1, x.3, x.5, ") and moves:find(", x.%d+, %.%.%.$") and #moves > 200 and #moves < 256, moves)
