package convert_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A pairGroup says why our conversion of a CRD and its maintainers' own differ.
type pairGroup string

const (
	byChoice     pairGroup = "choice"   // the same node, treated otherwise by the migration
	byAddition   pairGroup = "addition" // a feature that v1beta1 did not have, or hardly anybody used there
	byDrift      pairGroup = "drift"    // the API itself changed between the two files
	inForm       pairGroup = "form"     // written otherwise, and the same to a server that creates the CRD
	unclassified pairGroup = "other"    // an unknown kind: the test fails
)

var pairGroups = []pairGroup{byChoice, byAddition, byDrift, inForm, unclassified}

// A pairDifference is one place where ours and theirs do not mean the same.
type pairDifference struct {
	group pairGroup
	kind  string
	path  string
}

// A pairComparison collects the differences of one CRD.
type pairComparison struct {
	kept  bool // unknown fields were kept under v1beta1, so that free-form objects kept their contents
	found []pairDifference
	bare  map[string]int // what became of the objects that declare nothing
}

func (c *pairComparison) add(g pairGroup, path, kind string) {
	c.found = append(c.found, pairDifference{g, kind, path})
}

// TestPairs compares our conversion of a v1beta1 manifest with its maintainers'. It fails when a difference is of an
// unknown kind; docs/internals/verdicts.md has the figures that it prints over all of them.
func TestPairs(t *testing.T) {
	files := slices.DeleteFunc(corpus.Files(t, "pairs"), func(f string) bool { return filepath.Base(f) != "v1beta1.yaml" })
	files = corpus.Sample(t, files, 5)
	for _, chosen := range []policy.Policy{policy.Exact, policy.Idiomatic} {
		t.Run(string(chosen), func(t *testing.T) {
			s := &pairTally{kinds: map[pairDifference]*pairCount{}, bare: map[string]*pairCount{}, left: map[string]int{}, refusals: map[string]int{}}
			forEach(files, func(path string) { s.pair(t, filepath.Dir(path), chosen) })
			s.log(t)
		})
	}
}

// A pairTally counts the results of the comparisons.
type pairTally struct {
	sync.Mutex
	pairs, converted            int
	refused, unknown, noVersion int            // theirs: not accepted by v1; with fields that v1 does not know; with no version of ours
	left, refusals              map[string]int // by rule: what we leave for a person, and what a v1 server rejects of theirs
	equal, described, apart     int            // nothing differs; descriptions and annotations do; no choice does
	kinds                       map[pairDifference]*pairCount
	bare                        map[string]*pairCount
	kept                        int // CRDs that kept unknown fields under v1beta1
}

type pairCount struct {
	pairs, places int
	example       string
}

func (k *pairCount) count(places int, example string) {
	k.pairs++
	k.places += places
	if k.example == "" || example < k.example {
		k.example = example
	}
}

// pair compares the two files of one folder.
func (s *pairTally) pair(t *testing.T, dir string, chosen policy.Policy) {
	name := filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir))
	before, err := os.ReadFile(filepath.Join(dir, "v1beta1.yaml"))
	if err != nil {
		t.Error(err)
		return
	}
	after, err := os.ReadFile(filepath.Join(dir, "v1.yaml"))
	if err != nil {
		t.Error(err)
		return
	}
	res, err := convert.File(name, before, policy.Options{Policy: chosen, UnapprovedAPI: true})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	s.Lock()
	s.pairs++
	s.Unlock()
	crdName := filepath.Base(dir)
	i := slices.IndexFunc(res.CRDs, func(c convert.CRD) bool { return c.Name == crdName })
	if i < 0 {
		t.Errorf("%s: the input has no CRD of that name", name)
		return
	}
	if res.CRDs[i].State == policy.NeedsPerson {
		s.Lock()
		s.left[res.CRDs[i].Notes[0].ID]++
		s.Unlock()
		return
	}
	plain, _ := decodePair(t, name, "the input", crdName, before)
	ours, _ := decodePair(t, name, "our output", crdName, res.Output)
	theirs, written := decodePair(t, name, "their file", crdName, after)
	if plain == nil || ours == nil || theirs == nil {
		return
	}
	c := &pairComparison{kept: plain.Spec.PreserveUnknownFields, bare: map[string]int{}}
	shared := c.crd(plain, ours, theirs, written)
	decoded, err := written.Decode()
	if err != nil {
		t.Errorf("%s: %v", name, err) // decodePair did it before
		return
	}
	s.record(t, name, c, shared, apiserver.OnCreate(decoded.Hub, crd.V1), len(written.UnknownFields()) > 0)
}

