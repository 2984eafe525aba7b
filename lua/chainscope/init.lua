-- chainscope: the words in which a scenario is written. The C core is handed
-- in by the program; a stock Lua finds it as chainscope.core. The parts share
-- one table: what scripts see (cs), the rows of their tables, the core.
local core = ...
if type(core) ~= "table" then core = require "chainscope.core" end

local m = { core = core, cs = {}, rows = {}, words = { core = core } }
for _, name in ipairs { "check", "words", "density", "params", "figures", "claims", "scenario", "run", "network", "help", "annotate" } do
  core.part(name)(m)
end
m.cs.version, core.words = core.version, m.words
return m.sealed("chainscope", m.cs), m.words
