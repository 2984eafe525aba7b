-- Simulation-based calibration. Parameters are drawn from the prior, and data are drawn from the
-- model with these parameters. The kernels run on the posterior given these data. The rank of a
-- quantity of the parameters among n posterior draws is uniform if prior, likelihood and kernels
-- are consistent (Talts, Betancourt, Simpson, Vehtari and Gelman 2018). The log p of the
-- parameters is also such a quantity, and detects most wrong likelihoods (Modrak and others 2023).
local m = ...
local core, rows = m.core, m.rows
local floor = math.floor

rows.sbc = {
  prior = { "function", "prior(draw) returns parameters drawn from their prior, by name or as a list; the random numbers of `draw` depend only on the seed and the replicate", required = "prior = function(draw) return { mu = draw:normal() } end" },
  data = { "function", "data(theta, draw) returns data drawn from the model with these parameters", required = "data = function(theta, draw) return { theta.mu + draw:normal() } end" },
  target = { "function", "target(data) returns the posterior given these data, cs.target { ... }", required = "target = function(data) return cs.target { ... } end" },
  quantities = { "table", "the quantities to rank besides log p: names of coordinates, and functions f(row, data) by name, where row has the recorded values of a state; by default the first 20 coordinates" },
  replicates = { "number", "number of simulated data sets; 200 by default", whole = true, min = 20, max = 20000 },
  draws = { "number", "number of posterior draws among which a value is ranked, a power of 2 minus 1; 63 by default", whole = true, min = 1, max = 1023 },
}

local most_coordinates, usual_draws, usual_replicates = 20, 63, 200
-- Distance between used draws, in effective draws. At this distance, the correlation
-- between successive used draws is 1/50.
local apart = 2

function m.check_sbc(t)
  m.check("sbc", t, rows.sbc)
  local n = (t.draws or usual_draws) + 1
  if n & (n - 1) ~= 0 then
    m.fail(("sbc: draws = %d is not one less than a power of 2"):format(n - 1), "for example draws = 63")
  end
  for key, one in next, t.quantities or {} do
    local wanted = type(key) == "number" and "string" or "function"
    if type(one) ~= wanted then
      m.fail(("sbc: quantity %s is a %s"):format(tostring(key), core.kind(one)),
             'quantities = { "mu", ratio = function(row, data) return row.mu / row.tau end }')
    end
  end
end

-- ---- a replicate -----------------------------------------------------------

-- Calls f with the random numbers for one part of replicate k. Parts: 1 is the prior, 2 the
-- data, 3 ties.
local function with_draws(seed, k, part, f) return core.calibration_draws(seed, k, part, f) end

-- Returns the scenario with its data replaced by simulated data, and a description of the simulated
-- data.
function m.calibrated(what, t, seed, k)
  m.check(what, t, rows.scenario)
  if not t.sbc then
    m.fail("the scenario has no field sbc, so data cannot be simulated",
           "sbc = { prior = function(draw) ... end, data = function(theta, draw) ... end, target = function(data) ... end }")
  end
  m.check_sbc(t.sbc)
  local s = t.sbc
  local theta = with_draws(seed, k, 1, s.prior)
  if type(theta) ~= "table" then
    m.fail("sbc: `prior` returned a " .. core.kind(theta), "return parameters by name, or as a list")
  end
  local data = with_draws(seed, k, 2, function(draw) return s.data(theta, draw) end)
  if data == nil then m.fail("sbc: `data` returned nothing", "return the argument of target(data)") end
  local target = s.target(data)
  if not m.is_made(target) then
    m.fail("sbc: `target` returned a " .. core.kind(target), "return cs.target { ... }")
  end
  local copy = {}
  for name, value in next, t do copy[name] = value end
  copy.target = target
  if t.full then
    copy.full = {}
    for name, value in next, t.full do copy.full[name] = name ~= "target" and value or nil end
    if next(copy.full) == nil then copy.full = nil end
  end
  copy.claims, copy.screen, copy.panels, copy.setting = nil, nil, nil, nil
  return copy, { seed = seed, k = k, theta = theta, data = data, sbc = s }
end

-- Returns the numbers of replicates and draws that the scenario requests.
function m.calibration_of(t)
  local s = t.sbc or {}
  return s.replicates or usual_replicates, s.draws or usual_draws
end

-- ---- ranks -----------------------------------------------------------------

local function by_name(name) return function(row) return row[name] end end

