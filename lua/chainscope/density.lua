-- Log densities of common distributions, including their constants. cs.lpdf.normal(y, mu, sigma)
-- returns a number; if arguments are lists, it is the sum over their entries.
-- cs.lpdf.each.normal(...) returns one log density per entry. Outside the support the value is
-- -inf.
--
-- The distributions are defined as in Johnson, Kotz and Balakrishnan (Continuous Univariate
-- Distributions, 1994; Univariate Discrete Distributions, 2005), in forms that avoid overflow and
-- cancellation. LKJ is defined as in Lewandowski, Kurowicka and Joe, Generating random correlation
-- matrices based on vines and extended onion method, 2009, equation 16.
local m = ...
local core, cs = m.core, m.cs
local M = core.math

local log, exp, log1p, expm1, lgamma = M.log, M.exp, M.log1p, M.expm1, M.lgamma
local where, sum, softplus, log_beta = M.where, M.sum, M.softplus, M.log_beta
local huge, half_log_tau, log_pi, log_2 =
  math.huge, 0.91893853320467274178, 1.1447298858494001741, 0.69314718055994530942

-- ---- domains of arguments ------------------------------------------------

-- Calls f for each number in x and returns true; returns false if x contains a
-- symbol.
local function each_number(x, f)
  if type(x) == "number" then f(x) return true end
  if type(x) ~= "table" then return false end
  local constant = true
  for i = 1, #x do constant = each_number(x[i], f) and constant end
  return constant
end

local function constant(x) return each_number(x, function() end) end

-- True if f is true for some number in x. Also true if x contains a symbol,
-- because the value of a symbol is unknown.
local function some(x, f)
  local found = false
  local known = each_number(x, function(v) found = found or f(v) end)
  return found or not known
end

local function is_count(x) return x >= 0 and x % 1 == 0 end

-- Returns 1 if x is a count, otherwise 0. For a symbol this function tests only the sign; the
-- values are checked when the data are read.
local function counts(x)
  if type(x) == "number" then return is_count(x) and 1 or 0 end
  if not constant(x) or core.rank(x) ~= 1 then return M.ge(x, 0) end
  local mask = {}
  for i = 1, #x do mask[i] = is_count(x[i]) and 1 or 0 end
  return M.vector(mask)
end

-- For each domain: its description, the test of a number, and the condition on a symbol.
local domains = {
  real = { "a finite number", function(x) return x - x == 0 end },
  positive = { "above 0", function(x) return x > 0 and x < huge end,
               function(x) return M.gt(x, 0) end },
  not_negative = { "at least 0", function(x) return x >= 0 and x < huge end,
                   function(x) return M.ge(x, 0) end },
  unit = { "from 0 to 1", function(x) return x >= 0 and x <= 1 end,
           function(x) return M.ge(x, 0) * M.le(x, 1) end },
  inside = { "above 0 and below 1", function(x) return x > 0 and x < 1 end,
             function(x) return M.gt(x, 0) * M.lt(x, 1) end },
  count = { "a whole number of at least 0", is_count, counts, kind = "count" },
  bit = { "0 or 1", function(x) return x == 0 or x == 1 end,
          function(x) return M.eq(x, 0) + M.eq(x, 1) end, kind = "bit" },
  index = { "a whole number of at least 1", function(x) return x >= 1 and x % 1 == 0 end },
}

-- Checks a constant. If a constant is outside its domain while a density is traced, the script
-- has an error. In a call with numbers, a value outside its domain means that the state is
-- outside the support.
local function demand(name, argument, domain, x)
  return each_number(x, function(value)
    if not domain[2](value) then
      m.fail(("cs.lpdf.%s: %s = %.9g"):format(name, argument, value),
             argument .. " must be " .. domain[1])
    end
  end)
end

-- Fails if a column of counts has a value that is not a count, or if a column of bits has a
-- value other than 0 and 1. The error names the row.
local function demand_column(name, argument, domain, x)
  if not domain.kind or type(x) == "number" then return end
  local row, value = core.column_lacks(x, domain.kind)
  if row then
    m.fail(("cs.lpdf.%s: %s = %.9g in row %d of the data"):format(name, argument, value, row),
           argument .. " must be " .. domain[1])
  end
