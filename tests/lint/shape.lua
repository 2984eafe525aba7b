-- The shape of the sources: files and functions short enough to read at a
-- sitting, no notes to do later, each method's file opening with its formula,
-- nothing at the top that does not belong there.
-- Usage: lua5.4 shape.lua ROOT
local root = assert(arg[1], "which tree?")
local most_lines, most_function = 800, 60
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

-- ---- the top ----
local top = { ["CMakeLists.txt"] = true, src = true, lua = true,
  scenarios = true, tests = true, ["README.md"] = true, assets = true,
  LICENSE = true }
-- In a checkout only what git tracks: a stray file is the user's own.
for name in listing("if [ -e .git ]; then git ls-files | cut -d/ -f1 | " ..
    "grep -v '^[.]' | sort -u; else ls; fi") do
  if not top[name] and not name:match("^build") then
    fault("%s does not belong at the top", name)
  end
end

-- ---- lengths and words ----

-- clang-format puts a function's braces at the start of a line.
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

-- In two parts, or this file would be the first to fail.
local later = { "TO" .. "DO", "FIX" .. "ME", "XX" .. "X", "HA" .. "CK" }
local function check_words(path, text)
  local number = 0
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    for _, word in ipairs(later) do
      if line:find("%f[%w]" .. word .. "%f[%W]") then
        fault("%s:%d: %s: do it, or leave it out", path, number, word)
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
      fault("%s does not open with its formula", found or file)
    end
  end
end
os.exit(faults == 0 and 0 or 1)
