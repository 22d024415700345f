package carry

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
)

// hooked has a handler in this process asked as the webhook.
func hooked(t testing.TB, h http.Handler) func(*objects.Definition) (Asker, error) {
	t.Helper()
	return func(d *objects.Definition) (Asker, error) {
		return review.New(review.Config{CRD: d.Hub, Handler: h})
	}
}

// gadgets are objects at v1 of the CRD whose webhook makes mistakes: up to so many, filled at random.
func gadgets(t testing.TB, d *objects.Definition, n int) (all []Object) {
	t.Helper()
	server, why := d.Server()
	if why != "" {
		t.Fatal(why)
	}
	g := sample.New(server, "v1", corpus.Seed(t))
	for i := range n {
		if o := g.Mended(i); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// truth is what the API server shows at v2 of an object of any version, with the webhook that makes no mistake.
func truth(t testing.TB, d *objects.Definition, right *review.Client, o Object) Object {
	t.Helper()
	server, why := d.Server()
	if why != "" {
		t.Fatal(why)
	}
	o = runtime.DeepCopyJSON(o)
	version := server.Version(strings.TrimPrefix(o["apiVersion"].(string), "example.com/"))
	created := version.Create(o)
	if !created.Accepted() {
		t.Fatalf("it is refused: %v", created.Causes)
	}
	for _, to := range []string{server.Storage().Name, "v2"} {
		a := right.Convert(context.Background(), "", to, created.Object)
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		shown, err := server.Version(to).Coerce(a.Objects[0])
		if err != nil {
			t.Fatal(err)
		}
		created.Object = shown
	}
	return withoutServerState(created.Object)
}

func withoutServerState(o Object) Object {
	metadata := below(o, "metadata")
	for _, name := range []string{"uid", "creationTimestamp", "generation", "managedFields", "resourceVersion"} {
		delete(metadata, name)
	}
	delete(o, "status")
	return o
}

// forget takes out what the webhook keeps of a field that may go, and annotations without an entry.
func forget(o Object) {
	metadata := below(o, "metadata")
	annotations, _ := metadata["annotations"].(map[string]any)
	if delete(annotations, "gadgets.example.com/legacy"); len(annotations) == 0 {
		delete(metadata, "annotations")
	}
}

// TestFaultyWebhooks carries made objects through webhooks that make mistakes on the way up. The server is shown by the one that makes
// none: an object that is carried has to be there what it is today. CRDLIFT_VOLUME=all takes all mistakes, and 2,000 objects.
func TestFaultyWebhooks(t *testing.T) {
	t.Parallel()
	d := definition(t, webhooks.CRD)
	right, err := review.New(review.Config{CRD: d.Hub, Handler: webhooks.Handler("")})
	if err != nil {
		t.Fatal(err)
	}
	faults, n := []string{"", "field-lost", "swapped", "list-reversed"}, 20
	if corpus.All() {
		n = 2000
		for _, f := range webhooks.Faults {
			if !slices.Contains(faults, f.Name) && !slices.Contains([]string{"hangs", "random", "mixes-up-requests", "crash-on-invalid"}, f.Name) {
				faults = append(faults, f.Name)
			}
		}
	}
	all := gadgets(t, d, n)
	for _, fault := range faults {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			c := &Carrier{Options: Options{To: "v2", AllowLoss: []string{"spec.legacy"}}, Ask: hooked(t, webhooks.Handler(fault))}
			w := wayTo(t, c, d, "v1")
			carried := 0
			for _, o := range all {
				is := w.Carry(o, false)
				if is.Object == nil {
					if len(is.Notes) == 0 {
						t.Errorf("nothing says why it stays: %s", asJSON(o))
					}
					continue
				}
				carried++
				want, got := truth(t, d, right, o), truth(t, d, right, is.Object)
				forget(want)
				forget(got)
				if !reflect.DeepEqual(want, got) {
					t.Errorf("carried wrong:\n%s\nbecomes\n%s\nthe server shows\n%s\nand not\n%s", asJSON(o), asJSON(is.Object), asJSON(got), asJSON(want))
				}
			}
			t.Logf("%d of %d are carried", carried, len(all))
			if fault == "" && carried < len(all)*9/10 {
				t.Errorf("of %d objects only %d are carried", len(all), carried)
			}
		})
	}
}

