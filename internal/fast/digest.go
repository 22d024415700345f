package fast

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"math"

	"github.com/crdlift/crdlift/internal/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// A digest stands for a schema without its descriptions. It is another one in another process.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// add puts in another digest, in no order.
func (d *digest) add(other digest) {
	d[0] += other[0]
	d[1] += other[1]
}

// A mark is what a digester found out about a schema.
type mark struct {
	digest     digest
	via, name  string // as in crd.Schema
	below      int    // the number of marks of schemas below it, which follow
	schemas    int    // it is made of, in junctors too
	plain      bool   // the digest has all of it that upstream looks at
	rules      bool   // it has rules, where upstream looks for them
	defaults   bool
	embedded   bool // it has an embedded resource
	extensions bool // of Kubernetes, which ask for a structural schema
}

// A digester makes digests of schemas and of those below them.
type digester struct {
	marks []mark // in the order in which it found them: each before those below it
	text  []byte // of the schemas that it is in
	// members are the properties that it is in: members of maps have no address, and are large.
	members []*apiextensions.JSONSchemaProps
	depth   int
	ruled   bool // one of the schemas has rules
}

// enter gives room for the properties of a schema, one at a time, until it is left.
func (d *digester) enter() *apiextensions.JSONSchemaProps {
	if d.depth++; d.depth > len(d.members) {
		d.members = append(d.members, &apiextensions.JSONSchemaProps{})
	}
	return d.members[d.depth-1]
}

func (d *digester) leave() {
	d.depth--
	*d.members[d.depth] = apiextensions.JSONSchemaProps{}
}

// below are the marks of the schemas directly below one.
func (d *digester) below(at int) iter.Seq[int] {
	return func(yield func(int) bool) {
		end := at + 1 + d.marks[at].below
		for i := at + 1; i < end && yield(i); i += 1 + d.marks[i].below {
		}
	}
}

// scan makes marks of a schema and of those below it, and returns the index of the first.
func (d *digester) scan(via, name string, s *apiextensions.JSONSchemaProps) int {
	at := len(d.marks)
	d.marks = append(d.marks, mark{via: via, name: name})
	m := mark{via: via, name: name, schemas: 1, plain: isPlain(s), rules: len(s.XValidations) > 0, defaults: s.Default != nil, embedded: s.XEmbeddedResource}
	m.extensions = s.XEmbeddedResource || s.XPreserveUnknownFields != nil || s.XIntOrString ||
		len(s.XListMapKeys) > 0 || s.XListType != nil || m.rules
	d.ruled = d.ruled || m.rules
	start := len(d.text)
	d.own(s)
	include := func(via, name string, s *apiextensions.JSONSchemaProps) *mark {
		below := &d.marks[d.scan(via, name, s)]
		m.schemas += below.schemas
		m.plain = m.plain && below.plain
		m.defaults = m.defaults || below.defaults
		m.embedded = m.embedded || below.embedded
		m.extensions = m.extensions || below.extensions
		return below
	}
	var properties digest
	member := d.enter()
	for name := range s.Properties {
		*member = s.Properties[name]
		of := include("properties", name, member)
		m.rules = m.rules || of.rules
		begin := len(d.text)
		d.string(name)
		d.digest(of.digest)
		properties.add(d.sum(begin))
		d.text = d.text[:begin]
	}
	d.leave()
	d.bool(s.Properties == nil)
	d.int(len(s.Properties))
	d.digest(properties)
	if s.Items != nil && s.Items.Schema != nil {
		d.string("items")
		of := include("items", "", s.Items.Schema)
		m.rules = m.rules || of.rules
		d.digest(of.digest)
	}
	if more := s.AdditionalProperties; more != nil {
		d.string("additionalProperties")
		d.bool(more.Allows)
		if more.Schema != nil {
			of := include("additionalProperties", "", more.Schema)
			m.rules = m.rules || of.rules
			d.digest(of.digest)
		}
	}
	m.below = len(d.marks) - at - 1
	apiserver.EachJunctor(s, func(branch *apiextensions.JSONSchemaProps) {
		end := len(d.marks)
		of := include("", "", branch)
		m.plain = m.plain && !of.rules
		d.digest(of.digest)
		d.marks = d.marks[:end] // upstream has its own rules for what is in there
	})
	m.digest = d.sum(start)
	d.text = d.text[:start]
	d.marks[at] = m
	return at
}