end

local function both(a, b) return a and b and a * b or a or b end

-- Returns two conditions that the arguments are in their domains: one for all entries
-- together, and one per entry. If no argument can be outside of its domain, returns nil.
local function conditions(row, values)
  local of_all, of_each
  for i, domain in ipairs(row.domains) do
    local known = core.tracing() and demand(row.name, row.names[i], domain, values[i])
    if not known then demand_column(row.name, row.names[i], domain, values[i]) end
    local one = not known and domain[3] and domain[3](values[i])
    if one and core.rank(one) == 0 then of_all = both(of_all, one)
    elseif one then of_each = both(of_each, one) end
  end
  return of_all, of_each
end

-- ---- helpers -------------------------------------------------------------

local function largest(x)
  local most = -huge
  each_number(x, function(v) most = math.max(most, v) end)
  return most
end

-- Returns y log p. For y = 0 the result is 0 for any p.
local function times(y, log_p)
  if not some(y, function(v) return v == 0 end) then return y * log_p end
  return where(M.eq(y, 0), 0, y * log_p)
end

-- Returns the remainder of Stirling's formula: lgamma(a) - (a - 1/2) log a + a - log(2 pi) / 2,
-- which for integers equals log a! - (a + 1/2) log a + a - log(2 pi) / 2.
local function stirling(a)
  local near, far = M.min(a, 16), M.max(a, 16)
  local q = 1 / (far * far)
  return where(M.lt(a, 16), lgamma(near) - (near - 0.5) * log(near) + near - half_log_tau,
    (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q / 1188)))) / far)
end

-- If counts and shapes exceed this value, the plain formulas are imprecise, because their terms
-- become as large as the counts and shapes. The alternative formulas use a (e - expm1(e)) with e =
-- log(x / a), which is of second order for x near a.
local many = 1000
local function few(...)
  for _, x in ipairs { ... } do
    if not constant(x) or largest(x) > many then return false end
  end
  return true
end
local function bend(e) return e - expm1(e) end

-- Returns shape log x - x - lgamma(shape), without loss of precision for large shapes.
local function peak(x, shape)
  return shape * bend(log(x / shape)) + 0.5 * log(shape) - half_log_tau - stirling(shape)
end

-- Returns a log p + b log q - log B(a, b), where p + q = 1. The arguments are e = log(p (a + b) /
-- a) and f = log(q (a + b) / b).
local function shares(e, f, a, b)
  return a * bend(e) + b * bend(f) + 0.5 * (log(a) + log(b / (a + b))) - half_log_tau +
    stirling(a + b) - stirling(a) - stirling(b)
end

-- Returns y log rate - rate - log y!. eta is log rate, or nil if the script gave the rate itself.
-- For large y it uses y (e - expm1(e)) and a constant, with e = log(rate / y), so that the terms
-- that cancel are of second order.
local function poisson(y, rate, eta)
  if not constant(y) or few(y) then
    return (eta and y * eta or times(y, log(rate))) - rate - lgamma(y + 1)
  end
  local k, none = M.max(y, 1), M.eq(y, 0)
  local rest = (none - 1) * (0.5 * log(k) + half_log_tau + stirling(k))
  local e = eta and eta - log(k) or log(rate / k)
  return (eta and y * e or times(y, e)) - k * expm1(e) - none + rest
end

-- Returns the log of the binomial coefficient plus y log p + (n - y) log q, with the method of
-- `poisson`.
local function binomial(y, n, log_p, log_q)
  local misses = n - y
  if not (constant(y) and constant(n)) or few(n) then
    return times(y, log_p) + times(misses, log_q) - log1p(n) - log_beta(misses + 1, y + 1)
  end
  local k, l = M.max(y, 1), M.max(misses, 1)
  local inner = (1 - M.eq(y, 0)) * (1 - M.eq(misses, 0))
  local p, q = log_p - log(k / n), log_q - log(l / n)
  local rest = 0.5 * (log(n) - log(k) - log(l)) - half_log_tau + stirling(M.max(n, 1)) -
    stirling(k) - stirling(l)
  return times(y, p) + times(misses, q) - inner * (y * expm1(p) + misses * expm1(q) - rest)
