-- A second implementation of cs.math, with numbers that carry their derivatives
-- with respect to every coordinate (forward mode), and with lists and nested
-- lists of such numbers.

-- ---- special functions, by series and recurrences -----------------------------

local function erf(x)
  if math.abs(x) > 6 then return x > 0 and 1.0 or -1.0 end
  local term, sum = x, x
  for n = 1, 400 do
    term = term * 2 * x * x / (2 * n + 1)
    sum = sum + term
    if math.abs(term) < 1e-18 * math.abs(sum) then break end
  end
  return 2 / math.sqrt(math.pi) * math.exp(-x * x) * sum
end

-- Returns erfc, the complementary error function, by its continued fraction,
-- for x >= 1.
local function erfc_far(x)
  local f = 0.0
  for k = 200, 1, -1 do f = k / 2 / (x + f) end
  return math.exp(-x * x) / math.sqrt(math.pi) / (x + f)
end
local function erfc(x)
  if x >= 1 then return erfc_far(x) end
  return 1 - erf(x)
end
local function phi(x) return math.exp(-x * x / 2) / math.sqrt(2 * math.pi) end
local function normal_cdf(x) return 0.5 * erfc(-x / math.sqrt(2)) end

-- Returns log gamma(x) for x > 0, by Stirling's series at x + 20 and the
-- recurrence from x + 20 down to x.
local function lgamma(x)
  local back = 0.0
  for k = 0, 19 do back = back + math.log(x + k) end
  local y = x + 20
  local s = 1 / (12 * y) - 1 / (360 * y^3) + 1 / (1260 * y^5) - 1 / (1680 * y^7)
  return (y - 0.5) * math.log(y) - y + 0.5 * math.log(2 * math.pi) + s - back
end
local function digamma(x)
  local back = 0.0
  for k = 0, 19 do back = back + 1 / (x + k) end
  local y = x + 20
  return math.log(y) - 1 / (2 * y) - 1 / (12 * y^2) + 1 / (120 * y^4) -
    1 / (252 * y^6) + 1 / (240 * y^8) - back
end
local function trigamma(x)
  local back = 0.0
  for k = 0, 19 do back = back + 1 / (x + k)^2 end
  local y = x + 20
  return 1 / y + 1 / (2 * y^2) + 1 / (6 * y^3) - 1 / (30 * y^5) +
    1 / (42 * y^7) - 1 / (30 * y^9) + back
end
local function sigmoid(x) return 1 / (1 + math.exp(-x)) end
local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end
local function log1p(x)
  local u = 1 + x
  return u == 1 and x or math.log(u) * x / (u - 1)
end
local function expm1(x)
  if math.abs(x) > 0.5 then return math.exp(x) - 1 end
  local term, sum = x, x
  for n = 2, 30 do term = term * x / n sum = sum + term end
  return sum
end
local function tanh(x)
  local e = expm1(-2 * math.abs(x))
  return -sign(x) * e / (2 + e)
end

-- ---- numbers with derivatives ---------------------------------------------

local Dual, Vector = {}, {}
-- scale: the largest number in the computation so far; close: true if a
-- comparison was nearly a tie; wrong: the function whose derivative is
-- falsified, to test that a wrong derivative is detected.
local D = { scale = 1, close = false, wrong = nil }

local function dual(v, d)
  D.scale = math.max(D.scale, math.abs(v))
  for i = 1, #d do D.scale = math.max(D.scale, math.abs(d[i])) end
  return setmetatable({ v = v, d = d }, Dual)
end
local function is_dual(a) return getmetatable(a) == Dual end
local function value(a) return is_dual(a) and a.v or a end
local function is_list(a) return type(a) == "table" and not is_dual(a) end
local function vector(list) return setmetatable(list, Vector) end

-- Returns a function that applies f to numbers, and to lists element by
-- element. by(i, ...) is the derivative of f with respect to argument i.
local function lift(f, by, name)
  local function scalar(...)
    local args, v, partials = { ... }, {}, nil
    for i = 1, #args do v[i] = value(args[i]) end
    local y = f(table.unpack(v))
    for i = 1, #args do
      if is_dual(args[i]) then
        partials = partials or {}
        local slope = by(i, y, table.unpack(v))
        for k = 1, #args[i].d do
          partials[k] = (partials[k] or 0) + slope * args[i].d[k]
        end
      end
    end
    D.scale = math.max(D.scale, math.abs(y))
    return partials and dual(y, partials) or y
  end
  local function each(...)
    local args, n = { ... }, nil
    for i = 1, #args do if is_list(args[i]) then n = #args[i] end end
    if not n then return scalar(...) end
    local out = {}
    for e = 1, n do
      local row = {}
      for i = 1, #args do row[i] = is_list(args[i]) and args[i][e] or args[i] end
      out[e] = each(table.unpack(row))
    end
    return vector(out)
  end
  return each
