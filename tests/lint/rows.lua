-- Checks that the enumerator of a row of parameters is the row's name in
-- capitals: `[STEP] = {.name = "step"`. An enumerator may have a prefix
-- (CS_GRID_FILE). It ends in "_" if C uses the word for something else (FILE_).
-- Rows that a macro defines are checked too.
-- Usage: rows.lua SOURCE_DIR
package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local sources = require "source"
local source = assert(arg[1], "which source folder?")
local faults, n = 0, 0
local texts, macro = {}, {}

for path in io.popen(("find '%s' -name '*.[ch]'"):format(source)):lines() do
  local text = sources.read(path)
  texts[#texts + 1] = { path, text }
  for name, body in text:gmatch("#define (CS_[%u%d_]+_ROW)%b()(.-[^\\])\n") do
    macro[name] = body:match('^[%s\\]*{[%s\\]*%.name = "([%w_]+)"')
  end
  for name, body in text:gmatch("#define (CS_[%u%d_]+_ROW)%s(.-[^\\])\n") do
    macro[name] = body:match('^[%s\\]*{[%s\\]*%.name = "([%w_]+)"')
  end
end

local function check(path, item, name)
  local want = name:upper()
  n = n + 1
  if item == want or item == want .. "_" or item:match("_" .. want .. "_?$") then return end
  print(("%s: the enumerator of the parameter %s is %s, not %s"):format(path, name, item, want))
  faults = faults + 1
end

for _, file in ipairs(texts) do
  local path, text = file[1], file[2]
  for item, name in text:gmatch('%[([%u%d_]+)%]%s*=[%s\\]*{[%s\\]*%.name = "([%w_]+)"') do
    check(path, item, name)
  end
  for item, name in text:gmatch("%[([%u%d_]+)%]%s*=[%s\\]*(CS_[%u%d_]+_ROW)%f[^%w_]") do
    if macro[name] then check(path, item, macro[name]) end
  end
end
print(("rows: %d rows of parameters, %d faults"):format(n, faults))
os.exit(faults == 0)
