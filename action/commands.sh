# shellcheck shell=bash
# Functions that send workflow commands and outputs to the runner. To be sourced.

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
