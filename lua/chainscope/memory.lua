-- Saves the state that a script's functions keep between calls: the numbers, strings and tables
-- captured by events, stop rules and panels. This state is a part of the run's state
-- (src/run/history/remembered.h), and is written as lines:
--
--   event 1 every 100 = f1
--   f1 = steps.lua:4 6f0c3a5e91d2b478
--   f1.n = 12
--   f1.sums = t1
--   t1[1] = 0x1.8p+1 0x1p+0
--
-- f1 is a function, followed by its place in the script and its digest when the run was created. t1
-- is a table. Any other object, such as a target, is named o1, o2 ... Objects that exist when the
-- run is created are numbered at that time, so that every process that reads the same script gives
-- these objects the same numbers. Tables created later are saved and restored; other objects
-- created later cannot be saved. recall.lua reads the lines.
local m = ...
local core = m.core
local huge = math.huge

local standard = {} -- globals that every script has
for name in ([[assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print
  rawequal rawget rawlen rawset require select setmetatable tonumber tostring type warn xpcall _G _VERSION
  coroutine debug io math os package string table utf8]]):gmatch "%S+" do
  standard[name] = true
end

-- True if a field of a table of globals was not set by the script. For example, the console adds
-- the fields cs and run to this table.
local function is_standard(run, worlds, t, k)
  return worlds[t] and (standard[k] or rawget(t, k) == m.cs or rawget(t, k) == run)
end

-- ---- plain values ----------------------------------------------------------------

local plain = { number = true, boolean = true, string = true }

local function literal(x)
  if math.type(x) == "float" then
    if x ~= x then return "nan" end
    if x == huge or x == -huge then return x > 0 and "inf" or "-inf" end
    return ("%a"):format(x)
  elseif type(x) == "string" then
    return (("%q"):format(x):gsub("\\\n", "\\n"))
  end
  return tostring(x)
end

local words = { ["true"] = true, ["false"] = false, nan = 0 / 0, inf = huge, ["-inf"] = -huge }

-- ---- writing ----------------------------------------------------------------------

local function refuse(walk, where, what)
  m.fail(("%s: %s cannot be saved as a part of the run's state"):format(where, what),
         "keep numbers, strings and tables; define functions outside of the event")
end

-- Returns the name of an object, such as "t3". An object without a name gets a new name.
local function number_of(walk, x, letter, where)
  local kept = walk.kept
  local id = kept.id[x] or walk.id[x]
  if id then return id end
  if not walk.first and letter ~= "t" then
    refuse(walk, where, ("a %s created during the run"):format(core.kind(x)))
  end
  local n = (walk.n[letter] or kept.n[letter]) + 1
  walk.n[letter] = n
  id = letter .. n
  walk.id[x] = id
  if walk.first then kept.id[x], kept.object[id], kept.n[letter] = id, x, n end
  return id
end

-- True for a metatable that the script has defined, which contains no function of the module.
local function is_own_class(class)
  for _, f in next, class do
    if type(f) == "function" and not core.function_place(f) then return false end
  end
  return true
end

