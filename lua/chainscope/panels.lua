-- Panels of the screen for which a scenario chooses the quantity, and the
-- probes that panels need.
local m = ...
local core, rows = m.core, m.rows

rows.panel = {
  quantity = { "string table function", "the quantity to show, by panel: \"energy\" or a coordinate (trace, marginal, autocorrelation, ranks, running); a coordinate, or a function of the parameters or an expression, which becomes a generated quantity (race); the name of a distance (distance); up to five coordinates (pairs); two coordinates and optionally their window (map): { \"log_tau\", \"theta.1\", -4, 4, -20, 30 }" },
  arm = { "string", "the arm to show first" },
  name = { "string", "the name of the generated quantity, if quantity is a function or an expression; raced by default" },
}

-- Panels for which a quantity can be chosen, with the Lua type of its
-- description.
local told = { trace = "string", distance = "string", map = "table", marginal = "string",
  autocorrelation = "string", ranks = "string", running = "string", pairs = "table", race = "string" }
-- Panels that are computed from the stored draws of a coordinate, which may be
-- any coordinate.
local kept = { marginal = true, autocorrelation = true, ranks = true, running = true }

-- If the panel race has a function or an expression as its quantity, replaces the target of the
-- scenario t by one with this generated quantity, which is recorded with each draw, so that no
-- function is called while the chains are compared.
function m.record_raced(t)
  for i, panel in ipairs(t.screen or {}) do
    local of = type(panel) == "table" and panel[1] == "race" and panel.quantity
    if of and m.is_function(of, t.target.coordinates) then
      local name, screen = panel.name or "raced", table.move(t.screen, 1, #t.screen, 1, {})
      t.target = m.with_generated(t.target, name, m.traced_function(of))
      screen[i] = { "race", quantity = name, arm = panel.arm }
      t.screen = screen
      return -- a list has one such panel
    end
  end
end

-- Returns the fields of the probe `plane` that a panel `map` of the quantities
-- `of` needs.
function m.plane_of(of, names)
  local v, axes = m.split_view(of)
  if not axes then
    m.fail("map: the quantity must name two coordinates", "for example quantity = { \"x.1\", \"x.2\" }")
  end
  local fields = { x = axes[1], y = axes[2] }
  for i, axis in ipairs { "x", "y" } do
    if names then fields[axis] = m.find_coordinate(names, axes[i]) end
  end
  if v then fields.left, fields.right, fields.bottom, fields.top = v[1], v[2], v[3], v[4] end
  return fields
end

function m.check_panel(panel, arms)
  local name, fields = panel[1], {}
  for key, value in next, panel do
    if key ~= 1 then fields[key] = value end
  end
  m.check("panel " .. tostring(name), fields, rows.panel)
  local raced = name == "race" and type(fields.quantity) == "function"
  if fields.name and not (raced or name == "race" and m.is_function(fields.quantity)) then
    m.fail(("panel %s: only a function or an expression has a name"):format(name), "leave out the field `name`")
  end
  if fields.quantity and not raced and told[name] ~= type(fields.quantity) then
    m.fail(("panel %s: quantity is a %s"):format(name, type(fields.quantity)),
           told[name] == "table" and "for example quantity = { \"x.1\", \"x.2\" }" or
           told[name] and "for example quantity = \"x.1\"" or "leave it out; only " .. table.concat(m.sorted_keys(told), ", ") .. " have it")
  end
  for _, of in ipairs(name == "pairs" and fields.quantity or {}) do
    if type(of) ~= "string" then
      m.fail("pairs: quantity must be a list of coordinate names", "for example quantity = { \"x.1\", \"x.2\" }")
    end
  end
  if name == "map" and fields.quantity then m.plane_of(fields.quantity) end
  local known = {}
  for _, arm in ipairs(arms) do known[#known + 1] = arm.name end
  for _, arm in ipairs(known) do
    if fields.arm == arm then return end
  end
  if fields.arm then m.fail("there is no arm '" .. fields.arm .. "'", m.suggest(fields.arm, known)) end
end

-- Returns the list `probes` (nil: the default probes) with the given fields added to the probe
-- `name`.
local function watch(probes, name, fields)
  local list = { others = not probes or probes.others }
  for i, one in ipairs(probes or {}) do list[i] = one end
  local at = #list + 1
  for i, one in ipairs(list) do if one.name == name then at = i end end
  local all = {}
  for key, value in next, list[at] and list[at].fields or {} do all[key] = value end
  for key, value in next, fields do all[key] = value end
  list[at] = { name = name, fields = all }
  return list
end

local first = 7 -- coordinates that the probe `trace` records by default

-- Adds to `probes` the probes that a panel needs. A probe is not added if it does not fit the
-- target, or if users must request it by name.
local function add_needed(probes, panel)
  local there, known = {}, core.probes()
  for _, one in ipairs(probes) do there[one.name] = true end
  for name in core.panel_probes[panel]:gmatch "%S+" do
    if known[name] and not there[name] and not known[name].asked then probes[#probes + 1] = { name = name, fields = {}, if_fits = true } end
  end
end

-- Adds to `probes` the probes that the panels in `screen` need. `asked` is the scenario's field
-- `probes`.
function m.watch_shown(probes, screen, names, asked)
  for _, panel in ipairs(screen) do
    local name, of = panel, nil
    if type(panel) == "table" then name, of = panel[1], panel.quantity end
    if probes and not probes.others and core.panel_probes[name] then add_needed(probes, name) end
    if of and name == "map" then
      local own = asked and type(asked.plane) == "table" and next(asked.plane)
      if own and own ~= "every" then
        m.fail("both panel map and probes.plane choose the coordinates of the map", "leave one of them out")
      end
      probes = watch(probes, "plane", m.plane_of(of, names))
    elseif of and name == "trace" and of ~= "energy" then
      local k = m.find_coordinate(names, of)
      if k > first then probes = watch(probes, "trace", { coordinate = k }) end
    elseif of and (kept[name] or name == "race") and of ~= "energy" then
      m.find_coordinate(names, of)
    elseif of and name == "pairs" then
      for i = 1, #of do m.find_coordinate(names, of[i]) end
    end
  end
  return probes
end
