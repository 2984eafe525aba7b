-- Tests targets with parameters of several kinds: values and gradients by the definition, exact
-- differences of sites, indices by discrete parameters, refusals, starts, and columns.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local function near(a, b, tolerance, what)
  assert(math.abs(a - b) <= tolerance * (1 + math.abs(b)), ("%s: %.15g, not %.15g"):format(what, a, b))
end

-- Compares the target with the definition f(values by name), at the point `x` of its coordinates.
-- at(x) returns the values by name. Real coordinates are compared by central differences.
local function compare(t, at, f, x, ranges, what)
  local function value(i, v)
    local y = { table.unpack(x) }
    if i then y[i] = v end
    return f(at(y))
  end
  near(t:log_density(x), value(), 1e-12, what)
  local slope = t:gradient(x)
  for i = 1, #x do
    local range = ranges[i]
    if range then
      local d = t:differences(x, i)
      assert(#d == range[2] - range[1] + 1)
      for v = range[1], range[2] do
        near(d[v - range[1] + 1], value(i, v) - value(), 1e-11, what .. ": site " .. i)
      end
    else
      near(slope[i], (value(i, x[i] + 1e-5) - value(i, x[i] - 1e-5)) / 2e-5, 1e-7, what .. ": slope " .. i)
    end
  end
end

-- ---- a mixture, written in four ways ----
local y = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }
local log_share = { math.log(0.35), math.log(0.65) }
local ways = {
  function(p)
    local u = 0
    for i = 1, 8 do u = u + lpdf.normal(y[i], p.mu[p.z[i]], 1) end
    return u
  end,
  function(p) return lpdf.normal(y, M.gather(p.mu, p.z), 1) end,
  function(p) return lpdf.normal(y, p.mu[p.z], 1) end,
  function(p) -- rows of a matrix
    local rows, u = M.matrix(M.pack(p.mu, 0, 1), 2, 2), 0
    local table_of_rows = M.transpose(rows)
    for i = 1, 8 do u = u + lpdf.normal(y[i], table_of_rows[p.z[i]][1], 1) end
    return u
  end,
  function(p) -- all rows at once
    local table_of_rows = M.transpose(M.matrix(M.pack(p.mu, 0, 1, 2, 3), 3, 2))
    return lpdf.normal(y, M.transpose(M.gather(table_of_rows, p.z))[1], 1)
  end,
}
for k, way in ipairs(ways) do
  local t = cs.target {
    params = { { mu = cs.real(2) }, { z = cs.label(2, 8) } },
    log_density = function(p)
      return lpdf.normal(p.mu, M.vector { -1, 1.5 }, 1.5) + M.sum(M.vector(log_share)[p.z]) + way(p)
    end,
  }
  assert(t.space == "mixed" and t.dim == 10)
  local ranges = {}
  for i = 3, 10 do ranges[i] = { 1, 2 } end
  compare(t, function(x) return { mu = { x[1], x[2] }, z = { table.unpack(x, 3) } } end, function(p)
    local u = lpdf.normal(p.mu[1], -1, 1.5) + lpdf.normal(p.mu[2], 1.5, 1.5)
    for i = 1, 8 do u = u + log_share[p.z[i]] + lpdf.normal(y[i], p.mu[p.z[i]], 1) end
    return u
  end, { -0.8, 1.3, 1, 1, 2, 1, 2, 2, 1, 2 }, ranges, "way " .. k)
end

-- ---- all kinds together, with constraints on the real part ----
local rates, A = { 0.5, 2, 4, 8, 1 }, { { 0.1, 0.2, 0.3 }, { -1, 0, 1 }, { 2, 0.5, 0 } }
local all = cs.target {
  params = { { k = cs.integer(-1, 3) }, { tau = cs.positive() }, { z = cs.label(3, 3) }, { b = cs.bit(2) },
             { mu = cs.ordered(3) }, { n = cs.integer(2, 7) } },
  log_density = function(p)
    local m, u = M.matrix(A), 0
    for i = 2, 3 do u = u + m[p.z[i - 1]][p.z[i]] * p.tau end
    for i = 1, 3 do u = u + M.where(p.b[1], lpdf.normal(0.5 * i, p.mu[p.z[i]], 1), -0.3) end
    u = u + lpdf.poisson(p.n, M.vector(rates)[p.k + 2] * p.tau) + lpdf.exponential(p.tau, 1)
    u = u + lpdf.categorical(p.z, { 0.2, 0.3, 0.5 }) + lpdf.normal(p.mu, 0, 2)
    return u + M.sum(m[p.z[2]] * p.mu) * 0.1 + M.eq(p.b[1], p.b[2]) - 0.2 * M.eq(p.z[1], 3)
  end,
  generated = function(p) return { rate = M.vector(rates)[p.k + 2] } end,
}
assert(table.concat(all.coordinates, " ") == "k tau z.1 z.2 z.3 b.1 b.2 mu.1 mu.2 mu.3 n rate")
local function values(x)
  local mu2 = x[8] + math.exp(x[9])
  return { k = x[1], tau = math.exp(x[2]), z = { x[3], x[4], x[5] }, b = { x[6], x[7] },
           mu = { x[8], mu2, mu2 + math.exp(x[10]) }, n = x[11], jacobian = x[2] + x[9] + x[10] }
