package release

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// installing are the commands with which README and install.md install crdlift, or the beginnings of them, and how each is tested: by which
// test, or why it cannot be tested here and what of it is.
var installing = map[string]struct{ test, not string }{
	"curl -sSL https://github.com/crdlift/crdlift/releases/latest/download/crdlift_linux_amd64.tar.gz | tar -xz crdlift": {test: "TestSnapshotRuns"},
	"cosign verify-blob checksums.txt":                                        {"TestInstallLines", "needs a signature of the workflow; the identity is compared with aqua's and the action's"},
	"sha256sum --check --ignore-missing checksums.txt":                        {test: "TestSnapshotChecksums"},
	"gh attestation verify crdlift_linux_amd64.tar.gz --repo crdlift/crdlift": {"TestProvenance", "needs an account, and an attestation of the workflow"},
	"go install github.com/crdlift/crdlift@latest":                            {not: "needs the published module; make build compiles the same package"},
	"git clone https://github.com/crdlift/crdlift":                            {not: "needs the published repository; make build compiles the same package"},
	"go install .": {not: "make build compiles the same package"},
	`docker run --rm --volume "$PWD:/work" ghcr.io/crdlift/crdlift lint`:                                        {"TestImage", "needs a daemon; CI builds the image and runs it"},
	"brew install --cask crdlift/tap/crdlift":                                                                   {"TestSnapshotCask", "needs Homebrew"},
	"kubectl krew install --manifest-url https://github.com/crdlift/crdlift/releases/latest/download/krew.yaml": {test: "TestSnapshotKrewInstalls"},
	"kubectl crdlift lint config/crd":                                                                           {test: "TestSnapshotKrewInstalls"},
	"mise use github:crdlift/crdlift":                                                                           {"TestSnapshotArchives", "needs mise; it finds archives by their names"},
	"curl -sSLO https://github.com/crdlift/crdlift/releases/latest/download/crdlift_linux_amd64.deb":            {test: "TestSnapshotPackages"},
	"sudo dpkg -i crdlift_linux_amd64.deb":                                                                      {test: "TestSnapshotPackages"},
	"sudo rpm -i https://github.com/crdlift/crdlift/releases/latest/download/crdlift_linux_amd64.rpm":           {"TestSnapshotPackages", "needs a system of rpm; the package is unpacked and run"},
	"sudo apk add --allow-untrusted ./crdlift_linux_amd64.apk":                                                  {"TestSnapshotPackages", "needs Alpine; the package is unpacked and run"},
	"scoop install https://github.com/crdlift/crdlift/releases/latest/download/crdlift.json":                    {"TestSnapshotScoop", "needs Windows"},
	"winget install crdlift.crdlift":                                                                            {"TestSnapshotWinget", "needs Windows"},
	"curl -sSLO https://github.com/crdlift/crdlift/releases/latest/download/crdlift.nix":                        {test: "TestSnapshotNix"},
	"nix-env -iE '_: with import <nixpkgs> {}; callPackage ./crdlift.nix {}'":                                   {"TestSnapshotNix", "needs nixpkgs; nix evaluates the file"},
}

// TestInstallLines fails for a way to install crdlift that is neither tested nor said to need something that is not here, and for files that
// no release has.
func TestInstallLines(t *testing.T) {
	t.Parallel()
	tests := ""
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		tests += text(t, file)
	}
	page := text(t, repository("docs", "guides", "install.md"))
	page, completions, _ := strings.Cut(page, "\n## Completions")
	if completions == "" {
		t.Error("install.md has no section about completions, which TestDocs runs")
	}
	readme := text(t, repository("README.md"))
	way := regexp.MustCompile(`^(?:curl|cosign|sha256sum|gh|go install|git clone|docker|brew|kubectl krew|mise|sudo|scoop|winget|nix|apt|dnf|npm) `)
	var lines []string
	for _, source := range []string{page, readme} {
		for _, block := range regexp.MustCompile("(?ms)^```(?:sh|console)\n(.*?)^```$").FindAllStringSubmatch(source, -1) {
			for line := range strings.Lines(strings.ReplaceAll(block[1], "\\\n", "")) {
				line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
				if source == page || way.MatchString(line) {
					lines = append(lines, line)
				}
			}
		}
		for _, span := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(source, -1) {
			if way.MatchString(span[1]) {
				lines = append(lines, span[1])
			}
		}
	}
	used := map[string]bool{}
	for _, line := range lines {
		found := false
		for beginning := range installing {
			if strings.HasPrefix(line, beginning) {
				found, used[beginning] = true, true
			}
		}
		if !found {
			t.Errorf("it is not said how this is tested: %s", line)
		}
	}
	for line, how := range installing {
		if !used[line] {
			t.Errorf("no page has %s", line)
		}
		if how.test == "" && how.not == "" || how.test != "" && !strings.Contains(tests, "\nfunc "+how.test+"(t *testing.T) {") {
			t.Errorf("%s is tested by %q", line, how.test)
		}
	}
	// Those that verify ask for the workflow of the release: the page for any tag, the others for one.
	const identity = "https://github.com/crdlift/crdlift/.github/workflows/release.yml@refs/tags/"
	if want := strings.ReplaceAll(identity, ".", `\.`); !strings.Contains(page, "--certificate-identity-regexp '^"+want+"v'") {
		t.Errorf("install.md does not ask cosign for %s", want)
	}
	for _, file := range []string{repository("action", "install.sh"), repository("packaging", "aqua.yaml")} {
		if !strings.Contains(text(t, file), identity) {
			t.Errorf("%s does not ask for %s", file, identity)
		}
	}
	config := text(t, repository(".goreleaser.yaml"))
	for _, name := range regexp.MustCompile(`releases/latest/download/(\S+\w)`).FindAllStringSubmatch(page+readme, -1) {
		if !strings.HasPrefix(name[1], "crdlift_") && !strings.Contains(config, "name_template: "+name[1]+"\n") && !strings.Contains(config, "/"+name[1]+"\n") {
			t.Errorf("a release has no file %s", name[1])
		}
	}
}