end

local function tie(a, b)
  if a ~= b and math.abs(a - b) < 1e-8 * (1 + math.abs(a)) then D.close = true end
end
local function nothing() return 0 end

-- Each row has a function, and its derivative with respect to argument i.
local rows = {
  add = { function(a, b) return a + b end, function() return 1 end },
  sub = { function(a, b) return a - b end, function(i) return i == 1 and 1 or -1 end },
  mul = { function(a, b) return a * b end, function(i, y, a, b) return i == 1 and b or a end },
  div = { function(a, b) return a / b end,
          function(i, y, a, b) return i == 1 and 1 / b or -y / b end },
  pow = { function(a, b) return a^b end,
          function(i, y, a, b) return i == 1 and b * a^(b - 1) or y * math.log(a) end },
  log = { math.log, function(i, y, a) return 1 / a end },
  log1p = { log1p, function(i, y, a) return 1 / (1 + a) end },
  exp = { math.exp, function(i, y) return y end },
  expm1 = { expm1, function(i, y, a) return math.exp(a) end },
  sqrt = { math.sqrt, function(i, y) return 0.5 / y end },
  abs = { function(a) tie(a, 0) return math.abs(a) end, function(i, y, a) return sign(a) end },
  sin = { math.sin, function(i, y, a) return math.cos(a) end },
  cos = { math.cos, function(i, y, a) return -math.sin(a) end },
  tan = { math.tan, function(i, y) return 1 + y * y end },
  tanh = { tanh, function(i, y, a)
    local e = math.exp(-2 * math.abs(a))
    return 4 * e / (1 + e)^2
  end },
  atan = { math.atan, function(i, y, a, b)
    b = b or 1
    return (i == 1 and b or -a) / (a * a + b * b)
  end },
  asin = { math.asin, function(i, y, a) return 1 / math.sqrt(1 - a * a) end },
  acos = { math.acos, function(i, y, a) return -1 / math.sqrt(1 - a * a) end },
  erf = { erf, function(i, y, a) return 2 / math.sqrt(math.pi) * math.exp(-a * a) end },
  normal_cdf = { normal_cdf, function(i, y, a) return phi(a) end },
  log_normal_cdf = { function(a) return math.log(normal_cdf(a)) end,
                     function(i, y, a) return phi(a) / normal_cdf(a) end },
  lgamma = { lgamma, function(i, y, a) return digamma(a) end },
  log_beta = { function(a, b) return lgamma(a) + lgamma(b) - lgamma(a + b) end,
               function(i, y, a, b) return digamma(i == 1 and a or b) - digamma(a + b) end },
  log_rising = { function(a, n) return lgamma(a + n) - lgamma(a) end,
                 function(i, y, a, n) return digamma(a + n) - (i == 1 and digamma(a) or 0) end },
  digamma = { digamma, function(i, y, a) return trigamma(a) end },
  softplus = { function(a) return math.max(a, 0) + log1p(math.exp(-math.abs(a))) end,
               function(i, y, a) return sigmoid(a) end },
  log_sigmoid = { function(a) return math.min(a, 0) - log1p(math.exp(-math.abs(a))) end,
                  function(i, y, a) return sigmoid(-a) end },
  sigmoid = { sigmoid, function(i, y, a) return y * sigmoid(-a) end },
  max = { function(a, b) tie(a, b) return a < b and b or a end,
          function(i, y, a, b) return (a < b) == (i == 2) and 1 or 0 end },
  min = { function(a, b) tie(a, b) return b < a and b or a end,
          function(i, y, a, b) return (b < a) == (i == 2) and 1 or 0 end },
  where = { function(c, a, b) return c ~= 0 and a or b end,
            function(i, y, c) return i == (c ~= 0 and 2 or 3) and 1 or 0 end },
  lt = { function(a, b) tie(a, b) return a < b and 1 or 0 end, nothing },
  le = { function(a, b) tie(a, b) return a <= b and 1 or 0 end, nothing },
  gt = { function(a, b) tie(a, b) return a > b and 1 or 0 end, nothing },
  ge = { function(a, b) tie(a, b) return a >= b and 1 or 0 end, nothing },
}

local plain = {} -- replaces cs.math for plain numbers
for name, row in next, rows do
  plain[name] = lift(row[1], function(...)
    return row[2](...) * (name == D.wrong and 1.001 or 1)
  end)
