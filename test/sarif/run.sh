#!/usr/bin/env bash
# Holds SARIF against two programs that are not ours: Microsoft's sarif-multitool, which knows what viewers want, and
# jsonschema of npm, with which GitHub's upload-sarif refuses files. Over fixtures, and if CRDLIFT_CORPUS (default
# ../shared/corpus) is there, over a sample of the real manifests, another each day, or with CRDLIFT_VOLUME=all over all of them, which
# takes the multitool minutes. Needs go, node and npm.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
corpus=${CRDLIFT_CORPUS:-$root/../shared/corpus}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$scratch" @microsoft/sarif-multitool@5.7.0 jsonschema@1.5.0
chmod -R u+x "$scratch"/node_modules/@microsoft/sarif-multitool-*/ # what its install script does

cd "$root"
go build -o "$scratch/crdlift" .
mkdir "$scratch/logs"
lint() { "$scratch/crdlift" lint --quiet --fail-on never --output "sarif=$scratch/logs/$1" "${@:2}" >/dev/null; }
lint fixtures.sarif --config testdata/sarif/all.yaml rules/testdata/{names,cel,columns}
lint old.sarif --new-only path:rules/testdata/lifecycle/field-removed/old.yaml rules/testdata/lifecycle/field-removed/want.yaml
lint go.sarif --config testdata/sarif/all.yaml testdata/sarif/go
lint go-primary.sarif --config testdata/sarif/primary.yaml testdata/sarif/go
lint none.sarif testdata/action/good
for folder in v1 v1beta1; do
	[[ -d $corpus/$folder ]] || continue
	mapfile -d '' files < <(find "$corpus/$folder" -name '*.yaml' -print0 | sort -z)
	if [[ ${CRDLIFT_VOLUME-} == all ]]; then lint "$folder.sarif" "$corpus/$folder"; continue; fi
	sample=()
	for ((i = 10#${CRDLIFT_SEED:-$(date -u +%Y%m%d)} % 20; i < ${#files[@]}; i += 20)); do sample+=("${files[i]}"); done
	lint "$folder.sarif" "${sample[@]}"
done

node test/sarif/check.js "$scratch" internal/report/testdata/sarif-2.1.0.json
