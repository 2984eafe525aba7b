-- Planted faults: kernels with one deliberate error, each with a target on which the error has an
-- effect; and correct kernels that look unusual. cs.faulty.NAME { seed = n } draws the size of the
-- error from a range in which `chainscope check` finds it.
local m = ...
local cs = m.cs
local M = cs.math
local abs, exp, floor, huge, log, max, sqrt = math.abs, math.exp, math.floor, math.huge, math.log, math.max, math.sqrt

-- Returns a function that returns uniform numbers in [0, 1), which depend only on the seed and the
-- name (splitmix64).
local function uniform_of(seed, name)
  local state = seed
  for i = 1, #name do state = (state ~ name:byte(i)) * 0x100000001b3 end
  return function()
    state = state + 0x9e3779b97f4a7c15
    local z = state
    z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ~ (z >> 27)) * 0x94d049bb133111eb
    z = z ~ (z >> 31)
    return (z >> 11) * 2.0^-53
  end
end

-- ---- kernels -----------------------------------------------------------------------

local function none() return 0 end

-- Creates a kernel whose accept step, if any, is part of its moves: f(x, draw, target) returns the
-- next state.
local function moves(f)
  return cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw, _, t) return f(x, draw, t) end }
end

local function change(x, y, target) return target:log_density(y) - target:log_density(x) end

-- Creates a random walk whose log acceptance ratio is f(change of log p).
local function walk(step, f, accept)
  return cs.kernel { accept = accept, omega1 = none,
    propose = function(x, _, draw) return { x[1] + step * draw:normal() } end,
    log_ratio = function(x, y, _, _, _, t) return f(change(x, y, t)) end }
end

local function same(r) return r end

-- Creates a kernel on the integers 1 .. n from the rows of a transition matrix.
local function of_matrix(rows)
  return moves(function(x, draw)
    local u, row, k = draw:uniform(), rows[floor(x[1])], 1
    while k < #row and u >= row[k] do u, k = u - row[k], k + 1 end
    return { k }
  end)
end

-- Creates Hamiltonian Monte Carlo in two dimensions. `first` and `last` are the sizes of the first
-- and the last change of the momentum, in steps; `kinetic` is the factor of the kinetic energy in
-- the ratio.
local function hmc(p, first, last, kinetic)
  return moves(function(x, draw, t)
    local q, v = { x[1], x[2] }, { draw:normal(), draw:normal() }
    local h = t:log_density(x) - kinetic * 0.5 * (v[1]^2 + v[2]^2)
    local g = t:gradient(q)
    for k = 1, p.leapfrogs do
      for i = 1, 2 do
        v[i] = v[i] + (k == 1 and first or 1) * p.step * g[i]
        q[i] = q[i] + p.step * v[i]
      end
      g = t:gradient(q)
    end
    for i = 1, 2 do v[i] = v[i] + last * p.step * g[i] end
    local r = t:log_density(q) - kinetic * 0.5 * (v[1]^2 + v[2]^2) - h
    return log(draw:uniform()) < r and q or x
  end)
end

-- Gibbs sampling of two normals with correlation rho; sd is that of the conditional distribution.
local function first_given(x, rho, sd, draw) return { rho * x[2] + sd * draw:normal(), x[2] } end
local function second_given(x, rho, sd, draw) return { x[1], rho * x[1] + sd * draw:normal() } end
local function root(rho) return sqrt(1 - rho^2) end

local function random_site(p)
  return moves(function(x, draw)
    return (draw:uniform() < 0.5 and first_given or second_given)(x, p.rho, root(p.rho), draw)
  end)
end

local function in_order(p, sd)
  return moves(function(x, draw)
    return second_given(first_given(x, p.rho, sd, draw), p.rho, sd, draw)
  end)
end

-- ---- targets -----------------------------------------------------------------------

local function normal() return cs.target.gaussian { dim = 1 } end

