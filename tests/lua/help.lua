-- Tests the help. It covers every word in cs, every field of every table, every
-- method and field of every object, and every figure. The reference names all
-- of these. The examples in the help are valid Lua, and the examples of
-- built-in types create an object.
local cs = require "chainscope"
local words = require("chainscope.core").words
local what_is = cs.describe()

local function explains(name)
  local good, text = pcall(cs.help, name)
  assert(good and #text > 10, "no help on " .. tostring(name) .. ": " .. tostring(text))
  return text
end

local reference = cs.reference()
local function is_named(name, why)
  assert(reference:find("`" .. name, 1, true), name .. " is not in the reference: " .. (why or ""))
end

-- ---- words -----------------------------------------------------------------

for name, value in pairs(words.vocabulary()) do
  explains(name)
  is_named("cs." .. name)
  if type(value) == "table" or type(value) == "function" then explains(value) end
end
assert(cs.help(cs.kernel):find("built in: cs.kernel.NAME", 1, true))
assert(explains("cs.target"):find("cs.target(own)", 1, true))
assert(explains("run:rewind"):find("goes back n steps", 1, true))
assert(not pcall(cs.help, "no_such_word"))

-- ---- fields, methods, figures --------------------------------------------

for _, name in ipairs(words.help_names()) do
  explains(name)
  is_named(name)
end
local n = 0
for family, types in pairs { kernel = what_is.kernels, target = what_is.targets,
                             schedule = what_is.schedules, tuner = what_is.tuners } do
  for name, kind in pairs(types) do
    explains(name)
    is_named(name)
    for _, row in ipairs(kind) do is_named(row.name, name) end
    local example = reference:match("```lua\n(cs%." .. family .. "%." .. name .. " {.-)\n```")
    assert(example, "no example of " .. name)
    local made = assert(load("local cs = ...; return " .. example, example))
    local good, why = pcall(made, cs)
    n = n + 1
    assert(good or why:find("required", 1, true) or why:find("needs the field", 1, true),
           example .. ": " .. tostring(why))
  end
end
assert(n > 30)

-- ---- examples ------------------------------------------------------------

local blocks = 0
for block in reference:gmatch "```lua\n(.-)\n```" do
  blocks = blocks + 1
  assert(load(block) or load("return " .. block) or load("return { " .. block .. " }"), block)
end
assert(blocks > 50)
