package action

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// archive is a release: one program, that says what it is.
func archive(t *testing.T, program string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"LICENSE": "free", "crdlift": program} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// releases serves v1.2.3, v1.2.4 with another archive than its checksums know, v1.2.5 whose checksums lack it, v1.2.6
// with a program that does not run, v1.2.7, which the server fails on, and v1.2.8, which is v1.2.3 with a signature.
func releases(t *testing.T) string {
	return releasesOf(t, "#!/bin/sh\necho crdlift v1.2.3\n${CRDLIFT_TOKEN:+echo the program has a token}\n")
}

// releasesOf serves the releases above with another program.
func releasesOf(t *testing.T, program string) string {
	good, bad := archive(t, program), archive(t, "#!/bin/sh\nexit 1\n")
	sum := func(text []byte) []byte {
		return fmt.Appendf(nil, "%x  crdlift_windows_arm64.tar.gz\n%x  crdlift_linux_amd64.tar.gz\n", sha256.Sum256(nil), sha256.Sum256(text))
	}
	const name = "/crdlift_linux_amd64.tar.gz"
	files := map[string][]byte{
		"/v1.2.3/checksums.txt": sum(good), "/v1.2.3" + name: good,
		"/v1.2.4/checksums.txt": sum(good), "/v1.2.4" + name: bad,
		"/v1.2.5/checksums.txt": []byte("\n"), "/v1.2.5" + name: good,
		"/v1.2.6/checksums.txt": sum(bad), "/v1.2.6" + name: bad,
		"/v1.2.8/checksums.txt": sum(good), "/v1.2.8" + name: good, "/v1.2.8/checksums.txt.sigstore.json": []byte("{}"),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		switch {
		case ok:
			w.Write(text)
		case strings.HasPrefix(r.URL.Path, "/v1.2.7/"):
			w.WriteHeader(http.StatusForbidden)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestInstall(t *testing.T) {
	needs(t, "bash", "curl", "tar")
	t.Parallel()
	base := releases(t)
	const installed, built = "build=false\n", "build=true\n"
	for _, c := range []struct {
		name         string
		version, ref string
		exit         int
		output, says string
	}{
		{"a release", "v1.2.3", "main", 0, installed, "crdlift v1.2.3"},
		{"the release of the action", "", "v1.2.3", 0, installed, "crdlift v1.2.3"},
		{"the action has no release", "", "v1.0.0", 0, built, ""},
		{"the server fails", "", "v1.2.7", 0, built, "::warning title=crdlift::crdlift v1.2.7: cannot download"},
		{"the action at a branch", "", "main", 0, built, ""},
		{"the action at a commit", "", strings.Repeat("0123456789", 4), 0, built, ""},
		{"a local action", "", "", 0, built, ""},
		{"from source", "source", "v1.2.3", 0, built, ""},
		{"no such release", "v9.9.9", "v1.2.3", 2, "", "::error title=crdlift::crdlift v9.9.9: there is no http"},
		{"the server fails for a release", "v1.2.7", "", 2, "", "cannot download"},
		{"another archive", "v1.2.4", "", 2, "", "the checksum of crdlift_linux_amd64.tar.gz"},
		{"another archive of the action", "", "v1.2.4", 2, "", "the checksum of crdlift_linux_amd64.tar.gz"},
		{"no checksum", "v1.2.5", "", 2, "", "lack crdlift_linux_amd64.tar.gz"},
		{"does not run", "v1.2.6", "", 2, "", "does not run here"},
		{"no version", "latest", "", 2, "", "version must be a release"},
		{"another path", "v1/../../x", "", 2, "", "version must be a release"},
		{"lines", "v1.2.3\npwned=1", "", 2, "", "version must be a release such as v1.2.3, or source; it is 'v1.2.3%0Apwned=1'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := run(t, "install.sh", t.TempDir(), "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
				"CRDLIFT_VERSION="+c.version, "CRDLIFT_ACTION_REF="+c.ref, "CRDLIFT_DOWNLOAD_BASE="+base+"/")
			got.want(t, c.exit, got.stdout+got.stderr, c.says)
			got.want(t, c.exit, got.output, c.output)
			if built := strings.Contains(got.output, "key=crdlift-Linux-X64-"); built != (c.output == "build=true\n") {
				t.Errorf("a key for the cache: %v", built)
			}
			if c.exit == 0 {
				got.want(t, c.exit, got.output, "/crdlift-results\n", "\nresults-key=crdlift-results-Linux-X64-")
			}
			if strings.Contains(got.output, "\npwned=") {
				t.Errorf("an output was set:\n%s", got)
			}
		})
	}
}

// TestInstallVerifies has programs called cosign and gh verify the release, and gives them what release.yml signs with.
func TestInstallVerifies(t *testing.T) {
	needs(t, "bash", "curl", "tar")
	t.Parallel()
	const identity = "https://github.com/crdlift/crdlift/.github/workflows/release.yml@refs/tags/"
	const cosign = "cosign verify-blob checksums.txt --bundle checksums.txt.sigstore.json --certificate-identity " + identity
	const gh = "gh attestation verify crdlift_linux_amd64.tar.gz --repo crdlift/crdlift --cert-identity " + identity
	base := releases(t)
	for _, c := range []struct {
		name, programs, version, verify, token string
		help                                   string // of cosign verify-blob
		fails                                  bool   // the programs
		exit                                   int
		says, not                              string
	}{
		{"cosign", "cosign gh", "v1.2.8", "", "t", "", false, 0, "cosign has verified the signature of crdlift v1.2.8", "gh attestation"},
		{"cosign 2", "cosign", "v1.2.8", "", "", "  --new-bundle-format", false, 0, "https://token.actions.githubusercontent.com --new-bundle-format\n", ""},
		{"cosign 3", "cosign", "v1.2.8", "", "", "", false, 0, "https://token.actions.githubusercontent.com\n", ""},
		{"cosign is asked for the tag", "cosign", "v1.2.8", "require", "", "", false, 0, cosign + "v1.2.8 --certificate-oidc-issuer https://token.actions.githubusercontent.com", ""},
		{"cosign and another signature", "cosign", "v1.2.8", "", "", "", true, 2, "the signature of crdlift v1.2.8 is not that of its release", "crdlift v1.2.3\n"},
		{"gh", "gh", "v1.2.8", "require", "t", "", false, 0, gh + "v1.2.8 with t", ""},
		{"gh and another attestation", "gh", "v1.2.8", "auto", "t", "", true, 2, "the signature of crdlift v1.2.8 is not that of its release", "crdlift v1.2.3\n"},
		{"gh where the signature is missing", "cosign gh", "v1.2.3", "", "t", "", false, 0, "gh has verified the signature of crdlift v1.2.3", "cosign verify-blob"},
		{"gh without a token", "gh", "v1.2.8", "", "", "", true, 0, "only the checksum of crdlift v1.2.8 is verified", "gh attestation"},
		{"gh without a token, required", "gh", "v1.2.8", "require", "", "", false, 2, "install cosign before this step, or set verify: auto", "crdlift v1.2.3\n"},
		{"nothing is asked", "cosign gh", "v1.2.8", "off", "t", "", true, 0, "crdlift v1.2.3", "verif"},
		{"another archive", "cosign", "v1.2.4", "require", "", "", false, 2, "the checksum of crdlift_linux_amd64.tar.gz", "cosign verify-blob"},
		{"no such value", "", "v1.2.8", "yes", "", "", false, 2, "verify must be auto, require or off; it is 'yes'", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			for _, name := range strings.Fields(c.programs) {
				script := fmt.Sprintf("#!/bin/sh\n[ \"$2\" != --help ] || { echo '%s'; exit; }\necho \"%s $*${GH_TOKEN:+ with $GH_TOKEN}\"\nexit %d\n", c.help, name, map[bool]int{true: 1}[c.fails])
				if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			got := run(t, "install.sh", t.TempDir(), "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "CRDLIFT_VERSION="+c.version,
				"CRDLIFT_DOWNLOAD_BASE="+base, "CRDLIFT_VERIFY="+c.verify, "CRDLIFT_TOKEN="+c.token, "PATH="+bin+":"+os.Getenv("PATH"))
			got.want(t, c.exit, got.stdout+got.stderr, c.says)
			if c.not != "" && strings.Contains(got.stdout+got.stderr, c.not) {
				t.Errorf("it says %q:\n%s", c.not, got)
			}
			if strings.Contains(got.stdout, "the program has a token") {
				t.Error("the program that is installed can read the token")
			}
		})
	}
}

// TestInstallElsewhere is on machines that no release is for.
func TestInstallElsewhere(t *testing.T) {
	needs(t, "bash", "curl", "tar")
	t.Parallel()
	got := run(t, "install.sh", t.TempDir(), "RUNNER_OS=Linux", "RUNNER_ARCH=ARM", "CRDLIFT_ACTION_REF=v1.2.3")
	got.want(t, 0, got.output, "build=true\n", "key=crdlift-Linux-ARM-")
	got = run(t, "install.sh", t.TempDir(), "RUNNER_OS=Linux", "RUNNER_ARCH=ARM", "CRDLIFT_VERSION=v1.2.3")
	got.want(t, 2, got.stderr, "there is no release for Linux on ARM")
}

// TestBuild builds the program from the files of the action.
func TestBuild(t *testing.T) {
	needs(t, "bash", "go")
	t.Parallel()
	name := "crdlift"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	program := filepath.Join(t.TempDir(), name)
	got := run(t, "build.sh", t.TempDir(), "CRDLIFT="+program, "GOFLAGS=-mod=nonsense")
	got.want(t, 0, got.stdout, "crdlift ", "k8s.io/apiextensions-apiserver v")
	// Releases are the same program. The field managers of server-side apply took 2 MB of it, and tests of CRDs one;
	// the API server took three, of which two are for clients that send built-in kinds as protocol buffers. What editors know of an
	// API took half of one, and objects on their way to another version with what is read of a cluster three quarters.
	const most = 60 << 20
	if info, err := os.Stat(program); err != nil || info.Size() > most {
		t.Errorf("the program has more than %d bytes: %v, %v", most, info, err)
	}
	if out, err := exec.Command(program, "explain").CombinedOutput(); err != nil {
		t.Error(err, string(out))
	}
}
