package carry

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
)

// TestTemplate has Helm templates: what holds for every value is done.
func TestTemplate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		in, said string // ⟨v1beta1⟩ is what becomes v1
		items    int
		alone    int
		refs     int
	}{
		"an object": {
			in:    "{{- if .Values.on }}\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata:\n  name: {{ .Release.Name }}-a\nspec:\n  owner: {{ .Values.owner | quote }}\n{{- end }}\n",
			items: 1,
		},
		"branches": {
			in:    "{{- if .Values.on }}\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata:\n  name: a\n{{- else }}\n---\napiVersion: \"market.example.com/⟨v1beta1⟩\"\nkind: Stall\nmetadata:\n  name: {{ .Values.b }}\n{{- end }}\n",
			items: 2,
		},
		"an apiVersion that is printed": {
			in: "apiVersion: {{ .Values.version }}\nkind: Stall\nmetadata:\n  name: a\n", alone: 1,
		},
		"versions that differ": {
			in: "apiVersion: market.example.com/v1beta1\nkind: Booth\nmetadata:\n  name: {{ .Values.a }}\n", said: "migrate-not-alike 1:13", items: 1,
		},
		"references": {
			in:    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: {{ .Values.a }}\nspec:\n  healthChecks:\n  - apiVersion: market.example.com/⟨v1beta1⟩\n    kind: Booth\n    name: b\n",
			items: 1, refs: 1,
		},
		"a JSON patch": {
			in: "apiVersion: x.example.com/v1\nkind: Fair\nmetadata:\n  name: {{ .Values.a }}\nspec:\n  of:\n    apiVersion: market.example.com/v1beta1\n    kind: Booth\n" +
				"  do:\n  - {op: remove, path: /spec/old}\n",
			said: "migrate-left-over 7:17", items: 1,
		},
		"what a template asks": {
			in:   "{{- if .Capabilities.APIVersions.Has \"market.example.com/v1beta1\" }}\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata:\n  name: {{ .Values.a }}\n{{- end }}\n",
			said: "migrate-left-over 1:39", items: 1,
		},
		"an anchor": {
			in: "apiVersion: &v market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata:\n  name: {{ .Values.a }}\n", items: 1,
		},
	} {
		in := strings.NewReplacer("⟨", "", "⟩", "").Replace(test.in)
		want := strings.ReplaceAll(test.in, "⟨v1beta1⟩", "v1")
		c := carrierOf(Options{}, stallCRD, boothCRD)
		contents := manifest.OpenTemplate("templates/a.yaml", []byte(in))
		if contents.Unread != template.None {
			t.Errorf("%s: %s", name, contents.Why)
			continue
		}
		result := c.Template(contents)
		got, said := string(rewrite.Apply([]byte(in), result.Edits)), strings.Join(sayings([]byte(in), result.Notes), "\n")
		if got != want || said != test.said {
			t.Errorf("%s: got\n%s\n%q\nwant\n%s\n%q", name, got, said, want, test.said)
		}
		if len(result.Items) != test.items || result.LeftAlone != test.alone || result.References != test.refs {
			t.Errorf("%s: %d items, %d left alone, %d references", name, len(result.Items), result.LeftAlone, result.References)
		}
	}
}

// TestText names old versions in what is no manifest.
func TestText(t *testing.T) {
	t.Parallel()
	c := carrierOf(Options{}, stallCRD)
	src := []byte("kubectl get market.example.com/v1beta1\necho market.example.com/v1beta1.x market.example.com/v1 market.example.com/v1beta1.\n")
	if got := strings.Join(sayings(src, c.Text(src)), "\n"); got != "migrate-left-over 1:13\nmigrate-left-over 2:57" {
		t.Error(got)
	}
}
