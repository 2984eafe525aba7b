-- Runs random programs. Each program is the source code of a log density. It is
-- traced, and also runs as plain Lua on numbers that carry their derivatives
-- (duals.lua). Both must have the same values, gradients and site differences.
-- The arguments are the seed and the number of programs of each kind. A program
-- that fails is printed.
local cs = require "chainscope"
local seed, count = ...
local m = cs.math
local D = dofile "script/duals.lua"
local plain, dual, value, vector, is_dual = D.plain, D.dual, D.value, D.vector, D.is_dual

-- ---- repeatable random numbers --------------------------------------------

local state
local function pick(n)
  state = state * 6364136223846793005 + 1442695040888963407
  return (state >> 33) % n + 1
end
local function draw() return 4 * (pick(1 << 30) / (1 << 30)) - 2 end
local function one_of(list) return list[pick(#list)] end

-- ---- programs -------------------------------------------------------------

-- Expressions are restricted to regions where the functions are smooth, and to
-- moderate numbers.
local ones = {
  "m.sin(%s)", "m.cos(%s)", "m.tanh(%s)", "m.atan(%s)", "m.erf(%s)",
  "m.sigmoid(%s)", "m.softplus(%s)", "m.abs(%s)", "m.normal_cdf(%s)",
  "m.exp(m.sin(%s))", "m.expm1(m.tanh(%s))", "m.log(1.5 + m.sin(%s))",
  "m.log1p(m.abs(%s))", "m.sqrt(1 + (%s)^2)", "m.tan(m.tanh(%s))",
  "m.lgamma(0.5 + m.abs(%s))", "m.digamma(0.5 + m.softplus(%s))",
  "m.log_normal_cdf(m.sin(%s) - 1)", "(2 + m.cos(%s))^1.5", "-(%s)",
  "(%s) / 3", "m.pow(m.tanh(%s), 3)", "m.asin(0.9 * m.sin(%s))",
  "m.acos(0.9 * m.cos(%s))", "m.log_sigmoid(%s)",
}
local twos = {
  "%s + %s", "%s - %s", "(%s) * m.sin(%s)", "(%s) / (1.5 + m.tanh(%s))",
  "m.max(%s, %s)", "m.min(%s, %s)", "(1 + m.sigmoid(%s))^m.tanh(%s)",
  "m.atan(%s, 1.5 + m.tanh(%s))", "m.log_beta(0.5 + m.abs(%s), 1 + m.sigmoid(%s))",
  "m.log_rising(1 + m.abs(%s), 2 + m.sin(%s))",
  "m.where(m.gt(%s, 0.1), 0.5, %s)", "m.where(m.ge(%s, 1), %s, 2)",
  "m.where(m.lt(%s, 0.3), %s, 0.5)", "m.where(m.le(%s, -0.2), 1, %s)",
}

-- Functions of vectors. Their result is a number, or a vector of the same
-- length.
local reductions = {
  "m.sum(%s)", "m.log_sum_exp(%s)", "m.mean(%s)", "m.norm(%s)", "m.max(%s)",
  "m.min(%s)", "m.dot(%s, m.sin(%s))",
  "m.sum(m.log(m.diagonal(m.cholesky(m.outer(%s, %s) + m.diagonal(1 + %s * %s)))))",
}
local reshapes = {
  "m.softmax(%s)", "m.log_softmax(%s)", "m.cumulative_sum(%s)",
  "m.product(m.outer(m.tanh(%s), m.sin(%s)), %s)",
  "m.product(m.transpose(m.outer(m.tanh(%s), %s)), m.cos(%s))",
  "m.column(m.outer(%s, m.tanh(%s)), 2)",
  "m.solve_lower(m.cholesky(m.outer(m.tanh(%s), m.tanh(%s)) + m.diagonal(1 + %s^2)), %s)",
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

-- Returns a random name from the pool whose value has n entries or one entry.
-- Returns a number if there is no such name, and sometimes otherwise.
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
  if kind == 9 then return say(1, one_of(reductions), a.name, a.name, a.name, a.name) end
  if kind == 10 then return say(a.n, one_of(reshapes), a.name, a.name, a.name, a.name) end
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
  -- Each created value is a part of the result with probability 1/3, and the
  -- last value always.
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
  return not (math.abs(a - b) <= tolerance * D.scale)
end

-- Returns the first disagreement at x. Returns nil if all values agree, or true
-- if a comparison is too close to a tie for a test.
local function compare(t, f, x, values, low)
  D.scale, D.close = 1, false
  local u = f(duals(x), plain)
  if D.close then return true end
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
    if D.close then return true end
    if differs(d[v], want, 1e-12) then
      return ("site %d = %g: %.17g, should be %.17g"):format(i, y[i], d[v], want)
    end
  end
end

-- Tries one random program at several points. Returns the disagreement, the
-- point and the source.
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

-- A derivative that is wrong by 0.1 % is detected, for every function.
D.each_derivative(function(name)
  local noticed = false
  D.wrong = name
  run(seed, 1500, function(_, fault) noticed = fault ~= nil return fault end)
  D.wrong = nil
  assert(noticed, "nobody notices a wrong derivative of " .. name)
end)
return compared
