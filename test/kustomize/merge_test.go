package kustomize

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An overlay patches a custom resource: the base and the patch are specs on one line, and lost is what the build lacks without merge keys.
type overlay struct {
	name, kind, base, patch string
	lost                    []string // none where kustomize does the same with merge keys and without
	gone                    []string // what the build has with neither
}

const (
	rollout = "example.com/v1 Rollout"
	monitor = "example.com/v1 Monitor"
	route   = "net.example.com/v1 Route"
	route2  = "net.example.com/v2 Route"
)

var overlays = []overlay{
	{"the image of a container", rollout, "{template: {spec: {containers: [{name: main, image: 'old:1', env: [{name: A, value: base-a}]}]}}}", "{template: {spec: {containers: [{name: main, image: 'new:2'}]}}}", []string{"base-a"}, []string{"old:1"}},
	{"a sidecar", rollout, "{template: {spec: {containers: [{name: main, image: 'base:1'}]}}}", "{template: {spec: {containers: [{name: proxy, image: 'proxy:1'}]}}}", []string{"base:1"}, nil},
	{"a variable of a container", rollout, "{template: {spec: {containers: [{name: main, image: 'base:1', env: [{name: A, value: base-a}]}]}}}", "{template: {spec: {containers: [{name: main, env: [{name: B, value: patch-b}]}]}}}", []string{"base:1", "base-a"}, nil},
	{"an init container", rollout, "{template: {spec: {initContainers: [{name: setup, image: 'setup:1'}], containers: []}}}", "{template: {spec: {initContainers: [{name: wait, image: 'wait:1'}]}}}", []string{"setup:1"}, nil},
	{"a volume and its mount", rollout, "{template: {spec: {volumes: [{name: base-volume, emptyDir: {}}], containers: [{name: main, volumeMounts: [{name: base-volume, mountPath: /base}]}]}}}", "{template: {spec: {volumes: [{name: patch-volume, emptyDir: {}}], containers: [{name: main, volumeMounts: [{name: patch-volume, mountPath: /patch}]}]}}}", []string{"base-volume", "/base"}, nil},
	{"a port of a container", rollout, "{template: {spec: {containers: [{name: main, ports: [{containerPort: 8080, name: web-base}]}]}}}", "{template: {spec: {containers: [{name: main, ports: [{containerPort: 9090, name: metrics}]}]}}}", []string{"web-base"}, nil},
	{"steps without a list type", rollout, "{steps: [{weight: 11}, {weight: 22}]}", "{steps: [{weight: 33}]}", nil, []string{"11", "22"}},
	{"a field, and no list", rollout, "{replicas: 1, template: {spec: {containers: [{name: main, image: 'base:1'}]}}}", "{replicas: 3}", nil, nil},
	{"a container of a pod that is no pod", monitor, "{containers: [{name: main, image: 'base:1'}]}", "{containers: [{name: main, env: [{name: A, value: a}]}]}", []string{"base:1"}, nil},
	{"host aliases", monitor, "{hostAliases: [{ip: 10.0.0.1, hostnames: [base-host]}]}", "{hostAliases: [{ip: 10.0.0.2, hostnames: [patch-host]}]}", []string{"base-host"}, nil},
	{"an atomic list in an item", monitor, "{hostAliases: [{ip: 10.0.0.1, hostnames: [base-host]}, {ip: 10.0.0.2, hostnames: [other-host]}]}", "{hostAliases: [{ip: 10.0.0.1, hostnames: [patch-host]}]}", []string{"other-host"}, []string{"base-host"}},
	{"remotes without a list type", monitor, "{remotes: [{url: 'http://base'}]}", "{remotes: [{url: 'http://patch'}]}", nil, []string{"http://base"}},
	{"a listener", route, "{listeners: [{name: http, port: 80}, {name: https, port: 443}]}", "{listeners: [{name: https, port: 8443}]}", []string{"http\n", "80"}, []string{" 443"}},
	{"a new listener", route, "{listeners: [{name: http-base, port: 80}]}", "{listeners: [{name: admin, port: 9000}]}", []string{"http-base"}, nil},
	{"a listener of another version", route2, "{listeners: [{name: http-base, port: 80}]}", "{listeners: [{name: admin, port: 9000}]}", []string{"http-base"}, nil},
	{"a list in an item of a list", route, "{listeners: [{name: a, certificates: [{name: base-cert, namespace: n}]}, {name: base-b}]}", "{listeners: [{name: a, certificates: [{name: patch-cert}]}]}", []string{"base-cert", "base-b"}, nil},
	{"a set in an item", route, "{listeners: [{name: a, tags: [base-tag]}]}", "{listeners: [{name: a, tags: [patch-tag]}]}", []string{"base-tag"}, nil},
	{"an item that is deleted", route, "{listeners: [{name: base-a}, {name: base-b}]}", "{listeners: [{name: base-b, $patch: delete}]}", []string{"base-a"}, []string{"name: base-b"}},
	{"all items replaced on purpose", route, "{listeners: [{name: base-a}]}", "{listeners: [{name: new}, {$patch: replace}]}", nil, []string{"base-a", "$patch"}},
	{"all items repeated", route, "{listeners: [{name: a, port: 1}]}", "{listeners: [{name: a, port: 1}, {name: b}]}", nil, nil},
	{"two keys", route, "{parents: [{name: a, port: 1, section: base-1}, {name: a, port: 2, section: base-2}]}", "{parents: [{name: a, port: 2, section: patch-2}]}", []string{"base-1"}, []string{"base-2"}},
	{"a set of strings", route, "{hostnames: [base.example.com]}", "{hostnames: [patch.example.com]}", []string{"base.example.com"}, nil},
	{"a set of numbers", route, "{codes: [404, 500]}", "{codes: [503, 404]}", []string{"500"}, nil},
	{"a list in a map, by a number", route, "{filters: {any: [{order: 1, type: base-1}, {order: 2, type: base-2}]}}", "{filters: {any: [{order: 2, type: patch-2}]}}", []string{"base-1"}, []string{"base-2"}},
	{"an atomic list", route, "{rules: [{match: base}]}", "{rules: [{match: patch}]}", nil, []string{"base"}},
	{"an object of a built-in kind inside", route, "{extension: {apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: 'base:1'}]}}}", "{extension: {apiVersion: v1, kind: Pod, spec: {containers: [{name: b}]}}}", nil, nil},
}

