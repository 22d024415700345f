#!/usr/bin/env bash
# Runs crdlift according to the inputs of the action: annotations on standard output, a page in the step's summary, counts
# in its outputs, and crdlift's exit code.
#
#   CRDLIFT                     the program
#   CRDLIFT_COMMAND             "lint", "breaking" for breaking changes only, "validate" for custom resources, "migrate" for those
#                               that are not at a version, "test" for suites of tests of CRDs, or "convert" for manifests to
#                               convert to v1
#   CRDLIFT_CONVERT_CHECK       "true" to also look for manifests to convert
#   CRDLIFT_WORKING_DIRECTORY   relative to the workspace
#   CRDLIFT_PATHS, CRDLIFT_ARGS one per line
#   CRDLIFT_AGAINST             see base.sh; of validate, the CRDs that are replaced
#   CRDLIFT_NEW_ONLY            "true", "false", or "" for true on pull requests and in merge groups
#   CRDLIFT_CONFIG_FROM         "base", a revision, or "head" or "" for the files that are there; see base.sh
#   CRDLIFT_CRDS                of validate, migrate and test: files, folders and git:REVISION, one per line
#   CRDLIFT_FIELD_VALIDATION    of validate: as crdlift's flag
#   CRDLIFT_APPLY               of validate and breaking: as crdlift's flag
#   CRDLIFT_OLD_OBJECTS         of validate: "none" or "", or what to compare custom resources with, as CRDLIFT_AGAINST
#   CRDLIFT_COVER_MIN           of test: as crdlift's flag
#   CRDLIFT_TO                  of migrate: as crdlift's flag
#   CRDLIFT_FORMAT, CRDLIFT_FAIL_ON, CRDLIFT_MIN_SEVERITY, CRDLIFT_KUBERNETES_VERSION    as crdlift's flags
#   CRDLIFT_SARIF               where to write SARIF, relative to the workspace
#   CRDLIFT_CACHE, CRDLIFT_RESULTS    "true" to keep the results of lint and breaking in that folder. The output results names
#                               what is in it, if that has changed.
#   CRDLIFT_JSON                where to write the reports in JSON, one after the other, relative to the workspace
#
# crdlift runs at the root of the repository, whatever the working directory: GitHub expects file names relative to it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/commands.sh
. "$here/commands.sh"

# maxSummary is less than GitHub's limit for a step, 1 MiB.
maxSummary=1040000

