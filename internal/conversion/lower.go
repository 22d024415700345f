package conversion

import (
	"fmt"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// runDown converts to v1beta1. Only what a v1 server accepts has a meaning to keep.
func (j *job) runDown() policy.State {
	switch {
	case j.input.Version == crd.V1beta1:
		return policy.AlreadyThere
	case j.input.Version != crd.V1:
		j.reportVersion()
		return policy.NeedsPerson
	case j.input.IsPart():
		j.reportPart(policy.V1beta1)
		return policy.NeedsPerson
	}
	j.yttValues()
	d, err := j.input.Decode()
	if err != nil {
		j.undecoded("v1", err)
		return policy.NeedsPerson
	}
	j.decoded = d
	j.judgeInput()
	j.reportOlder()
	if j.reported() {
		return policy.NeedsPerson
	}
	j.begin()
	j.dropUnknown()
	j.dropIdle()
	j.losses()
	if j.reported() {
		return policy.NeedsPerson
	}
	j.lower()
	if d, err = j.work.Decode(); err != nil {
		j.unreadable("v1beta1", err)
		return policy.NeedsPerson
	}
	j.judged(d, crd.V1beta1)
	if j.reported() {
		return policy.NeedsPerson
	}
	return policy.Converted
}

// losses finds what v1beta1 cannot carry: its last server rejects defaults on create, and knows neither CEL rules nor
// selectable fields.
func (j *job) losses() {
	versions := crd.Get(j.work.Node, "spec", "versions")
	for i, item := range versions.Content {
		path := crd.Item("spec.versions", i)
		j.loss(item, "selectableFields", path, "feature-newer-than-target",
			"v1beta1 has no selectableFields; without them field selectors on these fields stop working")
		if root := crd.Get(item, "schema", "openAPIV3Schema"); root != nil {
			j.schemaLosses(root, path+".schema.openAPIV3Schema")
		}
	}
}

// schemaFields are the keywords whose value is a schema, or schemas by name, that can have what v1beta1 cannot carry: v1
// servers reject defaults and rules inside of allOf, anyOf, oneOf and not.
var schemaFields = []string{"items", "additionalProperties", "properties"}

func (j *job) schemaLosses(schema *yaml.Node, path string) {
	schema = crd.Deref(schema)
	if schema == nil || schema.Kind != yaml.MappingNode {
		return
	}
	j.loss(schema, "default", path, "default-in-v1beta1",
		"v1beta1 servers reject defaults; without it the field is not defaulted")
	j.loss(schema, "x-kubernetes-validations", path, "feature-newer-than-target",
		"v1beta1 servers do not know CEL rules; without them more objects are accepted")
	j.requireKeys(schema, path)
	for _, field := range schemaFields {
		value := crd.Get(schema, field)
		switch at := crd.Join(path, field); {
		case value == nil:
		case field == "properties":
			for _, e := range crd.Entries(value) {
				j.schemaLosses(e.Value, crd.Under(at, e.Name))
			}
		default:
			j.schemaLosses(value, at)
		}
	}
}

// loss reports one thing that v1beta1 cannot carry, or leaves it out and says so.
func (j *job) loss(from *yaml.Node, key, path, rule, message string) {
	k, v := crd.Lookup(from, key)
	if k == nil || crd.IsNull(v) {
		return
	}
	if j.opt.OnLoss != policy.DropLoss {
		drop := policy.Choice{Name: "on-loss", Word: string(policy.DropLoss)}
		j.report(rule, crd.Place{Node: k, Path: crd.Join(path, key)}, message+"; "+drop.String()+" leaves it out").Advised = drop
		return
	}
	n := j.remove(crd.Deref(from), key, path, "left-out-for-v1beta1", message+"; it was left out")
	n.Class = policy.Changes
	n.differs(crd.Join(path, key))
}

// requireKeys requires the keys of a list map that are not. They had a default: servers ask for one of the two
// (validateMapListKeysMapSet).
func (j *job) requireKeys(list *yaml.Node, path string) {
	if j.opt.OnLoss != policy.DropLoss || crd.StringAt(list, "x-kubernetes-list-type") != "map" {
		return
	}
	items := crd.Get(list, "items")
	path = crd.Join(path, "items")
	var keys []string
	for _, key := range crd.Items(crd.Get(list, "x-kubernetes-list-map-keys")) {
		keys = append(keys, crd.StringAt(key))
	}
	touched, added := layout.Require(items, keys...)
	for _, name := range added {
		j.changes("list-map-key-required", crd.Place{Node: items, Path: path}, fmt.Sprintf(
			"%s is a key of this list and loses its default, so it is required now; servers reject items without it", name)).
			touch(touched...).differs(crd.Join(path, "required"))
		touched = nil // they change once
	}
}

// lower gives the CRD the layout of v1beta1.
func (j *job) lower() {
	spec := crd.Get(j.work.Node, "spec")
	versions := crd.Get(spec, "versions")
	d, err := j.work.Decode()
	if err != nil {
		return // the caller decodes again and reports it
	}
	j.setVersion(crd.V1beta1)
	for _, f := range []layout.Field{layout.Subresources, layout.Columns, layout.Schema} {
		if hoisted(d.Hub, f) {
			j.hoist(spec, versions, f.V1, f.V1beta1)
		}
	}
	j.renameBack(spec, versions)
	j.flattenWebhook(crd.Get(spec, "conversion"))
	if preserve, set := crd.BoolAt(spec, "preserveUnknownFields"); !set || preserve {
		n := j.did("preserve-unknown-fields-written-out", "spec", "preserveUnknownFields: false was written out; v1beta1 defaults to true", spec)
		n.touch(insert(spec, "preserveUnknownFields", layout.Bool(false))...)
	}
	if j.opt.WithVersionField && crd.Get(spec, "version") == nil {
		name := layout.String(crd.StringAt(versions.Content[0], "name"))
		j.did("version-field-added", "spec", "version names the first of versions, for servers that know no versions", spec).
			touch(insert(spec, "version", name)...)
	}
	j.dropStatus(j.work.Node)
}

// hoisted reports whether upstream's conversion holds a field once for all versions: when they are semantically equal
// (Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec).
func hoisted(hub *apiextensions.CustomResourceDefinition, f layout.Field) bool {
	for _, v := range hub.Spec.Versions {
		switch {
		case f == layout.Schema && v.Schema != nil,
			f == layout.Subresources && v.Subresources != nil,
			f == layout.Columns && len(v.AdditionalPrinterColumns) > 0:
			return false
		}
	}
	return true
}

// hoist moves a field that all versions share to the top level. The first version's entry moves, with its
// comments; the others' go, and the writer keeps those of their comments that say something else.
func (j *job) hoist(spec, versions *yaml.Node, from, to string) {
	var key, value *yaml.Node
	var source string
	for i, item := range versions.Content {
		k, v := crd.Lookup(item, from)
		if k == nil {
			continue
		}
		path := crd.Item("spec.versions", i)
		if crd.IsNull(v) || key != nil {
			j.remove(crd.Deref(item), from, path, "moved-to-top-level", from+" is the same in all versions; v1beta1 has it once, as spec."+to)
			continue
		}
		j.noteShadowed(item, from, path)
		key, value, source = k, v, crd.Join(path, from)
		n := j.did("moved-to-top-level", crd.Join(path, from), "moved to spec."+to+", where v1beta1 has what all versions share", k)
		n.touch(layout.Separators(crd.Deref(item))...)
		for _, gone := range layout.Remove(item, from) {
			if gone != v { // whose lines move as they are
				n.touch(gone)
			}
		}
	}
	if key == nil {
		return
	}
	if j.hoisted == nil {
		j.hoisted = map[string]string{}
	}
	j.hoisted["spec."+to] = source
	key.Value = to
	layout.InsertSorted(spec, key, value)
}

// insert puts a new entry into a mapping, and returns the source nodes whose lines change.
func insert(m *yaml.Node, key string, value *yaml.Node) []*yaml.Node {
	layout.Remove(m, key)
	layout.InsertSorted(m, layout.String(key), value)
	return layout.Separators(m)
}

// renameBack spells jsonPath as v1beta1 does.
func (j *job) renameBack(spec, versions *yaml.Node) {
	rename := func(columns *yaml.Node, path string) {
		if columns == nil || columns.Kind != yaml.SequenceNode {
			return
		}
		for i, c := range columns.Content {
			if k, _ := crd.Lookup(c, "jsonPath"); k != nil {
				j.did("column-path-renamed", crd.Item(path, i), "jsonPath is spelled JSONPath in v1beta1", k).
					touch(layout.Rename(crd.Deref(c), "jsonPath", "JSONPath")...)
			}
		}
	}
	rename(crd.Get(spec, "additionalPrinterColumns"), "spec.versions[0].additionalPrinterColumns")
	for i, item := range versions.Content {
		rename(crd.Get(item, "additionalPrinterColumns"), crd.Item("spec.versions", i)+".additionalPrinterColumns")
	}
}

// flattenWebhook moves what stands below `webhook` one level up.
func (j *job) flattenWebhook(conversion *yaml.Node) {
	k, webhook := crd.Lookup(conversion, "webhook")
	if k == nil {
		return
	}
	n := j.did("webhook-client-config-moved", "spec.conversion.webhook", "webhook has no level of its own in v1beta1", k)
	if len(crd.Entries(webhook)) == 0 {
		n.touch(webhook).touch(layout.Remove(conversion, "webhook")...)
		return
	}
	n.touch(layout.OutOfWebhook(conversion)...)
}
