-- Tests the functions that read tables and JSON files in a script's folder.
-- Tests the resulting values, and errors with their position.
local cs = require "chainscope"

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
  return name
end
local csv, json = os.tmpname(), os.tmpname()
local function table_of(text) return cs.read_table(write(csv, text)) end
local function json_of(text) return cs.read_json(write(json, text)) end
local function refused(f, text, want)
  local ok, why = pcall(f, text)
  assert(not ok and why:find(want, 1, true), want .. " <> " .. tostring(why))
end

local t, names = table_of "\239\187\191name, y ,\"sd, of it\",n\r\n# not this\r\n\"Choate, A\",28.5,15,1\r\n\"say \"\"hi\"\"\",,1e1,2\r\n"
assert(table.concat(names, "|") == "name|y|sd, of it|n")
assert(t.name[1] == "Choate, A" and t.name[2] == 'say "hi"' and #t.name == 2)
assert(t.y[1] == 28.5 and t.y[2] ~= t.y[2] and t["sd, of it"][2] == 10 and math.type(t.n[2]) == "integer")
t, names = table_of "1,2\n3,4\n"
assert(names[1] == "x1" and t.x2[2] == 4)
assert(table_of("a\nx\n1\n").a[2] == "1", "a column of texts stays one")
-- NA, which R writes for missing values, is read as a missing number; in a
-- column of strings it remains a string. Separators other than commas are
-- accepted. With such a separator, decimal commas are accepted too.
t = table_of "dose,effect,name\n1.5,0.2,x\nNA,4,NA\n2.5,NA,y\n"
assert(t.dose[1] == 1.5 and t.dose[2] ~= t.dose[2] and t.effect[2] == 4 and t.effect[3] ~= t.effect[3])
assert(t.name[2] == "NA")
t, names = table_of "dose\teffect\n1.5\t\n2.5\t0.4\n"
assert(#names == 2 and t.dose[2] == 2.5 and t.effect[1] ~= t.effect[1] and t.effect[2] == 0.4)
t, names = table_of "dose;effect;name\n1,5;0,2;a,b\n2,5;4;c\n"
assert(#names == 3 and t.dose[1] == 1.5 and t.effect[1] == 0.2 and t.effect[2] == 4 and t.name[1] == "a,b")
refused(table_of, "a,b\n1,2\n3\n", ":3: this row has fewer than the 2 fields")
refused(table_of, "a,a\n1,2\n", "two columns are called 'a'")
refused(table_of, "a,b\n", "names but no rows")
refused(table_of, "", "empty")

-- Reads two images of 2 x 4 pixels, and a list of labels.
local idx = os.tmpname()
local function idx_of(text) return write(idx, text) end
local images = "\0\0\8\3\0\0\0\2\0\0\0\2\0\0\0\4" .. "\1\2\3\4\5\6\7\8" .. "\255\0\0\0\0\0\0\2"
local list = cs.read_idx(idx_of(images))
assert(#list == 2 and table.concat(list[1], " ") == "1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0")
list = cs.read_idx(idx_of(images), 2)
assert(table.concat(list[1], " ") == "3.5 5.5" and table.concat(list[2], " ") == "63.75 0.5")
assert(#cs.read_idx(idx, nil, 1) == 1)
assert(table.concat(cs.read_idx(idx_of "\0\0\8\1\0\0\0\3\7\0\9"), " ") == "7 0 9")
-- Reads floats (two images of 2 x 2 pixels with the values 0, 1/8 ... 7/8) and
-- 16-bit integers.
local floats = "\0\0\13\3" .. string.pack(">I4I4I4", 2, 2, 2)
for k = 0, 7 do floats = floats .. string.pack(">f", k / 8) end
list = cs.read_idx(idx_of(floats))
assert(#list == 2 and table.concat(list[2], " ") == "0.5 0.625 0.75 0.875")
assert(cs.read_idx(idx_of(floats), 2)[1][1] == 0.1875)
assert(table.concat(cs.read_idx(idx_of("\0\0\11\1" .. string.pack(">I4i2i2", 2, -2, 300))), " ") == "-2 300")
idx_of(images)
refused(function(pool) return cs.read_idx(idx, pool) end, 3, "images of 2 x 4 pixels are smaller than 3 x 3")
refused(function(pool) return cs.read_idx(idx, pool) end, 0, "pool")
refused(cs.read_idx, idx_of "\0\0\8\1\0\0\0\3\7\0", idx)
os.remove(idx)

-- A table that was read is accepted as data, which does not change its columns.
local schools = table_of "y,sigma\n28,15\n8,10\n-3,16\n"
local target = cs.target {
  params = { mu = cs.real() }, data = schools,
  term = function(p, row) return cs.lpdf.normal(row.y, p.mu, row.sigma) end,
}
local by_file = cs.target {
  params = { mu = cs.real() }, data = { file = csv },
  term = function(p, row) return cs.lpdf.normal(row.y, p.mu, row.sigma) end,
}
assert(math.abs(target:log_density { 3 } - by_file:log_density { 3 }) < 1e-12)

local j = json_of '{ "J": 8, "y": [28, 8.5, -3e0, null], "s": "caf\\u00e9", "m": [[1,2],[3,4]], "o": {"a": true, "n": null}, "e": [] }'
assert(j.J == 8 and math.type(j.J) == "integer" and #j.y == 4 and j.y[3] == -3 and j.y[4] ~= j.y[4])
assert(j.s == "café" and j.m[2][1] == 3 and j.o.a == true and j.o.n == nil and #j.e == 0)
assert(json_of "3" == 3 and json_of "null" == nil and json_of '"x"' == "x")
assert(math.type(json_of "12345678901234567890") == "float")
refused(json_of, '{\n"a": 1,\n"a": 2}', ":3: an object has the key 'a' twice")
refused(json_of, '{\n"a": [1,\n2,]}', ":3: this is not a JSON value")
refused(json_of, ("["):rep(65), "nested too deeply")
refused(json_of, "{} {}", "more text after the value")
refused(cs.read_json, 3, "expects a path")
refused(cs.read_json, "no/such.json", "no/such.json")
refused(cs.read_table, csv .. ".none", "cannot open the CSV file")
os.remove(csv)
os.remove(json)