// decodePair reads the CRD of a name as v1, with upstream's conversion where it is not.
func decodePair(t *testing.T, pair, what, name string, src []byte) (*v1.CustomResourceDefinition, *crd.CRD) {
	all := crd.Parse(src)
	i := slices.IndexFunc(all, func(c *crd.CRD) bool { return c.Name() == name })
	if i < 0 {
		t.Errorf("%s: %s has no CRD of that name", pair, what)
		return nil, nil
	}
	decoded, err := all[i].Decode()
	if err != nil {
		t.Errorf("%s: %s does not decode: %v", pair, what, err)
		return nil, nil
	}
	obj, err := crd.ToV1(decoded.Hub)
	if err != nil {
		t.Errorf("%s: %s is no v1 object: %v", pair, what, err)
		return nil, nil
	}
	return obj, all[i]
}

func (s *pairTally) record(t *testing.T, name string, c *pairComparison, shared bool, verdict apiserver.Verdict, unknown bool) {
	s.Lock()
	defer s.Unlock()
	s.converted++
	if !verdict.Accepted() {
		s.refused++
		rules := map[string]bool{}
		for _, err := range verdict.Errors {
			rules[apiserver.RuleOf(err)] = true
		}
		for rule := range rules {
			s.refusals[rule]++
		}
	}
	if unknown {
		s.unknown++
	}
	if !shared {
		s.noVersion++
	}
	places, examples := map[pairDifference]int{}, map[pairDifference]string{}
	groups := map[pairGroup]bool{}
	text := true
	for _, d := range c.found {
		if d.group == unclassified {
			t.Errorf("%s: a difference of no known kind at %s: %s", name, d.path, d.kind)
		}
		key := pairDifference{group: d.group, kind: d.kind}
		if places[key]++; places[key] == 1 {
			examples[key] = name + ": " + d.path
		}
		groups[d.group] = true
		text = text && (d.group == inForm || slices.Contains(textKinds, d.kind))
	}
	for key, n := range places {
		if s.kinds[key] == nil {
			s.kinds[key] = &pairCount{}
		}
		s.kinds[key].count(n, examples[key])
	}
	if !groups[byChoice] && !groups[byAddition] && !groups[byDrift] {
		s.equal++
	}
	if text {
		s.described++
	}
	if !groups[byChoice] && shared {
		s.apart++
	}
	if c.kept {
		s.kept++
	}
	for fate, n := range c.bare {
		if s.bare[fate] == nil {
			s.bare[fate] = &pairCount{}
		}
		s.bare[fate].count(n, name)
	}
}

func (s *pairTally) log(t *testing.T) {
	t.Logf("%d pairs, %d converted; of their files, a v1 server rejects %d on create and %d have fields it does not know",
		s.pairs, s.converted, s.refused, s.unknown)
	t.Logf("ours and theirs mean the same: %d; but for descriptions, labels and annotations: %d; but for changes of the API: %d; no version in common: %d",
		s.equal, s.described, s.apart, s.noVersion)
	t.Logf("left for a person, by rule: %v", s.left) // fmt sorts the keys of a map
	t.Logf("their files that a v1 server rejects, by rule: %v", s.refusals)
	keys := make([]pairDifference, 0, len(s.kinds))
	for k := range s.kinds {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		if a.group != b.group {
			return slices.Index(pairGroups, a.group) < slices.Index(pairGroups, b.group)
		}
		if s.kinds[a].pairs != s.kinds[b].pairs {
			return s.kinds[a].pairs > s.kinds[b].pairs
		}
		return a.kind < b.kind
	})
	t.Logf("%-8s  %5s  %6s  %-70s  %s", "group", "pairs", "places", "kind", "example")
	for _, k := range keys {
		n := s.kinds[k]
		t.Logf("%-8s  %5d  %6d  %-70s  %s", k.group, n.pairs, n.places, k.kind, n.example)
	}
	t.Logf("objects that declare none of their fields, in the %d CRDs that kept unknown fields:", s.kept)
	for _, fate := range keysOf(s.bare) {
		n := s.bare[fate]
		t.Logf("  %5d pairs  %6d places  %-76s  %s", n.pairs, n.places, fate, n.example)
	}
}

