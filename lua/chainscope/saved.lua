-- Runs in files: cs.load reads the draws of a folder or a file.
local m = ...
local core, cs = m.core, m.cs

-- Returns a run of the draws at the path. With a description, the table of cs.open, returns a run
-- with this description in the state of the folder's checkpoint.
cs.load = core.located(function(path, description, ...)
  if type(path) ~= "string" then
    m.fail("cs.load: the path is a " .. core.kind(path), "write cs.load \"out\", a folder or a file of draws")
  end
  if select("#", ...) > 0 then m.fail("cs.load takes a path and a description of the run") end
  if description ~= nil then
    local bytes, run = core.run_checkpoint(path), cs.open(description)
    run:load(bytes)
    return run
  end
  local run, target, draws = core.run_read(path)
  m.words.read(run, target)
  run:step(draws)
  return run
end)
