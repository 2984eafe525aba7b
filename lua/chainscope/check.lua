-- Checks every table that a script passes. The fields are compared with rows {kinds, help, min
-- =, max =, whole =, required =}. Errors include a remedy.
local m = ...
local core = m.core
local huge, floor = math.huge, math.floor

m.fail = core.fail

function m.sorted_keys(t)
  local keys = {}
  for k in next, t do keys[#keys + 1] = tostring(k) end
  table.sort(keys)
  return keys
end

-- A Lua table does not store the order in which its names were written. Therefore kernels,
-- tuners and declared parameters get a number when they are created. Tables of such objects are
-- sorted by this number, then by name.
local made_as, n_made = setmetatable({}, { __mode = "k" }), 0
function m.made_now(x)
  n_made = n_made + 1
  made_as[x] = n_made
  return x
end

-- Returns the names of t in the order in which their values were created. parts(value)
-- returns the objects that a value contains.
function m.keys_as_made(t, parts)
  local at, keys = {}, {}
  for key, value in next, t do
    key = tostring(key)
    keys[#keys + 1], at[key] = key, 0
    for _, part in next, { parts(value) } do at[key] = math.max(at[key], made_as[part] or 0) end
  end
  table.sort(keys, function(a, b)
    if at[a] ~= at[b] then return at[a] < at[b] end
    return a < b
  end)
  return keys
end

-- True if the list has the value.
function m.is_in(value, list)
  for _, one in ipairs(list) do
    if one == value then return true end
  end
  return false
end

-- The number of bytes of names in a hint; an error has room for a hint of 255.
local most_hint = 220

-- Returns a list of names that ends at a whole name if it is long.
local function listed(names)
  local n, size = 0, 0
  while n < #names and size + #names[n + 1] + 2 <= most_hint do
    n = n + 1
    size = size + #names[n] + 2
  end
  local text = table.concat(names, ", ", 1, n)
  return n == #names and text or ("%s and %d more"):format(text, #names - n)
end

-- Returns the hint for a wrong name: the nearest correct name, or all names. `list` may be a
-- read-only list, which C does not accept.
function m.suggest(name, list)
  local names = {}
  for i = 1, #list do names[i] = list[i] end
  local near = core.nearest(tostring(name), names)
  if near then return "did you mean '" .. near .. "'?" end
  return "use one of: " .. listed(names)
end

-- Fails if `old` is a former name of something in the table or class `where`.
function m.fail_if_renamed(what, where, old)
  local now = core.renamed(where, tostring(old))
  if now then m.fail(what .. ": '" .. old .. "' was replaced", "write " .. now) end
end

-- Returns a read-only table that can be called. Reading a field calls no function, because
-- densities read fields at every step. If a field is missing, late(t, name) creates it at
-- the first read.
function m.sealed(what, t, call, late)
  setmetatable(t, {
    __index = function(_, name)
      local made = late and late(t, name)
      if made ~= nil then return made end
      if late then m.read_all() end
      m.fail_if_renamed(what, what, name)
      m.fail(what .. " has no '" .. tostring(name) .. "'",
             m.suggest(name, m.sorted_keys(t)))
    end,
  })
  return setmetatable({}, {
    __index = t, __call = call, __metatable = false, __sealed = true,
    __newindex = function() m.fail(what .. " cannot be changed") end,
    __pairs = function(proxy)
      if late then m.read_all() end
      return function(_, key) return next(t, key) end, proxy, nil
    end,
  })
end

local function bound(x)
  if x == 2 ^ 53 then return "2^53" end
  return ("%.14g"):format(x)
end

-- Returns a description of the range, such as "a whole number from 1 to 5", for errors, help and
-- annotations.
function m.range_text(row)
  local text = row.whole and "a whole number" or "a number"
  local low, high = row.min or -huge, row.max or huge
  if low > -huge and high < huge then
    return text .. " from " .. bound(low) .. " to " .. bound(high)
  elseif low > -huge then
    return text .. (row.above and " above " or " not below ") .. bound(low)
  end
  return text
end

-- Returns x if the row allows it; otherwise fails.
function m.check_number(name, x, row)
  local low, high = row.min or -huge, row.max or huge
  if x == x and x >= low and x <= high and (not row.whole or x == floor(x)) and
     not (row.above and x == low) and (x > -huge and x < huge) then
    return row.whole and floor(x) or x
  end
  m.fail(("%s = %.14g is out of range"):format(name, x),
         "use " .. m.range_text(row))
end

local function check_kind(what, name, value, row)
  local kind = core.kind(value)
  for one in row[1]:gmatch("%a+") do
    if one == kind then return kind end
  end
  m.fail(("%s: field '%s' is a %s"):format(what, name, kind),
         "give a " .. row[1]:gsub(" ", " or a "))
end

-- Fails if a field of t is unknown (has no row), has the wrong kind, or has a
-- value out of range.
function m.check(what, t, rows)
  if type(t) ~= "table" then
    m.fail(what .. " expects a table", "write " .. what .. " { ... }")
  end
  for name, value in next, t do
    if type(name) ~= "string" then
      m.fail(("%s: entry %s has no name"):format(what, tostring(name)),
             "write name = value")
    end
    local row = rows[name]
    if not row then
      m.fail_if_renamed(what, what, name)
      m.fail(what .. " has no field '" .. name .. "'",
             m.suggest(name, m.sorted_keys(rows)))
    elseif row.refused then
      m.fail(what .. ": field '" .. name .. "' " .. row.refused, row[2])
    end
    local kind = check_kind(what, name, value, row)
    if kind == "number" then m.check_number(name, value, row) end
    if row.plain and (value == "" or #value > 80 or value:find "[%c,\"]") then
      m.fail(("%s: %q is not a valid %s"):format(what, value, name),
             "use up to 80 characters, no commas, quotes or line breaks")
    end
  end
  for _, name in ipairs(m.sorted_keys(rows)) do
    if rows[name].required and t[name] == nil then
      m.fail(what .. " needs the field '" .. name .. "'", rows[name].required)
    end
  end
  return t
end

-- Fails unless t is a list, without gaps or named entries; calls f for each entry.
function m.check_list(what, t, f)
  local n = 0
  for key in next, t do
    if math.type(key) ~= "integer" then
      m.fail(what .. " must be a list, without the key '" .. tostring(key) .. "'",
             "write " .. what .. " = { first, second }")
    end
    n = n + 1
  end
  for i = 1, n do
    if t[i] == nil then m.fail(what .. ": entry " .. i .. " is missing") end
    f(t[i], i)
  end
end
