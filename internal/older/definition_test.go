package older

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/objects"
)

const (
	servedV1   = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}"
	unservedV2 = "{name: v2, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}"
)

func crdWith(kind, from, versions string) string {
	return strings.NewReplacer("KIND", kind, "PLURAL", strings.ToLower(kind)+"s", "FROM", from, "VERSIONS", versions).Replace(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: PLURAL.example.com, labels: {from: "FROM"}}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: one}
  versions: [VERSIONS]
`)
}

func crdOf(kind, from string) string { return crdWith(kind, from, servedV1) }

// TestReplaced: a version that is gone is no reason not to judge an object, and a kind that is gone is one to say so.
func TestReplaced(t *testing.T) {
	t.Parallel()
	s := side(t,
		fileOf("a.yaml", crdWith("Alpha", "", servedV1+","+unservedV2)),
		fileOf("twice.yaml", crdWith("Twice", "", servedV1)+"---\n"+crdWith("Twice", "", strings.ReplaceAll(servedV1, "v1", "v2"))),
		fileOf("gone.yaml", crdWith("Gone", "", servedV1+","+unservedV2)),
		fileOf("refused.yaml", crdWith("Refused", "", "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {}}}")),
		fileOf("broken.yaml", crdOf("Broken", "")+"spec: {\n"),
		fileOf("unread.yaml", crdWith("Unread", "", "{name: v1, served: maybe}")),
		fileOf("unstored.yaml", crdWith("Unstored", "", strings.Replace(servedV1, "storage: true", "storage: false", 1)+","+unservedV2)),
		fileOf("now.yaml", strings.Replace(crdOf("Shared", ""), "kind: Shared,", "kind: Other,", 1)),
		fileOf("far.yaml", crdOf("Shared", "")),
		fileOf("part.yaml", patchOf("parts.example.com")+"spec: {group: example.com, names: {kind: Part}}\n"),
		fileOf("template.yaml", "{{- if .Values.crds }}\n"+strings.Replace(crdOf("Masked", ""), "kind: Masked", `kind: {{ .Values.kind | quote }}`, 1)+"{{- end }}\n"))
	now := &objects.Catalogue{}
	for _, kind := range []string{"Alpha", "Twice", "New", "Refused", "Broken", "Unread", "Masked", "Unstored"} {
		now.Add(objects.Definitions("now.yaml", "now.yaml", []byte(crdOf(kind, "")+"---\n"+crdOf(kind, "")), false)...)
	}
	now.Add(objects.Definitions("now.yaml", "now.yaml", []byte(crdWith("Worse", "", strings.Replace(servedV1, "storage: true", "storage: false", 1))), false)...)
	for _, test := range []struct {
		kind, version string
		verdict       objects.Verdict
		was, why      string
	}{
		{"Alpha", "v1", objects.Judged, "a.yaml", ""},
		{"Alpha", "v2", objects.Judged, "a.yaml", ""},
		{"Alpha", "v4", objects.Judged, "", "the old CRD does not have the version v4"},
		{"Twice", "v1", objects.Judged, "twice.yaml", ""},
		{"New", "v1", objects.Judged, "", "its CRD is new"},
		{"Refused", "v1", objects.Judged, "refused.yaml", ""}, // a cluster has it
		{"Broken", "v1", objects.Judged, "", "of the old CRD: its CRD does not parse: "},
		{"Unread", "v1", objects.Judged, "", "of the old CRD: its CRD cannot be read: "},
		{"Masked", "v1", objects.Judged, "", "its CRD is new"},
		{"Gone", "v1", objects.KindGone, "gone.yaml", ""},
		{"Gone", "v2", objects.KindGone, "gone.yaml", ""},
		{"Gone", "v3", objects.KindUnknown, "", ""},
		{"Unstored", "v2", objects.Judged, "", "of the old CRD: its CRD cannot be used: "},
		{"Worse", "v2", objects.NotJudged, "now.yaml", ""},
		{"Shared", "v1", objects.KindUnknown, "", ""}, // the nearest CRD of that name is of another kind
		{"Part", "v1", objects.KindUnknown, "", ""},
		{"Never", "v1", objects.KindUnknown, "", ""},
	} {
		o := object(t, test.version, "{name: a}")
		o.Kind = test.kind
		m := s.Replacing(now.Match(o, "now.yaml"), o, "now.yaml")
		if m.Verdict != test.verdict {
			t.Errorf("%s %s: verdict %d, want %d", test.kind, test.version, m.Verdict, test.verdict)
		}
		was, why := m.Definition, ""
		if m.Verdict == objects.Judged {
			was, why = s.Replaced(m.Definition, o)
		}
		if !strings.HasPrefix(why, test.why) || why != "" && test.why == "" || (was != nil) != (test.was != "") || was != nil && was.Path != test.was {
			t.Errorf("%s %s: %v, %q", test.kind, test.version, was, why)
		}
	}
}

// TestDefinition: in a file that has a CRD several times, the one with as many above it is replaced, and each is read once.
func TestDefinition(t *testing.T) {
	t.Parallel()
	s := side(t, fileOf("a.yaml", crdOf("Alpha", "first")+"---\n"+crdWith("Alpha", "second", servedV1+","+unservedV2)))
	now := objects.Definitions("a.yaml", "a.yaml", []byte(crdOf("Alpha", "")+"---\n"+crdOf("Alpha", "")+"---\n"+crdOf("Alpha", "")), false)
	for i, versions := range []int{1, 2, 2} {
		was := s.Definition(now[i])
		if len(was.Hub.Spec.Versions) != versions {
			t.Errorf("%d: of %d versions, want %d", i, len(was.Hub.Spec.Versions), versions)
		}
		if s.Definition(now[i]) != was {
			t.Errorf("%d: it is read again", i)
		}
	}
}
