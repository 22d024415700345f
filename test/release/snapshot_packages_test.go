package release

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// platforms are those that a release is for.
var platforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"}

// inArchive are files that all archives have, beside the program.
var inArchive = []string{"LICENSE", "README.md", "man/crdlift.1", "man/crdlift-lint.1", "completions/crdlift.bash", "completions/crdlift.zsh",
	"completions/crdlift.fish", "completions/crdlift.powershell"}

// snapshotVersion is that of the snapshot, without v.
func snapshotVersion(t *testing.T, dist string) string {
	t.Helper()
	var metadata struct{ Version string }
	if err := json.Unmarshal([]byte(text(t, filepath.Join(dist, "metadata.json"))), &metadata); err != nil {
		t.Fatal(err)
	}
	return metadata.Version
}

func sumOf(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(src))
}

// command runs a program that not every machine has.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed; Debian has it", name)
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// TestSnapshotArchives lists the archive of each platform.
func TestSnapshotArchives(t *testing.T) {
	dist := snapshot(t)
	made := archives(t, dist)
	if len(made) != len(platforms) {
		t.Errorf("%d archives for %d platforms", len(made), len(platforms))
	}
	for _, platform := range platforms {
		a, program := made["crdlift_"+platform+".tar.gz"], "crdlift"
		if strings.HasPrefix(platform, "windows") {
			program += ".exe"
			zipped, err := zip.OpenReader(filepath.Join(dist, "crdlift_"+platform+".zip"))
			if err != nil {
				t.Fatal(err)
			}
			defer zipped.Close()
			for _, name := range append(inArchive, program) {
				if _, err := zipped.Open(name); err != nil {
					t.Errorf("the zip for %s: %v", platform, err)
				}
			}
		}
		for _, name := range append(inArchive, program) {
			if _, is := a.files[name]; !is {
				t.Errorf("the archive for %s has no %s", platform, name)
			}
		}
		if a.files[program]&0o111 == 0 {
			t.Errorf("nobody may run the program for %s", platform)
		}
	}
}

// TestSnapshotChecksums verifies the checksums as the page does, and wants all files that are downloaded to have one.
func TestSnapshotChecksums(t *testing.T) {
	dist := snapshot(t)
	sums := map[string]string{}
	for line := range strings.Lines(text(t, filepath.Join(dist, "checksums.txt"))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	files, err := os.ReadDir(dist)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), "crdlift_") || file.IsDir() {
			continue
		}
		if sum := sumOf(t, filepath.Join(dist, file.Name())); sums[file.Name()] != sum {
			t.Errorf("%s has the checksum %s, and in the list %q", file.Name(), sum, sums[file.Name()])
		}
		delete(sums, file.Name())
	}
	if len(sums) > 0 {
		t.Errorf("there are checksums of %v", sums)
	}
}

