-- The convergence theorems of the entropic samplers, checked by enumeration.
--
-- EDULA and EDMALA (entropic discrete Langevin, EDMALA with an accept step) move bits
-- together with a second variable theta_a, normal around the bits with variance eta. Here
-- theta_a takes values on a grid, so the transition matrix can be computed. In section 5
-- of the edlp paper (Mohanty et al. 2025), proposition 5.4 (the bias of EDULA) and
-- theorem 5.6 (the convergence of EDMALA) are false where theta_a moves slowly. Theorem
-- 5.5 (the convergence of EDULA) holds only because its bound is above 1.
--
-- Watch the panel `distance_from_start`: the total variation distance between each
-- sampler and its target after each step, and the bounds on this distance. Change the
-- step, step_a (the step of theta_a) or eta, for example edula.eta.
local cs = require "chainscope"

-- Section 5 bounds how near the samplers come to their joint target, if theta_a stays in
-- a compact set. Here theta_a is in [0, 1], and sums replace integrals. The grid spacing
-- of theta_a is at most half a step of theta_a; two bits with 13 grid points each have
-- 676 states. Values that depend on the grid are also computed on a coarser grid, and the
-- difference is their error. The log density is concave, as theorem 5.6 requires. In the
-- formulas alpha is the step, alpha_a the step of theta_a, and D the diameter of the
-- states.
--
-- Proposition 5.4: EDULA is reversible (which is true exactly for a quadratic form), and
-- |pi_gamma - pi|_1 <= Z exp(M/4 - 1/(2 alpha) + (D^2 - t) / (2 eta)). As alpha goes to
-- 0, this bound goes to 0, but the norm does not, because theta_a has a step of its own,
-- whose bias remains. On two bits, at alpha 0.05 and alpha_a 0.1, the bound is 0.0013 and
-- the norm 0.18. The proof leaves out the moves that change theta_a and no bit. The bound
-- also depends on an additive constant: with U - 20 in place of U, which is the same
-- target, the bound is e^20 times smaller. From alpha about 0.1 on (0.024 at eta 0.1, the
-- paper's choice) the bound is above 2, which holds for any two distributions. Where it
-- is below 2, it is false.
--
-- Theorem 5.6: EDMALA converges to its target as (1 - e)^k. Its lemma D.9 has a measure
-- of mass less than 1, exp(-diam^2 / (2 alpha_a)) times a constant, and the theorem
-- leaves this factor out. So the theorem ignores that theta_a may hardly move. On one
-- bit, at alpha 3, eta 100 and alpha_a 0.001, it implies that after 128 steps the
-- distance is 0; the true distance is 0.35. With the factor it holds, with e^-498 in
-- place of e^-0.4.
--
-- Theorem 5.5, on EDULA, has both faults, but its first term is 1 - e^-30, and a bound
-- above 1 always holds.
--
-- The target is U(x) = h . x - (|x|^2 / 5 + (x_1 + ... + x_d)^2 / 10) / 2 plus a
-- constant: the curvature is 1/5 + d/10 in the direction (1, ..., 1), and 1/5 in all
-- directions orthogonal to it.
local h = { 0.3, -0.2, 0.5, 0.1 }
local function concave(bits, constant)
  return cs.target {
    name = ("%d concave bits%s"):format(bits, constant and " " .. constant or ""),
    space = cs.binary(bits),
    log_density = function(x)
      local u, sum = constant or 0, 0
      for i = 1, bits do u, sum = u + h[i] * x[i] - x[i]^2 / 10, sum + x[i] end
      return u - sum^2 / 20
    end,
  }
end
-- The panel `distance` shows the kernels themselves, in which theta_a is not restricted
-- to a grid. Its distances take into account only the bits.
local one, two, low = concave(1), concave(2), concave(2, -20)
local function line(places)
  local list = {}
  for k = 0, places - 1 do list[k + 1] = k / (places - 1) end
  return list
end

-- Returns the result of cs.theory, which is computed once for the same arguments.
local kept = {}
local function theory(kind, target, places, step, step_a, eta, powers, steps)
  local key = table.concat({ kind, target.name, places, step, step_a, eta, powers or 0, steps or 0 }, " ")
  kept[key] = kept[key] or cs.theory[kind] { target = target, grid = line(places), step = step, step_a = step_a, eta = eta,
    powers = powers or 0, start = steps and 2^target.dim * places^target.dim, steps = steps or 0, brief = steps ~= nil }
  return kept[key]
end

-- Returns f on the finer of two grids, and its error against a continuous theta_a,
-- assuming that the error is proportional to the grid spacing.
local function refined(f, kind, target, places, ...)
  local few, many = table.unpack(places)
  local x, y = f(theory(kind, target, few, ...)), f(theory(kind, target, many, ...))
  return y, math.abs(y - x) * (few - 1) / (many - few), 1000
end
local pair, fine = { 9, 13 }, { 65, 129 }

local shown = 120
local distance = cs.panel {
  name = "distance_from_start", title = "total variation distance to the target, from bits 11, theta_a 11",
  unit = "", axis = "step",
  line = function(run)
    local out = {}
    for _, arm in ipairs(run.arms) do
      local plan = arm:plan()
      if type(plan.step) == "number" and type(plan.step_a) == "number" and type(plan.eta) == "number" then
        local places = math.max(math.ceil(2 / math.sqrt(plan.step_a)) + 1, 2)
        if places > 13 then return { [arm.name .. ": step_a is too small for places"] = { x = { 0, shown }, y = { 1, 1 } } } end
        local t, x, bound = theory(arm.name, two, places, plan.step, plan.step_a, plan.eta, 0, shown), {}, {}
        local bias = math.exp(math.min(t.bias_bound or -99, 0))
        for k = 0, shown do x[k + 1], bound[k + 1] = k, math.min(1, (1 - math.exp(t.minorant.printed))^k + bias) end
        out[arm.name] = { x = x, y = t.series }
        out[arm.name .. " bound"] = { x = x, y = bound }
      end
    end
    return out
  end,
}

local claims = {}
local function computed(arm, stat, f, t)
  t.arm, t.stat, t.measure = arm, stat, function() return f(), 0 end
  claims[#claims + 1] = t
end

-- Adds a claim on f(theory) at these settings, a value that depends on the grid.
local function on_places(arm, target, places, stat, f, settings, t)
  t.arm, t.stat = arm, stat
  t.measure = function() return refined(f, arm, target, places, table.unpack(settings)) end
  claims[#claims + 1] = t
end

-- Adds the quotation of proposition 5.4 to a claim.
local function bias(t)
  t.quote, t.where = [[\lVert\pi_{\gamma}-\tilde{\pi}\rVert_{1}\leq Z\exp]], "proposition 5.4"
  t.paper = "|pi_gamma - pi|_1 <= Z exp(M/4 - 1/(2 alpha) + (D^2 - t) / (2 eta))"
  return t
end
local function norm_of(t) return 2 * t.bias end
local function bound_less_norm(t) return math.exp(t.bias_bound) - 2 * t.bias end
computed("edula", "largest imbalance", function() return theory("edula", two, 13, 0.4, 0.1, 1).imbalance end,
         { at_most = 1e-12, quote = "is reversible with respect to some distribution", where = "proposition 5.4" })
for _, row in ipairs { { 0.4, 1, 0.202, 8.440 }, { 0.05, 1, 0.182, 0.00134 }, { 0.02, 1, 0.182, 4.1e-10 }, { 0.01, 0.1, 0.363, 3.7e-13 } } do
  local alpha, eta, norm, bound = table.unpack(row)
  local at, settings = (", alpha %g, eta %g"):format(alpha, eta), { alpha, 0.1, eta }
  on_places("edula", two, pair, "norm of the bias" .. at, norm_of, settings, { near = norm, within = 0.05 })
  computed("edula", "log of the bound on the bias" .. at, function() return theory("edula", two, 13, alpha, 0.1, eta).bias_bound end,
           { near = math.log(bound), within = 0.01 })
  local holds = norm <= bound
  on_places("edula", two, pair, "bound minus norm" .. at, bound_less_norm, settings,
            bias { at_least = 0, holds = holds or false,
                   note = holds and "the bound is above 2 and so holds for any two distributions" or "the bound leaves out the bias of theta_a's own moves" })
end
on_places("edula", one, { 33, 65 }, "one bit: bound minus norm, alpha 0.02, alpha_a 0.01", bound_less_norm,
          { 0.02, 0.01, 1 }, bias { at_least = 0, holds = false })
computed("edula", "log of the bound with U - 20 for U, minus that with U", function()
  return theory("edula", low, 9, 0.4, 0.1, 1).bias_bound - theory("edula", two, 9, 0.4, 0.1, 1).bias_bound
end, { near = -20, within = 1e-9, note = "the target and the chain are the same" })
on_places("edula", low, pair, "bound with U - 20 for U, minus norm, alpha 0.4", bound_less_norm, { 0.4, 0.1, 1 },
          bias { at_least = 0, holds = false })
-- The alpha at which the bound reaches 2, at the paper's eta.
computed("edula", "alpha from which the bound is above 2, eta 0.1", function()
  local low_end, high = 0.001, 1
  for _ = 1, 30 do
    local mid = math.sqrt(low_end * high)
    local says = theory("edula", two, 9, mid, 0.1, 0.1, 0, 1).bias_bound < math.log(2)
    low_end, high = says and mid or low_end, says and high or mid
  end
  return high
end, { near = 0.0240, within = 0.001 })

-- Claims on theorem 5.5: its first term and its constant.
for _, eta in ipairs { 0.1, 1 } do
  computed("edula", ("log of 1 minus the first term per step, eta %g"):format(eta), function()
    return theory("edula", two, 9, 0.4, 0.1, eta).minorant.printed
  end, { at_most = -30, note = "so the first term, (1 - eta*)^k, is 1" })
end
computed("edula", "log of the best constant over eta*", function()
  local t = theory("edula", two, 13, 0.4, 0.1, 1)
  return t.minorant.best - t.minorant.printed
end, { at_least = 0, paper = "P >= eta* mu", quote = [[P((\bm{\theta}_{a},\bm{\theta}),A)\geq\bar{\eta}^{*}\mu(A)]], where = "lemma D.6" })

-- Adds the quotation of theorem 5.6 to a claim.
local function rate(t)
  t.quote, t.where = [[\lVert P^{k}(x,\cdot)-\tilde{\pi}\rVert_{TV}\leq(1-\epsilon_{\gamma})^{k}]], "theorem 5.6"
  t.paper = "|P^k - pi| <= (1 - e_gamma)^k"
  return t
end
local function over(t)
  local least = math.huge
  for j, far in ipairs(t.distance) do
    least = math.min(least, 2^(j - 1) * math.log(1 - math.exp(t.minorant.printed)) - math.log(math.max(far, 1e-12)))
  end
  return least
end
local slow = { 3, 0.001, 100, 9 }
on_places("edmala", two, pair, "least log of bound over distance, alpha 0.4, eta 1", over, { 0.4, 0.1, 1, 9 }, rate { at_least = 0 })
on_places("edmala", one, fine, "one bit: least log of bound over distance, alpha 3, eta 100, alpha_a 0.001", over, slow,
          rate { at_least = 0, holds = false, note = "after 128 steps the bound is 0, but the distance is 0.35" })
on_places("edmala", one, fine, "one bit: distance after 128 steps, the same settings", function(t) return t.distance[8] end, slow,
          { near = 0.348, within = 0.015 })
computed("edmala", "one bit: log e with the mass of lemma D.9", function()
  return theory("edmala", one, 129, table.unpack(slow)).minorant.proof
end, { near = -497.9, within = 0.1 })
computed("edmala", "log of the best constant over e with the mass of lemma D.9", function()
  local least = math.huge
  for _, s in ipairs { { two, 9, 0.4, 0.1, 1 }, { one, 33, 3, 0.01, 100 }, { two, 9, 1.5, 0.5, 4 } } do
    local t = theory("edmala", table.unpack(s))
    least = math.min(least, t.minorant.best - t.minorant.proof)
  end
  return least
end, { at_least = 0, paper = "p >= e_gamma nu", quote = [[\geq\epsilon_{\gamma}\frac{\exp]], where = "lemma D.9" })
for _, row in ipairs { { 0.1, -78.01, 0.065 }, { 1, -11.59, 0.302 } } do
  local eta, e, gap = table.unpack(row)
  local settings = { eta == 0.1 and 0.2 or 0.4, 0.1, eta, 9 }
  computed("edmala", ("log e, eta %g"):format(eta), function() return theory("edmala", two, 13, table.unpack(settings)).minorant.printed end,
           { near = e, within = 0.01 })
  on_places("edmala", two, pair, ("gap, eta %g"):format(eta), function(t) return t.absolute_gap.chain end, settings,
            { near = gap, within = 0.2 * eta ^ 0.5 })
end
on_places("edmala", two, pair, "autocorrelation time of the sum, eta 1", function(t) return t.time.chain end,
          { 0.4, 0.1, 1, 9 }, { near = 3.16, within = 0.15 })

return cs.scenario {
  title  = "Convergence theorems of the entropic sampler",
  shows  = "Two of three bounds are false where theta_a moves slowly, and vacuous elsewhere",
  source = "edlp, section 5 and appendix D",
  setting = "theta_a on grids of 9 and 13 points per bit (two bits), 65 and 129 (one bit), all sums enumerated; the paper has only proofs",

  target = two,
  chains = 32, seed = 43, start = { 1, 1 },
  arms   = {
    edula = cs.kernel.edula { step = 0.4, step_a = 0.1, eta = 1 },
    edmala = cs.kernel.edmala { step = 0.4, step_a = 0.1, eta = 1 },
  },
  budget = { steps = 2000 },
  speed  = 20,
  screen = { "lesson", distance, "distance", "acceptance", "summary" },
  claims = claims,
}
