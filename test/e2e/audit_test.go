package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A cluster is today's server behind a stand-in for the others of a cluster: it says which groups there are, and has services, endpoint
// slices and storage migrations.
type cluster struct {
	*server
	group      string
	kubectl    string
	kubeconfig string
	others     map[string]string // answers by their paths; 404 for others in these groups
	hangs      string            // a part of the paths that are never answered
}

// newCluster has CRDs of a group of its own, with the versions v1 and v1beta1.
func newCluster(t *testing.T, group string) *cluster {
	t.Helper()
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		kubectl = buildClient(t, "kubectl037")
	}
	c := &cluster{server: today(t), group: group, kubectl: kubectl, others: map[string]string{}}
	backend, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	groups := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{
		{Name: "apiextensions.k8s.io", Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "apiextensions.k8s.io/v1", Version: "v1"}}},
		{Name: group, Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: group + "/v1", Version: "v1"}, {GroupVersion: group + "/v1beta1", Version: "v1beta1"}}},
	}}
	list, err := json.Marshal(groups)
	if err != nil {
		t.Fatal(err)
	}
	c.others["/api"], c.others["/apis"] = `{"kind":"APIVersions","apiVersion":"v1","versions":[]}`, string(list)
	proxy := &httputil.ReverseProxy{Transport: c.client.Transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(backend)
		r.Out.Header.Set("Authorization", "Bearer "+c.Token)
	}}
	stand := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		other, known := c.others[r.URL.Path]
		switch {
		case c.hangs != "" && strings.Contains(r.URL.Path, c.hangs):
			<-r.Context().Done()
		case known:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, other)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(stand.Close)
	c.kubeconfig = filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(c.kubeconfig, kubeconfig(stand.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// create creates a CRD, and deletes it with its objects at the end of the test.
func (c *cluster) create(t *testing.T, kind, versions, more string) *resources {
	t.Helper()
	crd := c.write(t, kind, versions, more)
	stored, err := c.readCRD(crd)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := c.serve(stored)
	if err != nil {
		t.Fatal(err)
	}
	if r == nil { // with a webhook that nobody asks, or names that are taken
		r = &resources{server: c.server, crd: stored, version: "v1", storage: "v1"}
	}
	t.Cleanup(func() {
		_ = r.forget()
		if err := c.deleteCRD(crd); err != nil {
			t.Error(err)
		}
	})
	return r
}

// write writes a CRD anew, and returns its name. More is for its spec.
func (c *cluster) write(t *testing.T, kind, versions, more string) string {
	t.Helper()
	plural := strings.ToLower(kind) + "s"
	name := plural + "." + c.group
	spec := fmt.Sprintf(`{"group": %q, "scope": "Namespaced", "names": {"kind": %q, "plural": %q}, "versions": [%s]%s}`, c.group, kind, plural, versions, more)
	body := fmt.Sprintf(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": %q}, "spec": %s}`, name, spec)
	a, err := c.createCRD("v1", []byte(body))
	if err == nil && a.code == http.StatusConflict {
		a, err = c.requestOf(http.MethodPatch, crdsOf("v1")+"/"+name, "application/json", "application/merge-patch+json", []byte(`{"spec": `+spec+`}`))
	}
	if err != nil || !a.ok() {
		t.Fatal(a.reason(), err)
	}
	return name
}

// apply applies an object at a version, as a manager, with force.
func (c *cluster) apply(r *resources, version, object, manager, spec string) (answer, error) {
	body := fmt.Sprintf(`{"apiVersion": "%s/%s", "kind": %q, "metadata": {"name": %q}, "spec": %s}`, c.group, version, r.crd.Spec.Names.Kind, object, spec)
	return c.requestOf(http.MethodPatch, r.path(version, object, "")+"?force=true&fieldManager="+manager, "application/json", "application/apply-patch+yaml", []byte(body))
}

func (c *cluster) mustApply(t *testing.T, r *resources, version, object, manager, spec string) {
	t.Helper()
	if a, err := c.apply(r, version, object, manager, spec); err != nil || !a.ok() {
		t.Fatalf("%s applies %s at %s: %s, %v", manager, object, version, a.reason(), err)
	}
}

// audit runs crdlift on the group, with the flags, and by kubectl where there is no input.
func (c *cluster) audit(t *testing.T, input string, flags ...string) (stdout, stderr string, code int) {
	t.Helper()
	args := append([]string{"audit", "--groups", c.group}, flags...)
	if input == "" {
		args = append(args, "--kubectl", "--", c.kubectl, "--kubeconfig", c.kubeconfig)
	} else {
		args = append(args, "-")
	}
	program, err := buildCrdlift()
	if err != nil {
		t.Fatal(err, program)
	}
	var out, complaint strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = t.TempDir(), strings.NewReader(input), &out, &complaint
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir)
	_ = cmd.Run()
	return out.String(), complaint.String(), cmd.ProcessState.ExitCode()
}

// auditedVersion is a version of a CRD for create, with the properties of spec as JSON.
func auditedVersion(name string, served, storage bool, properties string) string {
	return fmt.Sprintf(`{"name": %q, "served": %v, "storage": %v, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {%s}}}}}}`,
		name, served, storage, properties)
}

const auditedText = `"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}`

// rulesOf are the rules of the findings of a JSON report, each once.
func rulesOf(t *testing.T, report string) (ids []string) {
	t.Helper()
	var decoded struct {
		Findings []struct{ Rule string }
	}
	if err := json.Unmarshal([]byte(report), &decoded); err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	for _, f := range decoded.Findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestAuditClean reads a cluster of 30 CRDs in which nothing is wrong.
func TestAuditClean(t *testing.T) {
	c := newCluster(t, "clean.audit.example.com")
	for i := range 30 {
		r := c.create(t, fmt.Sprint("Clean", i, "x"), auditedVersion("v1", true, true, auditedText)+map[bool]string{true: "," + auditedVersion("v1beta1", true, false, auditedText)}[i%2 == 0], "")
		for _, object := range []string{"one", "two"} {
			c.mustApply(t, r, "v1", object, "flux", `{"a": "x"}`)
		}
	}
	out, notes, code := c.audit(t, "")
	if code != 0 || strings.Contains(out, "error") || strings.Contains(out, "warning") || !strings.Contains(notes, "looked at 30 CRDs and 60 objects") {
		t.Errorf("a clean cluster: exit %d\n%s%s", code, out, notes)
	}
	if script, _, code := c.audit(t, "", "--commands"); code != 0 || !strings.HasSuffix(script, "There is nothing to do.\n") {
		t.Errorf("exit %d\n%s", code, script)
	}
}

// TestAuditFaults puts one fault after another into a cluster, and wants its rule and none else.
func TestAuditFaults(t *testing.T) {
	const services, slicesAt = "/api/v1/namespaces/prod/services/hook", "/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices"
	const migrations = "/apis/storagemigration.k8s.io"
	service := `{"apiVersion":"v1","kind":"Service","metadata":{"name":"hook","namespace":"prod"},"spec":{"ports":[{"port":443}]}}`
	endpoints := func(ready bool) string {
		return fmt.Sprintf(`{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSliceList","metadata":{},"items":[{"metadata":{"name":"hook-1","namespace":"prod",`+
			`"labels":{"kubernetes.io/service-name":"hook"}},"endpoints":[{"addresses":["192.0.2.1"],"conditions":{"ready":%v}}]}]}`, ready)
	}
	both := auditedVersion("v1", true, true, auditedText) + "," + auditedVersion("v1beta1", true, false, auditedText)
	hook := func(port int) string {
		return fmt.Sprintf(`, "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {`+
			`"service": {"namespace": "prod", "name": "hook", "port": %d}, "caBundle": %q}}}`, port, base64.StdEncoding.EncodeToString(startHook(t).ca))
	}
	plain := func(c *cluster, t *testing.T) *resources { return c.create(t, "Fault", both, "") }
	for _, test := range []struct {
		rule string
		name string
		make func(*cluster, *testing.T)
	}{
		{"crd-condition", "names that are taken", func(c *cluster, t *testing.T) {
			c.create(t, "Fault", both, "")
			c.create(t, "Faulty", both, "")
			a, err := c.requestOf(http.MethodPatch, crdsOf("v1")+"/faultys."+c.group, "application/json", "application/merge-patch+json", []byte(`{"spec": {"names": {"shortNames": ["faults"]}}}`))
			if err != nil || !a.ok() {
				t.Fatal(a.reason(), err)
			}
			if err := wait("refusing the name", func() (bool, error) {
				crd, err := c.readCRD("faultys." + c.group)
				return err == nil && refusedNames(crd) != "", err
			}); err != nil {
				t.Fatal(err)
			}
		}},
		{"managed-fields-gone", "a version that managedFields have is gone", func(c *cluster, t *testing.T) {
			r := plain(c, t)
			c.mustApply(t, r, "v1beta1", "one", "flux", `{"a": "x"}`)
			c.write(t, "Fault", auditedVersion("v1", true, true, auditedText), "")
		}},
		{"managed-fields-old", "a version that managedFields have is not served", func(c *cluster, t *testing.T) {
			r := plain(c, t)
			c.mustApply(t, r, "v1beta1", "one", "flux", `{"a": "x"}`)
			c.write(t, "Fault", auditedVersion("v1", true, true, auditedText)+","+auditedVersion("v1beta1", false, false, auditedText), "")
		}},
		{"webhook-unreachable", "no service", func(c *cluster, t *testing.T) { c.create(t, "Fault", both, hook(443)) }},
		{"webhook-unreachable", "no endpoint", func(c *cluster, t *testing.T) {
			c.others[services], c.others[slicesAt] = service, `{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSliceList","items":[]}`
			c.create(t, "Fault", both, hook(443))
		}},
		{"webhook-unreachable", "no endpoint is ready", func(c *cluster, t *testing.T) {
			c.others[services], c.others[slicesAt] = service, endpoints(false)
			c.create(t, "Fault", both, hook(443))
		}},
		{"webhook-unreachable", "another port", func(c *cluster, t *testing.T) {
			c.others[services], c.others[slicesAt] = service, endpoints(true)
			c.create(t, "Fault", both, hook(8443))
		}},
		{"", "a webhook that is there", func(c *cluster, t *testing.T) {
			c.others[services], c.others[slicesAt] = service, endpoints(true)
			c.create(t, "Fault", both, hook(443))
		}},
		{"migration-failed", "a migration that failed", func(c *cluster, t *testing.T) {
			plain(c, t)
			c.others[migrations] = `{"kind":"APIGroup","apiVersion":"v1","name":"storagemigration.k8s.io","preferredVersion":{"groupVersion":"storagemigration.k8s.io/v1beta1","version":"v1beta1"}}`
			c.others[migrations+"/v1beta1/storageversionmigrations"] = fmt.Sprintf(`{"apiVersion":"storagemigration.k8s.io/v1beta1","kind":"StorageVersionMigrationList","items":[{"metadata":{"name":"m"},`+
				`"spec":{"resource":{"group":%q,"resource":"faults"}},"status":{"conditions":[{"type":"Failed","status":"True","reason":"NoReason"}]}}]}`, c.group)
		}},
		{"storage-migration", "another version may be stored", func(c *cluster, t *testing.T) {
			r := c.create(t, "Fault", auditedVersion("v1", true, false, auditedText)+","+auditedVersion("v1beta1", true, true, auditedText), "")
			c.mustApply(t, r, "v1", "one", "flux", `{"a": "x"}`)
			c.write(t, "Fault", both, "")
			if err := wait("storing v1", func() (bool, error) {
				crd, err := c.readCRD("faults." + c.group)
				return err == nil && len(crd.Status.StoredVersions) == 2, err
			}); err != nil {
				t.Fatal(err)
			}
		}},
		{"object-stuck", "an object that is refused and cannot go", func(c *cluster, t *testing.T) {
			r := plain(c, t)
			c.mustApply(t, r, "v1", "one", "flux", `{"a": "x"}`)
			if a, err := c.requestOf(http.MethodPatch, r.path("v1", "one", ""), "application/json", "application/merge-patch+json", []byte(`{"metadata": {"finalizers": ["example.com/held"]}}`)); err != nil || !a.ok() {
				t.Fatal(a.reason(), err)
			}
			if a, err := c.request(http.MethodDelete, r.path("v1", "one", ""), nil); err != nil || !a.ok() {
				t.Fatal(a.reason(), err)
			}
			rule := `{"type": "object", "x-kubernetes-validations": [{"rule": "self.spec.a != 'x'"}], "properties": {"spec": {"type": "object", "properties": {` + auditedText + `}}}}`
			c.write(t, "Fault", fmt.Sprintf(`{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": %s}}`, rule), "")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCluster(t, "faults.audit.example.com")
			test.make(c, t)
			out, notes, _ := c.audit(t, "", "--output", "json")
			found := strings.Join(slices.DeleteFunc(rulesOf(t, out), func(id string) bool { return id == "version-writers" }), " ")
			if found != test.rule {
				t.Errorf("the rules are %q, want %q\n%s%s", found, test.rule, out, notes)
			}
			if len(c.others) == 2 && !strings.HasPrefix(test.rule, "crd") && !strings.HasPrefix(test.rule, "webhook") { // all of it is in CRDs and objects
				pasted, _, _ := c.audit(t, c.pasted(t, "faults."+c.group), "--output", "json")
				if ids := rulesOf(t, pasted); !slices.Equal(ids, rulesOf(t, out)) {
					t.Errorf("what kubectl prints gives %q", ids)
				}
			}
			dump, _, _ := c.audit(t, "", "--dump")
			if again, _, _ := c.audit(t, dump, "--output", "json"); again != out {
				t.Errorf("the dump gives\n%s\nwant\n%s", again, out)
			}
		})
	}
}

// TestAuditHangs has one kind never answer.
func TestAuditHangs(t *testing.T) {
	c := newCluster(t, "hangs.audit.example.com")
	c.create(t, "Slow", auditedVersion("v1", true, true, auditedText), "")
	c.mustApply(t, c.create(t, "Quick", auditedVersion("v1", true, true, auditedText), ""), "v1", "one", "flux", `{"a": "x"}`)
	c.hangs = "/slows"
	begun := time.Now()
	_, notes, code := c.audit(t, "", "--timeout", "2s")
	if !strings.Contains(notes, "not read: slows.hangs.audit.example.com: there was no answer within 2s") || !strings.Contains(notes, "2 CRDs and 1 object") || code != 0 {
		t.Errorf("exit %d\n%s", code, notes)
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// pasted is what a user puts together without crdlift.
func (c *cluster) pasted(t *testing.T, kinds ...string) (dump string) {
	t.Helper()
	for _, args := range [][]string{{"crd"}, {strings.Join(kinds, ","), "--all-namespaces"}} {
		get := exec.Command(c.kubectl, append([]string{"--kubeconfig", c.kubeconfig, "get", "--output", "yaml", "--show-managed-fields"}, args...)...)
		get.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, err := get.Output()
		if err != nil {
			t.Fatal(err)
		}
		dump += "---\n" + string(out)
	}
	return dump
}
