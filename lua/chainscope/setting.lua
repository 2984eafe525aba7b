-- Compares the setting of a run with the setting stated in a paper. Numbers are compared with the
-- field `printed` of the scenario. The files that the script opened are listed.
local m = ...
local core, rows = m.core, m.rows

rows.printed = {
  steps = { "number", "steps per chain", min = 0 },
  chains = { "number", "chains per arm", min = 0 },
  seeds = { "number", "runs, each with its own seed", min = 0 },
  rows = { "number", "rows of data", min = 0 },
  target = { "table", "numbers and names in the target: { hidden = 500 }" },
  arms = { "table", "parameters of arms, by arm: { dmala = { step = 0.1 } }" },
  learn = { "table", "fields of `learn` of the arms: { updates = 2000, steps = 40 }" },
}

-- Checks the field `printed`: the arms that it names must exist.
function m.check_printed(t, arms)
  local p = m.check("printed", t.printed, rows.printed)
  local names = {}
  for _, arm in ipairs(arms) do names[arm.name] = true end
  for name in next, p.arms or {} do
    if not names[name] then
      m.fail("`printed` names the arm '" .. tostring(name) .. "', which does not exist", m.suggest(name, m.sorted_keys(names)))
    end
  end
end

-- Returns a value as text.
local function short(x)
  if type(x) == "number" then return ("%.10g"):format(x) end
  if type(x) == "boolean" or type(x) == "string" then return tostring(x) end
  return "a schedule"
end

-- Adds to `list` each setting whose value in the run differs from its value in
-- `printed`.
local function differences(list, head, printed, found)
  for _, name in ipairs(m.sorted_keys(printed)) do
    local want, is = printed[name], found(name)
    local near = type(want) == "number" and type(is) == "number" and math.abs(want - is) <= 1e-9 * math.abs(want)
    if is ~= want and not near then
      list[#list + 1] = ("%s%s %s for %s"):format(head, name, is == nil and "not set" or short(is), short(want))
    end
  end
end

local function learning(t, full)
  for _, arm in next, m.arms_of(t) do
    local learn = type(arm) == "table" and rawget(arm, "learn")
    if learn then
      return function(name)
        local more = full and t.full and t.full.learn or {}
        if more[name] ~= nil then return more[name] end
        return learn[name]
      end
    end
  end
  return function() end
end

local function of_target(t)
  local made = m.made_from[t.target]
  return function(name) return made and made[2][name] end
end

local function of_arm(run, i)
  local info, plan = core.arm_info(run, i), core.arm_plan(run, i)
  return function(name)
    if type(plan[name]) == "table" or type(plan[name]) == "userdata" then return plan[name] end
    return plan[name] == nil and info.params[name] or plan[name]
  end
end

local function compared(run, t, now)
  local p, list = t.printed, {}
  local whole = {}
  for _, name in ipairs { "steps", "chains", "seeds", "rows" } do whole[name] = p[name] end
  differences(list, "", whole, function(name) return now[name] end)
  differences(list, "", p.target or {}, of_target(now))
  differences(list, "", p.learn or {}, learning(t, now.full))
  for i = 1, core.run_arms(run) do
    local name = core.arm_info(run, i).name
    differences(list, name .. ".", p.arms and p.arms[name] or {}, of_arm(run, i))
  end
  return #list > 0 and table.concat(list, ", ") or "the printed numbers"
end

-- Stores the differences between the setting of an opened run and the paper's setting. `now`
-- has the fields steps, chains, seeds, rows, target, full.
function m.note_setting(run, t, now)
  local memory = core.run_memory(run)
  memory.setting = now.full and t.full and t.full.setting or t.setting
  memory.compared = t.printed and compared(run, t, now)
end

-- Returns the files that the script opened, with checksums of their contents, and the requested
-- files that do not exist.
local function opened()
  local there, lacking = {}, {}
  for _, file in ipairs(core.files_asked()) do
    local list = file.sum and there or lacking
    list[#list + 1] = file.sum and ("%s (sum %s)"):format(file.name, file.sum:sub(1, 8)) or file.name
  end
  local text = {}
  if there[1] then text[1] = "data: " .. table.concat(there, ", ") end
  if lacking[1] then text[#text + 1] = "missing: " .. table.concat(lacking, ", ") end
  return text[1] and table.concat(text, "; ")
end

-- Describes the setting: "60 for 1001 steps; 100 hidden units, as its program has; data:
-- bnn/compas-train.csv.gz (sum ...)". "60 for 1001" means that the run has 60 where the paper has
-- 1001.
function m.setting_in_words(run)
  local memory = core.run_memory(run)
  local list = {}
  for _, text in ipairs { memory.compared or "", memory.setting or "", opened() or "" } do
    if text ~= "" then list[#list + 1] = text end
  end
  return list[1] and table.concat(list, "; ")
end
