#!/usr/bin/env bash
# Draws docs/img/editor.svg: findings of an example in Neovim, and what is offered for one. Needs nvim, tmux and go.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
screen() { tmux -L "crdlift-$$" -f /dev/null "$@"; }
trap 'screen kill-server 2>/dev/null; rm -rf "$scratch"' EXIT

go -C "$root" build -o "$scratch/bin/" . ./test/_tools/picture
export PATH=$scratch/bin:$PATH HOME=$scratch XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch XDG_STATE_HOME=$scratch
cp "$root/examples/lint/backups.yaml" "$scratch"
cd "$scratch"

# shows TEXT waits until a text is on the screen.
shows() {
	for _ in {1..300}; do
		screen capture-pane -p >now
		grep -q -F -e "$1" now && return
		sleep 0.1
	done
	cat now
	echo "'$1' is not on the screen" && exit 1
}

screen new-session -d -x 144 -y 32 "env TERM=screen nvim -n -i NONE -u '$root/editors/neovim/crdlift.lua' \
	-c 'set number laststatus=0 noruler noshowcmd background=dark' backups.yaml"
shows 'scope "namespaced" is unknown'
screen send-keys 7Gzt '11G10|' ':lua vim.lsp.buf.code_action()' Enter
shows 'Set scope to Namespaced'
screen capture-pane -e -p >now
picture "Neovim: findings of a CRD beside its lines, and a list of what can be done about one" <now >"$root/docs/img/editor.svg"
