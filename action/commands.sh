# shellcheck shell=bash
# What the scripts of the action say to the runner. To be sourced.

# escaped TEXT prints a text as the message of a workflow command has it.
escaped() {
	local text=$1
	text=${text//'%'/%25}
	text=${text//$'\r'/%0D}
	printf '%s' "${text//$'\n'/%0A}"
}

# fail TEXT ends the script as crdlift does when it cannot do its work.
fail() {
	echo "::error title=crdlift::$(escaped "$1")" >&2
	exit 2
}

warn() { echo "::warning title=crdlift::$(escaped "$1")" >&2; }

# output NAME VALUE sets an output of the step. A line end would begin another one.
output() {
	case $2 in
	*$'\n'* | *$'\r'*) fail "the output $1 cannot have a line end" ;;
	esac
	printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/null}"
}

# quietly COMMAND... has the runner take no line of a command's output for a workflow command: file names and excerpts
# are written by whoever opened the pull request.
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
