-- Members whose conditional distribution is given: cs.kernel.gibbs { on = "mu", draw = function(p, rng)
-- return rng:normal(m, s) end }. `draw` returns a draw of the parameters `on` given all others.
local m = ...
local core = m.core
local M = core.math
local where = "cs.kernel.gibbs"

-- ---- random numbers ----------------------------------------------------------------

-- Returns the log of a standard gamma number, because small shapes give numbers below the smallest
-- float. Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
local function log_gamma_number(draw, shape)
  if not (shape > 0 and shape < math.huge) then
    m.fail(("rng:gamma: the shape is %.9g"):format(shape), "give a positive number")
  end
  local boost = shape < 1 and math.log(draw:uniform()) / shape or 0
  local d = (shape < 1 and shape + 1 or shape) - 1 / 3
  local c = 1 / math.sqrt(9 * d)
  while true do
    local x = draw:normal()
    local v = (1 + c * x) ^ 3
    if v > 0 and math.log(draw:uniform()) < 0.5 * x * x + d - d * v + d * math.log(v) then return boost + math.log(d * v) end
  end
end

local function gamma(draw, shape) return math.exp(log_gamma_number(draw, shape)) end

local function number(name, x)
  if type(x) ~= "number" then m.fail(("rng:%s takes numbers, not a %s"):format(name, core.kind(x))) end
  return x
end

-- Distributions whose numbers of random numbers vary, so that a traced function cannot have them.
local varying = {
  gamma = function(draw, shape, rate) return gamma(draw, number("gamma", shape)) / number("gamma", rate) end,
  inv_gamma = function(draw, shape, scale) return number("inv_gamma", scale) / gamma(draw, number("inv_gamma", shape)) end,
  chi_square = function(draw, nu) return 2 * gamma(draw, number("chi_square", nu) / 2) end,
  beta = function(draw, a, b)
    local x, y = log_gamma_number(draw, number("beta", a)), log_gamma_number(draw, number("beta", b))
    return 1 / (1 + math.exp(y - x))
  end,
  student_t = function(draw, nu, mu, sigma)
    return (mu or 0) + (sigma or 1) * draw:normal() * math.sqrt(nu / (2 * gamma(draw, number("student_t", nu) / 2)))
  end,
  poisson = function(draw, mean) return draw:poisson(number("poisson", mean)) end,
  dirichlet = function(draw, alpha)
    local x, sum, most = {}, 0, -math.huge
    for i = 1, #alpha do
      x[i] = log_gamma_number(draw, number("dirichlet", alpha[i]))
      most = math.max(most, x[i])
    end
    for i = 1, #x do
      x[i] = math.exp(x[i] - most)
      sum = sum + x[i]
    end
    for i = 1, #x do x[i] = x[i] / sum end
    return x
  end,
}

-- Distributions of whole numbers, which a traced function has as floats.
local of_whole_numbers = { "bernoulli", "binomial", "categorical" }

-- Returns a number or a vector with integers in place of whole floats.
local function as_integers(x)
  if type(x) == "number" then return math.tointeger(x) or x end
  for i = 1, #x do x[i] = as_integers(x[i]) end
  return x
end

-- Returns the object `rng` of a function `draw`, and a function that gives it the random numbers
-- of the present step.
local function random_of()
  local now
  local rng = m.random_numbers(function(_, n)
    if not n then return now:uniform() end
    local u = {}
    for i = 1, n do u[i] = now:uniform() end
    return M.vector(u)
  end).methods
  for _, name in ipairs(of_whole_numbers) do
    local law = rng[name]
    rng[name] = function(...) return as_integers(law(...)) end
  end
  for name, law in next, varying do
    rng[name] = function(self, ...)
      if self ~= rng then m.fail("write rng:" .. name .. "(...)") end
      return law(now, ...)
    end
  end
  return rng, function(draw) now = draw end
end

-- ---- fields ------------------------------------------------------------------------

-- The function, the target and the parameters of a kernel, { draw, target, read(x), write(value, p) }.
local context_of = setmetatable({}, { __mode = "k" })

local function refuse_field(name)
  m.fail(("%s: '%s' cannot be given with 'draw'"):format(where, tostring(name)), "the fields are on, draw, name and times")
end

