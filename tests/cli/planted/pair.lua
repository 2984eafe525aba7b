-- Correct and faulty kernels on two normal variables with correlation 0.8. The
-- kernels use conditional draws or Hamiltonian trajectories.
local cs = require "chainscope"
local rho = 0.8
local sd = math.sqrt(1 - rho^2)
local function none() return 0 end
local function moves(f) return cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw, _, t) return f(x, draw, t) end } end
local function hmc(last, kinetic)
  return cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw, _, t)
    local q, p = { x[1], x[2] }, { draw:normal(), draw:normal() }
    local h = t:log_density(x) - kinetic * 0.5 * (p[1]^2 + p[2]^2)
    local g = t:gradient(q)
    for k = 1, 5 do
      for i = 1, 2 do p[i] = p[i] + (k == 1 and 0.25 or 0.5) * g[i] end
      for i = 1, 2 do q[i] = q[i] + 0.5 * p[i] end
      g = t:gradient(q)
    end
    for i = 1, 2 do p[i] = p[i] + last * g[i] end
    local r = t:log_density(q) - kinetic * 0.5 * (p[1]^2 + p[2]^2) - h
    return math.log(draw:uniform()) < r and q or x end }
end
return cs.scenario { title = "two normals", seed = 1, chains = 4, budget = { steps = 100 },
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, 0.8 }, { 0.8, 1 } } },
  arms = {
    { name = "right_gibbs", kernel = moves(function(x, d) if d:uniform() < 0.5 then return { rho * x[2] + sd * d:normal(), x[2] } end return { x[1], rho * x[1] + sd * d:normal() } end) },
    { name = "right_hmc", kernel = hmc(0.25, 1) },
    { name = "looks_back", kernel = moves(function(x, d) if math.abs(x[1]) > math.abs(x[2]) then return { rho * x[2] + sd * d:normal(), x[2] } end return { x[1], rho * x[1] + sd * d:normal() } end) },
    { name = "wrong_conditional", kernel = moves(function(x, d) local y = rho * x[2] + sd^2 * d:normal() return { y, rho * y + sd^2 * d:normal() } end) },
    { name = "stale_pair", kernel = moves(function(x, d) return { rho * x[2] + sd * d:normal(), rho * x[1] + sd * d:normal() } end) },
    { name = "leapfrog_unfinished", kernel = hmc(0.5, 1) },
    { name = "kinetic_forgotten", kernel = hmc(0.25, 0) },
  } }