# lines TEXT puts the lines that are not blank into the array `lines`, without surrounding space.
lines() {
	local line
	lines=()
	while IFS= read -r line || [[ -n $line ]]; do
		line=${line#"${line%%[![:space:]]*}"}
		line=${line%"${line##*[![:space:]]}"}
		[[ -z $line ]] || lines+=("$line")
	done <<<"$1"
}

# placed PATH prints a path in the working directory relative to the root of the repository.
placed() {
	local path=$1 directory=$prefix
	case $path in
	/* | [A-Za-z]:[/\\]*) echo "$path" && return ;;
	esac
	while :; do
		case $path in
		. | ./) path= ;;
		./*) path=${path#./} ;;
		.. | ../*)
			[[ -n $directory ]] || break
			directory=${directory%/}
			case $directory in
			*/*) directory=${directory%/*}/ ;;
			*) directory= ;;
			esac
			path=${path#..}
			path=${path#/}
			;;
		*) break ;;
		esac
	done
	path=$directory$path
	echo "${path:-.}"
}

# configuration prints the configuration file of the working directory if crdlift would not find it from the root.
configuration() {
	local directory=$prefix found=''
	while [[ -n $directory ]]; do
		if [[ -n $settings ]]; then
			found=$(git cat-file -t "${settings#git:}:$directory.crdlift.yaml" 2>/dev/null) || found=
		elif [[ -f $directory.crdlift.yaml ]]; then
			found=blob
		fi
		if [[ $found == blob ]]; then
			echo "$directory.crdlift.yaml"
			return
		fi
		directory=${directory%/}
		case $directory in
		*/*) directory=${directory%/*}/ ;;
		*) directory= ;;
		esac
	done
}

# count NAME FILE prints a count of the summary in crdlift's JSON. No other line can match: those of findings are indented
# deeper, and strings contain no newlines.
count() { sed -n "s/^    \"$1\": \([0-9]*\),\{0,1\}\$/\1/p" "$2"; }

# left_out FILE prints how many findings are only counted, by crdlift's JSON.
left_out() { sed -n '/^  "leftOut": {$/,/^  }/s/^      "count": \([0-9]*\),$/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }

# written PATH prints where a file is that is relative to the workspace, and makes its folder; nothing for no path. In the
# workspace, a link on the way would have the author of a pull request choose what is replaced.
written() {
	[[ -n $1 ]] || return 0
	local path=$1 at=$GITHUB_WORKSPACE part parts
	case $path in
	"$GITHUB_WORKSPACE"/*) ;;
	/* | [A-Za-z]:[/\\]*) at= ;;
	*) path=$GITHUB_WORKSPACE/$path ;;
	esac
	IFS=/ read -ra parts <<<"${at:+"${path#"$at"/}"}"
	for part in ${parts[@]+"${parts[@]}"}; do
		at=$at/$part
		[[ ! -L $at ]] || fail "$at is a symbolic link, so that ${path##*/} is not written there; name a file that the repository does not have"
	done
	mkdir -p "$(dirname -- "$path")"
	printf '%s\n' "$path"
}

# summarize FILE adds a page to the summary of the step. GitHub rejects a summary that is too long as a whole.
summarize() {
	local file=${GITHUB_STEP_SUMMARY:-/dev/null} size=0
	[[ ! -f $file ]] || size=$(wc -c <"$file")
	if ((size + $(wc -c <"$1") < maxSummary)); then
		cat "$1" >>"$file"
	else
		warn "the summary of this step has no room for all findings; they are in the log"
	fi
}

# run NAME COMMAND [FLAG...] runs a command of crdlift and adds what it found to the outputs. One that fails and has found nothing
# has no summary: it would read like success.
run() {
	local name=$1 speak=quietly result=0 outputs found named=(-- "${paths[@]}")
	shift
	[[ $name != migrate ]] || named=("${paths[@]/#-/./-}") # which has a command behind --
	[[ $format != github ]] || speak=''
	outputs=(--output "$format" --output "json=$temporary/$name.json" --output "markdown=$temporary/$name.md")
	if [[ -n $sarif && ! -f $temporary/sarif ]]; then
		outputs+=(--output "sarif=$sarif")
		touch "$temporary/sarif" # once
	fi
	$speak "$CRDLIFT" "$@" "${outputs[@]}" "${named[@]}" </dev/null 2>"$temporary/$name.err" || result=$?
	quietly cat "$temporary/$name.err"
	((result <= code)) || code=$result
	((result < 2)) || blame "$temporary/$name.err"
	[[ -f $temporary/$name.json ]] || return 0
	found=$(($(count errors "$temporary/$name.json") + $(count warnings "$temporary/$name.json") + $(count infos "$temporary/$name.json")))
	errors=$((errors + $(count errors "$temporary/$name.json")))
	findings=$((findings + found))
	left=$((left + $(left_out "$temporary/$name.json")))
	if ((result < 2 || found > 0)); then summarize "$temporary/$name.md"; fi
}

# cache puts the flag for the cache into the array `cached`, unless args have it or this crdlift is too old to know it.
cache() {
	cached=()
	if ! yes "${CRDLIFT_CACHE:-}" || [[ -z ${CRDLIFT_RESULTS:-} ]]; then return 0; fi
	case " ${arguments[*]-} " in
	*' --cache'*) return 0 ;;
	esac
	if [[ $("$CRDLIFT" lint --help) == *'--cache FOLDER'* ]]; then cached=("--cache=$CRDLIFT_RESULTS"); fi
}

