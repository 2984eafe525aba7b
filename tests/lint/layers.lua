-- A folder includes only folders above it in the list (and any list *.def),
-- sub-folders with it, and of these, where they have an order, only those
-- above; nothing but its own folder may include lua.h, curses.h or readline.
-- Reads the #include lines.
-- Usage: lua5.4 layers.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
local order = { "simd", "base", "files", "data", "stat", "theory", "rng", "target", "targets",
  "expr", "tape", "schedule", "kernel", "kernels", "tune", "chain", "probe",
  "io", "run", "learn", "check", "mpi", "session", "figure", "script", "screen", "console", "cli",
  "bench" }
-- The block owns the memory of its observers: chain and probe are one floor.
local floor = {}
for i, name in ipairs(order) do floor[name] = i end
floor.chain = floor.probe

-- Sub-folders in the same manner; files that lie in the folder itself are last.
local inner = {
  script = { "state", "math", "bind" },
  screen = { "canvas", "term", "panels", "state", "input" },
}
local inner_floor = {}
for folder, list in pairs(inner) do
  local floors = {}
  for i, name in ipairs(list) do floors[name] = i end
  inner_floor[folder] = floors
end

-- The floor within its folder of a path "script/state/state.c" or "script/x.h".
local function floor_within(path)
  local folder, sub = path:match("^(%w+)/(%w*)")
  local floors = inner_floor[folder]
  if not floors then return 0 end
  return path:match("^%w+/%w+/") and floors[sub] or math.huge
end

local owners = {
  { pattern = "^lua", folder = "script" },
  { pattern = "^n?cursesw?%.h", folder = "screen" },
  { pattern = "^ncurses", folder = "screen" },
  { pattern = "^readline/", folder = "console" },
}

local faults = {}
local function fault(file, line, text)
  faults[#faults + 1] = ("%s:%d: %s"):format(file, line, text)
end

local function check(file, folder, line, include)
  local path = include:match('^"(.-)"')
  if path and path:match("^%w+") == folder
      and floor_within(path) > floor_within(file:sub(#source + 2)) then
    fault(file, line, ("%s is above this folder"):format(path))
  end
  local other = include:match('^"(%w+)/')
  if other and not floor[other] then
    fault(file, line, "unknown folder " .. other)
  elseif other and floor[other] > floor[folder] and not path:match("%.def$") then
    fault(file, line, folder .. " must not include " .. other)
  end
  local name = include:match("^[<\"](.*)[>\"]")
  for _, owner in ipairs(owners) do
    if name and name:match(owner.pattern) and folder ~= owner.folder then
      fault(file, line, name .. " belongs to " .. owner.folder)
    end
  end
end

local files = io.popen(("find '%s' -name '*.[ch]' | sort"):format(source))
local n = 0
for file in files:lines() do
  local folder = file:sub(#source + 2):match("^(%w+)/")
  if not floor[folder] then fault(file, 1, "unknown folder") else
    local number = 0
    for line in io.lines(file) do
      number = number + 1
      local include = line:match("^%s*#%s*include%s+(.+)$")
      if include then check(file, folder, number, include) end
    end
  end
  n = n + 1
end
assert(n > 0, "no files under " .. source)
for _, text in ipairs(faults) do print(text) end
os.exit(#faults == 0 and 0 or 1)
