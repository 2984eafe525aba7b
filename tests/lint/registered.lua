-- Checks the .def lists of the registry folders. A folder's list must name
-- every file of the folder that defines a type, and every file in the list must
-- exist.
-- Usage: registered.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
local lists = {
  { def = "kernels/kernels.def", macro = "CS_KERNEL", type = "cs_kernel" },
  { def = "targets/targets.def", macro = "CS_TARGET", type = "cs_target" },
  { def = "probe/probes.def", macro = "CS_PROBE", type = "cs_probe" },
  { def = "schedule/schedules.def", macro = "CS_SCHEDULE",
    type = "cs_schedule" },
  { def = "tune/tuners.def", macro = "CS_TUNER", type = "cs_tuner" },
  { def = "screen/panels/panels.def", macro = "CS_PANEL", type = "cs_panel" },
  { def = "cli/subcommands.def", macro = "CS_SUBCOMMAND",
    type = "cs_subcommand" },
  { def = "figure/figures.def", macro = "CS_FIGURE", type = "cs_figure" },
  { def = "bench/bench.def", macro = "CS_BENCH", type = "cs_bench_case" },
}
local faults = 0
local function fault(...) print(string.format(...)) faults = faults + 1 end

local function read(path)
  local f = io.open(path)
  local text = f and f:read("a")
  if f then f:close() end
  return text
end

for _, list in ipairs(lists) do
  local text = read(source .. "/" .. list.def)
  if text then
    local listed, folder, bodies = {}, list.def:match("^(%w+)/"), {}
    local files = io.popen(("find '%s/%s' -name '*.c'"):format(source, folder))
    for path in files:lines() do
      bodies[path:match("([%w_]+)%.c$")] = read(path)
    end
    for line in text:gmatch("[^\n]+") do
      local once = line:gsub("^(CS_%u+)_ONCE%(", "%1(")
      local name, file = once:match("^" .. list.macro .. "%(([%w_]+), *([%w_]+)[,)]")
      if name then
        listed[name] = true
        local body = bodies[file]
        local symbol = list.type .. "_" .. name
        if not body then fault("%s: no file %s.c", list.def, file)
        elseif not body:find(symbol, 1, true) then
          fault("%s/%s.c does not define %s", folder, file, symbol)
        end
      end
    end
    for file, body in pairs(bodies) do
      body = body:gsub("CS_VARIANT%(([%w_]+)%)", "%1")
      for name in body:gmatch("\nconst " .. list.type .. "_?t?y?p?e? " ..
          list.type .. "_([%w_]+) = {") do
        if not listed[name] then
          fault("%s/%s.c defines %s, which %s does not list", folder, file,
            name, list.def)
        end
      end
    end
  end
end

-- Checks that a panel names every probe whose reports it reads, because only
-- the named probes are active while the panel is shown.
local probes, keys = {}, {}
for name in (read(source .. "/probe/probes.def") or ""):gmatch("CS_PROBE[_ONCE]*%(([%w_]+),") do
  probes[name] = true
end
for key, text in (read(source .. "/session/client/snapshot_rows.h") or ""):gmatch('#define (CS_KEY_[%w_]+) "([^"]*)"') do
  keys[key] = text
end
for name, file, named in (read(source .. "/screen/panels/panels.def") or ""):gmatch('CS_PANEL%(([%w_]+), ([%w_]+), "(.-)"%)') do
  local body = (read(("%s/screen/panels/%s.c"):format(source, file)) or ""):gsub("CS_KEY_[%w_]+", keys)
  for probe in body:gmatch("arm/%%zu/([%w_]+)/") do
    if probes[probe] and not (" " .. named .. " "):find(" " .. probe .. " ", 1, true) then
      fault("screen/panels/%s.c reads the probe %s, which panels.def does not name for %s", file, probe, name)
    end
  end
end

-- Checks the keys that the screen reads. The words of such a key also occur in
-- keys that are written, and session/client/snapshot.h describes them. With a
-- misspelt key the screen would read nothing.
local function words_of(text, into)
  for word in text:gsub("%%zu", " "):gsub("%%[sdu]", " "):gmatch("[%a_]+") do into[word] = true end
  return into
end
local function each_file(folder, f)
  local files = io.popen(("find '%s/%s' -name '*.[ch]' 2>/dev/null"):format(source, folder))
  for path in files:lines() do f(path, (read(path):gsub("CS_KEY_[%w_]+", keys))) end
end
local written, told = {}, words_of(read(source .. "/session/client/snapshot.h") or "", {})
for _, folder in ipairs { "session", "probe", "run", "learn", "kernel", "kernels/tempering" } do
  each_file(folder, function(_, body)
    for text in body:gmatch('"([^"\n]*)"') do words_of(text, written) end
  end)
end
-- Exception: the data of scripts' own panels and of predictive checks are written by Lua code.
for _, file in ipairs { "own_panels", "predictive" } do
  words_of(read(("%s/../lua/chainscope/%s.lua"):format(source, file)) or "", written)
end
for _, folder in ipairs { "screen", "jobs" } do
  each_file(folder, function(path, body)
    for call in body:gmatch("[cC][sS]_[sS][hH][oO][tT]_%w+(%b())") do
      local key = call:match('"(%a+/[%w_%%/]+)"')
      for word in pairs(words_of(key or "", {})) do
        if not written[word] then
          fault("%s reads %s, but no key that is written has the word %s", path, key, word)
        elseif not told[word] then
          fault("%s reads %s, but session/client/snapshot.h does not describe %s", path, key, word)
        end
      end
    end
  end)
end
os.exit(faults == 0 and 0 or 1)
