-- Differential equations in a log density: cs.ode { f = function(t, y, p) ... end, ... }.
local m = ...
local core, cs = m.core, m.cs

local fields = { f = true, y0 = true, p = true, times = true, t0 = true, method = true, relative = true,
                 absolute = true, steps = true }
local names = m.sorted_keys(fields)

-- Returns the parameters as a list, and f for this list. Parameters with names are sorted by name.
local function as_list(p, f)
  if p == nil then return {}, f end
  if type(p) ~= "table" or p[1] ~= nil or next(p) == nil then return type(p) == "number" and { p } or p, f end
  local keys, list = m.sorted_keys(p), {}
  for i, name in ipairs(keys) do
    if core.rank(p[name]) ~= 0 then
      m.fail(("cs.ode: p.%s is a vector"):format(name), "give numbers by name, or p as one vector")
    end
    list[i] = p[name]
  end
  return list, function(t, y, v)
    local by_name = {}
    for i, name in ipairs(keys) do by_name[name] = v[i] end
    return f(t, y, by_name)
  end
end

local function method_of(name)
  for i, one in ipairs(core.ode_methods) do
    if one == name then return i - 1 end
  end
  m.fail(("cs.ode: there is no method '%s'"):format(tostring(name)), "use rk45 or rk8, or bdf for a stiff system")
end

-- Returns the solution at the times: a matrix with a row per time.
cs.ode = core.located(function(t, ...)
  if type(t) ~= "table" or select("#", ...) > 0 then
    m.fail("cs.ode takes one table", "write cs.ode { f = function(t, y, p) return { -p[1] * y[1] } end, y0 = { 1 }, p = { 2 }, times = { 1, 2 } }")
  end
  for name in next, t do
    if not fields[name] then m.fail(("cs.ode has no field '%s'"):format(tostring(name)), m.suggest(tostring(name), names)) end
  end
  if type(t.f) ~= "function" then m.fail("cs.ode: f is a " .. core.kind(t.f), "give the right-hand side: function(t, y, p) return { ... } end") end
  for _, name in ipairs { "y0", "times" } do
    if t[name] == nil then m.fail(("cs.ode needs the field '%s'"):format(name), name == "y0" and "give y at t0, a list" or "give the times of the solution, a list") end
  end
  local p, f = as_list(t.p, t.f)
  return core.ode(f, t.y0, p, t.times, t.t0 or 0, method_of(t.method or "rk45"), t.relative or 1e-6, t.absolute or 1e-6,
                  t.steps or 10000)
end)
