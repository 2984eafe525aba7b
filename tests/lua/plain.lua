-- Compares the plain kernels in Lua with the kernels in C. The chains are the
-- same at each step, and so are the terms of each decision. With another step
-- size or a deliberate mistake, the two chains separate.
local cs = require "chainscope"

local real = cs.target.gaussian { dim = 3, rho = 0.6 }
local bits = cs.target.ising { rows = 3, cols = 3, beta = 0.4 }
local cases = {
  { "random_walk", real, { step = 0.8 } },
  { "metropolis_within_gibbs", real, { step = 1.5 } },
  { "mala", real, { step = 0.9 } },
  { "hmc", real, { step = 0.3, leapfrogs = 4 }, { jitter = 0 } },
  { "gibbs", bits, {} },
  { "dmala", bits, { step = 0.7, balance = 0.6 } },
  { "gwg", bits, {} },
}

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.max(1, math.abs(a)) end

-- Returns the number of steps, of at most n, after which both chains agree.
local function together(target, fast, plain, n)
  local run = cs.open { target = target, chains = 3, seed = 4, arms = { fast = fast, plain = plain } }
  local accepted = 0
  for k = 1, n do
    run:step(1)
    for c = 1, 3 do
      local f, p = run.arms.fast:chain(c), run.arms.plain:chain(c)
      local x, y, i, j = f:state(), p:state(), f:info(), p:info()
      for d = 1, #x do if not near(x[d], y[d]) then return k - 1 end end
      -- A kernel with an auxiliary variable (hmc) reports only its ratio.
      if j.log_density and not near(i.log_density, j.log_density) then return k - 1 end
      -- A conditional draw has no ratio; the plain kernel reports 0, up to
      -- rounding.
      if not near(i.log_ratio or 0, j.log_ratio) then return k - 1 end
      accepted = accepted + (i.moved and 1 or 0)
    end
  end
  assert(accepted > n / 10, "almost no step moves")
  return n
end

for _, case in ipairs(cases) do
  local name, target, fields, off = table.unpack(case)
  local all = {} -- fields of the kernel in C; the plain kernel has only some of them
  for _, from in ipairs { fields, off or {} } do for k, v in pairs(from) do all[k] = v end end
  local n = together(target, cs.kernel[name](all), cs.plain[name](fields), 400)
  assert(n == 400, ("%s: different from step %d on"):format(name, n + 1))
end

-- The chains separate if one kernel has another step size, or lacks one factor.
assert(together(real, cs.kernel.mala { step = 0.9 }, cs.plain.mala { step = 0.91 }, 400) < 5)
local slip = cs.kernel {
  propose = function(x, draw, _, target)
    local g, y = target:gradient(x), {}
    for i = 1, #x do
      y[i] = draw:uniform "proposal" < 1 / (1 + math.exp(-(0.6 * (1 - 2 * x[i]) * g[i] - 1 / 1.4))) and 1 - x[i] or x[i]
    end
    return y
  end, -- this kernel lacks log_q, which its acceptance ratio needs
}
assert(together(bits, cs.kernel.dmala { step = 0.7, balance = 0.6 }, slip, 400) < 400)

-- Invalid input.
local function fails(pattern, f, ...)
  local good, text = pcall(f, ...)
  assert(not good and tostring(text):find(pattern, 1, true), tostring(text))
end
fails("cs.plain has no 'dmla'", function() return cs.plain.dmla end)
fails("cs.plain.mala has no 'stp'", cs.plain.mala, { stp = 1 })
fails("expects a table", cs.plain.mala, 3)
fails("needs a target of bits", function()
  local run = cs.open { target = real, arms = { a = cs.plain.gibbs {} } }
  run:step(1)
end)
local function first_of(propose)
  return function()
    local run = cs.open { target = real, arms = { a = cs.kernel { propose = propose } } }
    run:step(1)
  end
end
fails("normals or Poisson numbers cannot draw uniforms \"proposal\"", first_of(function(x, draw)
  return { x[1] + draw:normal() + draw:uniform "proposal", x[2], x[3] } end))
fails("and normals", first_of(function(x, draw)
  return { x[1] + draw:uniform "proposal" + draw:normal(), x[2], x[3] } end))
