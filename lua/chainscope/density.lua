-- Log densities of common distributions, including their constants. cs.lpdf.normal(y, mu, sigma)
-- returns a number; if arguments are lists, it is the sum over their entries.
-- cs.lpdf.each.normal(...) returns one log density per entry. Outside the support the value is
-- -inf. The densities are the rows of src/density.
local m = ...
local core, cs = m.core, m.cs

local total, each, rows = core.densities "lpdf"
rows[#rows + 1] = { "each.NAME", "...", "the same without the sum: one value per entry, as mixtures need" }
total.each = m.sealed("cs.lpdf.each", each)
cs.lpdf = m.sealed("cs.lpdf", total)
m.functions.lpdf = rows
