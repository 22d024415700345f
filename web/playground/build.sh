#!/usr/bin/env bash
# Builds what the page of the playground loads, into build/site/playground: its script, and crdlift as WebAssembly, packed. The
# packages of npm, the pages and the script that searches are there already: see `make site`. Needs Go, npm and zstd.
set -euo pipefail
cd "$(dirname "$0")/.."
work=../build/playground site=../build/site
out=$site/playground
mkdir -p "$work"

# Without grpcnotrace, gRPC, which the API server's code imports, links templates; these call methods by name, so that the
# linker has to keep every method of every type: 20 MB.
version=$(git describe --tags --always --dirty 2>/dev/null || echo '(devel)')
GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -tags grpcnotrace \
	-ldflags "-s -w -X github.com/crdlift/crdlift/web/answer.Build=$version" -o "$work/crdlift.wasm" ./wasm
# Packing takes longest. What is cut off in the middle of it is not taken for packed.
if ! [[ -f $work/crdlift.bin ]] || ! cmp -s "$work/crdlift.wasm" "$work/packed.wasm"; then
	zstd -19 --quiet --force "$work/crdlift.wasm" -o "$work/packing.bin" # unpacking takes 8 MB of memory besides
	mv "$work/packing.bin" "$work/crdlift.bin"
	cp "$work/crdlift.wasm" "$work/packed.wasm"
fi

hash() { sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; }

# The program's name has its hash, as a script must not meet the program of another build in a cache. The name does not say how it
# is packed, lest a host says so in a header and the browser unpacks it for the worker.
sum=$(hash "$work/crdlift.bin")
program=crdlift-${sum:0:12}.bin
rm -f "$out"/crdlift-*.bin
cp "$work/crdlift.bin" "$out/$program"

bundle=(npx esbuild --bundle --minify --target=es2022 --log-level=warning)
"${bundle[@]}" playground/worker.js --alias:wasm_exec="$(go env GOROOT)/lib/wasm/wasm_exec.js" --outfile="$work/worker.txt"
"${bundle[@]}" playground/main.js --format=esm --loader:.yaml=text --loader:.txt=text --alias:worker-code="$PWD/$work/worker.txt" \
	--define:PROGRAM="\"$program\"" --outfile="$out/main.js"

# named PAGE SCRIPT has a page ask for a bundle by its hash, instead of that of an earlier build, so that a cache has the one or the
# other.
named() {
	local sum
	sum=$(hash "$site/$2")
	sed -E "s#$2(\?[^\"]*)?\"#$2?${sum:0:12}\"#" "$site/$1" >"$work/page.html"
	mv "$work/page.html" "$site/$1"
}
named playground/index.html playground/main.js
named search/index.html assets/search.js
ls -l "$out"
