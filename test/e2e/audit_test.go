package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
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

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdlift/crdlift/internal/testing/corpus"
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
	name, body := strings.ToLower(kind)+"s."+c.group, c.manifest(kind, versions, more)
	a, err := c.createCRD("v1", body)
	if err == nil && a.code == http.StatusConflict {
		a, err = c.requestOf(http.MethodPatch, crdsOf("v1")+"/"+name, "application/json", "application/merge-patch+json", body)
	}
	if err != nil || !a.ok() {
		t.Fatal(a.reason(), err)
	}
	return name
}

// manifest is a CRD of the group.
func (c *cluster) manifest(kind, versions, more string) []byte {
	plural := strings.ToLower(kind) + "s"
	return fmt.Appendf(nil, `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "%s.%s"}, `+
		`"spec": {"group": %[2]q, "scope": "Namespaced", "names": {"kind": %q, "plural": %[1]q}, "versions": [%[4]s]%[5]s}}`, plural, c.group, kind, versions, more)
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
	if code != 0 || strings.Contains(out, "error") || strings.Contains(out, "warning") || !strings.Contains(notes, "checked 30 CRDs and 60 objects") {
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
	const url = `, "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com"%s}}}`
	called := func(ca string) string {
		if ca == "" {
			before, _, _ := strings.Cut(hook(443), `, "caBundle"`)
			return before + "}}}"
		}
		return fmt.Sprintf(url, fmt.Sprintf(`, "caBundle": %q`, base64.StdEncoding.EncodeToString([]byte(ca))))
	}
	refusing := `{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-validations": [{"rule": "self.spec.a != 'x'"}], ` +
		`"properties": {"spec": {"type": "object", "properties": {` + auditedText + `}}}}}}`
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
			if err := wait("rejecting the name", func() (bool, error) {
				crd, err := c.readCRD("faultys." + c.group)
				return err == nil && refusedNames(crd) != "", err
			}); err != nil {
				t.Fatal(err)
			}
		}},
		{"crd-condition object-stuck", "a CRD that cannot go, as an object is rejected", func(c *cluster, t *testing.T) {
			r := plain(c, t)
			c.hold(t, r)
			c.write(t, "Fault", refusing, "")
			c.goes(t, "faults")
		}},
		{"crd-condition", "a CRD that waits for a finalizer", func(c *cluster, t *testing.T) {
			c.hold(t, plain(c, t))
			c.goes(t, "faults")
		}},
		{"webhook-ca", "no authority", func(c *cluster, t *testing.T) {
			c.others[services], c.others[slicesAt] = service, endpoints(true)
			c.create(t, "Fault", both, called(""))
		}},
		{"owner-version", "an owner at a version that is gone", func(c *cluster, t *testing.T) {
			r := plain(c, t)
			c.mustApply(t, r, "v1", "one", "flux", `{"a": "x"}`)
			c.patch(t, r, fmt.Sprintf(`{"metadata": {"ownerReferences": [{"apiVersion": "%s/v1alpha1", "kind": "Fault", "name": "two", "uid": "7"}]}}`, c.group))
		}},
		{"webhook-ca", "an authority that has expired", func(c *cluster, t *testing.T) {
			c.create(t, "Fault", both, called(authority(t, -time.Hour)))
		}},
		{"webhook-ca", "an authority that expires soon", func(c *cluster, t *testing.T) {
			c.create(t, "Fault", both, called(authority(t, 29*24*time.Hour)))
		}},
		{"", "an authority that expires later", func(c *cluster, t *testing.T) {
			c.create(t, "Fault", both, called(authority(t, 31*24*time.Hour)))
		}},
		{"object-rule", "an object that a rule of the CRD rejects", func(c *cluster, t *testing.T) {
			c.mustApply(t, plain(c, t), "v1", "one", "flux", `{"a": "x"}`)
			c.write(t, "Fault", refusing, "")
		}},
		{"object-constraint", "an object beyond a bound", func(c *cluster, t *testing.T) {
			c.mustApply(t, plain(c, t), "v1", "one", "flux", `{"a": "xx"}`)
			c.write(t, "Fault", auditedVersion("v1", true, true, `"a": {"type": "string", "maxLength": 1}`), "")
		}},
		{"managed-fields-gone", "a version is gone from a CRD that a webhook converts", func(c *cluster, t *testing.T) {
			r := plain(c, t)
			c.mustApply(t, r, "v1beta1", "one", "flux", `{"a": "x"}`)
			c.write(t, "Fault", strings.ReplaceAll(both, "v1beta1", "v1beta2"), called(authority(t, 31*24*time.Hour)))
			if err := wait("an apply that fails", func() (bool, error) { // as another manager: flux would take its entry away while it can
				a, err := c.apply(r, "v1", "one", "argo", `{"b": "x"}`)
				return a.code == http.StatusInternalServerError, err
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
		{"object-stuck", "an object that is rejected and cannot go", func(c *cluster, t *testing.T) {
			c.hold(t, plain(c, t))
			c.write(t, "Fault", refusing, "")
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

// TestAuditNames has CRDs of two groups with the same names, and one that differs from the repository's.
func TestAuditNames(t *testing.T) {
	one, other := newCluster(t, "names.audit.example.com"), newCluster(t, "more.audit.example.com")
	two := auditedVersion("v1", true, true, auditedText) + "," + auditedVersion("v2", true, false, auditedText)
	for _, c := range []*cluster{one, other} {
		c.mustApply(t, c.create(t, "Same", two, ""), "v1", "one", "flux", `{"a": "x"}`)
	}
	file := filepath.Join(t.TempDir(), "crd.yaml")
	for versions, want := range map[string][]string{two: {"name-ambiguous"}, auditedVersion("v1", true, true, auditedText): {"crd-differs", "name-ambiguous"}} {
		if err := os.WriteFile(file, one.manifest("Same", versions, ""), 0o600); err != nil {
			t.Fatal(err)
		}
		out, notes, _ := one.audit(t, "", "--groups", other.group, "--crds", file, "--output", "json")
		if found := rulesOf(t, out); !slices.Equal(found, want) {
			t.Errorf("the rules are %q, want %q\n%s%s", found, want, out, notes)
		}
	}
}

// patch merges something into the object "one".
func (c *cluster) patch(t *testing.T, r *resources, merged string) {
	t.Helper()
	if a, err := c.requestOf(http.MethodPatch, r.path("v1", "one", ""), "application/json", "application/merge-patch+json", []byte(merged)); err != nil || !a.ok() {
		t.Fatal(a.reason(), err)
	}
}

// hold makes an object that is being deleted and waits for a finalizer.
func (c *cluster) hold(t *testing.T, r *resources) {
	t.Helper()
	c.mustApply(t, r, "v1", "one", "flux", `{"a": "x"}`)
	c.patch(t, r, `{"metadata": {"finalizers": ["example.com/held"]}}`)
	if a, err := c.request(http.MethodDelete, r.path("v1", "one", ""), nil); err != nil || !a.ok() {
		t.Fatal(a.reason(), err)
	}
}

// goes deletes a CRD whose objects keep it.
func (c *cluster) goes(t *testing.T, plural string) {
	t.Helper()
	name := plural + "." + c.group
	if a, err := c.request(http.MethodDelete, crdsOf("v1")+"/"+name, nil); err != nil || !a.ok() {
		t.Fatal(a.reason(), err)
	}
	if err := wait("deleting the objects", func() (bool, error) {
		crd, err := c.readCRD(name)
		return err == nil && apihelpers.IsCRDConditionTrue(crd, v1.Terminating), err
	}); err != nil {
		t.Fatal(err)
	}
}

// authority is a certificate that is valid for some more time.
func authority(t *testing.T, left time.Duration) string {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(left), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// TestAuditHangs has one kind never answer.
func TestAuditHangs(t *testing.T) {
	c := newCluster(t, "hangs.audit.example.com")
	c.create(t, "Slow", auditedVersion("v1", true, true, auditedText), "")
	c.mustApply(t, c.create(t, "Quick", auditedVersion("v1", true, true, auditedText), ""), "v1", "one", "flux", `{"a": "x"}`)
	c.hangs = "/slows"
	begun := time.Now()
	_, notes, code := c.audit(t, "", "--timeout", "2s")
	if !strings.Contains(notes, "not read: slows.hangs.audit.example.com: there was no response within 2s; raise --timeout") || !strings.Contains(notes, "2 CRDs and 1 object") || code != 0 {
		t.Errorf("exit %d\n%s", code, notes)
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestAuditKubectls reads a cluster by the oldest and the newest kubectl.
func TestAuditKubectls(t *testing.T) {
	c := newCluster(t, "kubectls.audit.example.com")
	r := c.create(t, "Read", auditedVersion("v1", true, true, auditedText)+","+auditedVersion("v1beta1", true, false, auditedText), "")
	c.mustApply(t, r, "v1beta1", "one", "flux", `{"a": "x"}`)
	want, _, _ := c.audit(t, "", "--dump", "--probe")
	clients := []string{"kubectl028", "kubectl037"}
	if !corpus.All() { // each takes a while to build
		clients = clients[time.Now().YearDay()%2:][:1]
	}
	for _, name := range clients {
		t.Run(name, func(t *testing.T) {
			c := *c
			c.kubectl = buildClient(t, name)
			if dump, notes, code := c.audit(t, "", "--dump", "--probe"); code != 0 || dump != want || !strings.Contains(dump, "v1beta1") {
				t.Errorf("exit %d\n%s\nwant\n%s\n%s", code, dump, want, notes)
			}
			c.hangs = "nowhere"
			c.kubeconfig += ".missing"
			if _, notes, code := c.audit(t, ""); code != 2 || strings.Count(notes, "\n") != 1 {
				t.Errorf("exit %d: %s", code, notes)
			}
		})
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
