-- Parameters with bounds, and the unconstrained space in which chains move: cs.target { params = {
-- tau = cs.positive() }, log_density = function(p) ... }. The maps from unconstrained numbers are
-- the rows of src/density/transform.c.
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
  if n == nil or select("#", ...) > 0 then
    m.fail(("write cs.%s(%s%d)"):format(word, word == "ordered_interval" and "low, high, " or "", least + 1))
  end
  local _, shape = sizes(word, 1, n)
  m.check_number("the size", shape[1], { whole = true, min = least, max = 2 ^ 12 })
  return shape[1], shape
end

cs.real = core.located(any_shape("real"))
cs.positive = core.located(any_shape("positive"))
local function is_bound(x) return type(x) == "number" or type(x) == "function" end
-- Fails unless low and high can be the bounds of cs.WORD.
local function check_bounds(word, low, high)
  local known = type(low) == "number" and type(high) == "number"
  if not (is_bound(low) and is_bound(high)) or known and (not (low < high) or low == -huge and high == huge) or
     low == huge or high == -huge then
    local size = word == "interval" and "" or ", 3"
    m.fail(("cs.%s needs a lower and a higher bound"):format(word),
           ("write cs.%s(-1, 1%s), or cs.%s(0, math.huge%s)"):format(word, size, word, size))
  end
end
cs.interval = core.located(function(low, high, ...)
  check_bounds("interval", low, high)
  local n, shape = sizes("interval", 2, ...)
  return declared("interval", n, shape, { low, high })
end)
cs.ordered_interval = core.located(function(low, high, ...)
  check_bounds("ordered_interval", low, high)
  local n, shape = at_least("ordered_interval", 1, ...)
  return declared("ordered_interval", n, shape, { low, high })
end)
m.functions.params = {}
for i, row in ipairs(core.transforms()) do
  local word, arguments, help, least, square = table.unpack(row)
  m.functions.params[i] = { word, arguments, help }
  if least > 0 then
    cs[word] = core.located(function(...)
      local n, shape = at_least(word, least, ...)
      return declared(word, core.transform_dim(word, nil, n), square and { n, n } or shape)
    end)
  end
end

-- Discrete parameters: labels from 1, as indices, integers from `low`, and bits 0 and 1. Without a
-- size they are numbers.
local function discrete(form, kind, low, values, n, ...)
  if select("#", ...) > 0 then m.fail("cs." .. form .. " takes one size: the length of a vector") end
  local dim, shape = 1, {}
  if n ~= nil then dim, shape = sizes(form, 1, n) end
  return m.made_now { kind = kind, dim = dim, low = low, values = values, form = form, shape = shape,
                      bounds = { low, low + values - 1 } }
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
-- A count has no largest value in the model, only `most` in the program. A warning reports draws
-- that reach it.
cs.count = core.located(function(n, most, ...)
  if select("#", ...) > 0 then m.fail("cs.count takes the length of a vector and the largest value") end
  most = most == nil and 1000 or whole_number("cs.count: the largest value", most, { whole = true, min = 1, max = 2 ^ 20 - 1 })
  local made = discrete("count", "ordinal", 0, most + 1, n)
  made.open = true
  return made
end)

-- Returns a bound of an interval: a number, or the value of a function of the parameters that
-- were declared before it.
local function bound_of(bound, values)
  if type(bound) ~= "function" then return bound end
  local value = bound(values)
  if type(value) ~= "number" and not (type(value) == "userdata" and core.rank(value) == 0) then
    m.fail("params: a bound is a " .. core.kind(value), "return one number from the function that gives the bound")
  end
  return value
end

-- Returns the value of a declaration for the unconstrained u, and the log Jacobian. `values` has the
-- parameters before it by name.
local function constrained(d, u, values)
  local low, high
  if d.bounds then low, high = bound_of(d.bounds[1], values), bound_of(d.bounds[2], values) end
  return core.constrain(d.form, u, d.shape[1], d.shape[2], low, high)
