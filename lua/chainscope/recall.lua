-- Restores the state written by memory.lua. The text comes from a file that anyone may have
-- written. Therefore the whole text is read and checked before any value is changed. A
-- damaged text has no effect.
local m = ...
local core, keeping = m.core, m.keeping
local words, each_captured = keeping.words, keeping.each_captured

local most_deep = 8 -- maximum nesting of tables in the state of a rule; claims use 3
local most_steps = 2 ^ 53

-- Returns the start of a part of the text, on one line, for use in messages. If a part of
-- it looks like the position of an error, such as "file:3: ", this part is changed.
local function quoted(text)
  return (text:sub(1, 60):gsub("[^ -~]", "?"):gsub("(:%d+): ", "%1:"))
end

local function other_script(what)
  m.fail("this is not the run that was saved: " .. what, "restore the script, or start a new run")
end

-- Fails with an error that names line r.n of the text.
local function damaged(r, what)
  local line = r.lines[r.n]
  local where = line and ("line %d, '%s'"):format(r.n, quoted(line)) or "at its end"
  m.fail(("the saved run is damaged, in the state of the script's functions: %s: %s"):format(where, what),
         "use another copy of the file, or start a new run")
end

-- ---- values -----------------------------------------------------------------------

local escapes = { n = "\n", ['"'] = '"', ["\\"] = "\\" }

