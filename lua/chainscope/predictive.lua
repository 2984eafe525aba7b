-- Predictive checks: the field `predictive` of a scenario names data and a generated quantity with
-- replicated data. This file compares them for the screen, for reports and for claims.
local m = ...
local core, rows = m.core, m.rows
local most = { checks = 8, draws = 4000, numbers = 2 ^ 21, rows = 200, bars = 32, loo = 5000, text = 2 ^ 22 }
-- Replications that the panel shows, and replicated numbers of all its checks and arms together: a
-- panel must be computed in a quarter of a second.
local shown = { draws = 400, least = 20, numbers = 400000 }

rows.predictive = {
  name = { "string", "the name of the check; by default the name of the replicated quantity without _rep" },
  data = { "table", "the observed data: a list of numbers", required = "data = y" },
  replicated = { "string", "the generated quantity with replicated data, one number per observation", required = "replicated = \"y_rep\"" },
  log_lik = { "string", "the generated quantity with the log likelihood of each observation, for the leave-one-out density and the export to netCDF; by default log_lik, if there is one" },
  statistic = { "string function table", "the statistics of the data set: mean, sd, min, max, median or zeros (the share of zeros); a function of the list of the data; or a list of these, { \"sd\", above = function(y) ... end }. The default is { \"mean\", \"sd\" }" },
  show = { "string", "the first view: density, interval, rootogram (counts), calibration (zeros and ones) or statistic; by default calibration, rootogram, interval (up to 20 observations) or density, the first that suits the data" },
  unit = { "string", "the unit of the data, for axes" },
  constants = { "table", "other data by name, lists of numbers, for the export to netCDF: { dose = dose }" },
}

-- What to write if no quantity has a similar name, by the field that names it.
local examples = {
  replicated = "generated = function(p, rng) return { y_rep = rng:normal(p.mu, p.sigma) } end",
  log_lik = "generated = function(p) return { log_lik = cs.lpdf.each.normal(y, p.mu, p.sigma) } end",
}

