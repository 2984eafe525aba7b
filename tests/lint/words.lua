-- The words of the sources: no public name is defined twice, clocks and hashes
-- are written once, and private words for what the field has a word for do not
-- come back.
-- Usage: lua5.4 words.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
local faults, n = 0, 0
local function fault(...) print(string.format(...)) faults = faults + 1 end

-- What was once written, and what a reader of the field expects. As a part of
-- a name, between underscores, or as a word of a comment.
local instead = {
  sight = "step_view", meeting = "exchange", graft = "copy", melt = "fuse",
  redrawn = "resampled", dice = "rng",
  witness = "reference", spoil = "corrupt", heed = "stop_flag",
  dearest = "max_step_cost", sunk = "written",
  unshown = "packed_proposal", fate = "node_info", alike_node = "isomorphic",
  door = "evaluator", mourn = "check_end",
  melted = "fused", melts = "can_fuse", dress = "with_symbolic_math",
  dressed = "with_symbolic_math", desk = "workspace", spot = "element",
}

local function read(path)
  local f <close> = assert(io.open(path))
  return f:read("a")
end

-- ---- one definition a name ----
local defined = {} -- name -> file without its ending
local function define(name, path)
  local unit = path:gsub("%.[ch]$", "")
  if defined[name] and defined[name] ~= unit then
    fault("%s: %s is defined in %s too", path, name, defined[name])
  end
  defined[name] = unit
end

-- Names of types that a header leaves open, and those that are given a body. A type
-- left open in one folder and defined as `typedef ... { } cs_x;` in another would be
-- two types that the compiler takes for one.
local open, body = {}, {}
local function folder_of(path) return path:sub(#source + 2):match("^%w+") end
local function type_names(path, text)
  for name in text:gmatch("\ntypedef %l+ (cs_[%w_]+) cs_[%w_]+;") do
    open[name] = open[name] or {}
    open[name][folder_of(path)] = path
  end
  for name in text:gmatch("\n} (cs_[%w_]+);") do body[name] = path end
  for name in text:gmatch("\n%l+ (cs_[%w_]+) {\n") do
    if body[name] and body[name]:gsub("%.[ch]$", "") ~= path:gsub("%.[ch]$", "") then
      fault("%s: %s is defined in %s too", path, name, body[name])
    end
  end
end
local function two_types()
  for name, path in pairs(body) do
    for folder, other in pairs(open[name] or {}) do
      if folder ~= folder_of(path) then fault("%s: %s is left open in %s", path, name, other) end
    end
  end
end

local function definitions(path, text)
  type_names(path, text)
  for name in text:gmatch("\n} (cs_[%w_]+);") do define(name, path) end
  -- A function at the start of a line, whose body follows.
  for head, name in text:gmatch("\n(%l[%w_ *]-)(cs_[%w_]+)%b()\n{") do
    if not head:find("CS_VARIANT") then define(name, path) end
  end
end

-- ---- words ----
local function words(path, text)
  local number = 0
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    for word in line:gsub('"[^"]*"', ""):gmatch("%a+") do
      local better = instead[word]
      if better then
        fault("%s:%d: %s: the field's word is %s", path, number, word, better)
      end
    end
  end
end

-- ---- one clock, one hash ----
local only = {
  clock_gettime = "base/clock.c", gettimeofday = "base/clock.c",
  ["0xcbf29ce484222325"] = "base/hash.h", ["0x100000001b3"] = "base/hash.c",
}
local function places(path, text)
  for name, file in pairs(only) do
    if text:lower():find(name, 1, true) and path:sub(#source + 2) ~= file then
      fault("%s: %s belongs to %s", path, name, file)
    end
  end
end

local files = io.popen(("find '%s' -name '*.[ch]' | sort"):format(source))
for path in files:lines() do
  local text = read(path)
  definitions(path, text)
  words(path, text)
  places(path, text)
  n = n + 1
end
assert(n > 0, "no files under " .. source)
two_types()
os.exit(faults == 0 and 0 or 1)