end

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
  if type(d) ~= "table" or d.form == nil then
    m.fail(("params: '%s' is a %s"):format(name, type(d) == "table" and d.kind or core.kind(d)),
           "declare it by cs.real(), cs.positive(), cs.interval(0, 1), cs.ordered(3), " ..
           "cs.simplex(3), cs.cholesky_corr(3), cs.bit(), cs.label(3), cs.integer(1, 9) or cs.count()")
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

-- Returns values by name; reading an unknown name is an error, and so is a bound that reads a name
-- without a value yet.
local function named(what, values, names)
  return setmetatable(values, {
    __index = function(_, name)
      if m.is_in(name, names) then
        m.fail(("a bound reads the %s '%s', which is declared later"):format(what, name),
               ("declare it first, in a list: params = { { %s = ... }, { ... } }"):format(name))
      end
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

-- Returns the part of a list of numbers that belongs to one discrete parameter: an entry, or a
-- vector of entries. Integers remain integers.
local function whole_part(x, one)
  local d = one.declared
  if #d.shape == 0 then return x[one.first] end
  return core.vector_part(x, one.first, d.dim)
end

-- Returns the space of a list of parameters. Parameters of different kinds or ranges make a mixed
-- space, whose parts have the names of the parameters.
local function space_of(list, dim)
  local parts, first, same, discrete = {}, list[1].declared, true, false
  for i, one in ipairs(list) do
    local d = one.declared
    parts[i] = { name = one.name, kind = d.kind, dim = d.dim, low = d.low, values = d.values, open = d.open }
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

local function numbers_of(name, value, out)
  if type(value) == "number" then
    if value - value ~= 0 then m.fail(("%s is %s, which is not finite"):format(name, value ~= value and "NaN" or value)) end
    out[#out + 1] = value
  elseif type(value) == "table" then
    for i = 1, #value do numbers_of(name, value[i], out) end
  else
    m.fail(("%s is a %s"):format(name, core.kind(value)))
  end
  return out
end

-- Returns the unconstrained numbers of a value. `before` has the values of earlier parameters.
local function free_of(what, one, value, before)
  local d, count = one.declared, 1
  for _, n in ipairs(d.shape) do count = count * n end
  local y = numbers_of(what .. ": " .. one.name, value, {})
  if #y ~= count then
    m.fail(("%s: %s has %d numbers, not %d"):format(what, one.name, #y, count))
  end
  local low, high
  if d.bounds then low, high = bound_of(d.bounds[1], before), bound_of(d.bounds[2], before) end
  local u = core.unconstrain(d.form, y, d.shape[1], d.shape[2], low, high)
  local function refuse()
    local said = count == 1 and (" (%.9g)"):format(y[1]) or ""
    m.fail(("%s: %s%s is outside its bounds"):format(what, one.name, said), "give values that cs." .. d.form .. " allows")
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
  local back = numbers_of(one.name, (constrained(d, #d.shape == 0 and u[1] or u, before)), {})
  for i = 1, count do
    if not (math.abs(back[i] - y[i]) <= 1e-6 * (1 + math.abs(y[i]))) then refuse() end
  end
  return u
end

-- Returns { dim, list, names, space, constrain(x), values(x), free(what, one, value, before) }.
-- constrain returns values by name and the log Jacobian.
function m.declare(params)
  local list, names, by_name, at = {}, {}, {}, 1
  for i, one in ipairs(in_order(params)) do
    list[i] = { name = one[1], declared = one[2], first = at }
    names[i], at = one[1], at + one[2].dim
    by_name[one[1]] = list[i]
  end
  local made = { list = list, names = names, dim = at - 1 }
  made.space = space_of(list, at - 1)
  function made.constrain(x)
    local values, jacobian = named("parameter", {}, names), 0
    for _, one in ipairs(list) do
      local value, more = constrained(one.declared, part(x, one), values)
      values[one.name], jacobian = value, jacobian + more
    end
    return values, jacobian
  end
  -- Returns the values by name. Each is computed when it is first read. Discrete values are the
  -- integers of the list x.
  function made.values(x)
    local values, vector = {}, nil
    return setmetatable(values, {
      __index = function(_, name)
        local one = by_name[name]
        if not one then m.fail(("there is no parameter '%s'"):format(tostring(name)), m.suggest(tostring(name), names)) end
        if one.declared.kind ~= "real" then
          values[name] = whole_part(x, one)
        else
          vector = vector or M.vector(x)
          values[name] = constrained(one.declared, part(vector, one), values)
        end
        return rawget(values, name)
      end,
      __metatable = false,
    })
  end
  made.free = free_of
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

-- Returns the value of a parameter as it is recorded. The diagonal of a correlation matrix is
-- exactly 1; in the density it has the rounding errors of L L', with which its Cholesky factor is
-- accurate.
local function recorded(d, value)
  if d.form ~= "correlation" then return value end
  local others, diagonal = {}, {}
  for i = 1, d.shape[1] do
    others[i], diagonal[i] = {}, {}
    for j = 1, d.shape[1] do others[i][j], diagonal[i][j] = i == j and 0 or 1, i == j and 1 or 0 end
  end
  return value * M.vector(others) + M.vector(diagonal)
end

-- Returns the recorded values of a state and their names: parameters in the order of their
-- declarations, then generated quantities. The random numbers of generated quantities follow the
-- state in x, or are 1/2. Also returns how many were used.
local function shown(made, generated, x, traced)
  local p = made.constrain(x)
  local rng = m.random_numbers(function(from, n)
    if traced then return n and M.slice(x, made.dim + from, made.dim + from + n - 1) or x[made.dim + from] end
    local half = {}
    for i = 1, n or 0 do half[i] = 0.5 end
    return n and M.vector(half) or 0.5
  end)
  local list, names = {}, {}
  local function put(name, value)
    value = type(value) == "table" and M.vector(value) or value
    names_of(name, value, names)
    list[#list + 1] = core.rank(value) == 2 and M.transpose(value) or value
  end
  for _, one in ipairs(made.list) do put(one.name, recorded(one.declared, p[one.name])) end
  for _, one in ipairs(check_generated(p, generated and generated(p, rng.methods) or {})) do put(one[1], one[2]) end
  return M.pack(table.unpack(list)), names, rng.used()
end

-- Returns the error of a trace of `generated`, without the advice to trace nothing: this field of a
-- target is for its density.
local function untraced(why)
  if type(why) ~= "string" then return why end
  if why:find("'outputs' and 'names' differ", 1, true) then
    m.fail("generated returns another number of values when it is traced", "look up a table by cs.math.vector(table)[k]")
  end
  why = why:gsub(", or give the target traced = false", ""):gsub(": give the target traced = false", "")
  return why .. "; `generated` is always traced: for another function of the draws, write a figure with of = function(p) ... end"
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

-- Returns a function like `generated` that also returns the log prior, unless the result has one.
local function with_log_prior(generated, prior)
  return function(p, ...)
    local values = generated and generated(p, ...) or {}
    if type(values) ~= "table" then return values end
    local out, list, given = {}, type(values[1]) == "table", values.log_prior ~= nil
    for key, value in next, values do
      out[key] = value
      given = given or list and type(value) == "table" and value.log_prior ~= nil
    end
    if not given then out[list and #values + 1 or "log_prior"] = list and { log_prior = prior(p) } or prior(p) end
    return out
  end
end

-- Adds the generated quantity log_lik: the terms of the rows of the target, or of the rows in the
-- field `log_lik`. `make` creates a target from its fields.
local function show_terms(target, log_lik, fields, make)
  for _, name in ipairs(target.coordinates) do
    if name:match "^[^.]*" == "log_lik" then
      m.fail("log_lik: 'log_lik' is already the name of a parameter or a generated quantity", "return it under another name")
    end
  end
  local rows = target
  if type(log_lik) == "string" and log_lik ~= "terms" and not core.has_file(log_lik) then
    m.fail("log_lik: there is no file '" .. log_lik .. "'", "write log_lik = \"terms\", or the name of a CSV file of other rows")
  end
  if log_lik ~= "terms" then
    local other = {}
    for name, value in next, fields do other[name] = value end
    other.data, other.bound, other.lipschitz = log_lik, nil, nil
    rows = make(other)
  end
  core.target_show_terms(target, rows, "log_lik")
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
  fields.params, fields.generated, fields.log_lik = nil, nil, nil
  fields.space = made.space
  local density, prior, term, generated = t.log_density, t.prior, t.term, t.generated
  if t.log_lik and prior then generated = with_log_prior(generated, prior) end
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
  local _, names, noise = shown(made, generated, M.vector(some))
  local good, why = pcall(core.target_outputs, target, function(x)
    local values, _, used = shown(made, generated, x, true)
    if used ~= noise then
      m.fail("generated takes a number of random numbers that depends on the parameters",
             "take the same random numbers for all parameters")
    end
    return values
  end, names, noise)
  if not good then error(untraced(why), 0) end
  check_shown(target, made, generated)
  if t.log_lik then show_terms(target, t.log_lik, fields, make) end
  of_target[target] = made
  return target
end

-- Returns the target with a further generated quantity: function f of the parameters and of the
-- other generated quantities.
function m.with_generated(target, name, f)
  local made, fields = of_target[target], {}
  if not made then
    m.fail("a function of the draws needs a target with `params`", "write cs.target { params = { ... }, log_density = function(p) ... end }")
  end
  for key, value in next, made.fields do fields[key] = value end
  local generated = fields.generated
  fields.generated = core.stand_in(function(p, rng)
    local given, list = generated and generated(p, rng) or {}, {}
    local draw = {}
    for key, value in next, p do draw[key] = value end
    for _, one in ipairs(check_generated(p, given)) do list[#list + 1], draw[one[1]] = { [one[1]] = one[2] }, one[2] end
    list[#list + 1] = { [name] = f(setmetatable(draw, { __index = p })) }
    return list
  end, generated or f)
  return m.cs.target(fields)
end

-- Returns the names of a target's parameters; nil if it has none.
function m.parameter_names(target)
  local made = of_target[target]
  return made and made.names
end

-- Returns the declared parameters of a target, as m.declare returns them; nil if it has none.
function m.parameters_of(target) return of_target[target] end

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

-- Fails unless the names of x are exactly `names`, or some of them if `partly`.
local function check_names(what, kind, x, names, partly)
  local known = {}
  for _, name in ipairs(names) do known[name] = true end
  for name in next, x do
    if not known[name] then
      m.fail(("%s: there is no %s '%s'"):format(what, kind, tostring(name)), m.suggest(name, names))
    end
  end
  for _, name in ipairs(names) do
    if x[name] == nil and not partly then m.fail(("%s: %s is missing"):format(what, name)) end
  end
end

-- Returns the unconstrained numbers of the parameters of x, a table of values by name. If `partly`,
-- the numbers of missing parameters are NaN.
local function free_point(what, made, x, partly)
  local out, missing, reader = {}, {}, nil
  local before = setmetatable({}, { __metatable = false, __index = function(_, name)
    if not missing[name] then m.fail(("there is no parameter '%s'"):format(tostring(name)), m.suggest(name, made.names)) end
    m.fail(("%s: %s is missing, but the bounds of %s depend on it"):format(what, name, reader), ("give %s, or leave out %s"):format(name, reader))
  end })
  for _, one in ipairs(made.list) do
    local value = x[one.name]
    reader = one.name
    missing[one.name] = partly and value == nil
    local u = value ~= nil and free_of(what, one, value, before)
    if u then before[one.name] = type(value) == "table" and M.vector(value) or value end
    for i = 1, one.declared.dim do out[#out + 1] = u and u[i] or 0 / 0 end
  end
  return out
end

-- Returns a point as a list of the coordinates in which chains move. The argument is such a list,
-- the result of chain:state(), or a table of values by name. If `partly`, values may be missing;
-- their coordinates are then NaN. The values of a program on a pipe must be complete.
function m.point(what, target, x, partly)
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
    check_names(what, "coordinate", x, names, partly)
    for i, name in ipairs(names) do out[i] = x[name] or partly and 0 / 0 or nil end
    return out
  end
  check_names(what, "parameter", x, made.names, partly)
  return free_point(what, made, x, partly)
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
