-- Tests values of a target at a point: the density, the gradient, and second
-- derivatives.
local cs = require "chainscope"

local function near(a, b, tolerance)
  assert(math.abs(a - b) <= tolerance * (1 + math.abs(b)), a .. " is not " .. b)
end

local function density(x) return -0.5 * (x[1]^2 + 20 * (x[2] - x[1]^2)^2) end
local x, v = { 0.7, -0.3 }, { 2, -3 }
local off = x[2] - x[1]^2
local slope = { -x[1] + 40 * x[1] * off, -20 * off }
local bend = { { -1 + 40 * (off - 2 * x[1]^2), 40 * x[1] }, { 40 * x[1], -20 } }

local function check(t, tolerance, said)
  near(t:log_density(x), density(x), 1e-12)
  local g, h, how = t:gradient(x), t:hessian(x)
  assert(how == said, how)
  local hv, e = t:hessian_times(x, v), t:eigenvalues(x)
  for i = 1, 2 do
    near(g[i], slope[i], tolerance)
    near(hv[i], bend[i][1] * v[1] + bend[i][2] * v[2], tolerance)
    for j = 1, 2 do near(h[i][j], bend[i][j], tolerance) end
  end
  assert(#e == 2 and e[1] <= e[2])
  near(e[1] + e[2], bend[1][1] + bend[2][2], tolerance)
  near(e[1] * e[2], bend[1][1] * bend[2][2] - bend[1][2]^2, tolerance)
end

check(cs.target { space = cs.real(2), log_density = density }, 1e-12, "exact")
check(cs.target { space = cs.real(2), log_density = density, traced = false,
  gradient = function(y)
    return { -y[1] + 40 * y[1] * (y[2] - y[1]^2), -20 * (y[2] - y[1]^2) }
  end }, 1e-7, "by differences of the gradient")

-- Compares second derivatives with finite differences, for nine modes in the plane. The target
-- is symmetric about the middle mode.
local h, how = cs.target.nine_modes {}:hessian { 0, 0 }
assert(how:find "differences")
near(h[1][1], h[2][2], 1e-6)
near(h[1][2], 0, 1e-6)

-- In a discrete space, derivatives are those of the differentiable extension of
-- log p.
local b = cs.target { space = cs.binary(3),
  log_density = function(y) return 2 * y[1] * y[2] + y[3] end }
assert(b:hessian { 1, 0, 1 } [1][2] == 2 and b:hessian { 1, 0, 1 } [3][3] == 0)
local d = b:differences({ 1, 0, 1 }, 2)
assert(#d == 2 and d[1] == 0 and d[2] == 2)

local function refuses(want, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and text:find(want, 1, true), text)
end
refuses("not a list of 2 numbers", function() b = cs.target.nine_modes {} b:gradient { 1 } end)
refuses("not a list of 2 numbers", function() b:hessian_times({ 1, 2 }) end)
refuses("not a list of 2 numbers", function() b:gradient { 1, "x" } end)
refuses("i must be between 1 and 3", function()
  cs.target { space = cs.binary(3), log_density = function(y) return y[1] end }
    :differences({ 0, 0, 0 }, 4)
end)
refuses("not a state of the space", function()
  cs.target { space = cs.binary(1), log_density = function(y) return y[1] end }
    :differences({ 0.5 }, 1)
end)
refuses("needs a discrete space", function() b:differences({ 0, 0 }, 1) end)
refuses("with a colon", function() b.gradient { 1, 2 } end)
refuses("no second derivatives", function() cs.target.lattice_modes {}:hessian { 3, 4 } end)
-- For sixteen states the second derivatives are exact. The curvature along a
-- single bit is 0.
do
  local h, how = cs.target.bernoulli4 {}:hessian { 0, 1, 0, 1 }
  assert(h[1][1] == 0 and h[1][2] == h[2][1] and h[1][2] ~= 0 and how == "exact", how)
end
refuses("hessian_times", function()
  cs.target { space = cs.real(3000), log_density = function(y) return -cs.math.sum(y * y) end }
    :hessian {}
end)
