package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A journey is a git repository with a CRD and manifests, beside a cluster that has them.
type journey struct {
	*cluster
	t       *testing.T
	dir     string
	program string // crdlift
	page    string // docs/guides/compare.md
}

// TestJourney goes the way of docs/guides/compare.md, from a new version to the old one removed: two managers have written objects at the old
// version, which is the storage version.
func TestJourney(t *testing.T) {
	for _, program := range []string{"git", "jq", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	const name = "volumes.journey.example.com"
	j := &journey{cluster: newCluster(t, "journey.example.com"), t: t, dir: t.TempDir()}
	var err error
	if j.program, err = buildCrdlift(); err != nil {
		t.Fatal(err, j.program)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "compare.md"))
	if err != nil {
		t.Fatal(err)
	}
	j.page = string(page)
	t.Cleanup(func() { _ = j.deleteCRD(name) })

	// There is one version, stored and applied.
	j.crd(journeyVersion("v1beta1", true))
	j.save("config/samples/volume.yaml", journeyManifest("sample"))
	j.save("deploy/volumes.yaml", journeyManifest("a")+"---\n"+journeyManifest("b"))
	j.git("init", "-q", "-b", "main")
	j.commit("v1.0.0")
	j.deploy()
	j.sync("deploy/volumes.yaml")
	for _, object := range []string{"a", "b"} {
		j.kube("patch", name, object, "--type=merge", "--field-manager=resizer", "-p", `{"spec":{"class":"fast"}}`)
	}

	// v1 comes, and is served. This breaks nobody.
	j.crd(journeyVersion("v1", false) + journeyVersion("v1beta1", true))
	if out, code := j.crdlift("breaking", "--against", "v1.0.0", "config/crd"); code != 0 {
		t.Errorf("a new version breaks something, exit %d:\n%s", code, out)
	}
	j.commit("v1.1.0")
	j.deploy()

	// v1 is the storage version one release later.
	j.crd(journeyVersion("v1", true) + journeyVersion("v1beta1", false))
	j.commit("v1.2.0")
	j.deploy()

	// The manifests follow.
	if out, code := j.crdlift("migrate", "--to", "v1", "--check", "config/samples", "deploy"); code != 1 || !strings.Contains(out, "deploy/volumes.yaml\n") {
		t.Errorf("nothing is to be carried, exit %d:\n%s", code, out)
	}
	if out, code := j.crdlift("migrate", "--to", "v1", "--write", "config/samples", "deploy"); code != 0 || !strings.Contains(out, "3 objects migrated in 2 files") {
		t.Errorf("manifests are not carried, exit %d:\n%s", code, out)
	}
	for file, objects := range map[string]string{"config/samples/volume.yaml": journeyManifest("sample"), "deploy/volumes.yaml": journeyManifest("a") + "---\n" + journeyManifest("b")} {
		if now, want := j.read(file), strings.ReplaceAll(objects, "/v1beta1", "/v1"); now != want {
			t.Errorf("%s is\n%s\nwant\n%s", file, now, want)
		}
	}
	if out, code := j.crdlift("migrate", "--to", "v1", "--check", "config/samples", "deploy"); code != 0 {
		t.Errorf("something is left, exit %d:\n%s", code, out)
	}
	j.commit("v1.2.1")
	j.sync("deploy/volumes.yaml")

	// The cluster still knows the old version.
	report, _, _ := j.audit(t, "", "-o", "json")
	for _, rule := range []string{"storage-migration", "version-writers"} {
		if found := rulesOf(t, report); !strings.Contains(fmt.Sprint(found), rule) {
			t.Errorf("the audit finds %v, without %s", found, rule)
		}
	}
	j.crd(journeyVersion("v1", true))
	if out, ok := j.try(j.kubectl, "--kubeconfig", j.kubeconfig, "apply", "--server-side", "--validate=false", "-f", "config/crd"); ok || !strings.Contains(out, "status.storedVersions") {
		t.Errorf("the server lets a version go that objects are stored in: %v\n%s", ok, out)
	}
	script, _, code := j.audit(t, "", "--commands")
	if out, ok := j.run(t, script); code != 0 || ok || !strings.Contains(out, "  resizer (Update, journey.example.com/v1beta1): ") {
		t.Errorf("the resizer has just written the old version: exit %d, %v\n%s", code, ok, out)
	}
	if out, ok := j.run(t, script, "QUIET=0"); !ok || !strings.Contains(out, name+": done") {
		t.Fatalf("the script fails:\n%s", out)
	}

	// v1beta1 goes: the manifest is there already.
	plan, _ := j.crdlift("plan", "v1.2.1", "config/crd")
	for _, command := range []string{"crdlift migrate --to journey.example.com/v1 --diff .\n", "crdlift audit --groups journey.example.com --commands --kubectl > move.sh\n"} {
		if !strings.Contains(plan, command) {
			t.Errorf("the plan does not have %s\n%s", command, plan)
		}
	}
	if out, code := j.crdlift("breaking", "--against", "v1.2.1", "config/crd"); code != 1 || !strings.Contains(out, "[version-removed]") {
		t.Errorf("breaking does not tell users of v1beta1, exit %d:\n%s", code, out)
	}
	j.commit("v2.0.0")
	j.deploy()
	if err := wait("no v1beta1", func() (bool, error) {
		a, err := j.request(http.MethodGet, "/apis/journey.example.com/v1beta1/volumes", nil)
		return a.code == http.StatusNotFound, err
	}); err != nil {
		t.Fatal(err)
	}

	// Everybody goes on.
	j.save("deploy/volumes.yaml", strings.ReplaceAll(j.read("deploy/volumes.yaml"), "  size: 10Gi # of all replicas\n", "  size: 20Gi # of all replicas\n"))
	j.sync("deploy/volumes.yaml")
	for _, object := range []string{"a", "b"} {
		if spec := j.kube("get", name, object, "-o", "jsonpath={.spec.size} {.spec.class}"); !strings.HasSuffix(spec, "20Gi fast") { // after a complaint that v1beta1 is gone
			t.Errorf("%s has %q", object, spec)
		}
	}
	out, notes, code := j.audit(t, "")
	if code != 0 || strings.Contains(out, "error") || strings.Contains(out, "warning") {
		t.Errorf("the audit is not clean: exit %d\n%s%s", code, out, notes)
	}
	if script, _, _ := j.audit(t, "", "--commands"); !strings.HasSuffix(script, "There is nothing to do.\n") {
		t.Errorf("there is more to do:\n%s", script)
	}
}

