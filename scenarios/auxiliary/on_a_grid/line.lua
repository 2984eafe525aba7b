-- A posterior given two observations that disagree (Student-t errors), on an interval.
-- The module gives this posterior as a target for chains and as a grid for cs.theory.
--
--     log p(x) = -x^2 / 200 - 3 sum_i log(1 + (x - y_i)^2),  y = -2, 2,  |x| < 3
local cs = require "chainscope"
local M = cs.math

local line = { rows = { -2, 2 }, points = 60 }
local strength, ends, sd = 3, 3, 10

local function low(y) return -strength * math.log(1 + (ends + math.abs(y))^2) end

line.target = cs.target {
  name = "two rows",
  space = cs.real(1), data = { y = line.rows }, region = { box = { -ends, ends } },
  prior = function(x) return -x[1]^2 / (2 * sd^2) end,
  term = function(x, row) return -strength * M.log1p((x[1] - row.y)^2) end,
  bound = function(row) return low(row.y), 0 end,
  lipschitz = function() return strength end, -- where |x - y| is 1
}

-- Returns the midpoints of `points` cells, and the terms, bounds and slopes of
-- the rows at these points.
function line.grid(more)
  local n = more.points or line.points
  local t = { x = {}, prior = {}, prior_slopes = {}, terms = {}, slopes = {} }
  for a = 1, n do
    local x = -ends + 2 * ends * (a - 0.5) / n
    t.x[a], t.prior[a], t.prior_slopes[a] = x, -x^2 / (2 * sd^2), -x / sd^2
  end
  for i, y in ipairs(line.rows) do
    t.terms[i], t.slopes[i] = {}, {}
    for a, x in ipairs(t.x) do
      t.terms[i][a] = -strength * math.log(1 + (x - y)^2)
      t.slopes[i][a] = -2 * strength * (x - y) / (1 + (x - y)^2)
    end
  end
  for name, value in next, more do
    if name ~= "points" then t[name] = value end
  end
  return t
end

-- Returns the result of cs.theory, cached.
local found = {}
local function theory(name, knob, fields)
  local key = table.concat({ name, knob, fields.points or "" }, " ")
  if not found[key] then found[key] = cs.theory[name](line.grid(fields)) end
  return found[key]
end

-- Returns the result of cs.theory for a Poisson kernel. If `given` is a number, the grid
-- has this number of points, and the result also has the steps given omega_1.
function line.poisson(name, step, lambda, given)
  local lows, widths = {}, {}
  for i, y in ipairs(line.rows) do lows[i], widths[i] = low(y), -low(y) end
  return theory(name, lambda, { step = step, lambda = lambda, lows = lows, widths = widths,
                                points = given, given = given ~= nil })
end

function line.tuna(name, step, chi, given)
  return theory(name, chi, { step = step, chi = chi, batch = name == "tuna_sgld" and 1 or nil,
                             lipschitz = { strength, strength }, points = given, given = given ~= nil })
end

return line