// TestMutatedWebhook has the webhook drop, or change, one field after the other of what it converts. Each object that has the field is
// left as it is, and a note says so.
func TestMutatedWebhook(t *testing.T) {
	t.Parallel()
	d := definition(t, webhooks.CRD)
	src, err := os.ReadFile("testdata/gadget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o := object(t, string(src))
	server, _ := d.Server()
	if created := server.Version("v1").Create(o); !created.Accepted() {
		t.Fatal(created.Causes)
	}
	right, err := review.New(review.Config{CRD: d.Hub, Handler: webhooks.Handler("")})
	if err != nil {
		t.Fatal(err)
	}
	up := right.Convert(context.Background(), "", "v2", o)
	if up.Err != nil {
		t.Fatal(up.Err)
	}
	c := &Carrier{Options: Options{To: "v2"}, Ask: hooked(t, webhooks.Handler(""))}
	if is := wayTo(t, c, d, "v1").Carry(runtime.DeepCopyJSON(o), false); is.Object == nil {
		t.Fatalf("the webhook without a mistake does not carry it:\n%s", told(is.Notes))
	}
	eachLeaf(up.Objects[0]["spec"], request.Keys("spec"), func(at request.Path, value any) {
		for _, change := range []string{"dropped", "changed"} {
			t.Run(at.String()+" "+change, func(t *testing.T) {
				h := &mutated{at: at, drop: change == "dropped"}
				c := &Carrier{Options: Options{To: "v2"}, Ask: hooked(t, h)}
				is := wayTo(t, c, d, "v1").Carry(runtime.DeepCopyJSON(o), false)
				if is.Object != nil {
					t.Errorf("%v is %s, and it is carried:\n%s", at, change, asJSON(is.Object))
				} else if len(is.Notes) == 0 {
					t.Error("nothing says why it stays")
				}
			})
		}
	})
}

// mutated is a webhook that makes no mistake but that one value of what it converts to v2 is dropped, or is another one.
type mutated struct {
	at   request.Path
	drop bool
}

func (m *mutated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kept := &recorded{header: http.Header{}}
	webhooks.Handler("").ServeHTTP(kept, r)
	var answer map[string]any
	if json.Unmarshal(kept.body, &answer) == nil {
		converted, _ := below(answer, "response")["convertedObjects"].([]any)
		for _, o := range converted {
			if o := o.(map[string]any); o["apiVersion"] == "example.com/v2" {
				m.mutate(o, m.at)
			}
		}
		kept.body, _ = json.Marshal(answer)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(kept.body)
}

func (m *mutated) mutate(in any, at request.Path) {
	switch in := in.(type) {
	case map[string]any:
		name := at[0].Key
		switch value, found := in[name]; {
		case !found:
		case len(at) > 1:
			m.mutate(value, at[1:])
		case m.drop:
			delete(in, name)
		default:
			in[name] = other(value)
		}
	case []any:
		switch i := at[0].Index; {
		case i >= len(in):
		case len(at) > 1:
			m.mutate(in[i], at[1:])
		default:
			in[i] = other(in[i])
		}
	}
}

// other is a value that does not depend on the one it stands for, and that the schema takes.
func other(value any) any {
	switch value := value.(type) {
	case bool:
		return !value
	case float64:
		return 7
	case string:
		switch value {
		case "small", "medium", "large":
			return "medium"
		case "60s":
			return "7m"
		}
		return "other"
	}
	return value
}

// A recorded is an answer that is not sent yet.
type recorded struct {
	header http.Header
	body   []byte
}

func (r *recorded) Header() http.Header { return r.header }
func (r *recorded) WriteHeader(int)     {}
func (r *recorded) Write(p []byte) (int, error) {
	r.body = append(r.body, p...)
	return len(p), nil
}