end
local function define(p)
  local u = p.jacobian + lpdf.poisson(p.n, rates[p.k + 2] * p.tau) - p.tau
  for i = 2, 3 do u = u + A[p.z[i - 1]][p.z[i]] * p.tau end
  for i = 1, 3 do
    u = u + (p.b[1] == 1 and lpdf.normal(0.5 * i, p.mu[p.z[i]], 1) or -0.3) + math.log(({ 0.2, 0.3, 0.5 })[p.z[i]]) +
      lpdf.normal(p.mu[i], 0, 2) + 0.1 * A[p.z[2]][i] * p.mu[i]
  end
  return u + (p.b[1] == p.b[2] and 1 or 0) - (p.z[1] == 3 and 0.2 or 0)
end
local ranges = { [1] = { -1, 3 }, [3] = { 1, 3 }, [4] = { 1, 3 }, [5] = { 1, 3 }, [6] = { 0, 1 }, [7] = { 0, 1 },
                 [11] = { 2, 7 } }
compare(all, values, define, { 0, 0.3, 1, 3, 2, 1, 0, -0.7, 0.2, -0.5, 3 }, ranges, "all kinds")
compare(all, values, define, { -1, -0.3, 3, 3, 3, 0, 0, 0.7, -1.2, 0.5, 7 }, ranges, "all kinds")
compare(all, values, define, { 3, 1.1, 2, 1, 2, 1, 1, 0, 0, 0, 2 }, ranges, "all kinds")
-- A range of more values than a block of lanes has.
local years = {}
for i = 1, 110 do years[i] = math.sin(i) end
local wide = cs.target {
  params = { { k = cs.integer(1, 110) }, { b = cs.bit(3) }, { s = cs.real() } },
  log_density = function(p) return p.s * M.vector(years)[p.k] - p.s ^ 2 + p.s * M.dot(p.b, M.vector { 1, 2, 3 }) end,
}
for _, k in ipairs { 1, 77, 110 } do
  compare(wide, function(x) return { k = x[1], b = { x[2], x[3], x[4] }, s = x[5] } end, function(p)
    return p.s * years[p.k] - p.s ^ 2 + p.s * (p.b[1] + 2 * p.b[2] + 3 * p.b[3])
  end, { k, 1, 0, 1, 0.7 }, { { 1, 110 }, { 0, 1 }, { 0, 1 }, { 0, 1 } }, "110 values")
end
-- Densities of categories: the category is a parameter, or a vector of parameters.
local categories = {
  function(p) return lpdf.categorical(p.z[2], p.p) + lpdf.categorical(p.z, p.p) end,
  function(p) return lpdf.categorical_logit(p.k, p.c) + M.dot(lpdf.each.categorical_logit(p.z, M.pack(p.c, 0.5)), M.vector { 1, 2, 3 }) end,
  function(p) return lpdf.ordered_logistic(p.z, p.a, p.c) + lpdf.ordered_logistic(p.k, 0.3, p.c) end,
  function(p) return lpdf.ordered_probit(p.k, p.a, p.c) + lpdf.ordered_probit(p.z, { 0.1, p.a, -1 }, { -1, 0, 0.7 }) end,
}
for n, f in ipairs(categories) do
  local t = cs.target {
    params = { { p = cs.simplex(4) }, { a = cs.real() }, { z = cs.label(4, 3) }, { c = cs.ordered(3) }, { k = cs.integer(1, 3) } },
    log_density = f,
  }
  local site = { [5] = { 1, 4 }, [6] = { 1, 4 }, [7] = { 1, 4 }, [11] = { 1, 3 } }
  local simplex = cs.target { params = { { p = cs.simplex(4) } }, log_density = function() return 0 end }
  local run = cs.open { target = simplex, arms = { cs.kernel.random_walk { step = 1 } }, chains = 1, start = { 0.4, -0.3, 0.2 } }
  local p = { table.unpack(run:arm(1):chain(1):shown(), 1, 4) }
  for _, x in ipairs { { 0.4, -0.3, 0.2, 0.3, 1, 4, 2, -0.7, 0.1, 0.4, 3 }, { 0.4, -0.3, 0.2, -0.8, 3, 3, 1, 0, -0.2, 0.2, 1 } } do
    for i = 5, 11 do -- the differences of sites by calls with numbers
      local d = site[i] and t:differences(x, i) or {}
      local function value(v)
        local y = { table.unpack(x) }
        y[i] = v
        local c2 = y[8] + math.exp(y[9])
        return f { p = p, a = y[4], z = { y[5], y[6], y[7] }, c = { y[8], c2, c2 + math.exp(y[10]) }, k = y[11] }
      end
      for k = 1, #d do near(d[k], value(k) - value(x[i]), 1e-11, ("categories %d: site %d"):format(n, i)) end
    end
  end
