package kustomize

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

const widget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`

var gadget = strings.NewReplacer("widget", "gadget", "Widget", "Gadget").Replace(widget)

// folder writes files and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The tests of this package do not run at once: kustomize keeps the schemas of a build for the whole process.

// TestLocate builds a kustomization and looks for a path of its CRDs: "file:line text".
func TestLocate(t *testing.T) {
	const scopePatch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\nspec:\n  scope: Cluster\n"
	const jsonPatched = "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition, name: widgets.example.com}\n  path: j.yaml\n"
	for _, test := range []struct {
		name, kustomization string
		files               map[string]string
		document            int // of the first file
		path, want          string
	}{
		{"the base", "resources: [crd.yaml]\n", nil, 0, "spec.scope", "crd.yaml:8 Namespaced"},
		{"a mapping, by its key", "resources: [crd.yaml]\n", nil, 0, "spec.names", "crd.yaml:7 names"},
		{"an item, by its first key", "resources: [crd.yaml]\n", nil, 0, "spec.versions[0]", "crd.yaml:10 name"},
		{"the CRD", "resources: [crd.yaml]\n", nil, 0, "", "crd.yaml:1 apiVersion"},
		{"what is not there", "resources: [crd.yaml]\n", nil, 0, "spec.conversion.strategy", "crd.yaml:5 spec"},
		{"the second of a file", "resources: [all.yaml]\n", map[string]string{"all.yaml": widget + "---\n" + gadget}, 1, "metadata.name", "all.yaml:18 gadgets.example.com"},
		{"a patch", "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n", map[string]string{"patch.yaml": scopePatch}, 0, "spec.scope", "patch.yaml:6 Cluster"},
		{"what the patch does not touch", "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n", map[string]string{"patch.yaml": scopePatch}, 0, "spec.names.kind", "crd.yaml:7 Widget"},
		{"a mapping that both have", "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n", map[string]string{"patch.yaml": scopePatch}, 0, "spec", "crd.yaml:5 spec"},
		{"a transformer", "resources: [crd.yaml]\ncommonAnnotations: {a: b}\n", nil, 0, "metadata.annotations[a]", "kustomization.yaml:1 "},
		{"an inline patch", "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  patch: |-\n    - {op: replace, path: /spec/scope, value: Cluster}\n", nil, 0, "spec.scope", "kustomization.yaml:5 Cluster"},
		{"an inline patch behind other letters", "# ä\nresources: [crd.yaml]\npatches:\n- target: {name: widgets.*} # ö\n  patch: |\n    - op: add\n      path: /spec/names/shortNames\n      value:\n      - wd\n", nil, 0, "spec.names.shortNames[0]", "kustomization.yaml:9 wd"},
		{"an inline patch in quotes", "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Cluster\"}]'\n", nil, 0, "spec.scope", `kustomization.yaml:4 '[{"op": "replace", "path": "/spec/scope", "value": "Cluster"}]'`},
		{"an inline part of a CRD", "resources: [crd.yaml]\npatches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata:\n      name: widgets.example.com\n    spec:\n      scope: Cluster\n", nil, 0, "spec.scope", "kustomization.yaml:9 Cluster"},
		{"an inline part of the older field", "resources: [crd.yaml]\npatchesStrategicMerge:\n- |-\n  apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  metadata:\n    name: widgets.example.com\n  spec:\n    scope: Cluster\n", nil, 0, "spec.scope", "kustomization.yaml:9 Cluster"},
		{"a JSON patch", jsonPatched, map[string]string{"j.yaml": "- op: replace\n  path: /spec/scope\n  value: Cluster\n"}, 0, "spec.scope", "j.yaml:3 Cluster"},
		{"a JSON patch in JSON", strings.ReplaceAll(jsonPatched, "j.yaml", "j.json"), map[string]string{"j.json": "[\n\t{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Cluster\"}\n]\n"}, 0, "spec.scope", `j.json:2 "Cluster"`},
		{"a JSON patch of the older field", "resources: [crd.yaml]\npatchesJson6902:\n- target: {group: apiextensions.k8s.io, version: v1, kind: CustomResourceDefinition, name: widgets.example.com}\n  path: j.yaml\n", map[string]string{"j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "j.yaml:1 Cluster"},
		{"a field inside the value", jsonPatched, map[string]string{"j.yaml": "- op: replace\n  path: /spec/versions/0/schema/openAPIV3Schema\n  value:\n    type: object\n    properties:\n      a~b/c: {type: string}\n"}, 0, "spec.versions[0].schema.openAPIV3Schema.properties[a~b/c].type", "j.yaml:6 string"},
		{"a mapping that is replaced", jsonPatched, map[string]string{"j.yaml": "- op: replace\n  path: /spec/names\n  value: {kind: Widget, plural: widgets}\n"}, 0, "spec.names", "j.yaml:3 value"},
		{"what holds what a JSON patch sets", jsonPatched, map[string]string{"j.yaml": "- {op: add, path: /spec/names/singular, value: widget}\n"}, 0, "spec.names", "crd.yaml:7 names"},
		{"an item that is appended", jsonPatched, map[string]string{"j.yaml": "- {op: add, path: /spec/names/shortNames, value: [wd]}\n- {op: add, path: /spec/names/shortNames/-, value: wi}\n"}, 0, "spec.names.shortNames[1]", "j.yaml:2 wi"},
		{"escapes of a pointer", jsonPatched, map[string]string{"j.yaml": "- {op: add, path: /metadata/annotations, value: {}}\n- {op: add, path: /metadata/annotations/example.com~1a~0b, value: c}\n"}, 0, "metadata.annotations[example.com/a~b]", "j.yaml:2 c"},
		{"the last operation", jsonPatched, map[string]string{"j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n- {op: test, path: /spec/scope, value: Cluster}\n- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "j.yaml:3 Cluster"},
		{"a value that is moved", jsonPatched, map[string]string{"j.yaml": "- {op: copy, from: /spec/names/plural, path: /spec/names/singular}\n"}, 0, "spec.names.singular", "j.yaml:1 /spec/names/singular"},
		{"what is removed", jsonPatched, map[string]string{"j.yaml": "- op: remove\n  path: /spec/scope\n"}, 0, "spec.scope", "j.yaml:2 /spec/scope"},
		{"below what is removed", jsonPatched, map[string]string{"j.yaml": "- {op: remove, path: /spec/names}\n"}, 0, "spec.names.kind", "j.yaml:1 /spec/names"},
		{"names lacks plural, which is removed", jsonPatched, map[string]string{"j.yaml": "- {op: remove, path: /spec/names/kind}\n- {op: remove, path: /spec/names/plural}\n"}, 0, "spec.names", "j.yaml:2 /spec/names/plural"},
		{"names lacks something else", jsonPatched, map[string]string{"j.yaml": "- {op: remove, path: /spec/names/kind}\n"}, 0, "spec.names", "crd.yaml:7 names"},
		{"a JSON patch of another CRD", "resources: [crd.yaml, all.yaml]\npatches:\n- target: {name: gadgets.example.com}\n  path: j.yaml\n", map[string]string{"all.yaml": gadget, "j.yaml": "- {op: replace, path: /spec/scope, value: Namespaced}\n"}, 0, "spec.scope", "crd.yaml:8 Namespaced"},
		{"a JSON patch by label", "resources: [crd.yaml]\npatches:\n- target: {labelSelector: part=no}\n  path: j.yaml\n- target: {labelSelector: part=yes}\n  path: l.yaml\n", map[string]string{"crd.yaml": strings.Replace(widget, "metadata:", "metadata:\n  labels: {part: 'yes'}", 1), "j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n", "l.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "l.yaml:1 Cluster"},
		{"a JSON patch of a base in another folder", "resources: [sub]\n", map[string]string{"sub/kustomization.yaml": strings.ReplaceAll(jsonPatched, "crd.yaml", "b.yaml"), "sub/b.yaml": widget, "sub/j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "sub/j.yaml:1 Cluster"},
		{"a JSON patch behind a prefix", jsonPatched + "namePrefix: my-\n", map[string]string{"j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "j.yaml:1 Cluster"},
		{"a base in another folder", "resources: [sub]\n", map[string]string{"sub/kustomization.yaml": "resources: [b.yaml]\n", "sub/b.yaml": widget}, 0, "spec.scope", "sub/b.yaml:8 Namespaced"},
		{"its own buildMetadata", "buildMetadata: [managedByLabel]\nresources: [crd.yaml]\n", nil, 0, "spec.scope", "crd.yaml:8 Namespaced"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"kustomization.yaml": test.kustomization, "crd.yaml": widget}
			for name, text := range test.files {
				files[name] = text
			}
			dir := folder(t, files)
			built, _, err := Build(dir, 1<<20, true)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(built[0].Text), origin) {
				t.Error("the annotation that was asked for is left")
			}
			d := manifest.Parse("", built[0].Text).Documents[test.document]
			found, _ := crd.Find(d.Root.YNode())
			at, _ := found[0].Resolve(crd.Steps(test.path))
			line, column := d.Begin(at.Node)
			spot := built[0].Locate(test.document, test.path, line, column, test.name)
			name, err := filepath.Rel(dir, spot.File.Path)
			if err != nil {
				t.Fatal(err)
			}
			l, _ := spot.File.Position(spot.Start)
			if got := fmt.Sprintf("%s:%d %s", filepath.ToSlash(name), l, spot.File.Source[spot.Start:spot.End]); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestBuildRefuses tries resources that would be fetched, generators that would be run, and missing files. Where they come from
// is for the build to say: files in another encoding, values in base64, patches of plugins, links.
func TestBuildRefuses(t *testing.T) {
	bin := t.TempDir()
	ran := filepath.Join(bin, "ran")
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho >'"+ran+"'\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
	t.Setenv("PATH", path)
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer server.Close()
	url := server.URL + "/x"
	const plugin = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\ntarget: {kind: CustomResourceDefinition}\n"
	const withPlugin = "resources: [crd.yaml]\ntransformers: [d]\n"
	for _, test := range []struct {
		name, kustomization, want string
		files                     map[string]string
	}{
		{"a file", "resources: [URL]\n", "kustomization.yaml: URL is remote", nil},
		{"a repository", "resources: [github.com/example/crds]\n", "github.com/example/crds is remote", nil},
		{"a folder of a repository", "resources: ['URL//y?ref=z']\n", "URL//y?ref=z is remote", nil},
		{"a revision", "components: ['example.com/crds?ref=v1']\n", "is remote", nil},
		{"by ssh", "bases: ['git@example.com:a/b.git']\n", "is remote", nil},
		{"a patch", "resources: [crd.yaml]\npatches: [{path: 'URL'}]\n", "URL is remote", nil},
		{"a schema", "resources: [crd.yaml]\nopenapi: {path: 'URL'}\n", "URL is remote", nil},
		{"a file of a generator", "configMapGenerator: [{name: a, files: ['a=URL']}]\n", "URL is remote", nil},
		{"a repository, in other letters", "resources: [GitHub.com/a/b]\n", "GitHub.com/a/b is remote", nil},
		{"a user's at a host", "resources: ['a@b:c/d']\n", "a@b:c/d is remote", nil},
		{"a field in other letters", "Resources: ['github.com/a/b']\n", "github.com/a/b is remote", nil},
		{"an alias with the name of a file", "configMapGenerator: [{name: a, literals: [&x github.com/a/b]}]\nresources: [*x]\n", "github.com/a/b is remote", nil},
		{"an alias for a patch", "commonAnnotations: {a: &u 'URL'}\npatches: [{path: *u}]\n", "URL is remote", nil},
		{"a patch, in other letters", "resources: [crd.yaml]\npatches: [{path: 'HTTPS://example.com/p.yaml'}]\n", "https://example.com/p.yaml is remote", nil},
		{"a plugin", "resources: [crd.yaml]\ntransformers: [p.yaml]\n", "URL is remote", map[string]string{"p.yaml": plugin + "path: URL\n"}},
		{"a plugin in UTF-16", "resources: [crd.yaml]\ntransformers: [p.yaml]\n", "URL is remote", map[string]string{"p.yaml": utf16LE(plugin + "path: " + url)}},
		{"a plugin with base64", "resources: [crd.yaml]\ntransformers: [p.yaml]\n", "URL is remote", map[string]string{"p.yaml": plugin + "path: !!binary " + base64.StdEncoding.EncodeToString([]byte(url)) + "\n"}},
		{"a plugin, inline", "resources: [crd.yaml]\ntransformers:\n- |\n  " + strings.ReplaceAll(plugin, "\n", "\n  ") + "path: URL\n", "URL is remote", nil},
		{"a plugin that is patched", withPlugin, "URL is remote", map[string]string{"d/p.yaml": plugin + "path: p.yaml\n",
			"d/kustomization.yaml": "resources: [p.yaml]\npatches: [{target: {kind: PatchTransformer}, patch: '[{\"op\":\"replace\",\"path\":\"/path\",\"value\":\"URL\"}]'}]\n"}},
		{"what is made a plugin", withPlugin, "URL is remote", map[string]string{"d/p.yaml": strings.Replace(plugin, "builtin", "foo/v1", 1) + "path: URL\n",
			"d/kustomization.yaml": "resources: [p.yaml]\npatches: [{target: {kind: PatchTransformer}, patch: '[{\"op\":\"replace\",\"path\":\"/apiVersion\",\"value\":\"builtin\"}]'}]\n"}},
		{"plugins of a repository", "resources: [crd.yaml]\ntransformers: [github.com/a/b]\n", "github.com/a/b is remote", nil},
		{"a repository in UTF-16", "resources: [d]\n", "is remote", map[string]string{"d/kustomization.yaml": utf16LE("resources: [github.com/a/b]\n")}},
		{"a repository in base64", "resources: [!!binary " + base64.StdEncoding.EncodeToString([]byte("github.com/a/b")) + "]\n", "is remote", nil},
		{"a repository, and a line's end", "resources: [\"github.com/a/b\\n\"]\n", "a repository that it names is remote", nil},
		{"a component, and a line's end", "components: [\"URL//y\\n\"]\n", "a repository that it names is remote", nil},
		{"a repository, in letters of other alphabets", "resources: [gİthub.com/a/b]\n", "a repository that it names is remote", nil},
		{"a kustomization of another name", "resources: [link]\n", "a repository that it names is remote", nil},
		{"a missing file", "resources: [nowhere.yaml]\n", "there is no nowhere.yaml", nil},
		{"above the root", "resources: [../crd.yaml]\n", "there is no ../crd.yaml", nil},
		{"a chart", "helmCharts: [{name: a, repo: 'URL'}]\n", "enable-helm", nil},
		{"a function", "resources: [crd.yaml]\ntransformers: [fn.yaml]\n", "external plugins", nil},
		{"no kustomization", "- a\n", "cannot build", nil},
		{"a large file", "resources: [large.yaml]\n", "larger than", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{
				"kustomization.yaml": test.kustomization, "crd.yaml": widget, "large.yaml": strings.Repeat("# large\n", 1000),
				"x": "", "GitHub.com/a/b/kustomization.yaml": "", "a@b:c/d/kustomization.yaml": "", "gİthub.com/a/b/kustomization.yaml": "", // which kustomize would not look at
				"link/k.yaml": "resources: [github.com/a/b]\n",
				"fn.yaml":     "apiVersion: example.com/v1\nkind: Function\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run}\n",
			}
			maps.Copy(files, test.files)
			for name, text := range files {
				files[name] = strings.ReplaceAll(text, "URL", url)
			}
			dir := folder(t, files)
			if err := os.Symlink("k.yaml", filepath.Join(dir, "link", "kustomization.yaml")); err != nil && test.kustomization == "resources: [link]\n" {
				t.Skip(err)
			}
			want := strings.ReplaceAll(test.want, "URL", url)
			if _, _, err := Build(dir, 4000, true); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
			if os.Remove(ran) == nil {
				t.Error("git was run")
			}
			if requests.Swap(0) > 0 {
				t.Error("it was fetched")
			}
		})
	}
	if got := os.Getenv("PATH"); got != path {
		t.Errorf("PATH is left as %q", got)
	}
	if _, err := http.Get(url); err != nil {
		t.Errorf("after the builds nobody can fetch: %v", err)
	}
}

// utf16LE encodes text with a byte order mark.
func utf16LE(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// Text of the author's that is not a path may be a URL.
func TestBuildTakesURLsThatAreNoPaths(t *testing.T) {
	dir := folder(t, map[string]string{"crd.yaml": widget, "kustomization.yaml": "resources: [crd.yaml]\ncommonAnnotations: {docs: 'https://example.com'}\n" +
		"configMapGenerator: [{name: a, literals: ['url=https://example.com']}]\ntransformers:\n- |\n  apiVersion: builtin\n  kind: AnnotationsTransformer\n" +
		"  metadata: {name: a}\n  annotations: {more: 'https://example.com'}\n  fieldSpecs: [{path: metadata/annotations, create: true}]\n"})
	if built, _, err := Build(dir, 1<<20, true); err != nil || len(built) != 1 {
		t.Errorf("got %d files, %v", len(built), err)
	}
}
