-- Kernels chosen from the model: cs.kernel.auto { z = cs.kernel.gibbs {}, fixed = { "k" } }. The
-- choice is made when a run is opened, because it needs the parameters of the target.
local m = ...
local core, cs = m.core, m.cs
local where = "cs.kernel.auto"

-- Largest number of values of a whole number for which gibbs computes the probability of each.
local few_values = 1000

-- A sweep of gibbs that costs more than this many evaluations of log p does not stand alone, if it has
-- many sites of few values. Measured, by effective draws per second: dmala is 20 times worse where a
-- sweep costs 0.5 evaluations (a lattice), 13 and 17 times better where it costs 200 (100 bits coupled
-- by matrices), and 20 times worse where it costs 670 (labels coupled by their counts).
local long_sweep, many_sites, few_guided = 100, 16, 32

-- Steps of dmala per step of the whole, and their work in evaluations: a gradient for each and one
-- for the state that other members leave, of three evaluations.
local guided_steps, guided_work = 4, 15

-- Discrete parameters are summed out of the density of the real ones if this multiplies the cost of
-- a gradient by no more than this number.
local dearest_sum = 20

-- Largest number of real coordinates for which proposals from their estimated distribution are added,
-- the degrees of freedom of these proposals, and the share of the steps that they make.
local few_real, tail, share = 6, 3, 0.75

-- Kernels that change one site, or `sites` sites, per step.
local of_one_site = { gibbs = true, locally_balanced = true, gwg = true, random_walk = true }

local fields_of = setmetatable({}, { __mode = "k" })

-- ---- fields ----------------------------------------------------------------------

local example = "write fixed = { \"k\" } to keep the value of `start`, or fixed = { k = 3 }"

-- `fixed` has names of parameters, which keep their values of `start`, and values by name.
local function check_fixed(fixed)
  if type(fixed) ~= "table" or next(fixed) == nil then
    m.fail(where .. ": 'fixed' must be a list of parameters, or have their values", example)
  end
  for name, value in next, fixed do
    if type(name) == "string" and type(value) ~= "number" and type(value) ~= "table" then
      m.fail(("%s: the value of '%s' in 'fixed' is a %s"):format(where, name, core.kind(value)), example)
    elseif type(name) ~= "string" and type(value) ~= "string" then
      m.fail(("%s: entry %s of 'fixed' is a %s"):format(where, tostring(name), core.kind(value)), example)
    end
  end
end

