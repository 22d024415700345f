package release

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// snapshot is the folder of a release that is not published. `make snapshot` makes it, and names it.
func snapshot(t *testing.T) string {
	t.Helper()
	dist := os.Getenv("CRDLIFT_DIST")
	if dist == "" {
		t.Skip("make snapshot makes a release and names its folder, CRDLIFT_DIST")
	}
	return dist
}

// An archive is one of a release.
type archive struct {
	name, sum string
	files     map[string]int64 // their modes
}

func archives(t *testing.T, dist string) map[string]archive {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dist, "*.tar.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no archives: %v", dist, err)
	}
	all := map[string]archive{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		hash := sha256.New()
		a := archive{name: filepath.Base(path), files: map[string]int64{}}
		zipped, err := gzip.NewReader(io.TeeReader(f, hash))
		if err != nil {
			t.Fatal(err)
		}
		for files := tar.NewReader(zipped); ; {
			header, err := files.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			a.files[header.Name] = header.Mode
		}
		if _, err := io.Copy(hash, f); err != nil {
			t.Fatal(err)
		}
		a.sum = fmt.Sprintf("%x", hash.Sum(nil))
		all[a.name] = a
	}
	return all
}

// TestSnapshotKrew holds the manifest against what krew asks of one:
// https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/ and its validation.go.
func TestSnapshotKrew(t *testing.T) {
	dist := snapshot(t)
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, ShortDescription, Description, Homepage string
			Platforms                                        []struct {
				Bin, URI, SHA256 string
				Selector         struct{ MatchLabels map[string]string }
			}
		}
	}
	decode(t, filepath.Join(dist, "krew", "crdlift.yaml"), &plugin, yaml.UnmarshalStrict)
	if plugin.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || plugin.Kind != "Plugin" || plugin.Metadata.Name != "crdlift" {
		t.Errorf("%s %s %s", plugin.APIVersion, plugin.Kind, plugin.Metadata.Name)
	}
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+`).MatchString(plugin.Spec.Version) {
		t.Errorf("krew wants versions that begin with v: %s", plugin.Spec.Version)
	}
	if text := plugin.Spec.ShortDescription; text == "" || len(text) > 50 || strings.ContainsAny(text, "\r\n") {
		t.Errorf("the short description has to be one line of 50 characters: %q", text)
	}
	made := archives(t, dist)
	if len(plugin.Spec.Platforms) != len(made) {
		t.Errorf("%d platforms of %d archives", len(plugin.Spec.Platforms), len(made))
	}
	for _, p := range plugin.Spec.Platforms {
		a := made[path.Base(p.URI)]
		want := fmt.Sprintf("crdlift_%s_%s.tar.gz", p.Selector.MatchLabels["os"], p.Selector.MatchLabels["arch"])
		if a.name != want || a.sum != p.SHA256 {
			t.Errorf("%s, %s; there is %s, %s", p.URI, p.SHA256, a.name, a.sum)
		}
		if mode, is := a.files[p.Bin]; !is || mode&0o111 == 0 {
			t.Errorf("%s has no program %s", a.name, p.Bin)
		}
		if _, is := a.files["LICENSE"]; !is {
			t.Errorf("%s has no LICENSE, without which krew takes no plugin", a.name)
		}
	}
}

// TestSnapshotKrewInstalls has krew itself install the plugin from the archive of this platform, and runs it as kubectl does.
func TestSnapshotKrewInstalls(t *testing.T) {
	dist := snapshot(t)
	krew := os.Getenv("CRDLIFT_KREW")
	if krew == "" {
		t.Skip("make snapshot builds krew and names it, CRDLIFT_KREW")
	}
	root := t.TempDir()
	install := exec.Command(krew, "install", "--manifest", filepath.Join(dist, "krew", "crdlift.yaml"),
		"--archive", filepath.Join(dist, fmt.Sprintf("crdlift_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)))
	install.Env = append(os.Environ(), "KREW_ROOT="+root, "KREW_NO_UPGRADE_CHECK=1")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(filepath.Join(root, "bin", "kubectl-crdlift"), "lint", "--help").CombinedOutput(); err != nil || !strings.Contains(string(out), "kubectl crdlift lint [flags]") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestSnapshotCask compares the cask of Homebrew with the archives that it installs.
func TestSnapshotCask(t *testing.T) {
	dist := snapshot(t)
	text, err := os.ReadFile(filepath.Join(dist, "homebrew", "Casks", "crdlift.rb"))
	if err != nil {
		t.Fatal(err)
	}
	cask := string(text)
	made := archives(t, dist)
	named := regexp.MustCompile(`sha256 "([0-9a-f]{64})"\s+url "[^"]*/([^/"]+)"`).FindAllStringSubmatch(cask, -1)
	for _, m := range named {
		if made[m[2]].sum != m[1] {
			t.Errorf("%s has another checksum than %s", m[2], m[1])
		}
	}
	for name, a := range made {
		if inCask := slices.ContainsFunc(named, func(m []string) bool { return m[2] == name }); inCask == strings.Contains(name, "windows") {
			t.Errorf("the cask has %s: %v", name, inCask)
		}
		if strings.Contains(name, "windows") {
			continue
		}
		for _, m := range regexp.MustCompile(`(?:binary|manpage|\w+_completion) "([^"]+)"`).FindAllStringSubmatch(cask, -1) {
			if _, is := a.files[m[1]]; !is {
				t.Errorf("%s has no %s", name, m[1])
			}
		}
	}
	for _, wanted := range []string{`binary "crdlift"`, `manpage "man/crdlift.1"`, `manpage "man/crdlift-lint.1"`, "bash_completion", "zsh_completion", "fish_completion"} {
		if !strings.Contains(cask, wanted) {
			t.Errorf("the cask has no %s:\n%s", wanted, cask)
		}
	}
}

// TestSnapshotRuns installs the archive of this platform as action/install.sh, mise and krew do, and runs what is in it.
func TestSnapshotRuns(t *testing.T) {
	dist := snapshot(t)
	name := fmt.Sprintf("crdlift_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	a, is := archives(t, dist)[name]
	if !is {
		t.Skipf("this snapshot has no %s", name)
	}
	sums, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil || !strings.Contains(string(sums), a.sum+"  "+name+"\n") {
		t.Errorf("checksums.txt: %v\n%s", err, sums)
	}
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-xzf", filepath.Join(dist, name), "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var metadata struct{ Version, Commit string }
	decode(t, filepath.Join(dist, "metadata.json"), &metadata, func(text []byte, to any, _ ...yaml.JSONOpt) error { return json.Unmarshal(text, to) })
	if metadata.Commit == "none" {
		t.Fatal("goreleaser knows no commit, because this repository has no remote; make the snapshot in a clone")
	}
	program := filepath.Join(dir, "crdlift")
	if out, err := exec.Command(program, "--version").CombinedOutput(); err != nil || !strings.Contains(string(out), "commit "+metadata.Commit) {
		t.Errorf("%v: %s", err, out)
	}
	plugin := filepath.Join(dir, "kubectl-crdlift") // krew's link
	if err := os.Symlink(program, plugin); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(plugin, "--help").CombinedOutput(); err != nil || !strings.Contains(string(out), "kubectl crdlift [command]") {
		t.Errorf("%v: %s", err, out)
	}
}
