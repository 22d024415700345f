# shellcheck shell=bash
# Functions that send workflow commands and outputs to the runner, and the one that runs git. To be sourced.

# git ARG... runs git as all scripts here run it, with what internal/gitrev/run.go sets as well: the settings of a repository
# among the files of a pull request must not be used. The network is for what base.sh fetches, from the remote that
# actions/checkout wrote down.
git() {
	GIT_TERMINAL_PROMPT=0 GIT_NO_LAZY_FETCH=1 command git -c safe.bareRepository=explicit -c core.fsmonitor=false -c core.hooksPath=/dev/null "$@"
}

# refuse_embedded fails where git takes the folder, or one above it, for a repository of its own, by files named HEAD, objects
# and refs, which anybody can commit. Git says so itself since 2.38.
refuse_embedded() {
	local found
	[[ -z ${GIT_DIR:-} ]] || return 0
	found=$(LC_ALL=C git rev-parse --absolute-git-dir 2>&1) || true
	case $(pwd -P)/ in
	"$found"/*) ;;
	*) [[ $found == *'cannot use bare repository'* ]] || return 0 ;;
	esac
	fail "the folder $PWD, or one above it, has files named HEAD, objects and refs, so that git takes it for a repository of its own, which is not used; remove them, or choose another working-directory"
}

# escaped TEXT prints a text escaped as the message of a workflow command.
escaped() {
	local text=$1
	text=${text//'%'/%25}
	text=${text//$'\r'/%0D}
	printf '%s' "${text//$'\n'/%0A}"
}

# fail TEXT reports an error and exits with 2, as crdlift does when it fails.
fail() {
	echo "::error title=crdlift::$(escaped "$1")" >&2
	exit 2
}

# blame FILE reports as an error what a program said before it failed. It stands in the log as well, where its end may be all that fits
# into an annotation.
blame() {
	local said
	said=$(tail -n 20 -- "$1")
	echo "::error title=crdlift::$(escaped "${said:-crdlift failed}")" >&2
}

warn() { echo "::warning title=crdlift::$(escaped "$1")" >&2; }

# output NAME VALUE sets an output of the step. A newline would begin another one.
output() {
	case $2 in
	*$'\n'* | *$'\r'*) fail "the output $1 must not contain a newline" ;;
	esac
	printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/null}"
}

# quietly COMMAND... keeps the runner from interpreting the output of a command as workflow commands: file names and
# excerpts come from the author of the pull request.
quietly() {
	local token code=0
	token=crdlift-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	echo "::stop-commands::$token"
	"$@" || code=$?
	# The token must begin a line.
	echo
	echo "::$token::"
	return "$code"
}