end

-- Returns the log density of the beta-binomial distribution. Rising factorials remain precise for
-- large a and b; differences of log Beta functions do not.
local function beta_binomial(y, n, a, b)
  local misses = n - y
  local trials = M.log_rising(a, y) + M.log_rising(b, misses) - M.log_rising(a + b, n) -
    log1p(n) - log_beta(misses + 1, y + 1)
  local shapes = M.log_rising(y + 1, a - 1) + M.log_rising(misses + 1, b - 1) -
    M.log_rising(n + 1, a + b - 1) - log_beta(a, b)
  return where(M.lt(a + b, n), shapes, trials)
end

-- Returns the log density of the beta distribution. At 0 and 1 it is computed by the definition.
-- Between 0 and 1, it is computed by `shares` if a or b is large.
local function beta(y, a, b)
  local function plain() return times(a - 1, log(y)) + times(b - 1, log1p(-y)) - log_beta(a, b) end
  if few(a, b) then return plain() end
  local n, within = a + b, M.gt(y, 0) * M.lt(y, 1)
  local at_edge = some(y, function(v) return v == 0 or v == 1 end)
  local x = at_edge and where(within, y, 0.5) or y
  local u = shares(log(x * (n / a)), log1p(-x) - log(b / n), a, b) - log(x) - log1p(-x)
  if not at_edge then return u end
  return where(within, u, constant(y) and plain() or -huge)
end

local function gamma(y, shape, rate)
  local function plain()
    return shape * log(rate) - lgamma(shape) + times(shape - 1, log(y)) - rate * y
  end
  if few(shape) then return plain() end
  if not some(y, function(v) return v == 0 end) then return peak(rate * y, shape) - log(y) end
  local above = M.gt(y, 0)
  local x = where(above, y, 1)
  return where(above, peak(rate * x, shape) - log(x), constant(y) and plain() or -huge)
end

local function neg_binomial(y, mu, phi)
  if few(y) then
    return M.log_rising(phi, y) - lgamma(y + 1) + y * (log(mu) - log(mu + phi)) -
      phi * log1p(mu / phi)
  end
  local k = M.max(y, 1)
  local off = (mu - k) / (mu + phi)
  local u = shares(log1p(off * (phi / k)), log1p(-off), k, phi) - log(k)
  return where(M.eq(y, 0), -phi * log1p(mu / phi), u)
end

-- Returns the standardised values. If sigma is a single number, it is inverted
-- once for all entries.
local function standard(y, mu, sigma) return (y - mu) * (1 / sigma) end

local function normal(y, mu, sigma)
  local z = standard(y, mu, sigma)
  return -0.5 * z * z - log(sigma) - half_log_tau
end

local function student(y, nu, mu, sigma)
  local z = standard(y, mu, sigma)
  return M.log_rising(0.5 * nu, 0.5) - 0.5 * (log(nu) + log_pi) - log(sigma) -
    0.5 * (nu + 1) * log1p(z * z / nu)
end

local function cauchy(y, mu, sigma)
  local z = standard(y, mu, sigma)
  return -log_pi - log(sigma) - log1p(z * z)
end

-- Picks entries of a vector by indices, counted from 1, which may be discrete parameters.
local function pick(y, x)
  if core.rank(y) > 0 then return M.gather(x, y) end
  return constant(y) and M.gather(x, { y })[1] or M.vector(x)[y]
end

local function multi_normal(y, mu, l)
  if core.rank(y) == 2 then
    local total = 0
    for i = 1, #y do total = total + multi_normal(y[i], mu, l) end
    return total
  end
  local z, d = M.solve_lower(l, y - mu), M.diagonal(l)
  local u = -0.5 * M.dot(z, z) - sum(log(d)) - #d * half_log_tau
  return where(M.gt(M.min(d), 0), u, -huge)
