#!/usr/bin/env bash
# Runs the hooks of .pre-commit-hooks.yaml with the real pre-commit, in a scratch repository: they fail, repair, convert,
# compare, validate, test, find old versions, and pass. Needs pre-commit, git and go; `test/precommit/run.sh -v` shows all that pre-commit says.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
verbose=${1-}
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch" && rm -rf "$scratch"' EXIT

# Nothing of the user's may matter; but modules and what is compiled are shared, as pre-commit lets them be.
GOMODCACHE=$(go env GOMODCACHE)
GOCACHE=$(go env GOCACHE)
export GOMODCACHE GOCACHE GOTOOLCHAIN=local GOFLAGS=-mod=readonly
export HOME=$scratch/home PRE_COMMIT_HOME=$scratch/pre-commit PRE_COMMIT_COLOR=never NO_COLOR=1
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
mkdir "$HOME"

# The hooks as they are now, committed or not.
hooks=$scratch/hooks
mkdir "$hooks"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null) |
	tar -xf - -C "$hooks"
git -C "$hooks" init --quiet
git -C "$hooks" add --all --force
git -C "$hooks" commit --quiet --message hooks

repository=$scratch/repository
git init --quiet "$repository"
cd "$repository"

# run CODE COMMAND... wants one exit code of a command; what it said is in $said.
said=
run() {
	local want=$1 got=0
	shift
	said=$("$@" 2>&1) || got=$?
	[[ -z $verbose ]] || printf '$ %s\n%s\n\n' "$*" "$said"
	if ((got != want)); then
		printf '%s\nexit code %s, want %s: %s\n' "$said" "$got" "$want" "$*"
		exit 1
	fi
}

# says PATTERN... wants lines of what was said to match.
says() {
	local pattern
	for pattern; do
		if ! grep -q -E -e "$pattern" <<<"$said"; then
			printf '%s\nno line matches: %s\n' "$said" "$pattern"
			exit 1
		fi
	done
}

# once PATTERN wants one line of what was said to match.
once() {
	local count
	count=$(grep -c -E -e "$1" <<<"$said") || true
	((count == 1)) || { printf '%s\n%d lines match, want one: %s\n' "$said" "$count" "$1" && exit 1; }
}

# same FILE TEXT wants a file to be like that.
same() { diff -u --label want --label "$1" <(printf '%s\n' "$2") "$1"; }

backup='# Backups of a database.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names:
    kind: Backup
    listKind: Backup
    plural: backups
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              at: {type: string, maxLength: 5} # a time of day'

old='apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: queues.example.com
spec:
  group: example.com
  scope: Cluster
  preserveUnknownFields: false
  names: {kind: Queue, listKind: QueueList, plural: queues, singular: queue}
  validation: # of the only version
    openAPIV3Schema: {type: object}
  versions:
  - {name: v1, served: true, storage: true}'

sample='apiVersion: example.com/v1
kind: Backup
metadata: {name: nightly}
spec:
  # Everybody sleeps then.
  at: "03:00"'

suite='crdtest: v1
base: {apiVersion: example.com/v1, kind: Backup}
cases:
- name: time of day
  at: spec.at
  accept: ["03:00"]
  reject: ["03:00:00"]'

cat >.pre-commit-config.yaml <<END
repos:
- repo: $hooks
  rev: $(git -C "$hooks" rev-parse HEAD)
  hooks:
  - id: crdlift-convert
  - id: crdlift-fix
  - id: crdlift-lint
  - id: crdlift-against
END
git add .
git commit --quiet --message start
run 0 pre-commit install --install-hooks
[[ $(find "$PRE_COMMIT_HOME" -path '*/bin/*' -type f -perm -100 -size +1M -printf '%f\n') == crdlift ]] || { find "$PRE_COMMIT_HOME" -size +1M && exit 1; }

# A commit of what is to be repaired and converted fails, and leaves both done, in the template too. The other files are
# passed over.
mkdir -p config/crd chart/templates
printf '%s\n' "$backup" >config/crd/backup.yaml
printf '%s\n' "$old" >config/crd/queue.yaml
printf '{{- if .Values.crds }}\n%s\n{{- end }}\n' "$backup" >chart/templates/crd.yaml
printf 'a: !custom [1]\n' >other.yaml
printf '{\n  // a comment\n}\n' >tsconfig.json
git add .
run 1 git commit --message crds
says '^convert CRDs to apiextensions.k8s.io/v1\.*Failed$' '^- files were modified by this hook$' '^repair CRDs\.*Failed$' \
	'^fixed 2 findings in 2 files$' '^lint CRDs\.*Passed$' '^find breaking changes of CRDs\.*Passed$'
same config/crd/backup.yaml "${backup/listKind: Backup/listKind: BackupList}"
same chart/templates/crd.yaml "{{- if .Values.crds }}
${backup/listKind: Backup/listKind: BackupList}
{{- end }}"
says '^[0-9]+ files, [0-9]+ CRDs: 1 converted'
grep -q '^apiVersion: apiextensions.k8s.io/v1$' config/crd/queue.yaml

# The second commit passes.
git add .
run 0 git commit --message crds
says '^convert .*Passed$' '^repair .*Passed$' '^lint .*Passed$' '^find breaking .*Passed$'

