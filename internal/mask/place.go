package mask

import (
	"reflect"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A kind is what Kubernetes knows of a value beside its schema.
type kind int

const (
	aValue    kind = iota // what its schema says
	anObject              // it has apiVersion, kind and metadata
	aMetadata             // ObjectMeta, or a type in it
	aMap                  // labels, annotations
)

// A place is what is known of a value by the way that leads to it.
type place struct {
	options Options
	schema  *crd.Schema // nil where none describes the value
	guessed bool        // the schema is of another version: only the names that it declares are known to be no data
	kind    kind
	typ     reflect.Type // of aMetadata
	root    bool         // the object, or its metadata
	shown   bool         // in spite of Options.All: the value identifies the object
	secret  bool         // the value is hidden unless everything is shown, and all that is in it
	whole   bool         // nothing in it is shown, not even names
	private bool         // the value identifies the object, and must not be shown
}

// What Kubernetes keeps of an object's other forms: not parsed, and hidden as a whole.
const (
	lastApplied   = "kubectl.kubernetes.io/last-applied-configuration"
	managedFields = "managedFields"
)

// member is the place of an entry; declared is false if only the object, and not its CRD, has the name.
func (p place) member(name string) (below place, declared bool) {
	below = place{options: p.options, guessed: p.guessed, secret: p.secret || isSecret(name), whole: p.whole}
	switch {
	case p.kind == anObject && name == "metadata":
		below.kind, below.root, below.typ = aMetadata, p.root, reflect.TypeFor[metav1.ObjectMeta]()
		return below, true
	case p.kind == anObject && (name == "apiVersion" || name == "kind"):
		below.shown = p.root
		return below, true
	case p.kind == aMetadata:
		return below.ofMetadata(p, name)
	case p.kind == aMap:
		below.whole = below.whole || name == lastApplied
		below.secret = below.secret || below.whole
		return below, name == lastApplied
	case p.schema == nil:
		return below, false
	}
	if s := p.schema.Property(name); s != nil {
		return below.of(s), true
	}
	return below.of(p.schema.AdditionalProperties()), p.schema.Required(name)
}

// of is the place with its schema.
func (p place) of(s *crd.Schema) place {
	p.schema = s
	if s == nil {
		return p
	}
	p.secret = p.secret || s.Text("format") == "password"
	if s.Flag("x-kubernetes-embedded-resource") {
		p.kind = anObject
	}
	return p
}

// ofMetadata is the place as a field of ObjectMeta or of a type in it.
func (p place) ofMetadata(parent place, name string) (place, bool) {
	if parent.typ == nil {
		return p, false
	}
	typ, found := request.FieldsOf(parent.typ)[name]
	if !found {
		return p, false
	}
	p.kind = aMetadata
	switch {
	case typ.Kind() == reflect.Map:
		p.kind = aMap
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct:
		p.typ = typ.Elem()
	}
	if parent.root {
		identifies := name == "name" || name == "namespace"
		p.shown, p.private = identifies && !p.options.Anonymous, (identifies || name == "generateName") && p.options.Anonymous
	}
	p.whole = p.whole || name == managedFields
	p.secret = p.secret || p.whole
	return p, true
}

// item is the place of an item of a list.
func (p place) item() place {
	below := place{options: p.options, guessed: p.guessed, kind: p.kind, typ: p.typ, secret: p.secret, whole: p.whole}
	if p.kind == anObject {
		below.kind = aValue
	}
	if p.schema != nil {
		below = below.of(p.schema.Items())
	}
	return below
}

// isMap reports whether the names of the value's entries are data, and no fields.
func (p place) isMap() bool {
	switch p.kind {
	case aMap:
		return true
	case aMetadata:
		return p.typ == nil
	}
	return p.guessed || p.schema == nil || p.schema.AdditionalProperties() != nil || p.schema.KeepsUnknown()
}

// hides reports whether a scalar is hidden.
func (p place) hides(value any) bool {
	if value == nil || p.shown {
		return false
	}
	text, _ := value.(string)
	return p.private || p.options.All || p.options.Secrets && (p.secret || keyMaterial(text))
}

// keyMaterial reports whether a text has a private key in it.
func keyMaterial(text string) bool { return strings.Contains(text, "PRIVATE KEY-----") }

var (
	secretWords = text.Pattern(`password|passwd|passphrase|pwd$|secret|token|credential|apikey|accesskey|privatekey|signingkey|encryptionkey`)
	referring   = text.Pattern(`(?:name|namespace|ref|reference|selector|type|kind)s?$`)
	noLetters   = text.Pattern(`[^a-z0-9]`)
)

// isSecret reports whether a name says that its value is secret. secretName and passwordRef only say where the secret is.
func isSecret(name string) bool {
	name = noLetters().ReplaceAllString(strings.ToLower(name), "")
	return secretWords().MatchString(name) && !referring().MatchString(name)
}

// May reports whether a text, of which no more is known, may have something secret in it.
func May(text []byte) bool {
	word := noLetters().ReplaceAllString(strings.ToLower(string(text)), "")
	return secretWords().MatchString(word) || strings.Contains(word, "kindsecret") || keyMaterial(string(text))
}
