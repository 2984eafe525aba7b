-- Tests parameters with bounds. The log Jacobian is that of the map from the unconstrained state
-- to the bounded values, and the map can be inverted. The recorded quantities are the declared
-- parameters.
local cs = require "chainscope"
local core = require "chainscope.core"
local M, lpdf = cs.math, cs.lpdf

-- ---- Jacobians compared with numeric determinants ----

local function log_det(a)
  local n, sum = #a, 0
  for k = 1, n do
    local p = k
    for i = k + 1, n do if math.abs(a[i][k]) > math.abs(a[p][k]) then p = i end end
    a[k], a[p] = a[p], a[k]
    sum = sum + math.log(math.abs(a[k][k]))
    for i = k + 1, n do
      local f = a[i][k] / a[k][k]
      for j = k, n do a[i][j] = a[i][j] - f * a[k][j] end
    end
  end
  return sum
end

-- Returns the matrix of derivatives of the reported values with indices `rows`
-- with respect to the state, by finite differences of fourth-order accuracy.
local function numeric(target, u, rows)
  local a, h = {}, 1e-3
  for i = 1, #rows do a[i] = {} end
  local function shown(j, step)
    local x = { table.unpack(u) }
    x[j] = x[j] + step
    return core.target_show(target, x)
  end
  for j = 1, #u do
    local y = { shown(j, h), shown(j, -h), shown(j, 2 * h), shown(j, -2 * h) }
    for i, row in ipairs(rows) do
      a[i][j] = (8 * (y[1][row] - y[2][row]) - (y[3][row] - y[4][row])) / (12 * h)
    end
  end
  return log_det(a)
end

local function agree(a, b) return math.abs(a - b) <= 1e-7 * (1 + math.abs(b)) end

-- Each row has a form of parameter, the reported entries that determine its
-- value, and a value.
local cases = {
  { cs.real(), { 1 }, -3.5 }, { cs.real(3), { 1, 2, 3 }, { 1, -2, 0.5 } },
  { cs.real(2, 3), { 1, 2, 3, 4, 5, 6 }, { { 1, 2, 3 }, { 4, 5, 6 } } },
  { cs.positive(), { 1 }, 0.25 }, { cs.positive(2), { 1, 2 }, { 3, 1e-5 } },
  { cs.interval(-1, 1), { 1 }, 0.5 }, { cs.interval(2, 10, 2), { 1, 2 }, { 2.5, 9 } },
  { cs.interval(3, math.huge), { 1 }, 3.5 }, { cs.interval(-math.huge, 3), { 1 }, -3.5 },
  { cs.ordered(1), { 1 }, { 2 } }, { cs.ordered(4), { 1, 2, 3, 4 }, { -2, 0, 0.5, 7 } },
  { cs.simplex(2), { 1 }, { 0.25, 0.75 } }, { cs.simplex(4), { 1, 2, 3 }, { 0.1, 0.2, 0.3, 0.4 } },
  { cs.cholesky_corr(2), { 2 }, { { 1, 0 }, { 0.6, 0.8 } } },
  { cs.cholesky_corr(3), { 2, 3, 6 }, { { 1, 0, 0 }, { 0.6, 0.8, 0 }, { 0, -0.6, 0.8 } } },
  { cs.cholesky_corr(4), { 2, 3, 4, 7, 8, 12 },
    { { 1, 0, 0, 0 }, { 0.6, 0.8, 0, 0 }, { 0, -0.6, 0.8, 0 }, { 0.5, 0.5, 0.5, 0.5 } } },
  { cs.positive_ordered(1), { 1 }, { 2 } }, { cs.positive_ordered(4), { 1, 2, 3, 4 }, { 0.25, 1, 1.5, 7 } },
  { cs.ordered_interval(-1, 3, 1), { 1 }, { 2 } }, { cs.ordered_interval(-1, 8, 4), { 1, 2, 3, 4 }, { -0.5, 1, 1.5, 7 } },
  { cs.ordered_interval(0.5, math.huge, 3), { 1, 2, 3 }, { 1, 2.5, 3 } },
  { cs.ordered_interval(-math.huge, 5, 3), { 1, 2, 3 }, { -4, 2, 4.5 } },
  { cs.sum_to_zero(2), { 1 }, { 0.25, -0.25 }, constant = -0.5 * math.log(2) },
  { cs.sum_to_zero(4), { 1, 2, 3 }, { 0.1, 0.2, 0.3, -0.6 }, constant = -0.5 * math.log(4) },
  { cs.correlation(2), { 2 }, { { 1, 0.6 }, { 0.6, 1 } } },
  { cs.correlation(3), { 2, 3, 6 }, { { 1, 0.6, 0 }, { 0.6, 1, -0.48 }, { 0, -0.48, 1 } } },
  { cs.correlation(4), { 2, 3, 4, 7, 8, 12 },
    { { 1, 0.6, 0, 0.1 }, { 0.6, 1, -0.48, 0 }, { 0, -0.48, 1, 0.2 }, { 0.1, 0, 0.2, 1 } } },
  { cs.cholesky_cov(1), { 1 }, { { 2 } } },
  { cs.cholesky_cov(3), { 1, 2, 3, 5, 6, 9 }, { { 2, 0, 0 }, { 0.6, 0.8, 0 }, { 0, -3, 0.5 } } },
  { cs.covariance(1), { 1 }, { { 2 } } },
  { cs.covariance(3), { 1, 2, 3, 5, 6, 9 }, { { 4, 1, -1 }, { 1, 2, 0.5 }, { -1, 0.5, 3 } } },
  { cs.unit_vector(2), false, { 0.6, 0.8 } }, { cs.unit_vector(4), false, { 0.5, -0.5, 0.5, -0.5 } },
}