-- Reads the quoted string at position `at`. Returns the string and the position
-- after the string.
local function read_text(r, text, at)
  local out, from = {}, at + 1
  while true do
    local stop = text:find('["\\]', from)
    if not stop then damaged(r, "a string has no end") end
    out[#out + 1] = text:sub(from, stop - 1)
    local letter = text:sub(stop + 1, stop + 1)
    if text:sub(stop, stop) == '"' then return table.concat(out), stop + 1 end
    local code = text:match("^%d%d?%d?", stop + 1)
    local one = code and tonumber(code) < 256 and string.char(tonumber(code)) or escapes[letter]
    if not one then damaged(r, "a string with an unknown escape") end
    out[#out + 1] = one
    from = stop + 1 + #(code or letter)
  end
end

-- Returns the number or the word that a text represents, or nil.
local function plain_of(text)
  if words[text] ~= nil then return words[text] end
  local whole = text:find "^%-?%d+$"
  local x = (whole or text:find "^%-?0x%x+%.?%x*p[+-]%d+$") and tonumber(text)
  if x and (not whole or math.type(x) == "integer") then return x end
end

-- Returns "arm 2" or "chain 2 3" as a handle; nil for other strings.
local function handle_of(r, text)
  local arm, chain = text:match "^arm (%d+)$", "1"
  if not arm then arm, chain = text:match "^chain (%d+) (%d+)$" end
  if not arm then return nil end
  local i, k = tonumber(arm), tonumber(chain)
  if i < 1 or i > #r.run.arms or k < 1 or k > core.arm_info(r.run, i).chains then
    damaged(r, "the run has no " .. text)
  end
  return m.handle_of(r.run, text)
end

-- Returns the contents of the table with that name: keys in order, and values by key.
local function rows_of(r, id)
  local rows = r.rows[id]
  if not rows then
    rows = { keys = {}, values = {} }
    r.rows[id], r.rows_of[r.objects[id]], r.tables[#r.tables + 1] = rows, rows, id
  end
  return rows
end

-- Returns the object with that name. If a table with that name was created during the run, it
-- does not exist now, and an empty table is created.
local function object_of(r, id)
  local x, letter = r.objects[id], id:sub(1, 1)
  if x == nil and letter == "t" then
    x = {}
    r.objects[id] = x
  elseif x == nil then
    damaged(r, ("no function of the script captures %s"):format(id))
  end
  if letter == "t" then rows_of(r, id) end
  if letter == "f" and not r.named[id] then
    r.named[id], r.named[#r.named + 1] = r.n, id
  end
  return x
end

local function value_of(r, text)
  if text:sub(1, 1) == '"' then
    local x, stop = read_text(r, text, 1)
    if stop <= #text then damaged(r, "text after the end of a string") end
    return x
  end
  if text == "run" then return r.run end
  if text:find "^[fto][1-9]%d*$" then return object_of(r, text) end
  local x = plain_of(text)
  if x == nil then x = handle_of(r, text) end
  if x == nil then damaged(r, "not a value") end
  return x
end

-- Reads a plain value, or a table of plain values, from position `at`. Returns the value and
-- the position after the value.
local function read_flat(r, text, at, deep)
  local first = text:sub(at, at)
  if first == '"' then return read_text(r, text, at) end
  if first ~= "{" then
    local word, stop = text:match("^([^=,}]*)()", at)
    local x = plain_of(word)
    if x == nil then damaged(r, "not a value") end
    return x, stop
  end
  if deep >= most_deep then damaged(r, "too many nested tables") end
  local out, key, x = {}, nil, nil
  at = at + 1
  if text:sub(at, at) == "}" then return out, at + 1 end
  while true do
    key, at = read_flat(r, text, at, most_deep)
    if key ~= key or out[key] ~= nil then damaged(r, "a key that is repeated or invalid") end
    if text:sub(at, at) ~= "=" then damaged(r, "a key without a value") end
    x, at = read_flat(r, text, at + 1, deep + 1)
    out[key] = x
    local mark = text:sub(at, at)
    at = at + 1
    if mark == "}" then return out, at end
    if mark ~= "," then damaged(r, "a table has no end") end
  end
end

-- ---- lines ------------------------------------------------------------------------

-- Reads the state of a rule, which follows ":".
local function read_own(r, event, own)
  if own:sub(1, 3) ~= " : " then damaged(r, "no text after ':'") end
  local x, stop = read_flat(r, own, 4, 0)
  if stop <= #own then damaged(r, "text after its end") end
  if event and not event.fits(x) then damaged(r, "this is not the state of such a rule") end
  if event then r.own[#r.own + 1] = { event, x } end
end

local function event_on_the_way(r, kind, number, f)
  local step = tonumber(number)
  if not (kind == "every" or kind == "at") or step < 1 or step > most_steps or not f:find "^f%d" then
    damaged(r, "no script can make such an event")
  end
  local call = object_of(r, f)
  return { [kind] = step, call = call, of = call }
end

local function read_event(r, line)
  local n, kind, number, f, own = line:match "^event (%d+) (%l+) (%d+) = (%S+)(.*)$"
  if tonumber(n) ~= #r.events + 1 then damaged(r, "not the next event") end
  local i = #r.events + 1
  local event = r.kept.events[i]
  if event and keeping.name_of(event) == kind .. " " .. number and f == (event.of and r.kept.id[event.of] or "-") then
    if event.of then object_of(r, f) end
  elseif i <= r.kept.n_events then
    damaged(r, "the script has a different event here: " .. keeping.place_of(event))
  else
    event = event_on_the_way(r, kind, number, f)
  end
  r.events[i] = event
  if event.get then read_own(r, event, own) elseif own ~= "" then damaged(r, "text after its function") end
end

-- Reads the state of a claim; skips a claim whose data are missing in this run.
local function read_claim(r, line)
  local n, own = line:match "^claim (%d+)(.*)$"
  n = tonumber(n)
  if not n or r.claims[n] then damaged(r, "not a claim, or a repeated claim") end
  r.claims[n] = true
  local claim
  for _, event in ipairs(r.memory.events) do
    if event.claim == n then claim = event end
  end
  read_own(r, claim, own)
end

local function read_panel(r, line)
  local id = line:match "^panel %S+ .+ = ([fo][1-9]%d*)$"
  if not id or type(object_of(r, id)) ~= "function" then damaged(r, "not a function of a panel") end
end

local function read_function(r, line)
  local id, rest = line:match "^(f[1-9]%d*)(.*)$"
  local slots = id and r.slots[id]
  if id and rest:find "^ = .+ %x+$" then
    if slots then damaged(r, "a repeated function") end
    object_of(r, id)
    r.slots[id], r.order[#r.order + 1] = {}, id
    return
  end
  local slot, text = (rest or ""):match "^%.(%S+) = (.*)$"
  if not slot or not slots then damaged(r, "not a variable of a function") end
  if slots[slot] then damaged(r, "a repeated variable") end
  local x = value_of(r, text)
  if slot == "_ENV" and type(x) ~= "table" then damaged(r, "not a table of globals") end
  slots[slot] = { x = x, n = r.n }
end

local function put_row(r, rows, key, x)
  if key ~= key then damaged(r, "not a key") end
  if rows.values[key] ~= nil then damaged(r, "a repeated key") end
  rows.keys[#rows.keys + 1], rows.values[key] = key, x
end

local function put_numbers(r, rows, key, text)
  for one in text:gmatch "%S+" do
    local x = plain_of(one)
    if type(x) ~= "number" or key < 1 then damaged(r, "not a row of numbers") end
    put_row(r, rows, key, x)
    key = key + 1
  end
end

-- Reads a key. An object can be a key only if it got its name when the run was created, or if a
-- script advances the run.
local function key_of(r, text)
  if text:find "^[fto]%d" and r.kept.object[text] == nil and not core.run_is_own(r.run) then damaged(r, "not a key") end
  return value_of(r, text)
end

-- Reads the key in brackets at the start of `rest`; returns the key and the text of its value.
local function key_in_brackets(r, rest)
  if rest:sub(2, 2) == '"' then
    local key, stop = read_text(r, rest, 2)
    if rest:sub(stop, stop + 3) ~= "] = " then damaged(r, "a key without a value") end
    return key, rest:sub(stop + 4)
  end
  local word, text = rest:match "^%[([^%]]+)%] = (.*)$"
  if not word then damaged(r, "not a part of a table") end
  return key_of(r, word), text
end

local function read_class(r, rows, text)
  local class = value_of(r, text)
  if rows.class then damaged(r, "a repeated class") end
  if type(class) ~= "table" then damaged(r, "not a class") end
  rows.class, rows.n = class, r.n
end

local function read_table(r, line)
  local id, rest = line:match "^(t[1-9]%d*)(.*)$"
  if not id then damaged(r, "not a part of a table") end
  object_of(r, id)
  local rows = rows_of(r, id)
  if rest:sub(1, 9) == " class = " then return read_class(r, rows, rest:sub(10)) end
  local name, text = rest:match "^%.([%a_][%w_]*) = (.*)$"
  if name then return put_row(r, rows, name, value_of(r, text)) end
  local key
  key, text = key_in_brackets(r, rest)
  if math.type(key) == "integer" and text:find "^%S+ " and text:sub(1, 1) ~= '"' and not handle_of(r, text) then
    put_numbers(r, rows, key, text)
  else
    put_row(r, rows, key, value_of(r, text))
  end
end

local readers = { e = read_event, c = read_claim, p = read_panel, f = read_function, t = read_table }

local function read_lines(r)
  for n, line in ipairs(r.lines) do
    r.n = n
    local read = readers[line:sub(1, 1)] or damaged(r, "unknown kind of line")
    read(r, line)
  end
end

-- ---- checks -----------------------------------------------------------------------

-- Fails if a function of the script differs from the function that the script
-- had when the state was saved.
local function check_functions(r)
  for _, line in ipairs(r.lines) do
    local id, place, digest = line:match "^(f%d+) = (.+) (%S+)$"
    if id and not r.kept.object[id] then other_script(("the function at %s is missing"):format(quoted(place))) end
    if id and r.kept.digest[id] ~= digest then
      other_script(("the function at %s has changed"):format(core.function_place(r.kept.object[id])))
    end
  end
end

-- Finds the variables that a function shares with earlier functions, and the variables that hold
-- tables of globals.
local function find_shared(r)
  local seen = {}
  r.shared, r.worlds = {}, {}
  for _, id in ipairs(r.order) do
    local shared, slots, known = {}, r.slots[id], {}
    each_captured(r.objects[id], function(i, name, x, cell, slot)
      if name == "_ENV" then r.worlds[x] = true end
      shared[i] = seen[cell]
      seen[cell] = true
      known[slot] = not shared[i]
    end)
    for slot, given in next, slots do
      r.n = given.n
      -- if r.n > r.n_own, this line is from add_late, and the function in this line shares
      -- variables with an earlier function
      if not known[slot] and r.n > r.n_own then
        slots[slot] = nil
      elseif not known[slot] then
        damaged(r, "the function has no variable of that name")
      end
    end
    r.shared[id] = shared
  end
end

-- Checks a class, which is a table of the script itself. The class must not define functions that
-- are called when memory is freed.
local function check_class(r, rows)
  local list = r.rows_of[rows.class]
  local fine = rawget(rows.class, "__gc") == nil
  if list then
    fine = list.values.__gc == nil
    for _, x in next, list.values do
      if type(x) == "function" and not core.function_place(x) then fine = false end
    end
  elseif not keeping.is_own_class(rows.class) then
    fine = false
  end
  r.n = rows.n
  if not fine then damaged(r, "not a class that a script can make") end
end

local function check_classes(r)
  for _, id in ipairs(r.tables) do
    local class, rows = core.class_of(r.objects[id]), r.rows[id]
    if rows.class then check_class(r, rows) end
    if rows.class and class and class ~= rows.class and rawget(class, "__metatable") ~= nil then
      damaged(r, "the class of that table cannot be changed")
    end
  end
end

-- Fails unless the text describes every function that it names, and every event
-- of the script.
local function check_whole(r)
  for _, id in ipairs(r.named) do
    r.n = r.named[id]
    if not r.slots[id] then damaged(r, ("%s is missing"):format(id)) end
  end
  r.n = #r.lines + 1
  if #r.events < r.kept.n_events then damaged(r, "an event is missing") end
end

-- ---- restoring --------------------------------------------------------------------

local function put_function(r, id)
  local f, slots, shared = r.objects[id], r.slots[id], r.shared[id]
  each_captured(f, function(i, name, x, _, slot)
    if slots[slot] then
      core.capture(f, i, slots[slot].x)
    elseif x ~= nil and name ~= "_ENV" and not shared[i] then
      core.capture(f, i, nil)
    end
  end)
end

local function put_table(r, t, rows)
  for k in next, t do
    if not keeping.is_standard(r.run, r.worlds, t, k) then rawset(t, k, nil) end
  end
  for _, k in ipairs(rows.keys) do rawset(t, k, rows.values[k]) end
end

local function put_events(r)
  local list, there = {}, {}
  for _, event in ipairs(r.memory.events) do
    if event.claim then list[#list + 1] = event end
  end
  for _, event in ipairs(r.events) do
    list[#list + 1] = event
    there[event] = true
  end
  for _, event in ipairs(r.memory.events) do
    if event.typed or event.late and not there[event] then list[#list + 1] = event end
  end
  for _, own in ipairs(r.own) do own[1].put(own[2]) end
  r.memory.events = list
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

-- Adds to r.lines the saved lines of functions whose events were added later. This process
-- wrote these lines, so they are not checked.
local function add_late(r)
  local there = {}
  local function id_of(line) return line:match "^[ft]%d+" end
  for _, line in ipairs(r.lines) do
    if id_of(line) then there[id_of(line)] = true end
  end
  for _, late in ipairs(r.memory.late) do
    local new = {}
    for line in late:gmatch "[^\n]+" do
      local id = id_of(line)
      if id and not there[id] then r.lines[#r.lines + 1], new[id] = line, true end
    end
    for id in next, new do there[id] = true end
  end
end

-- Restores the state of the run's functions. With `only_look`, only checks whether this is
-- possible.
function m.words.recall(run, text, only_look)
  local kept = keeping.kept(run)
  local r = { run = run, memory = core.run_memory(run), kept = kept, lines = lines_of(text), n = 0,
              objects = setmetatable({}, { __index = kept.object }), rows = {}, rows_of = {}, tables = {}, order = {}, slots = {},
              named = {}, events = {}, claims = {}, own = {} }
  r.n, r.n_own = #r.lines + 1, #r.lines
  if text:sub(-1) ~= "\n" then damaged(r, "its last line is cut off") end
  add_late(r)
  check_functions(r)
  read_lines(r)
  check_whole(r)
  find_shared(r)
  check_classes(r)
  if only_look then return end
  for _, id in ipairs(r.order) do put_function(r, id) end
  for _, id in ipairs(r.tables) do put_table(r, r.objects[id], r.rows[id]) end
  for _, id in ipairs(r.tables) do
    local t, class = r.objects[id], r.rows[id].class
    if class and core.class_of(t) ~= class then setmetatable(t, class) end
  end
  put_events(r)
  r.memory.digests = nil -- the digests of the earlier captured values are no longer valid
end
