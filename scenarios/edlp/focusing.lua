-- Focusing belief propagation beside entropic sampling.
--
-- Both look for flat regions, where many neighbours are as good. The paper leaves focusing
-- belief propagation (fBP, Baldassi et al. 2016) out of its comparisons, as it is no chain and
-- does badly at images (appendix C, figures 6 to 9). Here the two meet where fBP comes from: a
-- perceptron with 61 weights of -1 or 1 that must give 30 random patterns their signs. A
-- chain knows of it by U(w) = -10 sum of softplus(-2 s_m / sqrt 61), s_m the signed sum of
-- pattern m.
--
-- fBP sends messages between the patterns and weights of seven replicas, which a reference
-- draws together ever more strongly, until all weights are decided. That takes some tenths
-- of a second. Belief propagation alone leaves weights undecided, and their signs miss a
-- pattern; focused they meet all, in each of three sets of patterns. The chains miss 0.65 in
-- the mean.
--
-- How flat is what is found? Flip a weight, and count the patterns that are lost: 0.51 from
-- fBP's solution, 1.3 +- 0.1 and 1.0 +- 0.15 from draws of EDMALA and of DMALA that meet
-- all. So next to it fBP's is the flatter. Flip five, and all lose the same, 3.5 to 3.8. The
-- two samplers do not differ by more than chance, as their law is one: the entropic one follows the
-- target, whatever eta is.
--
-- On 13 weights and 5 patterns all solutions can be counted: fBP's has as many others within
-- three flips as 98 % of them have at most. The same messages say nothing of images: there
-- fBP has no energy to go by, as the paper says.
--
-- See: the panel `focus`, what fBP finds at each focus; `missed`, the chains.
local cs = require "chainscope"
local perceptron = require "flatness.perceptron"

local N, M, beta = 61, 30, 10

-- Random patterns: the bits of a small generator, the same everywhere.
local function task(seed, n, m)
  local inputs, labels = {}, {}
  local function coin()
    seed = (seed * 1664525 + 1013904223) % 2^32
    return seed < 2^31 and -1 or 1
  end
  for k = 1, m do
    inputs[k], labels[k] = {}, coin()
    for i = 1, n do inputs[k][i] = coin() end
  end
  return { inputs = inputs, labels = labels, n = n, m = m }
end
local ours = task(1, N, M)

local focus = { 0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1, 1.5 }
local found = {}
local function fbp(t)
  found[t] = found[t] or cs.fbp { inputs = t.inputs, labels = t.labels, focus = focus, replicas = 7,
                                  damping = 0.3, rounds = 200 }
  return found[t]
end
local signs, sums, lost = perceptron.signs, perceptron.sums, perceptron.lost

-- Of all solutions of a small perceptron, how many have fewer solutions within
-- three flips than the one that fBP has found: a share.
local function rank(t)
  local all, at, w = {}, {}, signs(fbp(t).magnetisation)
  for a = 0, 2^t.n - 1 do
    local x = {}
    for i = 1, t.n do x[i] = (math.tointeger(a) >> (i - 1) & 1) * 2 - 1 end
    local _, errors = sums(t, x)
    if errors == 0 then all[#all + 1], at[math.tointeger(a)] = math.tointeger(a), true end
  end
  local function near(a)
    local n = 0
    for i = 0, t.n - 1 do
      local b = a ~ (1 << i)
      n = n + (at[b] and 1 or 0)
      for j = 0, i - 1 do
        local c = b ~ (1 << j)
        n = n + (at[c] and 1 or 0)
        for k = 0, j - 1 do n = n + (at[c ~ (1 << k)] and 1 or 0) end
      end
    end
    return n
  end
  local own = 0
  for i = 1, t.n do own = own | (w[i] > 0 and 1 << (i - 1) or 0) end
  if not at[own] then return 0 end
  local ours_has, less = near(own), 0
  for _, a in ipairs(all) do less = less + (near(a) <= ours_has and 1 or 0) end
  return less / #all
end

local claims, found_claim, drawn_claim = perceptron.claims()
local function solution() return signs(fbp(ours).magnetisation) end
found_claim("belief propagation: patterns its signs miss", function() return fbp(ours).steps[1].errors end, { at_least = 1 })
found_claim("fBP: patterns missed, of three sets", function()
  local sum = fbp(ours).steps[#focus].errors
  for seed = 2, 3 do sum = sum + fbp(task(seed, N, M)).steps[#focus].errors end
  return sum
end, { near = 0, within = 0 })
found_claim("fBP: patterns lost by 1 flip", function() return lost(ours, solution(), 1) end, { near = 0.508, within = 1e-3 })
found_claim("fBP: patterns lost by 5 flips", function() return lost(ours, solution(), 5) end, { near = 3.795, within = 1e-3 })
found_claim("fBP: share of solutions with no more others near", function()
  local sum = 0
  for seed = 1, 5 do sum = sum + rank(task(10 + seed, 13, 5)) end
  return sum / 5
end, { at_least = 0.9, note = "13 weights, all solutions counted; the mean of five sets of 5 patterns" })
drawn_claim("patterns missed", perceptron.over_draws(function(w) return select(2, sums(ours, w)) end), { near = 0.65, within = 0.15 })
drawn_claim("patterns lost by 1 flip", perceptron.lost_by(ours, 1), { at_least = 0.55, note = "0.51 from fBP's solution" })
drawn_claim("patterns lost by 5 flips", perceptron.lost_by(ours, 5), { near = 3.65, within = 0.6, note = "3.80 from fBP's solution" })

local focus_panel, missed_panel = perceptron.panels(ours, function() return found[ours] end)

return cs.scenario {
  title  = "Focusing belief propagation",
  shows  = "Messages find a flatter solution in a second than chains that follow the target",
  source = "edlp, appendix C; Baldassi et al. 2016",
  setting = "a perceptron of random patterns in place of the paper's Boltzmann machine",

  target = perceptron.target(ours, beta),
  chains = 8, seed = 47,
  arms   = {
    edmala = cs.kernel.edmala { step = 0.12, step_a = 0.3, eta = 1 },
    dmala  = cs.kernel.dmala { step = 0.1 },
  },
  budget = { steps = 4000 },
  setup  = function(run) run:at(10, function() fbp(ours) end) end,
  screen = { "lesson", focus_panel, missed_panel, "acceptance", "summary" },
  claims = claims,
}