local function pair(p)
  return cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, p.rho }, { p.rho, 1 } } }
end

local function gamma()
  return cs.target { name = "gamma(3)", space = cs.real(1), log_density = function(x)
    return M.where(M.lt(0, x[1]), 2 * M.log(M.abs(x[1])) - x[1], -huge)
  end }
end

local function exponential()
  return cs.target { name = "exponential(1)", space = cs.real(1), log_density = function(x)
    return M.where(M.le(0, x[1]), -x[1], -huge)
  end }
end

local function islands(p)
  return cs.target { name = "three islands", space = cs.ordinal(1, 1, 3), log_density = function(x)
    return cs.math.log(M.vector(p.people)[x[1]])
  end }
end

local rows = { 1.2, -0.3, 0.8, 2.1, -1.4, 0.1, 0.9, -0.6, 1.7, 0.4 }
local function ten_rows()
  return cs.target { name = "ten rows", space = cs.real(1), log_density = function(x)
    local sum = 0
    for i = 1, #rows do sum = sum - 0.5 * (rows[i] - x[1])^2 end
    return sum
  end }
end

local function two_modes(x)
  local a, b = -0.5 * (x - 3)^2, -0.5 * (x + 3)^2
  local top = max(a, b)
  return top + log(exp(a - top) + exp(b - top))
end

local function ladder(p)
  return cs.target { name = "two modes at two temperatures", space = cs.real(2), log_density = function(x)
    local function log_p(y) return M.log_sum_exp(-0.5 * (y - 3)^2, -0.5 * (y + 3)^2) end
    return log_p(x[1]) + log_p(x[2]) / p.hot
  end }
end

local function ising(p) return cs.target.ising { rows = 3, cols = 3, beta = p.beta } end

-- ---- moves of single rows ------------------------------------------------------------

local function stretched(p)
  return function(x, draw) return { x[1] * exp(p.step * draw:normal()) } end
end

local function log_q_stretched(p)
  return function(a, b) return -0.5 * ((log(b[1]) - log(a[1])) / p.step)^2 - log(b[1]) end
end

-- Metropolis on three islands, proposing a neighbour with probability 1/2 each. If `drop`, a
-- refused step is drawn again until it is accepted.
local function island_rows(p, drop)
  local n, matrix = p.people, {}
  for a = 1, 3 do
    local row, stay = { 0, 0, 0 }, 1
    for _, b in ipairs { a - 1, a + 1 } do
      if n[b] then
        row[b] = 0.5 * math.min(1, n[b] / n[a])
        stay = stay - row[b]
      end
    end
    if drop then
      for b = 1, 3 do row[b] = row[b] / (1 - stay) end
    else
      row[a] = stay
    end
    matrix[a] = row
  end
  return matrix
end