local seen = {}
for _, case in ipairs(cases) do
  local form = case[1].form
  seen[form] = true
  local flat = cs.target { params = { y = case[1] }, log_density = function() return 0 end }
  for k = 1, 4 do
    local u = {}
    for i = 1, flat.dim do u[i] = ((i * 31 + k * 17) % 23) / 6 - 2 end
    -- the density of unit_vector is that of a normal u; sum_to_zero has no constant
    local jacobian = not case[2] and -0.5 * M.dot(u, u) or numeric(flat, u, case[2]) - (case.constant or 0)
    assert(agree(flat:log_density(u), jacobian),
           ("%s: %.12g, not %.12g"):format(form, flat:log_density(u), jacobian))
    -- the test must detect this fault: one term of the Jacobian is omitted
    if form ~= "real" and u[#u] ~= 0 then assert(not agree(flat:log_density(u) - u[#u], jacobian)) end
    local slope = flat:gradient(u)
    for i = 1, flat.dim do
      local up, down, h = { table.unpack(u) }, { table.unpack(u) }, 1e-5
      up[i], down[i] = u[i] + h, u[i] - h
      local want = (flat:log_density(up) - flat:log_density(down)) / (2 * h)
      assert(math.abs(slope[i] - want) < 1e-7, form .. ": slope")
    end
  end
  -- Far from the origin no value becomes NaN, and the bounds hold.
  for _, far in ipairs { -40, 40, -300, 300 } do
    local u = {}
    for i = 1, flat.dim do u[i] = i % 2 == 0 and far or -far end
    assert(flat:log_density(u) == flat:log_density(u), form .. " far out")
    for _, y in ipairs(core.target_show(flat, u)) do assert(y == y, form .. " far out") end
  end
  -- The inverse of the map is used too: chains start at the requested values.
  local run = cs.open { target = flat, arms = { cs.kernel.random_walk { step = 0.1 } }, seed = 1,
                        chains = 1, start = { y = case[3] } }
  local y = run:arm(1):chain(1):shown()
  local value, at = case[3], 0
  local rows = type(value) ~= "table" and { { value } } or type(value[1]) ~= "table" and { value } or value
  for j = 1, #rows[1] do
    for i = 1, #rows do
      at = at + 1
      assert(math.abs(y[at] - rows[i][j]) < 1e-12 * (1 + math.abs(rows[i][j])), form .. ": inverse")
    end
  end
end
local in_mixed = { bit = true, label = true, integer = true, count = true } -- tested in mixed.lua and counts.lua
for _, row in ipairs(core.transforms()) do
  assert(seen[row[1]] or in_mixed[row[1]], row[1] .. " is not tested")
end

-- `generated` is traced also if the density is not, so the advice is another one.
for _, bad in ipairs {
  { function(p) return { a = math.floor(p.mu) } end, "use cs.math.where; `generated` is always traced" },
  { function(p) return { a = p.mu > 0 and 1 or 0 } end, "write a figure with of = function(p) ... end" },
  { function(p) return { a = ({ 1, 2, 3 })[p.k] } end, "look up a table by cs.math.vector(table)[k]" },
} do
  for _, traced in ipairs { true, false } do
    local made, why = pcall(cs.target, { params = { mu = cs.real(), k = cs.integer(1, 3) }, generated = bad[1],
                                         log_density = function(p) return -p.mu ^ 2 end, traced = traced and nil })
    assert(not made and why:find(bad[2], 1, true) and not why:find("traced = false", 1, true), why)
  end
end

-- The recorded diagonal of a correlation matrix is a constant, without rounding errors.
local flat = cs.target { params = { r = cs.correlation(4) }, log_density = function() return 0 end }
for k = 1, 20 do
  local u = {}
  for i = 1, 6 do u[i] = ((i * 31 + k * 17) % 23) / 6 - 2 end
  local r = core.target_show(flat, u)
  for i = 1, 4 do
    assert(r[5 * i - 4] == 1, ("r.%d.%d = %.17g"):format(i, i, r[5 * i - 4]))
    for j = 1, i - 1 do assert(r[4 * i + j - 4] == r[4 * j + i - 4]) end
  end
end

-- The values meet their constraints.
local many = cs.target { params = { { z = cs.sum_to_zero(5) }, { r = cs.correlation(4) }, { s = cs.covariance(3) },
                                    { v = cs.unit_vector(3) } },
  log_density = function(p)
    return M.log_det(p.r) + M.log_det(p.s) + M.sum(p.z)^2 + M.dot(p.v, p.v) - 1 + lpdf.lkj_corr(p.r, 2)
  end }
local at = {}
for i = 1, many.dim do at[i] = ((i * 31) % 23) / 6 - 2 end
assert(many.dim == 4 + 6 + 6 + 3 and many:log_density(at) == many:log_density(at))

-- ---- bounds that depend on parameters ----
local nested = cs.target {
  params = { { a = cs.real() }, { b = cs.interval(function(p) return p.a end, math.huge) },
             { c = cs.interval(function(p) return p.a end, function(p) return p.a + 2 * p.b end, 2) } },
  log_density = function(p) return lpdf.normal(p.a, 0, 1) - p.b + M.sum(p.c) end,
}
for k = 1, 3 do
  local u = { 0.3 * k, -0.2, 0.7 - k, 0.4 }
  local a, b = u[1], u[1] + math.exp(u[2])
  local want, width = lpdf.normal(a, 0, 1) - b + u[2], 2 * b
  local y = core.target_show(nested, u)
  for i = 3, 4 do
    local share = 1 / (1 + math.exp(-u[i]))
    want = want + a + width * share + math.log(width * share * (1 - share))
    assert(math.abs(y[i] - (a + width * share)) < 1e-12)
  end
  assert(math.abs(nested:log_density(u) - want) < 1e-12 * (1 + math.abs(want)))
  local slope = nested:gradient(u)
  for i = 1, 4 do
    local up, down = { table.unpack(u) }, { table.unpack(u) }
    up[i], down[i] = u[i] + 1e-5, u[i] - 1e-5
    assert(math.abs(slope[i] - (nested:log_density(up) - nested:log_density(down)) / 2e-5) < 1e-7)
  end
end
local run = cs.open { target = nested, arms = { cs.kernel.random_walk { step = 0.1 } }, seed = 1, chains = 1,
                      start = { a = 1, b = 1.5, c = { 1.25, 3.5 } } }
local shown = run:arm(1):chain(1):shown()
for i, want in ipairs { 1, 1.5, 1.25, 3.5 } do assert(math.abs(shown[i] - want) < 1e-12) end
-- Cut points between bounds that are parameters: the Jacobian is that of fixed bounds.
local function cuts(low, high, a)
  return cs.target { params = { { a = cs.real() }, { c = cs.ordered_interval(low, high, 3) } },
    log_density = function(p) return M.sum(p.c) + (a and 0 or p.a) end }
end
do
  local u, fixed = { 0.5, 0.3, -1, 0.8 }, cuts(0.5, 1.5, true)
  local moving = cuts(function(p) return p.a end, function(p) return p.a + 1 end)
  assert(math.abs(moving:log_density(u) - (fixed:log_density(u) + 0.5)) < 1e-12)
  local up, down = { 0.5 + 1e-5, 0.3, -1, 0.8 }, { 0.5 - 1e-5, 0.3, -1, 0.8 }
  assert(math.abs(moving:gradient(u)[1] - (moving:log_density(up) - moving:log_density(down)) / 2e-5) < 1e-7)
end
local function wrong(said, params)
  local ok, why = pcall(cs.target, { params = params, log_density = function() return 0 end })
  assert(not ok and tostring(why):find(said, 1, true), tostring(why))
end
wrong("a bound reads the parameter 'b', which is declared later: declare it first, in a list: params = { { b = ... }",
      { { a = cs.interval(0, function(p) return p.b end) }, { b = cs.real() } })
wrong("there is no parameter 'c'", { { a = cs.interval(0, function(p) return p.c end) }, { b = cs.real() } })
wrong("params: a bound is a string", { a = cs.interval(0, function() return "1" end) })

-- ---- a model ----
local y, sigma = { 28, 8, -3, 7, -1, 1, 18, 12 }, { 15, 10, 16, 11, 9, 11, 10, 18 }
local schools = cs.target {
  params = { { mu = cs.real() }, { tau = cs.positive() }, { eta = cs.real(8) } },
  log_density = function(p)
    return lpdf.normal(p.mu, 0, 5) + lpdf.half_cauchy(p.tau, 5) + lpdf.normal(p.eta, 0, 1) +
      lpdf.normal(y, p.mu + p.tau * p.eta, sigma)
  end,
  generated = function(p) return { theta = p.mu + p.tau * p.eta } end,
}
local names = table.concat(schools.coordinates, " ")
assert(names == "mu tau eta.1 eta.2 eta.3 eta.4 eta.5 eta.6 eta.7 eta.8 theta.1 theta.2 " ..
       "theta.3 theta.4 theta.5 theta.6 theta.7 theta.8", names)
-- At two points the target equals the same target written in C, up to
-- constants.
local known = cs.target.eight_schools {}
local a = { 1, 0.5, 0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8 }
local b = { -2, 1.5, 1, 1, -1, -1, 0.5, 0.5, 0, 0 }
local gap = schools:log_density(a) - schools:log_density(b)
assert(math.abs(gap - (known:log_density(a) - known:log_density(b))) < 1e-12)
for i, g in ipairs(known:gradient(a)) do assert(math.abs(g - schools:gradient(a)[i]) < 1e-12) end

local run = cs.open { target = schools, arms = { cs.kernel.hmc { step = 0.25, leapfrogs = 8 } },
                      seed = 5, chains = 4, start = { { mu = 1, tau = 2, eta = { 0, 0, 0, 0, 0, 0, 0, 0 } } } }
run:step(200)
local chain = run:arm(1):chain(1)
local x, shown = chain:state(), chain:shown()
assert(#shown == 18 and shown[1] == x[1] and math.abs(shown[2] - math.exp(x[2])) < 1e-13 * shown[2])
assert(math.abs(shown[13] - (x[1] + shown[2] * x[5])) < 1e-12 * (1 + math.abs(shown[13])))
local draws = chain:draws()
assert(#draws == 200 and #draws[1] == 18)
for i = 1, 18 do assert(draws[200][i] == shown[i]) end
assert(draws[200].log_density == x.log_density and draws[200]["theta.3"] == shown["theta.3"])
assert(#run.coordinates == 18 and run:summary():find "\n  tau ")
-- After a rewind, the same steps give the same draws.
run:rewind(100)
run:step(100)
local again = run:arm(1):chain(1):draws()
for i = 1, 18 do assert(again[200][i] == draws[200][i]) end

-- The plane names its coordinates; generated quantities come last.
local function plane_of(x, y)
  local r = cs.open { target = schools, arms = { cs.kernel.mala {} }, probes = { plane = { x = x, y = y } } }
  r:step(1)
  return table.concat(r:arm(1):report "plane/axes", " ")
end
assert(plane_of("tau", "theta.1") == "2 11" and plane_of(2, 11) == "2 11")
local named, why = pcall(plane_of, "tua", "mu")
assert(not named and tostring(why):find("there is no coordinate 'tua'", 1, true), tostring(why))
local viewed = cs.target { params = { x = cs.real(3) }, view = { "x.3", "r", -1, 1, 0, 2 },
  log_density = function(p) return -M.dot(p.x, p.x) end, generated = function(p) return { r = M.norm(p.x) } end }
local seen_run = cs.open { target = viewed, arms = { cs.kernel.mala {} } }
seen_run:step(1)
assert(table.concat(seen_run:arm(1):report "plane/axes", " ") == "3 4")
assert(table.concat(seen_run:arm(1):report "plane/view", " ") == "-1.0 1.0 0.0 2.0")
-- Beside discrete parameters, too.
seen_run = cs.open { chains = 1, target = cs.target { params = { { a = cs.real() }, { b = cs.real() }, { z = cs.label(2) } }, view = { 2, 4, 0, 1 },
  log_density = function(p) return -(p.a - 3) ^ 2 - p.b ^ 2 - p.z end } }
assert(table.concat(seen_run:arm(1):report "plane/view", " ") == "2.0 4.0 0.0 1.0")
assert(seen_run:arm(1):report "moments/mean", "a named view leaves the other probes")
local mixed = cs.target { params = { x = cs.real(2) }, log_density = function(p) return -M.dot(p.x, p.x) end,
                          generated = function(p) return { r = M.norm(p.x) } end }
assert(table.concat(mixed.coordinates, " ") == "x.1 x.2 r")

-- With a flat density, parameters with bounds are uniform on their own scale.
local flat = cs.target { params = { rho = cs.interval(-1, 1), p = cs.simplex(3) },
                         log_density = function() return 0 end }
run = cs.open { target = flat, arms = { cs.kernel.hmc { step = 0.9, leapfrogs = 4 } }, seed = 3,
                chains = 16 }
run:step(4000)
local function near(name, of, want)
  local got = run:arm(1):figure(name, of)
  assert(math.abs(got - want) < 0.01, ("%s of %s: %.4g"):format(name, of, got))
end
near("mean", "p.1", 1 / 3) near("mean", "p.3", 1 / 3) near("sd", "p.2", math.sqrt(1 / 18))
near("mean", "rho", 0) near("sd", "rho", math.sqrt(1 / 3))
local there = { rho = 0.25, p = { 0.125, 0.25, 0.625 } }
run:arm(1):chain(2):set_state(there)
local now = run:arm(1):chain(2):shown()
assert(math.abs(now[1] - 0.25) < 1e-14 and math.abs(now[4] - 0.625) < 1e-14)

-- ---- mistakes ----
local function refused(t, ...)
  local made, why = pcall(cs.target, t)
  why = tostring(why)
  assert(not made, "created without an error")
  assert(why:find "params%.lua:%d+: ", why)
  for _, part in ipairs { ... } do assert(why:find(part, 1, true), why) end
end
local function density() return 0 end
refused({ params = { tau = cs.positive() }, log_density = function(p) return -p.tua end },
        "there is no parameter 'tua'", "did you mean 'tau'?")
refused({ params = { tau = 3 }, log_density = density }, "params: 'tau' is a number", "cs.positive()")
refused({ params = { tau = cs.binary(3) }, log_density = density }, "params: 'tau' is a binary")
refused({ params = {}, log_density = density }, "params is empty")
refused({ params = { "tau" }, log_density = density }, "name exactly one parameter", "{ mu = cs.real() }")
refused({ params = { ["a.b"] = cs.real() }, log_density = density }, "invalid name 'a.b'")
refused({ params = { [("a"):rep(21)] = cs.real() }, log_density = density }, "invalid name", "at most 20")
refused({ params = { { mu = cs.real() }, { mu = cs.real() } }, log_density = density }, "'mu' is declared twice")
refused({ params = { mu = cs.real() }, space = cs.real(1), log_density = density }, "has no 'space'")
refused({ space = cs.positive(2), log_density = density }, "cs.positive is a form of parameter, not a space", "params")
refused({ log_density = density }, "target needs the field 'space'")
refused({ space = cs.real(1), log_density = density, generated = density }, "generated needs params")
refused({ params = { mu = cs.real() }, log_density = density, generated = function() return 3 end },
        "the function 'generated' returned a number")
refused({ params = { mu = cs.real() }, log_density = density, generated = function(p) return { mu = p.mu } end },
        "'mu' is invalid or already in use")
refused({ params = { mu = cs.real(2) }, log_density = density, view = { "mu.1", "mo.2", 0, 1, 0, 1 } },
        "there is no coordinate 'mo.2'", "did you mean 'mu.2'?")
refused({ params = { mu = cs.real(2) }, log_density = density, view = { "mu.1", 0, 1, 0, 1 } },
        "view is not a window")
local calls = 0
refused({ params = { mu = cs.real() }, log_density = density,
          generated = function(p) calls = calls + 1 return { k = p.mu + calls } end }, "k is", "in a plain call", "when traced")
for _, bad in ipairs {
  { function() return cs.interval(1, 1) end, "a lower and a higher bound" },
  { function() return cs.ordered_interval(1, 1, 3) end, "cs.ordered_interval needs a lower and a higher bound" },
  { function() return cs.ordered_interval(0, 1) end, "write cs.ordered_interval(low, high, 2)" },
  { function() return cs.simplex(1) end, "the size = 1 is out of range" },
  { function() return cs.simplex() end, "write cs.simplex(3)" },
  { function() return cs.real(0) end, "a size = 0 is out of range" },
  { function() return cs.real("a") end, "a size is a string" },
  { function() return cs.positive(1, 2, 3) end, "at most 2 sizes" },
  { function() return cs.kernel.gibbs { scan = 0.5 } end, "scan cannot be 0.5: use one of: random" },
  { function() return cs.kernel.gibbs { scan = 0 / 0 } end, "scan cannot be nan" },
  { function() return cs.kernel.random_walk { step = 1e100 * (1 + 2^-50) } end,
    "step = 1.000000000000001e+100 is out of range" },
} do
  local made, why = pcall(bad[1])
  assert(not made and tostring(why):find(bad[2], 1, true), tostring(why))
end
for _, bad in ipairs {
  { { mu = 1, tau = 1, eta = 3 }, "eta has 1 numbers, not 8" },
  { { mu = 1, tau = -1, eta = { 0, 0, 0, 0, 0, 0, 0, 0 } }, "start: tau (-1) is outside its bounds" },
  { { mu = 1, tua = 1 }, "did you mean 'tau'?" },
} do
  local made, why = pcall(cs.open, { target = schools, arms = { cs.kernel.mala {} }, start = bad[1] })
  assert(not made and tostring(why):find(bad[2], 1, true), tostring(why))
end
