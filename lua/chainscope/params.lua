-- Parameters with bounds, and the unconstrained space in which chains move: cs.target { params = {
-- tau = cs.positive() }, log_density = function(p) ... }. Each form has a map from real numbers,
-- the log of the map's Jacobian, and the inverse map, as in the Stan Reference Manual, "Constraint
-- Transforms". Maps are computed on the log scale to remain precise in the tails.
local m = ...
local core, cs = m.core, m.cs
local M = core.math
local huge = math.huge
local size_row = { whole = true, min = 1, max = 2 ^ 20 }

-- ---- declarations --------------------------------------------------------

local function sizes(word, most, ...)
  local shape = { ... }
  if #shape > most or #shape ~= select("#", ...) then
    m.fail(("cs.%s takes at most %d sizes"):format(word, most))
  end
  local n = 1
  for i, size in ipairs(shape) do
    if type(size) ~= "number" then
      m.fail(("cs.%s: a size is a %s"):format(word, core.kind(size)), "give " .. m.range_text(size_row))
    end
    shape[i] = m.check_number("a size", size, i == 1 and { whole = true, min = 1, max = 2 ^ 30 } or size_row)
    n = n * shape[i]
  end
  m.check_number("the dimension", n, { whole = true, min = 1, max = 2 ^ 30 })
  return n, shape
end

local function declared(form, dim, shape, bounds)
  return m.made_now { kind = "real", dim = dim, low = 0, values = 0, form = form, shape = shape, bounds = bounds }
end

local function any_shape(word)
  return function(...)
    local n, shape = sizes(word, 2, ...)
    return declared(word, n, shape)
  end
end

local function at_least(word, least, n, ...)
  if n == nil or select("#", ...) > 0 then m.fail(("write cs.%s(%d)"):format(word, least + 1)) end
  local _, shape = sizes(word, 1, n)
  m.check_number("the size", shape[1], { whole = true, min = least, max = 2 ^ 12 })
  return shape[1], shape
end