// journeyVersion is a version of the CRD, as YAML; v1beta1 is deprecated as soon as it is not stored.
func journeyVersion(name string, storage bool) string {
	return fmt.Sprintf(`  - name: %s
    served: true
    storage: %v
    deprecated: %v
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: string, maxLength: 20}
              class: {type: string, maxLength: 20}
`, name, storage, name == "v1beta1" && !storage)
}

// journeyManifest is an object as users write it.
func journeyManifest(name string) string {
	return "# " + name + " is for tests.\napiVersion: journey.example.com/v1beta1\nkind: Volume\nmetadata:\n  name: " + name +
		"\n  namespace: default\nspec:\n  size: 10Gi # of all replicas\n"
}

// crd writes the manifest of the CRD.
func (j *journey) crd(versions string) {
	j.save("config/crd/volumes.yaml", `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: volumes.journey.example.com
spec:
  group: journey.example.com
  names: {kind: Volume, listKind: VolumeList, plural: volumes, singular: volume}
  scope: Namespaced
  versions:
`+versions)
}

func (j *journey) save(file, text string) {
	j.t.Helper()
	path := filepath.Join(j.dir, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		j.t.Fatal(err)
	}
}

func (j *journey) read(file string) string {
	j.t.Helper()
	text, err := os.ReadFile(filepath.Join(j.dir, file))
	if err != nil {
		j.t.Fatal(err)
	}
	return string(text)
}

// try runs a program in the repository, without a cache or settings of the user.
func (j *journey) try(program string, args ...string) (printed string, ok bool) {
	j.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), "HOME="+j.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func (j *journey) must(program string, args ...string) string {
	j.t.Helper()
	out, ok := j.try(program, args...)
	if !ok {
		j.t.Fatalf("%s %q fails:\n%s", filepath.Base(program), args, out)
	}
	return out
}

func (j *journey) git(args ...string) string {
	j.t.Helper()
	return j.must("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
}

// commit commits all files, and tags them as a release.
func (j *journey) commit(release string) {
	j.t.Helper()
	j.git("add", ".")
	j.git("commit", "-q", "-m", release)
	j.git("tag", release)
}

func (j *journey) kube(args ...string) string {
	j.t.Helper()
	return j.must(j.kubectl, append([]string{"--kubeconfig", j.kubeconfig, "--namespace", "default"}, args...)...)
}

// sync applies files as the repository's manager does. It has no force.
func (j *journey) sync(file string) {
	j.t.Helper()
	j.kube("apply", "--server-side", "--validate=false", "--field-manager=gitops", "-f", file)
}

// deploy applies the CRD, and waits until the server has all of its versions.
func (j *journey) deploy() {
	j.t.Helper()
	j.kube("apply", "--server-side", "--validate=false", "-f", "config/crd")
	j.kube("wait", "--for=condition=Established", "customresourcedefinition/volumes.journey.example.com", "--timeout=60s")
	crd, err := j.readCRD("volumes.journey.example.com")
	if err != nil {
		j.t.Fatal(err)
	}
	for _, v := range crd.Spec.Versions {
		path := "/apis/journey.example.com/" + v.Name + "/volumes"
		if err := wait(path, func() (bool, error) {
			a, err := j.request(http.MethodGet, path, nil)
			return a.ok(), err
		}); err != nil {
			j.t.Fatal(err)
		}
	}
}

// crdlift returns all that it printed, and the exit code. The page has each command.
func (j *journey) crdlift(args ...string) (printed string, code int) {
	j.t.Helper()
	if command := "crdlift " + strings.Join(args, " "); !strings.Contains(j.page, command) {
		j.t.Errorf("docs/guides/compare.md does not have %s", command)
	}
	cmd := exec.Command(j.program, args...)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), "HOME="+j.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	return out.String(), cmd.ProcessState.ExitCode()
}
