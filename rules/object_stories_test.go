package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// TestObjectStories tells what is said of custom resources. A story in objects.txt is
//
//	# what somebody wrote
//	! the rules that are off, if any, or RULE=warning
//	- the members of the CRD's schema, behind "status: " if there is a status subresource
//	+ those of the object
//	  the answer: severity, rule, path, the title of the fix if there is one, and the message
func TestObjectStories(t *testing.T) {
	t.Parallel()
	var schema, settings string
	tellStories(t, "testdata/objects.txt", func(line string) string {
		switch rest := strings.TrimSpace(line[1:]); line[0] {
		case '#':
			settings = ""
		case '!':
			settings = rest
		case '-':
			schema = rest
		case '+':
			return objectTold(t, schema, settings, rest)
		}
		return ""
	})
}

// objectTold are the findings about an object, as a story has them.
func objectTold(t *testing.T, schema, settings, object string) string {
	t.Helper()
	schema, status := strings.CutPrefix(schema, "status: ")
	subresources := ""
	if status {
		subresources = "subresources: {status: {}}, "
	}
	crd := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions: [{name: v1, served: true, storage: true, ` + subresources + `schema: {openAPIV3Schema: {type: object, ` + schema + `}}}]
`
	judge := &objectpass.Objects{Catalogue: &objects.Catalogue{}}
	judge.Catalogue.Add(objects.Definitions("crd.yaml", "crd.yaml", []byte(crd), true)...)
	config := &lint.Config{Preset: lint.All, Rules: map[string]lint.Severity{}}
	for rule := range strings.FieldsSeq(settings) {
		rule, severity, _ := strings.Cut(rule, "=")
		config.Rules[rule] = map[string]lint.Severity{"": lint.Off, "warning": lint.Warning}[severity]
	}
	metadata := "metadata: {name: a}\n"
	if strings.HasPrefix(object, "metadata: ") {
		metadata = ""
	}
	l := &engine.Linter{Rules: allRules, Kind: judge, Options: lint.Options{Config: config}}
	var all strings.Builder
	for _, f := range l.File("o.yaml", []byte("apiVersion: example.com/v1\nkind: Foo\n"+metadata+strings.ReplaceAll(object, "}, status: ", "}\nstatus: ")+"\n")).Findings {
		fix := "-"
		if f.Fix != nil {
			fix = f.Fix.Title
		}
		fmt.Fprintf(&all, "  %s %s %s (%s): %s\n", f.Severity, f.Rule.ID, f.Path, fix, f.Message)
	}
	return all.String()
}
