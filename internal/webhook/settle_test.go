package webhook

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

var links = versions(
	"ref: {type: object, properties: {kind: {type: string}, from: {type: string}, extra: {type: string}}}, tags: {type: array, items: {type: string}}",
	"ref: {type: object, properties: {kind: {type: string}}}, tags: {type: array, items: {type: string}}",
)

// linked drops a ref without a kind and what v2 has no field for, and says at v1 where a ref comes from.
func linked(spec map[string]any, to string) {
	ref, _ := spec["ref"].(map[string]any)
	delete(spec, "ref")
	if ref["kind"] == nil || ref["kind"] == "" {
		return
	}
	spec["ref"] = map[string]any{"kind": ref["kind"]}
	if to == "v1" {
		spec["ref"] = map[string]any{"kind": ref["kind"], "from": "v2"}
	}
}

// TestEachMember tells what becomes of each member of an object: also where others of it get lost, where objects of all of these are
// lost, and where the storage version loses the object but does not have the member.
func TestEachMember(t *testing.T) {
	t.Parallel()
	const whole, bare, other = `{"ref":{"kind":"K","from":"v1","extra":"e"}}`, `{"ref":{"extra":"e"}}`, `{"ref":{"kind":"K","extra":"e"}}`
	for name, c := range map[string]struct {
		count int
		specs []string
		want  []string
	}{
		"one object":         {0, []string{whole}, []string{"write-lost spec.ref.extra: lost", "write-lost spec.ref.from: changed"}},
		"one is all but it":  {0, []string{whole, bare}, []string{"write-lost spec.ref.extra: lost", "write-lost spec.ref.from: changed"}},
		"at first there":     {0, []string{other, whole}, []string{"write-lost spec.ref.extra: lost", "write-lost spec.ref.from: changed"}},
		"nothing to change":  {0, []string{other}, []string{"write-lost spec.ref.extra: lost", "write-lost spec.ref.from: added"}},
		"objects of schemas": {40, nil, []string{"data-lost spec.ref: lost", "write-lost spec.ref.extra: lost", "write-lost spec.ref.from: changed"}},
	} {
		if is := told(t, links, linked, c.count, c.specs...); !slices.Equal(is, c.want) {
			t.Errorf("%s: %q, want %q", name, is, c.want)
		}
	}
}

// TestFirstItem tells the loss of an item as such, although the items behind it have moved up.
func TestFirstItem(t *testing.T) {
	t.Parallel()
	rest := func(spec map[string]any, to string) {
		if tags, _ := spec["tags"].([]any); len(tags) > 0 && to == "v2" {
			spec["tags"] = tags[1:]
		}
	}
	if is, want := told(t, links, rest, 0, `{"tags":["a","b"]}`, `{"tags":["a"]}`), []string{"write-lost spec.tags[*]: lost"}; !slices.Equal(is, want) {
		t.Errorf("%q, want %q", is, want)
	}
}

// TestVague prefers what says more of one field, and takes each change for as good where a finding is about no field or shows another
// one each time.
func TestVague(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		property Property
		change   Change
		want     int
	}{
		{WriteLost, Changed, 0}, {WriteLost, Lost, 1}, {WriteLost, Added, 2}, {EditLost, Lost, 1}, {MetadataLost, Added, 2},
		{Concurrent, Lost, 0}, {Order, Added, 0}, {NotStable, Added, 0}, {NoopWrites, Lost, 0},
	} {
		if is := vague(&Finding{Property: c.property, Path: request.Keys("spec", "a"), Change: c.change}); is != c.want {
			t.Errorf("%s, %s: %d, want %d", c.property.ID(), changes[c.change], is, c.want)
		}
	}
}