// builtIn are objects of Kubernetes' own kinds and patches of them, which are in each build.
const (
	builtIn = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - {name: web, image: "web:1", env: [{name: A, value: a}], ports: [{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP}]}
      - {name: proxy, image: "proxy:1"}
      topologySpreadConstraints:
      - {topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}
---
apiVersion: v1
kind: Service
metadata: {name: web, finalizers: [example.com/a]}
spec:
  ports: [{port: 80, name: http}, {port: 443, name: https}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  rules: [{host: a.example.com}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: web}
webhooks: [{name: a.example.com, timeoutSeconds: 1}, {name: b.example.com}]
`
	builtInPatches = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - {name: web, env: [{name: B, value: b}], ports: [{containerPort: 80, protocol: UDP, name: dns}]}
      volumes: [{name: v, emptyDir: {}}]
---
apiVersion: v1
kind: Service
metadata: {name: web, finalizers: [example.com/b]}
spec:
  ports: [{port: 443, targetPort: 8443}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  rules: [{host: b.example.com}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: web}
webhooks: [{name: a.example.com, sideEffects: None}]
`
)

// TestMergeKeys builds overlays with what `crdlift schema --format kustomize-openapi` writes and without.
func TestMergeKeys(t *testing.T) {
	bin := programs(t)
	keys, err := exec.Command(filepath.Join(bin, "crdlift"), "schema", "--format", "kustomize-openapi", filepath.Join("testdata", "merge", "crds.yaml")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range overlays {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			apiVersion, kind, _ := strings.Cut(o.kind, " ")
			of := func(spec string) string {
				return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: one}\nspec: " + spec + "\n"
			}
			build := func(more string) (own, others string) {
				for file, text := range map[string]string{
					"base.yaml": of(o.base), "patch.yaml": of(o.patch), "built-in.yaml": builtIn, "built-in-patches.yaml": builtInPatches, "keys.json": string(keys),
					"kustomization.yaml": "namespace: team\nnamePrefix: a-\nresources: [base.yaml, built-in.yaml]\npatches: [{path: patch.yaml}, {path: built-in-patches.yaml}]\n" + more,
				} {
					if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				out, err := exec.Command(filepath.Join(bin, "kustomize"), "build", dir).CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				documents := strings.Split(string(out), "---\n")
				i := slices.IndexFunc(documents, func(d string) bool { return strings.Contains(d, "kind: "+kind+"\n") })
				own = documents[i]
				return own, strings.Join(slices.Delete(documents, i, i+1), "---\n")
			}
			without, others := build("")
			with, othersWith := build("openapi: {path: keys.json}\n")
			if others != othersWith || !strings.Contains(others, "dns") || strings.Contains(others, "a.example.com\n  rules") {
				t.Errorf("built-in kinds without:\n%s\nwith:\n%s", others, othersWith)
			}
			for _, text := range o.lost {
				if strings.Contains(without, text) {
					t.Errorf("without merge keys, the build has %q:\n%s", text, without)
				}
				if !strings.Contains(with, text) {
					t.Errorf("with merge keys, the build lacks %q:\n%s", text, with)
				}
			}
			if len(o.lost) == 0 && with != without && !strings.Contains(o.patch, "$patch") { // which a list without keys keeps as it is
				t.Errorf("without:\n%s\nwith:\n%s", without, with)
			}
			for _, text := range o.gone {
				if strings.Contains(with, text) {
					t.Errorf("with merge keys, the build has %q:\n%s", text, with)
				}
			}
		})
	}
}
