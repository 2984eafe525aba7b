-- Spaces, targets, schedules and kernels: the values that a scenario uses.
local m = ...
local core, cs = m.core, m.cs
local located = core.located

local count = { whole = true, min = 1, max = 2 ^ 30 }
local value = { whole = true, min = -2 ^ 30, max = 2 ^ 30 }

local function whole(what, n, row)
  if type(n) ~= "number" then
    m.fail(what .. " is a " .. type(n), "give " .. m.range_text(row))
  end
  return m.check_number(what, n, row)
end

local function no_more(what, ...)
  if select("#", ...) > 0 then m.fail(what .. " takes no more arguments") end
end

-- ---- spaces --------------------------------------------------------------

local function space(kind, dim, low, values)
  return { kind = kind, dim = whole("the dimension", dim, count), low = low,
           values = values }
end

cs.binary = located(function(n, ...)
  no_more("cs.binary", ...)
  return space("binary", n, 0, 2)
end)
cs.categorical = located(function(n, values, ...)
  no_more("cs.categorical", ...)
  return space("categorical", n, 0, whole("the number of values", values,
    { whole = true, min = 2, max = 2 ^ 30 }))
end)
cs.ordinal = located(function(n, low, high, ...)
  no_more("cs.ordinal", ...)
  low = whole("the lowest value", low, value)
  high = whole("the highest value", high,
               { whole = true, min = low + 1, max = 2 ^ 30 })
  return space("ordinal", n, low, high - low + 1)
end)

m.rows.space = {
  kind = { "string", "binary, categorical, ordinal or real", required = "for example cs.real(2)" },
  dim = { "number", "number of coordinates", required = "for example cs.real(2)",
          whole = true, min = 1, max = 2 ^ 30 },
  low = { "number", "the lowest value", whole = true, min = -2 ^ 30, max = 2 ^ 30 },
  values = { "number", "number of values", whole = true, min = 0, max = 2 ^ 31 },
  form = { "string", "form of a parameter: real, positive, interval ..." },
  shape = { "table", "rows and columns of a parameter" },
  bounds = { "table", "lower and upper bound of a parameter" },
}
local space_kinds = { "binary", "categorical", "ordinal", "real" }

local function check_space(t)
  m.check("a space", t, m.rows.space)
  if (t.form or "real") ~= "real" then
    m.fail("cs." .. t.form .. " is a form of parameter, not a space", "write params = { x = cs." .. t.form .. "(...) }")
  end
  if #(t.shape or {}) > 1 then
    m.fail("a space takes one size", "write cs.real(" .. t.dim .. "), or params = { x = cs.real(...) }")
  end
  for _, kind in ipairs(space_kinds) do
    if kind == t.kind then
      local least = kind == "real" and 0 or 2
      m.check_number("values", t.values or 0, { whole = true, min = least, max = 2 ^ 31 })
      return
    end
  end
  m.fail("unknown space '" .. t.kind .. "'", m.suggest(t.kind, space_kinds))
end

-- ---- families: cs.kernel.mala { ... } ------------------------------------

-- For each built-in target: a table with the name of the target and the fields
-- from which it was created.
m.made_from = setmetatable({}, { __mode = "k" })

local function family(word, list, make, call)
  local makers = {}
  for name in next, list do
    makers[name] = located(function(fields, ...)
      if fields ~= nil and type(fields) ~= "table" then
        m.fail(word .. "." .. name .. " expects a table",
               "write cs." .. word .. "." .. name .. " { ... }")
      end
      no_more("cs." .. word .. "." .. name, ...)
      local made = m.made_now(make(name, fields or {}))
      if word == "target" then m.made_from[made] = { name, fields or {} } end
      return made
    end)
  end
  return m.sealed("cs." .. word, makers, located(function(_, t, ...)
    no_more("cs." .. word, ...)
    return m.made_now(call(t))
  end))
end

m.family = family