-- Returns the names of the fixed parameters in order.
local function fixed_names(fixed)
  local names = {}
  for name, value in next, fixed or {} do names[#names + 1] = type(name) == "string" and name or value end
  table.sort(names)
  return names
end

-- Returns a placeholder for the chosen kernel.
function m.auto_kernel(fields)
  local copy = {}
  for name, value in next, fields do
    if type(name) ~= "string" then
      m.fail(("%s: entry %s has no name"):format(where, tostring(name)), "write z = cs.kernel.gibbs {}")
    elseif name == "fixed" then
      check_fixed(value)
    elseif core.kind(value) ~= "kernel" or value.name == "auto" then
      m.fail(("%s: '%s' is a %s, not a kernel for a parameter"):format(where, name, core.kind(value)), name .. " = cs.kernel.NAME {}")
    end
    copy[name] = value
  end
  local kernel = core.kernel_auto()
  fields_of[kernel] = copy
  return kernel
end

-- ---- parts of the model -----------------------------------------------------------

-- Returns the parameters of the target, { name, kind, dim, low, values, first }. A target without
-- parameters has one, without a name.
local function parts_of(target)
  local list, first = m.parameter_list(target), 1
  if not list then
    local of = core.target_kind(target)
    return { { kind = of.kind, dim = target.dim, low = of.low, values = of.values, first = first } }
  end
  local parts = {}
  for i, one in ipairs(list) do
    local d = one.declared
    parts[i] = { name = one.name, kind = d.kind, dim = d.dim, low = d.low, values = d.values, first = one.first }
  end
  return parts
end

-- Marks the parts whose kernel is given, and those that are fixed.
local function mark(parts, fields)
  local by_name, names = {}, {}
  for _, part in ipairs(parts) do
    if part.name then by_name[part.name], names[#names + 1] = part, part.name end
  end
  local function find(name)
    local part = by_name[name]
    if part then return part end
    m.fail(("%s: the target has no parameter '%s'"):format(where, name),
           names[1] and m.suggest(name, names) or "a target without params has no names")
  end
  for _, name in ipairs(fixed_names(fields.fixed)) do find(name).fixed = true end
  for _, name in ipairs(m.sorted_keys(fields)) do
    if name ~= "fixed" then
      local part = find(name)
      if part.fixed then m.fail(("%s: '%s' is fixed and has a kernel"):format(where, name), "leave one of them out") end
      part.kernel = fields[name]
    end
  end
end

-- Returns the parts to choose for, in groups of the same kind and range. All real parts are one
-- group.
local function groups_of(parts)
  local groups, by_key = {}, {}
  for _, part in ipairs(parts) do
    if not part.fixed and not part.kernel then
      local key = part.kind == "real" and "real" or ("%s %d %d"):format(part.kind, part.low, part.values)
      if not by_key[key] then
        by_key[key] = { kind = part.kind, values = part.values, dim = 0 }
        groups[#groups + 1] = by_key[key]
      end
      local group = by_key[key]
      group[#group + 1], group.dim = part, group.dim + part.dim
    end
  end
  return groups
end

-- Returns what the member that moves these parts is placed on, and its name.
local function place_of(parts)
  local on, numbered = {}, not parts[1].name
  for i, part in ipairs(parts) do
    if numbered then
      for k = 1, part.dim do on[k] = part.first + k - 1 end
    else
      on[i] = part.name
    end
  end
  local name, kind = table.concat(on, "_"), parts[1].kind
  if numbered then return on, "all" end
  if #name <= 18 then return on, name end
  return on, kind == "real" and "real" or kind .. "_" .. parts[1].first
end

-- ---- the choice ---------------------------------------------------------------------

local function names_of(parts)
  local names = {}
  for i, part in ipairs(parts) do names[i] = part.name or "all coordinates" end
  if #names > 6 then return table.concat(names, ", ", 1, 5) .. (" and %d more"):format(#names - 5) end
  return table.concat(names, ", ")
end

-- Returns the number of steps in which a kernel of this many sites visits each of `dim` sites.
local function sweep_of(kernel, dim)
  if not of_one_site[kernel.name] or kernel.name == "gibbs" and kernel.scan == 2 then return 1 end
  local sites = kernel.name == "gibbs" and math.tointeger(kernel.sites) or 1
  return math.max(-(-dim // sites), 1)
end

local function counted(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end

local function member(list, parts, kernel, times, suffix)
  local on, name = place_of(parts)
  list[#list + 1] = { kernel = kernel, on = on, name = name .. (suffix or ""), times = times or 1, weight = 1.0 }
end

-- Returns the discrete parameters that are to be summed out of the density of the real ones: a
-- group for gibbs that is independent given all other parameters, of several the largest, if the sum
-- is cheap.
local function find_sums(target, groups)
  local best
  for _, group in ipairs(groups) do
    if group.kind ~= "real" and group.values <= few_values and (not best or group.dim > best.dim) then
      local at = {}
      for _, part in ipairs(group) do
        for k = 1, part.dim do at[#at + 1] = part.first + k - 1 end
      end
      local cost = core.target_sum_out(target, at)
      if cost and cost <= dearest_sum then best = group end
    end
  end
  return best
end

local choose = {}

-- Moves real parameters by a density from which discrete ones are summed out. If it depends on no
-- others, it is the same in all steps, and independence can learn it.
local function choose_summed(list, group, sums, same)
  local moves, why = "nuts moves", "log p has a gradient"
  member(list, group, cs.kernel.nuts {})
  if same and group.dim <= few_real then
    moves = ("nuts (in %.0f %% of the steps) and independence move"):format(100 * (1 - share))
    why = why .. ", and few coordinates have a distribution that proposals can fit"
    member(list, group, cs.kernel.independence { tail = tail }, 1, "_jump")
    list[1].weight, list[2].weight = 1 - share, share
    list.mixture = true
  end
  for _, one in ipairs(list) do one.sum_out = place_of(sums) end
  return ("%s %s (%s): %s; %s (%s of %d values) %s summed out and drawn again"):format(
    moves, names_of(group), counted(group.dim, "real coordinate"), why, names_of(sums),
    counted(sums.dim, "site"), sums.values, #sums > 1 and "are" or "is")
end

function choose.real(list, group, facts, sums)
  local named = names_of(group)
  if facts.gradient then
    member(list, group, cs.kernel.nuts {})
    return ("nuts moves %s (%s): log p has a gradient"):format(named, counted(group.dim, "real coordinate"))
  end
  member(list, group, cs.kernel.slice {}, group.dim)
  return ("slice moves %s (%s): log p has no gradient, and slice needs no tuning"):format(named, counted(group.dim, "real coordinate"))
end

-- All sites depend on each other, so that each difference costs nearly an evaluation: dmala moves all
-- sites by the gradient, and gibbs redraws some sites in turn, at the same cost. Where gradients
-- mislead, the sites still have half of the time.
function choose.guided(list, group, work)
  local sites = math.min(group.dim, math.max(1, math.floor(guided_work * group.dim / work + 0.5)))
  member(list, group, cs.kernel.dmala {}, guided_steps, "_all")
  list[#list].tuned = true
  member(list, group, cs.kernel.gibbs { scan = "systematic" }, sites)
  return ("dmala and gibbs move %s (%s of %d values): a sweep of gibbs costs %.0f evaluations of log p, so dmala changes all sites %d times per step, and gibbs redraws %s in turn"):format(
    names_of(group), counted(group.dim, "site"), group.values, work, guided_steps, counted(sites, "site"))
end

-- Returns the work of a sweep in evaluations of log p; nil if it is not known.
local function sweep_work(group, target)
  local work = 0
  for _, part in ipairs(group) do
    local own = core.target_sweep(target, part.first, part.dim)
    if not own then return nil end
    work = work + own
  end
  return work
end

function choose.gibbs(list, group, _, target)
  local work = group.dim >= many_sites and group.values <= few_guided and sweep_work(group, target)
  if work and work > long_sweep then return choose.guided(list, group, work) end
  member(list, group, cs.kernel.gibbs { scan = "sweep" })
  return ("gibbs moves %s (%s of %d values): few values, so the probability of each is computed%s"):format(
    names_of(group), counted(group.dim, "site"), group.values, group.dim > 1 and "; each site once per step" or "")
end

-- A whole number in a wide range: moves of two lengths.
function choose.wide(list, group)
  local far, near = math.max(group.values // 8, 1), math.max(math.floor(math.sqrt(group.values)) // 4, 1)
  local function walk(radius) return cs.kernel.random_walk { radius = radius } end
  member(list, group, walk(far), group.dim, "_far")
  member(list, group, walk(near), group.dim, "_near")
  return ("random_walk moves %s (%s of %d values) by up to %d and by up to %d: too many values for gibbs"):format(
    names_of(group), counted(group.dim, "site"), group.values, far, near)
end

local function rule_of(group)
  if group.kind == "real" then return choose.real end
  if group.kind == "ordinal" and group.values > few_values then return choose.wide end
  return choose.gibbs
end

-- Adds the kernels that are given.
local function add_given(list, lines, parts)
  for _, part in ipairs(parts) do
    if part.kernel then
      local info = m.member_info(part.kernel) or {}
      if info.on then
        m.fail(("%s: the kernel of '%s' has 'on'"):format(where, part.name), "leave it out: the field names the parameter")
      end
      local times = info.times or part.kind ~= "real" and sweep_of(part.kernel, part.dim) or 1
      list[#list + 1] = { kernel = part.kernel, on = { part.name }, name = info.name or part.name, times = times,
                          weight = 1.0, metric = info.metric }
      lines[#lines + 1] = ("%s moves %s, as given"):format(part.kernel.name, part.name)
    end
  end
end

-- True if the start, or each of its states, has a value of the parameter.
local function is_given(start, name)
  if start == nil then return false end
  if type(start[1]) ~= "table" then return start[1] ~= nil or start[name] ~= nil end
  for _, one in ipairs(start) do
    if one[1] == nil and one[name] == nil then return false end
  end
  return true
end

-- Returns the coordinates of the fixed parts.
local function held_of(parts, lines, start)
  local held = {}
  for _, part in ipairs(parts) do
    if part.fixed then
      if not is_given(start, part.name) then
        m.fail(("%s: '%s' is fixed, but `start` does not give its value"):format(where, part.name), ("write start = { %s = ... }"):format(part.name))
      end
      for k = 1, part.dim do held[#held + 1] = part.first + k - 1 end
      lines[#lines + 1] = ("%s keeps its value of start"):format(part.name)
    end
  end
  return held
end

local function has_given(parts)
  for _, part in ipairs(parts) do
    if part.kernel then return true end
  end
  return false
end

local function has_real(groups)
  for _, group in ipairs(groups) do
    if group.kind == "real" then return true end
  end
  return false
end

-- Returns the kernel for a target, and the lines that explain the choice.
local function choice(target, fields, start)
  local facts, parts = core.target_kind(target), parts_of(target)
  local list, lines = {}, {}
  mark(parts, fields)
  local groups = groups_of(parts)
  local sums = has_real(groups) and facts.gradient and find_sums(target, groups)
  for _, group in ipairs(groups) do
    if sums and group.kind == "real" then
      lines[#lines + 1] = choose_summed(list, group, sums, #groups == 2 and not has_given(parts))
    elseif group ~= sums then
      lines[#lines + 1] = rule_of(group)(list, group, facts, target)
    end
  end
  local whole = #groups == 1 and groups[1].kind == "real" and groups[1].dim == target.dim
  if whole and facts.gradient then
    lines[1] = lines[1] .. "; the warm-up tunes its step and its metric"
    return cs.kernel.nuts {}, lines
  end
  add_given(list, lines, parts)
  local held = held_of(parts, lines, start)
  if #list == 0 then m.fail(where .. ": all parameters are fixed", "leave one out of 'fixed'") end
  local kernel = m.make_composed(list.mixture or false, list)
  if #held > 0 then core.kernel_hold(kernel, held) end
  local tuned = m.member_tuner(kernel)
  if tuned then
    lines[#lines + 1] = ("the warm-up tunes %s"):format(tuned == "step" and "the step and the metric of each member"
                                                        or tuned .. " and the metric of its member")
  end
  return kernel, lines
end

-- True if two values, numbers or lists of them, are equal.
local function is_same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  local same = #a == #b
  for i = 1, #a do same = same and is_same(a[i], b[i]) end
  return same
end

-- Returns a state of `start` with the value of a fixed parameter.
local function with_value(state, name, value)
  local copy = {}
  if type(state) ~= "table" or state[1] ~= nil then
    m.fail(("%s: 'fixed' has a value of '%s', but `start` is a list of numbers"):format(where, name), "give the values of `start` by name")
  elseif state[name] ~= nil and not is_same(state[name], value) then
    m.fail(("%s: 'fixed' and `start` (which all arms share) have different values of '%s'"):format(where, name), "give the value once")
  end
  for key, x in next, state do copy[key] = x end
  copy[name] = value
  return copy
end

-- Returns the start with the values of fixed parameters.
local function with_fixed(start, fixed)
  for name, value in next, fixed or {} do
    if type(name) == "string" and start and type(start[1]) == "table" then
      local list = {}
      for i, state in ipairs(start) do list[i] = with_value(state, name, value) end
      start = list
    elseif type(name) == "string" then
      start = with_value(start or {}, name, value)
    end
  end
  return start
end

-- Replaces the kernels of arms that are to be chosen.
function m.choose_kernels(arms, t)
  for _, arm in ipairs(arms) do
    local fields = fields_of[arm.kernel]
    if fields then
      t.start = with_fixed(t.start, fields.fixed)
      local kernel, lines = choice(t.target, fields, t.start)
      arm.kernel, arm.chosen = kernel, "auto: " .. table.concat(lines, "\nauto: ")
    end
  end
end