// TestSnapshotPackages unpacks the Linux packages as their programs do, and runs what they install.
func TestSnapshotPackages(t *testing.T) {
	dist := snapshot(t)
	if runtime.GOOS != "linux" {
		t.Skip("the packages are for Linux")
	}
	version := snapshotVersion(t, dist)
	for format, c := range map[string]struct {
		unpack func(t *testing.T, file, dir string)
		zsh    string
	}{
		"deb": {func(t *testing.T, file, dir string) {
			fields := command(t, "dpkg-deb", "--field", file, "Package", "Architecture", "Version", "Depends")
			if want := "Package: crdlift\nArchitecture: " + runtime.GOARCH + "\nVersion: "; !strings.HasPrefix(fields, want) || strings.Contains(fields, "Depends") {
				t.Errorf("dpkg reads\n%s", fields)
			}
			// dpkg itself installs it, below another root, where it writes its database as well.
			command(t, "dpkg", "--root="+dir, "--force-not-root", "--force-bad-path", "--log="+filepath.Join(dir, "log"), "--install", file)
			if status := command(t, "dpkg", "--root="+dir, "--status", "crdlift"); !strings.Contains(status, "\nStatus: install ok installed\n") {
				t.Errorf("dpkg says\n%s", status)
			}
		}, "vendor-completions"},
		"rpm": {func(t *testing.T, file, dir string) { command(t, "bsdtar", "-xf", file, "-C", dir) }, "site-functions"},
		"apk": {func(t *testing.T, file, dir string) {
			command(t, "bsdtar", "-xf", file, "-C", dir)
			info := "\n" + text(t, filepath.Join(dir, ".PKGINFO"))
			if !strings.Contains(info, "\npkgname = crdlift\n") || strings.Contains(info, "\ndepend = ") {
				t.Errorf("apk reads\n%s", info)
			}
		}, "site-functions"},
	} {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			for _, folder := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info", "var/lib/dpkg/triggers"} {
				if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(t, filepath.Join(dir, "var/lib/dpkg/status"), "")
			c.unpack(t, filepath.Join(dist, "crdlift_linux_"+runtime.GOARCH+"."+format), dir)
			for _, name := range []string{"share/man/man1/crdlift.1", "share/man/man1/crdlift-lint.1", "share/bash-completion/completions/crdlift",
				"share/fish/vendor_completions.d/crdlift.fish", "share/zsh/" + c.zsh + "/_crdlift", "share/doc/crdlift/copyright"} {
				if info, err := os.Stat(filepath.Join(dir, "usr", filepath.FromSlash(name))); err != nil || info.Mode().Perm() != 0o644 {
					t.Errorf("%s: %v, %v", name, info, err)
				}
			}
			if out, err := exec.Command(filepath.Join(dir, "usr/bin/crdlift"), "version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "crdlift ") {
				t.Errorf("version %s: %v\n%s", version, err, out)
			}
			if _, err := os.Stat(filepath.Join(dist, "crdlift_linux_arm64."+format)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSnapshotScoop holds the manifest against what scoop's schema.json requires, and against the archives.
func TestSnapshotScoop(t *testing.T) {
	dist := snapshot(t)
	var manifest struct {
		Version, Homepage, License, Description string
		Architecture                            map[string]struct {
			URL, Hash string
			Bin       []string
		}
	}
	decode(t, filepath.Join(dist, "scoop", "crdlift.json"), &manifest, yaml.UnmarshalStrict)
	if manifest.Version != snapshotVersion(t, dist) || manifest.Homepage == "" || manifest.License != "Apache-2.0" || manifest.Description == "" {
		t.Errorf("%+v", manifest)
	}
	made := archives(t, dist)
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		got, a := manifest.Architecture[name], made["crdlift_windows_"+arch+".tar.gz"]
		if path.Base(got.URL) != a.name || got.Hash != a.sum || !slices.Equal(got.Bin, []string{"crdlift.exe"}) {
			t.Errorf("%s: %+v; there is %s, %s", name, got, a.name, a.sum)
		}
	}
	if len(manifest.Architecture) != 2 {
		t.Errorf("%v", manifest.Architecture)
	}
}

// TestSnapshotWinget holds the three manifests against what winget's schemas require of a portable program in a zip.
func TestSnapshotWinget(t *testing.T) {
	dist := snapshot(t)
	found := map[string]map[string]any{}
	err := filepath.WalkDir(filepath.Join(dist, "winget"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		var manifest map[string]any
		decode(t, file, &manifest, yaml.UnmarshalStrict)
		if manifest["PackageIdentifier"] != "crdlift.crdlift" || manifest["PackageVersion"] != snapshotVersion(t, dist) || manifest["ManifestVersion"] == nil {
			t.Errorf("%s: %v", file, manifest)
		}
		if header, _, _ := strings.Cut(text(t, file), "\n"); !strings.HasPrefix(header, "#") {
			t.Errorf("%s begins with %s", file, header)
		}
		found[manifest["ManifestType"].(string)] = manifest
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if version := found["version"]; version["DefaultLocale"] != "en-US" {
		t.Errorf("version: %v", version)
	}
	for _, key := range []string{"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"} {
		if found["defaultLocale"][key] == nil {
			t.Errorf("defaultLocale has no %s, which is required", key)
		}
	}
	installers := found["installer"]["Installers"].([]any)
	if len(installers) != 2 || found["installer"]["InstallerType"] != "zip" && installers[0].(map[string]any)["InstallerType"] != "zip" {
		t.Errorf("%v", found["installer"])
	}
	for _, installer := range installers {
		got := installer.(map[string]any)
		arch := map[any]string{"x64": "amd64", "arm64": "arm64"}[got["Architecture"]]
		name := "crdlift_windows_" + arch + ".zip"
		if sum := sumOf(t, filepath.Join(dist, name)); path.Base(got["InstallerUrl"].(string)) != name || !strings.EqualFold(got["InstallerSha256"].(string), sum) {
			t.Errorf("%v; %s is %s", got, name, sum)
		}
		nested, _ := json.Marshal(got)
		if !strings.Contains(string(nested), `"NestedInstallerType":"portable"`) || !strings.Contains(string(nested), `"RelativeFilePath":"crdlift.exe"`) {
			t.Errorf("%s", nested)
		}
	}
}

// TestSnapshotNix has nix evaluate the file for each system, with what nixpkgs hands over replaced by functions that give back their
// arguments.
func TestSnapshotNix(t *testing.T) {
	dist := snapshot(t)
	if _, err := exec.LookPath("nix-hash"); err != nil {
		t.Skip("goreleaser writes the file for Nix where nix-hash is; Debian has it in nix-bin")
	}
	file, err := filepath.Abs(filepath.Join(dist, "nix", "pkgs", "crdlift", "default.nix"))
	if err != nil {
		t.Fatal(err)
	}
	made := archives(t, dist)
	for system, platform := range map[string]string{"x86_64-linux": "linux_amd64", "aarch64-linux": "linux_arm64", "x86_64-darwin": "darwin_amd64", "aarch64-darwin": "darwin_arm64"} {
		var drv struct {
			Pname, Version, InstallPhase string
			Src                          struct{ URL, SHA256 string }
			Meta                         struct{ MainProgram, License string }
		}
		// The system is the last argument: a program that is skipped would skip the test.
		expression := fmt.Sprintf(`import %s { stdenvNoCC = { hostPlatform.system = "%s"; mkDerivation = x: x; }; fetchurl = x: x; installShellFiles = "i";
			lib = { licenses.asl20 = "asl20"; sourceTypes.binaryNativeCode = "b"; }; }`, file, system)
		eval := exec.Command("nix-instantiate", "--eval", "--strict", "--json", "-E", expression)
		eval.Env = append(os.Environ(), "NIX_REMOTE=dummy://", "HOME="+t.TempDir())
		out, err := eval.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
		}
		if err := json.Unmarshal(out, &drv); err != nil {
			t.Fatal(err)
		}
		a := made["crdlift_"+platform+".tar.gz"]
		if sum := strings.TrimSpace(command(t, "nix-hash", "--type", "sha256", "--to-base16", drv.Src.SHA256)); path.Base(drv.Src.URL) != a.name || sum != a.sum {
			t.Errorf("%s: %s, %s; there is %s, %s", system, drv.Src.URL, sum, a.name, a.sum)
		}
		if drv.Pname != "crdlift" || drv.Version != snapshotVersion(t, dist) || drv.Meta.MainProgram != "crdlift" || drv.Meta.License != "asl20" {
			t.Errorf("%s: %s", system, out)
		}
		for _, named := range regexp.MustCompile(`\./\S+`).FindAllString(drv.InstallPhase, -1) {
			if glob, _, _ := strings.Cut(path.Clean(named), "{"); !slices.ContainsFunc(inArchive, func(name string) bool {
				is, _ := path.Match(glob, name)
				return is || strings.HasPrefix(name, glob)
			}) && glob != "crdlift" {
				t.Errorf("%s installs %s, which the archive does not have", system, named)
			}
		}
	}
}

// TestSnapshotCaskIsRuby has Ruby read the cask.
func TestSnapshotCaskIsRuby(t *testing.T) {
	if said := command(t, "ruby", "-c", filepath.Join(snapshot(t), "homebrew", "Casks", "crdlift.rb")); said != "Syntax OK\n" {
		t.Error(said)
	}
}
