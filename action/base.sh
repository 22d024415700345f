#!/usr/bin/env bash
# Prints the git revision to compare CRDs with, in the form of crdlift's --against, or nothing if there is none. Fetches
# commits that are missing in a shallow checkout. Runs in the repository.
#
#   CRDLIFT_AGAINST    "auto" or "" for the base of the event, "none" for no comparison, or a revision, folder or file
#   CRDLIFT_INPUT      the input of the action that has it, for messages; "" is against
#   GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REF, GITHUB_SHA    as the runner sets them
#
# Messages go to standard error.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/commands.sh
. "$here/commands.sh"

# event PATH prints the string or number at a path, such as pull_request.base.sha, in the event's JSON. It ignores strings
# with escapes; none of those we need has any. Self-hosted runners may not have jq.
event() {
	LC_ALL=C grep -oE '"([^"\\]|\\.)*"|[][{}:,]|[^][{}:,"[:space:]]+' "${GITHUB_EVENT_PATH:?}" | LC_ALL=C awk -v want="$1" '
		/^[{[]$/ { kind[++depth] = $0; name[depth] = ""; key = ($0 == "{"); next }
		/^[]}]$/ { depth--; key = 0; next }
		/^:$/ { key = 0; next }
		/^,$/ { key = (kind[depth] == "{"); next }
		key { name[depth] = substr($0, 2, length($0) - 2); next }
		{
			path = name[1]
			for (i = 2; i <= depth; i++) path = path "." name[i]
			if (path != want || index($0, "\\")) next
			print /^"/ ? substr($0, 2, length($0) - 2) : $0
		}'
}

shallow() { [[ $(git rev-parse --is-shallow-repository) == true ]]; }

# fetch REFSPEC... fetches without history if the checkout is shallow.
fetch() {
	local depth=()
	shallow && depth=(--depth=1)
	git fetch --quiet --no-tags --no-recurse-submodules ${depth[@]+"${depth[@]}"} origin "$@" >&2
}

known() { git cat-file -e "$1^{commit}" 2>/dev/null; }

# complete REVISION fetches what a partial clone, such as one of sparse-checkout, lacks of it: crdlift fetches nothing. Without
# the trees, nobody knows what else is missing; so there is a second round.
complete() {
	local missing round
	git config --get-regexp '^remote\..*\.promisor$' >/dev/null || return 0
	for round in trees files; do
		missing=$(git rev-list --objects --missing=print --no-walk --end-of-options "$1" -- | sed -n 's/^?//p')
		[[ -n $missing ]] || return 0
		git fetch --quiet --no-tags --no-recurse-submodules --no-write-fetch-head --filter=blob:none --stdin origin <<<"$missing" >&2 ||
			warn "the $round of $1 that this partial clone lacks cannot be fetched"
	done
}

# commit SHA makes sure that the repository has the commit.
commit() {
	[[ $1 =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ ]] || return 1
	known "$1" || fetch "$1"
}

# merge_base REVISION prints the commit where HEAD forked off, and fetches as much history as it needs.
merge_base() {
	local base head found deepen=64
	base=$(git rev-parse "$1")
	head=$(git rev-parse HEAD)
	until found=$(git merge-base "$base" "$head"); do
		shallow || return 1
		if ((deepen > 8192)); then
			git fetch --quiet --no-tags --no-recurse-submodules --unshallow origin "$head" "$base" >&2 || return 1
		else
			git fetch --quiet --no-tags --no-recurse-submodules --deepen="$deepen" origin "$head" "$base" >&2 || return 1
		fi
		deepen=$((deepen * 4))
	done
	echo "$found"
}

