#!/usr/bin/env bash
# Builds the sites of the releases that build/site/versions.json lists, each from its tag, into folders of build/site. Without a
# release there is no such file, and nothing to do. `make site` comes first: it removes what is not of main.
set -euo pipefail
cd "$(dirname "$0")/.."

list=build/site/versions.json
[[ -f $list ]] || exit 0
jq -r '.versions[] | select(.tag) | "\(.name) \(.tag)"' "$list" | while read -r name tag; do
	tree=build/releases/$name
	git worktree add --force --detach "$tree" "$tag"
	make -C "$tree" site SITE_VERSION="$name" </dev/null
	rm -rf "build/site/$name"
	mv "$tree/build/site" "build/site/$name"
	git worktree remove --force "$tree"
done
