package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// run runs a script, and returns what it printed.
func (c *cluster) run(t *testing.T, script string, environment ...string) (printed string, ok bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script.sh")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if shellcheck, err := exec.LookPath("shellcheck"); err == nil {
		if out, err := exec.Command(shellcheck, file).CombinedOutput(); err != nil {
			t.Errorf("%s", out)
		}
	}
	sh := exec.Command("sh", file)
	sh.Env = append(append(os.Environ(), "HOME="+t.TempDir()), environment...)
	out, err := sh.CombinedOutput()
	return string(out), err == nil
}

// TestAuditCommands runs the printed script over objects that three managers wrote at two versions, and removes the version.
func TestAuditCommands(t *testing.T) {
	for _, program := range []string{"jq", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	n := 6
	if corpus.All() {
		n = 1000
	}
	c := newCluster(t, "moves.audit.example.com")
	gone := auditedText + `, "gone": {"type": "string"}`
	r := c.create(t, "Move", auditedVersion("v1", true, false, auditedText)+","+auditedVersion("v1beta1", true, true, gone), "")
	for i := range n {
		object := fmt.Sprint("o", i)
		c.mustApply(t, r, "v1beta1", object, "flux", `{"a": "x"}`)
		if i%3 == 0 { // the others have no entry of another version
			c.mustApply(t, r, "v1", object, "flux", `{"a": "x"}`)
		}
		for at, field := range map[string]string{"v1": "b", "v1beta1": "c"} {
			body := fmt.Sprintf(`{"spec": {%q: "x"}}`, field)
			if a, err := c.requestOf(http.MethodPatch, r.path(at, object, "")+"?fieldManager=ctl", "application/json", "application/merge-patch+json", []byte(body)); i%3 != 0 && (err != nil || !a.ok()) {
				t.Fatal(a.reason(), err)
			}
		}
		c.mustApply(t, r, "v1", object, "argo", `{"b": "y"}`)
	}
	c.mustApply(t, r, "v1beta1", "old", "legacy", `{"gone": "x"}`)
	before := c.ownership(t, r)
	c.write(t, "Move", auditedVersion("v1", true, true, auditedText)+","+auditedVersion("v1beta1", true, false, gone), "")
	if err := wait("storing v1", func() (bool, error) {
		crd, err := c.readCRD(r.crd.Name)
		return err == nil && len(crd.Status.StoredVersions) == 2, err
	}); err != nil {
		t.Fatal(err)
	}

	script, notes, code := c.audit(t, "", "--commands")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, notes)
	}
	if out, ok := c.run(t, script); ok || !strings.Contains(out, "  ctl (Update, moves.audit.example.com/v1beta1): ") || !strings.Contains(out, "QUIET=0") {
		t.Errorf("managers have just written the old version: %v\n%s", ok, out)
	}
	out, ok := c.run(t, script, "QUIET=0")
	if !ok || !strings.Contains(out, "moves.moves.audit.example.com: done") || !strings.Contains(out, "old --namespace default (legacy)") {
		t.Fatalf("the script fails:\n%s", out)
	}
	if out, ok := c.run(t, script); !ok {
		t.Errorf("the script fails the second time:\n%s", out)
	}
	after := c.ownership(t, r)
	delete(before["old"], "legacy")
	for object, managers := range before {
		for manager, set := range managers {
			set = set.Difference(fieldpath.NewSet(fieldpath.MakePathOrDie("spec", "gone")))
			if now := after[object][manager]; now == nil || !now.Equals(set) {
				t.Errorf("%s: %s has\n%v\nwant\n%v", object, manager, now, set)
			}
		}
		if len(after[object]) != len(managers) {
			t.Errorf("%s has the managers %v", object, after[object])
		}
		stored, err := r.stored(object)
		if err != nil || stored["apiVersion"] != "moves.audit.example.com/v1" {
			t.Errorf("%s is stored as %v, %v", object, stored["apiVersion"], err)
		}
	}
	crd, err := c.readCRD(r.crd.Name)
	if err != nil || fmt.Sprint(crd.Status.StoredVersions) != "[v1]" {
		t.Fatalf("stored in %v, %v", crd.Status.StoredVersions, err)
	}
	c.write(t, "Move", auditedVersion("v1", true, true, auditedText), "")
	if err := wait("no v1beta1", func() (bool, error) {
		a, err := c.request(http.MethodGet, r.path("v1beta1", "", ""), nil)
		return a.code == http.StatusNotFound, err
	}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		object := fmt.Sprint("o", i)
		c.mustApply(t, r, "v1", object, "flux", `{"a": "x"}`)
		c.mustApply(t, r, "v1", object, "argo", `{"b": "y"}`)
		c.mustApply(t, r, "v1", object, "ctl", `{"c": "x"}`)
	}
	if script, _, _ := c.audit(t, "", "--commands"); !strings.HasSuffix(script, "There is nothing to do.\n") {
		t.Errorf("there is more to do:\n%s", script)
	}
}

