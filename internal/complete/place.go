package complete

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// A Text is a file that somebody writes, and the CRDs with which its objects are checked.
type Text struct {
	Path   string
	Source []byte
	CRDs   *objects.Catalogue
}

// A Place is a value in an object of a known kind, whether it is written or not.
type Place struct {
	Definition *objects.Definition
	Version    *request.Version
	Server     *request.Server
	Object     *skeleton.Node // that it is in
	Steps      request.Path   // to it

	way     sample.Path    // the same in the schema
	schemas sample.Schemas // what the CRD says about it
	meta    reflect.Type   // of metadata, and of what is in it, in Go; nil elsewhere
}

// PlaceOf is the place of a node in the innermost object around it whose kind a CRD defines; nil without one. What names an
// object inside of another one, as references do, is no object.
func (t *Text) PlaceOf(n *skeleton.Node) (p *Place) {
	if n.Parent != nil {
		if p = t.PlaceOf(n.Parent); p != nil {
			p = p.below(stepTo(n))
		}
	}
	if p == nil || p.isObject() || len(p.schemas) == 0 && p.meta == nil {
		if object := t.object(n); object != nil {
			return object
		}
	}
	if p == nil {
		return t.fieldOfCase(n)
	}
	return p
}

// stepTo is the step from what a node is in.
func stepTo(n *skeleton.Node) request.Step {
	if n.Parent.Kind != skeleton.Sequence {
		return request.Key(n.Key)
	}
	if i := slices.Index(n.Parent.Children, n); i >= 0 {
		return request.Index(i)
	}
	return request.Index(len(n.Parent.Children)) // one that is not written yet
}

// object is the place of an object; nil for a node that is none of a kind that a CRD defines.
func (t *Text) object(n *skeleton.Node) *Place {
	apiVersion, kind := n.Child("apiVersion"), n.Child("kind")
	if apiVersion == nil || kind == nil {
		return nil
	}
	version := apiVersion.Text[strings.LastIndex(apiVersion.Text, "/")+1:]
	for _, d := range t.CRDs.Of(objects.GroupOf(apiVersion.Text), kind.Text, t.Path) {
		if p := t.placeBy(d, version); p != nil {
			p.Object = n
			return p
		}
	}
	return nil
}

// placeBy is the root of the objects of a version; nil where the CRD does not serve any.
func (t *Text) placeBy(d *objects.Definition, version string) *Place {
	if d.Unread() != "" {
		return nil
	}
	server, _ := d.Server()
	if server == nil || server.Version(version) == nil {
		return nil
	}
	v := server.Version(version)
	return &Place{Definition: d, Version: v, Server: server, schemas: sample.SchemasOf(v)}
}

var (
	objectMeta = reflect.TypeFor[metav1.ObjectMeta]()
	metaTime   = reflect.TypeFor[metav1.Time]()
	metaFields = reflect.TypeFor[metav1.FieldsV1]()
)

// below is the place of a member or an item.
func (p *Place) below(step request.Step) *Place {
	q := *p
	q.Steps, q.schemas, q.meta = p.Steps.To(step), nil, nil
	switch {
	case p.meta != nil:
		q.meta = metaBelow(p.meta, step)
		return &q
	case step.IsIndex():
		q.way = p.way.To(sample.Items, "")
	case p.isObject() && step.Key == "metadata":
		q.way, q.meta = p.way.To(sample.Property, step.Key), objectMeta
		return &q
	default:
		q.way = p.way.To(sample.Property, step.Key)
		if !p.schemas.Names()[step.Key] {
			q.way = p.way.To(sample.Values, "")
		}
	}
	q.schemas = p.schemas.Child(q.way[len(q.way)-1])
	return &q
}

