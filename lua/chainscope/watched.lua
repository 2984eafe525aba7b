-- Probes that a run needs for its claims.
local m = ...
local core = m.core

-- Returns, for each probe, the largest index of a coordinate that claims need, and the claim that
-- needs it.
local function asked_of(claims, names)
  local most, by = {}, {}
  for _, claim in ipairs(claims) do
    local row = not claim.measure and m.figures[claim.stat]
    if row and row.of == "coordinate" and claim.of and not m.is_function(claim.of, names) then
      local k = m.find_coordinate(names, claim.of)
      if k > (most[row.probe] or 0) then most[row.probe], by[row.probe] = k, claim end
    end
  end
  return most, by
end

-- True if the figure is computed from the values of a function of the draws.
local function needs_draws(row, claim, names)
  return row.of == "coordinate" and claim.of ~= nil and m.is_function(claim.of, names)
end

local function row_of(rows, name)
  for _, row in ipairs(rows) do
    if row.name == name then return row end
  end
end

-- Adds the probes that claims need to `probes` (nil: the default probes). The probe `cycle` must be
-- requested by name, because its period is the period of the schedule. Recording a coordinate takes
-- time at every step, so probes record only the first coordinates. If claims need a coordinate with
-- a larger index, the number of recorded coordinates is raised to this index.
function m.watch_claimed(probes, claims, names)
  local known, list = core.probes(), { others = not probes or probes.others }
  local most, by = asked_of(claims, names)
  local there = {}
  for i, one in ipairs(probes or {}) do list[i], there[one.name] = one, true end
  for _, claim in ipairs(claims) do
    local row = not claim.measure and m.figures[claim.stat]
    local probe = row and (needs_draws(row, claim, names) and "diagnostics" or row.probe)
    local asked = known[probe] and known[probe].asked
    if known[probe] and probe ~= "cycle" and not there[probe] and (asked or not list.others) then
      list[#list + 1], there[probe] = { name = probe, fields = {}, if_fits = not asked }, true
    end
  end
  for _, probe in ipairs(m.sorted_keys(most)) do
    local row, k, at = row_of(known[probe], "coordinates"), most[probe], #list + 1
    for i, one in ipairs(list) do if one.name == probe then at = i end end
    local told = list[at] and list[at].fields.coordinates
    if probe == "diagnostics" then -- its parameter is the number of coordinates that it records at every step
      k = math.min(k, row.max)
      told = told and math.max(told, k)
    end
    local what = ("a claim is about %s of coordinate %d"):format(by[probe].stat, k)
    if k > row.max then
      m.fail(("%s: the probe %s records at most %d coordinates"):format(what, probe, row.max),
             "declare the parameter earlier in params, or claim its mean or sd")
    elseif told and told < k then
      m.fail(("%s: the probe %s records only the first %d coordinates"):format(what, probe, told),
             ("write probes = { %s = { coordinates = %d } }"):format(probe, k))
    elseif not told and k > row.default and (list[at] or list.others) then
      local fields = { coordinates = k }
      for name, value in next, list[at] and list[at].fields or {} do fields[name] = value end
      list[at] = { name = probe, fields = fields }
    end
  end
  return (probes or #list > 0) and list or nil
end