// Kinds that only people and tools read.
const (
	kindDescription = "description, title or example"
	kindLabels      = "labels"
	kindAnnotations = "other annotations"
	kindGenerator   = "annotation of the generator's version"
)

var textKinds = []string{kindDescription, kindLabels, kindAnnotations, kindGenerator}

// crd compares two CRDs; plain is upstream's conversion of the input, without repairs, and written is theirs as it is
// in the file. Shared is true if they have a version in common.
func (c *pairComparison) crd(plain, ours, theirs *v1.CustomResourceDefinition, written *crd.CRD) (shared bool) {
	c.metadata(ours, theirs)
	if crd.Get(written.Node, "status") != nil {
		c.add(inForm, "status", "status stanza, which a server ignores")
	}
	if preserve, explicit := crd.BoolAt(written.Node, "spec", "preserveUnknownFields"); explicit && preserve {
		c.add(byChoice, "spec.preserveUnknownFields", "theirs says preserveUnknownFields: true, which v1 rejects")
	} else if explicit {
		c.add(inForm, "spec.preserveUnknownFields", "theirs says preserveUnknownFields: false")
	}
	for _, u := range written.UnknownFields() {
		c.add(byChoice, u.Place.Path, "theirs has a field that v1 does not know")
	}
	if ours.Spec.Group != theirs.Spec.Group || ours.Spec.Scope != theirs.Spec.Scope || !sameJSON(ours.Spec.Names, theirs.Spec.Names) {
		c.add(byDrift, "spec.names", "names or scope")
	}
	c.conversion(ours.Spec.Conversion, theirs.Spec.Conversion)
	if len(theirs.Spec.Versions) == 0 {
		c.add(byChoice, "spec", "theirs lists no versions, which v1 rejects")
		return false
	}
	for _, v := range theirs.Spec.Versions {
		if versionOf(ours, v.Name) == nil {
			c.add(byDrift, "spec.versions["+v.Name+"]", "version added")
		}
	}
	for i := range ours.Spec.Versions {
		a := &ours.Spec.Versions[i]
		b, p := versionOf(theirs, a.Name), versionOf(plain, a.Name)
		if b == nil {
			c.add(byDrift, "spec.versions["+a.Name+"]", "version removed")
			continue
		}
		shared = true
		c.version("spec.versions["+a.Name+"]", p, a, b)
	}
	return shared
}

func versionOf(c *v1.CustomResourceDefinition, name string) *v1.CustomResourceDefinitionVersion {
	for i := range c.Spec.Versions {
		if c.Spec.Versions[i].Name == name {
			return &c.Spec.Versions[i]
		}
	}
	return nil
}

func (c *pairComparison) metadata(ours, theirs *v1.CustomResourceDefinition) {
	for _, key := range keysOf(ours.Annotations, theirs.Annotations) {
		a, inOurs := ours.Annotations[key]
		b, inTheirs := theirs.Annotations[key]
		switch path := "metadata.annotations[" + key + "]"; {
		case a == b && inOurs == inTheirs:
		case key == "controller-gen.kubebuilder.io/version":
			c.add(byDrift, path, kindGenerator)
		case key == "api-approved.kubernetes.io":
			c.add(byChoice, path, "approval of a protected group")
		default:
			c.add(byDrift, path, kindAnnotations)
		}
	}
	for _, key := range keysOf(ours.Labels, theirs.Labels) {
		a, inOurs := ours.Labels[key]
		if b, inTheirs := theirs.Labels[key]; a != b || inOurs != inTheirs {
			c.add(byDrift, "metadata.labels["+key+"]", kindLabels)
		}
	}
	if theirs.Namespace != "" {
		c.add(inForm, "metadata.namespace", "metadata that a server ignores or writes")
	}
}

