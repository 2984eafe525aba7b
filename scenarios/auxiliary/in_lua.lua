-- A regression written in one line of Lua, with bounds found automatically.
--
-- The built-in robust_regression has bounds derived by hand. Here the term of a row (its
-- log likelihood) is one line of Lua that uses the columns of a table. The only other
-- input is the region of the coefficients, a ball of radius 15. Interval arithmetic on
-- this line of Lua bounds the term of each row in that ball from below and from above.
-- Kernels that draw rows by bounds, with or without gradients, need no other input.
--
-- Watch `rows`: 273 rows per step on average, the same as with bounds derived by hand.
-- Try another radius, lambda = 1e-9, or your own `bound = function(row) ... end`.
local cs = require "chainscope"
local M = cs.math

-- Random rows. The small generator gives the same rows on every machine.
local word = 1
local function normal()
  local function uniform()
    word = (word * 16807) % 2147483647
    return word / 2147483647
  end
  return math.sqrt(-2 * math.log(uniform())) * math.cos(6.283185307179586 * uniform())
end

-- Computed by hand: the smallest value of a term is -beta (nu + 1) / 2 log(1 + (|y| +
-- 15 |x|)^2 / nu), and the largest is 0. Bounds from interval arithmetic depend on
-- how the line of code is written. If a term is written in another way, it may have
-- wider bounds.
local N, nu, beta, radius = 10000, 4, 1e-3, 15
local x, y, by_hand = {}, {}, 0
for i = 1, N do
  local row, square = { normal(), normal(), normal() }, 0
  y[i] = normal()
  for j = 1, 3 do y[i], square = y[i] + row[j], square + row[j]^2 end
  x[i] = row
  by_hand = by_hand + beta * (nu + 1) / 2 * math.log(1 + (math.abs(y[i]) + radius * math.sqrt(square))^2 / nu)
end
local lambda = 0.01
local rows = by_hand + lambda * by_hand^2

return cs.scenario {
  title  = "Bounds from a line of Lua",
  shows  = "A term written in Lua is sampled with a few hundred of its 10,000 rows per step",
  source = "auxiliary, section 5.2 and appendix F.2",

  target = cs.target {
    space = cs.real(3),
    data = { x = x, y = y },
    region = { ball = radius },
    term = function(b, row)
      local r = row.y - M.dot(b, row.x)
      return -beta * (nu + 1) / 2 * M.log1p(r^2 / nu)
    end,
  },
  chains = 8, seed = 17, start = { 1, 1, 1 },
  arms   = {
    mala    = cs.kernel.mala { step = 0.6 },
    poisson = cs.kernel.poisson_mala { step = 0.6, lambda = lambda },
    tuna    = cs.kernel.tuna_mh { step = 0.3, chi = 0.1 },
  },
  budget = { data_terms = 1e6, each = "chain" },
  warmup = 10,
  screen = { "lesson", { "rows", arm = "poisson" }, { "trace", quantity = "x.1" }, "acceptance", "summary" },

  claims = {
    { arm = "poisson", stat = "rows_drawn", near = rows, within = 0.03 * rows, note = "as with bounds derived by hand" },
    { arm = "poisson", stat = "ess", of = "x.1", ratio_to = "mala", at_least = 10 },
    { arm = "poisson", stat = "acceptance", at_least = 0.4 },
  },
}
