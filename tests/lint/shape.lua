-- Checks limits on the sources: the length of files and functions, and the size
-- of folders, structs and headers. Also checks that there are no notes about
-- later work, that the file of each method starts with the method's formula,
-- and that the top level has no unexpected files.
-- Usage: lua5.4 shape.lua ROOT [EXCEPTIONS]
package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local source = require "source"
local root = assert(arg[1], "which tree?")
local most_lines, most_function = 800, 60
local most = { folder = 60, struct = 40, header = 60 }
local unit = { folder = "files", struct = "members", header = "prototypes" }
local faults, n = 0, 0
local function fault(...) print(string.format(...)) faults = faults + 1 end

local function listing(command)
  local p = io.popen(("cd '%s' && %s"):format(root, command))
  local text = p:read("a")
  p:close()
  return text:gmatch("[^\n]+")
end

local function read(path)
  local f = io.open(root .. "/" .. path)
  local text = f and f:read("a")
  if f then f:close() end
  return text
end

-- ---- top level ----
local top = { ["CMakeLists.txt"] = true, src = true, lua = true,
  scenarios = true, tests = true, ["README.md"] = true, assets = true,
  LICENSE = true }
-- In a checkout only files that git tracks are checked. Other files belong to
-- the user.
for name in listing("if [ -e .git ]; then git ls-files | cut -d/ -f1 | " ..
    "grep -v '^[.]' | sort -u; else ls; fi") do
  if not top[name] and not name:match("^build") then
    fault("%s does not belong at the top level", name)
  end
end

-- ---- lengths and words ----

-- clang-format puts the braces of a function at the start of a line.
local function check_functions(path, text)
  local number, start = 0, nil
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    if line == "{" then start = number end
    if line == "}" and start then
      local length = number - start - 1
      if length > most_function then
        fault("%s:%d: a function of %d lines, at most %d", path, start,
          length, most_function)
      end
      start = nil
    end
  end
end

-- Each forbidden word is written in two parts, because otherwise this file
-- would contain it.
local later = { "TO" .. "DO", "FIX" .. "ME", "XX" .. "X", "HA" .. "CK" }
local function check_words(path, text)
  local number = 0
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    for _, word in ipairs(later) do
      if line:find("%f[%w]" .. word .. "%f[%W]") then
        fault("%s:%d: %s: do it, or remove the note", path, number, word)
      end
    end
  end
end

for path in listing("find src tests lua scenarios .ci assets -type f " ..
    "-not -name '*.svg' -not -name '*.csv' -not -name '*.json' | sort") do
  local text = read(path)
  n = n + 1
  local _, lines = text:gsub("\n", "")
  local code = path:match("%.[ch]$") or path:match("%.lua$") or
    path:match("%.sh$") or path:match("%.cmake$")
  if code and lines > most_lines then
    fault("%s: %d lines, at most %d", path, lines, most_lines)
  end
  if path:match("%.[ch]$") then check_functions(path, text) end
  if code then check_words(path, text) end
end
assert(n > 0, "no files under " .. root)

-- ---- formulas ----
local lists = { "kernels/kernels.def", "targets/targets.def",
  "schedule/schedules.def" }
for _, list in ipairs(lists) do
  local text, folder = read("src/" .. list), list:match("^%w+")
  for file in (text or ""):gmatch("\nCS_[%u_]+%([%w_]+, *([%w_]+)%)") do
    local found = listing(("find src/%s -name %s.c"):format(folder, file))()
    local head = found and read(found):match("^/%*(.-)%*/")
    if not head or not head:find("[=~]") then
      fault("%s does not begin with its formula", found or file)
    end
  end
end

-- ---- folders, structs, headers ----
-- EXCEPTIONS has lines `KIND NAME NUMBER why`, one for each item above the
-- limit.
local allowed = {}
local function read_exceptions(path)
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local kind, name, count, why = line:match("^(%l+) (%S+) (%d+) (%S.*)$")
    if most[kind] and not allowed[kind .. " " .. name] then
      allowed[kind .. " " .. name] = { count = tonumber(count), at = path .. ":" .. number }
    elseif not line:find("^#") then
      fault("%s:%d: a line is KIND NAME NUMBER and a reason, once per name", path, number)
    end
  end
end

-- Checks an item with n files, members or prototypes at `where`.
local function check_size(kind, name, n, where)
  local exception = allowed[kind .. " " .. name]
  if exception then exception.found = true end
  if exception and n <= most[kind] then
    fault("%s: %s %s has %d %s and is no longer an exception", exception.at, kind, name, n, unit[kind])
  elseif exception and n < exception.count then
    fault("%s: %s %s has %d %s now: write %d", exception.at, kind, name, n, unit[kind], n)
  elseif n > most[kind] and n ~= (exception or {}).count then
    fault("%s: %s %s has %d %s, at most %d", where, kind, name, n, unit[kind],
      exception and exception.count or most[kind])
  end
end

if arg[2] then read_exceptions(arg[2]) end
local files_in = {}
for path in listing("find src -type f | sort") do
  local folder = path:match("^(.*)/")
  files_in[folder] = (files_in[folder] or 0) + 1
  if path:match("%.[ch]$") then
    local code = source.without_macros(source.code(read(path)))
    for kind, tag, name, body, at in source.bodies(code) do
      if kind ~= "enum" then
        local where = ("%s:%d"):format(path, source.line(code, at))
        check_size("struct", name ~= "" and name or tag, source.members(body), where)
      end
    end
    if path:match("h$") then check_size("header", path, source.prototypes(code), path) end
  end
end
for folder, count in pairs(files_in) do check_size("folder", folder, count, folder) end
for name, exception in pairs(allowed) do
  if not exception.found then fault("%s: there is no %s", exception.at, name) end
end
os.exit(faults == 0 and 0 or 1)