-- Makes the kernel of a member from its fields, without those of all members.
function m.conditional_kernel(fields)
  if type(fields.draw) ~= "function" then
    m.fail(where .. ": 'draw' is a " .. core.kind(fields.draw), "write draw = function(p, rng) return ... end")
  end
  for name in next, fields do
    if name ~= "draw" then refuse_field(name) end
  end
  local draw = fields.draw
  local context = { draw = draw }
  local rng, numbers = random_of()
  local function step(x, source)
    numbers(source)
    local p = context.read(x)
    return context.write(draw(p, rng), p)
  end
  local kernel = core.kernel_conditional { draw = core.stand_in(step, draw) }
  context_of[kernel] = context
  return kernel
end

-- Fails unless a conditional kernel has parameters. `info` has the fields of the member.
function m.check_conditional(info)
  if not (info and info.on) then
    m.fail(where .. ": 'draw' needs 'on'", "name the parameters that it draws: on = { \"mu\" }")
  end
  if info.metric then refuse_field "metric" end
end

function m.is_conditional(kernel) return context_of[kernel] ~= nil end

-- Returns a kernel with the same function that belongs to no target yet.
function m.copy_conditional(kernel) return m.conditional_kernel { draw = context_of[kernel].draw } end

-- ---- the state by name -------------------------------------------------------------

-- Returns the list of those parameters of `made` that `on` names, in the order of the states.
local function moved_of(made, member, on)
  local list, named = {}, {}
  for _, name in ipairs(on) do named[name] = true end
  for _, one in ipairs(made.list) do
    if named[one.name] then list[#list + 1], named[one.name] = one, nil end
  end
  local other = next(named)
  if other then
    m.fail(("the member %s: 'draw' returns whole parameters, not '%s'"):format(member, other), m.suggest(tostring(other), made.names))
  end
  return list
end

-- Returns the parameters that `draw` returned, by name, from its value.
local function by_name(what, moved, value)
  if #moved == 1 then return { [moved[1].name] = value } end
  if type(value) ~= "table" then
    m.fail(("%s returned a %s"):format(what, core.kind(value)), ("return { %s = ..., %s = ... }"):format(moved[1].name, moved[2].name))
  end
  local names = {}
  for i, one in ipairs(moved) do names[i] = one.name end
  for name in next, value do
    if not m.is_in(name, names) then m.fail(("%s returned '%s'"):format(what, tostring(name)), m.suggest(tostring(name), names)) end
  end
  for _, name in ipairs(names) do
    if value[name] == nil then m.fail(("%s did not return %s"):format(what, name)) end
  end
  return value
end

local function with_parameters(context, made, member, on)
  local moved = moved_of(made, member, on)
  local what = "draw of " .. member
  function context.read(x) return made.values(x) end
  function context.write(value, p)
    local values, out = by_name(what, moved, value), {}
    local now = setmetatable({}, { __index = p })
    for _, one in ipairs(moved) do
      local u = made.free(what, one, values[one.name], now)
      now[one.name] = values[one.name]
      for i = 1, one.declared.dim do out[#out + 1] = u[i] end
    end
    return out
  end
end

-- For a target without parameters: the state is a list.
local function with_coordinates(context, member, n)
  local what = "draw of " .. member
  function context.read(x) return x end
  function context.write(value)
    local list = type(value) == "table" and value or { value }
    local out = {}
    if #list ~= n then m.fail(("%s returned %d numbers, not %d"):format(what, #list, n)) end
    for i = 1, n do
      local x = list[i]
      if type(x) ~= "number" then m.fail(("%s: number %d is a %s"):format(what, i, core.kind(x))) end
      if x - x ~= 0 then m.fail(("%s: number %d is %s, which is not finite"):format(what, i, x ~= x and "NaN" or x)) end
      out[i] = x
    end
    return out
  end
end

-- Gives a conditional kernel the parameters of a target. It stays with that target.
function m.place_conditional(kernel, member, on, target)
  local context = context_of[kernel]
  if not context or context.target == target then return end
  if context.target then
    m.fail(("the member %s: its 'draw' belongs to another target"):format(member), "make a new kernel for each target")
  end
  context.target = target
  local made = m.parameters_of(target)
  if made then return with_parameters(context, made, member, on) end
  local n = 0
  for _, one in ipairs(on) do
    local _, some = m.parameter_at(target, tostring(one))
    n = n + (some or 1)
  end
  with_coordinates(context, member, n)
end
