-- Log densities of common distributions, including their constants. cs.lpdf.normal(y, mu, sigma)
-- returns a number; if arguments are lists, it is the sum over their entries.
-- cs.lpdf.each.normal(...) returns one log density per entry. Outside the support the value is
-- -inf. cs.lcdf and cs.lccdf are the logs of distribution functions and of their complements. All
-- are the rows of src/density.
local m = ...
local core, cs = m.core, m.cs

for _, kind in ipairs { "lpdf", "lcdf", "lccdf" } do
  local total, each, rows = core.densities(kind)
  rows[#rows + 1] = { "each.NAME", "...", "the same without the sum: one value per entry, as mixtures need" }
  total.each = m.sealed("cs." .. kind .. ".each", each)
  cs[kind] = m.sealed("cs." .. kind, total)
  m.functions[kind] = rows
end