func keysOf[V any](maps ...map[string]V) []string {
	var keys []string
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func (c *pairComparison) conversion(ours, theirs *v1.CustomResourceConversion) {
	const path = "spec.conversion"
	a, b := ours.Webhook, theirs.Webhook
	if ours.Strategy != theirs.Strategy {
		c.add(byDrift, path, "conversion webhook added or removed")
		return
	}
	if a == nil || b == nil {
		if a != b {
			c.add(inForm, path, "an unused webhook stanza")
		}
		return
	}
	if !slices.Equal(a.ConversionReviewVersions, b.ConversionReviewVersions) {
		c.add(byChoice, path+".webhook.conversionReviewVersions", "conversionReviewVersions")
	}
	x, y := a.ClientConfig.DeepCopy(), b.ClientConfig.DeepCopy()
	if x != nil && y != nil && string(x.CABundle) != string(y.CABundle) {
		c.add(byChoice, path+".webhook.clientConfig.caBundle", "caBundle")
		x.CABundle, y.CABundle = nil, nil
	}
	if !sameJSON(x, y) {
		c.add(byDrift, path+".webhook.clientConfig", "address of the conversion webhook")
	}
}

func (c *pairComparison) version(path string, plain, ours, theirs *v1.CustomResourceDefinitionVersion) {
	if ours.Served != theirs.Served || ours.Storage != theirs.Storage {
		c.add(byDrift, path, "version served or stored otherwise")
	}
	if ours.Deprecated != theirs.Deprecated || !sameJSON(ours.DeprecationWarning, theirs.DeprecationWarning) {
		c.add(byAddition, path, "version deprecated")
	}
	if !sameJSON(ours.SelectableFields, theirs.SelectableFields) {
		c.add(byAddition, path, "selectableFields")
	}
	a, b := ours.Subresources, theirs.Subresources
	if a == nil {
		a = &v1.CustomResourceSubresources{}
	}
	if b == nil {
		b = &v1.CustomResourceSubresources{}
	}
	switch {
	case a.Status == nil && b.Status != nil:
		c.add(byDrift, path+".subresources.status", "status subresource added")
	case a.Status != nil && b.Status == nil:
		c.add(byDrift, path+".subresources.status", "status subresource removed")
	}
	if !sameJSON(a.Scale, b.Scale) {
		c.add(byDrift, path+".subresources.scale", "scale subresource")
	}
	if !sameJSON(ours.AdditionalPrinterColumns, theirs.AdditionalPrinterColumns) {
		c.add(byDrift, path+".additionalPrinterColumns", "printer columns")
	}
	path += ".schema.openAPIV3Schema"
	switch {
	case theirs.Schema == nil || theirs.Schema.OpenAPIV3Schema == nil:
		c.add(byChoice, path, "theirs has no schema, which v1 rejects")
	case plain.Schema == nil || plain.Schema.OpenAPIV3Schema == nil:
		c.schema(pairNode{path: path, root: true, ours: asMap(ours.Schema.OpenAPIV3Schema), theirs: asMap(theirs.Schema.OpenAPIV3Schema)})
	default:
		c.schema(pairNode{path: path, root: true,
			plain: asMap(plain.Schema.OpenAPIV3Schema), ours: asMap(ours.Schema.OpenAPIV3Schema), theirs: asMap(theirs.Schema.OpenAPIV3Schema)})
	}
}

// sameJSON compares values as they are sent to a server.
func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil {
		panic(fmt.Sprint(errX, errY)) // both were decoded from JSON
	}
	return string(x) == string(y)
}

func asMap(s *v1.JSONSchemaProps) jsonObject {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	var m jsonObject
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	return m
}

// sameSet compares lists whose order means nothing.
func sameSet(a, b any) bool {
	x, _ := a.([]any)
	y, _ := b.([]any)
	in := func(list []any, v any) bool {
		return slices.ContainsFunc(list, func(w any) bool { return reflect.DeepEqual(v, w) })
	}
	return (a == nil) == (b == nil) &&
		!slices.ContainsFunc(x, func(v any) bool { return !in(y, v) }) && !slices.ContainsFunc(y, func(v any) bool { return !in(x, v) })
}

type jsonObject = map[string]any

// A pairNode is one node of the three schemas. Plain is nil when the input did not have it.
type pairNode struct {
	path                string
	root, meta          bool
	plain, ours, theirs jsonObject
}

const (
	preserveMark = "x-kubernetes-preserve-unknown-fields"
	intOrString  = "x-kubernetes-int-or-string"
)

// describesMembers reports whether a schema names or describes anything inside the value.
func describesMembers(s jsonObject) bool {
	return s["properties"] != nil || s["additionalProperties"] != nil || s["items"] != nil
}