-- Returns a value as text. For an object this is its name; the lines that describe the object are
-- written later.
local function said(walk, x, where)
  local kind = type(x)
  if plain[kind] then return literal(x) end
  if x == walk.run then return "run" end
  if kind == "thread" then refuse(walk, where, "a coroutine") end
  local letter, class = "o", kind == "table" and core.class_of(x)
  if kind == "table" then
    local handle = class and m.handle_name(x, walk.run)
    if handle then return handle end
    if not class or is_own_class(class) then letter = "t" end
  elseif kind == "function" and core.function_place(x) then
    letter = "f"
  end
  local id = number_of(walk, x, letter, where)
  if letter ~= "o" and not walk.seen[x] then
    walk.seen[x] = true
    walk.todo[#walk.todo + 1] = { x, id, where }
  end
  return id
end

local function say(walk, text) walk.lines[#walk.lines + 1] = text end

-- Calls visit(i, name, value, cell, slot) for each variable captured by f. If functions capture
-- one variable together, they have the same `cell` for this variable. `slot` is the name of the
-- variable. If f captures two variables of that name, a number follows the name.
local function each_captured(f, visit)
  local i, names = 1, {}
  local name, x, cell = core.captured(f, i)
  while name do
    visit(i, name, x, cell, names[name] and name .. "^" .. i or name)
    names[name] = true
    i = i + 1
    name, x, cell = core.captured(f, i)
  end
end

local function say_function(walk, f, id)
  local place, kept = core.function_place(f), walk.kept
  if walk.first and not kept.digest[id] then kept.digest[id] = core.function_digest(f) end
  say(walk, ("%s = %s %s"):format(id, place, kept.digest[id]))
  each_captured(f, function(_, name, x, cell, slot)
    if name == "_ENV" then walk.worlds[x] = true end
    if x ~= nil and not walk.cells[cell] then
      say(walk, ("%s.%s = %s"):format(id, slot, said(walk, x, ("%s: '%s'"):format(place, name))))
    end
    walk.cells[cell] = true
  end)
end

-- Returns the keys of t other than 1 .. n, sorted, and these keys as texts. An object is allowed
-- as a key only if it already has a name. For an object without a name, the place of the key
-- would differ between processes, because Lua lists such keys in different orders.
local function other_keys(walk, t, n, where)
  local keys, text = {}, {}
  for k in next, t do
    if not (math.type(k) == "integer" and k >= 1 and k <= n) and not is_standard(walk.run, walk.worlds, t, k) then
      keys[#keys + 1] = k
      if plain[type(k)] then
        text[k] = type(k) == "string" and k:find "^[%a_][%w_]*$" and "." .. k or "[" .. literal(k) .. "]"
      else
        local id = k == walk.run and "run" or walk.kept.id[k] or type(k) == "table" and m.handle_name(k, walk.run)
          or walk.own and said(walk, k, where)
        text[k] = "[" .. (id or refuse(walk, where, "a table with a " .. core.kind(k) .. " as a key")) .. "]"
      end
    end
  end
  table.sort(keys, function(a, b)
    local p, q = type(a), type(b)
    if p ~= q then return p < q end
    if p == "number" then return a < b end
    return text[a] < text[b]
  end)
  return keys, text
end

local function say_table(walk, t, id, where)
  local class, n = core.class_of(t), rawlen(t)
  if class then say(walk, ("%s class = %s"):format(id, said(walk, class, where))) end
  local row = {} -- consecutive entries that are numbers share a line
  local function end_row(next_i)
    if row[1] then say(walk, ("%s[%d] = %s"):format(id, next_i - #row, table.concat(row, " "))) end
    row = {}
  end
  for i = 1, n do
    local x = rawget(t, i)
    if math.type(x) and #row < 64 then
      row[#row + 1] = literal(x)
    else
      end_row(i)
      if math.type(x) then row[1] = literal(x)
      elseif x ~= nil then say(walk, ("%s[%d] = %s"):format(id, i, said(walk, x, where))) end
    end
  end
  end_row(n + 1)
  local keys, text = other_keys(walk, t, n, where)
  for _, k in ipairs(keys) do
    local at = type(k) == "string" and ("%s, '%s'"):format(where, k) or where
    say(walk, id .. text[k] .. " = " .. said(walk, rawget(t, k), at))
  end
end

local function say_rest(walk)
  local i, next_one = 1, walk.todo[1]
  while next_one do
    local x, id, where = next_one[1], next_one[2], next_one[3]
    if type(x) == "function" then say_function(walk, x, id) else say_table(walk, x, id, where) end
    walk.todo[i] = false
    i = i + 1
    next_one = walk.todo[i]
  end
end

-- Returns a plain value, or a table of plain values, as one line.
local function flat(x)
  if type(x) ~= "table" then return literal(x) end
  local keys, out = {}, {}
  for k in next, x do keys[#keys + 1] = k end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    return a < b
  end)
  for i, k in ipairs(keys) do out[i] = literal(k) .. "=" .. flat(x[k]) end
  return "{" .. table.concat(out, ",") .. "}"
end

local function name_of(event)
  if event.every then return ("every %d"):format(event.every) end
  if event.look then return ("look %d"):format(event.each or 0) end
  return ("at %d"):format(event.at)
end

local function place_of(event)
  if event.look then return "run:stop_when" end
  return "run:" .. name_of(event):gsub(" (%d+)", "(%1)")
end

-- Writes the functions that are called between steps. The state of a built-in rule follows a ":".
-- Events that were added at the console are omitted.
local function say_roots(walk, memory)
  local n = 0
  for _, event in ipairs(memory.events) do
    local f, own = "-", event.get and " : " .. flat(event.get()) or ""
    if event.claim then
      say(walk, ("claim %d%s"):format(event.claim, own))
    elseif not event.typed then
      n = n + 1
      if event.of then f = said(walk, event.of, place_of(event)) end
      if event.get and not walk.first and n > #walk.kept.events then
        refuse(walk, place_of(event), "a rule created during the run")
      end
      say(walk, ("event %d %s = %s%s"):format(n, name_of(event), f, own))
      if walk.first then walk.kept.events[n] = event end
    end
  end
  for _, spec in ipairs(memory.panels or {}) do
    local function root(name, f)
      if type(f) == "function" then
        say(walk, ("panel %s %s = %s"):format(spec.name, name, said(walk, f, "panel " .. spec.name)))
      end
    end
    for _, field in ipairs(m.sorted_keys(spec)) do root(field, spec[field]) end
    for _, key in ipairs(m.sorted_keys(spec.key or {})) do root("key " .. key, spec.key[key]) end
  end
end

local function kept_of(memory)
  if not memory.kept then
    memory.kept = { id = {}, object = {}, digest = {}, events = {}, n_events = 0, n = { f = 0, t = 0, o = 0 }, first = true }
  end
  return memory.kept
end

-- Returns the current state as lines of text; "" for a run without events and
-- panels.
local function remembered(run)
  local memory = core.run_memory(run)
  if #memory.events == 0 and not memory.panels then return "" end
  local kept, own = kept_of(memory), core.run_is_own(run)
  local walk = { run = run, kept = kept, own = own, first = kept.first or own, id = {}, n = {}, seen = {}, cells = {}, worlds = {},
                 lines = {}, todo = {} }
  say_roots(walk, memory)
  say_rest(walk)
  if kept.first then kept.n_events = #kept.events end
  kept.first = nil
  walk.lines[#walk.lines + 1] = ""
  return table.concat(walk.lines, "\n")
end

m.words.remembered = remembered

-- Saves the state of a run that a script advances. Called after an event has been handled, and
-- after an event has been added. Objects created during the run are saved too, because no other
-- process has them. If an object cannot be saved, this is reported when the run goes back
-- (m.can_go_back).
function m.keep(run, called)
  local memory = core.run_memory(run)
  if #memory.events == 0 or memory.unkept or not (called or memory.added) then return end
  local good, text = pcall(remembered, run)
  if not good and not core.run_is_own(run) then error(text, 0) end
  if not good then
    memory.unkept = tostring(text)
    return
  end
  if memory.added and run.steps > 0 then table.insert(memory.late, text) end
  memory.added = nil
  core.run_remember(run, text)
end

function m.can_go_back(run)
  local why = core.run_memory(run).unkept
  if why then
    m.fail("the run cannot go back: " .. why:gsub("^[^:\n]*:%d+: ", ""):gsub(": keep numbers.*", ""),
           "let events keep only numbers, strings, tables and functions")
  end
end

-- Functions that are also used by recall.lua, which reads the saved lines.
m.keeping = {
  words = words, is_standard = is_standard, is_own_class = is_own_class, each_captured = each_captured,
  name_of = name_of, place_of = place_of,
}
-- Returns the names of objects and the digests that were recorded when the run
-- was created.
function m.keeping.kept(run)
  local memory = core.run_memory(run)
  if not memory.kept then remembered(run) end
  return kept_of(memory)
end

-- ---- functions called by chains ---------------------------------------------------------

-- Functions that are called within steps may read captured values but not change them.
-- Assignments to variables are found in the code (src/script/state/writes.h). Changes of tables
-- are found by digests. Digests are compared before events, because events may change tables.
-- They are also compared whenever the number of steps has doubled since the last comparison.
function m.forget_changes(memory)
  memory.digests = {}
  for f in next, core.chain_functions() do memory.digests[f] = core.function_digest(f) end
end

function m.look_for_changes(run, memory, must)
  local steps = run.steps
  if not memory.digests then
    m.forget_changes(memory)
    memory.look_at = steps + 1
  end
  if steps < memory.look_at and not (must or run.finished) then return end
  memory.look_at = 2 * steps + 1
  for f, digest in next, memory.digests do
    if core.function_digest(f) ~= digest then
      local name = core.chain_functions()[f]
      m.fail(("%s (%s) captures a table that was changed while the run advanced"):format(name, core.function_place(f) or "?"),
             "do not store state in functions called within steps: keep counts in run:every(n, f), and set a parameter there")
    end
  end
end

-- recall.lua, which reads a saved state, is loaded only when a run needs it.
core.run_recall(function(...) return m.words.recall(...) end)