end
-- The same density with traced = false gives the same values, gradients and differences.
local plain = cs.target {
  params = { { k = cs.integer(-1, 3) }, { mu = cs.real(2) }, { z = cs.label(2, 2) } }, traced = false,
  log_density = function(p) return p.k * p.mu[1] - p.mu[p.z[1]] ^ 2 + p.mu[p.z[2]] * ({ 0, 1, 2, 5, 7 })[p.k + 2] end,
}
compare(plain, function(x) return { k = x[1], mu = { x[2], x[3] }, z = { x[4], x[5] } } end, function(p)
  return p.k * p.mu[1] - p.mu[p.z[1]] ^ 2 + p.mu[p.z[2]] * ({ 0, 1, 2, 5, 7 })[p.k + 2]
end, { 1, 0.5, -0.3, 2, 1 }, { [1] = { -1, 3 }, [4] = { 1, 2 }, [5] = { 1, 2 } }, "not traced")

-- Values by name; a point is given by name, too.
local point = { k = 0, tau = 1.5, z = { 1, 3, 2 }, b = { 1, 0 }, mu = { -1, 0, 2 }, n = 3 }
near(all:log_density(point), define(values { 0, math.log(1.5), 1, 3, 2, 1, 0, -1, 0, math.log(2), 3 }), 1e-12, "by name")

-- ---- parameters of one kind ----
local labels = cs.target {
  params = { { z = cs.label(3, 4) } },
  log_density = function(p)
    local m, u = M.matrix(A), 0
    for i = 2, 4 do u = u + m[p.z[i - 1]][p.z[i]] end
    return u
  end,
}
assert(labels.space == "categorical")
local run = cs.open { target = labels, arms = { cs.kernel.gibbs {} }, seed = 1, chains = 2, start = { z = { 1, 2, 3, 3 } } }
assert(table.concat(run:arm(1):chain(1):shown(), " ") == "1 2 3 3")
run:step(500)
for _, draw in ipairs(run:arm(1):chain(1):draws()) do
  for i = 1, 4 do assert(draw[i] % 1 == 0 and draw[i] >= 1 and draw[i] <= 3) end
  near(draw.log_density, A[draw[1]][draw[2]] + A[draw[2]][draw[3]] + A[draw[3]][draw[4]], 1e-12, "draws")
end
assert(cs.target { params = { { b = cs.bit(3) }, { c = cs.bit() } }, log_density = function(p) return M.sum(p.b) * p.c end }.space == "binary")

-- ---- refusals, with the line of the script ----
local function refused(params, f, ...)
  local line = debug.getinfo(2, "l").currentline
  local ok, why = pcall(cs.target, { params = params, log_density = f })
  assert(not ok)
  for _, said in ipairs { ("mixed.lua:%d: "):format(line), ... } do
    assert(tostring(why):find(said, 1, true), tostring(why) .. " does not say " .. said)
  end
end
local mu, z, k = cs.real(3), cs.label(4, 3), cs.integer(0, 9)
refused({ { mu = mu }, { z = z } }, function(p) return p.mu[p.z[2]] end,
        "an index can be 4, where z[2] = 4, but this vector has 3 entries, counted from 1: declare a range that fits")
refused({ { mu = mu }, { z = z } }, function(p) return M.sum(M.gather(p.mu, p.z)) end, "can be 4, where z[1] = 4")
refused({ { mu = mu }, { k = k } }, function(p) return p.mu[p.k] end, "can be 0, where k = 0")
-- Parameters of one kind have their names in generated quantities, too.
for said, generated in next, {
  ["its indices count from 0, those of parameters from 1"] = function(p) return { entry = M.at({ 10, 20, 30, 40 }, p.z[1]) } end,
  ["where w[1] = 3"] = function(p) return { entry = M.vector({ 1, 2 })[p.w[1]] } end,
} do
  local ok, why = pcall(cs.target, { params = { { z = cs.label(3, 2) }, { w = cs.label(3, 2) } },
                                     log_density = function(p) return 0.1 * p.z[1] end, generated = generated })
  assert(not ok and tostring(why):find(said, 1, true), tostring(why) .. " does not say " .. said)
