-- Checks the #include lines. A folder includes only headers of folders above it
-- in the table of src/README.md (and any list *.def). The same holds for
-- sub-folders that have an order. Each of lua.h, curses.h and readline may be
-- included by only one folder. The table in assets/doc/internals.md lists the
-- same folders in the same order, and these folders exist.
-- Usage: lua5.4 layers.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
local function read(path)
  local f <close> = assert(io.open(path))
  return f:read("a")
end

-- The order of the folders is that of the table in src/README.md. Folders in
-- one row have the same level. Sub-folders that a row names in code quotes have
-- the order given in the row. Files directly in the folder come last.
local floor, inner_floor, names = {}, {}, {}
local rooms = assert(read(source .. "/README.md"):match("\n# The rooms\n(.-)\n# "), "src/README.md has no rooms")
local n_floors = 0
for folders, text in rooms:gmatch("\n| (`[%w`, ]+`) | ([^\n]*)") do
  n_floors = n_floors + 1
  for name in folders:gmatch("`(%w+)`") do
    floor[name], names[#names + 1] = n_floors, name
    local n, floors = 0, {}
    for sub in text:match("^[^|]*"):gmatch("`(%w+)`") do
      local f = io.open(("%s/%s/%s"):format(source, name, sub))
      if f then
        f:close()
        n = n + 1
        floors[sub] = n
      end
    end
    if n > 0 then inner_floor[name] = floors end
  end
end

-- Folders in the table that do not exist.
local missing = {}
for _, name in ipairs(names) do missing[name] = true end
local folders = io.popen(("cd '%s' && ls -d */"):format(source))
for folder in folders:lines() do missing[folder:match("%w+")] = nil end

-- Returns the level, within its folder, of a path such as
-- "script/state/state.c" or "script/x.h".
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
  if path and path:match("^%w+") == folder and not path:match("%.def$")
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

for name in pairs(missing) do fault("src/README.md", 1, "there is no folder " .. name) end

-- Checks that the table in assets/doc/internals.md lists the folders in the
-- same order.
local page = "assets/doc/internals.md"
local internals = io.open(source .. "/../" .. page)
if internals then
  local at = 0
  local section = internals:read("a"):match("\n## Folders\n(.-)\n## ") or ""
  internals:close()
  for folders in section:gmatch("\n| (`[%w`, ]+`) |") do
    for name in folders:gmatch("`(%w+)`") do
      at = at + 1
      if names[at] ~= name then
        fault(page, 1, ("folder %d of its table is %s, but %s in src/README.md"):format(at, name, tostring(names[at])))
      end
    end
  end
  if at < #names then fault(page, 1, "its table lacks the folder " .. names[at + 1]) end
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