end
Dual.__add, Dual.__sub, Dual.__mul = plain.add, plain.sub, plain.mul
Dual.__div, Dual.__pow = plain.div, plain.pow
Dual.__unm = function(a) return plain.mul(a, -1) end
for name, f in next, Dual do if name:find "^__" then Vector[name] = f end end

local function two(f) -- accepts any number of arguments
  return function(a, ...)
    for _, b in ipairs { ... } do a = f(a, b) end
    return a
  end
end
-- Returns the maximum or the minimum of a single vector. If the two most extreme entries are
-- nearly equal, derivatives cannot be compared.
local function of_vector(f, sense)
  return function(a, ...)
    if not is_list(a) or select("#", ...) > 0 then return two(f)(a, ...) end
    local sorted = {}
    for i = 1, #a do sorted[i] = sense * value(a[i]) end
    table.sort(sorted)
    if #a > 1 and sorted[#a] - sorted[#a - 1] < 1e-8 then D.close = true end
    return two(f)(table.unpack(a))
  end
end
plain.max, plain.min = of_vector(plain.max, 1), of_vector(plain.min, -1)
function plain.sum(a)
  local s = 0
  for i = 1, #a do s = s + a[i] end
  return s
end
function plain.log_sum_exp(a)
  local most, s = -math.huge, 0
  for i = 1, #a do most = math.max(most, value(a[i])) end
  for i = 1, #a do s = s + plain.exp(a[i] - most) end
  return most + plain.log(s)
end
function plain.mean(a) return plain.sum(a) / #a end
function plain.dot(a, b)
  local s = 0
  for i = 1, #a do s = s + a[i] * b[i] end
  return s
end
function plain.norm(a)
  local square = plain.dot(a, a)
  if value(square) < 1e-8 then D.close = true return 0 end
  return plain.sqrt(square)
end
function plain.log_softmax(a) return a - plain.log_sum_exp(a) end
function plain.softmax(a) return plain.exp(plain.log_softmax(a)) end
function plain.cumulative_sum(a)
  local out, s = {}, 0
  for i = 1, #a do s = s + a[i] out[i] = s end
  return vector(out)
end
function plain.outer(a, b)
  local out = {}
  for i = 1, #a do out[i] = vector(table.move(b, 1, #b, 1, {})) * a[i] end
  return vector(out)
end
function plain.diagonal(a)
  local out = {}
  for i = 1, #a do
    out[i] = is_list(a[i]) and a[i][i] or vector {}
    for j = 1, is_list(a[i]) and 0 or #a do out[i][j] = i == j and a[i] or 0 end
  end
  return vector(out)
end
function plain.transpose(a)
  local out = {}
  for j = 1, #a[1] do out[j] = plain.column(a, j) end
  return vector(out)
end
function plain.column(a, j)
  local out = {}
  for i = 1, #a do out[i] = a[i][j] end
  return vector(out)
end
function plain.solve_lower(l, b)
  local x = {}
  for i = 1, #b do
    x[i] = b[i]
    for j = 1, i - 1 do x[i] = x[i] - l[i][j] * x[j] end
    x[i] = x[i] / l[i][i]
  end
  return vector(x)
end
function plain.cholesky(a)
  local l = {}
  for i = 1, #a do
    l[i] = vector {}
    for j = 1, i do
      local s = a[i][j]
      for k = 1, j - 1 do s = s - l[i][k] * l[j][k] end
      l[i][j] = i == j and plain.sqrt(s) or s / l[j][j]
    end
    for j = i + 1, #a do l[i][j] = 0 end
  end
  return vector(l)
end
function plain.gather(a, index)
  local out = {}
  for i, k in ipairs(index) do out[i] = a[k] end
  return vector(out)
end
function plain.slice(a, first, last)
  return vector(table.move(a, first, last, 1, {}))
end
function plain.pack(...)
  local out = {}
  for _, part in ipairs { ... } do
    if is_list(part) then table.move(part, 1, #part, #out + 1, out)
    else out[#out + 1] = part end
  end
  return vector(out)
end
function plain.product(a, x)
  local out = {}
  for i, row in ipairs(a) do
    local s = 0
    for j, c in ipairs(row) do s = s + c * x[j] end
    out[i] = s
  end
  return vector(out)
end

D.plain, D.dual, D.value, D.vector = plain, dual, value, vector
D.is_dual = is_dual

-- Calls f for each function that has a derivative. A test uses this to falsify
-- each derivative in turn.
function D.each_derivative(f)
  for name, row in next, rows do
    if row[2] ~= nothing then f(name) end
  end
end

return D
