#!/usr/bin/env bash
# Builds the playground into build/site/playground: crdlift as WebAssembly, packed, and what the page loads besides.
# Needs Go, npm and zstd.
set -euo pipefail
cd "$(dirname "$0")/.."
work=../build/playground out=../build/site/playground
mkdir -p "$work" "$out"

[[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --no-audit --no-fund

# Without grpcnotrace, gRPC, which the API server's code imports, links templates; these call methods by name, so that the
# linker has to keep every method of every type: 20 MB.
version=$(git describe --tags --always --dirty 2>/dev/null || echo '(devel)')
GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -tags grpcnotrace \
	-ldflags "-s -w -X github.com/crdlift/crdlift/web/answer.Build=$version" -o "$work/crdlift.wasm" ./wasm
# The name does not say how it is packed, lest a host says so in a header and the browser unpacks it for the worker.
if ! [[ -f $out/crdlift.bin ]] || ! cmp -s "$work/crdlift.wasm" "$work/packed.wasm"; then
	zstd -19 --quiet --stdout "$work/crdlift.wasm" >"$out/crdlift.bin" # unpacking takes 8 MB of memory besides
	cp "$work/crdlift.wasm" "$work/packed.wasm"
fi

bundle=(npx esbuild --bundle --minify --target=es2022 --log-level=warning)
"${bundle[@]}" playground/main.js --format=esm --loader:.yaml=text --outfile="$out/main.js"
"${bundle[@]}" playground/worker.js --alias:wasm_exec="$(go env GOROOT)/lib/wasm/wasm_exec.js" --outfile="$out/worker.js"
cp playground/index.html playground/style.css assets/theme.css assets/icon.svg "$out"
ls -l "$out"