// ownership are the fields of each manager, whatever the version and operation, of each object.
func (c *cluster) ownership(t *testing.T, r *resources) map[string]map[string]*fieldpath.Set {
	t.Helper()
	all := map[string]map[string]*fieldpath.Set{}
	a, err := c.get(r.path("v1", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Items []metav1.PartialObjectMetadata
	}
	if err := json.Unmarshal(a.body, &list); err != nil {
		t.Fatal(err)
	}
	for _, o := range list.Items {
		managers := map[string]*fieldpath.Set{}
		for _, e := range o.ManagedFields {
			set := fieldpath.NewSet()
			if err := set.FromJSON(bytes.NewReader(e.FieldsV1.Raw)); err != nil {
				t.Fatal(err)
			}
			if was := managers[e.Manager]; was != nil {
				set = set.Union(was)
			}
			managers[e.Manager] = set
		}
		all[o.Name] = managers
	}
	return all
}

// TestAuditCommandsLeft has the server reject an object, and another be changed while the script runs.
func TestAuditCommandsLeft(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	c := newCluster(t, "left.audit.example.com")
	two := auditedVersion("v1", true, true, auditedText) + "," + auditedVersion("v1beta1", true, false, auditedText)
	r := c.create(t, "Left", two, "")
	for _, object := range []string{"changed", "gone", "good", "refused"} {
		c.mustApply(t, r, "v1beta1", object, "flux", fmt.Sprintf(`{"a": %q}`, object))
	}
	rule := func(v string) string {
		return strings.Replace(v, `{"type": "object", "properties": {"spec"`, `{"type": "object", "x-kubernetes-validations": [{"rule": "self.spec.a != 'refused'"}], "properties": {"spec"`, 1)
	}
	c.write(t, "Left", rule(auditedVersion("v1", true, true, auditedText))+","+rule(auditedVersion("v1beta1", true, false, auditedText)), "")
	if err := wait("refusing", func() (bool, error) {
		a, err := c.apply(r, "v1", "new", "flux", `{"a": "refused"}`)
		return err == nil && !a.ok(), err
	}); err != nil {
		t.Fatal(err)
	}
	_, _ = c.request(http.MethodDelete, r.path("v1", "new", ""), nil)
	script, notes, _ := c.audit(t, "", "--commands")
	if !strings.Contains(script, "Fix or delete them first:\n#   default/refused\n#") {
		t.Errorf("the script does not name the rejected object\n%s%s", script[strings.LastIndex(script, "\n# lefts"):], notes)
	}
	// What happens between the first read and the writes: one object changes, and one goes.
	change := fmt.Sprintf("\n  kube delete lefts.v1.%[1]s gone >/dev/null; kube label lefts.v1.%[1]s changed x=y >/dev/null\n  # 2\n", c.group)
	out, ok := c.run(t, strings.Replace(script, "\n  # 2\n", change, 1), "QUIET=0")
	if ok || !strings.Contains(out, "these objects are left; fix them, and run this again:\n  refused --namespace default: ") || !strings.Contains(out, "not done: lefts.") {
		t.Errorf("the script says %v\n%s", ok, out)
	}
	for _, object := range []string{"changed", "good"} {
		if a, err := c.get(r.path("v1", object, "")); err != nil || bytes.Contains(a.body, []byte("v1beta1")) || strings.Contains(out, object+" --namespace") {
			t.Errorf("%s is left: %v\n%s\n%s", object, err, a.body, out)
		}
	}
	if strings.Contains(out, "gone --namespace") {
		t.Errorf("an object that is gone is told\n%s", out)
	}
}
