-- Writes runs to folders, reads them back, and continues them.
local cs = require "chainscope"

local name = os.tmpname()
os.remove(name)
local function folder(part) return name .. "_" .. part end
local function description(keep)
  return {
    seed = 3, chains = 2, keep = keep,
    target = cs.target {
      params = { { mu = cs.real(2) }, { tau = cs.positive() } },
      log_density = function(p) return cs.lpdf.normal(p.mu, 0, p.tau) + cs.lpdf.half_normal(p.tau, 1) end,
      generated = function(p) return { sum = p.mu[1] + p.mu[2] } end,
    },
    arms = { a = cs.kernel.nuts {}, b = cs.kernel.random_walk { step = 0.5 } },
  }
end
local function read(path)
  local f <close> = io.open(path)
  return f and f:read "a"
end
local function fails(text, f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok and tostring(why):find(text, 1, true), tostring(why))
end

local run = cs.open(description())
fails("the run has no draws yet: call run:step(n) first", run.write, run, folder "a")
run:step(1500)
run:write(folder "a")
for _, file in ipairs { "a_1.csv", "b_2.csv", "checkpoint", "summary.json", "manifest", "plans.lua" } do
  assert(read(folder "a" .. "/" .. file), file)
end
fails("already contains a run", run.write, run, folder "a")
run:write(folder "a", { force = true })

-- The draws, names, figures and summary of the folder are those of the run.
local old = cs.load(folder "a")
for i, of in ipairs { "mu.1", "mu.2", "tau", "sum" } do
  assert(old.coordinates[i] == of)
  for arm = 1, 2 do
    for _, figure in ipairs { "mean", "sd", "ess_bulk" } do
      assert(old:arm(arm):figure(figure, of) == run:arm(arm):figure(figure, of), figure)
    end
  end
end
local draws, was = old:arm "a":chain(2):draws(), run:arm "a":chain(2):draws()
assert(#draws == 500 and #was == 500)
for i = 1, 500 do
  for d = 1, 3 do assert(draws[i][d] == was[i][d]) end
end
local function table_of(text) return text:match "\n *mean .-\n  tau[^\n]*" end
assert(table_of(old:summary()) == table_of(run:summary()))
assert(not old:summary():find "diverged", "unknown divergences are counted")

-- One file is a run too, and the run of the checkpoint continues bit for bit.
assert(cs.load(folder "a" .. "/b_1.csv").steps == 1500)
local more = cs.load(folder "a", description())
assert(more.steps == 1500)
more:step(150)
run:step(150)
for c = 1, 2 do
  for d = 1, 3 do assert(more:arm "a":chain(c):state()[d] == run:arm "a":chain(c):state()[d]) end
end

-- If the run keeps fewer draws, every second, fourth ... draw is written.
local thinned = cs.open(description(256))
thinned:step(1500)
thinned:write(folder "b")
local few = cs.load(folder "b")
assert(#few:arm "b":chain(1):draws() == 1500 // 8 and #few:arm "a":chain(1):draws() == 500 // 8)
assert(few:arm "a":chain(2):draws()[3][1] == thinned:arm "a":chain(2):draws()[12][1])
assert(read(folder "b" .. "/b_1.csv"):find "thin = 8\n")

-- Weighted draws keep their weights.
local weighted = cs.open { seed = 1, chains = 2, target = cs.target.gaussian { dim = 1 },
  arms = { w = cs.kernel.wang_landau { kernel = cs.kernel.random_walk { step = 1 } } } }
weighted:step(2000)
weighted:write(folder "c")
assert(read(folder "c" .. "/w_1.csv"):find "log_weight__")
assert(cs.load(folder "c"):arm(1):figure("mean", 1) == weighted:arm(1):figure("mean", 1))

fails("run:write needs the name of a folder", run.write, run, 3)
fails("run:write has no option 'forse'", run.write, run, folder "d", { forse = true })
fails("cs.load: the path is a nil", cs.load)
fails("run:save takes no argument", run.save, run, folder "a")
fails(folder "none", cs.load, folder "none")
fails("this is not the run that was saved", cs.load, folder "a", { target = cs.target.gaussian { dim = 3 }, chains = 2,
  arms = { a = cs.kernel.nuts {}, b = cs.kernel.random_walk { step = 0.5 } } })
for _, part in ipairs { "a", "b", "c" } do os.execute("rm -r " .. folder(part)) end
