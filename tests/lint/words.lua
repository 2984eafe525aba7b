-- Checks names and words in the sources: no public name is defined twice,
-- clocks and hashes are defined only once, and words that were replaced by
-- standard terms are not used again.
-- Usage: lua5.4 words.lua SOURCE_DIR
package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local sources = require "source"
local source = assert(arg[1], "which source folder?")
local faults, n = 0, 0
local function fault(...) print(string.format(...)) faults = faults + 1 end

-- Old words and the standard terms that replace them. An old word is searched
-- as a part of a name, between underscores, and as a word of a comment.
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

-- ---- one definition per name ----
-- A unit is a file with its header. Each type, each function and each
-- enumerator of a header is defined in only one unit. If a unit only declares a
-- type, as `typedef struct cs_x cs_x;`, another unit of the same folder defines
-- it, and one of the two units includes the other. Otherwise the compiler could
-- mistake two types for one.
local defined = {}  -- name -> unit
local open = {}     -- list of { name, path }
local includes = {} -- unit -> set of headers
local function unit_of(path) return (path:sub(#source + 2):gsub("%.[ch]$", "")) end
local function folder_of(unit) return unit:match("^%w+") end
local function define(name, path)
  local unit = unit_of(path)
  if defined[name] and defined[name] ~= unit then
    fault("%s: %s is defined in %s too", path, name, defined[name])
  end
  defined[name] = unit
end

local function type_names(path, code)
  for kind, tag, name, body in sources.bodies(code) do
    for _, public in ipairs { tag, name ~= tag and name or "" } do
      if public:find("^cs_") then define(public, path) end
    end
    if kind == "enum" and path:find("h$") then
      for item in body:gsub("%b()", ""):gmatch("[^,]+") do
        local constant = item:match("^%s*(CS_[%w_]+)")
        if constant then define(constant, path) end
      end
    end
  end
  for name in code:gmatch("\ntypedef %l+ (cs_[%w_]+) cs_[%w_]+;") do
    open[#open + 1] = { name = name, path = path }
  end
end

local function is_related(a, b)
  return a == b or folder_of(a) == folder_of(b) and (includes[a][b .. ".h"] or includes[b][a .. ".h"])
end

local function open_types()
  for _, left in ipairs(open) do
    local body = defined[left.name]
    if body and not is_related(unit_of(left.path), body) then
      fault("%s: %s is incomplete here, but is defined in the unrelated file %s", left.path, left.name, body)
    end
  end
end

local function definitions(path, text)
  local unit = unit_of(path)
  includes[unit] = includes[unit] or {}
  for header in text:gmatch('\n#include "([^"]+)"') do includes[unit][header] = true end
  local code = sources.without_macros(sources.code(text))
  type_names(path, code)
  -- Finds each function definition that begins at the start of a line.
  for head, name in code:gmatch("\n(%l[%w_ *]-)(cs_[%w_]+)%b()\n{") do
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
        fault("%s:%d: %s: use the standard term %s", path, number, word, better)
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
  local text = sources.read(path)
  definitions(path, text)
  words(path, text)
  places(path, text)
  n = n + 1
end
assert(n > 0, "no files under " .. source)
open_types()
os.exit(faults == 0 and 0 or 1)
