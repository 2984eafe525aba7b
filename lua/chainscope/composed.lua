-- Kernels made of kernels: cs.kernel.cycle { a, b } and cs.kernel.mixture { a, b, weights = { 1, 2 } }.
-- A member has the fields `on`, the parameters or coordinates that it moves, `times`, the number of
-- its steps in one step of the whole, `name`, `metric`, the covariance of its coordinates, and
-- `sum_out`, discrete parameters that it sums out and draws again.
local m = ...
local core = m.core

-- The fields of a kernel that is to be a member: { on, times, name, metric, sum_out }.
local member_of = setmetatable({}, { __mode = "k" })

-- Returns the words with which a kernel is created; a kernel written in Lua has no name.
local function in_words(word) return word == "" and "cs.kernel" or "cs.kernel." .. word end

-- Returns a field, `on` or `sum_out`, as a list of names, or of ascending coordinates.
local function check_on(where, on, field)
  local list = type(on) == "table" and on or { on }
  local kinds, seen = {}, {}
  field = field or "on"
  if #list == 0 or next(list, #list) ~= nil then
    m.fail(("%s: '%s' must be a list of parameters or coordinates"):format(where, field),
           ("write %s = { \"mu\", \"tau\" }, or %s = { 1, 2 }"):format(field, field))
  end
  for i, one in ipairs(list) do
    local kind = math.type(one) or type(one)
    if kind ~= "integer" and (kind ~= "string" or one == "") or kind == "integer" and one < 1 then
      m.fail(("%s: entry %d of '%s' is %s"):format(where, i, field, kind == "integer" and one or "a " .. core.kind(one)),
             ("name a parameter, as in %s = { \"mu\" }, or give a coordinate from 1"):format(field))
    end
    if kind == "integer" and one > 0xffffffff then
      m.fail(("%s: there is no coordinate %d"):format(where, one), "coordinates count from 1")
    end
    if seen[one] then m.fail(("%s: '%s' has %s twice"):format(where, field, tostring(one))) end
    kinds[kind], seen[one] = true, true
  end
  if kinds.string and kinds.integer then
    m.fail(("%s: '%s' has names and numbers"):format(where, field), "use names only, or numbers only")
  end
  local copy = table.move(list, 1, #list, 1, {})
  if kinds.integer then table.sort(copy) end
  return copy
end

-- Takes the fields of a member from the fields of a kernel. Returns the other fields, and the
-- fields of the member or nil.
function m.take_member(word, fields)
  local rest, info, where = {}, {}, in_words(word)
  for key, v in next, fields do rest[key] = v end
  rest.on, rest.times, rest.name, rest.metric, rest.sum_out = nil, nil, nil, nil, nil
  info.metric = m.metric_of(fields.metric)
  if fields.on ~= nil then info.on = check_on(where, fields.on) end
  if fields.sum_out ~= nil then info.sum_out = check_on(where, fields.sum_out, "sum_out") end
  if fields.times ~= nil then
    info.times = m.check_number(where .. ": times", fields.times, { whole = true, min = 1, max = 2 ^ 30 })
  end
  if fields.name ~= nil then
    if type(fields.name) ~= "string" or not fields.name:match("^%a[%w_]*$") or #fields.name > 23 then
      m.fail(where .. ": 'name' must be a word of at most 23 letters, digits and underscores", "write name = \"labels\"")
    end
    info.name = fields.name
  end
  return rest, next(info) and info or nil
end

function m.note_member(kernel, info)
  member_of[kernel] = info
  return kernel
end

-- Returns the name of a member: that of its parameters, or of its kernel.
local function name_of(kernel, info, on)
  if info.name then return info.name end
  local words = {}
  for i, one in ipairs(on or {}) do words[i] = type(one) == "string" and one or "x" .. one end
  local name = table.concat(words, "_"):gsub("[^%w_]", "_")
  if #name > 0 and #name <= 23 then return name end
  return (kernel.name:gsub("%(.*", ""))
end

local function is_composed(kernel)
  local outer = kernel.name:match("^%a+")
  return outer == "cycle" or outer == "mixture"
end

-- Returns the list of members of a cycle or a mixture.
local function members_of(word, fields)
  local where, list = in_words(word), {}
  local on = fields.on
  if on ~= nil and (type(on) ~= "table" or #on ~= #fields) then
    m.fail(("%s: 'on' must have an entry for each of the %d members"):format(where, #fields),
           "for example on = { \"mu\", { \"z\", \"k\" } }")
  end
  for i, kernel in ipairs(fields) do
    if core.kind(kernel) ~= "kernel" then
      m.fail(("%s: member %d is a %s, not a kernel"):format(where, i, core.kind(kernel)), "write cs.kernel.NAME { on = ... }")
    end
    if kernel.name == "auto" then m.fail(where .. ": cs.kernel.auto cannot be a member", "use it as the kernel of an arm") end
    local info = member_of[kernel] or {}
    local own = info.on
    if type(on) == "table" and on[i] ~= nil then
      if own then m.fail(("%s: member %d has 'on' twice"):format(where, i)) end
      own = check_on(("%s: member %d"):format(where, i), on[i])
    end
    if not own and not is_composed(kernel) then
      local own_name = kernel.name == "function" and "" or kernel.name:gsub("%(.*", "")
      m.fail(("%s: member %d, %s, moves no parameter"):format(where, i, kernel.name),
             ("write %s { on = { ... } }"):format(in_words(own_name)))
    end
    list[i] = { kernel = kernel, on = own, name = name_of(kernel, info, own), times = info.times or 1, weight = 1.0,
                metric = info.metric, sum_out = info.sum_out }
  end
  return list
end

local function give_weights(word, list, weights)
  local where = in_words(word)
  if weights == nil then return end
  if word ~= "mixture" then
    m.fail(where .. " has no weights", "use cs.kernel.mixture to choose a member at random")
  end
  if type(weights) ~= "table" or #weights ~= #list then
    m.fail(("%s: 'weights' must be a list of %d numbers"):format(where, #list), "give one number per member")
  end
  for i, w in ipairs(weights) do
    if type(w) ~= "number" then m.fail(("%s: weight %d is a %s"):format(where, i, core.kind(w))) end
    list[i].weight = w + 0.0
  end
end

local list_of = setmetatable({}, { __mode = "k" })

-- For kernels that have members, or wrap one that has: a function that makes the kernel again, the
-- kernels that it is made of, and true if an arm has it.
local weak = { __mode = "k" }
local again, parts_of, taken = setmetatable({}, weak), setmetatable({}, weak), setmetatable({}, weak)

-- Marks a kernel and its parts as those of an arm. Returns true if one of them was marked before.
local function take(kernel)
  if not again[kernel] then return false end
  local was = taken[kernel] or false
  taken[kernel] = true
  for _, one in ipairs(parts_of[kernel]) do was = take(one) or was end
  return was
end

-- Returns a copy of a kernel that belongs to one target: one that has members, wraps one that has, or
-- has a conditional distribution in Lua. Returns other kernels themselves.
local function copied(kernel)
  if again[kernel] then return again[kernel]() end
  return m.is_conditional(kernel) and m.copy_conditional(kernel) or kernel
end

-- Makes a cycle or a mixture of a list of members { kernel, on, name, times, weight, metric, sum_out }.
function m.make_composed(mixture, list)
  local kernel = core.kernel_composed(mixture, list)
  local parts = {}
  for i, one in ipairs(list) do parts[i] = one.kernel end
  list_of[kernel], parts_of[kernel] = list, parts
  again[kernel] = function()
    local others = {}
    others.mixture = list.mixture
    for i, one in ipairs(list) do
      local other = {}
      for key, v in next, one do other[key] = v end
      other.kernel, others[i] = copied(one.kernel), other
    end
    return m.make_composed(mixture, others)
  end
  return kernel
end

-- Makes a kernel around `inner` by make(inner).
function m.make_around(inner, make)
  local kernel = make(inner)
  if again[inner] then
    parts_of[kernel] = { inner }
    again[kernel] = function() return m.make_around(copied(inner), make) end
  end
  return kernel
end

-- Appends to `found` the parameters MEMBER.step of members whose kernel has a default tuner, or that
-- were chosen with one.
local function add_tuned(kernel, path, found)
  for _, one in ipairs(list_of[kernel] or {}) do
    if core.kernel_tuner(one.kernel) or one.tuned then found[#found + 1] = path .. one.name .. ".step" end
    add_tuned(one.kernel, path .. one.name .. ".", found)
  end
  return found
end

-- Returns the parameter of a cycle or a mixture that its warm-up tunes: the step of its only member
-- that add_tuned finds; "step" for all steps and metrics if there are several, or in a mixture of
-- cs.kernel.auto; nil if no member has one.
function m.member_tuner(kernel)
  local found = add_tuned(kernel, "", {})
  if (list_of[kernel] or {}).mixture then return "step" end
  if #found == 1 and #found[1] <= 31 then return found[1] end
  return found[1] and "step"
end

-- Returns the fields of a kernel that is to be a member: { on, times, name, metric, sum_out }, or nil.
function m.member_info(kernel) return member_of[kernel] end

-- Makes a cycle or a mixture from its fields.
function m.compose(word, fields)
  local known, where = { on = true, weights = true, times = true, name = true }, in_words(word)
  for key in next, fields do
    if math.type(key) ~= "integer" and not known[key] then
      m.fail(("%s has no field '%s'"):format(where, tostring(key)), m.suggest(key, { "on", "weights", "times", "name" }))
    end
  end
  local list = members_of(word, fields)
  if #list == 0 then m.fail(where .. " needs at least one kernel", "write " .. where .. " { cs.kernel.NAME { on = ... } }") end
  give_weights(word, list, fields.weights)
  local _, info = m.take_member(word, { times = fields.times, name = fields.name })
  local kernel = m.make_composed(word == "mixture", list)
  return info and m.note_member(kernel, info) or kernel
end

-- Gives the members whose conditional distribution is written in Lua their parameters.
local function place_draws(kernel, target)
  for _, one in ipairs(list_of[kernel] or {}) do
    if m.is_conditional(one.kernel) then m.place_conditional(one.kernel, one.name, one.on, target) end
    place_draws(one.kernel, target)
  end
end

-- Gives the members of a kernel their coordinates in a target, and returns the kernel. Members move
-- the parts of one target, so a kernel that another arm has is copied. `where` names the arm.
function m.place_kernel(where, kernel, target)
  local info = member_of[kernel]
  for _, field in ipairs { "times", "name", "metric", "sum_out" } do
    if info and info[field] and not info.on then
      m.fail(("%s: '%s' of a kernel is for the members of a cycle or a mixture"):format(where, field),
             field == "metric" and "write it beside the kernel of the arm"
             or field == "sum_out" and "write cs.kernel.cycle { cs.kernel.NAME { on = ..., sum_out = ... } }" or "leave it out")
    end
  end
  if info and info.on then
    m.fail(("%s: 'on' is for the members of a cycle or a mixture"):format(where), "write cs.kernel.cycle { cs.kernel.NAME { on = ... }, ... }")
  end
  if take(kernel) then
    kernel = copied(kernel)
    take(kernel)
  end
  place_draws(kernel, target)
  core.kernel_place(kernel, target.dim, function(name, member)
    local first, n = m.parameter_at(target, name)
    local names = not first and m.parameter_names(target)
    if names then
      m.fail(("%s: the member %s: the target has no parameter '%s'"):format(where, member, name), m.suggest(name, names))
    end
    return first, n
  end)
  return kernel
end
