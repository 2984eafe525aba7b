-- The two experiments of the auxiliary paper on simulated data, and claims about its
-- tables of effective draws per second. Several scenarios share this module.
local cs = require "chainscope"
local K = cs.kernel
local printed = require "tall.printed"
local tall = {}

-- ---- targets ----------------------------------------------------------------

-- The target of section 5.1; bound = "eigenvalue" is the paper's bound. If there are
-- fewer rows, each row has a larger weight, so that the sum of the weights is
-- unchanged.
function tall.gaussian(bound, rows)
  rows = rows or 100000
  return cs.target.truncated_gaussian { rows = rows, dim = 20, beta = 1 / rows, box = 3, bound = bound }
end

-- The target of section 5.2, with `rows` rows, which together have the weight of `of`
-- rows.
function tall.regression(rows, dim, of)
  return cs.target.robust_regression { rows = rows, dim = dim or 10, beta = 1e-4 * (of or rows) / rows, radius = 15 }
end

-- ---- arms -------------------------------------------------------------------

-- The noise of MALA in the paper's programs is sqrt(2) times the stated step.
local root = math.sqrt(2)

-- The steps of the paper's programs, for acceptances of 0.25, 0.4 and 0.55. The programs
-- have no steps for Barker's proposal on all rows, so the steps of Poisson-Barker are
-- used. The steps of HMC and all steps in 50 dimensions are ours.
local steps = {
  gaussian = {
    mh = { 0.29, 0.2, 0.15 }, mala = { 0.36, 0.31, 0.27 }, barker = { 0.6, 0.5, 0.4 },
    poisson_mh = { 0.3, 0.2, 0.14 }, poisson_barker = { 0.6, 0.5, 0.4 },
    poisson_mala = { 0.365, 0.315, 0.275 },
  },
  regression = {
    mh = { 0.36, 0.26, 0.18 }, mala = { 0.488, 0.42, 0.38 }, barker = { 0.68, 0.55, 0.465 },
    hmc = { 0.68, 0.625, 0.555 }, hmc_2 = { 0.82, 0.655, 0.55 }, hmc_5 = { 0.75, 0.68, 0.6 },
    poisson_mh = { 0.35, 0.25, 0.17 }, poisson_barker = { 0.68, 0.55, 0.465 },
    poisson_mala = { 0.47, 0.41, 0.36 },
  },
  regression_50 = {
    mh = { 0.58 }, mala = { nil, nil, 0.72 }, barker = { nil, nil, 0.9 }, hmc = { 0.6 },
    poisson_mh = { 0.5 }, poisson_barker = { nil, nil, 0.7 }, poisson_mala = { nil, nil, 0.5 },
  },
}
local place = { [25] = 1, [40] = 2, [55] = 3 }

local makers = {
  mh = function(step) return K.random_walk { step = step } end,
  mala = function(step) return K.mala { step = root * step } end,
  barker = function(step) return K.barker { step = step } end,
  hmc = function(step, more) return K.hmc { step = step, leapfrogs = more.leapfrogs or 10, jitter = 0 } end,
  hmc_2 = function(step) return K.hmc { step = step, leapfrogs = 2, jitter = 0 } end,
  hmc_5 = function(step) return K.hmc { step = step, leapfrogs = 5, jitter = 0 } end,
  poisson_mh = function(step, more) return K.poisson_mh { step = step, lambda = more.lambda } end,
  poisson_barker = function(step, more) return K.poisson_barker { step = step, lambda = more.lambda } end,
  poisson_mala = function(step, more) return K.poisson_mala { step = root * step, lambda = more.lambda } end,
}

-- Returns the kernel with the step for an acceptance of `rate` per cent. `more` may
-- have the fields lambda, leapfrogs, and scale, a factor by which the step is
-- multiplied.
function tall.kernel(experiment, name, rate, more)
  if experiment == "regression" and name == "hmc" and more.leapfrogs == 5 then name = "hmc_5" end
  return makers[name](steps[experiment][name][place[rate]] * (more.scale or 1), more)
end

-- Returns arms for a list { name, acceptance }, ...
function tall.arms(experiment, list, more)
  local arms = {}
  for i, one in ipairs(list) do
    arms[i] = { name = one[1], kernel = tall.kernel(experiment, one[1], one[2], more) }
  end
  return arms
end