# What nobody can repair fails, at its line.
sed -i.bak 's/type: string/type: strin/' config/crd/backup.yaml && rm config/crd/backup.yaml.bak
run 1 git commit --all --message mistake
says '^lint .*Failed$' '^config/crd/backup.yaml:24:26: error: .*strin.* \[schema-type-invalid\]$' '^- exit code: 1$'
once ': (error|warning|info): ' # though three hooks have looked at the file
git reset --quiet --hard

# What a test has stays as it is, and is no mistake of the commit. One that only a copy has is.
mkdir -p pkg/testdata deploy
printf '%s\n' "$backup" >pkg/testdata/backup.yaml
git add .
run 0 git commit --message test
says '^repair .*Passed$' '^lint .*Passed$'
sed 's/type: string/type: strin/' config/crd/backup.yaml >deploy/backup.yaml
git add .
run 1 git commit --message copy
says '^lint .*Failed$' '^deploy/backup.yaml:24:26: error: .*strin.* \[schema-type-invalid\]$'
git reset --quiet --hard

# A change of anything else runs the comparison only.
echo text >README
git add README
run 0 git commit --message text
says '^lint .*Skipped$' '^find breaking .*Passed$'

# A field that goes, and a CRD that is deleted.
sed -i.bak '/at: {type/d; s/^            properties:$/            properties: {}/' config/crd/backup.yaml && rm config/crd/backup.yaml.bak
git rm --quiet config/crd/queue.yaml
run 1 git commit --all --message breaks
says '^lint .*Passed$' '^find breaking .*Failed$' '^config/crd/backup.yaml:23:13: error: .* \[field-removed\]$' \
	'^config/crd/queue.yaml:1:1: error: .* \[crd-removed\]$'
git reset --quiet --hard

# A sample is judged by the CRD beside it, also when only the CRD changes.
cat >.pre-commit-config.yaml <<END
repos:
- repo: $hooks
  rev: $(git -C "$hooks" rev-parse HEAD)
  hooks:
  - id: crdlift-validate
END
mkdir config/samples
printf '%s\n' "$sample" >config/samples/backup.yaml
git add .
run 0 git commit --message sample
says '^validate custom resources\.*Passed$'
sed -i.bak 's/maxLength: 5/maxLength: 4/' config/crd/backup.yaml && rm config/crd/backup.yaml.bak
run 1 git commit --all --message shorter
says '^validate .*Failed$' '^config/samples/backup.yaml:6:7: error: .* \[object-constraint\]$' '^- exit code: 1$'
git reset --quiet --hard

# So are the tests of a CRD run, which are beside its Go types.
sed -i.bak 's/crdlift-validate/crdlift-test/' .pre-commit-config.yaml && rm .pre-commit-config.yaml.bak
mkdir -p api/v1
printf '%s\n' "$suite" >api/v1/backup.crdtest.yaml
git add .
run 0 git commit --message suite
says '^test CRDs\.*Passed$'
sed -i.bak 's/maxLength: 5/maxLength: 8/' config/crd/backup.yaml && rm config/crd/backup.yaml.bak
run 1 git commit --all --message longer
says '^test .*Failed$' '^api/v1/backup.crdtest.yaml:7:12: error: .* \[test-accepted\]$' '^- exit code: 1$'
git reset --quiet --hard
git rm --quiet config/samples/backup.yaml
run 0 git commit --message 'no sample'
says '^test .*Skipped$'
git reset --quiet --hard HEAD^

# A sample of an old version is found; manifests without custom resources, which pre-commit names as well, are passed over.
sed -i.bak 's/crdlift-test/crdlift-migrate/' .pre-commit-config.yaml && rm .pre-commit-config.yaml.bak
echo '    args: [--to=v2]' >>.pre-commit-config.yaml
cat >config/crd/crate.yaml <<END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crates.example.com}
spec:
  group: example.com
  names: {kind: Crate, plural: crates}
  scope: Namespaced
  versions:
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
END
echo 'replicas: 1' >values.yaml
printf '%s\n' 'apiVersion: example.com/v2' 'kind: Crate' 'metadata: {name: new}' >config/samples/new.yaml
git add .
run 0 git commit --message crate
says '^find custom resources of an old version\.*Passed$'
printf '%s\n' 'apiVersion: example.com/v1' 'kind: Crate' 'metadata: {name: old}' >config/samples/old.yaml
git add .
run 1 git commit --message old
says '^find custom .*Failed$' '^config/samples/old.yaml$' '^- exit code: 1$'
git reset --quiet --hard

# All hooks through try-repo. Those that end in -system find the program that pre-commit has built.
PATH=$(dirname "$(find "$PRE_COMMIT_HOME" -type f -name crdlift -path '*/bin/*')"):$PATH
for hook in lint fix convert against validate test; do
	run 0 pre-commit try-repo "$hooks" "crdlift-$hook-system" --all-files
	says "id: crdlift-$hook-system$" '\.Passed$'
done
printf '%s\n' "$backup" >config/crd/backup.yaml
run 1 pre-commit try-repo "$hooks" crdlift-lint-system --all-files
says '^config/crd/backup.yaml:10:15: error: .*\[' '^- hook id: crdlift-lint-system$'
run 1 pre-commit try-repo "$hooks" crdlift-fix-system --all-files
says '^- files were modified by this hook$'
run 0 pre-commit try-repo "$hooks" crdlift-fix-system --all-files

echo "the hooks fail, repair, convert, compare, validate, test, find old versions and pass, with $(pre-commit --version)"
