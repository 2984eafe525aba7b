-- Tests that a part of the module is loaded when one of its names is first
-- used. The first use of each name works. A misspelt name is also compared with
-- names of parts that are not loaded yet.
local core = require "chainscope.core"
local function fresh()
  package.loaded.chainscope = nil
  local cs = require "chainscope"
  return cs, core.words
end

local function names_of(t)
  local list = {}
  for name in pairs(t) do list[#list + 1] = name end
  return list
end

local all = names_of((fresh()))
assert(#all > 20, #all .. " names only")
for _, name in ipairs(all) do
  assert(fresh()[name] ~= nil, name .. " is not there when it is asked for first")
end

for _, name in ipairs { "annotations", "names" } do
  local _, words = fresh()
  assert(words[name], name .. " is not there when it is asked for first")
end

local ok, why = pcall(function() return fresh().lpfd end)
assert(not ok and why:find("did you mean 'lpdf'?", 1, true), why)

-- A part is loaded only once.
local cs = fresh()
assert(cs.lpdf == cs.lpdf and rawequal(cs.lpdf.normal, cs.lpdf.normal))

-- Opening a scenario without a course loads neither the lesson nor the reports of results, although
-- the session asks for the start of the lesson.
local sampler, words = fresh()
local run = sampler.open { target = sampler.target.gaussian { dim = 1 }, arms = { sampler.kernel.mala {} } }
assert(words.results(run, "course start") == "")
local m
for i = 1, 3 do
  local _, value = debug.getupvalue(words.results, i)
  if rawget(value, "cs") then m = value end
end
assert(m, "the table of the module is not found")
for _, name in ipairs { "results", "lesson", "course_of", "judge", "figures" } do
  assert(rawget(m, name) == nil, name .. " is loaded")
end
assert(m.results, "results cannot be loaded")
