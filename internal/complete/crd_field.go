package complete

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// A crdField is one of the API of CRDs, and what there is to say about it.
type crdField struct {
	name   string
	where  []string // it may be written
	values []string
	doc    string // Markdown
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
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		of, name, _ := strings.Cut(columns[0], ".")
		page, anchor, _ := strings.Cut(columns[3], "#")
		link := "https://kubernetes.io/docs/" + pages[page]
		if anchor != "" {
			link += "#" + anchor
		}
		f := &crdField{name: name, doc: columns[4] + "\n\n" + link}
		f.where, f.values = listOf(columns[1]), listOf(columns[2])
		all[of] = append(all[of], f)
	}
	return all
})

// listOf are the words between commas.
func listOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

// is reports whether a field may be written in a way alone.
func (f *crdField) is(where string) bool { return slices.Contains(f.where, where) }

// types are those of the values that a keyword is for; none for all.
func (f *crdField) types() (all []string) {
	for _, w := range f.where {
		if slices.Contains(schemaTypes, w) {
			all = append(all, w)
		}
	}
	return all
}

// schemaTypes are those that a schema may name.
var schemaTypes = []string{"array", "boolean", "integer", "number", "object", "string"}
