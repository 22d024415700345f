package complete

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// A crdField is one of the API of CRDs, and what there is to say about it.
type crdField struct {
	name                 string
	where, types, values []string
	doc                  string // Markdown
}

//go:embed crd_fields.txt
var fieldLines string

// pages are those of Kubernetes' documentation.
var pages = map[string]string{
	"crd":      "tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
	"versions": "tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
	"api":      "reference/kubernetes-api/extend-resources/custom-resource-definition-v1/",
	"apply":    "reference/using-api/server-side-apply/",
	"names":    "concepts/overview/working-with-objects/names/",
	"labels":   "concepts/overview/working-with-objects/labels/",
	"notes":    "concepts/overview/working-with-objects/annotations/",
}

// fieldsOf are the fields by the names of the Go types that have them, the likeliest first.
var fieldsOf = sync.OnceValue(func() map[string][]*crdField {
	all := map[string][]*crdField{}
	for line := range strings.Lines(fieldLines) {
		if columns := strings.Split(strings.TrimSpace(line), "\t"); len(columns) == 6 {
			of, name, _ := strings.Cut(columns[0], ".")
			page, anchor, _ := strings.Cut(columns[4], "#")
			link := strings.TrimSuffix("https://kubernetes.io/docs/"+pages[page]+"#"+anchor, "#")
			all[of] = append(all[of], &crdField{name, listOf(columns[1]), listOf(columns[2]), listOf(columns[3]), columns[5] + "\n\n" + link})
		}
	}
	return all
})

// listOf are the words between commas.
func listOf(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }

// is reports whether a field may be written in a way alone.
func (f *crdField) is(where string) bool { return slices.Contains(f.where, where) }
