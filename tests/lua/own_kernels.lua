-- Tests user-defined kernels: their random numbers, the functions of a target
-- that they may call, algorithm 1 as four functions, and models of data whose
-- normalising constant is unknown.
local cs = require "chainscope"

local function fails(pattern, f, ...)
  local good, text = pcall(f, ...)
  assert(not good, "no error: " .. pattern)
  assert(tostring(text):find(pattern), tostring(text) .. "\nand not " .. pattern)
end

-- ---- results are unchanged, bit for bit -------------------------------------
local function walk(x, draw, p)
  local y = { x[1] + p.step * draw:normal(), x[2] + p.step * (draw:uniform() - 0.5) }
  if draw:below(3) == 1 then y[1] = y[1] + 0.1 * draw:normal() end
  return y
end
local function jump(x, draw)
  local y = {}
  for i = 1, 2 do y[i] = x[i] * math.exp(0.5 * draw:normal()) end
  if draw:below(2) == 1 then y[1] = -y[1] end
  return y
end
local function jump_log_q(x, y)
  local s = 0
  for i = 1, 2 do s = s - math.log(math.abs(y[i])) - math.log(math.abs(y[i] / x[i]))^2 / 0.5 end
  return s
end
do
  local before = {
    { "walk", 1, -0x1.f25d10acd5ec7p-1, 0x1.ad21976b59ea1p-3 },
    { "walk", 2, 0x1.94b78609302b2p-1, -0x1.b9a6b82043746p-1 },
    { "walk", 3, 0x1.b55fed9f5e10dp-1, -0x1.d2d990ed7abdcp-1 },
    { "jump", 1, -0x1.055b688a447bcp-2, -0x1.96e181f4f8d82p-1 },
    { "jump", 2, 0x1.4f3089df0e886p+0, -0x1.26c8c1d6ddb5fp-1 },
    { "jump", 3, 0x1.98e29a9c5559p-1, -0x1.8652cdbebb141p-3 },
  }
  local run = cs.open { target = cs.target.gaussian { dim = 2 }, chains = 3, seed = 5, start = { 0.5, -0.25 },
    arms = { walk = cs.kernel { params = { step = 0.7 }, propose = walk },
             jump = cs.kernel { propose = jump, log_q = jump_log_q } } }
  run:step(100)
  for _, row in ipairs(before) do
    local x = run.arms[row[1]]:chain(row[2]):state()
    assert(x[1] == row[3] and x[2] == row[4], row[1])
  end
end

