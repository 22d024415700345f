#!/usr/bin/env bash
# Installs a released crdlift and verifies its checksum and signature, or requests a build from the files of this action.
#
#   CRDLIFT_VERSION        "v1.2.3" for that release, "source" to build; "" for the release that the action is used at,
#                          if it is used at a release
#   CRDLIFT_ACTION_REF     what the action is used at: a tag, a branch or a commit
#   CRDLIFT_DOWNLOAD_BASE  where releases are, without the version; "" for GitHub
#   CRDLIFT_VERIFY         "auto" to verify the signature if the runner has cosign or gh, "require" to fail if it has neither, "off"
#   CRDLIFT_TOKEN          any token of github.com, with which gh reads attestations; "" elsewhere
#
# Outputs: crdlift, the path of the program; directory, its folder; build, "true" if action/build.sh must build it; key, its
# cache key; results, the folder for the results of runs, and results-key, the beginning of their cache keys.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/commands.sh
. "$here/commands.sh"

if command -v sha256sum >/dev/null; then sha256=(sha256sum); else sha256=(shasum -a 256); fi

# of prints the hash of its standard input.
of() { "${sha256[@]}" | cut -d ' ' -f 1; }

# build makes the next steps build the program, or restore it from the cache by the hash of its sources.
build() {
	echo "crdlift is built from the files of this action"
	local sources
	sources=$(cd "$here/.." && find . -type f ! -path './.git/*' -exec "${sha256[@]}" {} + | LC_ALL=C sort | of)
	output build true
	output key "crdlift-$RUNNER_OS-$RUNNER_ARCH-$sources"
	output results-key "crdlift-results-$RUNNER_OS-$RUNNER_ARCH-$sources"
	exit 0
}

# download URL FILE prints the status of the response, 000 if there was none.
download() {
	local protocols='=https'
	case $1 in http:*) protocols='=http,https' ;; esac
	curl --silent --show-error --location --retry 3 --connect-timeout 30 --proto "$protocols" --proto-redir "$protocols" \
		--output "$2" --write-out '%{http_code}' -- "$1" || true
}

# missing REASON WARN handles a release that is not available: it fails if the input asked for it, and builds otherwise.
missing() {
	[[ -z $asked ]] || fail "crdlift $version: $1"
	[[ -z $2 ]] || warn "crdlift $version: $1"
	build
}

# verify checks that the release workflow made the archive for this tag: cosign by the signature of the checksums, gh by the
# attestation of the archive. What fails is never installed.
verify() {
	local by='' bundle=checksums.txt.sigstore.json format=()
	local identity=https://github.com/crdlift/crdlift/.github/workflows/release.yml@refs/tags/$version
	[[ $verify != off ]] || return 0
	if command -v cosign >/dev/null && [[ $(download "${base%/}/$version/$bundle" "$bundle") == 200 ]]; then
		by=cosign
		# cosign 3 expects no other format of bundles; cosign 2 needs the flag.
		[[ $(cosign verify-blob --help 2>&1) != *--new-bundle-format* ]] || format=(--new-bundle-format)
		quietly cosign verify-blob checksums.txt --bundle "$bundle" --certificate-identity "$identity" \
			--certificate-oidc-issuer https://token.actions.githubusercontent.com ${format[@]+"${format[@]}"} || by=
	elif [[ -n $token ]] && command -v gh >/dev/null; then
		by=gh
		GH_TOKEN=$token quietly gh attestation verify "$archive" --repo crdlift/crdlift --cert-identity "$identity" || by=
	elif [[ $verify == require ]]; then
		fail "the signature of crdlift $version cannot be verified here; install cosign before this step, or set verify: auto"
	else
		echo "only the checksum of crdlift $version is verified, since the runner has neither cosign nor gh for its signature"
		return 0
	fi
	[[ -n $by ]] || fail "the signature of crdlift $version is not that of its release; report this, and do not use the release, unless cosign is older than 2.4: update it then"
	echo "$by has verified the signature of crdlift $version"
}

asked=${CRDLIFT_VERSION:-}
verify=${CRDLIFT_VERIFY:-auto}
token=${CRDLIFT_TOKEN:-}
unset CRDLIFT_TOKEN
version=${asked:-${CRDLIFT_ACTION_REF:-}}
base=${CRDLIFT_DOWNLOAD_BASE:-https://github.com/crdlift/crdlift/releases/download}
directory=${RUNNER_TEMP:?}/crdlift
program=crdlift
case ${RUNNER_OS:?} in
Linux) os=linux ;;
macOS) os=darwin ;;
Windows) os=windows program=crdlift.exe ;;
*) fail "there is no crdlift for $RUNNER_OS" ;;
esac
case ${RUNNER_ARCH:?} in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) arch=none ;;
esac

case $verify in
auto | require | off) ;;
*) fail "verify must be auto, require or off; it is '$verify'" ;;
esac

mkdir -p "$directory"
output crdlift "$directory/$program"
output directory "$directory"
output results "$RUNNER_TEMP/crdlift-results"
# Later steps of the job may also run it.
echo "$directory" >>"${GITHUB_PATH:-/dev/null}"

[[ $asked != source ]] || build
if ! [[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
	[[ -z $asked ]] || fail "version must be a release such as v1.2.3, or source; it is '$asked'"
	build
fi
[[ $arch != none ]] || missing "there is no release for $RUNNER_OS on $RUNNER_ARCH" ''

archive=crdlift_${os}_$arch.tar.gz
cd "$directory"
for file in checksums.txt "$archive"; do
	case $(download "${base%/}/$version/$file" "$file") in
	200) ;;
	404) missing "there is no ${base%/}/$version/$file" '' ;;
	*) missing "cannot download ${base%/}/$version/$file" warn ;;
	esac
done
want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' checksums.txt)
got=$(of <"$archive")
[[ -n $want ]] || fail "the checksums of crdlift $version lack $archive"
[[ $got == "$want" ]] || fail "the checksum of $archive of crdlift $version is $got, but should be $want"
verify
tar -xzf "$archive" "$program"
rm -f "$archive" checksums.txt checksums.txt.sigstore.json
"./$program" version || fail "crdlift $version does not run here"
output build false
output results-key "crdlift-results-$RUNNER_OS-$RUNNER_ARCH-$version"