end
refused({ { mu = mu }, { k = cs.integer(1, 9) } }, function(p) return p.mu[p.k] end, "can be 4, where k = 4")
refused({ { k = k }, { z = z } }, function(p) return M.vector { 1, 2, 3, 4, 5 }[p.k - p.z[1] + 1] end, "k = 0, z[1] = 1")
refused({ { z = z }, { k = k } }, function(p) return M.matrix(A)[p.z[3]][1] end, "z[3] = 4, but this matrix has 3 rows")
refused({ { z = cs.label(3, 2) } }, function(p) return M.matrix(A)[p.z[1]][p.z[2] + 1] end, "z[2] = 3, but this vector has 3 entries")
refused({ { mu = mu }, { z = z } }, function(p) return lpdf.categorical(p.z[2], M.softmax(p.mu)) end,
        "cs.lpdf.categorical: an index can be 4, where z[2] = 4, but there are 3 categories")
refused({ { mu = cs.ordered(3) }, { k = k } }, function(p) return lpdf.ordered_logistic(p.k, 0, p.mu) end,
        "an index can be 0, where k = 0, but there are 4 categories")
refused({ { mu = mu }, { k = k } }, function(p) return lpdf.categorical(p.mu[1], M.softmax(p.mu)) end,
        "cs.lpdf.categorical: an index depends on real numbers of the state")
refused({ { mu = mu }, { k = k } }, function(p) return lpdf.normal(({ 1, 2 })[p.k], p.mu[1], 1) end,
        "index a list by a discrete parameter or by a column of data as cs.math.vector(list)[k]")
refused({ { mu = mu }, { k = k } }, function(p) return p.mu[p.mu[1]] end, "an index depends on real numbers of the state")
refused({ { mu = mu }, { k = k } }, function(p) return p.mu[p.k / 2] end, "an index may be a fraction")
refused({ { mu = mu }, { k = k } }, function(p) return M.at({ 1, 2 }, p.k) end, "write cs.math.vector(t)[k]")
refused({ { mu = mu }, { k = k } }, function(p) return ({ 1, 2 })[p.k] - p.mu[1] end, "index a list by a discrete parameter or by a column of data as cs.math.vector(list)[k]")
-- These are never outside, although bounds of their parts are.
for _, index in ipairs {
  function(p) return M.min(p.k + 1, 3) end,
  function(p) return M.where(M.lt(p.k, 3), p.k + 1, 3) end,
  function(p) return 1 + M.lt(p.k, 5) end,
} do
  cs.target { params = { { mu = mu }, { k = k } }, log_density = function(p) return p.mu[index(p)] - M.dot(p.mu, p.mu) end }
end
local function wrong(f, said)
  local ok, why = pcall(f)
  assert(not ok and tostring(why):find(said, 1, true), tostring(why) .. " does not say " .. said)
end
wrong(function() return cs.label(1, 3) end, "the number of labels = 1")
wrong(function() return cs.integer(3, 3) end, "the highest value = 3")
wrong(function() return cs.integer(1) end, "the highest value is a nil")
wrong(function() return cs.bit(2, 2) end, "cs.bit takes one size")
wrong(function()
  return cs.target { params = { { k = k }, { mu = mu } }, data = { y = { 1 } }, term = function(p, row) return -row.y * p.mu[1] end }
end, "a sum over rows of data takes real parameters only")

-- ---- starts ----
for _, row in ipairs {
  { { z = { 1, 2, 3, 4 } }, "start: z[4] is 4: give whole numbers from 1 to 3" },
  { { z = { 1, 2, 2.5, 1 } }, "start: z[3] is 2.5" },
  { { z = { 1, 2, 3 } }, "start: z has 3 numbers, not 4" },
  { { y = 1 }, "there is no parameter 'y'" },
} do
  wrong(function() cs.open { target = labels, arms = { cs.kernel.gibbs {} }, start = row[1] } end, row[2])
end
local function at(k) return { k = k, tau = 1, z = { 1, 1, 1 }, b = { 0, 0 }, mu = { 0, 1, 2 }, n = 2 } end
wrong(function() all:log_density(at(4)) end, "k is 4: give whole numbers from -1 to 3")
near(all:log_density(at(3)), define(values { 3, 0, 1, 1, 1, 0, 0, 0, 0, 0, 2 }), 1e-12, "start")
