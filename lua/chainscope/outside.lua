-- Targets evaluated by external code: compiled Stan models, processes.
local m = ...
local core = m.core

-- ---- data as JSON for CmdStan models -------------------------------------

local function number_in_json(x)
  if x ~= x then return '"NaN"' end
  if x - x ~= 0 then return x > 0 and '"Inf"' or '"-Inf"' end
  return math.type(x) == "integer" and ("%d"):format(x) or ("%.17g"):format(x)
end

-- Returns a value as JSON. `name` is the variable, for errors; `depth` limits the recursion for
-- cyclic tables.
local function value_in_json(name, value, depth)
  if type(value) == "number" then return number_in_json(value) end
  if type(value) == "boolean" then return value and "1" or "0" end
  if type(value) ~= "table" and getmetatable(value) == nil or depth > 16 then
    m.fail(("data: %s is a %s"):format(name, core.kind(value)), "give numbers, or lists of them")
  end
  local list = {}
  for i = 1, #value do list[i] = value_in_json(name, value[i], depth + 1) end
  if type(value) == "table" and next(value) ~= nil and #list == 0 then
    m.fail(("data: %s is a table with names"):format(name), "give numbers, or lists of them")
  end
  return "[" .. table.concat(list, ",") .. "]"
end

local function data_in_json(data)
  local list = {}
  for _, name in ipairs(m.sorted_keys(data)) do
    if not name:match "^%a[%w_]*$" or data[name] == nil then
      m.fail(("data: '%s' is not a valid name of a variable"):format(name), "write data = { N = 3, y = { 1, 2, 3 } }")
    end
    list[#list + 1] = ('"%s":%s'):format(name, value_in_json(name, data[name], 0))
  end
  return "{" .. table.concat(list, ",") .. "}"
end

-- ---- targets -------------------------------------------------------------

local function make_stan(t)
  local fields = {}
  for name, value in next, t do fields[name] = value end
  if type(t.data) == "table" then fields.data, fields.json = nil, data_in_json(t.data) end
  return core.target_stan(fields)
end

local function make_process(t)
  m.check_list("process", t.process, function(word)
    if type(word) ~= "string" or word == "" or word:find("\0", 1, true) then
      m.fail("process is not a list of strings", "write process = { \"python3\", \"model.py\" }")
    end
  end)
  if #t.process == 0 then
    m.fail("process is empty", "write process = { \"python3\", \"model.py\" }")
  end
  return core.target_process(t)
end

function m.outside_target(t)
  local stan = t.stan ~= nil
  m.check("target", t, stan and m.rows.stan or m.rows.process)
  local make, v, names = stan and make_stan or make_process, nil, nil
  if t.view then v, names = m.split_view(t.view, true) end
  if names then return m.named_view(t, make, v, names) end
  return make(t)
end
