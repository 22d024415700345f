package carry

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
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
