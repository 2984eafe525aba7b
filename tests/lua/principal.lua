-- Tests tables of principal components. They are computed from rows with known
-- components, from images in IDX files, and from the same pixels in rows.
-- Held-out rows are not used for learning. Invalid input is reported.
local cs = require "chainscope"

local function near(got, want, off)
  assert(math.abs(got - want) <= (off or 1e-12), ("%.17g <> %.17g"):format(got, want))
end
local function refused(fields, want)
  local ok, why = pcall(cs.principal_components, fields)
  assert(not ok and why:find(want, 1, true), want .. " <> " .. tostring(why))
end

-- The rows have a spread of 5 along (3, 4) / 5, and of 1 across it. The class
-- of the last rows is not used.
local rows = {
  { 10 + 3, 20 + 4, 7 }, { 10 - 3, 20 - 4, 2 }, { 10 - 0.8, 20 + 0.6, 2 }, { 10 + 0.8, 20 - 0.6, 7 },
  { 1000, 1000, 5 }, { 0 / 0, 1, 1 },
}
local more = { { 10 + 6, 20 + 8, 2 }, { 500, 500, 3 }, { 10, 20, 7 } }
local found = cs.principal_components { table = rows, held_out_table = more, classes = { 7, 2 }, components = 2 }
near(found.variance[1], 50 / 3)
near(found.variance[2], 2 / 3)
near(found.total, 52 / 3)
local want = { { 5, 0, 0 }, { -5, 0, 1 }, { 0, -1, 1 }, { 0, 1, 0 } }
assert(#found.table == 4 and #found.table[1] == 3 and #found.held_out_table == 2)
for i, row in ipairs(want) do
  for j, x in ipairs(row) do near(found.table[i][j], x) end
end
near(found.held_out_table[1][1], 10)
near(found.held_out_table[1][3], 1)
near(found.held_out_table[2][1], 0)
assert(found.held_out_table[2][3] == 0)

-- Held-out rows do not influence the components.
local alone = cs.principal_components { table = rows, classes = { 7, 2 }, components = 2 }
assert(alone.held_out_table == nil)
for i, row in ipairs(alone.table) do
  for j, x in ipairs(row) do assert(x == found.table[i][j]) end
end
assert(#cs.principal_components { table = rows, classes = { 7, 2 }, components = 1, most = 3 }.table == 3)

-- Images are rows of pixels from 0 to 1.
local name = os.tmpname()
local function idx(kind, sizes, bytes)
  local f = assert(io.open(name .. kind, "wb"))
  f:write(string.pack(">I4", 0x0800 + #sizes))
  for _, n in ipairs(sizes) do f:write(string.pack(">I4", n)) end
  f:write(string.char(table.unpack(bytes)))
  f:close()
  return name .. kind
end
local pixels, labels, list = {}, {}, {}
for i = 1, 20 do
  list[i] = {}
  for j = 1, 6 do
    pixels[#pixels + 1] = (i * i * 37 + j * j * j * 11 + i * j * 53) % 256
    list[i][j] = pixels[#pixels] / 255
  end
  labels[i] = i % 3
  list[i][7] = labels[i]
end
local images, classes = idx(".images", { 20, 2, 3 }, pixels), idx(".labels", { 20 }, labels)
local function same(a, b)
  assert(#a == #b)
  for i, row in ipairs(a) do
    for j, x in ipairs(row) do assert(x == b[i][j]) end
  end
end
local by_images = cs.principal_components { images = images, labels = classes, held_out_images = images,
  held_out_labels = classes, classes = { 2, 0 }, components = 4 }
local by_rows = cs.principal_components { table = list, classes = { 2, 0 }, components = 4 }
assert(#by_images.table == 13)
same(by_images.table, by_rows.table)
same(by_images.table, by_images.held_out_table)

-- ---- invalid input ----
refused({ table = rows }, "classes")
refused({ classes = { 1 } }, "there are no data")
refused({ table = rows, classes = { 7, 8 } }, "'table' has no row of class 8")
refused({ table = rows, classes = { 7, 7 } }, "'classes' has 7 twice")
refused({ table = rows, classes = { 1, 7 }, components = 1 }, "'table' has a number that is not finite in row 6")
refused({ table = rows, classes = { 7, 2 } }, "50 were requested, but there are 2 columns: request at most 2")
refused({ table = rows, classes = { 7 }, components = 2 }, "vary in 1 directions: request at most 1")
refused({ table = { { 1, 7 }, { 1, 7 } }, classes = { 7 }, components = 1 }, "no column varies")
refused({ table = { { 7 }, { 7 } }, classes = { 7 }, components = 1 }, "'table' has one column")
refused({ table = rows, held_out_table = { { 1, 7 } }, classes = { 7 }, components = 1 }, "'table' has 2 columns, but 'held_out_table' has 1")
refused({ table = rows, held_out_table = { { 1, 2, 3 } }, classes = { 7 }, components = 1 }, "'held_out_table' has no row of class 7")
refused({ images = images, classes = { 1 } }, "'images' is given without 'labels'")
refused({ labels = classes, table = rows, classes = { 7 } }, "'labels' is given without 'images'")
refused({ images = images, labels = classes, table = rows, classes = { 7 } }, "both 'images' and 'table'")
refused({ images = images, labels = images, classes = { 1 } }, "the number of labels differs from the number of images")
refused({ images = classes, labels = classes, classes = { 1 } }, "does not contain images")
refused({ images = name .. ".none", labels = classes, classes = { 1 } }, "cannot open the IDX file")
idx(".broken", { 20, 2, 3 }, { 1, 2, 3 })
refused({ images = name .. ".broken", labels = classes, classes = { 1 } }, "the file is too short for its sizes")
refused({ table = rows, classes = { 7, 2 }, component = 1 }, "components")
refused(3, "expects a table")
for _, kind in ipairs { ".images", ".labels", ".broken", "" } do os.remove(name .. kind) end
