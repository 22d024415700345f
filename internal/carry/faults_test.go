package carry

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
)

// showing is what a server with a webhook that is right shows at a version of an object that is created at another; nil where it is rejected.
func showing(t *testing.T, d *objects.Definition, ask Asker, o Object, at string) Object {
	t.Helper()
	server, _ := d.Server()
	o = runtime.DeepCopyJSON(o)
	_, from, _ := strings.Cut(o["apiVersion"].(string), "/")
	is := server.Version(from).Create(o)
	if !is.Accepted() {
		return nil
	}
	pass := func(o Object, to *request.Version) Object {
		a := ask.Convert(t.Context(), "", to.Name, o)
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		coerced, err := to.Coerce(a.Objects[0])
		if err != nil {
			t.Fatal(err)
		}
		return coerced
	}
	decoded, err := server.Decode(pass(is.Object, server.Storage()))
	if err != nil {
		t.Fatal(err)
	}
	return pass(decoded, server.Version(at))
}

// spoken is a value without members that say nothing, which Go's clients write or leave out as they like.
func spoken(value any) any {
	switch value := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for name, member := range value {
			if member = spoken(member); !isZero(member) {
				all[name] = member
			}
		}
		return all
	case []any:
		var all []any
		for _, item := range value {
			all = append(all, spoken(item))
		}
		return all
	}
	if text, ok := value.(string); ok {
		if d, err := time.ParseDuration(text); err == nil {
			return d.String()
		}
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return at.UTC().Truncate(time.Second).String()
		}
	}
	return value
}

// TestFaultyWebhooks carries made objects by webhooks with a sample of the mistakes there are, or with all by CRDLIFT_VOLUME=all: what is
// carried has to be right in the eyes of a server with a webhook that makes none, but for what the webhook is said to have added.
func TestFaultyWebhooks(t *testing.T) {
	t.Parallel()
	type way struct {
		crd, from, to string
		right         http.Handler
	}
	carried, left := map[string]int{}, map[string]int{}
	definitions := map[string]*objects.Definition{string(webhooks.CRD): definition(t, webhooks.CRD), string(webhooks.ParcelCRD): definition(t, webhooks.ParcelCRD)}
	samples := map[string][]Object{}
	made := func(d *objects.Definition, version string) []Object {
		key := d.Name + version
		if samples[key] == nil {
			server, _ := d.Server()
			generator := sample.New(server, version, 7)
			if full, ok := generator.Fullest(); ok {
				samples[key] = append(samples[key], full)
			}
			samples[key] = append(samples[key], generator.Filled(2)...)
		}
		return samples[key]
	}
	judge := func(w way, name string, h http.Handler, annotations bool) {
		d := definitions[w.crd]
		right, err := asks(w.right)(d)
		if err != nil {
			t.Fatal(err)
		}
		c := &Carrier{Options: Options{To: w.to, KeepAnnotations: annotations}, Ask: asks(h)}
		for i, o := range made(d, w.from) {
			if i > 0 && name != "" {
				break // one has all fields
			}
			o := runtime.DeepCopyJSON(o)
			got := wayTo(t, c, d, w.from).Carry(o, false)
			if got.Object == nil {
				if left[name]++; !slices.ContainsFunc(got.Notes, func(n Note) bool { return !n.Warn && slices.Contains(refusing, n.Rule) }) {
					t.Errorf("%s: nothing says why an object is left: %s", name, told(got.Notes))
				}
				continue
			}
			carried[name]++
			delete(o, "status")
			want, is := showing(t, d, right, o, w.to), showing(t, d, right, got.Object, w.to)
			for _, n := range got.Notes {
				if n.Rule == "migrate-written" {
					n.Path.Remove(want)
					n.Path.Remove(is)
				}
			}
			if annotations { // what is kept for the way back may be anything
				for _, o := range []Object{want, is} {
					request.Keys("metadata", "annotations").Remove(o)
				}
			}
			if a, b := spoken(bareMetadata(want)), spoken(bareMetadata(is)); !reflect.DeepEqual(a, b) {
				t.Errorf("%s: carried, though it is lost.\nwas  %v\nwant %v\ngot  %v\nnotes %s", name, o, a, b, told(got.Notes))
			}
		}
	}
	gadgets := string(webhooks.CRD)
	for _, f := range append([]webhooks.Fault{{}}, corpus.Sample(t, webhooks.Faults, 4)...) {
		if f.Name == "hangs" {
			continue
		}
		judge(way{gadgets, "v1", "v2", webhooks.Handler("")}, f.Name, webhooks.Handler(f.Name), true)
		judge(way{gadgets, "v2", "v1", webhooks.Handler("")}, f.Name, webhooks.Handler(f.Name), true)
	}
	for _, m := range append([]webhooks.Mistake{{}}, corpus.Sample(t, webhooks.Mistakes, 4)...) {
		if m.Name == "hangs" {
			continue
		}
		judge(way{string(webhooks.ParcelCRD), "v1", "v2", webhooks.Parcels("")}, m.Name, webhooks.Parcels(m.Name), true)
	}
	if carried[""] < 5 {
		t.Errorf("by webhooks without a mistake, %d objects are carried and %d are not", carried[""], left[""])
	}
	total := fmt.Sprint(carried)
	t.Logf("carried: %s\nleft: %v", total, left)
}

// bareMetadata is an object with no other metadata than labels and annotations.
func bareMetadata(o Object) Object {
	metadata, _ := o["metadata"].(map[string]any)
	kept := map[string]any{}
	for _, name := range []string{"labels", "annotations"} {
		move(metadata, kept, name, name)
	}
	o["metadata"] = kept
	return o
}
