-- Differential equations in log densities: values and gradients by formulas and differences,
-- failures, and mistakes in scripts.
local cs = require "chainscope"
local M = cs.math

local function near(a, b, tolerance, what)
  assert(math.abs(a - b) <= tolerance * (1 + math.abs(b)), ("%s: %.12g, not %.12g"):format(what, a, b))
end
-- Compares the gradient with differences of fourth order.
local function check_gradient(target, x, h, tolerance)
  local slope = target:gradient(x)
  for i = 1, #x do
    local function at(step)
      local y = { table.unpack(x) }
      y[i] = y[i] + step
      return target:log_density(y)
    end
    near(slope[i], (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h), tolerance, "slope " .. i)
  end
end

-- A damped oscillator, whose solution is known: y = exp(-c t) (a cos w t + (b + c a) / w sin w t).
local times = { 0, 0.5, 1, 1, 4 }
local function formula(c, w, a, b, t)
  return math.exp(-c * t) * (a * math.cos(w * t) + (b + c * a) / w * math.sin(w * t))
end
for method, tolerance in next, { rk45 = 1e-9, rk8 = 1e-9, bdf = 1e-5 } do
  local limit = method == "bdf" and 1e-9 or 1e-12
  local target = cs.target { params = { { c = cs.real() }, { w = cs.real() }, { y0 = cs.real(2) } }, log_density = function(p)
    local y = cs.ode {
      f = function(_, y, p) return { y[2], -2 * p.c * y[2] - (p.c ^ 2 + p.w ^ 2) * y[1] } end,
      y0 = p.y0, p = { c = p.c, w = p.w }, times = times, method = method, relative = limit, absolute = limit }
    return M.sum(M.transpose(y)[1] * { 1, 2, 3, 4, 5 })
  end }
  local x, want = { 0.3, 1.7, 0.8, -0.4 }, 0
  for i, t in ipairs(times) do want = want + i * formula(x[1], x[2], x[3], x[4], t) end
  near(target:log_density(x), want, tolerance, method)
  -- the gradient is compared with differences of the formula
  local slope = target:gradient(x)
  for j = 1, 4 do
    local function at(step)
      local u, sum = { table.unpack(x) }, 0
      u[j] = u[j] + step
      for i, t in ipairs(times) do sum = sum + i * formula(u[1], u[2], u[3], u[4], t) end
      return sum
    end
    near(slope[j], (8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3, math.max(tolerance, 1e-8), method .. j)
  end
end

-- Hares and lynx, a system that depends on t, and one without parameters.
local function predators(method, tolerance)
  return cs.target { params = { { q = cs.positive(6) } }, log_density = function(p)
    local y = cs.ode {
      f = function(t, y, q) return { (q[1] - q[2] * y[2]) * y[1] + 0.1 * M.sin(t), (q[4] * y[1] - q[3]) * y[2] } end,
      y0 = { p.q[5], p.q[6] }, p = M.slice(p.q, 1, 4), t0 = 1, times = { 1, 3, 8, 15 }, method = method,
      relative = tolerance, absolute = tolerance, steps = 1000 }
    return M.sum(M.log(y))
  end }
end
local x = {}
for i, v in ipairs { 0.55, 0.028, 0.8, 0.024, 34, 5.9 } do x[i] = math.log(v) end
check_gradient(predators("rk8", 1e-12), x, 2e-3, 1e-8)
local slope, backward = predators("rk8", 1e-12):gradient(x), predators("bdf", 1e-7):gradient(x)
for i = 1, 6 do near(backward[i], slope[i], 1e-4, "slope by bdf") end
near(predators("rk45", 1e-6):log_density(x), predators("rk8", 1e-12):log_density(x), 1e-4, "tolerance")
near(cs.ode { f = function(t) return { 3 * t ^ 2 } end, y0 = { 1 }, times = { 2 } }[1][1], 9, 1e-6, "t")

-- Robertson's stiff reaction: the published values at t = 40 are 0.7158271, 9.1855e-6, 0.2841637.
local stiff = cs.target { params = { { k = cs.positive() } }, log_density = function(p)
  return M.sum(cs.ode { f = function(_, y, q)
      local a, b, c = 0.04 * q[1] * y[1], 1e4 * y[2] * y[3], 3e7 * y[2] ^ 2
      return { b - a, a - b - c, c }
    end, y0 = { 1, 0, 0 }, p = { p.k }, times = { 40 }, method = "bdf", relative = 1e-7, absolute = 1e-10 }[1] * { 1, 0, 0 })
end }
near(stiff:log_density { 0 }, 0.7158271, 1e-6, "Robertson")
check_gradient(stiff, { 0 }, 1e-2, 1e-4)

-- The same bits at each call, for any number of workers, and in a resumed run.
local hares = predators("rk45", 1e-6)
assert(hares:log_density(x) == hares:log_density(x))
local function run(workers)
  local r = cs.open { target = hares, seed = 2, chains = 6, workers = workers, start = { q = { 0.55, 0.028, 0.8, 0.024, 34, 5.9 } },
    arms = { cs.kernel.hmc { step = 0.01, leapfrogs = 3 } } }
  r:step(20)
  return r
end
local one, two = run(1), run(3)
for c = 1, 6 do
  for i = 1, 6 do assert(one:arm(1):chain(c):state()[i] == two:arm(1):chain(c):state()[i]) end
end

-- A system per row of data, in generated quantities, and second derivatives by differences.
local rows = cs.target { params = { { rate = cs.positive() } }, data = { { dose = 1, y = 0.5 }, { dose = 3, y = 1.2 } },
  term = function(p, row)
    local y = cs.ode { f = function(_, y, q) return { -q[1] * y[1] } end, y0 = { row.dose }, p = { p.rate }, times = { 1 }, relative = 1e-10, absolute = 1e-10 }
    return cs.lpdf.normal(row.y, y[1][1], 1)
  end,
  generated = function(p)
    return { left = cs.ode { f = function(_, y, q) return { -q[1] * y[1] } end, y0 = { 1 }, p = { p.rate }, times = { 1, 2 } }[2][1] }
  end }
local decay = math.exp(-math.exp(0.2))
near(rows:log_density { 0.2 }, cs.lpdf.normal(0.5, decay, 1) + cs.lpdf.normal(1.2, 3 * decay, 1) + 0.2, 1e-8, "rows")
check_gradient(rows, { 0.2 }, 1e-3, 1e-7)
local _, how = hares:hessian(x)
assert(how:find "differences")

-- A solution that does not exist gives no log density; the proposals are counted with the reason.
local function bursting(steps)
  return cs.target { params = { { a = cs.real() } }, log_density = function(p)
    return cs.lpdf.normal(p.a, 0, 1) + 0 * M.sum(cs.ode { f = function(_, y, q) return { q[1] * y[1] ^ 2 } end,
      y0 = { 1 }, p = { p.a }, times = { 1 }, steps = steps })
  end }
end
local burst = bursting()
assert(burst:log_density { 2 } ~= burst:log_density { 2 } and burst:gradient { 2 }[1] ~= burst:gradient { 2 }[1])
near(burst:log_density { 0.5 }, cs.lpdf.normal(0.5, 0, 1), 1e-12, "before the burst")
local counted = cs.open { target = burst, chains = 2, seed = 1, start = { a = 0 }, arms = { cs.kernel.random_walk { step = 1.5 } } }
counted:step(400)
local text = counted:summary()
assert(text:find "cs.ode failed %d+ times, the last time because", text)
local short = bursting(3)
assert(short:log_density { 0.9 } ~= short:log_density { 0.9 })

-- Mistakes.
local function fails(said, fields, plain)
  local ok, why = pcall(cs.target, { params = { { a = cs.real() }, { v = cs.real(2) } }, log_density = function(p)
    local t = { f = function(_, y, q) return { -q[1] * y[1] } end, y0 = { 1 }, p = { p.a }, times = { 1 } }
    for k, v in next, type(fields) == "function" and fields(p) or fields do t[k] = v end
    return M.sum(cs.ode(t))
  end })
  assert(not ok and tostring(why):find(said, 1, true), tostring(why))
end
fails("the right-hand side of cs.ode uses a value of the state: give it in the field p", function(p) return { f = function(_, y) return { -p.a * y[1] } end } end)
fails("cs.ode: f returned 2 numbers, but y0 has 1", { f = function(_, y) return { y[1], y[1] } end })
fails("cs.ode: times[2] = 1 is below the time before it = 2", { times = { 2, 1 } })
fails("cs.ode: times[1] = -1 is below t0 = 0", { times = { -1 } })
fails("there is no method 'euler'", { method = "euler" })
fails("cs.ode has no field 'tol': ", { tol = 1 })
fails("relative must be a number above 0", { relative = 0 })
fails("steps must be a whole number from 1", { steps = 0.5 })
fails("cs.ode: p.b is a vector", function(p) return { p = { b = p.v } } end)
fails("a value of the state cannot be compared", { f = function(_, y) if y[1] > 0 then return { 1 } end return { 2 } end })
for _, case in ipairs {
  { "cs.ode takes one table", 3 }, { "cs.ode: f is a nil", {} }, { "cs.ode needs the field 'y0'", { f = print } },
  { "cs.ode needs the field 'times'", { f = print, y0 = { 1 } } },
} do
  local ok, why = pcall(cs.ode, case[2])
  assert(not ok and tostring(why):find(case[1], 1, true), tostring(why))
end
