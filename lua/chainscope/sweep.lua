-- cs.sweep, for scripts: runs a scenario at combinations of parameter values,
-- and returns figures of these runs.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows

rows.sweep = {
  over = { "table", "lists of values, by the name of the parameter: [\"walk.step\"] = { 0.1, 1 }, chains = { 1, 4 }; all combinations are run", required = "over = { [\"walk.step\"] = { 0.1, 0.3, 1 } }" },
  figures = { "table", "the figures of each arm: { \"ess\", \"mean(1)\", \"mean(mu + tau^2)\" }, or as in a claim, { stat = \"sd\", of = function(p) ... end, name = \"radius\" }; by default ess and acceptance" },
}

local claim = rows.claim
rows.swept_figure = {
  stat = { "string", claim.stat[2], required = "stat = \"mean\"" },
  of = claim.of, name = claim.name, percent = claim.percent, lag = claim.lag, superchains = claim.superchains,
}

local List = { __metatable = "list" }

-- ---- the grid --------------------------------------------------------------

-- Returns all combinations of values as lists of { name, value }; the last name varies fastest.
local function grid(over, names)
  local points = { {} }
  for _, name in ipairs(names) do
    local more = {}
    if type(over[name]) ~= "table" or #over[name] == 0 then
      m.fail("over: the parameter " .. name .. " has no list of values", ("over = { [%q] = { 0.1, 1 } }"):format(name))
    end
    for _, point in ipairs(points) do
      for _, value in ipairs(over[name]) do
        local longer = table.move(point, 1, #point, 1, {})
        longer[#longer + 1] = { name = name, value = value }
        more[#more + 1] = longer
      end
    end
    points = more
  end
  return points
end

local function sets_of(point, figures, equal)
  local sets = { "figures=" .. figures }
  for _, one in ipairs(point) do sets[#sets + 1] = one.name .. "=" .. tostring(one.value) end
  if equal then sets[#sets + 1] = "equal=1" end
  return sets
end

-- Runs to the end of the budget; `what` is the subject of an error.
function m.run_to_end(run, what)
  if not core.run_memory(run).budget then
    m.fail(what .. " has no budget", "budget = { steps = 10000 }")
  end
  while not run.finished do
    if run:step(1000) == 0 then break end
  end
end

local function rows_of(run, point, out)
  for i = 1, #run.arms do
    local arm = run.arms[i]
    local row = { arm = arm.name, figures = {} }
    for _, one in ipairs(point) do row[one.name] = one.value end
    for _, one in ipairs(core.run_memory(run).wanted) do
      local j = m.measure_figure(run, arm, one.stat, one.of)
      row[one.name] = j.value
      row.figures[one.name] = { value = j.value, error = j.error, freedom = j.freedom, by = j.by, reason = j.reason }
    end
    out[#out + 1] = row
  end
end

-- ---- printing as a table ---------------------------------------------------

local function measured(figure)
  if figure.value ~= figure.value then return "-" end
  if not (figure.error > 0) then return ("%.4g"):format(figure.value) end
  return ("%.4g +- %.2g"):format(figure.value, figure.error)
end

List.__tostring = function(list)
  local lines, wide, out = { {} }, {}, {}
  for _, name in ipairs(list.names) do table.insert(lines[1], name) end
  table.insert(lines[1], "arm")
  for _, name in ipairs(list.of) do table.insert(lines[1], name) end
  for _, row in ipairs(list) do
    local line = {}
    for _, name in ipairs(list.names) do line[#line + 1] = tostring(row[name]) end
    line[#line + 1] = row.arm
    for _, name in ipairs(list.of) do line[#line + 1] = measured(row.figures[name]) end
    lines[#lines + 1] = line
  end
  for _, line in ipairs(lines) do
    for k, text in ipairs(line) do wide[k] = math.max(wide[k] or 0, #text) end
  end
  for i, line in ipairs(lines) do
    for k, text in ipairs(line) do line[k] = text .. (" "):rep(wide[k] - #text) end
    out[i] = table.concat(line, "  "):gsub("%s+$", "")
  end
  return table.concat(out, "\n")
end

-- ---- cs.sweep --------------------------------------------------------------

cs.sweep = core.located(function(t, ...)
  if type(t) ~= "table" or select("#", ...) > 0 then
    m.fail("cs.sweep takes one table", "cs.sweep { target = ..., arms = ..., budget = ..., over = ... }")
  end
  local scenario, own = { title = "" }, {}
  for key, value in next, t do
    if rows.sweep[key] then own[key] = value else scenario[key] = value end
  end
  m.check("a sweep", own, rows.sweep)
  local names, figures = m.sorted_keys(own.over), m.write_figures(own.figures or { "ess", "acceptance" })
  local out = setmetatable({ names = names, of = {} }, List)
  for _, one in ipairs(m.read_figures(figures)) do table.insert(out.of, one.name) end
  for _, point in ipairs(grid(own.over, names)) do
    local run = m.open("a sweep", scenario, sets_of(point, figures, own.over.chains and not own.over.steps))
    m.run_to_end(run, "the sweep")
    rows_of(run, point, out)
  end
  return out
end)
