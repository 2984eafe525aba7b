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

-- In a mixed space, derivatives are those of the real coordinates a1, a2 and log s, at the labels of
-- the point: the mean of a is that of the labels, its standard deviation is s.
local mixed = cs.target {
  params = { { a = cs.real(2) }, { z = cs.label(3, 2) }, { s = cs.positive() } },
  log_density = function(p)
    return cs.lpdf.normal(p.a, cs.math.gather({ 0, 1, 5 }, p.z), p.s) + cs.lpdf.gamma(p.s, 3, 2)
  end,
}
for _, label in ipairs { 1, 3 } do
  local x = { 0.5, 1, label, 2, 0.3 }
  local s, off = math.exp(0.3), { 0.5 - (label == 1 and 0 or 5), 0 }
  local square = (off[1] ^ 2 + off[2] ^ 2) / s ^ 2
  local want = { { -1 / s ^ 2, 0, 2 * off[1] / s ^ 2 }, { 0, -1 / s ^ 2, 2 * off[2] / s ^ 2 },
                 { 2 * off[1] / s ^ 2, 2 * off[2] / s ^ 2, -2 * square - 2 * s } }
  local rows, method = mixed:hessian(x)
  local times, values = mixed:hessian_times(x, { 1, 2, 3 }), mixed:eigenvalues(x)
  assert(#rows == 3 and #times == 3 and #values == 3 and method == "by differences of the gradient")
  local trace = 0
  for i = 1, 3 do
    assert(#rows[i] == 3)
    for j = 1, 3 do near(rows[i][j], want[i][j], 1e-6) end
    near(times[i], want[i][1] + 2 * want[i][2] + 3 * want[i][3], 1e-6)
    trace = trace + values[i]
  end
  near(trace, want[1][1] + want[2][2] + want[3][3], 1e-6)
end

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
refuses("v is not a list of 3 numbers, one for each real coordinate", mixed.hessian_times, mixed, { 0, 0, 1, 1, 0 }, { 1, 0, 0, 0, 0 })
refuses("the probe curvature needs a space of one kind", cs.open, { target = mixed, arms = { a = cs.kernel.auto {} }, probes = { "curvature" } })
refuses("x is not a state of the space", mixed.hessian, mixed, { 0, 0, 4, 1, 0 })
refuses("x is not a state of the space", mixed.gradient, mixed, { 0, 0, 1.5, 1, 0 })
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