// metaBelow is the type of a member or an item of a type; nil where there is none.
func metaBelow(t reflect.Type, step request.Step) reflect.Type {
	switch {
	case t.Kind() == reflect.Struct && !step.IsIndex() && t != metaTime && t != metaFields:
		t = request.FieldsOf(t)[step.Key]
	case t.Kind() == reflect.Map && !step.IsIndex() || t.Kind() == reflect.Slice && step.IsIndex():
		t = t.Elem()
	default:
		return nil
	}
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// isObject reports whether the value has apiVersion, kind and metadata as every object.
func (p *Place) isObject() bool {
	return len(p.Steps) == 0 || slices.ContainsFunc(p.schemas, func(s *apiextensions.JSONSchemaProps) bool { return s.XEmbeddedResource })
}

// main is what the CRD says of the value first; nil where it says nothing.
func (p *Place) main() *apiextensions.JSONSchemaProps {
	if len(p.schemas) == 0 {
		return nil
	}
	return p.schemas[0]
}

// is is the type of the value in the words of schemas; "" where any will do.
func (p *Place) is() string {
	if p.meta != nil {
		switch {
		case p.meta == metaTime:
			return "string"
		case p.meta.Kind() == reflect.Struct || p.meta.Kind() == reflect.Map:
			return "object"
		case p.meta.Kind() == reflect.Slice:
			return "array"
		case p.meta.Kind() == reflect.Bool:
			return "boolean"
		case p.meta.Kind() == reflect.Int64:
			return "integer"
		}
		return "string"
	}
	for _, s := range p.schemas {
		switch {
		case s.XIntOrString:
			return "integer or string"
		case s.Type != "":
			return s.Type
		}
	}
	if p.isObject() {
		return "object"
	}
	return ""
}

// keys are the names of the members that the value may have, in the order of importance: what it has to have, what it may, what only
// servers and controllers write.
func (p *Place) keys() (all []key) {
	names := p.schemas.Names()
	if p.meta != nil {
		if p.meta.Kind() != reflect.Struct || p.meta == metaTime || p.meta == metaFields {
			return nil
		}
		names = map[string]bool{}
		for name := range request.FieldsOf(p.meta) {
			names[name] = name != "namespace" || len(p.Steps) > 1 || p.Version.Namespaced()
		}
	} else if p.isObject() {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			names[name] = true
		}
	}
	for name, is := range names {
		if is && p.admits(name) {
			all = append(all, key{name, p.rank(name)})
		}
	}
	slices.SortFunc(all, func(a, b key) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return strings.Compare(a.name, b.name)
	})
	return all
}

// A key is the name of a member.
type key struct {
	name string
	rank int
}

// The ranks of members.
const (
	rankRequired = iota
	rankUsual
	rankOther
	rankServer     // what servers and controllers write
	rankDeprecated // what nobody should write any more
)

// rank says how likely a member is to be written.
func (p *Place) rank(name string) int {
	switch {
	case p.meta == objectMeta:
		switch name {
		case "name":
			return rankRequired
		case "namespace", "labels", "annotations":
			return rankUsual
		case "generateName", "finalizers", "ownerReferences":
			return rankOther
		}
		return rankServer
	case p.isRequired(name) && !p.below(request.Key(name)).hasDefault():
		return rankRequired
	case len(p.Steps) == 0 && name == "status":
		return rankServer
	case p.below(request.Key(name)).isDeprecated():
		return rankDeprecated
	}
	return rankOther
}

func (p *Place) hasDefault() bool {
	s := p.main()
	return s != nil && s.Default != nil
}

// isRequired reports whether the value has to have a member.
func (p *Place) isRequired(name string) bool {
	if p.isObject() && (name == "apiVersion" || name == "kind" || name == "metadata" && len(p.Steps) == 0) || len(p.Steps) == 0 && name == "spec" { // no object is of use without
		return true
	}
	return slices.ContainsFunc(p.schemas, func(s *apiextensions.JSONSchemaProps) bool {
		return slices.Contains(s.Required, name) || s.XListType != nil && slices.Contains(s.XListMapKeys, name)
	})
}

// admits reports whether the value may have a member at all: some schemas say of one that it may not be there.
func (p *Place) admits(name string) bool {
	return !slices.ContainsFunc(p.schemas, func(s *apiextensions.JSONSchemaProps) bool {
		member, found := s.Properties[name]
		return found && member.Not != nil && reflect.DeepEqual(*member.Not, apiextensions.JSONSchemaProps{})
	})
}

// isDeprecated reports whether the description of the value says so, as Go's and Kubernetes' conventions have it.
func (p *Place) isDeprecated() bool {
	s := p.main()
	if s == nil {
		return false
	}
	text := strings.ToLower(s.Description)
	return strings.HasPrefix(text, "deprecated") || strings.Contains(text, "\ndeprecated:") || strings.Contains(text, ". deprecated:") || strings.Contains(text, " deprecated: ")
}