end

local function lkj(l, eta)
  local n, u = #l, 0
  for k = 1, n - 1 do u = u - 0.5 * k * log_pi + M.log_rising(eta + 0.5 * (n - 1 - k), 0.5 * k) end
  local d = M.diagonal(l)
  for k = 2, n do u = u + (n - k + 2 * eta - 2) * log(d[k]) end
  return where(M.gt(M.min(d), 0), u, -huge)
end

local function dirichlet(p, alpha)
  if core.rank(alpha) == 0 then alpha = M.fill(alpha, #p) end
  local n = sum(alpha)
  if few(n) then return lgamma(n) - sum(lgamma(alpha)) + sum((alpha - 1) * log(p)) end
  return sum(alpha * bend(log(p * (n / alpha)))) + n * (sum(p) - 1) + 0.5 * (sum(log(alpha)) - log(n)) -
    (#p - 1) * half_log_tau + stirling(n) - sum(stirling(alpha)) - sum(log(p))
end

-- ---- the distributions ---------------------------------------------------

-- Rows: name, "argument domain, ...", help text, log density per entry. whole: the density
-- belongs to a whole vector or matrix, and has no entries. pooled: one argument is used as a
-- whole.
local rows = {
  { "normal", "y real, mu real, sigma positive", "normal with standard deviation sigma", normal },
  { "half_normal", "y not_negative, sigma positive", "right half of a normal around 0",
    function(y, sigma) return normal(y, 0, sigma) + log_2 end },
  { "student_t", "y real, nu positive, mu real, sigma positive",
    "Student's t with nu degrees of freedom", student },
  { "half_student_t", "y not_negative, nu positive, sigma positive", "right half of a Student's t around 0",
    function(y, nu, sigma) return student(y, nu, 0, sigma) + log_2 end },
  { "cauchy", "y real, mu real, sigma positive", "Cauchy with scale sigma", cauchy },
  { "half_cauchy", "y not_negative, sigma positive", "right half of a Cauchy around 0",
    function(y, sigma) return cauchy(y, 0, sigma) + log_2 end },
  { "laplace", "y real, mu real, sigma positive", "double exponential with scale sigma",
    function(y, mu, sigma) return -log(sigma) - log_2 - M.abs(standard(y, mu, sigma)) end },
  { "logistic", "y real, mu real, sigma positive", "logistic with scale sigma",
    function(y, mu, sigma)
      local z = standard(y, mu, sigma)
      return -softplus(z) - softplus(-z) - log(sigma)
    end },
  { "gamma", "y not_negative, shape positive, rate positive", "Gamma with mean shape / rate", gamma },
  { "inverse_gamma", "y positive, shape positive, scale positive", "distribution of y if 1 / y is Gamma with that shape and with rate = scale",
    function(y, shape, scale)
      if not few(shape) then return peak(scale / y, shape) - log(y) end
      return shape * log(scale) - lgamma(shape) - (shape + 1) * log(y) - scale / y
    end },
  { "weibull", "y not_negative, shape positive, scale positive", "Weibull",
    function(y, shape, scale)
      local z = log(y) - log(scale)
      return log(shape) - log(scale) + times(shape - 1, z) - exp(shape * z)
    end },
  { "exponential", "y not_negative, rate positive", "exponential with mean 1 / rate",
    function(y, rate) return log(rate) - rate * y end },
  { "lognormal", "y positive, mu real, sigma positive", "log-normal: log y is normal",
    function(y, mu, sigma)
      local l = log(y)
      return normal(l, mu, sigma) - l
    end },
  { "beta", "y unit, a positive, b positive", "Beta with mean a / (a + b)",
    beta },
  { "uniform", "y real, low real, high real", "uniform from low to high",
    function(y, low, high)
      return where(M.ge(y, low) * M.le(y, high), -log(high - low), -huge)
    end },
  { "poisson", "y count, rate not_negative", "Poisson", poisson },
  { "poisson_log", "y count, eta real", "Poisson with rate exp(eta)",
    function(y, eta) return poisson(y, exp(eta), eta) end },
  { "neg_binomial", "y count, mu positive, phi positive",
    "negative binomial with mean mu and variance mu + mu^2 / phi",
    neg_binomial },
  { "binomial", "y count, n count, p unit", "successes in n trials",
    function(y, n, p) return where(M.le(y, n), binomial(y, n, log(p), log1p(-p)), -huge) end },
  { "binomial_logit", "y count, n count, eta real", "successes in n trials with probability sigmoid(eta)",
    function(y, n, eta)
      return where(M.le(y, n), binomial(y, n, -softplus(-eta), -softplus(eta)), -huge)
    end },
  { "beta_binomial", "y count, n count, a positive, b positive",
    "successes in n trials whose probability is Beta(a, b)",
    function(y, n, a, b) return where(M.le(y, n), beta_binomial(y, n, a, b), -huge) end },
  { "bernoulli", "y bit, p unit", "1 with probability p",
    function(y, p) return where(y, log(p), log1p(-p)) end },
  { "bernoulli_logit", "y bit, eta real", "1 with probability sigmoid(eta)",
    function(y, eta) return -softplus((1 - 2 * y) * eta) end },
  { "categorical", "y index, p unit", "y is the index, from 1, of an entry of the probabilities p",
    function(y, p) return log(pick(y, p)) end, pooled = true },
  { "categorical_logit", "y index, eta real", "y is an index, from 1, with probabilities softmax(eta)",
    function(y, eta) return pick(y, M.log_softmax(eta)) end, pooled = true },
  { "dirichlet", "p inside, alpha positive", "Dirichlet density of a simplex p",
    dirichlet, whole = true },
  { "multi_normal_cholesky", "y real, mu real, l real",
    "normal vector (or rows of a matrix) with covariance l l', l lower triangular",
    multi_normal, whole = true },
  { "lkj_cholesky", "l real, eta positive",
    "l is the Cholesky factor of a correlation matrix with density |l l'|^(eta - 1)", lkj, whole = true },
}

local function numbers_of(row, ...)
  local values, n = { ... }, select("#", ...)
  if n ~= #row.names then
    m.fail(("cs.lpdf.%s takes (%s)"):format(row.name, row.arguments))
  end
  for i = 1, n do
    if type(values[i]) == "table" then values[i] = M.vector(values[i]) end
  end
  return values
end

local function entries(row, values)
  local of_all, of_each = conditions(row, values)
  if row.pooled and of_each then of_all, of_each = both(of_all, M.min(of_each)), nil end
  local u = row.density(table.unpack(values))
  return of_each and where(of_each, u, -huge) or u, of_all
end

local total, each, listed = {}, {}, {}
for i, given in ipairs(rows) do
  local row = { name = given[1], density = given[4], pooled = given.whole or given.pooled, names = {}, domains = {} }
  for name, domain in given[2]:gmatch("([%a_]+) ([%a_]+)") do
    row.names[#row.names + 1] = name
    row.domains[#row.domains + 1] = domains[domain]
  end
  row.arguments = table.concat(row.names, ", ")
  listed[i] = { row.name, row.arguments, given[3] }
  total[row.name] = core.located(function(...)
    local u, inside = entries(row, numbers_of(row, ...))
    u = sum(u)
    return inside and where(inside, u, -huge) or u
  end)
  if not given.whole then
    each[row.name] = core.located(function(...)
      local u, inside = entries(row, numbers_of(row, ...))
      return inside and where(inside, u, -huge) or u
    end)
  end
end
listed[#listed + 1] = { "each.NAME", "...", "the same without the sum: one value per entry, as mixtures need" }
total.each = m.sealed("cs.lpdf.each", each)
cs.lpdf = m.sealed("cs.lpdf", total)
m.functions.lpdf = listed