# of_pull_request prints the commit that a pull request is to be merged into, or forked off.
of_pull_request() {
	local base parents
	base=$(event pull_request.base.sha)
	if [[ ${GITHUB_REF:-} == refs/pull/*/merge && ${GITHUB_SHA:-} == "$(git rev-parse HEAD)" ]]; then
		# GitHub has merged it for the check. The first parent is the base as it was then, which is newer than the event
		# if the workflow runs again. In a shallow checkout only the commit itself knows its parents.
		parents=$(git cat-file commit HEAD | sed -n -e '/^$/q' -e 's/^parent //p')
		if [[ $parents == *$'\n'* ]]; then
			base=${parents%%$'\n'*}
			commit "$base" && echo "$base"
			return
		fi
	fi
	# What the author forked off must not decide which configuration counts.
	commit "$base" && if [[ ${CRDLIFT_INPUT:-} == config-from ]]; then echo "$base"; else merge_base "$base"; fi
}

# of_push prints the commit of a branch before a push; for a new branch, the commit where it forked off the default branch.
of_push() {
	local before default
	before=$(event before)
	case ${GITHUB_REF:-} in
	refs/heads/*) ;;
	*) return 0 ;;
	esac
	if [[ $before =~ [1-9a-f] ]]; then
		# After a forced push it may be gone.
		if commit "$before"; then echo "$before"; else warn "the commit of $GITHUB_REF before this push cannot be fetched, so nothing is compared"; fi
		return
	fi
	default=$(event repository.default_branch)
	[[ -n $default && $GITHUB_REF != "refs/heads/$default" ]] || return 0
	git check-ref-format "refs/heads/$default" || return 1
	fetch "+refs/heads/$default:refs/remotes/origin/$default" || return 1
	merge_base "refs/remotes/origin/$default" || warn "this branch has no history in common with $default, so nothing is compared"
}

# named NAME prints a revision, folder or file that the input names, and fetches a missing branch or tag. What is compared must
# not change by the files of a pull request: a file or folder that is named like a revision is refused.
named() {
	local prefix='' name=$1 revision found=
	case $name in
	path:*) echo "$name" && return ;;
	git:*) prefix=git: name=${name#git:} ;;
	esac
	revision=${name%%:*}
	if git rev-parse --quiet --verify --end-of-options "$revision^{commit}" >/dev/null; then
		found=$prefix$name
	elif commit "$revision"; then
		found=git:$name
	elif git check-ref-format "refs/heads/${revision#origin/}" && fetch "+refs/heads/${revision#origin/}:refs/remotes/origin/${revision#origin/}" 2>/dev/null; then
		revision=origin/${revision#origin/} found=git:origin/${name#origin/}
	elif git check-ref-format "refs/tags/$revision" && fetch "+refs/tags/$revision:refs/tags/$revision" 2>/dev/null; then
		found=git:$name
	fi
	case $prefix$([[ ! -e $name ]] || echo file)/${found:+revision} in
	file/) echo "$name" && return ;;
	file/revision) fail "'$name' is both a git revision and a file or folder; write git:$name or path:$name" ;;
	*/) fail "there is no revision, folder or file '$1' to compare with" ;;
	esac
	complete "$revision"
	echo "$found"
}

against=${CRDLIFT_AGAINST:-auto} none=none
[[ ${CRDLIFT_INPUT:-} != config-from ]] || none=head
[[ $against != none ]] || exit 0
refuse_embedded
if ! reason=$(LC_ALL=C git rev-parse --git-dir 2>&1); then
	[[ $against == auto ]] || { echo "$against" && exit 0; }
	warn "nothing is compared: ${reason#fatal: }"
	exit 0
fi
if [[ $against != auto ]]; then
	named "$against"
	exit
fi
case ${GITHUB_EVENT_NAME:-} in
pull_request*) base=$(of_pull_request) ;;
merge_group)
	base=$(event merge_group.base_sha)
	commit "$base"
	;;
push) base=$(of_push) ;;
*) base= ;;
esac || fail "the base of this $GITHUB_EVENT_NAME cannot be fetched; give actions/checkout fetch-depth: 0, or this action ${CRDLIFT_INPUT:-against}: $none"
[[ -z $base ]] || { complete "$base" && echo "git:$base"; }
