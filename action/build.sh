#!/usr/bin/env bash
# Builds crdlift from the files of this action into CRDLIFT, the path that action/install.sh chose.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# The job's settings for its own Go code must not affect this build.
export GOFLAGS='' GOWORK=off GOTOOLCHAIN=local
# With cgo, the linker keeps all names for Go plugins, which kustomize could load: 16 MB that no release has.
export CGO_ENABLED=0
go build -buildvcs=false -ldflags '-s -w' -o "${CRDLIFT:?}" .
"$CRDLIFT" --version
