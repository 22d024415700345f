#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a release, for its page on GitHub: the section "## TAG", which a date may follow, or for
# a pre-release such as v1.2.0-rc.1 without one, "## Unreleased". Links into the repository become links at that tag.
set -euo pipefail
tag=${1:?usage: packaging/notes.sh TAG}
changelog=$(dirname "${BASH_SOURCE[0]}")/../CHANGELOG.md

# section HEADING prints the lines below a heading, without blank ones around them.
section() {
	awk -v heading="## $1" '
		/^## / { inside = index($0, heading) == 1 && substr($0, length(heading) + 1) ~ /^([ ,]|$)/; next }
		inside && (NF || said) { for (; blank; blank--) print ""; if (NF) { print; said = 1 } else blank++ }
	' "$changelog"
}

notes=$(section "$tag")
[[ -n $notes || $tag != *-* ]] || notes=$(section Unreleased)
[[ -n $notes ]] || {
	echo "packaging/notes.sh: CHANGELOG.md has no section \"## $tag\" with text; rename \"## Unreleased\", and tag that commit" >&2
	exit 1
}
sed -E "s#\]\(([^):]+)\)#](https://github.com/crdlift/crdlift/blob/$tag/\1)#g" <<<"$notes"
