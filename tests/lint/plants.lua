-- Checks that the records of planted faults are up to date: the text that a
-- fault replaces occurs exactly once in its file, and the fault's test exists.
-- Usage: plants.lua ROOT NAMES, where NAMES is a file with the names of all
-- tests
local root, names = assert(arg[1], "which tree?"), assert(arg[2], "which tests?")
package.path = arg[0]:gsub("[^/]*$", "") .. "../plants/?.lua;" .. package.path
local records = require "records"
local faults, tests = 0, {}
for name in io.lines(names) do tests[name] = true end

local function say(text)
  faults = faults + 1
  print(text)
end
local list = records.read(root .. "/tests/plants", say)
for _, r in ipairs(list) do
  local _, why = records.replace(r.old and records.slurp(root .. "/" .. r.file), r)
  if r.old and why then
    r.say("%s in %s: update the fault %s", why, r.file, r.name)
  end
  if r.old and not tests[r.test] then
    r.say("the test %s of the fault %s does not exist: use a name from ctest", r.test, r.name)
  end
end
if #list == 0 then say("no records in " .. root .. "/tests/plants") end
os.exit(faults == 0 and 0 or 1)