m.rows.target = {
  space = { "table", "the space of the states; not needed with `params`" },
  params = { "table", "parameters with their bounds: { mu = cs.real(), tau = cs.positive() }" },
  log_density = { "function", "returns the log density of a state, in nats, up to a constant; with params, the argument is a table of their values",
                  required = "log_density = function(x) return ... end" },
  generated = { "function", "with params: returns a table of generated quantities, which are shown and recorded; the second argument draws random numbers: rng:normal(mu, sd)" },
  gradient = { "function", "returns the gradient of log_density, a list; by default the gradient is derived from the operations of log_density" },
  sample = { "function", "sample(draw) returns an independent draw of the target, as a state or, with params, as a table of their values. Its random numbers are draw:normal() and so on, as in propose. `chainscope check` compares the draws with log_density, and then starts chains from them" },
  name = { "string", "name of the target", plain = true },
  view = { "table", "the region of the plane that the map shows: { x0, x1, y0, y1 }; for coordinates other than the first two: { \"mu\", \"tau\", x0, x1, y0, y1 }" },
  modes = { "table", "the modes of the target, a list of points { { x1, x2 }, { x1, x2 } } in the coordinates in which chains move: for the panels visits, jumps and first, and for claims about modes" },
  mode_radius = { "number", "a state visits its nearest mode if the mode is within this distance; by default, at any distance", min = 0, above = true },
  mode_shares = { "table", "for each mode, the probability of the points that are nearest to it, if known" },
  picture = { "table", "shows a state as an image: { rows = 28, cols = 28 }; for real numbers also the ends of the grey scale: low = 0, high = 1" },
  traced = { "boolean", "false: log_density is called at every step instead of once; x is then the same list each time, so copy the values that you keep" },
}

-- Adds to `rows` the rows of a target that have the given names.
local function as_target(rows, ...)
  for _, name in ipairs { ... } do rows[name] = m.rows.target[name] end
  return rows
end

-- Fields of a target whose log density is a sum over the rows of a table.
m.rows.term = as_target({
  data = { "table string", "columns: lists with one number or vector per row; or a list of rows, each { y = 1, x = 2 }; or the name of a CSV file (recommended for a million rows)",
           required = "data = { y = { 1, 0, 1 }, x = { ... } }" },
  term = { "function", "the contribution of one row to the log density: term(x, row), with row.y and so on",
           required = "term = function(x, row) return ... end" },
  prior = { "function", "the part that does not depend on the data: prior(x)" },
  log_lik = { "string table", "with params: \"terms\" if each term is the log likelihood of the observation in its row. Then log_lik, with one number per row, and log_prior, the value of prior, are generated quantities, for loo, compare and sensitivity. For rows that are not among the data: a table of these rows, in a form of data" },
  region = { "table", "the support, on which the terms are bounded and outside of which the prior is -infinity: { ball = R }, around the origin, or { box = { low, high } }, with two numbers or with two lists of one number per coordinate (with params: in the space in which chains move)" },
  bound = { "function", "lower and upper bound of a row's term wherever the prior is finite: bound(row) returns low, high; called once per row" },
  lipschitz = { "function", "c with |term(x, row) - term(y, row)| <= c |x - y| wherever the prior is finite: lipschitz(row) returns c; called once per row" },
}, "space", "params", "generated", "sample", "name", "view", "modes", "mode_radius", "mode_shares", "picture")

-- Fields of a model of data whose likelihood has an unknown normalising factor.
m.rows.model = as_target({
  data = { "table", "the observed data: a list of numbers", required = "for example data = { 1, -1, 1 }" },
  prior = { "function", "log prior of theta: prior(theta); 0 by default" },
  log_factor = { "function", "log f(theta, y) of data y, where p(y | theta) = f(theta, y) / Z(theta): log_factor(theta, y)",
                 required = "log_factor = function(theta, y) return ... end" },
  simulate = { "function", "an exact draw of data at theta, a list: simulate(theta, draw)",
               required = "simulate = function(theta, draw) return { ... } end" },
  sweep = { "function", "changes the data by a reversible step that leaves p(. | theta) invariant: sweep(theta, y, draw)" },
  log_z = { "function", "log Z(theta), if it is known: log_z(theta); log p is then known too" },
}, "space", "name", "view", "modes", "mode_radius", "mode_shares", "picture")

-- Fields of a compiled Stan model.
m.rows.stan = as_target({
  stan = { "string", "a shared object with BridgeStan's C interface: model_model.so", required = "stan = \"model_model.so\"" },
  data = { "string table", "the data of the model: a JSON file, or a table of numbers and lists" },
  seed = { "number", "seed of the transformed data; 0 by default", whole = true, min = 0, max = 2 ^ 32 - 1 },
  transformed = { "boolean", "false: transformed parameters are not shown" },
}, "name", "view")

-- Fields of a model that another program evaluates.
m.rows.process = as_target({
  process = { "table", "the words of a command, which runs in the scenario's folder; assets/doc/models.md describes the protocol",
              required = "process = { \"python3\", \"model.py\" }" },
  timeout = { "number", "seconds to wait for an answer; 10 by default", min = 0, above = true },
  startup = { "number", "seconds to wait for the description after the start; 60 by default", min = 0, above = true },
}, "name", "view")

