#!/usr/bin/env bash
# Runs a session in the real Neovim, with editors/neovim/crdlift.lua and the language server as it is now. Needs nvim and go.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/bin"
go -C "$root" build -o "$scratch/bin/crdlift" .
PATH=$scratch/bin:$PATH

# Nothing of the user's may matter.
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home XDG_DATA_HOME=$scratch/home XDG_STATE_HOME=$scratch/home
export XDG_CACHE_HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1
mkdir "$HOME"

cp -r "$root/examples" "$scratch/work"
cd "$scratch/work"
rm -r operator # a repository of its own: CRDs next to its code, which does not declare them, are taken for other projects'
git init --quiet
sed 's/$/\r/; s/rontab/ontrab/g; s/ronTab/onTrab/g' convert/crontabs.yaml >convert/crlf.yaml # another CRD: no copy

# What the program by itself makes of them.
cp -r . "$scratch/want"
(
	cd "$scratch/want"
	crdlift lint --quiet --fix lint || (($? == 1))
	crdlift convert --write convert
) >"$scratch/said" 2>&1 || { cat "$scratch/said" && exit 2; }

CRDLIFT_WANT=$scratch/want nvim --headless -n -i NONE -u "$root/editors/neovim/crdlift.lua" -c "luafile $root/test/editors/session.lua"
