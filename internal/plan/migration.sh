It needs kubectl 1.24 or newer, and jq.
# Read it before you run it. It can be run again: what is done is not done twice. For each CRD, it
#
#   1. stops if a manager of fields still writes another version than the storage version;
#   2. writes each object, with managedFields at the storage version: of each manager one entry with all of its fields;
#   3. reads again, and stops if an object is left;
#   4. takes the other versions out of status.storedVersions, unless these have changed meanwhile;
#   5. is you: remove the versions from the CRD;
#   6. has the server try an apply, without storing it.
set -eu

for program in kubectl jq; do
  command -v "$program" >/dev/null || { echo "$program is not in PATH" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=
say() { echo "$*" >&2; }
kube() { COMMAND "$@"; }

# A manager that wrote another version within so many seconds is taken to go on with that. QUIET=0 says that none does.
quiet=${QUIET:-86400}

# shellcheck disable=SC2016 # it is jq that knows these variables
program='PROGRAM'

read_all() { kube get "$resource" ${all:+"$all"} --output json --show-managed-fields >"$work/objects"; }

# commands FUNCTION LIST prints a call of the function for each object of the list that has to be written.
commands() {
  jq --raw-output --arg call "$1" --arg to "$to" --argjson all "$everything" --slurpfile fields "$work/fields" "$program" "$2"
}

# patch PATCH EMPTIED NAME [--namespace NAMESPACE]
patch() {
  printf %s "$1" >"$work/patch"
  emptied=$2
  shift 2
  kube patch "$resource" "$@" --type json --patch-file "$work/patch" >/dev/null 2>"$work/why" || return 1
  if [ -n "$emptied" ]; then echo "  $* ($emptied)" >>"$work/emptied"; fi
}

# once patches an object. If that fails, as the object may have changed, it is read again and patched by last.
once() {
  if patch "$@"; then return; fi
  shift 2
  if ! kube get "$resource" "$@" --output json --show-managed-fields >"$work/one" 2>"$work/why"; then
    grep -q NotFound "$work/why" || echo "  $*: $(tail -n 1 "$work/why")" >>"$work/left"
    return
  fi
  jq '{items: [.]}' "$work/one" >"$work/list"
  commands last "$work/list" >"$work/last"
  # shellcheck source=/dev/null
  . "$work/last"
}
last() {
  if patch "$@"; then return; fi
  shift 2
  echo "  $*: $(tail -n 1 "$work/why")" >>"$work/left"
}

migrate() {
  : >"$work/left"
  : >"$work/emptied"
  kube get crd "$crd" --output json >"$work/crd" || return 1
  if [ "$(jq --raw-output '.spec.versions[] | select(.storage).name' "$work/crd")" != "$version" ]; then
    say "$crd: $version is no longer the storage version; have crdlift print this script again"
    return 1
  fi
  stored=$(jq --compact-output .status.storedVersions "$work/crd")
  everything=true
  if [ "$stored" = "[\"$version\"]" ]; then everything=false; fi

  # 1
  read_all || return 1
  jq --raw-output --arg to "$to" --argjson quiet "$quiet" '[.items[].metadata.managedFields[]? | select(.apiVersion != $to) |
    select((.time // "1970-01-01T00:00:00Z" | fromdateiso8601) > now - $quiet) | "\(.manager) (\(.operation), \(.apiVersion))"] |
    group_by(.)[] | "  \(.[0]): \(length)"' "$work/objects" >"$work/writers" || return 1
  if [ -s "$work/writers" ]; then
    say "$crd: these managers wrote other versions than $to within the last $quiet seconds, so many entries of managedFields each:"
    cat "$work/writers" >&2
    say "Have them write $to. If they do so by now, run this again with QUIET=0."
    return 1
  fi

  # 2
  commands once "$work/objects" >"$work/commands" || return 1
  # shellcheck source=/dev/null
  . "$work/commands"

  # 3
  read_all || return 1
  jq --raw-output --arg to "$to" '.items[].metadata | select(any(.managedFields[]?; .apiVersion != $to)) |
    "  \(.name)" + if .namespace then " --namespace \(.namespace)" else "" end' "$work/objects" >"$work/old" || return 1
  if [ -s "$work/emptied" ]; then
    say "$crd: no field of these managers is known at $to; have them apply these objects once more, with force:"
    cat "$work/emptied" >&2
  fi
  if [ -s "$work/left" ] || [ -s "$work/old" ]; then
    say "$crd: these objects are left; fix them, and run this again:"
    cat "$work/left" "$work/old" >&2
    return 1
  fi

  # 4
  if [ "$everything" = true ]; then
    kube patch crd "$crd" --subresource=status --type json --patch "[
      {\"op\": \"test\", \"path\": \"/status/storedVersions\", \"value\": $stored},
      {\"op\": \"replace\", \"path\": \"/status/storedVersions\", \"value\": [\"$version\"]}]" >/dev/null || return 1
  fi

  # 6
  jq '.items[:1][] | {apiVersion, kind, metadata: (.metadata | {name} + if .namespace then {namespace} else {} end)}' "$work/objects" >"$work/first"
  if [ -s "$work/first" ]; then
    kube apply --server-side --dry-run=server --validate=false --field-manager crdlift-audit --filename "$work/first" >/dev/null || return 1
  fi
  say "$crd: done"
}
