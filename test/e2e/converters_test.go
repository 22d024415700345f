package e2e

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A project has a converter in test/converters, and CRDs and objects at commits of a clone.
type project struct {
	name, to          string
	crdsAt, at        string // commits
	crds, objects     string // where they are; without a place for objects, they are what the commit changed, as it was before
	carried, compared int    // the least numbers of examples that are carried, and that the server shows before and after
	differ            []expected
}

// An expected difference is one between what is shown of an object before and after it is carried that nobody loses anything by.
type expected struct {
	at      string // a pattern of the path at the new version
	was, is string // JSON; "" for nothing
	from    string // another name that the field has at the old version; "" for none
	why     string
}

var projects = []project{{
	name: "tekton", to: "v1", crdsAt: "ac12ae9ec", crds: "config/300-*.yaml", at: "ac12ae9ec", objects: "examples/v1beta1",
	carried: 204, compared: 204,
	// Its webhook sets defaults when it converts. In a cluster, it also does when an object is applied at v1; here nothing does.
	differ: []expected{
		{at: `metadata\.labels`, was: `{"app.kubernetes.io/managed-by":"tekton-pipelines"}`, why: "the default label of runs"},
		{at: `spec\.timeout`, was: `"1h0m0s"`, why: "the default timeout of TaskRuns"},
		{at: `spec\.timeouts`, was: `{"pipeline":"1h0m0s"}`, from: "timeout", why: "the default timeout of PipelineRuns"},
		{at: `spec\.serviceAccountName`, was: `"default"`, why: "the default account of TaskRuns"},
		{at: `spec\.taskRunTemplate`, was: `{"serviceAccountName":"default"}`, from: "serviceAccountName",
			why: "the default account of PipelineRuns"},
		{at: `spec\.(.*\.)?taskRef\.kind`, was: `"Task"`, why: "the default kind of a reference"},
		{at: `spec\.(.*\.)?(params|results)\[\d+\]\.type`, was: `"string"`, why: "the default type"},
		{at: `spec\.(.*\.)?((steps|sidecars)\[\d+\]|stepTemplate)\.computeResources`, was: `{}`, from: "resources",
			why: "a Go struct, empty"},
		{at: `spec\.(.*\.)?(steps|sidecars)\[\d+\]\.name`, was: `""`, why: "a Go string, empty"},
		{at: `spec\.(.*\.)?(steps|sidecars)\[\d+\]\.workspaces\[\d+\]\.mountPath`, was: `""`, why: "a Go string, empty"},
		{at: `spec\.results\[\d+\]\.description`, was: `""`, why: "a Go string, empty"},
		{at: `spec\.(.*\.)?taskSpec\.metadata`, was: `{}`, why: "a Go struct, empty"},
		{at: `spec\.(.*\.)?taskSpec\.spec`, was: `null`, why: "a Go struct, empty"},
		{at: `spec\.workspaces\[\d+\]\.volumeClaimTemplate\.metadata`, was: `{"creationTimestamp":null}`, why: "a Go struct, empty"},
		{at: `spec\.workspaces\[\d+\]\.volumeClaimTemplate\.metadata\.creationTimestamp`, was: `null`, why: "a Go struct, empty"},
		{at: `spec\.workspaces\[\d+\]\.volumeClaimTemplate\.status`, was: `{}`, why: "a Go struct, empty"},
		{at: `status`, was: `{}`, why: "a Go struct, empty"},
		{at: `status`, was: `{"podName":""}`, why: "a Go struct, empty"},
	},
}, {
	name: "clusterapi", to: "v1beta2",
	crdsAt: "v1.11.0", crds: "config/crd/bases bootstrap/kubeadm/config/crd/bases controlplane/kubeadm/config/crd/bases",
	at:      "4e7f5d2739116410f59546250a489956ab0d5e58",
	carried: 41, compared: 36,
	differ: []expected{
		{at: `spec\..*\.templateRef\.apiVersion`, was: `"controlplane.cluster.x-k8s.io/v1beta1"`, is: `"controlplane.cluster.x-k8s.io/v1beta2"`,
			why: "a reference to a template is followed"},
		{at: `spec\..*\.templateRef\.apiVersion`, was: `"bootstrap.cluster.x-k8s.io/v1beta1"`, is: `"bootstrap.cluster.x-k8s.io/v1beta2"`,
			why: "a reference to a template is followed"},
		{at: `status`, was: `{"deprecated":{"v1beta1":{}}}`, why: "a status of nothing"},
		{at: `status`, was: `{"deprecated":{"v1beta1":{}},"replicas":0}`, why: "a status of nothing"},
		{at: `status`, was: `{"deprecated":{"v1beta1":{"readyReplicas":0,"unavailableReplicas":0,"updatedReplicas":0}},"replicas":0}`,
			why: "a status of nothing"},
	},
}}