-- Returns the quantities to rank: a list of { name, f(row, data) }.
local function quantities_of(s, names)
  local list = {}
  for i, name in ipairs(s.quantities or names) do
    if not s.quantities and i > most_coordinates then break end
    m.find_coordinate(names, name)
    list[#list + 1] = { name, by_name(name) }
  end
  for _, name in ipairs(m.sorted_keys(s.quantities or {})) do
    local f = s.quantities[name]
    if type(f) == "function" then list[#list + 1] = { name, f } end
  end
  return list
end

local function value_of(quantity, row, data)
  local x = quantity[2](row, data)
  if type(x) ~= "number" then
    m.fail(("sbc: quantity %s is a %s"):format(quantity[1], core.kind(x)), "return a number")
  end
  return x
end

local function are_alike(list)
  for _, row in ipairs(list) do
    if row.log_weight ~= list[1].log_weight then return false end
  end
  return true
end

-- Returns the stored draws of each chain, the same number for all chains. Weighted draws are
-- first resampled to equal weights. The number of draws is then the effective sample size of
-- the weights.
local function draws_of(arm)
  local chains, least = {}, math.huge
  for i = 1, #arm.chains do
    local list = arm:chain(i):draws()
    if not are_alike(list) then list = arm:chain(i):resample() end
    if #list > 0 then
      chains[#chains + 1] = list
      least = math.min(least, #list)
    end
  end
  if #chains == 0 then m.fail("arm " .. arm.name .. " has no draws", "give the run a longer budget") end
  for _, list in ipairs(chains) do
    for i = #list, least + 1, -1 do list[i] = nil end
  end
  return chains
end

-- Two values are treated as equal if their difference, relative to their size, is at most this
-- number. The log p of a state can be computed in several ways, and these ways round differently.
local rounding = 1e-10

-- Returns the rank of x among n of the values, chosen evenly spaced over all chains. Ties are
-- broken at random. The rank is scaled to the range of ranks among `of` draws.
local function rank_among(values, x, n, of, draw)
  local less, same, all, chain_length = 0, 0, #values * #values[1], #values[1]
  local largest = math.abs(x)
  for _, list in ipairs(values) do
    for _, y in ipairs(list) do largest = math.max(largest, math.abs(y)) end
  end
  for i = 1, n do
    local at = floor((i - 0.5) * all / n)
    local y = values[at // chain_length + 1][at % chain_length + 1]
    if math.abs(y - x) <= rounding * largest then same = same + 1
    elseif y < x then less = less + 1 end
  end
  local rank = less + draw:below(same + 1) - 1
  local wide = (of + 1) // (n + 1)
  return rank * wide + draw:below(wide) - 1
end

-- Returns the number of draws to use, which has the form 2^k - 1. It is the largest such
-- number that is at most `of` and for which the draws are nearly independent.
local function usable(effective, of, all)
  local n = of
  while n > 0 and (apart * n > effective or n > all) do n = n // 2 end
  return n
end

local function rank_one(arm, quantity, chains, truth, one, draw)
  local values, x, of = {}, value_of(quantity, truth, one.data), one.sbc.draws or usual_draws
  for c, list in ipairs(chains) do
    values[c] = {}
    for i, row in ipairs(list) do values[c][i] = value_of(quantity, row, one.data) end
  end
  local effective = core.effective_size(values)
  local n = usable(effective, of, #values * #values[1])
  return { arm = arm.name, quantity = quantity[1], rank = rank_among(values, x, n, of, draw),
           of = of, effective = effective, used = n }
end

-- True if the recorded log p of the draws is exact.
local function knows_logp(run, arm)
  return core.run_logp_kind(run, arm.index) == "exact"
end

local function rank_arm(run, arm, one, draw, out)
  local list = quantities_of(one.sbc, run.coordinates)
  if knows_logp(run, arm) then list[#list + 1] = { "log_density", by_name "log_density" } end
  local chains = draws_of(arm)
  local chain = arm:chain(1)
  chain:set_state(one.theta)
  local truth = chain:shown()
  for _, quantity in ipairs(list) do
    out[#out + 1] = rank_one(arm, quantity, chains, truth, one, draw)
  end
end

-- Returns the ranks of the parameters from which this run's data were simulated, among the draws of
-- each arm. This function changes the state of one chain of each arm.
function m.ranks(run)
  local one, out = core.run_memory(run).sbc, {}
  if not one then m.fail("the data of this run are not simulated", "use chainscope sbc FILE") end
  with_draws(one.seed, one.k, 3, function(draw)
    for i = 1, #run.arms do rank_arm(run, run.arms[i], one, draw, out) end
  end)
  return out
end