cs.real = core.located(any_shape("real"))
cs.positive = core.located(any_shape("positive"))
cs.interval = core.located(function(low, high, ...)
  if type(low) ~= "number" or type(high) ~= "number" or not (low < high) or
     (low == -huge and high == huge) then
    m.fail("cs.interval needs a lower and a higher bound",
           "write cs.interval(-1, 1), or cs.interval(0, math.huge)")
  end
  local n, shape = sizes("interval", 2, ...)
  return declared("interval", n, shape, { low, high })
end)
cs.ordered = core.located(function(...)
  local n, shape = at_least("ordered", 1, ...)
  return declared("ordered", n, shape)
end)
cs.simplex = core.located(function(...)
  local n, shape = at_least("simplex", 2, ...)
  return declared("simplex", n - 1, shape)
end)
cs.cholesky_corr = core.located(function(...)
  local n = at_least("cholesky_corr", 2, ...)
  return declared("cholesky_corr", n * (n - 1) // 2, { n, n })
end)

-- Discrete parameters. Their values count as indices do, from 1; without a size they are numbers.
local function discrete(form, kind, low, values, n, ...)
  if select("#", ...) > 0 then m.fail("cs." .. form .. " takes one size: the length of a vector") end
  local dim, shape = 1, {}
  if n ~= nil then dim, shape = sizes(form, 1, n) end
  return m.made_now { kind = kind, dim = dim, low = low, values = values, form = form, shape = shape }
end

local function whole_number(what, x, row)
  if type(x) ~= "number" then m.fail(("%s is a %s"):format(what, core.kind(x)), "give " .. m.range_text(row)) end
  return m.check_number(what, x, row)
end

cs.bit = core.located(function(...) return discrete("bit", "binary", 0, 2, ...) end)
cs.label = core.located(function(labels, ...)
  labels = whole_number("cs.label: the number of labels", labels, { whole = true, min = 2, max = 2 ^ 20 })
  return discrete("label", "categorical", 1, labels, ...)
end)
cs.integer = core.located(function(low, high, ...)
  low = whole_number("cs.integer: the lowest value", low, { whole = true, min = -2 ^ 30, max = 2 ^ 30 })
  high = whole_number("cs.integer: the highest value", high, { whole = true, min = low + 1, max = 2 ^ 30 })
  return discrete("integer", "ordinal", low, high - low + 1, ...)
end)

m.functions.params = {
  { "real", "rows, cols", "a number, a vector or a matrix; as a space: cs.real(n)" },
  { "positive", "rows, cols", "like cs.real, but positive" },
  { "interval", "low, high, rows, cols", "like cs.real, but between two bounds; one may be infinite" },
  { "ordered", "n", "n numbers in ascending order" },
  { "simplex", "n", "n positive numbers whose sum is 1" },
  { "cholesky_corr", "n", "the Cholesky factor of an n x n correlation matrix" },
  { "bit", "n", "0 or 1, or a vector of n bits" },
  { "label", "labels, n", "one of `labels` unordered values, counted from 1, or a vector of n labels: mu[p.z[i]] is an entry of mu" },
  { "integer", "low, high, n", "a whole number from low to high, or a vector of n" },
}

-- ---- forms of parameters ---------------------------------------------------------------

-- For each form: the map from real numbers u to a value and its log Jacobian, and the inverse map
-- from a plain value, given as a list of numbers in row-major order.
local forms = {}

forms.real = { function(u) return u, 0 end, function(y) return y end }

-- Returns y if all its values are in range. For others returns NaN, which is outside.
local function in_range(y, d)
  local out = {}
  for i = 1, #y do
    local v = y[i]
    out[i] = v % 1 == 0 and v >= d.low and v < d.low + d.values and v or 0 / 0
  end
  return out
end

forms.bit = { function(u) return u, 0 end, in_range }
forms.label, forms.integer = forms.bit, forms.bit

forms.positive = {
  function(u) return M.exp(u), M.sum(u) end,
  function(y) return M.log(y) end,
}

forms.interval = {
  function(u, d)
    local low, high = d.bounds[1], d.bounds[2]
    if high == huge then return low + M.exp(u), M.sum(u) end
    if low == -huge then return high - M.exp(u), M.sum(u) end
    local lost = M.softplus(u) + M.softplus(-u)
    return low + (high - low) * M.sigmoid(u), d.dim * M.log(high - low) - M.sum(lost)
  end,
  function(y, d)
    local low, high = d.bounds[1], d.bounds[2]
    if high == huge then return M.log(y - low) end
    if low == -huge then return M.log(high - y) end
    return M.log(y - low) - M.log(high - y)
  end,
}

forms.ordered = {
  function(u, d)
    if d.dim == 1 then return u, 0 end
    local steps = M.slice(u, 2, d.dim)
    return M.cumulative_sum(M.pack(u[1], M.exp(steps))), M.sum(steps)
  end,
  function(y, d)
    local u = { y[1] }
    for i = 2, d.dim do u[i] = M.log(y[i] - y[i - 1]) end
    return u
  end,
}

-- Returns the shifts for which the stick-breaking map maps u = 0 to equal
-- proportions.
local function even_breaks(d)
  local shift = {}
  for k = 1, d.dim do shift[k] = -math.log(d.dim + 1 - k) end
  return M.vector(shift)
end

forms.simplex = {
  function(u, d)
    local v = u + even_breaks(d)
    local broken, left = -M.softplus(-v), -M.softplus(v)
    local rest = M.cumulative_sum(left)
    return M.exp(M.pack(broken + rest - left, rest[d.dim])), M.sum(broken) + M.sum(rest)
  end,
  function(y, d)
    local u, rest, shift = {}, 1, even_breaks(d)
    for k = 1, d.dim do
      rest = 0
      for j = k + 1, d.dim + 1 do rest = rest + y[j] end
      u[k] = M.log(y[k]) - M.log(rest) - shift[k]
    end
    return u
  end,
}

-- Returns the index of entry (i, j) among the free numbers of a triangular matrix, in row-major
-- order.
local function below(i, j) return (i - 1) * (i - 2) // 2 + j end

-- Returns two sparse matrices that sum log(1 - z^2) / 2. For entry j of row i, the first sums over
-- the entries of row i before j (false if j is the first entry); the second sums over the whole row
-- i. Also returns, for each entry of the factor, its index in the list that consists of the free
-- entries, the diagonal entries, and 0.
local function cholesky_maps(n)
  local free = n * (n - 1) // 2
  local before, all = { v = {}, i = {}, j = {} }, { v = {}, i = {}, j = {} }
  local place = {}
  local function add(to, i, j)
    local k = #to.v + 1
    to.v[k], to.i[k], to.j[k] = 1, i, j
  end
  for i = 1, n do
    for j = 1, n do
      place[#place + 1] = j < i and below(i, j) or j == i and free + i or free + n + 1
      for k = 1, j - 1 do
        if j < i then add(before, below(i, j), below(i, k)) end
      end
      if j < i then add(all, i, below(i, j)) end
    end
  end
  local function matrix(of, rows)
    return core.sparse { rows = rows, cols = free, v = of.v, i = of.i, j = of.j }
  end
  return #before.v > 0 and matrix(before, free), matrix(all, n), place
end

forms.cholesky_corr = {
  function(u, d)
    local n = d.shape[1]
    local before, all, place = cholesky_maps(n)
    local left = math.log(2) - u - M.softplus(-2 * u)
    local used = before and M.product(before, left) or 0 * u
    local entries = M.pack(M.tanh(u) * M.exp(used), M.exp(M.product(all, left)), 0)
    return M.matrix(M.gather(entries, place), n, n), 2 * M.sum(left) + M.sum(used)
  end,
  function(y, d)
    local n, u = d.shape[1], {}
    for i = 2, n do
      local rest = 1
      for j = 1, i - 1 do
        local entry = y[(i - 1) * n + j]
        local z = entry / math.sqrt(rest)
        u[below(i, j)] = 0.5 * (M.log1p(z) - M.log1p(-z))
        rest = rest - entry * entry
      end
    end
    return u
  end,
}

-- ---- a list of declarations ----------------------------------------------

-- True for a valid name. Indices are added to a name to form column heads. Columns whose names end
-- in two underscores are reserved for samplers.
local function is_name(name)
  return type(name) == "string" and #name <= 20 and name:match "^%a[%w_]*$" and not name:match "__$"
end
local name_rule = "use at most 20 letters, digits and _"

local function check_one(name, d)
  if not is_name(name) then
    m.fail(("params: invalid name '%s'"):format(tostring(name)), name_rule)
  end
  if type(d) ~= "table" or d.form == nil or not forms[d.form] then
    m.fail(("params: '%s' is a %s"):format(name, type(d) == "table" and d.kind or core.kind(d)),
           "declare it by cs.real(), cs.positive(), cs.interval(0, 1), cs.ordered(3), " ..
           "cs.simplex(3), cs.cholesky_corr(3), cs.bit(), cs.label(3) or cs.integer(1, 9)")
  end
end

-- Returns a list of { name, declaration }. If params is a list { { mu = cs.real() }, ... }, its
-- order is kept. A table of names is sorted in the order in which the declarations were created.
local function in_order(params)
  local list = {}
  if params[1] ~= nil then
    m.check_list("params", params, function(one)
      local name
      if type(one) == "table" then name = next(one) end
      if name == nil or next(one, name) ~= nil then
        m.fail("params: an entry of the list does not name exactly one parameter", "write { mu = cs.real() }")
      end
      list[#list + 1] = { name, one[name] }
    end)
  else
    for _, name in ipairs(m.keys_as_made(params, function(d) return d end)) do list[#list + 1] = { name, params[name] } end
  end
  local seen = {}
  for _, one in ipairs(list) do
    check_one(one[1], one[2])
    if seen[one[1]] then m.fail("params: '" .. one[1] .. "' is declared twice") end
    seen[one[1]] = true
  end
  if #list == 0 then m.fail("params is empty", "write params = { mu = cs.real() }") end
  return list
end

-- Returns values by name; reading an unknown name is an error.
local function named(what, values, names)
  return setmetatable(values, {
    __index = function(_, name)
      m.fail(("there is no %s '%s'"):format(what, tostring(name)), m.suggest(name, names))
    end,
    __metatable = false,
  })
end

-- Returns the part of a state that belongs to one parameter: a number or a vector.
local function part(x, one)
  local d = one.declared
  if #d.shape == 0 then return x[one.first] end
  return M.slice(x, one.first, one.first + d.dim - 1)
end

local function shaped(value, d)
  if #d.shape == 2 and d.form ~= "cholesky_corr" then return M.matrix(value, d.shape[1], d.shape[2]) end
  return value
end

-- Returns the space of a list of parameters. Parameters of different kinds or ranges make a mixed
-- space, whose parts have the names of the parameters.
local function space_of(list, dim)
  local parts, first, same, discrete = {}, list[1].declared, true, false
  for i, one in ipairs(list) do
    local d = one.declared
    parts[i] = { name = one.name, kind = d.kind, dim = d.dim, low = d.low, values = d.values }
    same = same and d.kind == first.kind and d.low == first.low and d.values == first.values
    discrete = discrete or d.kind ~= "real"
  end
  if not discrete then return { kind = "real", dim = dim, low = 0, values = 0, parts = parts } end
  return { kind = same and first.kind or "mixed", dim = dim, low = same and first.low or 0,
           values = same and first.values or 0, parts = parts }
end

-- Returns test state number k. Discrete coordinates are in their ranges.
local function test_state(list, k)
  local x = {}
  for _, one in ipairs(list) do
    local d = one.declared
    for _ = 1, d.dim do
      local i = #x + 1
      local v = (i * 37 + k * 53) % 101
      x[i] = d.kind == "real" and v / 25 - 2 or d.low + v % d.values
    end
  end
  return x
end

-- Returns { dim, list, names, space, constrain(x) }. constrain returns values by name and the log
-- Jacobian.
function m.declare(params)
  local list, names, at = {}, {}, 1
  for i, one in ipairs(in_order(params)) do
    list[i] = { name = one[1], declared = one[2], first = at }
    names[i], at = one[1], at + one[2].dim
  end
  local made = { list = list, names = names, dim = at - 1 }
  made.space = space_of(list, at - 1)
  function made.constrain(x)
    local values, jacobian = {}, 0
    for _, one in ipairs(list) do
      local value, more = forms[one.declared.form][1](part(x, one), one.declared)
      values[one.name], jacobian = shaped(value, one.declared), jacobian + more
    end
    return named("parameter", values, names), jacobian
  end
  return made
end

-- ---- generated quantities ------------------------------------------------

-- Appends to `out` the names of the entries of a value, in CmdStan's form: theta.3, or L.2.1 for a
-- matrix, column by column.
local function names_of(name, value, out)
  local rank = core.rank(value)
  if rank == 0 then out[#out + 1] = name end
  for j = 1, rank == 2 and #value[1] or rank do
    for i = 1, #value do
      out[#out + 1] = rank == 2 and ("%s.%d.%d"):format(name, i, j) or ("%s.%d"):format(name, i)
    end
  end
end

-- Returns the results of the function `generated` as a list of { name, value }. If the function
-- returned a list { { a = 1 }, { b = 2 } }, the order of the list is kept. If the function
-- returned a table of names, the results are sorted by name.
local function check_generated(made, values)
  if type(values) ~= "table" then
    m.fail("the function 'generated' returned a " .. core.kind(values), "return { name = value }")
  end
  local list, seen = {}, {}
  local function add(name, value)
    if not is_name(name) or rawget(made, name) ~= nil or seen[name] then
      m.fail(("generated: '%s' is invalid or already in use"):format(tostring(name)), name_rule)
    end
    seen[name] = true
    list[#list + 1] = { name, value }
  end
  if type(values[1]) == "table" and math.type(next(values[1])) == nil then
    m.check_list("generated", values, function(one) add(next(one)) end)
  else
    for _, name in ipairs(m.sorted_keys(values)) do add(name, values[name]) end
  end
  return list
end

-- Returns the recorded values of a state and their names: parameters in the order of their
-- declarations, then generated quantities.
local function shown(made, generated, x)
  local p = made.constrain(x)
  local list, names = {}, {}
  local function put(name, value)
    value = type(value) == "table" and M.vector(value) or value
    names_of(name, value, names)
    list[#list + 1] = core.rank(value) == 2 and M.transpose(value) or value
  end
  for _, name in ipairs(made.names) do put(name, p[name]) end
  for _, one in ipairs(check_generated(p, generated and generated(p) or {})) do put(one[1], one[2]) end
  return M.pack(table.unpack(list)), names
end

-- Fails if the generated quantities computed with numbers differ from the traced quantities at
-- any test state.
local function check_shown(target, made, generated)
  for k = 1, 3 do
    local x = test_state(made.list, k)
    local plain, names = shown(made, generated, M.vector(x))
    local traced = core.target_show(target, x)
    for i = 1, #traced do
      local a, b = plain[i], traced[i]
      local alike = a == b or (a ~= a and b ~= b) or
        math.abs(a - b) <= 1e-9 * (1 + math.abs(a) + math.abs(b))
      if not alike then
        m.fail(("generated: %s is %.9g in a plain call and %.9g when traced"):format(names[i], a, b),
               "compute it from the parameters only")
      end
    end
  end
end

local of_target = setmetatable({}, { __mode = "k" })

-- Returns the result of the script's function plus the log Jacobian. If the result is not a
-- value, it is returned unchanged, and the caller reports the error.
local function plus(value, jacobian)
  local kind = type(value)
  if kind == "number" or kind == "userdata" or getmetatable(value) ~= nil and kind == "table" then
    return value + jacobian
  end
  return value
end

-- Creates a target with parameters. The function `make` creates the target on the unconstrained
-- space from a table of fields.
function m.target_of_params(t, make)
  local made = m.declare(t.params)
  local fields = {}
  for name, value in next, t do fields[name] = value end
  fields.params, fields.generated = nil, nil
  fields.space = made.space
  local density, prior, term = t.log_density, t.prior, t.term
  if term and made.space.kind ~= "real" then
    m.fail("a sum over rows of data takes real parameters only",
           "write log_density with vectors: cs.lpdf.normal(y, cs.math.gather(p.mu, p.z), 1)")
  end
  if term then
    fields.term = core.stand_in(function(x, row) return term((made.constrain(x)), row) end, term)
    function fields.prior(x)
      local p, jacobian = made.constrain(x)
      return prior and plus(prior(p), jacobian) or jacobian
    end
    if prior then core.stand_in(fields.prior, prior) end
  else
    fields.log_density = core.stand_in(function(x)
      local p, jacobian = made.constrain(x)
      return plus(density(p), jacobian)
    end, density)
  end
  local target = make(fields)
  local some = test_state(made.list, 0)
  if made.space.kind == "real" then
    for i = 1, made.dim do some[i] = 0 end
  end
  local _, names = shown(made, t.generated, M.vector(some))
  core.target_outputs(target, function(x) return (shown(made, t.generated, x)) end, names)
  check_shown(target, made, t.generated)
  of_target[target] = made
  return target
end

-- Returns the names of a target's parameters; nil if it has none.
function m.parameter_names(target)
  local made = of_target[target]
  return made and made.names
end

-- Returns the parameters of a target, a list of { name, declared, first }; nil if it has none.
function m.parameter_list(target)
  local made = of_target[target]
  return made and made.list
end

-- Returns the first coordinate of a parameter, or of an entry such as "theta.3", and the number of
-- its coordinates; nil if the target has no such parameter.
function m.parameter_at(target, name)
  local made = of_target[target]
  for _, one in ipairs(made and made.list or {}) do
    local entry = name:sub(1, #one.name) == one.name and name:sub(#one.name + 1):match("^%.(%d+)$")
    if name == one.name then return one.first, one.declared.dim end
    if entry and tonumber(entry) >= 1 and tonumber(entry) <= one.declared.dim then
      return one.first + math.tointeger(tonumber(entry)) - 1, 1
    end
  end
end

-- ---- starting points -----------------------------------------------------

local function numbers_of(name, value, out)
  if type(value) == "number" then
    if value - value ~= 0 then m.fail(("%s is not finite"):format(name)) end
    out[#out + 1] = value
  elseif type(value) == "table" then
    for i = 1, #value do numbers_of(name, value[i], out) end
  else
    m.fail(("%s is a %s"):format(name, core.kind(value)))
  end
  return out
end

local function free_of(what, one, value)
  local d, count = one.declared, 1
  for _, n in ipairs(d.shape) do count = count * n end
  local y = numbers_of(what .. ": " .. one.name, value, {})
  if #y ~= count then
    m.fail(("%s: %s has %d numbers, not %d"):format(what, one.name, #y, count))
  end
  local u = forms[d.form][2](M.vector(y), d)
  local function refuse()
    m.fail(("%s: %s is outside its bounds"):format(what, one.name), "give values that cs." .. d.form .. " allows")
  end
  for i = 1, d.kind == "real" and 0 or d.dim do
    if u[i] ~= y[i] then
      m.fail(("%s: %s%s is %.9g"):format(what, one.name, #d.shape > 0 and ("[%d]"):format(i) or "", y[i]),
             ("give whole numbers from %d to %d"):format(d.low, d.low + d.values - 1))
    end
  end
  for i = 1, d.dim do
    if u[i] - u[i] ~= 0 then refuse() end
  end
  local back = numbers_of(one.name, shaped(forms[d.form][1](
    #d.shape == 0 and u[1] or M.vector(u), d), d), {})
  for i = 1, count do
    if not (math.abs(back[i] - y[i]) <= 1e-6 * (1 + math.abs(y[i]))) then refuse() end
  end
  return u
end

-- Fails unless the names of x are exactly `names`.
local function check_names(what, kind, x, names)
  local known = {}
  for _, name in ipairs(names) do known[name] = true end
  for name in next, x do
    if not known[name] then
      m.fail(("%s: there is no %s '%s'"):format(what, kind, tostring(name)), m.suggest(name, names))
    end
  end
  for _, name in ipairs(names) do
    if x[name] == nil then m.fail(("%s: %s is missing"):format(what, name)) end
  end
end

-- Returns a point as a list of the coordinates in which chains move. The argument is such a list,
-- the result of chain:state(), or a table of values by name.
function m.point(what, target, x)
  if type(x) ~= "table" then return x end
  if getmetatable(x) == "list" then return table.move(x, 1, target.dim, 1, {}) end
  if x[1] ~= nil or next(x) == nil then return x end
  local made, out = of_target[target], {}
  local free_names = core.target_free_names(target)
  if free_names then
    check_names(what, "parameter", x, free_names)
    for i, name in ipairs(free_names) do out[i] = x[name] end
    return core.target_free_point(target, out)
  end
  if not made then
    local names = target.coordinates
    check_names(what, "coordinate", x, names)
    for i, name in ipairs(names) do out[i] = x[name] end
    return out
  end
  check_names(what, "parameter", x, made.names)
  for _, one in ipairs(made.list) do
    local u = free_of(what, one, x[one.name])
    for i = 1, one.declared.dim do out[#out + 1] = u[i] end
  end
  return out
end

-- Converts a value to plain numbers or tables of numbers.
local function plain(value)
  if core.rank(value) == 0 then return value end
  local out = {}
  for i = 1, #value do out[i] = plain(value[i]) end
  return out
end

-- Returns the value with that name in a state. The value of a parameter has the parameter's
-- shape. For other names, returns the recorded value at index `place`. If there is no such
-- value, returns nil.
function m.value_of(target, x, name, place)
  local made = of_target[target]
  if not made and core.target_free_names(target) then
    return place and core.target_show(target, table.move(x, 1, target.dim, 1, {}))[place]
  end
  if not made then return place and rawget(x, place) end
  local point = table.move(x, 1, target.dim, 1, {})
  for _, one in ipairs(made.list) do
    if one.name == name then return plain((made.constrain(M.vector(point)))[name]) end
  end
  return place and core.target_show(target, point)[place]
end
