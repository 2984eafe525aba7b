-- Checks the tables in the section "What runs where" of src/README.md. They
-- name every file of the program that starts a process or a thread, or that
-- creates a connection between two processes or threads. Every file named there
-- exists.
-- Usage: lua5.4 processes.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
-- Calls for which the tables must list the file. The exceptions are files that
-- only use connections made by other files: the bench, restarting the program,
-- and its output.
local calls = { "pthread_create%s*%(", "%f[%w_]fork%s*%(%)", "%f[%w_]socketpair%s*%(",
  "%f[%w_]eventfd%s*%(", "%f[%w_]pipe%s*%(", "MAP_SHARED", "posix_spawnp?%s*%(" }
local others = { bench = true }

local function read(path)
  local f <close> = assert(io.open(path))
  return f:read("a")
end

local text = read(source .. "/README.md")
local section = assert(text:match("\n# What runs where\n(.*)"), "src/README.md has no part 'What runs where'")
local told = {}
for line in section:gmatch("\n(|[^\n]*)") do
  for file in line:gmatch("`([%w_/]+%.c)`") do told[file] = false end
end
local faults = 0
local function fault(...)
  print(string.format(...))
  faults = faults + 1
end
local files = io.popen(("find '%s' -name '*.c' | sort"):format(source))
for path in files:lines() do
  local name = path:sub(#source + 2)
  local body = read(path):gsub("/%*.-%*/", "")
  local makes = false
  for _, call in ipairs(calls) do makes = makes or body:find(call) ~= nil end
  if makes and not others[name:match("^%w+")] and told[name] == nil then
    fault("%s begins a process or thread, or connects two: src/README.md, What runs where, does not name it", name)
  end
  if told[name] ~= nil then told[name] = true end
end
for name, there in pairs(told) do
  if not there then fault("src/README.md, What runs where: there is no file %s", name) end
end
os.exit(faults == 0 and 0 or 1)