local function batch(p, size)
  return moves(function(x, draw)
    local y, sum, order = x[1] + p.step * draw:normal(), 0, {}
    for i = 1, #rows do order[i] = i end
    for i = 1, size do
      local k = i + draw:below(#rows - i + 1) - 1
      order[i], order[k] = order[k], order[i]
      sum = sum - 0.5 * (rows[order[i]] - y)^2 + 0.5 * (rows[order[i]] - x[1])^2
    end
    return { log(draw:uniform()) < sum * #rows / size and y or x[1] }
  end)
end

local function swaps(p, blind)
  return moves(function(x, draw)
    if draw:uniform() < 0.5 then
      local r = (two_modes(x[2]) - two_modes(x[1])) * (1 - 1 / p.hot)
      if blind or log(draw:uniform()) < r then return { x[2], x[1] } end
      return x
    end
    local a, b = x[1] + 2 * draw:normal(), x[2] + 6 * draw:normal()
    local take_a = log(draw:uniform()) < two_modes(a) - two_modes(x[1])
    local take_b = log(draw:uniform()) < (two_modes(b) - two_modes(x[2])) / p.hot
    return { take_a and a or x[1], take_b and b or x[2] }
  end)
end

-- Returns the weights of the nine spins, the square root of p after the flip over p before it, and
-- their sum.
local function weights(x, t)
  local w, sum, here = {}, 0, t:log_density(x)
  for i = 1, #x do
    local y = { table.unpack(x) }
    y[i] = 1 - y[i]
    w[i] = exp(0.5 * (t:log_density(y) - here))
    sum = sum + w[i]
  end
  return w, sum
end

local function informed(x, draw, _, t)
  local w, sum = weights(x, t)
  local u, k = draw:uniform() * sum, 1
  while k < #x and u >= w[k] do u, k = u - w[k], k + 1 end
  local y = { table.unpack(x) }
  y[k] = 1 - y[k]
  return y
end

local function log_q_informed(a, b, _, t)
  local w, sum = weights(a, t)
  for i = 1, #a do
    if a[i] ~= b[i] then return log(w[i] / sum) end
  end
  return -huge
end

local function plain_walk(p) return walk(p.step, same) end

-- ---- the table of faults ---------------------------------------------------------------

-- Each fault: law, the law that finds it; wrong and right, what the kernel does and what would be
-- right; target(p); faulty(p) and correct(p), the kernels. `ranges` has the parameters, each with
-- its range; a range of whole numbers has a third entry. `start` is a state of positive density.
-- `state`: the kernel keeps a value between steps, which `check` finds, and `run` refuses.
local faults = {
  ratio_forgotten = { law = "stationarity", ranges = { step = { 0.6, 1.1 } }, start = { 2 }, target = gamma,
    wrong = "log r = log p(y) - log p(x), for y = x exp(s z)", right = "log r = log p(y) - log p(x) + log y - log x",
    faulty = function(p) return cs.kernel { propose = stretched(p) } end,
    correct = function(p) return cs.kernel { propose = stretched(p), log_q = log_q_stretched(p) } end },
  ratio_backwards = { law = "stationarity", ranges = { step = { 0.6, 1.1 } }, start = { 2 }, target = gamma,
    wrong = "log r has log q(y | x) - log q(x | y)", right = "log r has log q(x | y) - log q(y | x)",
    faulty = function(p)
      local log_q = log_q_stretched(p)
      return cs.kernel { propose = stretched(p), log_q = function(a, b) return log_q(b, a) end }
    end,
    correct = function(p) return cs.kernel { propose = stretched(p), log_q = log_q_stretched(p) } end },
  clipped = { law = "stationarity", ranges = { step = { 0.8, 1.5 } }, start = { 1 }, target = exponential,
    wrong = "y = max(0.01, x + s z)", right = "y = x + s z, rejected below 0",
    faulty = function(p)
      return cs.kernel { propose = function(x, draw) return { max(0.01, x[1] + p.step * draw:normal()) } end }
    end, correct = plain_walk },
  redrawn = { law = "stationarity", ranges = { step = { 0.8, 1.5 } }, start = { 1 }, target = exponential,
    wrong = "y = x + s z is drawn again until y > 0", right = "y = x + s z, rejected below 0",
    faulty = function(p)
      return cs.kernel { propose = function(x, draw)
        local y
        repeat y = x[1] + p.step * draw:normal() until y > 0
        return { y }
      end }
    end, correct = plain_walk },
  unadjusted = { law = "stationarity", ranges = { rate = { 0.5, 0.9 } }, target = normal,
    wrong = "y = x + h/2 g + sqrt(h) z is always accepted", right = "y is accepted with probability min(1, r)",
    faulty = function(p)
      return moves(function(x, draw, t)
        return { x[1] + p.rate / 2 * t:gradient(x)[1] + sqrt(p.rate) * draw:normal() }
      end)
    end,
    correct = function(p) return cs.kernel.mala { step = sqrt(p.rate) } end },
  tuned_for_ever = { law = "again", ranges = { factor = { 1.15, 1.4 } }, target = normal, state = true,
    wrong = "the step grows after each accepted and shrinks after each rejected proposal, for ever",
    right = "the step is adapted during the warm-up, then constant",
    faulty = function(p)
      local step = 1
      return nil, cs.kernel { omega1 = none,
        propose = function(x, _, draw) return { x[1] + step * draw:normal() } end,
        log_ratio = function(x, y, _, _, _, t)
          local r = change(x, y, t)
          step = step * (r > -0.7 and p.factor or 1 / p.factor)
          return r
        end }
    end,
    correct = function() return walk(2.4, same) end },
  power_09 = { law = "record", ranges = { step = { 1.2, 2 }, power = { 0.82, 0.92 } }, target = normal,
    wrong = "log r = c (log p(y) - log p(x)) with c below 1", right = "log r = log p(y) - log p(x)",
    faulty = function(p) return walk(p.step, function(r) return p.power * r end) end, correct = plain_walk },
  step_of_state = { law = "stationarity", ranges = { short = { 0.4, 0.6 }, long = { 1.6, 2.4 } }, target = normal,
    wrong = "the step is s1 if |x| < 1, else s2, and log q is left out", right = "the step is the same everywhere",
    faulty = function(p)
      return cs.kernel { propose = function(x, draw)
        return { x[1] + (abs(x[1]) < 1 and p.short or p.long) * draw:normal() }
      end }
    end,
    correct = function(p) return walk(p.long, same) end },
  rejections_dropped = { law = "transitions", ranges = { second = { 2, 3, true }, third = { 4, 6, true } }, start = { 1 },
    target = islands, wrong = "a rejected proposal is drawn again until one is accepted", right = "a rejected proposal counts the old state once more",
    faulty = function(p) return of_matrix(island_rows(p, true)) end,
    correct = function(p) return of_matrix(island_rows(p)) end },
  looks_back = { law = "stationarity", ranges = { rho = { 0.65, 0.9 } }, target = pair,
    wrong = "redraws the coordinate with the larger |x|", right = "redraws a coordinate that is chosen independently of the state",
    faulty = function(p)
      return moves(function(x, draw)
        return (abs(x[1]) > abs(x[2]) and first_given or second_given)(x, p.rho, root(p.rho), draw)
      end)
    end, correct = random_site },
  wrong_conditional = { law = "stationarity", ranges = { rho = { 0.65, 0.9 } }, target = pair,
    wrong = "the sd of x1 given x2 is 1 - rho^2", right = "the sd of x1 given x2 is sqrt(1 - rho^2)",
    faulty = function(p) return in_order(p, 1 - p.rho^2) end,
    correct = function(p) return in_order(p, root(p.rho)) end },
  stale_pair = { law = "stationarity", ranges = { rho = { 0.65, 0.9 } }, target = pair,
    wrong = "both coordinates are drawn from the old values", right = "the second coordinate is drawn given the new first one",
    faulty = function(p)
      return moves(function(x, draw)
        local sd = root(p.rho)
        return { p.rho * x[2] + sd * draw:normal(), p.rho * x[1] + sd * draw:normal() }
      end)
    end,
    correct = function(p) return in_order(p, root(p.rho)) end },
  batch_ratio = { law = "stationarity", ranges = { step = { 0.5, 0.8 }, rows = { 2, 4, true } }, target = ten_rows,
    wrong = "log r is estimated from some rows of ten, scaled up", right = "log r uses all rows",
    faulty = function(p) return batch(p, p.rows) end,
    correct = function(p) return batch(p, #rows) end },
  blind_swap = { law = "stationarity", ranges = { hot = { 6, 12 } }, target = ladder,
    wrong = "swaps of two temperatures are always accepted", right = "a swap is accepted with log r = (E1 - E2) (1/T1 - 1/T2)",
    faulty = function(p) return swaps(p, true) end,
    correct = function(p) return swaps(p) end },
  leapfrog_unfinished = { law = "stationarity", ranges = { rho = { 0.68, 0.74 }, step = { 0.52, 0.56 }, leapfrogs = { 5, 5, true } }, target = pair,
    wrong = "the last change of the momentum is a whole step", right = "the first and the last change are half steps",
    faulty = function(p) return hmc(p, 0.5, 1, 1) end,
    correct = function(p) return hmc(p, 0.5, 0.5, 1) end },
  kinetic_forgotten = { law = "stationarity", ranges = { rho = { 0.78, 0.85 }, step = { 0.44, 0.52 }, leapfrogs = { 5, 6, true } }, target = pair,
    wrong = "log r = log p(y) - log p(x), without the kinetic energy", right = "log r = log p(y) - |v'|^2/2 - log p(x) + |v|^2/2",
    faulty = function(p) return hmc(p, 0.5, 0.5, 0) end,
    correct = function(p) return hmc(p, 0.5, 0.5, 1) end },
  one_uniform = { law = "stationarity", ranges = { width = { 2.5, 4 } }, target = normal,
    wrong = "the same uniform number gives the proposal and the decision", right = "the decision has a uniform number of its own",
    faulty = function(p)
      return moves(function(x, draw, t)
        local u = draw:uniform()
        local y = { x[1] + p.width * (u - 0.5) }
        return log(u) < change(x, y, t) and y or x
      end)
    end,
    correct = function(p)
      return moves(function(x, draw, t)
        local y = { x[1] + p.width * (draw:uniform() - 0.5) }
        return log(draw:uniform()) < change(x, y, t) and y or x
      end)
    end },
  informed_unweighted = { law = "stationarity", ranges = { beta = { 0.3, 0.5 } }, target = ising,
    wrong = "flips a spin with weight sqrt(p(y) / p(x)), and leaves log q out", right = "log r has the sums of the weights before and after",
    faulty = function() return cs.kernel { propose = informed } end,
    correct = function() return cs.kernel { propose = informed, log_q = log_q_informed } end },
  greedy = { law = "stationarity", ranges = { step = { 1.2, 2 }, worst = { 0.7, 1.3 } }, target = normal,
    wrong = "refuses every proposal whose log p is lower by more than c", right = "accepts it with probability min(1, r)",
    faulty = function(p) return walk(p.step, function(r) return r < -p.worst and -huge or r end) end, correct = plain_walk },
  inertia = { law = "again", ranges = { factor = { 0.3, 0.7 } }, target = normal, state = true,
    wrong = "y = x + c (x - m), plus noise, with a running mean m of the states of all steps before", right = "a proposal depends on the present state only",
    faulty = function(p)
      local mean = 0
      return nil, cs.kernel { propose = function(x, draw)
        mean = mean + 0.05 * (x[1] - mean)
        return { x[1] + p.factor * (x[1] - mean) + draw:normal() }
      end }
    end,
    correct = function() return walk(2.4, same) end },
}

-- Correct kernels that look unusual: no law may report them.
local unusual = {
  reflected = { start = { 1 }, ranges = { step = { 0.8, 1.5 } }, target = exponential,
    right = "y = |x + s z|: the reflected step and its way back are equally likely",
    correct = function(p)
      return cs.kernel { propose = function(x, draw) return { abs(x[1] + p.step * draw:normal()) } end }
    end },
  barker = { ranges = { step = { 1.2, 2 } }, target = normal,
    right = "accepts with probability r / (1 + r)",
    correct = function(p) return walk(p.step, same, "barker") end },
  in_order = { ranges = { rho = { 0.65, 0.9 } }, target = pair,
    right = "redraws x1 given x2, then x2 given x1: not reversible, but both steps keep p",
    correct = function(p) return in_order(p, root(p.rho)) end },
  ring = { ranges = { flow = { 0.1, 0.4 } }, start = { 1 }, target = islands,
    right = "more chains go from 1 to 2 than back, but the numbers of chains that enter and leave a state are equal",
    correct = function(p)
      -- the Metropolis chain that proposes either other state, plus a flow round the ring
      local people, matrix = p.people, {}
      for a = 1, 3 do
        local row, stay = { 0, 0, 0 }, 1
        for b = 1, 3 do
          if a ~= b then
            row[b] = 0.5 * math.min(1, people[b] / people[a]) + (b == a % 3 + 1 and p.flow or -p.flow) / people[a]
            stay = stay - row[b]
          end
        end
        row[a], matrix[a] = stay, row
      end
      return of_matrix(matrix)
    end },
  whole_kicks = { ranges = { rho = { 0.75, 0.85 }, step = { 0.3, 0.4 }, leapfrogs = { 4, 6, true } }, target = pair,
    right = "whole changes of the momentum at both ends: a symmetric, crude integrator",
    correct = function(p) return hmc(p, 1, 1, 1) end },
  falls = { ranges = { factor = { 0.3, 0.7 } }, start = { 1 }, target = exponential,
    right = "y = a x, plus an exponential number with probability 1 - a: not reversible, but it keeps p",
    correct = function(p)
      return moves(function(x, draw)
        return { p.factor * x[1] + (draw:uniform() < 1 - p.factor and -log(draw:uniform()) or 0) }
      end)
    end },
  alternating = { ranges = { short = { 0.5, 1 }, long = { 1.5, 3 } }, target = normal,
    right = "the step alternates by the number of the step: each step keeps p",
    correct = function(p) return cs.kernel.random_walk { step = { p.short, p.long } } end },
}

-- ---- makers ------------------------------------------------------------------------------

m.rows.faulty = {
  seed = { "number", "draws the size of the fault; 1 by default", whole = true, min = 0, max = 2^53 },
  correct = { "boolean", "true: the correct kernel of the same kind, with parameters drawn in the same way" },
  variant = { "number", "selects other parameters of the kernel for the same target; 0 by default", whole = true, min = 0, max = 1000 },
}
-- Parameters that the target has, too.
local of_target = { rho = true, hot = true, beta = true, second = true, third = true }


-- Draws the parameters of a row. Ranges are read in the order of their names.
local function parameters(row, name, seed, variant)
  local first, other, p = uniform_of(seed, name), uniform_of(seed, name .. variant), {}
  for _, key in ipairs(m.sorted_keys(row.ranges)) do
    local r, draw = row.ranges[key], (of_target[key] or variant == 0) and first or other
    if r[3] then p[key] = r[1] + floor(draw() * (r[2] - r[1] + 1))
    else p[key] = r[1] + (r[2] - r[1]) * draw() end
  end
  p.people = { 1, p.second or 2, p.third or 3 }
  return p
end

local function make(row, name, t)
  t = m.check("cs.faulty." .. name, t or {}, m.rows.faulty)
  local p = parameters(row, name, t.seed or 1, t.variant or 0)
  local right = t.correct or not row.faulty
  local kernel, stateful = (right and row.correct or row.faulty)(p)
  local values = {}
  for key in next, row.ranges do values[key] = p[key] end
  return { name = name, kernel = stateful or kernel, target = row.target(p), start = row.start, values = values,
           law = not right and row.law or nil, wrong = not right and row.wrong or nil, right = row.right,
           runs = right or not row.state }
end

-- Returns the names of the faults, or of the correct kernels that look unusual.
function m.faulty_names(correct) return m.sorted_keys(correct and unusual or faults) end
m.words.faulty_names = m.faulty_names

local makers = {}
for _, list in ipairs { faults, unusual } do
  for name, row in next, list do
    makers[name] = function(t) return make(row, name, t) end
  end
end
cs.faulty = m.sealed("cs.faulty", makers)
