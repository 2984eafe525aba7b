-- The random numbers of generated quantities: generated = function(p, rng) ... end. Each number is
-- a function of seed, chain, step and its place in `generated`, so a run that is repeated, resumed,
-- rewound or divided among workers draws the same numbers. Every distribution is the quantile
-- function of uniform numbers.
local m = ...
local core = m.core
local M = core.math
local nan = 0 / 0

-- Returns the length of a vector, or nil for numbers. All vectors must have the same length.
local function length_of(name, ...)
  local n
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if value == nil then m.fail("rng:" .. name .. " needs more arguments") end
    local rank = core.rank(value)
    if rank > 1 then m.fail("rng:" .. name .. " takes numbers and vectors") end
    if rank == 1 then
      local here = type(value) == "table" and #M.vector(value) or #value
      if n and n ~= here then m.fail(("rng:%s has vectors of %d and %d elements"):format(name, n, here)) end
      n = here
    end
  end
  return n
end

local function whole(name, what, n, most)
  if math.type(n) == "float" and n == math.floor(n) then n = math.tointeger(n) end
  if math.type(n) ~= "integer" or n < 1 or n > most then
    m.fail(("rng:%s: %s must be a number from 1 to %d"):format(name, what, most))
  end
  return n
end

-- Returns the quantile of u for a distribution of the counts 0, 1, ... with log probabilities
-- log_p(k): the number of k < most with F(k) < u. Also returns F(most - 1). The probabilities are
-- summed, not their logs: those that underflow do not change the sum.
local function count(u, most, log_p)
  local below, n = 0, 0
  for k = 0, most - 1 do
    below = below + M.exp(log_p(k))
    n = n + M.lt(below, u)
  end
  return n, below
end

-- Returns the quantile of u, or NaN if it is above the largest count of the call.
local function limited_count(name, u, most, log_p)
  most = whole(name, "the largest count", most or 100, 10000)
  local n, below = count(u, most, log_p)
  return M.where(M.le(u, below + M.exp(log_p(most))), n, nan) -- also for a NaN
end

local laws = {
  uniform = { 0, 2, function(u, low, high)
    if low == nil then return u end
    return low + (high - low) * u
  end },
  normal = { 2, 2, function(u, mu, sigma) return mu + sigma * M.inv_phi(u) end },
  lognormal = { 2, 2, function(u, mu, sigma) return M.exp(mu + sigma * M.inv_phi(u)) end },
  exponential = { 1, 1, function(u, rate) return -M.log(u) / rate end },
  logistic = { 2, 2, function(u, mu, s) return mu + s * (M.log(u) - M.log(1 - u)) end },
  cauchy = { 2, 2, function(u, mu, s) return mu - s * M.cos(math.pi * u) / M.sin(math.pi * u) end },
  laplace = { 2, 2, function(u, mu, s)
    return mu + s * M.where(M.lt(u, 0.5), M.log(2 * M.where(M.lt(u, 0.5), u, 0.5)), -M.log(2 * M.where(M.lt(u, 0.5), 0.5, 1 - u)))
  end },
  gumbel = { 2, 2, function(u, mu, beta) return mu - beta * M.log(-M.log(u)) end },
  weibull = { 2, 2, function(u, shape, scale) return scale * M.exp(M.log(-M.log(u)) / shape) end },
  pareto = { 2, 2, function(u, low, shape) return low * M.exp(-M.log(u) / shape) end },
  bernoulli = { 1, 1, function(u, p) return M.lt(u, p) end },
}

-- Distributions whose last argument is a constant. Draws are NaN for parameters without a
-- distribution, and for counts above the largest one that the call allows.
local counts = {
  poisson = function(u, lambda, most)
    local log_lambda = M.log(lambda)
    return limited_count("poisson", u, most, function(k)
      return (k == 0 and 0 or k * log_lambda) - lambda - M.lgamma(k + 1.0)
    end)
  end,
  binomial = function(u, p, n)
    n = whole("binomial", "the number of trials", n, 10000)
    local log_p, log_q = M.log(p), M.log(1 - p)
    local y = count(u, n, function(k)
      local ways = M.lgamma(n + 1.0) - M.lgamma(k + 1.0) - M.lgamma(n - k + 1.0)
      return (k == 0 and 0 or k * log_p) + (n - k) * log_q + ways
    end)
    return M.where(M.le(0, p) * M.le(p, 1), y, nan)
  end,
}

-- Returns { methods, used() }. take(from, n) returns random number `from`, or a vector of n of them.
function m.random_numbers(take)
  local used, methods = 0, {}
  local function uniform(n)
    local u = take(used + 1, n)
    used = used + (n or 1)
    return u
  end
  for name, law in next, laws do
    methods[name] = function(self, ...)
      local n = select("#", ...)
      if self ~= methods then m.fail("write rng:" .. name .. "(...)") end
      if n ~= law[2] and n ~= law[1] then
        m.fail(("rng:%s takes %d arguments, not %d"):format(name, law[2], n))
      end
      return law[3](uniform(length_of(name, ...)), ...)
    end
  end
  for name, law in next, counts do
    methods[name] = function(self, value, constant)
      if self ~= methods then m.fail("write rng:" .. name .. "(...)") end
      return law(uniform(length_of(name, value)), value, constant)
    end
  end
  -- Returns counts with mean mu and variance mu + mu^2 / phi, as cs.lpdf.neg_binomial.
  function methods:neg_binomial(mu, phi, most)
    if self ~= methods then m.fail("write rng:neg_binomial(...)") end
    local u = uniform(length_of("neg_binomial", mu, phi))
    local log_share, log_phi = -M.log1p(phi / mu), -phi * M.log1p(mu / phi) - M.lgamma(phi)
    return limited_count("neg_binomial", u, most, function(k)
      return M.lgamma(k + phi) - M.lgamma(k + 1.0) + log_phi + (k == 0 and 0 or k * log_share)
    end)
  end
  -- Returns the index of an element: 1 with probability p[1] / sum(p), and so on.
  function methods:categorical(p)
    local n = length_of("categorical", p)
    if not n then m.fail("rng:categorical takes a vector of probabilities") end
    local u, below, index = uniform() * M.sum(p), 0, 1
    for k = 1, n - 1 do
      below = below + p[k]
      index = index + M.lt(below, u)
    end
    return index
  end
  setmetatable(methods, { __index = function(_, name)
    m.fail(("generated: rng has no '%s'"):format(tostring(name)), m.suggest(tostring(name), m.sorted_keys(methods)))
  end, __metatable = false })
  return { methods = methods, used = function() return used end }
end
