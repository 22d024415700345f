# For people and for CI. `make` alone lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Newer Go releases are not downloaded behind anybody's back.
export GOTOOLCHAIN := local
# As in releases. With cgo, the linker keeps the names of everything for Go plugins, which kustomize could load: 16 MB.
export CGO_ENABLED := 0

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.16.0
KREW := sigs.k8s.io/krew/cmd/krew@v0.4.3
KUBECONFORM := github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
FUZZTIME ?= 30s
TESTFLAGS ?=
BENCHFLAGS ?=
SPEEDFLAGS ?=
MUTATEFLAGS ?=

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do printf '%-14s %s\n' "$$name" "$$what"; done

.PHONY: deps
deps: ## download the modules that building and testing need
	go mod download
	cd test/v121 && go mod download

.PHONY: build
build: ## build bin/crdlift
	go build -trimpath -o bin/crdlift .

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: cross man completions
cross: ## build for every platform that has releases, into build/
	for p in $(PLATFORMS); do \
		GOOS=$${p%/*} GOARCH=$${p#*/} go build -trimpath -ldflags '-s -w' -o "build/crdlift_$${p//\//_}" .; \
	done
	@ls -l build/crdlift_*
man: ## write manual pages into build/man
	cd man && go run . ../build/man
completions: ## write shell completions into build/completions
	mkdir -p build/completions
	go build -o build/completions.tmp .
	for shell in bash zsh fish powershell; do build/completions.tmp completion $$shell > build/completions/crdlift.$$shell; done
	rm build/completions.tmp

# What signs and what lists the parts of archives is on the machine that makes releases only. With Debian's nix-bin, libarchive-tools
# and ruby, the files for Nix, rpm, apk and Homebrew are read as well; without them, their tests are skipped.
.PHONY: snapshot
snapshot: ## make a release in dist, for all platforms and without publishing it, and install from it in every way that one Linux machine has
	go run $(GORELEASER) release --snapshot --clean --skip=sign,sbom
	GOBIN=$(CURDIR)/build go install $(KREW)
	CRDLIFT_DIST=$(CURDIR)/dist CRDLIFT_KREW=$(CURDIR)/build/krew go test -count 1 -v -run Snapshot ./test/release

