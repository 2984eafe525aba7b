-- Kernels in the form of a textbook: one chain, one coordinate at a time, no state between
-- steps. They use the random numbers of the kernels in C. Therefore both kinds of kernel
-- give the same chain, up to rounding.
local m = ...
local cs = m.cs
local exp, log, floor, min = math.exp, math.log, math.floor, math.min

local function copy_of(x) return table.move(x, 1, #x, 1, {}) end

-- Maps the uniform number u to one of the indices 1 .. n.
local function place(u, n) return 1 + min(floor(u * n), n - 1) end

local function check_bits(name, x)
  for i = 1, #x do
    if x[i] ~= 0 and x[i] ~= 1 then error("cs.plain." .. name .. " needs a target of bits", 0) end
  end
end

local plain = {}

-- Random-walk Metropolis: y = x + step z is accepted with probability min(1, p(y) / p(x)).
plain.random_walk = {
  params = { step = 1 },
  propose = function(x, draw, p)
    local y = {}
    for i = 1, #x do y[i] = x[i] + p.step * draw:single_normal() end
    return y
  end,
}

-- Metropolis within Gibbs: a random walk in one coordinate, which is chosen uniformly.
plain.metropolis_within_gibbs = {
  params = { step = 1 },
  propose = function(x, draw, p)
    local y, i = copy_of(x), place(draw:uniform "site", #x)
    y[i] = x[i] + p.step * draw:single_normal()
    return y
  end,
}

-- MALA (Metropolis-adjusted Langevin algorithm): y = x + step^2 / 2 grad log p(x) + step z.
plain.mala = {
  params = { step = 0.1 },
  propose = function(x, draw, p, target)
    local g, y = target:gradient(x), {}
    for i = 1, #x do y[i] = x[i] + p.step^2 / 2 * g[i] + p.step * draw:normal() end
    return y
  end,
  log_q = function(from, to, p, target)
    local g, sum = target:gradient(from), 0
    for i = 1, #from do sum = sum + ((to[i] - from[i] - p.step^2 / 2 * g[i]) / p.step)^2 end
    return -sum / 2
  end,
}

local function kinetic(v)
  local sum = 0
  for i = 1, #v do sum = sum + v[i]^2 end
  return sum / 2
end

-- Hamiltonian Monte Carlo. Leapfrog steps from a random momentum v conserve the energy -log p(x) +
-- |v|^2 / 2 up to an error. This error determines the acceptance probability. All trajectories have
-- equal lengths, as with jitter = 0.
plain.hmc = {
  params = { step = 0.1, leapfrogs = 10 },
  omega1 = function(x, draw)
    local v = {}
    for i = 1, #x do v[i] = draw:normal() end
    return v
  end,
  map = function(x, v, p, target)
    for _ = 1, p.leapfrogs do
      local g = target:gradient(x)
      for i = 1, #x do v[i] = v[i] + p.step / 2 * g[i] end
      for i = 1, #x do x[i] = x[i] + p.step * v[i] end
      g = target:gradient(x)
      for i = 1, #x do v[i] = v[i] + p.step / 2 * g[i] end
    end
    return x, v
  end,
  log_ratio = function(x, y, v, w, _, target)
    return target:log_density(y) - target:log_density(x) - kinetic(w) + kinetic(v)
  end,
}

-- Returns the probability that bit i is 1, given the other bits.
local function given_the_rest(x, i, target)
  local y, logp = copy_of(x), {}
  for value = 0, 1 do
    y[i] = value
    logp[value] = target:log_density(y)
  end
  return 1 / (1 + exp(logp[0] - logp[1]))
end

-- Gibbs sampling: draws one bit from its distribution given the other bits. The proposal is always
-- accepted.
plain.gibbs = {
  params = {},
  propose = function(x, draw, _, target)
    check_bits("gibbs", x)
    local y, i = copy_of(x), place(draw:uniform "site", #x)
    y[i] = draw:uniform "proposal" < 1 - given_the_rest(x, i, target) and 0 or 1
    return y
  end,
  log_q = function(from, to, _, target)
    for i = 1, #from do
      if from[i] ~= to[i] then
        local one = given_the_rest(from, i, target)
        return log(to[i] == 1 and one or 1 - one)
      end
    end
    return 0 -- forward and backward probabilities are equal
  end,
}

-- Returns the probability that each bit is flipped: sigmoid(balance (1 - 2 x_i) g_i - 1 / (2
-- step)) for bit i.
local function flips(x, p, target)
  local g, odds = target:gradient(x), {}
  for i = 1, #x do
    odds[i] = 1 / (1 + exp(-(p.balance * (1 - 2 * x[i]) * g[i] - 1 / (2 * p.step))))
  end
  return odds
end

plain.dmala = {
  params = { step = 0.2, balance = 0.5 },
  propose = function(x, draw, p, target)
    check_bits("dmala", x)
    local odds, y = flips(x, p, target), {}
    for i = 1, #x do y[i] = draw:uniform "proposal" < odds[i] and 1 - x[i] or x[i] end
    return y
  end,
  log_q = function(from, to, p, target)
    local odds, sum = flips(from, p, target), 0
    for i = 1, #from do sum = sum + log(from[i] ~= to[i] and odds[i] or 1 - odds[i]) end
    return sum
  end,
}

-- Returns the weights with which the bit to flip is chosen: exp((1 - 2 x_i) g_i
-- / 2) for bit i.
local function weights(x, target)
  local g, w, sum = target:gradient(x), {}, 0
  for i = 1, #x do
    w[i] = exp((1 - 2 * x[i]) * g[i] / 2)
    sum = sum + w[i]
  end
  return w, sum
end

plain.gwg = {
  params = {},
  propose = function(x, draw, _, target)
    check_bits("gwg", x)
    local w, sum = weights(x, target)
    local left, i, y = draw:uniform "proposal" * sum, 1, copy_of(x)
    while i < #x and left >= w[i] do left, i = left - w[i], i + 1 end
    y[i] = 1 - y[i]
    return y
  end,
  log_q = function(from, to, _, target)
    local w, sum = weights(from, target)
    for i = 1, #from do
      if from[i] ~= to[i] then return log(w[i] / sum) end
    end
    return -math.huge
  end,
}

-- Returns a function that creates a kernel of the form `form`; its argument
-- gives the values of parameters.
local function maker(name, form)
  return function(fields)
    local t = {}
    for key, value in next, form do t[key] = value end
    t.params = {}
    for key, value in next, form.params do t.params[key] = value end
    if fields ~= nil and type(fields) ~= "table" then
      m.fail("cs.plain." .. name .. " expects a table", "write cs.plain." .. name .. " { ... }")
    end
    for key, value in next, fields or {} do
      if form.params[key] == nil then
        local known = m.sorted_keys(form.params)
        m.fail(("cs.plain.%s has no '%s'"):format(name, tostring(key)),
               known[1] and m.suggest(key, known) or "leave it out")
      end
      t.params[key] = value
    end
    return cs.kernel(t)
  end
end

local makers = {}
for name, form in next, plain do makers[name] = m.core.located(maker(name, form)) end
cs.plain = m.sealed("cs.plain", makers)
