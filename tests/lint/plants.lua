-- Records of planted faults are up to date: what each replaces is in its file once,
-- and its test exists. Usage: plants.lua ROOT NAMES, a file with all tests' names
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
    r.say("%s in %s: bring the fault %s up to date", why, r.file, r.name)
  end
  if r.old and not tests[r.test] then
    r.say("there is no test %s, which catches %s: name one of ctest's", r.test, r.name)
  end
end
if #list == 0 then say("no records in " .. root .. "/tests/plants") end
os.exit(faults == 0 and 0 or 1)
