-- Tests that the annotations for editors are valid Lua and include every name.
require "chainscope"
local words = assert(require("chainscope.core").words, "the module gives its words away")
local there = words.annotations()
assert(there == require("chainscope").reference "annotations")
assert(load(there, "meta.lua", "t"))
-- Each field is written as a plain name, so it must not be a reserved word of
-- Lua.
for name in there:gmatch "@field ([%a_][%w_]*)" do
  assert(load("return { " .. name .. " = 1 }"), "no table can have " .. name .. " = ... in it")
end
for _, name in ipairs(words.names()) do
  assert(there:find(name, 1, true), name .. " has no annotation")
end
