-- chainscope/meta.lua says what the program's rows say; --write makes it so.
require "chainscope"
local path = package.searchpath("chainscope", package.path):gsub("init%.lua$", "meta.lua")
local cs_words = assert(require("chainscope.core").words, "the module gives its words away")
local text = cs_words.annotations()
if arg and arg[1] == "--write" then
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end
local file = assert(io.open(path))
local there = file:read "a"
file:close()
assert(there == text, "meta.lua is old: cmake --build build --target regenerate")
assert(load(there, "meta.lua", "t"))
-- A field is written as a plain name: no word of Lua's own.
for name in there:gmatch "@field ([%a_][%w_]*)" do
  assert(load("return { " .. name .. " = 1 }"), "no table can have " .. name .. " = ... in it")
end
for _, name in ipairs(cs_words.names()) do
  assert(there:find(name, 1, true), name .. " has no annotation")
end
