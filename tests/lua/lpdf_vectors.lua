-- Densities of vectors and matrices, ordered and counted categories, and the
-- matrix functions of cs.math: values by direct formulas, slopes against
-- differences of fourth order, and messages.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local log, exp, pi = math.log, math.exp, math.pi
local lgamma = M.lgamma

local function near(got, want, tolerance, where)
  assert(got == want or math.abs(got - want) <= tolerance * (1 + math.abs(want)),
         ("%s: %.17g, not %.17g"):format(where, got, want))
end

-- Checks the value at x, and the gradient against differences of the function
-- of numbers.
local function check(where, f, x, value, tolerance)
  near(f(x), value, tolerance or 1e-12, where)
  local t = cs.target { space = cs.real(#x), log_density = f }
  near(t:log_density(x), value, tolerance or 1e-12, "traced " .. where)
  local slope = t:gradient(x)
  for i = 1, #x do
    local h = 1e-3 * math.max(0.1, math.abs(x[i]))
    local function at(k)
      local y = { table.unpack(x) }
      y[i] = y[i] + k * h
      return f(y)
    end
    near(slope[i], (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h), 1e-8, where .. ", slope " .. i)
  end
end

local function part(x, first, last) return M.slice(M.vector(x), first, last) end
-- A symmetric matrix from its lower triangle.
local function symmetric(x, n, first)
  local rows, at = {}, first or 1
  for i = 1, n do
    rows[i] = {}
    for j = 1, i do rows[i][j] = x[at] at = at + 1 end
  end
  for i = 1, n do for j = i + 1, n do rows[i][j] = rows[j][i] end end
  return rows
end

-- ---- normal and t ----
-- Covariance { { 4, 2 }, { 2, 10 } }: determinant 36, y - mu = (0.5, -3).
local form = (10 * 0.25 + 2 * 2 * 1.5 + 4 * 9) / 36
local plain = -log(2 * pi) - 0.5 * log(36) - 0.5 * form
check("multi_normal", function(x) return lpdf.multi_normal(part(x, 1, 2), { 0.5, 1 }, symmetric(x, 2, 3)) end,
      { 1, -2, 4, 2, 10 }, plain)
check("multi_normal of rows", function(x)
  return lpdf.multi_normal({ { 1, -2 }, { 1, -2 } }, part(x, 1, 2), symmetric(x, 2, 3)) end, { 0.5, 1, 4, 2, 10 }, 2 * plain)
check("multi_normal_precision", function(x)
  return lpdf.multi_normal_precision(part(x, 1, 2), { 0.5, 1 }, symmetric(x, 2, 3)) end,
  { 1, -2, 10 / 36, -2 / 36, 4 / 36 }, plain, 1e-11)
check("multi_student_t", function(x)
  return lpdf.multi_student_t(part(x, 1, 2), x[6], { 0.5, 1 }, symmetric(x, 2, 3)) end, { 1, -2, 4, 2, 10, 3.5 },
  lgamma(2.75) - lgamma(1.75) - log(3.5 * pi) - 0.5 * log(36) - 2.75 * log(1 + form / 3.5))

-- ---- Wishart ----
-- The determinant of { { a, b }, { b, c } } and the trace of p^-1 q.
local function det(x) return x[1][1] * x[2][2] - x[1][2] * x[2][1] end
local function trace(p, q)
  return (p[2][2] * q[1][1] - 2 * p[1][2] * q[1][2] + p[1][1] * q[2][2]) / det(p)
end
local s, x2, nu = { { 2, 0.5 }, { 0.5, 1 } }, { { 3, -1 }, { -1, 2 } }, 4.5
local log_gamma_2 = 0.5 * log(pi) + lgamma(nu / 2) + lgamma(nu / 2 - 0.5)
check("wishart", function(x) return lpdf.wishart(symmetric(x, 2), x[7], symmetric(x, 2, 4)) end,
      { 3, -1, 2, 2, 0.5, 1, nu },
      (nu - 3) / 2 * log(det(x2)) - trace(s, x2) / 2 - nu * log(2) - nu / 2 * log(det(s)) - log_gamma_2)
check("inverse_wishart", function(x) return lpdf.inverse_wishart(symmetric(x, 2), x[7], symmetric(x, 2, 4)) end,
      { 3, -1, 2, 2, 0.5, 1, nu },
      nu / 2 * log(det(s)) - (nu + 3) / 2 * log(det(x2)) - trace(x2, s) / 2 - nu * log(2) - log_gamma_2)
near(lpdf.wishart({ { 2 } }, 3, { { 1.5 } }), lpdf.gamma(2, 1.5, 0.5 / 1.5), 1e-13, "wishart of one")
near(lpdf.inverse_wishart({ { 2 } }, 3, { { 1.5 } }), lpdf.inverse_gamma(2, 1.5, 0.75), 1e-13, "inverse of one")
assert(lpdf.wishart(x2, 0.5, s) == -math.huge and lpdf.wishart({ { 1, 2 }, { 2, 1 } }, 4, s) == -math.huge)

-- ---- correlation matrices ----
-- For two variables (r + 1) / 2 is Beta(eta, eta). For three and eta = 1 the
-- density is 2 / pi^2.
check("lkj_corr", function(x) return lpdf.lkj_corr({ { 1, x[1] }, { x[1], 1 } }, x[2]) end, { 0.3, 2.5 },
      lpdf.beta(0.65, 2.5, 2.5) - log(2))
near(lpdf.lkj_corr({ { 1, 0.3, 0.1 }, { 0.3, 1, -0.2 }, { 0.1, -0.2, 1 } }, 1), log(2 / pi^2), 1e-13, "lkj_corr of three")

-- ---- graphs ----
local w = { { 0, 1, 1 }, { 1, 0, 2 }, { 1, 2, 0 } }
check("car", function(x)
  return lpdf.car(part(x, 1, 3), x[4], x[5], x[6], w) end, { 1, 2, 0.5, 0.3, 2, 0.5 },
  lpdf.multi_normal_precision({ 1, 2, 0.5 }, { 0.3, 0.3, 0.3 }, { { 4, -1, -1 }, { -1, 6, -2 }, { -1, -2, 6 } }))
-- The eigenvalues of D - W that are not 0 have the product 15, three times the
-- sum of the weights of spanning trees.
check("icar", function(x) return lpdf.icar(part(x, 1, 3), x[4], w) end, { 1, 2, 0.5, 2 },
      0.5 * log(15) + log(2 / (2 * pi)) - (1 + 0.5^2 + 2 * 1.5^2))
assert(lpdf.car({ 1, 2, 0.5 }, 0, 1, 1.1, w) == -math.huge)

-- ---- ordered categories ----
local function sigmoid(z) return 1 / (1 + exp(-z)) end
local function cdf(z) return M.normal_cdf(z) end
for name, F in pairs { ordered_logistic = sigmoid, ordered_probit = cdf } do
  local p = { F(-1 - 0.3), F(0.5 - 0.3) - F(-1.3), F(2 - 0.3) - F(0.2), 1 - F(1.7) }
  check(name, function(x) return lpdf[name]({ 1, 2, 3, 4, 2 }, x[1], part(x, 2, 4)) end, { 0.3, -1, 0.5, 2 },
        log(p[1]) + 2 * log(p[2]) + log(p[3]) + log(p[4]))
  check(name .. ", a vector", function(x) return lpdf[name]({ 1, 3 }, part(x, 1, 2), { -1, 0.5, 2 }) end, { 0.3, 0.3 },
        log(p[1]) + log(p[3]))
  check(name .. ", two categories", function(x) return lpdf[name](2, x[1], { 0.4 }) end, { 0.3 }, log(1 - F(0.4 - 0.3)))
  near(M.sum(lpdf.each[name]({ 1, 4 }, 0.3, { -1, 0.5, 2 })), log(p[1]) + log(p[4]), 1e-12, "each " .. name)
  assert(lpdf[name](2, 0.3, { 1, 0 }) == -math.huge)
end
-- far from the cuts
near(lpdf.ordered_logistic(2, 800, { 0, 1 }), -800 + log(exp(1) - 1), 1e-13, "ordered_logistic, far")
near(lpdf.ordered_logistic(2, -800, { 0, 1 }), -800 + log(1 - exp(-1)), 1e-13, "ordered_logistic, far")
near(lpdf.ordered_probit(2, 30, { 0, 1 }), lpdf.ordered_probit(2, -29, { 0, 1 }), 1e-12, "ordered_probit, far")

-- ---- counts of categories ----
check("multinomial", function(x) return lpdf.multinomial({ 1, 2, 3 }, M.softmax(M.vector(x))) end,
      { log(0.2), log(0.3), log(0.5) }, log(60 * 0.2 * 0.09 * 0.125))
check("multinomial of many", function(x) return lpdf.multinomial({ 1000, 2000, 3000 }, M.softmax(M.vector(x))) end,
      { log(0.2), log(0.3), log(0.5) }, lpdf.binomial(1000, 6000, 0.2) + lpdf.binomial(2000, 5000, 0.375), 1e-11)
check("multinomial_logit", function(x) return lpdf.multinomial_logit({ 1, 2, 0 }, x) end, { 1, 0.5, -0.3 },
      log(3) + 1 + 2 * 0.5 - 3 * log(exp(1) + exp(0.5) + exp(-0.3)))
check("multinomial_logit of many", function(x) return lpdf.multinomial_logit({ 1000, 2000, 3000 }, x) end,
      { log(0.2), log(0.3), log(0.5) }, lpdf.multinomial({ 1000, 2000, 3000 }, { 0.2, 0.3, 0.5 }), 1e-11)
near(lpdf.multinomial({ 0, 2 }, { 0, 1 }), 0, 1e-14, "multinomial with a probability of 0")
check("dirichlet_multinomial", function(x) return lpdf.dirichlet_multinomial({ 3, 7 }, x) end, { 2, 3.5 },
      lpdf.beta_binomial(3, 10, 2, 3.5))
local all = 0
for i = 0, 4 do
  for j = 0, 4 - i do all = all + exp(lpdf.dirichlet_multinomial({ i, j, 4 - i - j }, { 0.5, 1, 2.5 })) end
end
near(all, 1, 1e-12, "the total of dirichlet_multinomial")
-- categorical and lkj_cholesky are tested in lpdf.lua: lpdf.categorical(, lpdf.categorical_logit(,
-- lpdf.dirichlet(, lpdf.multi_normal_cholesky(, lpdf.lkj_cholesky(

-- ---- functions of matrices ----
check("log_det", function(x) return M.log_det(symmetric(x, 2)) end, { 4, 2, 10 }, log(36))
check("inverse", function(x) return M.inverse(symmetric(x, 2))[1][2] end, { 4, 2, 10 }, -2 / 36)
local function sum_of(k) -- a sum with different weights
  local u = 0
  for i = 1, #k do for j = 1, #k do u = u + (i + 3 * j) * k[i][j] end end
  return u
end
local function covariance(f, points)
  local u = 0
  for i = 1, #points do for j = 1, #points do u = u + (i + 3 * j) * f(math.abs(points[i] - points[j])) end end
  return u
end
local at = { 0, 1, 3, 3 }
local of = {
  gp_exp_quad = function(d) return 4 * exp(-d^2 / (2 * 1.5^2)) end,
  gp_exponential = function(d) return 4 * exp(-d / 1.5) end,
  gp_matern32 = function(d) local r = math.sqrt(3) * d / 1.5 return 4 * (1 + r) * exp(-r) end,
  gp_matern52 = function(d) local r = math.sqrt(5) * d / 1.5 return 4 * (1 + r + r^2 / 3) * exp(-r) end,
}
for name, f in pairs(of) do
  check(name, function(x) return sum_of(M[name](at, x[1], x[2])) end, { 2, 1.5 }, covariance(f, at))
  check(name .. " at a state", function(x) return sum_of(M[name](x, 2, 1.5)) end, { 0, 1, 3, 4.5 },
        covariance(f, { 0, 1, 3, 4.5 }))
  check(name .. " in two coordinates", function(x)
    return sum_of(M[name]({ { 0, 0 }, { 3, 4 } }, x[1], { x[2], x[3] })) end, { 2, 1.5, 1.5 }, covariance(f, { 0, 5 }))
end
check("gp_periodic", function(x) return sum_of(M.gp_periodic(at, x[1], x[2], x[3])) end, { 2, 1.5, 4 },
      covariance(function(d) return 4 * exp(-2 * math.sin(pi * d / 4)^2 / 1.5^2) end, at))
near(M.gp_exp_quad({ 3 }, 2, 1)[1][1], 4, 1e-15, "one point")

-- ---- mistakes ----
local function refused(f, said)
  local ok, why = pcall(cs.target, { space = cs.real(2), log_density = f })
  assert(not ok and tostring(why):find "lpdf_vectors%.lua:%d+: " and tostring(why):find(said, 1, true), tostring(why))
end
local one = { { 1, 0 }, { 0, 1 } }
refused(function(x) return lpdf.multi_normal(x, { 0, 0 }, { { 1, 2 }, { 3, 4 } }) end,
        "cs.lpdf.multi_normal: sigma[2][1] is 3, but sigma[1][2] is 2: give a symmetric matrix")
refused(function(x) return lpdf.multi_normal(x, { 0, 0 }, { { 1, 2 }, { 2, 1 } }) end, "sigma is not positive definite")
refused(function(x) return lpdf.multi_normal(x[1], { 0, 0 }, one) end, "y is a number: give a vector, or a matrix")
refused(function(x) return lpdf.multi_normal(x, 0, one) end, "mu is a number: give a vector")
refused(function(x) return lpdf.lkj_corr(x, 1) end, "r is a vector of 2: give a square matrix")
refused(function(x) return lpdf.wishart(one, M.exp(x[1]), { { 1 } }) end, "x is 2 x 2, but s is 1 x 1")
refused(function(x) return lpdf.ordered_logistic(4, x[1], { 1, 2 }) end, "y = 4, but there are 3 categories")
refused(function(x) return lpdf.ordered_probit(1, x[1], { 2, 1 }) end, "cuts[2] = 1 after 2: cuts must rise")
refused(function(x) return lpdf.ordered_probit(x[1], 0, { 1, 2 }) end, "an index depends on the data or the state")
refused(function(x) return lpdf.car(x, 0, 1, 0.5, { { 0, 1 }, { 0, 0 } }) end, "w must be symmetric")
refused(function(x) return lpdf.car(x, 0, 1, 0.5, { { 0, 0 }, { 0, 0 } }) end, "row 1 of w has no neighbour")
refused(function(x) return lpdf.icar(x, 1, { { 0 } }) end, "y has 2 entries, but w is 1 x 1")
refused(function(x) return lpdf.car(x, 0, 1, 0.5, { { 0 } }) end, "y has 2 entries, but w is 1 x 1")
refused(function(x) return lpdf.car(x, { 0 }, 1, 0.5, { { 0, 1 }, { 1, 0 } }) end, "y has 2 entries, but mu has 1 entry")
refused(function(x) return lpdf.multi_normal({ x, x }, { 0 }, one) end, "each row of y has 2 entries, but mu has 1 entry")
for _, wrong in ipairs {
  { "p has 3 entries, but alpha has 1 entry", function() return lpdf.dirichlet({ 0.2, 0.3, 0.5 }, { 2 }) end },
  { "y has 3 entries, but p has 1 entry", function() return lpdf.multinomial({ 1, 2, 3 }, { 0.5 }) end },
  { "y has 1 entry, but eta has 2 entries", function() return lpdf.multinomial_logit({ 1 }, { 0.5, 1 }) end },
  { "y has 2 entries, but alpha has 1", function() return lpdf.dirichlet_multinomial({ 3, 7 }, { 2 }) end },
  { "y has 2 entries, but mu has 1 entry", function() return lpdf.multi_normal({ 1, 2 }, { 0 }, one) end },
  { "y has 2 entries, but l is 3 x 3", function()
    return lpdf.multi_normal_cholesky({ 1, 2 }, { 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }) end },
} do
  local ok, why = pcall(wrong[2])
  assert(not ok and tostring(why):find(wrong[1], 1, true), tostring(why))
end
refused(function(x) return lpdf.multinomial({ 1, 0.5 }, x) end, "y = 0.5: y must be a whole number")
refused(function(x) return lpdf.multinomial(3, x) end, "y is a number: give a vector")
refused(function(x) return M.gp_exp_quad(x, 1, { 1, 2 })[1][1] end, "rho has 2 entries, but points have 1")
refused(function(x) return M.gp_exp_quad(x, -1, 1)[1][1] end, "cs.math.gp_exp_quad: alpha = -1: alpha must be above 0")
refused(function(x) return M.log_det(x) end, "cs.math.log_det: a is a vector of 2: give a square matrix")
refused(function(x) return cs.lcdf.normal(x, 0, -1) end, "cs.lcdf.normal: sigma = -1: sigma must be above 0")
refused(function(x) return cs.lccdf.normal(x, 0) end, "cs.lccdf.normal takes (y, mu, sigma)")
refused(function(x) return cs.lcdf.nromal(x, 0, 1) end, "did you mean 'normal'?")

-- ---- counts below 0 ----
-- P(Y > y) = 1 for y < 0: as numbers, as an integer parameter and in rows of data.
for name, more in pairs { poisson = { 2 }, neg_binomial = { 2, 1.5 }, binomial = { 4, 0.3 } } do
  local f = cs.lccdf[name]
  local function tail(y) return f(y, table.unpack(more)) end
  near(tail(-1), 0, 0, name .. " above -1")
  near(tail { -3, 0, 2 }, tail(0) + tail(2), 1e-14, name .. ", list")
  local t = cs.target { params = { k = cs.integer(-2, 3), x = cs.real() }, log_density = function(p)
    return tail(p.k) - p.x^2 / 2 end }
  for k = -2, 3 do near(t:log_density { k, 0 }, tail(k), 1e-14, ("%s of k = %d"):format(name, k)) end
  assert(cs.lcdf[name](-1, table.unpack(more)) == -math.huge, name .. " below -1")
  assert(tail(0.5) == -math.huge, name .. ", fraction")
end
local function truncated(y, f)
  return cs.target { params = { m = cs.positive() }, data = { y = y }, prior = function(p) return -p.m end,
    term = function(p, row) return f(row.y, p.m) end }
end
near(truncated({ -1, 0, 3 }, cs.lccdf.poisson):log_density { math.log(2) },
     log(2) - 2 + cs.lccdf.poisson(0, 2) + cs.lccdf.poisson(3, 2), 1e-13, "rows above -1")
for f, said in pairs { [cs.lpdf.poisson] = "a whole number of at least 0", [cs.lccdf.poisson] = "a whole number" } do
  for value, word in pairs { [math.huge] = "inf", [0.5] = "0.5" } do
    local ok, why = pcall(truncated, { 1, 0, value }, f)
    assert(not ok and tostring(why):find(("y = %s in row 3 of the data: y must be %s"):format(word, said), 1, true), tostring(why))
  end
end

-- ---- categories in rows of data ----
local function rows_of(y, term)
  return cs.target { params = { a = cs.real(), c = cs.ordered(2) }, data = { y = y }, prior = function() return 0 end,
    term = term }
end
for name, f in pairs {
  ordered_logistic = function(p, y) return lpdf.ordered_logistic(y, p.a, p.c) end,
  ordered_probit = function(p, y) return lpdf.ordered_probit(y, p.a, p.c) end,
  categorical = function(p, y) return lpdf.categorical(y, M.softmax(M.pack(p.a, p.c))) end,
  categorical_logit = function(p, y) return lpdf.categorical_logit(y, M.pack(p.a, p.c)) end,
} do
  local y = { 1, 2, 3, 3, 1, 2, 2 }
  local of_rows = rows_of(y, function(p, row) return f(p, row.y) end)
  local all = cs.target { params = { a = cs.real(), c = cs.ordered(2) }, log_density = function(p) return f(p, y) end }
  local at = { 0.3, -0.7, 0.4 }
  near(of_rows:log_density(at), all:log_density(at), 1e-12, name .. ", rows of data")
  local a, b = of_rows:gradient(at), all:gradient(at)
  for i = 1, 3 do near(a[i], b[i], 1e-12, name .. ", rows of data, slope " .. i) end
  local ok, why = pcall(rows_of, { 1, 2.5 }, function(p, row) return f(p, row.y) end)
  assert(not ok and tostring(why):find("y = 2.5 in row 2 of the data: y must be a whole number", 1, true), tostring(why))
end
assert(rows_of({ 1, 3 }, function(p, row) return lpdf.ordered_logistic(row.y, p.a, { 0, 1 }) end):log_density { 0, 0, 0 }
       > -math.huge)

-- ---- use ----
-- Censored and truncated data: the density of y above 1, of which one value is
-- only known to be above 3.
check("censored", function(x)
  return lpdf.normal({ 1.5, 2.5 }, x[1], x[2]) + cs.lccdf.normal(3, x[1], x[2]) - 3 * cs.lccdf.normal(1, x[1], x[2]) end,
  { 2, 0.7 }, lpdf.normal({ 1.5, 2.5 }, 2, 0.7) + log(1 - cdf(1 / 0.7)) - 3 * log(cdf(1 / 0.7)))
