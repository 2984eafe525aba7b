-- Tests cs.math. With numbers, a function has the same value as a loop that
-- computes the same result. A traced function has this value too. Mistakes are
-- reported with their line and a remedy.
local cs = require "chainscope"
local core = require "chainscope.core"
local M = cs.math

local function near(got, want, where)
  if type(want) == "table" then
    assert(type(got) == "table" and #got == #want, where)
    for i = 1, #want do near(got[i], want[i], where) end
    return
  end
  assert(got == want or math.abs(got - want) <= 1e-13 * math.abs(want),
         ("%s: %.17g, not %.17g"):format(where, got, want))
end

local function sum(x, f)
  local s = 0
  for i = 1, #x do s = s + (f and f(x[i], i) or x[i]) end
  return s
end
local function map(x, f)
  local y = {}
  for i = 1, #x do y[i] = f(x[i], i) end
  return y
end

-- name = function(M, x) -> one or more numbers. Each example is computed in
-- both ways. x has four entries, all between -2 and 2.
local example = {
  log = { function(f, x) return f(3 + x[1]) + f(8, 3 + x[2]) end,
          function(x) return math.log(3 + x[1]) + math.log(8, 3 + x[2]) end },
  log1p = { function(f, x) return f(x[1]^2) end, function(x) return math.log(1 + x[1]^2) end },
  exp = { function(f, x) return M.sum(f(x)) end, function(x) return sum(x, math.exp) end },
  expm1 = { function(f, x) return f(x[1]) end, function(x) return math.exp(x[1]) - 1 end },
  sqrt = { function(f, x) return f(x[1] + 3) end, function(x) return math.sqrt(x[1] + 3) end },
  abs = { function(f, x) return M.sum(f(x)) end, function(x) return sum(x, math.abs) end },
  pow = { function(f, x) return f(x[1] + 3, x[2]) end, function(x) return (x[1] + 3)^x[2] end },
  sin = { function(f, x) return f(x[1]) end, function(x) return math.sin(x[1]) end },
  cos = { function(f, x) return f(x[1]) end, function(x) return math.cos(x[1]) end },
  tan = { function(f, x) return f(x[1] / 2) end, function(x) return math.tan(x[1] / 2) end },
  asin = { function(f, x) return f(x[1] / 2) end, function(x) return math.asin(x[1] / 2) end },
  acos = { function(f, x) return f(x[1] / 2) end, function(x) return math.acos(x[1] / 2) end },
  atan = { function(f, x) return f(x[1]) + f(x[2], x[3]) end,
           function(x) return math.atan(x[1]) + math.atan(x[2], x[3]) end },
  tanh = { function(f, x) return f(x[1]) end,
           function(x) return (math.exp(2 * x[1]) - 1) / (math.exp(2 * x[1]) + 1) end },
  erf = { function(f, x) return f(x[1]) + f(-x[1]) + f(100) end, function() return 1 end },
  normal_cdf = { function(f, x) return f(x[1]) + f(-x[1]) end, function() return 1 end },
  log_normal_cdf = { function(f, x) return M.exp(f(x[1])) + M.exp(f(-x[1])) end, function() return 1 end },
  lgamma = { function(f, x) return f(x[1] + 4) - f(x[1] + 3) end, function(x) return math.log(x[1] + 3) end },
  digamma = { function(f, x) return f(x[1] + 4) - f(x[1] + 3) end, function(x) return 1 / (x[1] + 3) end },
  log_rising = { function(f, x) return f(x[1] + 3, 2) end,
                 function(x) return math.log((x[1] + 3) * (x[1] + 4)) end },
  log_beta = { function(f, x) return f(x[1] + 3, 2) + f(2, x[1] + 3) end,
               function(x) return -2 * math.log((x[1] + 3) * (x[1] + 4)) end },
  softplus = { function(f, x) return f(x[1]) end, function(x) return math.log(1 + math.exp(x[1])) end },
  sigmoid = { function(f, x) return f(x[1]) end, function(x) return 1 / (1 + math.exp(-x[1])) end },
  log_sigmoid = { function(f, x) return f(x[1]) end, function(x) return -math.log(1 + math.exp(-x[1])) end },
  lt = { function(f, x) return f(x[1], x[2]) end, function(x) return x[1] < x[2] and 1 or 0 end },
  le = { function(f, x) return f(x[1], x[1]) end, function() return 1 end },
  gt = { function(f, x) return f(x[1], x[2]) end, function(x) return x[1] > x[2] and 1 or 0 end },
  ge = { function(f, x) return f(x[1], x[2]) end, function(x) return x[1] >= x[2] and 1 or 0 end },
  eq = { function(f, x) return f(x[1], x[2]) end, function() return 0 end },
  where = { function(f, x) return f(M.lt(x[1], 0), x[2], 7) + f(true, 1, x[1]) end,
            function(x) return (x[1] < 0 and x[2] or 7) + 1 end },
  max = { function(f, x) return f(x[1], x[2], 0) + f(x) end,
          function(x) return math.max(x[1], x[2], 0) + math.max(table.unpack(x)) end },
  min = { function(f, x) return f(x[1], x[2], 0) + f(x) end,
          function(x) return math.min(x[1], x[2], 0) + math.min(table.unpack(x)) end },
  sum = { function(f, x) return f(x) end, sum },
  mean = { function(f, x) return f(x) end, function(x) return sum(x) / 4 end },
  norm = { function(f, x) return f(x) end,
           function(x) return math.sqrt(sum(x, function(v) return v * v end)) end },
  dot = { function(f, x) return f(x, { 1, 2, 3, 4 }) end,
          function(x) return sum(x, function(v, i) return v * i end) end },
  log_sum_exp = { function(f, x) return f(x) + M.sum(f(x, { 1, 1, 1, 1 }, -x)) + f(x[1], 3, x[2], x[4]) end,
                  function(x)
                    return math.log(sum(x, math.exp)) +
                      sum(x, function(v) return math.log(math.exp(v) + math.exp(1) + math.exp(-v)) end) +
                      math.log(math.exp(x[1]) + math.exp(3) + math.exp(x[2]) + math.exp(x[4]))
                  end },
  softmax = { function(f, x) return M.dot(f(x), x) end,
              function(x)
                return sum(x, function(v) return math.exp(v) * v end) / sum(x, math.exp)
              end },
  log_softmax = { function(f, x) return f(x)[2] end,
                  function(x) return x[2] - math.log(sum(x, math.exp)) end },
  cumulative_sum = { function(f, x) return M.dot(f(x), { 1, 10, 100, 1000 }) end,
                     function(x) return 1111 * x[1] + 1110 * x[2] + 1100 * x[3] + 1000 * x[4] end },
  vector = { function(f, x) return M.sum(f { 1, x[1], 2 } * f { 2, 3, 4 }) end,
             function(x) return 10 + 3 * x[1] end },
  pack = { function(f, x) return M.dot(f(x[1], x, 5), { 1, 2, 0, 0, 0, 3 }) end,
           function(x) return x[1] + 2 * x[1] + 15 end },
  fill = { function(f, x) return M.sum(f(x[1], 3)) + #f(2, 5) end, function(x) return 3 * x[1] + 5 end },
  slice = { function(f, x) return M.sum(f(x, 2, 3)) + #f(x, 2, 4) end,
            function(x) return x[2] + x[3] + 3 end },
  at = { function(f, x) return f({ 5, 7 }, 1) * x[1] + f({ { 1, 2 }, { 3, 4 } }, 1, 0) end,
         function(x) return 7 * x[1] + 3 end },
  gather = { function(f, x)
               return M.dot(f(x, { 4, 4, 1 }), { 1, 2, 3 }) + f(M.matrix(x, 2), { 2, 2, 1 })[2][1]
             end,
             function(x) return 3 * x[4] + 3 * x[1] + x[3] end },
  product = { function(f, x)
                local a, s = M.matrix(x, 2), cs.sparse { rows = 2, cols = 4, v = { 3, 4, 5 },
                                                         i = { 2, 1, 2 }, j = { 1, 4, 1 } }
                return f(a, { 1, 10 })[2] + f({ 1, 10 }, a)[1] + f(a, a)[1][2] +
                  f({ { 1, 2, 3, 4 } }, x)[1] + f(s, x)[2] + f({ 1, 2 }, s)[4]
              end,
              function(x)
                return x[3] + 10 * x[4] + x[1] + 10 * x[3] + x[1] * x[2] + x[2] * x[4] +
                  x[1] + 2 * x[2] + 3 * x[3] + 4 * x[4] + 8 * x[1] + 4
              end },
  outer = { function(f, x) local a = f(x, { 1, 2 }) return a[3][2] + #a + #a[1] end,
            function(x) return 2 * x[3] + 6 end },
  matrix = { function(f, x) local a = f(x, 2) return a[2][1] + 10 * f { x, 2 * x }[2][4] + #a end,
             function(x) return x[3] + 20 * x[4] + 2 end },
  transpose = { function(f, x) local a = f { x, 2 * x } return a[3][2] + #a end,
                function(x) return 2 * x[3] + 4 end },
  column = { function(f, x) return M.sum(f(M.matrix(x, 2), 2)) end, function(x) return x[2] + x[4] end },
  diagonal = { function(f, x) return M.dot(f(M.matrix(x, 2)), { 1, 2 }) + f(x)[3][3] + f(x)[3][2] end,
               function(x) return x[1] + 2 * x[4] + x[3] end },
  cholesky = { function(f, x)
                 local l = f { { 4 + x[1]^2, 0 }, { x[2], 9 } }
                 return l[1][1] + l[2][1] * 3 + l[2][2]
               end,
               function(x)
                 local a = math.sqrt(4 + x[1]^2)
                 return a + 3 * x[2] / a + math.sqrt(9 - (x[2] / a)^2)
               end },
  solve_lower = { function(f, x) return f({ { 2, 0 }, { x[1], 4 } }, { x[2], 1 })[2] end,
                  function(x) return (1 - x[1] * x[2] / 2) / 4 end },
  log1m_exp = { function(f, x) return f(x[1]) + f(x[4]) end,
                function(x) return math.log(1 - math.exp(x[1])) + math.log(1 - math.exp(x[4])) end },
  log_diff_exp = { function(f, x) return f(x[3], x[2]) end,
                   function(x) return math.log(math.exp(x[3]) - math.exp(x[2])) end },
  log_mix = { function(f, x) return f(x[2], x[1], x[3]) end,
              function(x) return math.log(x[2] * math.exp(x[1]) + (1 - x[2]) * math.exp(x[3])) end },
  inv_phi = { function(f, x) return f(M.sigmoid(x[1] + 1)) + f(M.sigmoid(6 * x[1])) + f(M.sigmoid(-40 * x[2])) end,
              function(x)
                -- bisection
                local function quantile(p)
                  local low, high = -10, 10
                  for _ = 1, 100 do
                    local mid = (low + high) / 2
                    if M.normal_cdf(mid) < p then low = mid else high = mid end
                  end
                  return low
                end
                return quantile(1 / (1 + math.exp(-x[1] - 1))) + quantile(1 / (1 + math.exp(-6 * x[1]))) +
                  quantile(1 / (1 + math.exp(40 * x[2])))
              end },
  log_det = { function(f, x) return f { { 4 + x[1]^2, 0 }, { x[2], 9 } } end,
              function(x) return math.log((4 + x[1]^2) * 9 - x[2]^2) end },
  inverse = { function(f, x) local a = f { { 4 + x[1]^2, 0 }, { x[2], 9 } } return a[1][1] + 2 * a[1][2] end,
              function(x) return (9 - 2 * x[2]) / ((4 + x[1]^2) * 9 - x[2]^2) end },
  gp_exp_quad = { function(f, x) return f(x, x[3], x[2])[2][3] end,
                  function(x) return x[3]^2 * math.exp(-(x[2] - x[3])^2 / (2 * x[2]^2)) end },
  gp_exponential = { function(f, x) return f({ 0, 0, 1 }, x[3], x[2])[3][1] + f(x, 1, 2)[1][3] end,
                     function(x) return x[3]^2 * math.exp(-1 / x[2]) + math.exp(-(x[3] - x[1]) / 2) end },
  gp_matern32 = { function(f, x) return f({ 0, 0, 1 }, x[3], x[2])[3][1] + f(x, 1, 2)[1][3] end,
                  function(x)
                    local function k(r) return (1 + math.sqrt(3) * r) * math.exp(-math.sqrt(3) * r) end
                    return x[3]^2 * k(1 / x[2]) + k((x[3] - x[1]) / 2)
                  end },
  gp_matern52 = { function(f, x) return f({ { 0, 0 }, { 3, 1 } }, x[3], { x[2], 2 })[2][1] + f(x, 1, 2)[1][3] end,
                  function(x)
                    local function k(r) return (1 + math.sqrt(5) * r + 5 * r^2 / 3) * math.exp(-math.sqrt(5) * r) end
                    return x[3]^2 * k(math.sqrt((3 / x[2])^2 + 0.25)) + k((x[3] - x[1]) / 2)
                  end },
  gp_periodic = { function(f, x) return f(x, x[3], x[2], 3)[4][1] end,
                  function(x)
                    return x[3]^2 * math.exp(-2 * math.sin(math.pi * (x[4] - x[1]) / 3)^2 / x[2]^2)
                  end },
  solve_lower_transposed = { function(f, x) return f({ { 2, 0 }, { x[1], 4 } }, { x[2], 1 })[1] end,
                             function(x) return (x[2] - x[1] / 4) / 2 end },
}

-- Slopes and curvatures are compared with finite differences of fourth-order
-- accuracy.
local function differences(f, x, i)
  local h = 1e-3
  local function at(step)
    local y = { table.unpack(x) }
    y[i] = y[i] + step
    return f(y)
  end
  local a, b, c, d = at(h), at(-h), at(2 * h), at(-2 * h)
  local out = {}
  for k = 1, #a do out[k] = (8 * (a[k] - b[k]) - (c[k] - d[k])) / (12 * h) end
  return out
end

local function check_derivatives(name, target, x)
  local slope, second = target:gradient(x), target:hessian(x)
  for i = 1, #x do
    local rise = differences(function(y) return { target:log_density(y) } end, x, i)[1]
    assert(math.abs(slope[i] - rise) < 1e-8 * (1 + math.abs(rise)), name .. ": slope " .. i)
    -- the test must detect this fault: a wrong sign
    assert(math.abs(slope[i]) < 1e-6 or math.abs(-slope[i] - rise) > 1e-8 * (1 + math.abs(rise)))
    local bend = differences(function(y) return target:gradient(y) end, x, i)
    for k = 1, #x do
      assert(math.abs(second[i][k] - bend[k]) < 1e-7 * (1 + math.abs(bend[k])),
             ("%s: curvature %d %d: %.9g, not %.9g"):format(name, i, k, second[i][k], bend[k]))
    end
  end
end

-- Every function has an example. With numbers, the value of the example equals
-- that of the loop. The example also defines a target, for which the program
-- compares the traced value with the value for numbers.
local point = { -1.25, 0.5, 1.75, -0.375 }
for _, row in ipairs(core.math_rows) do
  local name = row[1]
  local case = assert(example[name], name .. " has no example")
  near(case[1](M[name], M.vector(point)), case[2](point), name)
  local made = cs.target {
    space = cs.real(4),
    log_density = function(x) return case[1](M[name], x) - M.dot(x, x) end,
  }
  assert(made.dim == 4)
  check_derivatives(name, made, point)
  assert(cs.help(name):find("cs.math." .. name, 1, true), name)
  assert(#row[2] > 0 and #row[3] > 0, name)
end

-- ---- plain values ----
local v = M.vector { 1, 2 }
near(v + v, { 2, 4 }, "+") near(2 - v, { 1, 0 }, "-") near(v * { 3, 4 }, { 3, 8 }, "*")
near(v / 2, { 0.5, 1 }, "/") near(v^2, { 1, 4 }, "^") near(-v, { -1, -2 }, "unary -")
assert(M.exp(0) == 1 and math.type(M.exp(0)) == "float")
near(M.matrix { { 1, 2 }, { 3, 4 } } * 2, { { 2, 4 }, { 6, 8 } }, "matrix * 2")
near(map(M.matrix({ 1, 2, 3, 4 }, 2), function(r) return M.sum(r) end), { 3, 7 }, "rows")
assert(tostring(v) == "{1.0, 2.0}")

-- The callback of a target that is not traced receives a vector too.
local plain = cs.target { space = cs.real(2), traced = false,
                          log_density = function(x) return -0.5 * M.sum(x * x) end }
local run = cs.open { target = plain, arms = { cs.kernel.mala { step = 0.1 } }, seed = 1 }
run:step(3)
assert(not run:fault())

-- ---- mistakes ----
local kept
local function refused(f, ...)
  local ok, why = pcall(cs.target, { space = cs.real(4), log_density = f })
  why = tostring(why)
  assert(not ok, "created without an error")
  assert(why:find "^[^:]*math%.lua:%d+: ", why)
  for _, part in ipairs { ... } do assert(why:find(part, 1, true), why) end
end
refused(function(x) return M.dot(x, { 1, 2 }) end, "dot: vectors of 4 and 2 entries")
refused(function(x) return M.sum(x + M.vector { 1, 2 }) end, "+: a vector of 4 and a vector of 2")
refused(function(x) if x[1] < 0 then return 1 end return 2 end, "cannot be compared", "where")
refused(function(x) return M.sum(M.product(x, x)) end, "product: cannot multiply a vector of 4 by", "dot")
refused(function() return M.exp(true) end, "a boolean cannot be used", "cs.math.where")
refused(function() return M.exp() end, "exp: the arguments are (x)")
refused(function(x) return M.sin(x[1], 2) end, "sin: the arguments are (x)")
refused(function(x) return M.sum(M.slice(x, 2, 9)) end, "slice: argument 3 is out of range", "from 2 to 4")
refused(function(x) return M.sum(M.gather(x, { 1, 7 })) end, "gather: entry 2 of the list of indices")
refused(function(x) return M.sum(M.gather(x, { 1.5 })) end, "gather: entry 1 of the list of indices")
refused(function(x) return M.sum(M.matrix(x, 3, 2)) end, "4 entries do not fill a matrix of 3 x 2")
refused(function() return M.sum { { 1, 2 }, { 3 } } end, "differ in length")
refused(function(x) return M.sum { x[1], { x[2] } } end, "differ in length")
refused(function() return M.sum {} end, "an empty list")
refused(function() local t = {} t[1] = t return M.sum(t) end, "list of lists of lists")
refused(function(x) return x.mu end, "must be a whole number")
refused(function(x) return x[1][1] end, "a number of the state cannot be indexed")
refused(function(x) return #x[1] end, "a number has no length")
refused(function(x) return M.sfotplus(x[1]) end, "did you mean 'softplus'?")
refused(function(x) return x[1] % 2 end, "cannot be traced")
refused(function(x) x[1] = 2 return x[1] end, "cannot be assigned")
refused(function(x) return M.sum(M.cholesky(M.matrix(x, 1))) end, "give a square matrix")
refused(function(x) return M.sum(M.solve_lower(M.matrix(x, 2), { 1, 2, 3 })) end, "solve_lower: the triangle is 2 x 2")
refused(function(x) return M.sum(M.fill(x, 2)) end, "fill: argument 1 is not a number")
-- A symbol that was kept from an earlier trace is refused, whether it is used
-- at once, in a coroutine, or after it was garbage-collected.
local coroutine_of
cs.target { space = cs.real(2), log_density = function(x)
  if type(x) == "userdata" then
    kept = x
    coroutine_of = coroutine.wrap(function() coroutine.yield(1) return x + 1 end)
    coroutine_of()
    setmetatable({}, { __gc = function() pcall(function() return x[1] * 2 end) end })
  end
  return M.sum(x)
end }
collectgarbage()
local ok, why = pcall(function() return kept + 1 end)
assert(not ok and why:find "outside the function that was traced", why)
ok, why = pcall(coroutine_of)
assert(not ok and why:find "outside the function", why)
refused(function(x) return kept[1] + x[1] end, "earlier trace")
assert(tostring(kept):find "its trace is closed")
ok, why = pcall(cs.sparse, { rows = 2, cols = 2, v = { 1 }, i = { 3 }, j = { 1 } })
assert(not ok and why:find "entry 1 of i is out of range", why)
ok, why = pcall(cs.sparse, { rows = 2, cols = 2, v = { 1 }, i = { 1, 2 }, j = { 1 } })
assert(not ok and why:find "equal length", why)

-- Calling functions with numbers in a loop leaks no memory.
collectgarbage()
local before = collectgarbage "count"
for i = 1, 50000 do M.log(i) M.max(i, 2) end
assert(collectgarbage "count" - before < 1000)