-- ---- draws ------------------------------------------------------------------
-- A kernel may draw any number of random numbers. They are the same after a
-- rewind, and their means are correct.
do
  local sum, n = { 0, 0, 0, 0 }, 0
  local run = cs.open { target = cs.target.gaussian { dim = 1 }, arms = { a = cs.kernel {
    propose = function(x, draw)
      for _ = 1, 300 do
        n = n + 1
        sum[1] = sum[1] + draw:exponential()
        sum[2] = sum[2] + draw:poisson(3.5)
        sum[3] = sum[3] + draw:normal()^2
        sum[4] = sum[4] + draw:poisson(400)
      end
      return { x[1] + draw:normal() }
    end } } }
  run:step(10)
  local x = run.arms.a:chain(1):state()[1]
  run:step(20)
  run:rewind(20)
  assert(run.arms.a:chain(1):state()[1] == x)
  run:step(20)
  local mean, sd = { 1, 3.5, 1, 400 }, { 1, 3.5^0.5, 2^0.5, 20 }
  assert(n >= 300 * 50 * #run.arms.a.chains) -- a rewind repeats some steps
  for i = 1, 4 do assert(math.abs(sum[i] / n - mean[i]) < 5 * sd[i] / (n / 2)^0.5, i) end
end

-- ---- evaluations that a kernel may request, and their counts ----------------
do
  local table_of = { y = { 1, 2, 3 }, x = { 0.5, -1, 2 } }
  local target = cs.target { space = cs.real(1), data = table_of,
    prior = function(x) return -x[1]^2 / 2 end,
    term = function(x, row) return -(row.y - row.x * x[1])^2 / 2 end }
  local function by_hand(x)
    local s = -x^2 / 2
    for i = 1, 3 do s = s - (table_of.y[i] - table_of.x[i] * x)^2 / 2 end
    return s
  end
  local asked = false
  local run = cs.open { target = target, chains = 1, arms = { a = cs.kernel {
    propose = function(x, draw, _, t)
      local near = function(a, b) assert(math.abs(a - b) < 1e-12 * (1 + math.abs(b)), a .. " and " .. b) end
      if not asked then
        asked = true
        assert(t:rows() == 3)
        near(t:log_density(x), by_hand(x[1]))
        local g, logp = t:gradient(x)
        near(logp, by_hand(x[1]))
        local want = -x[1]
        for i = 1, 3 do want = want + table_of.x[i] * (table_of.y[i] - table_of.x[i] * x[1]) end
        near(g[1], want)
        near(t:log_prior { 2 }, -2)
        near(t:prior_gradient({ 2 })[1], -2)
        near(t:term({ 2 }, 3), -0.5)
        near(t:terms({ 2 }, { 3, 1 })[2], 0)
        near(t:slope({ 2 }, { 3, 3 }, { 1, 0.5 })[1], -3)
        fails("there is no row 4", t.term, t, x, 4)
        fails("has no bounds for rows", draw.row, draw)
        fails("unknown factor", t.log_factor, t, x, {})
        fails("the state is a no value", t.log_density, t)
      end
      return { x[1] + draw:normal() }
    end } } }
  run:step(1)
  assert(asked)
  local arm = run.arms.a
  -- The gradient is evaluated once. The terms of all three rows are evaluated several times,
  -- and 5 terms are evaluated singly: 1 by t:term, 2 by t:terms and 2 by t:slope.
  assert(arm.gradients == 1, arm.gradients)
  assert(arm.data_terms % 3 == 2, arm.data_terms)
end

-- ---- algorithm 1: a PoissonMH written in Lua equals the built-in one --------
local function own_poisson(invert)
  return cs.kernel { params = { step = 0.3, lambda = 0.05 }, rows = "range",
    propose = function(x, _, draw, p)
      local y = {}
      for i = 1, #x do y[i] = x[i] + p.step * draw:single_normal() end
      return y
    end,
    omega2 = function(x, _, _, draw, p, t)
      local all, kept = t:bound(), {}
      local ratio = p.lambda * all
      for _ = 1, draw:poisson(p.lambda * all * all + all) do
        local row, coin = draw:row()
        local width, low = t:bound(row)
        if coin * ((ratio + 1) * width) < ratio * width + (t:term(x, row) - low) then kept[#kept + 1] = row end
      end
      return kept
    end,
    log_ratio = function(x, y, _, kept, p, t)
      local ratio = p.lambda * t:bound()
      local here, there, sum = t:terms(x, kept), t:terms(y, kept), t:log_prior(y) - t:log_prior(x)
      for i, row in ipairs(kept) do
        local width, low = t:bound(row)
        sum = sum + math.log((ratio * width + there[i] - low) / (ratio * width + here[i] - low))
      end
      return invert and -sum or sum
    end }
end
do
  local target = cs.target.robust_regression {}
  local run = cs.open { target = target, chains = 3, seed = 3,
    arms = { c = cs.kernel.poisson_mh { step = 0.3, lambda = 0.05 }, own = own_poisson(), wrong = own_poisson(true) } }
  for _ = 1, 40 do
    run:step(5)
    for k = 1, 3 do
      local c, own = run.arms.c:chain(k), run.arms.own:chain(k)
      local x, y = c:state(), own:state()
      for i = 1, target.dim do assert(x[i] == y[i], run.steps) end
      local a, b = c:info(), own:info()
      assert(math.abs(a.log_ratio - b.log_ratio) < 1e-9 * (1 + math.abs(a.log_ratio)))
      assert(math.abs(a.log_aux - b.log_aux) < 1e-9 * (1 + math.abs(a.log_aux)))
      assert(a.log_uniform == b.log_uniform)
    end
  end
  local same = true
  for k = 1, 3 do same = same and run.arms.c:chain(k):state()[1] == run.arms.wrong:chain(k):state()[1] end
  assert(not same)
end

-- ---- a model without its normalising factor ---------------------------------
-- Four spins on a ring have the coupling theta. Data are drawn from a list of
-- all states.
local spins, states = 4, {}
for s = 0, 2^spins - 1 do
  local y, near = {}, 0
  for i = 1, spins do y[i] = 2 * (s >> (i - 1) & 1) - 1 end
  for i = 1, spins do near = near + y[i] * y[i % spins + 1] end
  states[s + 1] = { y = y, near = near }
end
local function ring(y)
  local near = 0
  for i = 1, spins do near = near + y[i] * y[i % spins + 1] end
  return near
end
local function log_z(theta)
  local sum = 0
  for _, s in ipairs(states) do sum = sum + math.exp(theta[1] * s.near) end
  return math.log(sum)
end
local function simulate(theta, draw)
  local u, sum = draw:uniform(), 0
  local z = math.exp(log_z(theta))
  for _, s in ipairs(states) do
    sum = sum + math.exp(theta[1] * s.near) / z
    if u < sum then return s.y end
  end
  return states[#states].y
end
local function sweep(theta, y, draw)
  local function site(i)
    local field = y[i % spins + 1] + y[(i + spins - 2) % spins + 1]
    y[i] = draw:uniform() * (1 + math.exp(-2 * theta[1] * field)) < 1 and 1 or -1
  end
  for i = 1, spins do site(i) end
  for i = spins, 1, -1 do site(i) end
  return y
end
local function model(fields)
  local t = { space = cs.real(1), data = { 1, 1, -1, 1 }, prior = function(x) return -x[1]^2 / 2 end,
    log_factor = function(x, y) return x[1] * ring(y) end, simulate = simulate, sweep = sweep }
  for name, f in next, fields or {} do t[name] = f or nil end
  return cs.target(t)
end

local function own_exchange(fields)
  local k = { params = { step = 0.8 },
    propose = function(x, _, draw, p) return { x[1] + p.step * draw:single_normal() } end,
    omega2 = function(_, y, _, draw) return draw:simulate(y) end,
    log_ratio = function(x, y, _, w, _, t)
      return t:log_prior(y) - t:log_prior(x) + t:log_factor(x, w) - t:log_factor(y, w)
    end }
  for name, f in next, fields or {} do k[name] = f end
  return cs.kernel(k)
end
do
  local run = cs.open { target = model(), chains = 3, seed = 8,
    arms = { c = cs.kernel.exchange { step = 0.8 }, own = own_exchange() } }
  run:step(300)
  local c, own = run.arms.c, run.arms.own
  for k = 1, 3 do
    assert(c:chain(k):state()[1] == own:chain(k):state()[1])
    assert(c:chain(k):info().log_uniform == own:chain(k):info().log_uniform)
  end
  assert(c.simulations == 900 and own.simulations == 900, own.simulations)
  assert(own.site_updates == 4 * 900 and c.site_updates == own.site_updates)
  assert(own.logp_kind == "none")
end
do -- one bridge: a sweep at the point halfway between x and y
  local run = cs.open { target = model(), chains = 2, seed = 9, arms = {
    c = cs.kernel.exchange { step = 0.8, bridges = 1 },
    own = own_exchange {
      omega2 = function(x, y, _, draw)
        local w = draw:simulate(y)
        local between = { 0.5 * y[1] + 0.5 * x[1] }
        return { w, draw:sweep(between, w), between }
      end,
      log_ratio = function(x, y, _, w, _, t)
        return t:log_prior(y) - t:log_prior(x) + t:log_factor(w[3], w[1]) - t:log_factor(y, w[1]) +
          t:log_factor(x, w[2]) - t:log_factor(w[3], w[2])
      end } } }
  run:step(200)
  for k = 1, 2 do assert(run.arms.c:chain(k):state()[1] == run.arms.own:chain(k):state()[1]) end
end

-- Tests accept rules and faults by a chi-square test. The thinned draws of one
-- long chain, in eight cells of equal mass, are compared with the known
-- density.
local exact = model { log_z = log_z }
local edges = {}
do
  local mass, n, last = {}, 4000, 0
  for i = 0, n do
    local x = -6 + 12 * i / n
    last = last + math.exp(exact:log_density { x } + 3)
    mass[i] = last
  end
  local k = 1
  for i = 0, n do
    if mass[i] > last * k / 8 and k < 8 then edges[k], k = -6 + 12 * i / n, k + 1 end
  end
end
local function chi_square(kernel, target)
  local run = cs.open { target = target, chains = 16, seed = 4, start = { 0 }, arms = { a = kernel } }
  local count, n = { 0, 0, 0, 0, 0, 0, 0, 0 }, 0
  run:step(40)
  for _ = 1, 80 do
    run:step(12)
    for k = 1, 16 do
      local x, cell = run.arms.a:chain(k):state()[1], 1
      while cell < 8 and x > edges[cell] do cell = cell + 1 end
      count[cell], n = count[cell] + 1, n + 1
    end
  end
  local sum = 0
  for i = 1, 8 do sum = sum + (count[i] - n / 8)^2 / (n / 8) end
  return sum -- chi-square with seven degrees of freedom; at 29.9 the p-value is 1e-4
end
local function third(r) return (r + r * r) / (1 + r + r * r) end
for name, kernel in next, {
  metropolis = own_exchange(), barker = own_exchange { accept = "barker" }, third = own_exchange { accept = third } } do
  local x2 = chi_square(kernel, model())
  assert(x2 < 45, name .. ": " .. x2)
end
for name, kernel in next, {
  at_the_state = own_exchange { omega2 = function(x, _, _, draw) return draw:simulate(x) end },
  inverted = own_exchange { accept = "barker", log_ratio = function(x, y, _, w, _, t)
    return t:log_prior(y) - t:log_prior(x) - t:log_factor(x, w) + t:log_factor(y, w)
  end } } do
  local x2 = chi_square(kernel, model())
  assert(x2 > 60, name .. ": " .. x2)
end

-- The log p of the target is known. The kernel draws omega1, and its proposal
-- has its own function log_q.
do
  local target = cs.target { space = cs.real(1), log_density = function(x) return -x[1]^2 / 2 end }
  local kernel = cs.kernel {
    omega1 = function(_, draw) return 0.5 + draw:exponential() end,
    propose = function(x, scale, draw) return { 0.3 * x[1] + scale * draw:normal() } end,
    log_q = function(x, y, scale) return -0.5 * ((y[1] - 0.3 * x[1]) / scale)^2 end,
    log_ratio = function(x, y, scale, same, _, t)
      assert(scale == same)
      return t:log_density(y) - t:log_density(x)
    end }
  local run = cs.open { target = target, chains = 4, seed = 2, arms = { a = kernel } }
  for _ = 1, 50 do
    run:step(1)
    local i = run.arms.a:chain(1):info()
    assert(i.accepted == (i.log_uniform < i.log_ratio))
    assert(math.abs(i.log_ratio - i.log_aux - i.log_q_back + i.log_q_forward) < 1e-12)
  end
  local _, _ = run:step(2000), nil
  local sum, n = 0, 0
  for _, d in ipairs((run.arms.a:chain(1):draws())) do sum, n = sum + d[1]^2, n + 1 end
  assert(n > 500 and math.abs(sum / n - 1) < 0.4, sum / n)
end

-- ---- errors ---------------------------------------------------------------------
fails("needs the field 'log_ratio'", cs.kernel, { omega1 = print, propose = print })
fails("unknown value: rows = \"ranges\"", cs.kernel, { propose = print, rows = "ranges" })
fails("unknown value: accept = \"barkers\"", cs.kernel, { propose = print, log_ratio = print, accept = "barkers" })
fails("a%(1%.001%) = 0%.5, and 1%.001 a%(1 / 1%.001%)", cs.kernel,
      { propose = print, log_ratio = print, accept = function() return 0.5 end })
fails("a%(2%) = 2 is not a probability", cs.kernel,
      { propose = print, log_ratio = print, accept = function(r) return r < 1.9 and math.min(1, r) or r end })
fails("needs the field 'simulate'", cs.target, { space = cs.real(1), data = { 1 }, log_factor = print })
fails("data. is empty", model, { data = {} })

-- A function that fails stops its chain, and the error names the function.
local function broken(pattern, target, kernel)
  local run = cs.open { target = target, arms = { a = kernel }, start = { 0.1 } }
  fails(pattern, run.step, run, 5)
end
local random_walk = { step = 0.5 }
broken("the value of simulate is a number, not a list", model { simulate = function() return 3 end }, cs.kernel.exchange(random_walk))
broken("number 2 of simulate is a nil", model { simulate = function() return { 1 } end }, cs.kernel.exchange(random_walk))
fails("the value of log_factor is a string", cs.open, { target = model { log_factor = function() return "x" end }, arms = { a = cs.kernel.exchange(random_walk) } })
broken("once", model { log_factor = function(x, y) if #y == 4 and y[3] == y[1] then error "once" end return x[1] * ring(y) end },
       cs.kernel.exchange(random_walk))
broken("number 1 of sweep is not finite", model { sweep = function() return { 0 / 0 } end },
       cs.kernel.exchange { step = 0.5, inner = 2 })
broken("the value of log_ratio is a nil", model(), own_exchange { log_ratio = function() end })
broken("target .* has no log p: it lacks log Z", model(), own_exchange { log_ratio = function(x, _, _, _, _, t) return t:log_density(x) end })
fails("needs log p", cs.open, { target = model(), arms = { a = cs.kernel.random_walk {} } })
assert(cs.open { target = exact, arms = { a = cs.kernel.random_walk {} } })
