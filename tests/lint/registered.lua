-- Every file of a registry folder that defines a type is in the .def list, and
-- every listed file exists: no silent orphan. Usage: registered.lua SOURCE_DIR
local source = assert(arg[1], "which source folder?")
local lists = {
  { def = "kernels/kernels.def", macro = "CS_KERNEL", type = "cs_kernel" },
  { def = "targets/targets.def", macro = "CS_TARGET", type = "cs_target" },
  { def = "probe/probes.def", macro = "CS_PROBE", type = "cs_probe" },
  { def = "schedule/schedules.def", macro = "CS_SCHEDULE",
    type = "cs_schedule" },
  { def = "tune/tuners.def", macro = "CS_TUNER", type = "cs_tuner" },
  { def = "screen/panels.def", macro = "CS_PANEL", type = "cs_panel" },
  { def = "cli/subcommands.def", macro = "CS_SUBCOMMAND",
    type = "cs_subcommand" },
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
      local name, file = line:match("^" .. list.macro .. "%(([%w_]+), *([%w_]+)[,)]")
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

-- A panel names every probe whose reports it reads: what it names is switched
-- on where it is shown.
local probes, keys = {}, {}
for name in (read(source .. "/probe/probes.def") or ""):gmatch("CS_PROBE%((%w+),") do
  probes[name] = true
end
for key, text in (read(source .. "/session/rows.h") or ""):gmatch('#define (CS_KEY_[%w_]+) "([^"]*)"') do
  keys[key] = text
end
for name, file, named in (read(source .. "/screen/panels.def") or ""):gmatch('CS_PANEL%((%w+), ([%w_]+), "(.-)"%)') do
  local body = (read(("%s/screen/%s.c"):format(source, file)) or ""):gsub("CS_KEY_[%w_]+", keys)
  for probe in body:gmatch("arm/%%zu/(%w+)/") do
    if probes[probe] and not (" " .. named .. " "):find(" " .. probe .. " ", 1, true) then
      fault("screen/%s.c reads the probe %s, which panels.def does not name for %s", file, probe, name)
    end
  end
end
os.exit(faults == 0 and 0 or 1)