m.rows.region = {
  ball = { "number", "the radius of a ball around the origin", min = 0, above = true },
  box = { "table", "{ low, high }: two numbers, or two lists with one number per coordinate" },
}

m.rows.picture = {
  rows = { "number", "number of rows of pixels", required = "for example rows = 28", whole = true, min = 1, max = 2 ^ 20 },
  cols = { "number", "number of columns of pixels; pixel (r, c) is coordinate cols (r - 1) + c, counted from first", required = "for example cols = 28", whole = true, min = 1, max = 2 ^ 20 },
  first = { "number", "the first coordinate of the image; 1 by default", whole = true, min = 1, max = 2 ^ 31 },
  low = { "number", "for real numbers, the value shown darkest; 0 by default" },
  high = { "number", "for real numbers, the value shown brightest; 1 by default" },
}

-- Functions for log densities of the state; they also accept numbers.
cs.math = m.sealed("cs.math", core.math)
m.functions = { math = core.math_rows }

m.rows.sparse = {
  rows = { "number", "number of rows", required = "for example rows = 3", whole = true, min = 1, max = 2 ^ 26 },
  cols = { "number", "number of columns", required = "for example cols = 3", whole = true, min = 1, max = 2 ^ 26 },
  v = { "table", "the entries, one number each", required = "for example v = { 1.5, 2 }" },
  i = { "table", "the row of each entry", required = "for example i = { 1, 3 }" },
  j = { "table", "the column of each entry", required = "for example j = { 2, 2 }" },
}
cs.sparse = located(function(fields, ...)
  no_more("cs.sparse", ...)
  return core.sparse(m.check("cs.sparse", fields, m.rows.sparse))
end)

-- Returns true if a target would find the file: in the scenario's folder, in the program's data
-- folder, or in the folder CHAINSCOPE_DATA.
cs.has_data = located(function(path, ...)
  no_more("cs.has_data", ...)
  if type(path) ~= "string" then
    m.fail("cs.has_data expects a path, not a " .. core.kind(path), "cs.has_data \"bnn/adult-train.csv.gz\"")
  end
  return core.has_file(path)
end)

-- cs.read_table and cs.read_json, which read a file from the folders in which
-- targets find their files.
for name, read in next, { read_table = core.read_table, read_json = core.read_json } do
  cs[name] = located(function(path, ...)
    no_more("cs." .. name, ...)
    if type(path) ~= "string" then
      m.fail(("cs.%s expects a path, not a %s"):format(name, core.kind(path)),
             ("cs.%s \"%s\""):format(name, name == "read_table" and "table.csv" or "data.json"))
    end
    return read(path)
  end)
end

cs.read_idx = located(function(path, pool, most, ...)
  no_more("cs.read_idx", ...)
  if type(path) ~= "string" then
    m.fail("cs.read_idx expects a path, not a " .. core.kind(path), "cs.read_idx \"images.idx.gz\"")
  end
  for name, x in next, { pool = pool, most = most } do
    m.check_number(name, x, { whole = true, min = 1, max = 2 ^ 31 })
  end
  return core.read_idx(path, pool, most)
end)

-- Returns tables of the principal components of images, or of the rows of a table.
cs.principal_components = located(function(fields, ...)
  no_more("cs.principal_components", ...)
  if type(fields) ~= "table" then
    m.fail("cs.principal_components expects a table, not a " .. core.kind(fields),
           "write cs.principal_components { images = ..., labels = ..., classes = { 3, 5 } }")
  end
  return core.principal_components(fields)
end)

-- Runs belief propagation on a perceptron with weights -1 and 1.
cs.fbp = located(function(fields, ...)
  no_more("cs.fbp", ...)
  if type(fields) ~= "table" then
    m.fail("cs.fbp expects a table, not a " .. core.kind(fields), "write cs.fbp { inputs = ..., labels = ... }")
  end
  return core.fbp(fields)
end)

