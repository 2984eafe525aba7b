-- The stages of a lesson (the field `stages` of a scenario): other targets, arms and initial states, by
-- name. The setting "stage=NAME" opens the scenario at a stage; a step of the course with the field
-- `stage` starts over with it.
local m = ...
local rows = m.rows

rows.stage = {
  target = { rows.run.target[1], "the target of this stage; by default that of the scenario" },
  arms = { "table", "the arms of this stage; by default those of the scenario" },
  start = { "table", "the initial states of this stage; by default those of the scenario, or random ones if the stage has a target" },
  chains = rows.run.chains,
  claims = { "table", "claims about the results of this stage, which `chainscope run FILE --set stage=NAME` tests" },
}

-- For the field `stages` of each scenario that was opened at a stage: the scenario (`base`), and the
-- name of the stage (`name`). The field remains the same table in all copies of the scenario.
local opened_at = setmetatable({}, { __mode = "k" })

-- Fields that state results of the scenario's own target.
local results = { "claims", "full", "printed", "predictive", "stop", "sbc" }

-- Returns the scenario t at a stage: with the fields of the stage, and without claims.
local function at_stage(t, name)
  local stage = t.stages[name]
  if type(stage) ~= "table" then
    m.fail(("there is no stage '%s'"):format(tostring(name)), m.suggest(name, m.sorted_keys(t.stages)))
  end
  local copy, stages = {}, {}
  for k, v in next, t do copy[k] = v end
  for k, v in next, t.stages do stages[k] = v end
  for _, field in ipairs(results) do copy[field] = nil end
  if stage.target then copy.start = nil end
  for k, v in next, stage do copy[k] = v end
  opened_at[stages] = { base = t, name = name }
  copy.stages, copy.stage = stages, nil
  return copy
end

-- Returns the scenario at the stage that the sets or the field `stage` choose, the other sets, and
-- the name of the stage. Without a stage, returns t and the sets.
function m.staged(t, sets)
  local name, others = t.stage, {}
  for _, set in ipairs(sets) do
    local one = set:match "^stage=(.*)$"
    if one then name = one else others[#others + 1] = set end
  end
  if not name then return t, sets end
  if not t.stages then m.fail(("stage = '%s', but the scenario has no stages"):format(tostring(name)), "leave it out") end
  return at_stage(t, name), others, name
end

-- Checks the field `stages`.
function m.check_stages(t)
  if next(t.stages) == nil then m.fail("stages: the table is empty", "stages = { wide = { target = ... } }") end
  for _, name in ipairs(m.sorted_keys(t.stages)) do
    if type(name) ~= "string" or not name:find "^[%w_]+$" or #name > 40 then
      m.fail(("stages: '%s' is not a valid name for a stage"):format(tostring(name)), "use up to 40 letters, digits and '_'")
    end
    m.check("stages: " .. name, t.stages[name], rows.stage)
  end
end

-- Returns the scenario t at a stage (nil: without a stage), and its arms as a list. `arms` are those of
-- t, which may itself be opened at a stage.
local function scenario_at(t, arms, name)
  local now = t.stages and opened_at[t.stages] or { base = t }
  if now.name == name then return t, arms end
  local other = now.base
  if name and not other.stages then
    m.fail(("stage '%s': the scenario has no stages"):format(name), "stages = { " .. name .. " = { target = ... } }")
  end
  if name then other = at_stage(other, name) end
  return other, m.arm_list(m.arms_of(other))
end

-- Returns a function that gives what the steps of a course can name at a stage: the scenario `t`, its
-- arms (`list`; `arms` has their names as numbers and as keys) and its coordinates, if they are known.
function m.stage_grounds(t, arms)
  local known = {}
  return function(name)
    local found = known[name or 0]
    if not found then
      local at, list = scenario_at(t, arms, name)
      local names = {}
      for i, arm in ipairs(list) do names[i], names[arm.name] = arm.name, true end
      found = { t = at, list = list, arms = names, coordinates = m.is_made(at.target) and at.target.coordinates or nil }
      known[name or 0] = found
    end
    return found
  end
end

-- Returns the name of the stage at which the scenario t was opened, or nil.
function m.stage_of(t)
  local now = t.stages and opened_at[t.stages]
  return now and now.name
end