# Programs for those who work on crdlift. The _ keeps them out of ./..., which pre-commit installs for every user of a hook.
TOOLS := $(addprefix ./,$(wildcard test/_tools/*))

.PHONY: test
test: deps ## run all tests; those over real manifests too if CRDLIFT_CORPUS (default ../shared/corpus) is there
	go test -timeout 45m $(TESTFLAGS) ./... $(TOOLS)
	cd test/v121 && go test $(TESTFLAGS) ./...

.PHONY: check
check: gofmt vet staticcheck shellcheck actionlint race ## what a change has to pass beside the tests: gofmt, vet, staticcheck, shellcheck, actionlint, the race detector

.PHONY: gofmt vet staticcheck shellcheck actionlint race
gofmt:
	@files=$$(gofmt -l .); [[ -z $$files ]] || { echo "not formatted:" $$files; exit 1; }
vet:
	go vet ./... $(TOOLS)
	cd test/v121 && go vet ./...
	cd man && go vet .
	cd webhooktest && go vet .
	cd crdtest && go vet .
	cd crdfake && go vet .
	cd web && go vet ./...
staticcheck:
	go run $(STATICCHECK) ./... $(TOOLS)
	cd web && go run $(STATICCHECK) ./...
shellcheck: # Debian's and Homebrew's shellcheck
	shellcheck --external-sources .ci/run action/*.sh packaging/notes.sh test/editors/*.sh test/precommit/run.sh test/sarif/run.sh web/*.sh web/playground/*.sh
actionlint:
	go run $(ACTIONLINT)
RACE ?= ./...
race:
	CGO_ENABLED=1 CRDLIFT_CORPUS=$(CURDIR)/no-corpus go test -timeout 45m -race -short $(TESTFLAGS) $(RACE)

.PHONY: vuln
vuln: ## look for known vulnerabilities in what the program calls; says so when it cannot ask
	@log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	if go run $(GOVULNCHECK) ./... >"$$log" 2>&1; then cat "$$log"; \
	elif grep -q -E 'vuln\.go\.dev|proxy\.golang\.org|dial tcp|no such host' "$$log" && ! grep -q '^Vulnerability #' "$$log"; then \
		tail -n 3 "$$log"; echo "not checked: the database of vulnerabilities, or the program that asks it, cannot be reached"; \
	else cat "$$log"; exit 1; fi

.PHONY: reproducible
reproducible: ## build twice, in two folders and from nothing, and compare
	@a=$$(mktemp -d); b=$$(mktemp -d); trap 'chmod -R u+w "$$a" "$$b"; rm -rf "$$a" "$$b"' EXIT; \
	for dir in "$$a/one" "$$b/another"; do \
		mkdir "$$dir"; git ls-files -z | tar -c --null -T - | tar -x -C "$$dir"; \
		(cd "$$dir" && GOCACHE="$$dir/.cache" go build -trimpath -buildvcs=false -o ../crdlift .); \
	done; \
	sha256sum "$$a/crdlift" "$$b/crdlift"; cmp "$$a/crdlift" "$$b/crdlift"

.PHONY: precommit
precommit: ## run the hooks with the real pre-commit (Debian's pre-commit)
	test/precommit/run.sh $(TESTFLAGS)

.PHONY: sarif
sarif: ## hold SARIF against Microsoft's and GitHub's validators (needs node and npm)
	test/sarif/run.sh

# The clients that test/e2e has apply objects and use `crdlift serve`; .ci/run takes one of them.
CLIENTS ?= $(notdir $(wildcard test/clients/*))
.PHONY: e2e
e2e: ## compare conversions and verdicts, of real manifests a sample, with API servers of 1.21 and 1.37; needs etcd (Debian's etcd-server)
	cd test/e2e/server121 && go mod download && go vet ./...
	for client in $(CLIENTS); do (cd test/clients/$$client && go mod download && go vet .); done
	cd test/e2e && go mod download && go vet ./...
	cd test/e2e && CRDLIFT_CLIENTS="$(CLIENTS)" go test -count 1 -timeout 45m -v $(TESTFLAGS) .

.PHONY: kustomize
kustomize: ## have the real kustomize call crdlift as a function
	cd test/kustomize && go mod download && go vet ./... && go test -count 1 $(TESTFLAGS) ./...

.PHONY: gotypes
gotypes: ## compare the places of Go fields with those that the real controller-gen has them from
	cd test/gotypes && go mod download && go vet ./... && go test -count 1 $(TESTFLAGS) ./...

.PHONY: helm
helm: ## hold what is read and written in Helm templates against Helm's engine; CRDLIFT_CHARTS names a folder of more charts
	cd test/helm && go mod download && go vet ./... && go test -count 1 $(TESTFLAGS) ./...

.PHONY: schemas
schemas: ## compare what kubeconform says by our JSON Schemas with crdlift validate; CRDLIFT_ROLES names a folder of clones
	cd test/schemas && go mod download && go vet ./... && go test -count 1 -timeout 40m $(TESTFLAGS) ./...

.PHONY: xrds
xrds: ## hold the CRDs of XRDs against Crossplane's own code; CRDLIFT_XRDS names a folder of clones with XRDs
	cd test/xrds && go mod download && go vet ./... && go test -count 1 $(TESTFLAGS) ./...

# Not in .ci/run: it builds what other projects are made of, which takes minutes. To be run once a week, and when internal/carry changes.
.PHONY: converters
converters: ## carry manifests through the converters of other projects; CRDLIFT_UPGRADES names a folder of clones
	for converter in tekton clusterapi; do (cd test/converters/$$converter && go mod download && go vet .) || exit 1; done
	cd test/converters && go vet ./... && go test -count 1 -timeout 40m -v $(TESTFLAGS) ./...
	cd test/e2e && go mod download && go test -count 1 -timeout 40m -v -run MigrateByConverters $(TESTFLAGS) .

.PHONY: outside
outside: ## build and test a program of another module, which uses the public packages
	cd test/outside && go vet ./... && go test -count 1 $(TESTFLAGS) ./...

.PHONY: platforms
platforms: ## run the programs for Windows and ARM, under wine and qemu (Debian's wine64, binutils-mingw-w64-x86-64 and qemu-user)
	cd test/platforms && go vet ./... && go test -count 1 -timeout 40m $(TESTFLAGS) ./...

.PHONY: vscode
vscode: ## build the extension for VS Code, build/crdlift.vsix, and test it with the language server (needs node and npm)
	mkdir -p build
	go build -o build/crdlift-for-vscode .
	cd editors/vscode && npm ci --no-audit --no-fund --ignore-scripts && npm run check && npm run package && \
		CRDLIFT=$(CURDIR)/build/crdlift-for-vscode npm test

.PHONY: editors
editors: ## test the language server with Neovim as a person uses it (Debian's neovim)
	test/editors/run.sh

.PHONY: picture-editor
picture-editor: ## draw the editor in the documentation: docs/img/editor.svg (needs Debian's neovim and tmux)
	test/editors/picture.sh

.PHONY: webhooktest
webhooktest: ## test the module with which others test their webhooks, with the program of this folder
	cd webhooktest && go vet . && go test -count 1 $(TESTFLAGS) .

.PHONY: crdtest
crdtest: ## test the module with which others test their CRDs, with the program of this folder
	cd crdtest && go vet . && go test -count 1 $(TESTFLAGS) .

# What crdfake is tested with, its go.mod's version first; .ci/run takes one of them.
CONTROLLER_RUNTIME ?= 0.15.0 0.18.7 0.23.3 0.24.1 0.25.1
.PHONY: crdfake
crdfake: ## test the module that makes controller-runtime's fake client judge, with several versions of controller-runtime
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; go build -o "$$dir/crdlift" .; cd crdfake; \
	for version in $(CONTROLLER_RUNTIME); do \
		echo "controller-runtime $$version"; cp go.mod go.sum "$$dir"; flags="-modfile=$$dir/go.mod -mod=mod"; \
		go get -modfile="$$dir/go.mod" sigs.k8s.io/controller-runtime@v$$version 2>"$$dir/changes" || { cat "$$dir/changes"; exit 1; }; \
		go vet $$flags . && CRDLIFT=$$dir/crdlift go test $$flags -count 1 $(TESTFLAGS) . || exit 1; \
	done

.PHONY: site
site: ## build the site with the playground into build/site; needs npm and zstd (of Debian, Homebrew)
	cd web && npm ci --ignore-scripts --no-audit --no-fund --silent
	tags=$$(git tag --list --sort=-version:refname 'v*') && cd web && go run ./site .. ../build/site '$(SITE_VERSION)' $$tags
	cd web && npx esbuild assets/search.js --bundle --minify --format=esm --target=es2022 --log-level=warning --outfile=../build/site/assets/search.js
	web/playground/build.sh

.PHONY: web
web: site ## test the site and the playground, in Chromium (Debian's chromium)
	cd web && go vet ./... && go test -count 1 $(TESTFLAGS) ./...

.PHONY: sitetest
sitetest: ## test the pages of the site and the playground's answers, without npm and a browser
	cd web && go vet ./... && GOOS=js GOARCH=wasm go vet ./wasm && go test -count 1 $(TESTFLAGS) ./answer ./site

.PHONY: screenshots
screenshots: site ## take the pictures of pages in the documentation: docs/img/*.png
	cd web && go test -count 1 -run Pictures ./test -pictures $(CURDIR)/docs/img

.PHONY: update
update: ## write the expected outputs of the tests anew; read the difference before you keep it
	go test . -update
	go test ./convert -run Golden -update
	go test ./internal/report -run Golden -update
	go test ./internal/apiserver -run Page -update
	go test ./rules -update
	go test ./test/_tools/picture -update

.PHONY: picture
picture: ## draw the terminal in the README, docs/breaking.svg
	go run ./test/_tools/picture

# One program for each package runs all its targets. Without INSTRUMENT= it knows which input reached new code, which takes
# a build of its own of all dependencies; with it, it is what make test builds, and finds less in a long run.
INSTRUMENT ?= -fuzz .
.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (default 30s); the first that fails ends it
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; cache=$$(go env GOCACHE)/fuzz/crdlift; \
	for package in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do \
		(cd "$$package" && go test -c $(INSTRUMENT) -o "$$bin/test" .); \
		for target in $$(cd "$$package" && "$$bin/test" -test.list '^Fuzz'); do \
			echo "== $$package $$target"; \
			(cd "$$package" && "$$bin/test" -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZTIME) \
				-test.fuzzminimizetime 10x -test.fuzzcachedir "$$cache/$$package") || \
				{ git ls-files --others --exclude-standard '*/testdata/fuzz/*' | xargs -r -d '\n' tail -n +1; exit 1; }; \
		done; \
	done

# Where HEAD forked off.
BASE ?= $(shell git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main)
.PHONY: mutate
mutate: ## change conditions and bounds in the packages that differ from BASE, and fail where tests do not notice 80% of it; MUTATEFLAGS='-time 1h ./...' for all
	go run ./test/_tools/mutate -base $(BASE) $(MUTATEFLAGS)

.PHONY: bench
bench: ## run the benchmarks, in the format of benchstat; BENCHFLAGS='-count 10' for comparisons
	go test $$(grep -ls '^func Benchmark' $$(go list -f '{{.Dir}}/*_test.go' ./...) | xargs -n 1 dirname | sort -u) -run '^$$' -bench . -benchmem $(BENCHFLAGS)
	cd crdfake && go test -run '^$$' -bench . -benchmem $(BENCHFLAGS)

.PHONY: speed
speed: ## measure whole processes beside other programs, and write the table of docs/internals/performance.md
	GOBIN=$(CURDIR)/build go install $(KUBECONFORM)
	PATH="$(CURDIR)/build:$$PATH" go run ./test/_tools/speed $(SPEEDFLAGS)

.PHONY: ratios
ratios: ## fail if crdlift has become slower, beside kubeconform and a baseline, than docs/internals/performance.md says, or if its cost grows faster than its input
	GOBIN=$(CURDIR)/build go install $(KUBECONFORM)
	PATH="$(CURDIR)/build:$$PATH" go run ./test/_tools/speed -check $(SPEEDFLAGS)

# What each change has a few of. Name a test here to run all of it every night.
NIGHTLY := CachedRepositories|Each|Whole|Strategy|V121Mutants|CRDs|Correct|Mistakes
.PHONY: nightly
nightly: deps ## run what takes too long for each change: 500 repositories edited at random, with a cache and without; small CRDs with each field changed
	CRDLIFT_VOLUME=all go test . ./internal/... -run '$(NIGHTLY)' -v -count 1 -timeout 120m | grep -v -e '^=== ' -e '^ *--- PASS' -e 'no test files' -e 'no tests to run'

.PHONY: corpus
corpus: ## print what crdlift makes of real manifests, all of them, in figures
	CRDLIFT_VOLUME=all go test ./... -run 'Corpus|Pairs|Behaviour|Experiment|Agrees|Evolution|Reach|Correct' -v -count 1 -timeout 90m | grep -v -e '^=== ' -e 'no test files' -e 'no tests to run'