-- Returns all arms at all three acceptances: mh_25, mh_40, ...
function tall.all_arms(experiment, names, more)
  local arms = {}
  for _, name in ipairs(names) do
    for _, rate in ipairs { 25, 40, 55 } do
      arms[#arms + 1] = { name = name .. "_" .. rate, kernel = tall.kernel(experiment, name, rate, more) }
    end
  end
  return arms
end

-- ---- claims -----------------------------------------------------------------

local ranks = { "min", "median", "max" }

-- If `value` is a table with ranks as keys, returns the value for the rank;
-- otherwise returns `value`.
local function of_rank(value, rank)
  if type(value) == "table" then return value[rank] end
  return value
end

-- Adds the claims of a row { a, b, ... }: the ratio of effective draws of the arms a and
-- b, per second and per million rows, for the worst, the median and the best coordinate,
-- compared with that of table number `of` (per second). Times and exact ratios are
-- checked only in the full setting, where seeds give the error. The order of the medians
-- per row is also checked in the quick setting, unless `full` is set. Fields of a row:
-- full, ranks, rows_only; holds and note (per second), rows_hold and rows_note (per row),
-- for all three coordinates or by name, { min = ... }; at: the acceptance; tenth: a full
-- batch costs a tenth in the full setting too.
local function compare(list, of, row)
  local a, b = row[1], row[2]
  for _, rank in ipairs(ranks) do
    if not row.ranks or row.ranks[rank] then
      local x, y = printed.number(of, a, rank, row.at), printed.number(of, b, rank, row.at)
      local function add(stat, more)
        more.arm, more.than, more.relation = a, b, "better"
        if more.only == "full" and not row.tenth then more.times, more.factor = x / y, 1.5 end
        more.quote, more.where = printed.quote(of, a, b, row.at), ("table %d"):format(of)
        more.paper = ("%.3g times, per second"):format(x / y)
        more.stat = stat .. rank
        list[#list + 1] = more
      end
      if not row.rows_only then add("ess_per_second_", { only = "full", holds = of_rank(row.holds, rank), note = of_rank(row.note, rank) }) end
      add("ess_per_million_rows_", { only = "full", holds = of_rank(row.rows_hold, rank), note = of_rank(row.rows_note, rank) })
      if rank == "median" and not row.full then add("ess_per_million_rows_", { only = "quick" }) end
    end
  end
end

function tall.claims(of, rows)
  local list = {}
  for _, row in ipairs(rows) do compare(list, of, row) end
  return list
end

-- Adds to `list` the claim that arm `a` has a smaller error of the mean than arm `b`.
-- more: `of`, the amount of work, and other fields of the claim; said: { quote, where },
-- or nil for our own claim.
function tall.less_error(list, a, b, said, more)
  local claim = { arm = a, than = b, stat = "mse_at", relation = "better" }
  if said then claim.quote, claim.where = table.unpack(said) end
  for name, value in next, more do claim[name] = value end
  list[#list + 1] = claim
end

-- Returns claims for each acceptance: the ratio of effective draws per million rows
-- (median coordinate) of kernels `a` and `b`, in the full setting, compared with the
-- table's ratio per second. pairs: { a, b, holds = { [25] = ... }, note = { [25] = ... }
-- }, ...
function tall.claims_by_rate(of, pairs)
  local list = {}
  for _, pair in ipairs(pairs) do
    for i, rate in ipairs { 25, 40, 55 } do
      local x, y = printed.number(of, pair[1], "median", i), printed.number(of, pair[2], "median", i)
      list[#list + 1] = {
        arm = pair[1] .. "_" .. rate, than = pair[2] .. "_" .. rate, stat = "ess_per_million_rows_median",
        relation = "better", only = "full", holds = pair.holds and pair.holds[rate],
        note = pair.note and pair.note[rate],
        quote = printed.quote(of, pair[1], pair[2], i), where = ("table %d"):format(of),
        paper = ("%.3g times, per second"):format(x / y) }
    end
  end
  return list
end

-- Returns claims that arms have the acceptance in their names. MALA with a large step
-- size may not move for hundreds of steps. `slow` names the arms for which a short run
-- is not enough.
function tall.accepted(arms, slow)
  local list = {}
  for i, arm in ipairs(arms) do
    local rate = tonumber(arm.name:match "%d+$") / 100
    list[i] = { arm = arm.name, stat = "acceptance", near = rate, within = 0.12,
                only = slow and slow[arm.name] and "full" or nil,
                quote = "to achieve target acceptance rates of 0.25, 0.4, and 0.55", where = "section 5.1" }
  end
  return list
end

return tall