-- Returns the names of the coordinates without their indices.
local function stems(coordinates)
  local list, seen = {}, {}
  for _, one in ipairs(coordinates) do
    local stem = one:gsub("[%.%d]+$", "")
    if not seen[stem] then list[#list + 1], seen[stem] = stem, true end
  end
  return list
end

-- Returns the coordinates of a generated quantity, in order. `field` is the field that names it.
local function quantity_places(coordinates, name, field)
  local list = {}
  for i, one in ipairs(coordinates) do
    if one == name or one:sub(1, #name + 1) == name .. "." then list[#list + 1] = i end
  end
  if #list == 0 then
    local near = core.nearest(tostring(name), stems(coordinates))
    m.fail(("predictive: %s: there is no generated quantity '%s'"):format(field, tostring(name)),
           near and "did you mean '" .. near .. "'?" or examples[field])
  end
  return list
end

-- ---- the field of a scenario ---------------------------------------------------

-- Returns the numbers of a list, or of a list of lists, in one list.
local function numbers_of(what, list, out)
  for i = 1, #list do
    local x = list[i]
    if type(x) == "table" then
      numbers_of(what, x, out)
    elseif type(x) ~= "number" or x - x ~= 0 then
      m.fail(("%s: number %d is %s"):format(what, #out + 1, type(x) == "number" and tostring(x) or "a " .. core.kind(x)),
             "give a list of finite numbers")
    else
      out[#out + 1] = x
    end
  end
  return out
end

local function is_word(name) return type(name) == "string" and #name <= 40 and name:find "^%a[%w_]*$" end

-- Returns the statistics as a list of { name, name of a statistic or function }.
local function statistics_of(given, data)
  local list, known = {}, core.predictive_statistics()
  local function add(name, one)
    if not is_word(name) then m.fail("predictive: '" .. tostring(name) .. "' is not a valid name for a statistic", "use up to 40 letters, digits and '_'") end
    if type(one) == "string" then
      if not m.is_in(one, known) then m.fail("predictive: there is no statistic '" .. one .. "'", m.suggest(one, known)) end
    elseif type(one) ~= "function" then
      m.fail("predictive: the statistic " .. name .. " is a " .. core.kind(one), "give a name or a function(y)")
    end
    if list[name] then m.fail("predictive: the statistic " .. name .. " is given twice") end
    list[#list + 1], list[name] = { name, one }, one
  end
  if type(given) == "string" then add(given, given)
  elseif type(given) == "function" then add("statistic", given)
  elseif given ~= nil then
    for i, one in ipairs(given) do add(type(one) == "string" and one or "statistic_" .. i, one) end
    for _, name in ipairs(m.sorted_keys(given)) do
      if not tonumber(name) then add(name, given[name]) end
    end
  end
  if #list == 0 then add("mean", "mean") end
  if given == nil and #data > 1 then add("sd", "sd") end
  if #list > 8 then m.fail("predictive: " .. #list .. " statistics", "give at most 8") end
  return list
end

-- Returns the views that suit the data, the chosen one first.
local function views_of(show, data)
  local fit, list = core.predictive_views(data), {}
  local known = { statistic = true }
  for _, one in ipairs(fit) do known[one] = true end
  if show and not known[show] then
    m.fail("predictive: the data have no view '" .. show .. "'", m.suggest(show, m.sorted_keys(known)))
  end
  local first = show or known.calibration and "calibration" or known.rootogram and "rootogram" or
    #data <= 20 and "interval" or "density"
  list[1] = first
  for _, one in ipairs { "calibration", "rootogram", "interval", "density", "statistic" } do
    if known[one] and one ~= first then list[#list + 1] = one end
  end
  return list
end

local function has(coordinates, name) return pcall(quantity_places, coordinates, name, "log_lik") end

local function check_one(given, coordinates)
  m.check("predictive", given, rows.predictive)
  local out = { data = numbers_of("predictive: data", given.data, {}), replicated = given.replicated, unit = given.unit or "",
                name = given.name or given.replicated:gsub("_rep$", ""), constants = {} }
  if #out.data == 0 then m.fail("predictive: data is empty", "give a list of numbers") end
  if not is_word(out.name) then m.fail("predictive: '" .. out.name .. "' is not a valid name", "use up to 40 letters, digits and '_'") end
  local places = quantity_places(coordinates, given.replicated, "replicated")
  if #places ~= #out.data then
    m.fail(("predictive: data has %d numbers, but %s has %d"):format(#out.data, given.replicated, #places),
           "replicate each observation once")
  end
  out.first, out.log_lik = places[1], given.log_lik or has(coordinates, "log_lik") and "log_lik" or nil
  if out.log_lik and #quantity_places(coordinates, out.log_lik, "log_lik") ~= #out.data then
    m.fail("predictive: " .. out.log_lik .. " does not have one number per observation", "give `log_lik` the name of another quantity")
  end
  out.statistics, out.views = statistics_of(given.statistic, out.data), views_of(given.show, out.data)
  for _, view in ipairs(out.views) do out.binary = out.binary or view == "calibration" end
  for _, name in ipairs(m.sorted_keys(given.constants or {})) do
    local list = given.constants[name]
    if not is_word(name) or type(list) ~= "table" then
      m.fail("predictive: constants must have names and lists of numbers", "constants = { dose = { 1, 2, 5 } }")
    end
    out.constants[#out.constants + 1] = { name, numbers_of("predictive: " .. name, list, {}) }
  end
  return out
end

-- Returns the checks of a scenario as a list and by name.
function m.predictive_checks(t)
  local given, list = t.predictive, {}
  if given.data ~= nil or given.replicated ~= nil then given = { given } end
  m.check_list("predictive", given, function(one)
    local check = check_one(one, t.target.coordinates)
    if list[check.name] then m.fail("two predictive checks have the name '" .. check.name .. "'", "give them names: name = \"wide\"") end
    list[#list + 1], list[check.name] = check, check
  end)
  if #list == 0 then m.fail("predictive is empty", 'predictive = { data = y, replicated = "y_rep" }') end
  if #list > most.checks then m.fail("a scenario may have at most " .. most.checks .. " predictive checks, not " .. #list) end
  return list
end

-- ---- the export to netCDF ------------------------------------------------------

-- Appends comment lines "# KIND NAME = 1,2,3" of limited length to `out`.
local function put_numbers(out, kind, name, list)
  for from = 1, #list, 64 do
    local words = {}
    for i = from, math.min(from + 63, #list) do words[#words + 1] = ("%.17g"):format(list[i]) end
    out[#out + 1] = ("# %s %s = %s"):format(kind, name, table.concat(words, ","))
  end
end

-- Returns comment lines for files of draws, from which `export` makes groups.
function m.predictive_lines(checks)
  local out, seen = {}, {}
  for _, check in ipairs(checks) do
    out[#out + 1] = ("# posterior_predictive %s = %s"):format(check.name, check.replicated)
    if check.log_lik then out[#out + 1] = ("# log_likelihood %s = %s"):format(check.name, check.log_lik) end
    put_numbers(out, "observed_data", check.name, check.data)
    local named = {}
    for _, one in ipairs(check.statistics) do
      if type(one[2]) == "string" then named[#named + 1] = one[2] end
    end
    if #named > 0 then out[#out + 1] = ("# predictive_statistics %s = %s"):format(check.name, table.concat(named, ",")) end
    for _, one in ipairs(check.constants) do
      if not seen[one[1]] then put_numbers(out, "constant_data", one[1], one[2]) end
      seen[one[1]] = true
    end
  end
  return table.concat(out, "\n") .. "\n"
end

-- Reads such lines. Returns the checks for which they have both data and replicated data, as a list
-- and by name; nil without checks, and for more than 4 MiB of lines. Statistics that are functions, and the chosen view, are unknown.
function m.recorded_checks(text, coordinates)
  if not text or #text > most.text then return nil end
  local kinds, order, list = { posterior_predictive = {}, log_likelihood = {}, observed_data = {}, predictive_statistics = {} }, {}, {}
  for kind, name, value in text:gmatch "# ([%a_]+) ([^\n=]-) = ([^\n]*)\n" do
    local known = kinds[kind]
    if kind == "posterior_predictive" then order[#order + 1] = name end
    if known then
      known[name] = known[name] or {}
      table.insert(known[name], value)
    end
  end
  local function all(kind, name) return table.concat(kinds[kind][name] or {}, ",") end
  local function one(kind, name) return kinds[kind][name] and kinds[kind][name][1] end
  for _, name in ipairs(order) do
    local data = {}
    for word in all("observed_data", name):gmatch "[^,]+" do data[#data + 1] = tonumber(word) end
    local statistics = {}
    for word in all("predictive_statistics", name):gmatch "[^,]+" do statistics[#statistics + 1] = word end
    local given = { name = name, statistic = statistics[1] and statistics, data = data, replicated = one("posterior_predictive", name), log_lik = one("log_likelihood", name) }
    local good, check = pcall(check_one, given, coordinates)
    if not good and given.log_lik then -- a log likelihood of other observations
      given.log_lik = nil
      good, check = pcall(check_one, given, coordinates)
    end
    if good and not list[name] and #list < most.checks then list[#list + 1], list[name] = check, check end
  end
  return list[1] and list
end

-- ---- results -------------------------------------------------------------------

local function checks_of(run) return core.run_memory(run).predictive or {} end

local function replications(run, arm, check, limit)
  local n = math.max(shown.least, math.min(limit, most.numbers // #check.data))
  return core.replications(run, arm, check.first, check.data, n)
end

-- Returns the results of a check for an arm: its statistics by name, and the shares of the
-- observations inside the central 50 % and 90 % intervals.
function m.predictive(arm, name)
  local checks = checks_of(arm.run)
  if #checks == 0 then m.fail("the scenario has no predictive checks", 'predictive = { data = y, replicated = "y_rep" }') end
  local check = checks[name or 1]
  if not check then
    local names = {}
    for i, one in ipairs(checks) do names[i] = one.name end
    m.fail("there is no predictive check '" .. tostring(name) .. "'", m.suggest(tostring(name), names))
  end
  local drawn, out = replications(arm.run, arm.index, check, most.draws), {}
  for _, one in ipairs(check.statistics) do
    out[one[1]] = core.replicated_test(drawn, one[2])
    out[one[1]].values = nil
  end
  out.draws, out.left_out = core.replicated_size(drawn)
  out.inside_50, out.inside_90 = core.replicated_cover(drawn)
  return out
end

local function number(x) return x == x and ("%.4g"):format(x) or "-" end

local function p_text(test, draws)
  if test.p == 0 then return ("< %.1g"):format(1 / draws) end
  if test.p == 1 then return ("> 1 - %.1g"):format(1 / draws) end
  return test.error == test.error and ("%.3f +- %.3f"):format(test.p, test.error) or ("%.3f"):format(test.p)
end

local row_form = "%-20s %-10s %-12s %10s %10s %10s %10s  %s"

-- Returns sentences about the observations and the draws of a check.
local function cover_text(check, found)
  local text = check.binary and "" or
    (": %.0f %% of %d observations are inside their 50 %% interval, %.0f %% inside their 90 %% interval"):format(
      100 * found.inside_50, #check.data, 100 * found.inside_90)
  if found.left_out > 0 then text = text .. ("; %d draws with numbers that are not finite were left out"):format(found.left_out) end
  return text
end

-- Appends the leave-one-out densities of the checks that have log likelihoods, and for several
-- checks of the same number of observations their comparison.
local function put_loo(lines, run, arm)
  local models, n, alike = {}, 0, true
  local first
  for _, check in ipairs(checks_of(run)) do
    local good, loo = false, nil
    if check.log_lik and #check.data <= most.loo then good, loo = pcall(m.loo, arm, check.log_lik) end
    if good then
      models[check.name], n, first = loo, n + 1, first or #check.data
      alike = alike and #check.data == first
      lines[#lines + 1] = check.name .. ", " .. arm.name .. ": " .. tostring(loo)
    end
  end
  if n > 1 and alike then lines[#lines + 1] = tostring(m.cs.compare(models)) end
end

-- Returns the leave-one-out densities of all arms of draws read from files as lines of text; nil if
-- they have no log likelihood, or one of too many observations.
function m.recorded_loo(run, coordinates)
  local lines, n = {}, 0
  for _, name in ipairs(coordinates) do
    if name:find "^log_lik" then n = n + 1 end
  end
  if n == 0 or n > most.loo then return nil end
  for i = 1, #run.arms do
    local arm = run:arm(i)
    local good, loo = pcall(m.loo, arm)
    if good then lines[#lines + 1] = arm.name .. ": " .. tostring(loo) end
  end
  return lines[1] and table.concat(lines, "\n")
end

-- Returns the results of all checks and arms as lines of text.
function m.predictive_text(run)
  local lines, after = { row_form:format("check", "arm", "statistic", "data", "replicated", "5 %", "95 %", "p") }, {}
  for _, check in ipairs(checks_of(run)) do
    for i = 1, #run.arms do
      local arm = run:arm(i)
      local good, found = pcall(m.predictive, arm, check.name)
      for _, one in ipairs(good and check.statistics or {}) do
        local test = found[one[1]]
        lines[#lines + 1] = row_form:format(check.name, arm.name, one[1], number(test.data), number(test.mean),
          number(test.low), number(test.high), p_text(test, found.draws))
      end
      local text = good and cover_text(check, found) or ": " .. tostring(found)
      if #text > 0 then after[#after + 1] = check.name .. ", " .. arm.name .. text end
    end
  end
  for i = 1, #run.arms do put_loo(after, run, run:arm(i)) end
  table.move(after, 1, #after, #lines + 1, lines)
  return "predictive checks: p is the share of replicated statistics above that of the data\n" .. table.concat(lines, "\n")
end

-- ---- the panel -----------------------------------------------------------------

-- Adds a histogram of the replicated statistic: equal bins that also contain that of the data.
local function put_bars(out, key, test)
  local low, high = test.data, test.data
  for _, t in ipairs(test.values) do low, high = math.min(low, t), math.max(high, t) end
  local pad = high > low and (high - low) / 20 or math.max(math.abs(low) / 20, 0.5)
  low, high = low - pad, high + pad
  local width, shares, edges = (high - low) / most.bars, {}, {}
  for b = 1, most.bars do shares[b], edges[b] = 0, low + (b - 1) * width end
  edges[most.bars + 1] = high
  for _, t in ipairs(test.values) do
    local b = math.min(math.floor((t - low) / width) + 1, most.bars)
    shares[b] = shares[b] + 1 / #test.values
  end
  out[key .. "shares"], out[key .. "edges"] = shares, edges
end

local function put_arm(out, key, run, arm, check, limit)
  local drawn = replications(run, arm, check, limit)
  local draws, left_out = core.replicated_size(drawn)
  local half, inside = core.replicated_cover(drawn)
  out[key .. "size"] = { draws, left_out, half, inside }
  for _, view in ipairs(check.views) do
    if view ~= "statistic" then out[key .. view] = core.replicated_view(drawn, view, most.rows) end
  end
  for k, one in ipairs(check.statistics) do
    local test = core.replicated_test(drawn, one[2])
    out[("%stest/%d"):format(key, k - 1)] = { test.data, test.mean, test.low, test.high, test.p, test.error }
    put_bars(out, ("%s%d/"):format(key, k - 1), test)
  end
end

-- Returns the contents of the panel, as entries of a snapshot.
function m.words.show_predictive(run)
  local checks, out = checks_of(run), {}
  local numbers = 0
  for _, check in ipairs(checks) do numbers = numbers + #check.data * #run.arms end
  local limit = math.max(math.min(shown.draws, shown.numbers // numbers), shown.least)
  for c, check in ipairs(checks) do
    local key = ("%d/"):format(c - 1)
    local names = {}
    for k, one in ipairs(check.statistics) do names[k] = one[1] end
    out[key .. "name"], out[key .. "unit"], out[key .. "view"], out[key .. "statistic"] = check.name, check.unit, check.views, names
    for arm = 1, #run.arms do
      local at = ("%sarm/%d/"):format(key, arm - 1)
      local good, why = pcall(put_arm, out, at, run, arm, check, limit)
      out[at .. "why"] = good and "" or tostring(why)
    end
  end
  return out
end
