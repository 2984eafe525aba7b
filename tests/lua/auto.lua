-- Tests kernels that are chosen from the model: which kernel moves which parameter, fixed
-- parameters, exact answers of two models, and refusals by name.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local function refused(what, hint, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok, "nothing is refused: " .. what)
  assert(text:find(what, 1, true) and text:find(hint, 1, true), text)
end

local y = { 5, 3, 6, 4, 4, 7, 5, 2, 6, 3, 1, 2, 0, 3, 1, 1, 2, 0, 1, 2 }
local function change_point()
  return cs.target {
    params = { { k = cs.integer(1, 19) }, { rate = cs.positive(2) } },
    log_density = function(p)
      local u = lpdf.gamma(p.rate, 2, 1)
      for i = 1, #y do u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)]) end
      return u
    end,
  }
end

local z = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }
local function mixture()
  return cs.target {
    params = { { mu = cs.real(2) }, { z = cs.label(2, #z) } },
    log_density = function(p)
      return lpdf.categorical(p.z, { 0.35, 0.65 }) + lpdf.normal(p.mu, { -1, 1.5 }, 1.5) +
             lpdf.normal(z, M.gather(p.mu, p.z), 1)
    end,
  }
end

local function opened(target, kernel, fields)
  local t = { target = target, seed = 5, chains = 8, arms = kernel and { auto = kernel } }
  for key, v in next, fields or {} do t[key] = v end
  return cs.open(t)
end
local function says(run, ...)
  local text = run:summary()
  for _, line in ipairs { ... } do assert(text:find(line, 1, true), text .. "\nis without\n" .. line) end
end
local function has(run, name) return run:arm("auto").params[name] ~= nil end

-- Returns the means of the functions in `of` over all draws of all chains.
local function means(run, of)
  local sum, n = {}, 0
  for c = 1, 8 do
    local draws = run:arm("auto"):chain(c):draws()
    for i = 1, #draws do
      for j, f in ipairs(of) do sum[j] = (sum[j] or 0) + f(draws[i]) end
    end
    n = n + #draws
  end
  for j = 1, #of do sum[j] = sum[j] / n end
  return sum
end
local function near(what, x, exact, within) assert(math.abs(x - exact) < within, ("%s: %.5f, not %.5f"):format(what, x, exact)) end

-- A scenario without arms, whose answer is known exactly.
local run = opened(change_point())
run:step(6000)
says(run, "auto: nuts (in 25 % of the steps) and independence move rate (2 real coordinates)",
     "k (1 site of 19 values) is summed out and drawn again", "auto: the warm-up tunes the step and the metric of each member",
     "tuned by window_adaptation in 1000 steps: rate.step", "member rate_jump (independence): acceptance 0.")
local found = means(run, { function(x) return x.k end, function(x) return x["rate.1"] end, function(x) return x["rate.2"] end })
near("k", found[1], 9.9041337, 0.05)
near("rate.1", found[2], 4.2414490, 0.03)
near("rate.2", found[3], 1.4307385, 0.02)
-- The step was 0.1; its member accepts as nuts should.
local step = run:arm("auto").params["rate.step"]
assert(step > 0.12 and step < 2, step)

run = opened(mixture(), cs.kernel.auto {})
run:step(6000)
says(run, "independence move mu (2 real coordinates)", "z (8 sites of 2 values) is summed out and drawn again")
found = means(run, { function(x) return x["mu.1"] end, function(x) return x["z.3"] == 2 and 1 or 0 end })
near("mu.1", found[1], -0.9891141, 0.03)
near("P(z.3 = 2)", found[2], 0.3941836, 0.01)

-- Sites that depend on each other are swept; a given kernel makes the density of mu change from step to
-- step, so that independence cannot learn it.
local function pairs_of_bits()
  return cs.target {
    params = { { mu = cs.real() }, { b = cs.bit(3) } },
    log_density = function(p) return lpdf.normal(p.mu, p.b[1] * p.b[2] + p.b[3], 1) end,
  }
end
run = opened(pairs_of_bits())
says(run, "auto: nuts moves mu (1 real coordinate)", "auto: gibbs moves b (3 sites of 2 values)", "each site once per step")
local function with_count()
  return cs.target {
    params = { { mu = cs.real(2) }, { b = cs.bit(3) }, { n = cs.integer(1, 4) } },
    log_density = function(p) return lpdf.normal(p.mu, { 0, 1 }, 1) + M.sum(p.b * p.mu[1]) - p.n * p.mu[2] ^ 2 end,
  }
end
run = opened(with_count())
says(run, "auto: nuts moves mu (2 real coordinates): log p has a gradient; b (3 sites of 2 values) is summed out and drawn again",
     "auto: gibbs moves n (1 site of 4 values)")
run = opened(with_count(), cs.kernel.auto { n = cs.kernel.random_walk {} })
says(run, "auto: nuts moves mu (2 real coordinates): log p has a gradient; b", "auto: random_walk moves n, as given")
run:step(2000)
near("b.1", means(run, { function(x) return x["b.1"] end })[1], 0.9010713, 0.03)

-- Real parameters only: nuts with its own warm-up, as if it had been given.
local function plane() return cs.target.gaussian { dim = 2 } end
run = opened(plane())
local given = opened(plane(), cs.kernel.nuts {})
run:step(1200)
given:step(1200)
says(run, "auto: nuts moves all coordinates (2 real coordinates)", "tuned by window_adaptation in 1000 steps")
for c = 1, 8 do
  local a, b = run:arm("auto"):chain(c):state(), given:arm("auto"):chain(c):state()
  assert(a[1] == b[1] and a[2] == b[2])
end

-- Bits without names: each once per step.
local bits = cs.target { space = cs.binary(4), log_density = function(x) return x[1] + 0.5 * x[2] * x[3] - x[4] end }
run = opened(bits)
run:step(4000)
assert(run:arm("auto").site_differences >= 4 * 8 * 4000)
found = means(run, { function(x) return x[1] end, function(x) return x[4] end })
near("x.1", found[1], 1 / (1 + math.exp(-1)), 0.01)
near("x.4", found[2], 1 / (1 + math.exp(1)), 0.01)

-- Parts of the choice are given; whole numbers in a wide range; a constraint.
local function wide()
  return cs.target {
    params = { { b = cs.bit(3) }, { n = cs.integer(1, 5000) }, { w = cs.simplex(3) }, { s = cs.positive() }, { c = cs.bit() } },
    log_density = function(p) return M.sum(p.b) * p.c - (p.n - 2500) ^ 2 / 2e4 + M.sum(M.log(p.w)) - p.s end,
  }
end
local at = { b = { 0, 1, 1 }, n = 2600, w = { 0.2, 0.3, 0.5 }, s = 1, c = 1 }
run = opened(wide(), cs.kernel.auto { s = cs.kernel.slice {}, b = cs.kernel.locally_balanced {} })
assert(has(run, "n_far.radius") and has(run, "n_near.radius") and has(run, "w.step") and has(run, "s.width") and not has(run, "s.step"))
run:step(2000)
says(run, "auto: locally_balanced moves b, as given", "auto: slice moves s, as given", "c (1 site of 2 values) is summed out",
     "auto: random_walk moves n (1 site of 5000 values) by up to 625 and by up to 17", "auto: nuts moves w (2 real coordinates)")
near("n", means(run, { function(x) return x.n end })[1], 2500, 15)
assert(run:arm("auto").site_differences > 8 * 3 * 2000)

-- Groups: b and c have one member.
run = opened(wide())
says(run, "auto: gibbs moves b, c (4 sites of 2 values)", "auto: nuts moves w, s (3 real coordinates)")

-- Fixed parameters keep the values of the start; the others move.
run = opened(wide(), cs.kernel.auto { fixed = { "n", "w" } }, { start = at })
run:step(1200)
says(run, "auto: n keeps its value of start", "auto: w keeps its value of start")
local moved = {}
for c = 1, 8 do
  local draws = run:arm("auto"):chain(c):draws()
  for i = 1, #draws do
    assert(draws[i].n == 2600 and math.abs(draws[i]["w.3"] - 0.5) < 1e-12)
    if i > 1 then moved.s, moved.b = moved.s or draws[i].s ~= draws[1].s, moved.b or draws[i]["b.1"] ~= draws[1]["b.1"] end
  end
end
assert(moved.s and moved.b)

-- A cycle written by hand gets the tuner of its member nuts; others keep their step.
local function by_hand(fields) return opened(change_point(), cs.kernel.cycle { cs.kernel.nuts { on = "rate" }, cs.kernel.gibbs { on = "k" } }, fields) end
run = by_hand()
run:step(1100)
says(run, "tuned by window_adaptation in 1000 steps: rate.step")
run = by_hand { warmup = 0 }
run:step(10)
assert(run:arm("auto").params["rate.step"] == 0.1)
run = opened(wide(), cs.kernel.cycle { cs.kernel.nuts { on = "s" }, cs.kernel.random_walk { on = "w", step = 0.3 },
  cs.kernel.gibbs { on = { "b", "c" } }, cs.kernel.random_walk { on = "n", radius = 100 } })
run:step(1100)
assert(run:arm("auto").params["w.step"] == 0.3 and run:arm("auto").params["s.step"] ~= 0.1)

-- Many bits that are all coupled: a sweep costs more than a hundred evaluations, so dmala moves
-- them all, with a step that the warm-up tunes, and gibbs some in turn. Without fields each bit is 1
-- in half of the states. Bits in pairs are cheap, and stay with a sweep.
local function coupled(pairs_only)
  local n, w = 60, {}
  for i = 1, n do
    w[i] = {}
    for j = 1, n do w[i][j] = i ~= j and 0.02 * math.sin(i * j) or 0 end
  end
  return cs.target { params = { { z = cs.bit(n) }, { m = cs.real() } }, log_density = function(p)
    local s = 2 * p.z - 1
    if pairs_only then return 0.2 * M.sum(M.slice(s, 1, n - 1) * M.slice(s, 2, n)) - 0.5 * p.m ^ 2 end
    return 0.5 * M.dot(s, M.product(w, s)) - 0.5 * (p.m - p.z[1]) ^ 2
  end }
end
run = opened(coupled(), nil, { warmup = 200 })
run:step(900)
says(run, "auto: dmala and gibbs move z (60 sites of 2 values): a sweep of gibbs costs 1", "evaluations of log p", "gibbs redraws 8 sites in turn",
     "auto: nuts moves m", "auto: the warm-up tunes the step and the metric of each member")
local guided = run:arm("auto").params["z_all.step"]
assert(guided ~= cs.kernel.dmala {}.step and guided > 0.05, guided)
found = means(run, { function(x) return x["z.1"] end, function(x) return x["z.37"] end, function(x) return x.m end })
for i = 1, 3 do near("half of the bits", found[i], 0.5, 0.06) end
run = opened(coupled(true))
says(run, "auto: gibbs moves z (60 sites of 2 values)", "each site once per step")
assert(not has(run, "z_all.step"))

-- Refusals by name.
local auto = cs.kernel.auto
local function open(target, kernel, fields) return function() opened(target, kernel, fields) end end
refused("'fixed' must be a list", "fixed = {", auto, { fixed = "k" })
refused("entry 1 of 'fixed' is a number", "fixed = {", auto, { fixed = { 1 } })
refused("entry 1 has no name", "cs.kernel.gibbs", auto, { cs.kernel.gibbs {} })
refused("'z' is a number, not a kernel", "z = cs.kernel.NAME", auto, { z = 1 })
refused("the target has no parameter 'rates'", "'rate'", open(change_point(), auto { rates = cs.kernel.slice {} }))
refused("the target has no parameter 'j'", "k", open(change_point(), auto { fixed = { "j" } }))
refused("the target has no parameter 'z'", "no names", open(bits, auto { z = cs.kernel.gibbs {} }))
refused("'k' is fixed and has a kernel", "one of them", open(change_point(), auto { k = cs.kernel.gibbs {}, fixed = { "k" } }))
refused("'k' is fixed, but `start` does not give its value", "start = { k =", open(change_point(), auto { fixed = { "k" } }))
refused("all parameters are fixed", "'fixed'", open(change_point(), auto { fixed = { "k", "rate" } }, { start = { k = 4, rate = { 1, 2 } } }))
refused("the kernel of 'k' has 'on'", "leave it out", open(change_point(), auto { k = cs.kernel.gibbs { on = "k" } }))
refused("kernel gibbs cannot move target rate", "", open(change_point(), auto { rate = cs.kernel.gibbs {} }))
refused("cannot be the member k: it changes the temperature", "", open(change_point(), auto { k = cs.kernel.parallel_tempering { kernel = cs.kernel.random_walk {} } }))
refused("cs.kernel.auto cannot be a member", "kernel of an arm", cs.kernel.cycle, { auto {}, on = { "k" } })
refused("cannot wrap cs.kernel.auto", "name the kernel", cs.kernel.parallel_tempering, { kernel = auto {} })
refused("no member moves k", "'on' of a member", open(change_point(), cs.kernel.cycle { cs.kernel.nuts { on = "rate" } }))
refused("a run needs an arm", "leave out `arms`", open(change_point(), nil, { arms = {} }))
run = opened(change_point())
refused("is chosen when a run is opened", "arms = {", function() run:arm("auto"):use(auto {}) end)