// becameMark reports whether our conversion replaced additionalProperties that allowed everything.
func (n pairNode) becameMark() bool {
	return n.plain["additionalProperties"] != nil && n.ours["additionalProperties"] == nil
}

func (c *pairComparison) schema(n pairNode) {
	c.bareObject(n)
	for _, key := range keysOf(n.ours, n.theirs) {
		p, a, b := n.plain[key], n.ours[key], n.theirs[key]
		switch key {
		case "properties":
			c.properties(n)
		case "items", "additionalProperties":
			c.member(n, key)
		case "required", "enum":
			if !sameSet(a, b) {
				c.keyword(n, key, p, a, b)
			}
		default:
			if !reflect.DeepEqual(a, b) {
				c.keyword(n, key, p, a, b)
			}
		}
	}
}

// properties compares the members of an object.
func (c *pairComparison) properties(n pairNode) {
	plain, _ := n.plain["properties"].(jsonObject)
	ours, _ := n.ours["properties"].(jsonObject)
	theirs, _ := n.theirs["properties"].(jsonObject)
	for _, name := range keysOf(ours, theirs) {
		p, _ := plain[name].(jsonObject)
		a, inOurs := ours[name].(jsonObject)
		b, inTheirs := theirs[name].(jsonObject)
		path := n.path + ".properties[" + name + "]"
		typeMeta := n.root && (name == "apiVersion" || name == "kind" || name == "metadata")
		switch {
		case inOurs && inTheirs:
			c.schema(pairNode{path: path, meta: typeMeta, plain: p, ours: a, theirs: b})
		case typeMeta:
			c.add(inForm, path, "apiVersion, kind or metadata declared at the root")
		case inTheirs && n.plain == nil:
			c.add(byDrift, path, "described what v1beta1 did not")
		case inTheirs:
			c.add(byDrift, path, "field added")
		case p == nil:
			c.add(byChoice, path, "ours declares what only a junctor mentioned")
		default:
			c.add(byDrift, path, "field removed")
		}
	}
}

// member compares what describes the items of an array or the members of a map.
func (c *pairComparison) member(n pairNode, key string) {
	path := n.path + "." + key
	p, _ := n.plain[key].(jsonObject)
	a, isA := n.ours[key].(jsonObject)
	b, isB := n.theirs[key].(jsonObject)
	switch {
	case isA && isB:
		c.schema(pairNode{path: path, plain: p, ours: a, theirs: b})
	case reflect.DeepEqual(n.ours[key], n.theirs[key]), n.becameMark(): // said by the mark
	case n.plain[key] == nil && n.ours[key] != nil:
		c.add(byChoice, path, "items of an array: ours keeps them whatever they are, theirs differs")
	case !describesMembers(n.plain) && key == "additionalProperties":
		c.add(byDrift, path, "described what v1beta1 did not")
	default:
		c.add(byDrift, path, "map or array described otherwise")
	}
}

// keyword classifies a keyword that differs. Repairs, and keywords that migrations are about, are choices; where ours
// equals the input, theirs changed the API.
func (c *pairComparison) keyword(n pairNode, key string, p, a, b any) {
	path := n.path + "." + key
	kept := reflect.DeepEqual(p, a) // the conversion left it as it was
	switch key {
	case "description", "title", "example", "externalDocs":
		c.add(byDrift, path, kindDescription)
	case "default", "x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type":
		c.add(byAddition, path, strings.Replace(key, "-map-keys", "-type", 1))
	case "required", "enum", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties":
		if kept {
			c.add(byDrift, path, "constraint: "+constraintName(key))
		} else {
			c.add(byChoice, path, "constraint that v1 does not allow there")
		}
	case preserveMark:
		c.mark(n, a != nil)
	case "x-kubernetes-embedded-resource":
		c.add(byDrift, path, key)
	case "nullable":
		switch {
		case !kept:
			c.add(byChoice, path, "nullable: ours only, so that null stays accepted")
		default:
			c.add(byDrift, path, "nullable added or removed")
		}
	case intOrString, "type":
		c.typ(n, key, path)
	case "allOf", "anyOf", "oneOf", "not":
		switch {
		case key == "anyOf" && (n.ours[intOrString] != n.theirs[intOrString]): // said once, by the extension
		case kept:
			c.add(byDrift, path, "allOf, anyOf, oneOf or not")
		default:
			c.add(byChoice, path, "junctor that had to be repaired")
		}
	default:
		c.add(unclassified, path, key)
	}
}