# results prints a name for what is in the cache; nothing for nothing.
results() {
	local packs=("$CRDLIFT_RESULTS"/*.pack)
	[[ -f ${packs[0]} ]] || return 0
	cat "${packs[@]}" | cksum | tr ' ' -
}

# changelog FLAG... adds all changes of the API to the summary, including additions. lint has already reported CRDs that
# cannot be compared.
changelog() {
	"$CRDLIFT" breaking --quiet --fail-on=never --output "markdown=$temporary/changes.md" ${fixed[@]+"${fixed[@]}"} ${cached[@]+"${cached[@]}"} "$@" -- "${paths[@]}" </dev/null >/dev/null 2>&1 || return 0
	summarize "$temporary/changes.md"
}

# lint_or_breaking runs one of the two, compared with the base.
lint_or_breaking() {
	local against before='' after='' compared=() cached
	cache
	if ((${#cached[@]} > 0)); then
		flags+=("${cached[@]}")
		before=$(results)
	fi
	against=$("$here/base.sh")
	if [[ -n $against ]]; then
		echo "comparing with $against" | quietly cat
		compared=("--against=$against" --exact) # base.sh knows what the base is
	fi
	if [[ $command == lint ]]; then
		if [[ -n $against ]] && new_only; then flags+=("--new-only=$against" --exact); fi
		run lint lint ${flags[@]+"${flags[@]}"} ${arguments[@]+"${arguments[@]}"}
		[[ -z $against ]] || changelog "${compared[@]}" ${config[@]+"${config[@]}"}
	elif [[ -n $against ]]; then
		run breaking breaking "${compared[@]}" ${flags[@]+"${flags[@]}"} ${arguments[@]+"${arguments[@]}"}
	else
		warn "there is nothing to compare with, so breaking changes are not checked"
	fi
	if ((${#cached[@]} > 0)); then after=$(results); fi
	if [[ $after != "$before" ]]; then output results "$after"; fi
}

# crds_of SOURCE prints what an entry of the input crds names, and fetches a revision that is missing.
crds_of() {
	case $1 in
	git:*) CRDLIFT_AGAINST=$1 "$here/base.sh" ;;
	*) placed "$1" ;;
	esac
}

# add_crds hands over where CRDs are.
add_crds() {
	local line source
	lines "${CRDLIFT_CRDS:-}"
	for line in ${lines[@]+"${lines[@]}"}; do
		source=$(crds_of "$line")
		flags+=("--crds=$source")
	done
}

# covered FILE prints which percentage of constraints tests cover, by crdlift's JSON; nothing where it does not say.
covered() {
	sed -n '/^  "coverage": \[$/,/^  \]/p' "$1" |
		awk -F '[:,]' '/^      "tested":/ { tested += $2 } /^      "counted":/ { all += $2 } END { if (all) printf "%d", 100 * tested / all }'
}

# suites runs suites of tests of CRDs.
suites() {
	add_crds
	[[ -z ${CRDLIFT_COVER_MIN:-} ]] || flags+=("--cover-min=$CRDLIFT_COVER_MIN")
	run test test ${flags[@]+"${flags[@]}"} ${arguments[@]+"${arguments[@]}"}
	[[ -f $temporary/test.json ]] || return 0
	output coverage "$(covered "$temporary/test.json")"
	output cases "$(count cases "$temporary/test.json")"
	output failed "$(count failed "$temporary/test.json")"
}

# validate checks custom resources; those that were there before, as updates. Then all of them as objects that exist where the
# CRDs of the base are replaced.
validate() {
	local older against creating=()
	add_crds
	[[ -z ${CRDLIFT_FIELD_VALIDATION:-} ]] || creating+=("--field-validation=$CRDLIFT_FIELD_VALIDATION")
	older=$(CRDLIFT_INPUT=old-objects CRDLIFT_AGAINST=${CRDLIFT_OLD_OBJECTS:-none} "$here/base.sh")
	if [[ -n $older ]]; then
		echo "custom resources are compared with those of $older" | quietly cat
		creating+=("--old-objects=$older" --exact)
	fi
	against=$("$here/base.sh")
	run validate validate ${flags[@]+"${flags[@]}"} ${creating[@]+"${creating[@]}"} ${arguments[@]+"${arguments[@]}"}
	[[ -f $temporary/validate.json ]] || return 0
	output objects "$(($(count objects "$temporary/validate.json") - $(count unjudged "$temporary/validate.json")))"
	output refused "$(count refused "$temporary/validate.json")"
	if [[ -n $against ]] && ((code < 2)); then replace "$against"; fi
}

# replace BASE says what becomes of the custom resources where the CRDs of the base are replaced by those that are here. Kinds
# that are new have none there.
replace() {
	local argument others=()
	for argument in ${arguments[@]+"${arguments[@]}"}; do
		case $argument in
		--on=* | --list=* | --write-baseline=*) ;; # of the other run
		*) others+=("$argument") ;;
		esac
	done
	echo "custom resources are checked as objects that exist under the CRDs of $1" | quietly cat
	run replace validate "--against=$1" --exact --allow-empty ${flags[@]+"${flags[@]}"} ${others[@]+"${others[@]}"}
}

# migrate looks for custom resources that are not at a version. Nothing is written.
migrate() {
	[[ -n ${CRDLIFT_TO:-} ]] || fail "migrate needs the input to: a version such as v1, GROUP/VERSION, or storage"
	add_crds
	run migrate migrate --check "--to=$CRDLIFT_TO" ${flags[@]+"${flags[@]}"} ${arguments[@]+"${arguments[@]}"}
	[[ -f $temporary/migrate.json ]] || return 0
	output carried "$(sed -n '/^    "carried": {$/,/^    }/s/^      "objects": \([0-9]*\),$/\1/p' "$temporary/migrate.json")"
}

# settings_from sets `settings` to the revision that the input config-from names, in the form of --config-from; to nothing for the files
# that are there. A push is checked by its own configuration: it is in the branch already.
settings_from() {
	settings=
	case ${CRDLIFT_CONFIG_FROM:-head}:${GITHUB_EVENT_NAME:-} in
	base:pull_request* | base:merge_group)
		settings=$(CRDLIFT_INPUT=config-from CRDLIFT_AGAINST=auto "$here/base.sh")
		[[ -n $settings ]] || fail "config-from: base finds no repository to read the configuration from"
		;;
	base:* | head:*) ;;
	path:* | -*) fail "config-from must be base, head or a git revision; it is '$CRDLIFT_CONFIG_FROM'" ;;
	*) settings=$(CRDLIFT_INPUT=config-from CRDLIFT_AGAINST="git:${CRDLIFT_CONFIG_FROM#git:}" "$here/base.sh") ;;
	esac
	if [[ -n $settings ]]; then
		echo "the configuration and the baseline are those of $settings" | quietly cat
		fixed=("--config-from=$settings")
	fi
}

# new_only reports whether to skip findings that the base also has: a pull request should show its own findings.
new_only() {
	case ${CRDLIFT_NEW_ONLY:-}:${CRDLIFT_AGAINST:-auto}:${GITHUB_EVENT_NAME:-} in
	:auto:pull_request* | :auto:merge_group) ;;
	*) yes "${CRDLIFT_NEW_ONLY:-}" ;;
	esac
}

# yes VALUE reports whether a boolean input is true.
yes() {
	case $1 in
	true) return 0 ;;
	false | '') return 1 ;;
	*) fail "'$1' is neither true nor false" ;;
	esac
}

command=${CRDLIFT_COMMAND:-lint}
format=${CRDLIFT_FORMAT:-github}
case $format in
*=*) fail "format is written to the log; to write a file, use the input sarif, or args" ;;
esac
convert_check=false
! yes "${CRDLIFT_CONVERT_CHECK:-}" || convert_check=true
case $command in
lint | breaking | validate | migrate | test) ;;
convert) convert_check=true ;;
*) fail "command must be lint, breaking, validate, migrate, test or convert; it is '$command'" ;;
esac

temporary=$(mktemp -d "${RUNNER_TEMP:-/tmp}/crdlift-XXXXXX")
trap 'rm -rf "$temporary"' EXIT

cd "${GITHUB_WORKSPACE:?}"
sarif=$(written "${CRDLIFT_SARIF:-}")
json=$(written "${CRDLIFT_JSON:-}")
cd -- "${CRDLIFT_WORKING_DIRECTORY:-.}" || fail "there is no folder '${CRDLIFT_WORKING_DIRECTORY:-}' in the workspace"
refuse_embedded
prefix=''
if up=$(git rev-parse --show-cdup 2>/dev/null); then
	prefix=$(git rev-parse --show-prefix)
	cd -- "./$up"
fi

lines "${CRDLIFT_PATHS:-.}"
paths=()
for path in ${lines[@]+"${lines[@]}"}; do paths+=("$(placed "$path")"); done
((${#paths[@]} > 0)) || fail "the input paths is empty"
lines "${CRDLIFT_ARGS:-}"
arguments=(${lines[@]+"${lines[@]}"})
for argument in ${arguments[@]+"${arguments[@]}"}; do
	[[ $argument == -* ]] || fail "args must be flags, one per line, such as --preset=all; '$argument' is not a flag"
done

code=0 findings=0 errors=0 left=0 fixed=()
settings_from
if [[ $command != convert ]]; then
	flags=(${fixed[@]+"${fixed[@]}"}) config=()
	[[ -z ${CRDLIFT_FAIL_ON:-} ]] || flags+=("--fail-on=$CRDLIFT_FAIL_ON")
	[[ -z ${CRDLIFT_MIN_SEVERITY:-} ]] || flags+=("--min-severity=$CRDLIFT_MIN_SEVERITY")
	[[ -z ${CRDLIFT_KUBERNETES_VERSION:-} ]] || flags+=("--kubernetes-version=$CRDLIFT_KUBERNETES_VERSION")
	file=$(configuration)
	case " ${arguments[*]-} " in
	*' --config'*) ;;
	*) [[ -z $file ]] || config=("--config=$file") ;;
	esac
	flags+=(${config[@]+"${config[@]}"})
	case $command:${CRDLIFT_APPLY:-} in
	*: | lint:* | migrate:* | test:*) ;;
	*) flags+=("--apply=$CRDLIFT_APPLY") ;;
	esac
	case $command in
	validate) validate ;;
	migrate) migrate ;;
	test) suites ;;
	*) lint_or_breaking ;;
	esac
fi
if [[ $convert_check == true ]]; then
	# lint has already reported paths without CRDs.
	empty=--allow-empty
	if [[ $command == convert ]]; then
		case " ${arguments[*]-} " in
		*' --allow-empty '*) ;;
		*) empty= ;;
		esac
	fi
	run convert convert --check ${empty:+"$empty"} ${fixed[@]+"${fixed[@]}"}
fi

if ((code < 2 || findings > 0)); then
	output findings "$findings"
	output errors "$errors"
	output left-out "$left"
fi
if [[ -n $sarif && -f $sarif ]]; then output sarif "$CRDLIFT_SARIF"; fi
if [[ -n $json ]] && compgen -G "$temporary/*.json" >/dev/null; then
	if ! { part=$(mktemp "$json.XXXXXX") && cat "$temporary"/*.json >"$part" && chmod a+r "$part" && mv -f -- "$part" "$json"; }; then
		rm -f -- "${part:-}"
		fail "$json cannot be written"
	fi
	output json "$CRDLIFT_JSON"
fi
exit "$code"
