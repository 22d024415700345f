package complete

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestCRDsAreJudged writes what is offered at the end of each part of CRDs, and asks the API server: it knows the field, and does
// not forbid it. What is not offered it does not know or forbids, or it is for values of another type.
func TestCRDsAreJudged(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"testdata/garden.yaml", "testdata/whole.yaml", "testdata/old.yaml"} {
		t.Run(name, func(t *testing.T) { judgeOffers(t, string(readFile(t, name)), 1, true) })
	}
}

// TestCRDsOfTheCorpus does the same with real CRDs.
func TestCRDsOfTheCorpus(t *testing.T) {
	t.Parallel()
	for _, name := range corpus.Sample(t, corpus.Files(t, "v1", "v1beta1"), 20) {
		if src := readFile(t, name); len(src) < 200_000 {
			t.Run(name, func(t *testing.T) { judgeOffers(t, string(src), 1+len(src)/500, false) })
		}
	}
}

// judgeOffers judges what is offered in every nth part of a CRD that the server takes as it is.
func judgeOffers(t *testing.T, src string, nth int, complete bool) {
	root := skeleton.Of([]byte(src), 0)
	before, ok := judged(src)
	if !ok || len(before) > 0 {
		if complete {
			t.Fatalf("not taken: %v", before)
		}
		return
	}
	n, none := 0, &objects.Catalogue{}
	var visit func(n *skeleton.Node)
	visit = func(at *skeleton.Node) {
		for _, c := range at.Children {
			visit(c)
		}
		p := partOf(at)
		if p == nil || p.of == nil || at.Kind != skeleton.Mapping || at.Flow || len(at.Children) == 0 {
			return
		}
		if n++; n%nth != 0 {
			return
		}
		for _, c := range at.Children {
			if c.Kind != skeleton.Scalar || c.Block || c.Key == "type" && p.isSchema() || c.Key == "apiVersion" || c.Key == "rule" { // with which all else has to agree
				continue
			}
			text := &Text{Source: []byte(src), CRDs: none}
			for _, item := range text.At(c.End) {
				now := src[:item.Start] + item.Insert + src[item.End:]
				if errs, ok := judged(now); !ok || slices.ContainsFunc(errs, func(err *field.Error) bool { return strings.HasSuffix(err.Field, "."+c.Key) }) {
					t.Errorf("%s: %s is rejected: %v", pathTo(c), item.Insert, errs)
				}
			}
		}
		newline := "\n" + strings.Repeat(" ", at.Column)
		offset := at.End + len(newline)
		text := &Text{Source: []byte(src[:at.End] + newline + src[at.End:]), CRDs: none}
		offered := map[string]bool{}
		for _, item := range text.At(offset) {
			if item.Kind == Value || item.Start != offset {
				continue
			}
			offered[item.Label] = true
			written := smallest(item)
			now := string(text.Source[:offset]) + strings.ReplaceAll(written, "\n", newline) + string(text.Source[offset:])
			if errs, ok := judged(now); !ok {
				t.Errorf("%s is not known:\n%s", pathTo(at), written)
			} else if err := refusal(errs, item.Label, strings.Contains(src, "/v1beta1\nkind: CustomResourceDefinition")); err != nil {
				t.Errorf("%s in %s: %v", item.Label, pathTo(at), err)
			}
		}
		if !complete || !p.isSchema() {
			return
		}
		for _, f := range fieldsOf()["JSONSchemaProps"] {
			if offered[f.name] || at.Child(f.name) != nil || slices.Contains(excluded[f.name], intOrString) || f.name == intOrString ||
				len(f.types) > 0 || f.is("v1") { // the server takes a type beside an integer or string; 1.21 drops what it does not know
				continue
			}
			now := string(text.Source[:offset]) + f.name + ": " + values[f.name] + string(text.Source[offset:])
			if errs, ok := judged(now); ok && len(errs) == 0 {
				t.Errorf("%s in %s is not offered, and the server takes it", f.name, pathTo(at))
			}
		}
	}
	visit(root)
	if complete && n < 10 {
		t.Errorf("only %d parts", n)
	}
}

// refusal is an error by which the server rejects a field, rather than its value. A field of Kubernetes' own asks of v1beta1 that
// all else be structural.
func refusal(errs field.ErrorList, name string, beta bool) error {
	for _, err := range errs {
		ofValue := (name == "enum" || name == "default") && err.Type == field.ErrorTypeNotSupported || strings.Contains(err.Detail, "estimated rule cost")
		if refused := err.Type == field.ErrorTypeForbidden || err.Type == field.ErrorTypeNotSupported; refused && !ofValue && (!beta || strings.HasSuffix(err.Field, "."+name)) {
			return err
		}
	}
	return nil
}

// judged are the errors of the first CRD of a text; ok is false where it has unknown fields or cannot be read.
func judged(src string) (errs field.ErrorList, ok bool) {
	all := crd.Parse([]byte(src))
	if len(all) == 0 {
		return nil, false
	}
	d, err := all[0].Decode()
	if err != nil || len(all[0].UnknownFields()) > 0 {
		return nil, false
	}
	v := apiserver.OnCreate(d.Hub, all[0].Version)
	return v.Errors, v.Panic == "" // as upstream does for some that it rejects
}

var stops = regexp.MustCompile(`\$\{\d+(?:\|([^,|}]*)[^}]*|:([^}]*))?\}`)

// values are small ones of fields that take no text.
var values = map[string]string{
	"priority": "1", "port": "443", "minLength": "0", "maxLength": "9", "minItems": "0", "maxItems": "9", "minProperties": "0", "maxProperties": "9",
	"minimum": "0", "maximum": "9", "multipleOf": "1", "caBundle": "eA==", "pattern": "a", "default": "1", "example": "1", "type": "string",
	"$ref": "x", "$schema": "x", "id": "x", "definitions": "{a: {}}", "dependencies": "{a: [b]}", "patternProperties": "{a: {}}", "additionalItems": "true",
	"uniqueItems": "true", "description": "x", "title": "x", "nullable": "true", intOrString: "true", keepsAll: "true", "anyOf": "[{}]", "allOf": "[{}]",
	"oneOf": "[{}]", "not": "{}", "externalDocs": "{}", "x-kubernetes-validations": "[{rule: self == self}]", listMapKeys: "[x]",
}

// smallest is an item as somebody writes it who takes the first value there is.
func smallest(item Item) string {
	written := item.Insert
	if item.Snippet != "" {
		written = item.Snippet
	}
	one := strings.Count(written, "${") == 1
	written = stops.ReplaceAllStringFunc(written, func(stop string) string {
		m := stops.FindStringSubmatch(stop)
		switch value, known := values[item.Label]; {
		case m[1] != "":
			return m[1]
		case m[2] != "":
			return m[2]
		case one && (strings.HasPrefix(item.Detail, "object") || slices.Contains([]string{"anyOf", "allOf", "oneOf"}, item.Label) || item.Detail == "schema"):
			return "{}"
		case item.Label == "x-kubernetes-validations":
			return `"true"`
		case known:
			return value
		}
		return "x"
	})
	return strings.NewReplacer("\\", "").Replace(written)
}

// pathTo is where a node is.
func pathTo(n *skeleton.Node) string {
	if n.Parent == nil {
		return ""
	}
	if n.Parent.Kind == skeleton.Sequence {
		return pathTo(n.Parent) + "[" + string(rune('0'+slices.Index(n.Parent.Children, n))) + "]"
	}
	return pathTo(n.Parent) + "." + n.Key
}
