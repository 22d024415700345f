#!/usr/bin/env bash
# Builds crdlift from the files of this action into CRDLIFT, where action/install.sh said that it belongs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# What the job sets up for its own Go code is not for this build.
export GOFLAGS='' GOWORK=off GOTOOLCHAIN=local
go build -buildvcs=false -ldflags '-s -w' -o "${CRDLIFT:?}" .
"$CRDLIFT" version
