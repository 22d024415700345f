package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/plan"
)

const managedCRD = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "PLURAL.managed.example.com"}, "spec": {
  "group": "managed.example.com", "scope": "SCOPE", "names": {"kind": "KIND", "plural": "PLURAL"}, "versions": [VERSIONS]}}`

const managedVersion = `{"name": %q, "served": true, "storage": %v, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
  "a": {"type": "string"}, "b": {"type": "string"}, "m": {"type": "object", "additionalProperties": {"type": "string"}}}}}}}}`

// TestManagedFieldsRewritten runs the commands of a plan over objects that managers wrote at a version which is removed then, and lets
// the managers go on: applies succeed, and take away what a manager no longer has.
func TestManagedFieldsRewritten(t *testing.T) {
	for _, program := range []string{"jq", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	s := today(t)
	for _, scope := range []string{"Namespaced", "Cluster"} {
		t.Run(scope, func(t *testing.T) { rewriteManaged(t, s, scope) })
	}
}

func rewriteManaged(t *testing.T, s *server, scope string) {
	kind := "Managed" + strings.ToLower(scope)
	plural := strings.ToLower(kind) + "s"
	name := plural + ".managed.example.com"
	v1, v1beta1 := fmt.Sprintf(managedVersion, "v1", true), fmt.Sprintf(managedVersion, "v1beta1", false)
	manifest := func(versions string) []byte {
		return []byte(strings.NewReplacer("KIND", kind, "PLURAL", plural, "SCOPE", scope, "VERSIONS", versions).Replace(managedCRD))
	}
	must := func(a answer, err error) answer {
		t.Helper()
		if err != nil || !a.ok() {
			t.Fatalf("%s, %v", a.reason(), err)
		}
		return a
	}
	must(s.createCRD("v1", manifest(v1+","+v1beta1)))
	defer func() { _ = s.deleteCRD(name) }()
	stored, err := s.readCRD(name)
	if err != nil {
		t.Fatal(err)
	}
	r, reason, err := s.serve(stored)
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	defer func() { _ = r.forget() }()
	path := func(version, object string) string { return r.path(version, object, "") }
	apply := func(version, object, manager, spec string) (answer, error) {
		body := fmt.Sprintf(`{"apiVersion": "managed.example.com/%s", "kind": %q, "metadata": {"name": %q}, "spec": %s}`, version, kind, object, spec)
		return s.requestOf(http.MethodPatch, path(version, object)+"?fieldManager="+manager, "application/json", "application/apply-patch+yaml", []byte(body))
	}
	edit := func(version, object, manager, spec string) answer {
		return must(s.requestOf(http.MethodPatch, path(version, object)+"?fieldManager="+manager, "application/json", "application/merge-patch+json", []byte(`{"spec": `+spec+`}`)))
	}
	for _, object := range []string{"a", "b"} {
		must(apply("v1beta1", object, "flux", `{"a": "x", "m": {}}`))
		edit("v1beta1", object, "ctl", `{"m": {"k": "1"}}`)
		edit("v1", object, "ctl", `{"b": "2"}`)
	}
	must(apply("v1", "b", "argo", `{"b": "2"}`))

	patched := patchAll(t, s, r, name)
	if patched != 2 {
		t.Errorf("%d objects are patched, want 2", patched)
	}
	if again := patchAll(t, s, r, name); again != 0 {
		t.Errorf("%d objects are patched again", again)
	}
	crd := must(s.request(http.MethodGet, crdsOf("v1")+"/"+name, nil))
	o, err := crd.object()
	if err != nil {
		t.Fatal(err)
	}
	if versions := o["status"].(map[string]any)["storedVersions"]; fmt.Sprint(versions) != "[v1]" {
		t.Fatalf("objects are stored in %v", versions)
	}
	must(r.replace(manifest(v1), "Gone"))
	for _, object := range []string{"a", "b"} {
		must(apply("v1", object, "new", `{}`))
		o, err := must(apply("v1", object, "flux", `{"m": {}}`)).object()
		if err != nil {
			t.Fatal(err)
		}
		if spec, want := fmt.Sprint(o["spec"]), "map[b:2 m:map[k:1]]"; spec != want {
			t.Errorf("%s: there is %s when flux has left out a, want %s", object, spec, want)
		}
		if a, err := apply("v1", object, "new", `{"m": {"k": "3"}}`); err != nil || a.code != http.StatusConflict || !strings.Contains(a.reason(), "ctl") {
			t.Errorf("%s: what ctl has is taken by another: %s, %v", object, a.reason(), err)
		}
	}
}

// patchAll has the commands patch all objects, each as kubectl does, and returns how many there were.
func patchAll(t *testing.T, s *server, r *resources, name string) int {
	t.Helper()
	list, err := s.get("/apis/managed.example.com/v1/" + strings.TrimSuffix(name, ".managed.example.com"))
	if err != nil {
		t.Fatal(err)
	}
	commands := plan.RewriteManaged("cat", name, "managed.example.com/v1")
	commands[1] = strings.Replace(commands[1], " --output json --show-managed-fields", "", 1)
	commands[1] = strings.Replace(commands[1], "| sh", `| { echo 'kubectl() { cat; printf "\t%s\n" "$*"; }'; cat; } | sh`, 1)
	run := exec.Command("sh", "-c", strings.Join(commands, "\n"))
	run.Stdin = bytes.NewReader(list.body)
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		patch, command, _ := strings.Cut(line, "\t")
		words := strings.Fields(command)
		if words[0] != "patch" || words[1] != name || !json.Valid([]byte(patch)) || strings.Contains(command, "--namespace default") != (r.crd.Spec.Scope == "Namespaced") {
			t.Fatalf("the command is %q", command)
		}
		a, err := s.requestOf(http.MethodPatch, r.path("v1", words[2], "")+"?fieldManager=kubectl-patch", "application/json", "application/json-patch+json", []byte(patch))
		if err != nil || !a.ok() {
			t.Fatalf("%s: %s, %v", command, a.reason(), err)
		}
		n++
	}
	return n
}