func constraintName(key string) string {
	switch {
	case key == "required", key == "enum", key == "pattern", key == "format":
		return key
	}
	return "limits of size or length"
}

// typ compares what type a node has, or that it is an integer or a string.
func (c *pairComparison) typ(n pairNode, key, path string) {
	typed := func(s jsonObject) bool { return s["type"] != nil || s[intOrString] != nil }
	if key == "type" && (n.ours[intOrString] != n.theirs[intOrString]) {
		return // said once, by the extension
	}
	switch {
	case n.plain == nil && !typed(n.ours):
		c.add(byDrift, path, "described what v1beta1 did not")
	case typed(n.plain) && n.theirs[intOrString] != nil:
		c.add(byDrift, path, "string or integer became int-or-string")
	case typed(n.plain):
		c.add(byDrift, path, "type changed")
	case n.theirs[intOrString] != nil:
		c.add(byChoice, path, "untyped: theirs became int-or-string")
	case n.ours[intOrString] != nil:
		c.add(byChoice, path, "anyOf integer and string: ours became int-or-string, theirs not")
	case typed(n.ours) && !typed(n.theirs):
		c.add(byChoice, path, "untyped: ours infers a type, theirs has none")
	case typed(n.ours):
		c.add(byChoice, path, "untyped: ours and theirs give different types")
	default:
		c.add(byChoice, path, "untyped: theirs gives a type, ours keeps any value")
	}
}

// mark compares marks that keep unknown fields.
func (c *pairComparison) mark(n pairNode, oursOnly bool) {
	free := !describesMembers(n.plain)
	switch {
	case n.becameMark():
		c.add(byChoice, n.path, "additionalProperties: true or {}: ours became a mark, theirs not")
	case !oursOnly && n.theirs["type"] == nil && n.plain["type"] != nil: // said by the type
	case !oursOnly && free && !describesMembers(n.theirs):
		c.add(byChoice, n.path, "mark: theirs only, on a node that describes nothing")
	case !oursOnly:
		c.add(byChoice, n.path, "mark: theirs only, on a node that describes its contents")
	case free && describesMembers(n.theirs):
		c.add(byDrift, n.path, "described what v1beta1 did not")
	case n.plain[preserveMark] == true:
		c.add(byDrift, n.path, "mark of the input removed")
	case n.plain == nil, n.plain["type"] == nil && n.theirs["type"] != "object":
		if n.theirs["type"] == nil && n.theirs[intOrString] == nil {
			c.add(byChoice, n.path, "mark: ours only, on an untyped node")
		} // otherwise theirs has a type, which is said there
	case free:
		c.add(byChoice, n.path, "mark: ours only, on an object that declares nothing, which theirs empties")
	default:
		c.add(byChoice, n.path, "mark: ours only, on a declared object, which theirs prunes")
	}
}

// What became of an object that declared none of its fields.
const (
	bareMarked    = "theirs keeps the contents by a mark"
	bareDescribed = "theirs describes the contents now"
	bareEmptied   = "theirs leaves it bare, so that pruning empties it"
	bareOther     = "theirs has another type there"
	bareWhole     = "the whole spec or status: "
	bareMetadata  = "metadata of a template: "
	bareInside    = "further inside: "
)

// bareObject records what theirs did with an object that declares none of its fields.
func (c *pairComparison) bareObject(n pairNode) {
	if !c.kept || n.meta || n.plain["type"] != "object" || describesMembers(n.plain) || n.plain[preserveMark] == true || n.plain["x-kubernetes-embedded-resource"] == true {
		return
	}
	where := bareInside
	switch {
	case strings.HasSuffix(n.path, ".openAPIV3Schema.properties[spec]"), strings.HasSuffix(n.path, ".openAPIV3Schema.properties[status]"):
		where = bareWhole
	case strings.HasSuffix(n.path, ".properties[metadata]"):
		where = bareMetadata
	}
	switch {
	case n.theirs[preserveMark] == true:
		c.bare[where+bareMarked]++
	case describesMembers(n.theirs):
		c.bare[where+bareDescribed]++
	case n.theirs["type"] == "object":
		c.bare[where+bareEmptied]++
	default:
		c.bare[where+bareOther]++
	}
}
