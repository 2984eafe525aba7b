-- Checks that only files in src/files open, create and rename files and
-- folders.
-- Usage: opens.lua SOURCE_DIR
package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local sources = require "source"
local source = assert(arg[1], "which source folder?")
local opens = {}
for name in ([[open open64 openat openat2 creat fopen fopen64 freopen fdopendir opendir
  mkstemp mkstemps mkostemp mkostemps tmpfile tmpnam rename renameat renameat2 link
  linkat symlink mkfifo mknod gzopen nftw]]):gmatch("%S+") do opens[name] = true end
-- Exception: a library creates its own file, at a path that the program has
-- opened for it.
local except = { ["io/export_netcdf.c"] = "nc_create", }

local faults = 0
local files = io.popen(("find '%s' -name '*.[ch]'"):format(source))
for path in files:lines() do
  local short = path:sub(#source + 2)
  if not short:match("^files/") and not except[short] then
    local text = sources.code(sources.read(path))
    local own = {}
    for name in text:gmatch("static[%w_ *]-[ *]([%w_]+)%(") do own[name] = true end
    local n = 0
    for line in (text .. "\n"):gmatch("(.-)\n") do
      n = n + 1
      for before, name in (" " .. line):gmatch("([^%w_])([%w_]+)%s*%(") do
        if opens[name] and not own[name] and before ~= "." and before ~= ">" then
          print(("%s:%d: %s: only src/files opens files (files/open.h)"):format(short, n, name))
          faults = faults + 1
        end
      end
    end
  end
end
os.exit(faults == 0 and 0 or 1)
