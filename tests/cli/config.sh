# Tests the configuration file: it is found, read and checked. An error in the
# file is reported with its line and affects only that line.
set -e
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME="$folder"
mkdir -p "$folder/chainscope"
file=$folder/chainscope/config.lua
fail() { echo "$*"; exit 1; }

"$program" config | grep -q "config.lua (does not exist)" || fail "none"
cat > "$file" <<'END'
local panels = "map trace=x.1"
return { theme = "light", mouse = false, frames = 6,
  keys = { ["ctrl-r"] = "restart", f5 = "layout lab", w = "theme" },
  layouts = { lab = panels .. " race" },
  defaults = { speed = 12.5, workers = 2 } }
END
"$program" config > "$folder/said"
for line in "theme  *light" "mouse  *0" "frames  *6" "keys  *ctrl-r: restart" \
    "keys  *f5: layout lab" "layouts  *lab: map trace=x.1 race" \
    "defaults  *speed: 12.5" "defaults  *workers: 2"; do
    grep -q "$line" "$folder/said" || fail "not said: $line"
done

# refuse TEXT SAID: TEXT is the contents of the file, and SAID is a part of the
# expected message.
refuse() {
    printf '\n%s\n' "$1" > "$file"
    if "$program" config > /dev/null 2> "$folder/said"; then
        fail "taken: $1"
    fi
    grep -q "config.lua.*$2" "$folder/said" || fail "$1: $(cat "$folder/said")"
}
refuse 'return { them = "dark" }' "'them'.*did you mean 'theme'"
refuse 'return { theme = "drak" }' "unknown theme 'drak'"
refuse 'return { color = "17" }' "unknown color '17'"
refuse 'return { keys = { ["ctrl-c"] = "quit" } }' "unknown key 'ctrl-c'"
refuse 'return { keys = { a = 3 } }' "not a pair of strings"
refuse 'return { layouts = { a = "mapp" } }' "unknown panel 'mapp'"
refuse 'return { mouse = 3 }' "boolean"
refuse 'return 3' "does not return a table"
refuse 'x = = 3' ":2: unexpected symbol"
refuse 'while true do end' ":2: .*too long"
refuse 'return os.execute("id")' ":2: .*'os'"
refuse 'local s = ("x"):rep(1e9) return { theme = s }' ":2:"
refuse 'return { defaults = { speed = -1 } }' ":2: speed must be a number between 0 and"
refuse 'return { defaults = { speed = 0 / 0 } }' ":2: speed must be a number between 0 and"
refuse 'return { bandwidth = -1 }' ":2: bandwidth must be a number between 1 and"
refuse 'return { bandwidth = 1 / 0 }' ":2: bandwidth must be a number between 1 and"
refuse 'return { frames = 0 / 0 }' ":2: frames must be a number between 0 and"
refuse 'return { defaults = { speed = "fast" } }' ":2: speed must be a number between 0 and"
refuse 'return { defaults = { workers = 1.5 } }' ":2: workers must be a whole number between 0 and 1024"
refuse 'return { defaults = { spede = 1 } }' ":2: 'spede' cannot have a default"
refuse 'return { theme = "dark",

  ["mouse"] = 3 }' ":4: mouse is a boolean"
refuse 'return { -- mouse

  theme = "drak" }' ":4: unknown theme"
refuse 'return { keys = {
  ["ctrl-c"] = "quit" } }' ":3: unknown key"
refuse 'return { keys = { a = "run",
  b = 3 } }' ":3: keys has an entry"
refuse 'return { layouts = {
  a = "map",

  lab = "mapp" } }' ":5: layout lab"
refuse 'return { defaults = {
  workers = 2,
  speed = 1 / 0 } }' ":4: speed must be"
