-- Checks that no two files of the program have the same base name, because
-- debuggers and searches show only the base name. The exceptions are listed:
-- names of one concept in two layers.
-- Usage: lua5.4 twins.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
local same = {
  ["acceptance.c"] = "a probe and a tuner, each called as in its list",
  ["check.c"] = "the sub-command, and the laws that it tries",
  ["config.c"] = "the sub-command, and the file that it shows",
  ["contour.c"] = "bins of contour kernels, and what panels read of them",
  ["contour.h"] = "the same",
  ["cycle.c"] = "a schedule, and the probe of its cycles",
  ["diagnostics.c"] = "the formulas, and the probe that reports them",
  ["distance.c"] = "the formulas, and the probe that reports them",
  ["export.c"] = "the sub-command, and the files that it writes",
  ["moments.c"] = "the formulas, and the probe that reports them",
  ["outputs.c"] = "generated quantities as programs, and as scripts give them",
  ["rows_drawn.c"] = "the probe, and the warning of bounds from it",
  ["registry.c"] = "each reads the list of its folder",
  ["resample.c"] = "the sub-command, and the files that it writes",
  ["term_bounds.c"] = "bounds of data terms, and as scripts give them",
  ["term_bounds.h"] = "the same",
  ["term_target.c"] = "targets of data terms, and as scripts give them",
  ["train_words.c"] = "the sub-command, and the training",
  ["tours.c"] = "targets on tours, and the probe of tours that were seen",
}
-- `bench` is a separate program. Its files have the names of what they measure.
local others = { bench = true }

local faults, where = 0, {}
local function fault(...)
  print(string.format(...))
  faults = faults + 1
end
local files = io.popen(("find '%s' -name '*.[ch]' | sort"):format(source))
for path in files:lines() do
  local short = path:sub(#source + 2)
  local name = short:match("[^/]+$")
  if not others[short:match("^%w+")] then
    if where[name] and not same[name] then
      fault("%s has the same name as %s: rename one, or list both here if they belong together", short, where[name])
    elseif where[name] then
      same[name] = false
    end
    where[name] = short
  end
end
assert(next(where), "no files under " .. source)
for name, reason in pairs(same) do
  if reason and where[name] then fault("%s: only %s exists: remove its row here", name, where[name]) end
end
os.exit(faults == 0 and 0 or 1)