// TestSettleMembers leaves out what is lost because of one of its members, and has it explain nothing.
func TestSettleMembers(t *testing.T) {
	t.Parallel()
	test := &tester{server: serverOf(t, links), pairs: []Pair{{"v1", "v2"}, {"v2", "v1"}}, versions: map[string]*versionState{}}
	test.storage = test.server.Storage()
	test.of("v1").same[[2]string{"spec.ref.kind", "spec.ref.from"}] = 1
	but := func(r *record, change func(*record)) *record {
		change(r)
		r.key = test.keyOf(&r.Finding)
		return r
	}
	of := func(property Property, change Change, names ...string) *record {
		return but(&record{Finding: Finding{Property: property, Pair: Pair{"v1", "v2"}, Version: "v1", Path: request.Keys(append([]string{"spec"}, names...)...), Change: change}}, func(*record) {})
	}
	unsure := func(r *record) { r.unsure = true }
	inStorage := func(r *record) { r.Pair, r.Version = Pair{"v2", "v1"}, "v2" }
	elsewhere := func(r *record) { r.Pair.To = "v3" }
	label := func(r *record) { r.Path = request.Keys("metadata", "labels", "a") }
	ofRef := func(r *record) { r.Edit = &Edit{Path: request.Keys("spec", "ref")} }
	stored := but(of(DataLost, Lost, "ref"), inStorage)
	for name, c := range map[string]struct {
		all  []*record
		want string
	}{
		"a member":                     {[]*record{of(WriteLost, Lost, "ref"), of(WriteLost, Lost, "ref", "extra"), of(WriteLost, Changed, "ref", "from")}, "spec.ref.extra spec.ref.from"},
		"a member that is not sure":    {[]*record{of(WriteLost, Lost, "ref"), but(of(WriteLost, Lost, "ref", "extra"), unsure), of(WriteLost, Changed, "ref", "from")}, "spec.ref"},
		"the whole":                    {[]*record{of(WriteLost, Lost, "ref"), of(WriteLost, Changed, "ref", "from")}, "spec.ref"},
		"an edit of a lost value":      {[]*record{of(WriteLost, Added, "ref", "from"), of(EditLost, Changed, "ref", "from")}, "spec.ref.from"},
		"an edit beside what is added": {[]*record{of(WriteLost, Added, "ref", "from"), of(EditLost, Changed, "ref", "extra")}, "spec.ref.from spec.ref.extra"},
		"an edit around what is added": {[]*record{of(WriteLost, Added, "ref", "from"), of(EditLost, Changed, "ref")}, "spec.ref.from spec.ref"},
		"an edit that is gone":         {[]*record{of(WriteLost, Added, "ref", "from"), of(EditLost, Lost, "ref", "from")}, "spec.ref.from spec.ref.from"},
		"stored without the member":    {[]*record{stored, of(WriteLost, Lost, "ref", "extra"), of(WriteLost, Lost, "ref", "kind")}, "spec.ref spec.ref.extra"},
		"a member in another pair":     {[]*record{but(of(WriteLost, Lost, "ref"), elsewhere), of(WriteLost, Lost, "ref", "extra")}, "spec.ref spec.ref.extra"},
		"parts of one edit":            {[]*record{but(of(EditLost, Lost, "ref", "extra", "a"), ofRef), but(of(EditLost, Lost, "ref", "extra"), ofRef)}, "spec.ref.extra"},
		"stored under another name":    {[]*record{stored, of(WriteLost, Lost, "ref", "from")}, "spec.ref"},
		"a label":                      {[]*record{but(but(of(MetadataLost, Lost), inStorage), label), but(of(MetadataLost, Lost), label)}, "metadata.labels[a]"},
		"stored with it":               {[]*record{stored, of(WriteLost, Lost, "ref")}, "spec.ref"},
	} {
		test.order = c.all
		var left []string
		for _, r := range test.settle() {
			left = append(left, r.Path.Field())
		}
		if is := strings.Join(left, " "); is != c.want {
			t.Errorf("%s: %q, want %q", name, is, c.want)
		}
	}
}