// A converter is a running program of test/converters, with an address that servers can ask.
type converter struct {
	project
	tally
	plain, secure string
	ca            []byte
}

// start builds and starts the project's converter.
func (p project) start(t *testing.T) *converter {
	t.Helper()
	c, program := &converter{project: p}, filepath.Join(t.TempDir(), p.name)
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "converters", p.name)
	build.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off") // tests download nothing
	if out, err := build.CombinedOutput(); strings.Contains(string(out), "GOPROXY=off") {
		t.Skip("the modules of a converter are not downloaded; `make converters` downloads them")
	} else if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	free, _, err := freeURLs()
	if err != nil {
		t.Fatal(err)
	}
	c.plain = free + "/convert"
	at := strings.TrimPrefix(free, "http://")
	_, port, _ := net.SplitHostPort(at)
	cmd := exec.Command(program, port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	if err := wait("starting "+p.name, func() (bool, error) {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			return false, nil
		}
		return true, conn.Close()
	}); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewTLSServer(c)
	t.Cleanup(s.Close)
	c.secure, c.ca = s.URL+"/convert", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return c
}

// ServeHTTP asks the program. A httputil.ReverseProxy does not do here: it reads the question while it writes the answer, and now and then,
// on a busy machine, ends its connection to the program in the middle of that.
func (c *converter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	question, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	a, err := http.Post(c.plain, "application/json", bytes.NewReader(question))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer a.Body.Close()
	w.Header().Set("Content-Type", a.Header.Get("Content-Type"))
	w.WriteHeader(a.StatusCode)
	_, _ = io.Copy(w, a.Body) // a client that is gone wants no answer
}

// converts is a CRD whose objects the converter converts.
func (c *converter) converts(t *testing.T, manifest []byte) []byte {
	t.Helper()
	d := &v1.CustomResourceDefinition{}
	err := json.Unmarshal(manifest, d)
	if err == nil {
		d.Spec.Conversion = &v1.CustomResourceConversion{Strategy: v1.WebhookConverter, Webhook: &v1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"}, ClientConfig: &v1.WebhookClientConfig{URL: &c.secure, CABundle: c.ca}}}
		manifest, err = json.Marshal(d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return manifest
}

// examples are the project's CRDs and objects, in the folders crds and before of a folder.
func (p project) examples(t *testing.T) string {
	t.Helper()
	all := os.Getenv("CRDLIFT_UPGRADES")
	if all == "" {
		t.Skip("set CRDLIFT_UPGRADES to a folder of clones of the projects whose converters these are")
	}
	clones, err := filepath.Glob(filepath.Join(all, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, clone := range clones {
		git := func(args ...string) []byte {
			out, err := exec.Command("git", append([]string{"-C", clone}, args...)...).Output()
			if err != nil {
				t.Fatalf("git %s: %v", strings.Join(args, " "), err)
			}
			return out
		}
		if exec.Command("git", "-C", clone, "cat-file", "-e", p.at+"^{commit}").Run() != nil {
			continue
		}
		dir, at, objects := t.TempDir(), p.at, []string{p.objects}
		if p.objects == "" {
			objects = strings.Fields(string(git("diff", "--name-only", "--diff-filter=M", at+"^", at, "--", "*.yaml")))
			at += "^"
		}
		for folder, archive := range map[string][]byte{
			"crds":   git(append([]string{"archive", p.crdsAt, "--"}, strings.Fields(p.crds)...)...),
			"before": git(append([]string{"archive", at, "--"}, objects...)...),
		} {
			into := filepath.Join(dir, folder)
			if err := os.Mkdir(into, 0o700); err != nil {
				t.Fatal(err)
			}
			unpack := exec.Command("tar", "-x", "-C", into)
			unpack.Stdin = bytes.NewReader(archive)
			if out, err := unpack.CombinedOutput(); err != nil {
				t.Fatalf("tar: %v\n%s", err, out)
			}
		}
		return dir
	}
	t.Skipf("no clone has the commit %s", p.at)
	return ""
}

var placeholder = regexp.MustCompile(`\$\{[^}]*\}`)

// filledIn is a value with something in the places of its placeholders, as those who apply it have it.
func filledIn(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = filledIn(member)
		}
	case []any:
		for i, item := range value {
			value[i] = filledIn(item)
		}
	case string:
		if strings.HasPrefix(value, "${") && strings.HasSuffix(value, "_COUNT}") {
			return int64(3)
		}
		return placeholder.ReplaceAllString(value, "e2e")
	}
	return value
}