// isPlain reports whether a schema has only what the digest has.
func isPlain(s *apiextensions.JSONSchemaProps) bool {
	return s.ID == "" && s.Schema == "" && s.Ref == nil && len(s.PatternProperties) == 0 && s.Dependencies == nil &&
		s.AdditionalItems == nil && len(s.Definitions) == 0 && s.ExternalDocs == nil && s.Example == nil &&
		(s.Items == nil || s.Items.Schema != nil && len(s.Items.JSONSchemas) == 0)
}

// own writes what a schema says itself.
func (d *digester) own(s *apiextensions.JSONSchemaProps) {
	d.string(s.Type)
	d.string(s.Format)
	d.string(s.Pattern)
	d.bool(s.Nullable)
	d.bool(s.ExclusiveMaximum)
	d.bool(s.ExclusiveMinimum)
	d.bool(s.UniqueItems)
	d.bool(s.XIntOrString)
	d.bool(s.Title != "")
	d.bool(s.Description != "") // which junctors may not have
	for _, n := range []*float64{s.Maximum, s.Minimum, s.MultipleOf} {
		if d.bool(n != nil); n != nil {
			d.text = binary.LittleEndian.AppendUint64(d.text, math.Float64bits(*n))
		}
	}
	for _, n := range []*int64{s.MaxLength, s.MinLength, s.MaxItems, s.MinItems, s.MaxProperties, s.MinProperties} {
		if d.bool(n != nil); n != nil {
			d.text = binary.AppendVarint(d.text, *n)
		}
	}
	for _, text := range []*string{s.XListType, s.XMapType} {
		if d.bool(text != nil); text != nil {
			d.string(*text)
		}
	}
	if d.bool(s.XPreserveUnknownFields != nil); s.XPreserveUnknownFields != nil {
		d.bool(*s.XPreserveUnknownFields)
	}
	d.strings(s.Required)
	d.strings(s.XListMapKeys)
	d.int(len(s.Enum))
	for _, v := range s.Enum {
		d.value(v)
	}
	if d.bool(s.Default != nil); s.Default != nil {
		d.value(*s.Default)
	}
	d.bool(s.XEmbeddedResource)
	d.bool(s.XValidations == nil)
	d.int(len(s.XValidations))
	for _, r := range s.XValidations {
		d.string(r.Rule)
		d.string(r.Message)
		d.string(r.MessageExpression)
		d.string(r.FieldPath)
		if d.bool(r.Reason != nil); r.Reason != nil {
			d.string(string(*r.Reason))
		}
		if d.bool(r.OptionalOldSelf != nil); r.OptionalOldSelf != nil {
			d.bool(*r.OptionalOldSelf)
		}
	}
	d.int(len(s.AllOf))
	d.int(len(s.AnyOf))
	d.int(len(s.OneOf))
	d.bool(s.Not != nil)
}

// value writes a value in JSON.
func (d *digester) value(v any) {
	switch v := v.(type) {
	case map[string]any:
		d.string("{")
		var members digest
		for name, member := range v {
			begin := len(d.text)
			d.string(name)
			d.value(member)
			members.add(d.sum(begin))
			d.text = d.text[:begin]
		}
		d.int(len(v))
		d.digest(members)
	case []any:
		d.string("[")
		d.int(len(v))
		for _, item := range v {
			d.value(item)
		}
	default: // 1 and 1.0 differ by their types
		d.string(fmt.Sprintf("%T %v", v, v))
	}
}

func (d *digester) string(s string) {
	d.int(len(s))
	d.text = append(d.text, s...)
}

// strings writes a list. Upstream compares some schemas by reflection, for which none is not an empty one.
func (d *digester) strings(all []string) {
	d.bool(all == nil)
	d.int(len(all))
	for _, s := range all {
		d.string(s)
	}
}

func (d *digester) int(n int) { d.text = binary.AppendVarint(d.text, int64(n)) }

func (d *digester) bool(b bool) {
	if b {
		d.text = append(d.text, 1)
	} else {
		d.text = append(d.text, 0)
	}
}

func (d *digester) digest(of digest) {
	d.text = binary.LittleEndian.AppendUint64(d.text, of[0])
	d.text = binary.LittleEndian.AppendUint64(d.text, of[1])
}

// sum is the digest of what was written from an offset on.
func (d *digester) sum(from int) digest {
	return digest{maphash.Bytes(seeds[0], d.text[from:]), maphash.Bytes(seeds[1], d.text[from:])}
}
