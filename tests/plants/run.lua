-- Plants every recorded fault, one at a time, in a copy of the tree, and
-- expects the fault's test to fail. Prints one line per fault and the number of
-- detected faults. Exits with code 1 if a fault was not detected.
-- Usage: run.lua ROOT FOLDER LUA_FOLDER [GENERATOR]
--   ROOT    the sources, in git
--   FOLDER  the copy and its build, kept between runs
-- PLANTS=PATTERN selects faults whose name, file or list matches the Lua
-- pattern. A fault that was detected is not tried again until the sources or
-- the record change.
local root, folder, here, generator = arg[1], arg[2], arg[3], arg[4] or "Ninja"
package.path = here .. "/?.lua;" .. package.path
local records = require "records"
local tree, log = folder .. "/tree", folder .. "/log"
local build = tree .. "/build" -- the same path as in a clone, so that ccache finds its objects
local pattern = os.getenv("PLANTS") or ""

local function run(command, ...)
  local shared = ("export CCACHE_BASEDIR='%s' CCACHE_NOHASHDIR=1; "):format(tree)
  local quiet = (shared .. "{ " .. command .. "\n} >'%s' 2>&1"):format(...)
  return (os.execute(quiet))
end

local function write(path, text)
  local f = assert(io.open(path, "wb"))
  assert(f:write(text))
  assert(f:close())
end

local function give_up(...)
  io.stderr:write("plants: ", string.format(...), "\n")
  os.exit(1)
end

-- ---- copy of the tree ------------------------------------------------------

-- Writes only files that differ, so that only these are compiled again.
local function copy_tree()
  local wanted = {}
  local list = "cd '%s' && git ls-files -co --exclude-standard"
  for _, path in ipairs(records.lines(list:format(root))) do
    local text = records.slurp(root .. "/" .. path)
    wanted[path] = text ~= nil
    if text and text ~= records.slurp(tree .. "/" .. path) then
      local copy = "cd '%s' && cp -P --parents '%s' '%s'"
      if not os.execute(copy:format(root, path, tree)) then
        give_up("%s is not copied to %s", path, tree)
      end
    end
  end
  if not next(wanted) then give_up("git knows no files in %s", root) end
  for _, path in ipairs(records.lines(("cd '%s' && find . -path ./build -prune -o -type f -print"):format(tree))) do
    if not wanted[path:sub(3)] then os.remove(tree .. "/" .. path) end
  end
end

local function sum_of_tree()
  local sums = "cd '%s' && find . -path ./build -prune -o -path ./tests/plants -prune -o " ..
    "-type f -print0 | " ..
    "LC_ALL=C sort -z | xargs -0 cksum | cksum"
  return records.lines(sums:format(tree))[1]
end

-- ---- builds and tests ------------------------------------------------------

local function build_of(targets)
  return run("cmake --build '%s' --target %s", build, targets, log)
end

-- Targets that a test needs, from its command in ctest's list.
local targets = {}
local function targets_of(test)
  if targets[test] then return targets[test] end
  local list = records.slurp(build .. "/tests/CTestTestfile.cmake") or ""
  local found, once = {}, {}
  for name, command in list:gmatch("\nadd_test%(%[?=*%[?([^%s%]]+)%]?=*%]? ([^\n]*)") do
    for word in (name == test and command or ""):gmatch("[^%s\"()]+") do
      if word:sub(1, #build + 1) == build .. "/" and not once[word] then
        once[word] = true
        found[#found + 1] = word:match("([^/]+)$")
      end
    end
  end
  if test:match("^lua/") then found[#found + 1] = "chainscope_lua" end
  targets[test] = table.concat(found, " ")
  return targets[test]
end

local function passes(test)
  return run("ctest --test-dir '%s' -R '^%s$' --no-tests=error --timeout 600 " ..
    "--output-on-failure", build, test, log)
end

-- Returns the reasons why a test fails in the tree without a fault; nil if it
-- passes.
local clean = {}
local function unfit(test)
  if clean[test] == nil then
    clean[test] = false
    if targets_of(test) == "" then clean[test] = "no such test, or it runs no program"
    elseif not build_of(targets_of(test)) then clean[test] = "its test is not built"
    elseif not passes(test) then clean[test] = "its test fails without the fault" end
  end
  return clean[test] or nil
end

-- Returns nil if the fault was detected, or the reason why not.
local function escapes(record)
  local path = tree .. "/" .. record.file
  local text = records.slurp(path)
  local planted, why = records.replace(text, record)
  why = why or unfit(record.test)
  if why then return why end
  write(path, planted)
  if not build_of(targets_of(record.test)) then why = "it does not compile"
  elseif passes(record.test) then why = "its test passes" end
  write(path, text)
  return why
end

-- ---- faults detected earlier -----------------------------------------------

local caught_file, caught = folder .. "/caught", {}
local function key(r)
  local all = table.concat({ r.name, r.file, r.test, r.old, r.new }, "\1")
  return (("%q"):format(all):gsub("\n", " "))
end

local function read_caught(sum)
  local text = records.slurp(caught_file) or ""
  if text:match("^[^\n]*") ~= sum then return write(caught_file, sum .. "\n") end
  for line in text:gmatch("\n([^\n]+)") do caught[line] = true end
end

local function keep_caught(record)
  local f = assert(io.open(caught_file, "a"))
  f:write(key(record), "\n")
  f:close()
end

-- ---- all faults ------------------------------------------------------------

assert(os.execute(("mkdir -p '%s'"):format(build)))
copy_tree()
read_caught(sum_of_tree())
if not run("cmake -G '%s' -S '%s' -B '%s'", generator, tree, build, log) then
  give_up("the copy is not configured: %s says why", log)
end
local malformed = 0
local list = records.read(tree .. "/tests/plants", function(text)
  malformed = malformed + 1
  print(text)
end)

local function is_wanted(r)
  return r.name:find(pattern) or r.file:find(pattern) or r.from:find(pattern)
end

local n, held = 0, 0
for _, record in ipairs(list) do
  if record.old and is_wanted(record) then
    n = n + 1
    local before, start = caught[key(record)], os.time()
    local why = not before and escapes(record) or nil
    held = held + (why and 0 or 1)
    if not why and not before then keep_caught(record) end
    print(("%-10s %-32s %s%s"):format(why and "NOT CAUGHT" or "caught", record.name,
      record.test, why and ": " .. why or before and ", before" or
      (", %d s"):format(os.time() - start)))
    io.stdout:flush()
  end
end
print(("detected %d of %d"):format(held, n))
os.exit(malformed == 0 and n > 0 and held == n and 0 or 1)
