-- Random programs: log densities as source, run traced and, with numbers that
-- carry their derivatives (forward mode, a second implementation of all of
-- cs.math), as plain Lua. Values, gradients and site differences must agree.
-- Called with (seed, programs of each kind); a program that fails is printed.
local cs = require "chainscope"
local seed, count = ...
local m = cs.math

-- ---- chance, repeatable ----------------------------------------------------

local state
local function pick(n)
  state = state * 6364136223846793005 + 1442695040888963407
  return (state >> 33) % n + 1
end
local function draw() return 4 * (pick(1 << 30) / (1 << 30)) - 2 end
local function one_of(list) return list[pick(#list)] end

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

-- Continued fraction of the complementary error function, x >= 1.
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

-- Stirling's series at x + 20, and the way back; x > 0.
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
local scale, close -- the largest number seen; whether a choice was a near tie

local function dual(v, d)
  scale = math.max(scale, math.abs(v))
  for i = 1, #d do scale = math.max(scale, math.abs(d[i])) end
  return setmetatable({ v = v, d = d }, Dual)
end
local function is_dual(a) return getmetatable(a) == Dual end
local function value(a) return is_dual(a) and a.v or a end
local function is_list(a) return type(a) == "table" and not is_dual(a) end
local function vector(list) return setmetatable(list, Vector) end

-- f of numbers, with the derivative by each argument; element by element.
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
    scale = math.max(scale, math.abs(y))
    return partials and dual(y, partials) or y
  end
  return function(...)
    local args, n = { ... }, nil
    for i = 1, #args do if is_list(args[i]) then n = #args[i] end end
    if not n then return scalar(...) end
    local out = {}
    for e = 1, n do
      local row = {}
      for i = 1, #args do row[i] = is_list(args[i]) and args[i][e] or args[i] end
      out[e] = scalar(table.unpack(row))
    end
    return vector(out)
  end
end

local function tie(a, b)
  if a ~= b and math.abs(a - b) < 1e-8 * (1 + math.abs(a)) then close = true end
end
local function nothing() return 0 end

-- Each function and its derivative by argument i; `wrong` names the one whose
-- derivative is spoilt, to see that it is noticed.
local wrong
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
  atan = { math.atan, function(i, y, a) return 1 / (1 + a * a) end },
  erf = { erf, function(i, y, a) return 2 / math.sqrt(math.pi) * math.exp(-a * a) end },
  normal_cdf = { normal_cdf, function(i, y, a) return phi(a) end },
  log_normal_cdf = { function(a) return math.log(normal_cdf(a)) end,
                     function(i, y, a) return phi(a) / normal_cdf(a) end },
  lgamma = { lgamma, function(i, y, a) return digamma(a) end },
  digamma = { digamma, function(i, y, a) return trigamma(a) end },
  softplus = { function(a) return math.max(a, 0) + log1p(math.exp(-math.abs(a))) end,
               function(i, y, a) return sigmoid(a) end },
  sigmoid = { sigmoid, function(i, y, a) return y * sigmoid(-a) end },
  max = { function(a, b) tie(a, b) return a < b and b or a end,
          function(i, y, a, b) return (a < b) == (i == 2) and 1 or 0 end },
  min = { function(a, b) tie(a, b) return b < a and b or a end,
          function(i, y, a, b) return (b < a) == (i == 2) and 1 or 0 end },
  where = { function(c, a, b) return c ~= 0 and a or b end,
            function(i, y, c) return i == (c ~= 0 and 2 or 3) and 1 or 0 end },
  lt = { function(a, b) tie(a, b) return a < b and 1 or 0 end, nothing },
  le = { function(a, b) tie(a, b) return a <= b and 1 or 0 end, nothing },
}

local plain = {} -- what stands in for cs.math
for name, row in next, rows do
  plain[name] = lift(row[1], function(...)
    return row[2](...) * (name == wrong and 1.001 or 1)
  end)
end
Dual.__add, Dual.__sub, Dual.__mul = plain.add, plain.sub, plain.mul
Dual.__div, Dual.__pow = plain.div, plain.pow
Dual.__unm = function(a) return plain.mul(a, -1) end
for name, f in next, Dual do if name:find "^__" then Vector[name] = f end end

local function two(f) -- of any number of arguments
  return function(a, ...)
    for _, b in ipairs { ... } do a = f(a, b) end
    return a
  end
end
plain.max, plain.min = two(plain.max), two(plain.min)
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

-- ---- programs -------------------------------------------------------------

-- Expressions keep to where functions are smooth and numbers are moderate.
local ones = {
  "m.sin(%s)", "m.cos(%s)", "m.tanh(%s)", "m.atan(%s)", "m.erf(%s)",
  "m.sigmoid(%s)", "m.softplus(%s)", "m.abs(%s)", "m.normal_cdf(%s)",
  "m.exp(m.sin(%s))", "m.expm1(m.tanh(%s))", "m.log(1.5 + m.sin(%s))",
  "m.log1p(m.abs(%s))", "m.sqrt(1 + (%s)^2)", "m.tan(m.tanh(%s))",
  "m.lgamma(0.5 + m.abs(%s))", "m.digamma(0.5 + m.softplus(%s))",
  "m.log_normal_cdf(m.sin(%s) - 1)", "(2 + m.cos(%s))^1.5", "-(%s)",
  "(%s) / 3", "m.pow(m.tanh(%s), 3)",
}
local twos = {
  "%s + %s", "%s - %s", "(%s) * m.sin(%s)", "(%s) / (1.5 + m.tanh(%s))",
  "m.max(%s, %s)", "m.min(%s, %s)", "(1 + m.sigmoid(%s))^m.tanh(%s)",
  "m.where(m.lt(%s, 0.3), %s, 0.5)", "m.where(m.le(%s, -0.2), 1, %s)",
}

local function number() return ("%.3f"):format(draw()) end

local function constant_rows(r, c)
  local list = {}
  for i = 1, r do
    local row = {}
    for j = 1, c do row[j] = number() end
    list[i] = "{ " .. table.concat(row, ", ") .. " }"
  end
  return "{ " .. table.concat(list, ", ") .. " }"
end

-- A name of size n: of the pool, else a number.
local function any(pool, n)
  local fits = {}
  for _, v in ipairs(pool) do if v.n == n or v.n == 1 then fits[#fits + 1] = v end end
  return #fits > 0 and pick(9) > 1 and one_of(fits).name or number()
end

local function indices(n, most)
  local list = {}
  for i = 1, n do list[i] = pick(most) end
  return "{ " .. table.concat(list, ", ") .. " }"
end

local function statement(pool, k)
  local a, kind = one_of(pool), pick(16)
  local name = "v" .. k
  local function say(n, ...) return "local " .. name .. " = " .. string.format(...), { name = name, n = n } end
  if kind <= 4 then return say(a.n, one_of(ones), a.name) end
  if kind <= 8 then
    local one, other = a.name, any(pool, a.n)
    if pick(2) == 1 then one, other = other, one end
    return say(a.n, one_of(twos), one, other)
  end
  if kind >= 15 then -- data, row by row
    local entry = a.n == 1 and a.name or ("%s[(i * %d + %d) %% %d + 1]"):format(a.name, pick(3), pick(3), a.n)
    local body = one_of(ones):format(("c * %s - %s"):format(entry, any(pool, 1)))
    if pick(2) == 1 then body = ("f%d(%s, %s)"):format(pick(2), body, entry) end
    local list = constant_rows(1, 3 + pick(5)):sub(3, -3)
    return ("local %s = 0 for i, c in ipairs(%s) do %s = %s + %s end")
      :format(name, list, name, name, body), { name = name, n = 1 }
  end
  if a.n == 1 then
    if kind <= 10 then return say(1, "f%d(%s, %s)", pick(2), a.name, any(pool, 1)) end
    return say(3, "m.pack(%s, %s, %s)", a.name, number(), any(pool, 1))
  end
  if kind == 9 then return say(1, "m.sum(%s)", a.name) end
  if kind == 10 then return say(1, "m.log_sum_exp(%s)", a.name) end
  if kind == 11 then
    local n = pick(4) + 1
    return say(n, "m.gather(%s, %s)", a.name, indices(n, a.n))
  end
  if kind == 12 then
    local n = pick(3) + 1
    return say(n, "m.product(%s, %s)", constant_rows(n, a.n), a.name)
  end
  if kind == 13 then
    local first = pick(a.n)
    local n = pick(a.n - first + 1)
    if n > 1 then return say(n, "m.slice(%s, %d, %d)", a.name, first, first + n - 1) end
    return say(1, "%s[%d]", a.name, first)
  end
  return "local " .. name .. (" = 0 for i = 1, #%s do %s = %s + m.sin(%s[i]) / (i + %s[%d]^2) end")
    :format(a.name, name, name, a.name, a.name, pick(a.n)), { name = name, n = 1 }
end

local function program(dim, size)
  local pool = { { name = "x", n = dim } }
  local lines = {
    "local x, m = ...",
    ("local function f1(a, b) return (%s) * 0.5 + b end"):format(one_of(ones):format "a"),
    ("local function f2(a, b) return %s end"):format(one_of(twos):format("a", "b")),
  }
  for k = 1, size do
    local text, made = statement(pool, k)
    lines[#lines + 1] = text
    if made.n > 1 and pick(3) == 1 then
      lines[#lines] = text .. (" %s = m.tanh(%s)"):format(made.name, made.name)
    end
    pool[#pool + 1] = made
  end
  -- Every third of what was made is part of the result.
  local sum = { "0" }
  for k = 2, #pool do
    if pick(3) == 1 or k == #pool then
      sum[#sum + 1] = (pool[k].n > 1 and "m.sum(%s)" or "%s"):format(pool[k].name)
    end
  end
  lines[#lines + 1] = "return " .. table.concat(sum, " + ")
  return table.concat(lines, "\n")
end
-- ---- the comparison --------------------------------------------------------

local spaces = {
  function() return cs.real(6), draw end,
  function() return cs.binary(7), function() return pick(2) - 1 end end,
  function() return cs.categorical(5, 5), function() return pick(5) - 1 end end,
  function() return cs.ordinal(4, -2, 3), function() return pick(6) - 3 end end,
}

local function duals(x)
  local list = {}
  for i = 1, #x do
    local d = {}
    for k = 1, #x do d[k] = k == i and 1 or 0 end
    list[i] = dual(x[i], d)
  end
  return vector(list)
end

local function differs(a, b, tolerance)
  return not (math.abs(a - b) <= tolerance * scale)
end

-- What disagrees at x, nil if nothing does; true: too near a tie to tell.
local function compare(t, f, x, values, low)
  scale, close = 1, false
  local u = f(duals(x), plain)
  if close then return true end
  if differs(t:log_density(x), value(u), 1e-12) then
    return ("value %.17g, should be %.17g"):format(t:log_density(x), value(u))
  end
  local g = t:gradient(x)
  for i = 1, #x do
    local want = is_dual(u) and u.d[i] or 0
    if differs(g[i], want, 1e-10) then
      return ("gradient %d: %.17g, should be %.17g"):format(i, g[i], want)
    end
  end
  if values == 0 then return nil end
  local i = pick(#x)
  local d, y = t:differences(x, i), table.move(x, 1, #x, 1, {})
  for v = 1, values do
    y[i] = low + v - 1
    local want = value(f(vector(table.move(y, 1, #y, 1, {})), plain)) - value(u)
    if close then return true end
    if differs(d[v], want, 1e-12) then
      return ("site %d = %g: %.17g, should be %.17g"):format(i, y[i], d[v], want)
    end
  end
end

-- One random program at some points: what is wrong, where, the source.
local function try(space, chance)
  local source = program(space.dim, 4 + pick(16))
  local f = assert(load(source, "=program", "t", { ipairs = ipairs }))
  local ok, t = pcall(cs.target, { space = space,
    log_density = function(x) return f(x, m) end })
  if not ok then return 0, t .. "\n" .. source end
  local compared = 0
  for _ = 1, 3 do
    local x = {}
    for i = 1, space.dim do x[i] = chance() end
    local fault = compare(t, f, x, space.values, space.low)
    if fault ~= true then compared = compared + 1 end
    if fault and fault ~= true then
      return compared, ("%s\nat %s\n%s"):format(fault, table.concat(x, " "), source)
    end
  end
  return compared
end

local function run(from, n, each)
  state = from
  for k = 1, n do
    local before = state
    local ok, compared, fault = pcall(try, one_of(spaces)())
    if not ok then compared, fault = 0, compared end
    if each(compared, fault and ("seed %d: %s"):format(before, fault)) then return end
    if k % 50 == 0 then collectgarbage() end
  end
end

local compared = 0
run(seed, count, function(n, fault)
  compared = compared + n
  if fault then print(fault) error(fault, 0) end
end)
assert(compared > 2 * count, "hardly anything was compared")

-- A derivative that is off by a thousandth is noticed, whichever it is.
for name, row in next, rows do
  if row[2] ~= nothing then
    local noticed = false
    wrong = name
    run(seed, 1500, function(_, fault) noticed = fault ~= nil return fault end)
    wrong = nil
    assert(noticed, "nobody notices a wrong derivative of " .. name)
  end
end
return compared