-- Returns the lower (i = 1) or the upper (i = 2) side of a box as a list with
-- one number per coordinate.
local function side_of(box, i, dim)
  local side, list = box[i], {}
  if type(side) ~= "table" then
    for j = 1, dim do list[j] = side end
  else
    if #side ~= dim then
      m.fail(("region: a side of the box has %d numbers, but the state has %d coordinates"):format(#side, dim),
             "give one number per coordinate, or one number for all coordinates")
    end
    list = table.move(side, 1, dim, 1, {})
  end
  for j = 1, dim do
    if type(list[j]) ~= "number" or list[j] ~= list[j] then
      m.fail("region: a side of the box is a " .. core.kind(list[j]), "for example box = { -1, 1 }")
    end
  end
  return list
end

-- Returns a region in the core's form: { ball =, low = list, high = list }.
local function plain_region(r, dim)
  m.check("region", r, m.rows.region)
  if (r.ball == nil) == (r.box == nil) then
    m.fail("region needs either a ball or a box", "write region = { ball = 3 }, or region = { box = { -1, 1 } }")
  end
  local box = r.box or { -math.huge, math.huge }
  if #box ~= 2 then m.fail("region: box is not a list of two sides", "write box = { low, high }") end
  local low, high = side_of(box, 1, dim), side_of(box, 2, dim)
  for j = 1, dim do
    if not (low[j] < high[j]) then
      m.fail(("region: the box is empty: from %g to %g"):format(low[j], high[j]), "write box = { low, high }")
    end
  end
  return { ball = r.ball, low = low, high = high }
end

local function make_term(t)
  if not t.region then return core.target_term(t) end
  local fields = {}
  for name, value in next, t do fields[name] = value end
  fields.region = plain_region(t.region, t.space.dim)
  return core.target_term(fields)
end

local function make_target(t)
  if t.log_factor then return core.target_factor(t) end
  if t.term then return make_term(t) end
  if t.gradient or t.traced == false then return core.target_lua(t) end
  return core.target_trace(t)
end

-- Returns the four numbers of a view, and the two names that precede the numbers (false if the view
-- has no names). In the view of a panel (no `window`) the numbers may be missing; then returns nil
-- and the names.
function m.split_view(view, window)
  local names, v = {}, {}
  m.check_list("view", view, function(x)
    if type(x) == "string" and #names < 2 and #v == 0 then names[#names + 1] = x
    elseif type(x) == "number" and x == x then v[#v + 1] = x
    else m.fail("view must hold four numbers, or two names and four numbers") end
  end)
  if #v == 0 and #names == 2 and not window then return nil, names end
  if #names == 1 or #v ~= 4 or not (v[1] < v[2] and v[3] < v[4]) then
    m.fail("view is not a window { x0, x1, y0, y1 } with x0 < x1 and y0 < y1", "write view = { x0, x1, y0, y1 }")
  end
  return v, #names == 2 and names
end

-- For each target whose view names its coordinates: fields of the probe `plane`.
m.views = setmetatable({}, { __mode = "k" })

function m.named_view(t, make, v, names)
  local fields = {}
  for name, value in next, t do fields[name] = value end
  fields.view = nil
  local target = make(fields)
  m.views[target] = {
    x = m.find_coordinate(target.coordinates, names[1]),
    y = m.find_coordinate(target.coordinates, names[2]),
    left = v[1], right = v[2], bottom = v[3], top = v[4],
  }
  return target
end

-- Gives a target the draws of the function `sample`. The target holds the function, so the function
-- must not hold the target.
local function add_sample(target, sample)
  local held = setmetatable({ target = target }, { __mode = "v" })
  core.target_sample(target, core.stand_in(function(draw)
    return m.point("sample", held.target, sample(draw))
  end, sample))
end

cs.target = family("target", core.targets(), core.target_new, function(t)
  if type(t) == "table" and (t.stan ~= nil or t.process ~= nil) then return m.outside_target(t) end
  local model = type(t) == "table" and (t.log_factor or t.simulate) ~= nil
  local sum = type(t) == "table" and (t.term or t.data or t.prior) ~= nil
  if type(t) == "table" and t.log_lik ~= nil and (model or not sum) then
    m.fail("target: log_lik needs a log density with `term` and `data`, which shows what belongs to each observation",
           "write generated = function(p) return { log_lik = cs.lpdf.each.normal(y, p.mu, p.sigma) } end")
  end
  m.check("target", t, model and m.rows.model or sum and m.rows.term or m.rows.target)
  if t.params then
    for _, field in ipairs { "space", "gradient" } do
      if t[field] then m.fail("a target with params has no '" .. field .. "'") end
    end
  elseif t.generated or t.log_lik then
    m.fail((t.generated and "generated" or "log_lik") .. " needs params", "write params = { ... }")
  elseif not t.space then
    m.fail("target needs the field 'space'", "for example space = cs.real(2), or params = { ... }")
  else
    check_space(t.space)
  end
  for _, field in ipairs { "mode_radius", "mode_shares" } do
    if t[field] and not t.modes then m.fail("'" .. field .. "' needs modes", "for example modes = { { 0, 0 }, { 5, 5 } }") end
  end
  if t.picture then m.check("picture", t.picture, m.rows.picture) end
  local function make(fields)
    return t.params and m.target_of_params(fields, make_target) or make_target(fields)
  end
  local v, names
  if t.view then v, names = m.split_view(t.view, true) end
  local target = names and m.named_view(t, make, v, names) or make(t)
  if t.sample then add_sample(target, t.sample) end
  if t.params then m.parameters_of(target).fields = t end
  return target
end)

cs.schedule = family("schedule", core.schedules(), core.schedule_new,
                     function(f)
  if type(f) ~= "function" then
    m.fail("cs.schedule expects a function, not a " .. core.kind(f),
           "write cs.schedule(function(step) return ... end)")
  end
  return core.schedule_lua(f)
end)

-- Converts a function of the step, or a list of numbers, to a schedule.
function m.as_schedule(name, v)
  if type(v) == "function" then return core.schedule_lua(v) end
  if type(v) ~= "table" or v[1] == nil then return v end
  m.check_list(tostring(name), v, function(x, i)
    if type(x) ~= "number" then
      m.fail(("%s: entry %d is a %s"):format(name, i, core.kind(x)), "give a number")
    end
  end)
  return core.schedule_new("cycle", { values = v })
end

-- Returns a table of the kernels in a file plans.lua. The keys are the names of the arms; some
-- kernels have a metric.
cs.plans = located(function(path, ...)
  no_more("cs.plans", ...)
  if type(path) ~= "string" then
    m.fail("cs.plans expects the name of a file", "arms = cs.plans \"plans.lua\"")
  end
  local arms = core.plans(path)
  for name, kernel in next, type(arms) == "table" and arms or { arms } do
    local kind = core.kind(type(kernel) == "table" and kernel.kernel or kernel)
    if kind ~= "kernel" then
      m.fail(("%s: '%s' is a %s"):format(path, name, kind),
             "let the file return { arm = cs.kernel.NAME { ... } }")
    end
  end
  return arms
end)

cs.tuner = family("tuner", core.tuners(), core.tuner_new, function()
  m.fail("cs.tuner cannot be called: tuners written in Lua are not supported", "write cs.tuner.NAME { ... }")
end)

-- Divides the fields into values and fields that a schedule drives. If a parameter is a list, a
-- list is its value. If a parameter is a number, a list is a schedule that cycles through its
-- numbers.
local function parted(fields, rows)
  local values, driven, lists = {}, {}, {}
  for _, row in ipairs(rows) do lists[row.name] = row.kind == "array" end
  for name, v in next, fields do
    local kind = core.kind(v)
    if lists[name] and (kind == "function" or kind == "schedule") then
      m.fail(("'%s' is a list of numbers, not a %s"):format(name, kind), name .. " = { 1, 2 }, say")
    elseif not lists[name] then
      v = m.as_schedule(name, v)
    end
    if core.kind(v) == "schedule" and type(name) == "string" then
      driven[name] = v
    else
      values[name] = v
    end
  end
  return values, driven
end

m.rows.kernel = {
  propose = { "function", "propose(x, draw, params, target) returns a proposed state; it may use only its arguments and keep no state between calls",
              required = "propose = function(x, draw, params) ... end" },
  log_q = { "function", "log_q(from, to, params, target) returns log q(to | from); by default the proposal is symmetric" },
  params = { "table", "parameters of the kernel, as numbers by name, which can be changed during the run" },
  rows = { "string", "the kind of bounds that draw:row() and target:bound() use: \"range\", bounds of the value of a term, or \"change\", bounds of its change" },
}

-- Fields of algorithm 1 of Yuan and Wang (2026).
m.rows.auxiliary = {
  omega1 = { "function", "the first auxiliary variable, any value except nil: omega1(x, draw, params, target)" },
  propose = { "function", "the proposal y: propose(x, omega1, draw, params, target)",
              required = "propose = function(x, omega1, draw, params, target) ... end" },
  omega2 = { "function", "the second auxiliary variable: omega2(x, y, omega1, draw, params, target); omega1 by default" },
  log_ratio = { "function", "log r = log [pi(y) P_y,x(omega1, omega2)] - log [pi(x) P_x,y(omega1, omega2)] + log q(x | y, omega1) - log q(y | x, omega1), pi being the whole target with its prior; factors that cancel may be left out, and with log_q also the last two terms: log_ratio(x, y, omega1, omega2, params, target)",
                required = "log_ratio = function(x, y, omega1, omega2, params, target) ... end" },
  log_q = { "function", "log q(to | from, omega1): log_q(from, to, omega1, params, target); its two terms are then added to the ratio" },
  accept = { "string function", "the acceptance probability: \"metropolis\", min(1, r), the default; \"barker\", r / (1 + r); or a function a(r) with a(r) = r a(1 / r)" },
  params = m.rows.kernel.params,
  rows = m.rows.kernel.rows,
}

-- Fields of a kernel whose proposal is a deterministic map.
m.rows.mapped = {
  omega1 = { "function", "the variable, such as a momentum: omega1(x, draw, params, target) returns a list of numbers, whose density does not change with their sign",
             required = "omega1 = function(x, draw, params, target) ... end" },
  map = { "function", "the map: map(x, omega1, params, target) returns the proposal y and omega2, a list as long as omega1. Run again from y and -omega2, it must return to x and -omega1 (or, if it reverses the sign itself, from y and omega2 to x and omega1), and it must preserve volumes: the law returns of `chainscope check` tests both",
          required = "map = function(x, omega1, params, target) ... end" },
  log_ratio = { "function", "log r = log [pi(y) P(omega2)] - log [pi(x) P(omega1)], P being the density of omega1: log_ratio(x, y, omega1, omega2, params, target)",
                required = m.rows.auxiliary.log_ratio.required },
  accept = m.rows.auxiliary.accept,
  params = m.rows.kernel.params,
}

-- Fails if a given string is not in the list.
local function check_one_of(name, value, list)
  if value == nil or m.is_in(value, list) then return end
  m.fail(("unknown value: %s = \"%s\""):format(name, value), m.suggest(value, list))
end

local kernels = core.kernels()

-- Creates a kernel that wraps another kernel (its inner kernel). All other
-- fields are parameters of the wrapper.
local function around(name, fields)
  local own = {}
  for key, v in next, fields do own[key] = v end
  own.kernel = nil
  if core.kind(fields.kernel) ~= "kernel" then
    m.fail("cs.kernel." .. name .. " needs a kernel to wrap, not a " .. core.kind(fields.kernel),
           "kernel = cs.kernel.NAME { ... }")
  end
  if fields.kernel.name == "auto" then
    m.fail("cs.kernel." .. name .. " cannot wrap cs.kernel.auto", "name the kernel to wrap")
  end
  local values, driven = parted(own, kernels[name])
  return m.make_around(fields.kernel, function(inner) return core.kernel_around(name, values, driven, inner) end)
end

cs.kernel = family("kernel", kernels, function(name, fields)
  if kernels[name].composed then return m.compose(name, fields) end
  if kernels[name].auto then return m.auto_kernel(fields) end
  local info
  if fields.on ~= nil or fields.times ~= nil or fields.name ~= nil or fields.metric ~= nil or fields.sum_out ~= nil then
    fields, info = m.take_member(name, fields)
  end
  local made
  if name == "gibbs" and fields.draw ~= nil then
    m.check_conditional(info)
    made = m.conditional_kernel(fields)
  elseif kernels[name].around then made = around(name, fields)
  else made = core.kernel_new(name, parted(fields, kernels[name])) end
  return info and m.note_member(made, info) or made
end, function(t)
  local info
  if type(t) == "table" and (t.on ~= nil or t.times ~= nil or t.name ~= nil or t.sum_out ~= nil) then t, info = m.take_member("", t) end
  local mapped = type(t) == "table" and t.map ~= nil
  local auxiliary = mapped or type(t) == "table" and (t.log_ratio or t.omega1 or t.omega2 or t.accept) ~= nil
  m.check("kernel", t, mapped and m.rows.mapped or auxiliary and m.rows.auxiliary or m.rows.kernel)
  check_one_of("rows", t.rows, { "range", "change" })
  if type(t.accept) == "string" then check_one_of("accept", t.accept, { "metropolis", "barker" }) end
  for name, v in next, t.params or {} do
    if type(name) ~= "string" then m.fail("params: an entry has no name") end
    if type(v) ~= "number" or v ~= v then
      m.fail("params: '" .. name .. "' is a " .. core.kind(v), "give a number")
    end
  end
  local made = (auxiliary and core.kernel_auxiliary or core.kernel_lua)(t)
  return info and m.note_member(made, info) or made
end)
