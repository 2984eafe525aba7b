# The configuration file: found, read, checked; a fault in it names its line and
# costs nothing but itself.
set -e
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME="$folder"
mkdir -p "$folder/chainscope"
file=$folder/chainscope/config.lua
fail() { echo "$*"; exit 1; }

"$program" config | grep -q "config.lua, which is not there" || fail "none"
cat > "$file" <<'END'
local panels = "map trace=x.1"
return { theme = "light", mouse = false, frames = 6,
  keys = { ["ctrl-r"] = "restart", f5 = "layout lab", w = "theme" },
  layouts = { lab = panels .. " race" } }
END
"$program" config > "$folder/said"
for line in "theme  *light" "mouse  *0" "frames  *6" "keys  *ctrl-r: restart" \
    "keys  *f5: layout lab" "layouts  *lab: map trace=x.1 race"; do
    grep -q "$line" "$folder/said" || fail "not said: $line"
done

# refuse TEXT SAID: what the file is, a part of what is said of it
refuse() {
    printf '\n%s\n' "$1" > "$file"
    if "$program" config > /dev/null 2> "$folder/said"; then
        fail "taken: $1"
    fi
    grep -q "config.lua.*$2" "$folder/said" || fail "$1: $(cat "$folder/said")"
}
refuse 'return { them = "dark" }' "'them'.*did you mean 'theme'"
refuse 'return { theme = "drak" }' "no theme 'drak'"
refuse 'return { color = "17" }' "no color '17'"
refuse 'return { keys = { ["ctrl-c"] = "quit" } }' "no key 'ctrl-c'"
refuse 'return { keys = { a = 3 } }' "no pair of strings"
refuse 'return { layouts = { a = "mapp" } }' "no panel 'mapp'"
refuse 'return { mouse = 3 }' "boolean"
refuse 'return 3' "no table"
refuse 'x = = 3' ":2: unexpected symbol"
refuse 'while true do end' ":2: .*too long"
refuse 'return os.execute("id")' ":2: .*'os'"
refuse 'local s = ("x"):rep(1e9) return { theme = s }' ":2:"
