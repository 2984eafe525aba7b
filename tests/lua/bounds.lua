-- Tests bounds on the terms of a sum over rows. The bounds are given
-- explicitly, or are computed over a region. Errors in both kinds are reported.
local cs = require "chainscope"
local M = cs.math

local N, x, y = 500, {}, {}
for i = 1, N do
  x[i], y[i] = { math.sin(i), math.cos(2 * i), math.sin(3 * i + 1) }, i % 2
end
local function term(b, row)
  local e = M.dot(b, row.x)
  return row.y * e - M.softplus(e)
end
local function target(fields)
  local all = { space = cs.real(3), data = { x = x, y = y }, term = term }
  for name, value in pairs(fields) do all[name] = value end
  return cs.target(all)
end
local function refuses(fields, ...)
  local ok, why = pcall(target, fields)
  assert(not ok, "nothing was refused")
  for _, part in ipairs { ... } do assert(why:find(part, 1, true), why) end
end

-- A region restricts the prior. Inside the region the density is unchanged.
local free = target {}
local ball, box = target { region = { ball = 2 } }, target { region = { box = { -1, { 1, 2, 3 } } } }
local inside = { 0.5, -0.5, 1 }
for _, t in ipairs { ball, box } do
  assert(math.abs(t:log_density(inside) - free:log_density(inside)) < 1e-9)
  local g, h = t:gradient(inside), free:gradient(inside)
  for d = 1, 3 do assert(math.abs(g[d] - h[d]) < 1e-9) end
end
assert(ball:log_density { 0, 0, 2.001 } == -math.huge and ball:log_density { 0, 0, 1.999 } > -math.huge)
assert(box:log_density { -1.001, 0, 0 } == -math.huge and box:log_density { 0.9, 1.9, 2.9 } > -math.huge)
assert(box:log_density { 0, 2.1, 0 } == -math.huge)

-- A kernel that draws rows in proportion to their bounds accepts bounds in
-- every form.
local function run(t)
  local r = cs.open { target = t, seed = 1, chains = 2, budget = { steps = 60 },
                      arms = { a = cs.kernel.poisson_mh { step = 0.1 } } }
  while r:step(20) > 0 do end
  return r:arm "a"
end
local function largest(row) return 2 * M.norm(row.x) end
for _, t in ipairs {
  ball, box,
  target { region = { ball = 2 }, bound = function(row) return -M.softplus(largest(row)), 0 end },
  target { prior = function(b) return M.where(M.le(M.sum(b^2), 4), 0, -math.huge) end },
} do
  assert(run(t).steps == 60)
end
local ok, why = pcall(run, free)
assert(not ok and why:find("region", 1, true), why)

-- If every parameter has a lower and an upper limit, no region is needed.
assert(run(cs.target {
  params = { b = cs.interval(-1, 1, 3) }, data = { x = x, y = y },
  term = function(p, row) return term(p.b, row) end,
}).steps == 60)

refuses({ region = { bal = 3 } }, "did you mean 'ball'?")
refuses({ region = {} }, "a ball or a box")
refuses({ region = { ball = 1, box = { -1, 1 } } }, "a ball or a box")
refuses({ region = { ball = -1 } }, "a number above 0")
refuses({ region = { box = { 1 } } }, "two sides")
refuses({ region = { box = { 1, 1 } } }, "empty")
refuses({ region = { box = { { 1, 2 }, 3 } } }, "2 numbers, but the state has 3")
refuses({ region = { box = { "a", 3 } } }, "is a string")
refuses({ region = 3 }, "'region' is a number")
refuses({ bounds = 3 }, "did you mean 'bound'?")
refuses({ lipshitz = 3 }, "did you mean 'lipschitz'?")
refuses({ bound = function() return 1, 0 end }, "bound: row 1: low = 1 is above high = 0")
refuses({ bound = function(row) return -9, row.y == 1 and math.huge or 0 end }, "row 1: the function returned inf")
refuses({ bound = function(row) return 1 end }, "row 1: the function returned too few values", "return low, high")
refuses({ bound = function() return 1, "a" end }, "the function returned a string")
refuses({ bound = function(row) return -row.z, 0 end }, "a row has no 'z'")
refuses({ lipschitz = function(row) return -row.y end }, "lipschitz: row 1: the function returned -1")
refuses({ lipschitz = function() end }, "lipschitz: row 1: the function returned too few values", "return c")
-- Wrong bounds are detected, because the program checks them at a few states.
refuses({ region = { ball = 2 }, bound = function() return -1, 0 end }, "bound: the term is -", "outside the range -1 to 0", ", row ")
refuses({ lipschitz = function() return 0.01 end }, "lipschitz: the term changes by", "0.01 times that")
target { lipschitz = function(row) return M.norm(row.x) end }

-- A term with a pole has no bounds; the error names its line.
ok, why = pcall(run, target { region = { ball = 2 }, term = function(b, row)
  return M.log(b[1] + row.x[1])
end })
assert(not ok and why:find("row 1: the term", 1, true) and why:find("line %d+") and
       why:find("bound = function", 1, true), why)
