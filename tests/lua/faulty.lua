-- Tests the table of planted faults: for another seed each, `check` finds the
-- fault by the law that the table names; no law reports the correct kernel of
-- the same kind, nor a correct kernel that looks unusual.
--
-- Measured with 5 s per law and the seeds 1 to 20 (the weakest nine faults: 1 to
-- 100): every fault was found with every seed. This test uses samples of a fifth
-- of the usual size, which find them too. Other seeds: lua5.4 faulty.lua FIRST LAST
local cs, core = require "chainscope", require "chainscope.core"
local words = core.words
local first, last = tonumber(arg[1]), tonumber(arg[2])
local draws, seconds = 4000, 5

local function opened(f, seed)
  return cs.open { target = f.target, chains = 4, seed = seed, start = f.start, budget = { steps = 100 }, arms = { a = f.kernel } }
end

local function broken(f, seed, law)
  local list = {}
  for _, one in ipairs(core.run_check(opened(f, seed), seconds, law, nil, draws)) do
    if one.verdict == "broken" then list[#list + 1] = one.law .. ": " .. one.text end
  end
  return list
end

local function values(f)
  local list = {}
  for name, x in pairs(f.values) do list[#list + 1] = ("%s = %.3g"):format(name, x) end
  return table.concat(list, ", ")
end

local function check_fault(name, seed)
  local f = cs.faulty[name] { seed = seed }
  assert(f.wrong and f.right and f.law, name .. ": incomplete")
  assert(#broken(f, seed, f.law) > 0, ("%s, seed %d (%s): not found by %s"):format(name, seed, values(f), f.law))
end

local function check_correct(name, seed, of_fault)
  local f = cs.faulty[name] { seed = seed, correct = of_fault, variant = seed % 3 }
  local list = broken(f, seed)
  assert(#list == 0, ("%s, seed %d (%s) is correct, but reported: %s"):format(name, seed, values(f), table.concat(list, "; ")))
end

local faults, unusual = words.faulty_names(false), words.faulty_names(true)
assert(#faults == 20 and #unusual == 7)
for i, name in ipairs(faults) do
  for seed = first or i, last or i do
    check_fault(name, seed)
    check_correct(name, seed, true)
  end
end
for i, name in ipairs(unusual) do
  for seed = first or i, last or i do check_correct(name, seed) end
end

-- ---- the makers ------------------------------------------------------------

-- The seed determines the parameters; a variant changes those of the kernel only.
local one, same = cs.faulty.batch_ratio { seed = 4 }, cs.faulty.batch_ratio { seed = 4 }
local other, variant = cs.faulty.batch_ratio { seed = 5 }, cs.faulty.batch_ratio { seed = 4, variant = 1 }
assert(one.values.step == same.values.step and one.values.step ~= other.values.step)
assert(one.values.step ~= variant.values.step)
assert(cs.faulty.stale_pair { variant = 1 }.values.rho == cs.faulty.stale_pair {}.values.rho)

-- Kernels that keep a value between steps can be checked, and not run.
local stateful = cs.faulty.inertia {}
assert(not stateful.runs and cs.faulty.inertia { correct = true }.runs and cs.faulty.clipped {}.runs)

for _, mistake in ipairs { { "there is", function() return cs.faulty.cliped end, "clipped" },
                           { "field", function() return cs.faulty.clipped { sede = 1 } end, "seed" },
                           { "range", function() return cs.faulty.clipped { seed = -1 } end, "from 0" } } do
  local good, why = pcall(mistake[2])
  assert(not good and why:find(mistake[3], 1, true), tostring(why))
end
