package apply_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apply"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

func object(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	if err := utiljson.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// crate is an object with a spec, as kubectl has applied it if it says so.
func crate(t *testing.T, spec string, applied bool) map[string]any {
	t.Helper()
	o := object(t, `{"apiVersion":"example.org/v1","kind":"Crate","metadata":{"name":"a","namespace":"b"},"spec":`+spec+`}`)
	if applied {
		saved, err := apply.Saved(o)
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	return o
}

// TestClientSide has what kubectl sends for the spec of a manifest, where what was applied last is what was there before, or nothing.
func TestClientSide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last, live, manifest string // specs; nothing was applied where last is empty
		patch, merged        string
	}{
		"a change":                   {`{"a":1}`, `{"a":1}`, `{"a":2}`, `{"a":2}`, `{"a":2}`},
		"no longer in the manifest":  {`{"a":1,"b":1}`, `{"a":1,"b":1}`, `{"a":1}`, `{"b":null}`, `{"a":1}`},
		"not applied last":           {``, `{"a":1,"b":1}`, `{"a":1}`, ``, `{"a":1,"b":1}`},
		"by another":                 {`{"a":1}`, `{"a":1,"b":1}`, `{"a":1}`, ``, `{"a":1,"b":1}`},
		"removed by another":         {`{"a":1}`, `{}`, `{"a":1}`, `{"a":1}`, `{"a":1}`},
		"a list is replaced whole":   {`{"a":[1]}`, `{"a":[1,2]}`, `{"a":[1]}`, `{"a":[1]}`, `{"a":[1]}`},
		"a map is merged":            {`{"m":{"a":1}}`, `{"m":{"a":1,"b":1}}`, `{"m":{"c":1}}`, `{"m":{"a":null,"c":1}}`, `{"m":{"b":1,"c":1}}`},
		"a map is emptied":           {`{"m":{"a":1}}`, `{"m":{"a":1}}`, `{"m":{}}`, `{"m":{"a":null}}`, `{"m":{}}`},
		"null removes":               {`{"a":1}`, `{"a":1}`, `{"a":null}`, `{"a":null}`, `{}`},
		"null of a new field":        {`{}`, `{}`, `{"a":null}`, `{"a":null}`, `{}`},
		"null that was null":         {`{"a":null}`, `{"a":1}`, `{"a":null}`, ``, `{"a":1}`},
		"a number that JSON rounds":  {`{"a":1}`, `{"a":1}`, `{"a":9007199254740993}`, `{"a":9007199254740992}`, `{"a":9007199254740992}`},
		"an object becomes a scalar": {`{"a":{"b":1}}`, `{"a":{"b":1}}`, `{"a":"x"}`, `{"a":"x"}`, `{"a":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := crate(t, c.live, false)
			if c.last != "" {
				live["metadata"] = crate(t, c.last, true)["metadata"] // whose annotation has nulls
			}
			merged, patch, err := apply.ClientSide(live, crate(t, c.manifest, false))
			if err != nil {
				t.Fatal(err)
			}
			if c.patch == "" {
				c.patch = "null"
			}
			var spec any = object(t, `{"spec":`+c.patch+`}`)["spec"]
			if !reflect.DeepEqual(patch["spec"], spec) || !reflect.DeepEqual(merged["spec"], object(t, c.merged)) {
				t.Errorf("the patch is %v and makes %v, want %s and %s", patch["spec"], merged["spec"], c.patch, c.merged)
			}
			if now := crate(t, c.manifest, true)["metadata"]; !reflect.DeepEqual(merged["metadata"], now) {
				t.Errorf("metadata are %v, want %v", merged["metadata"], now)
			}
		})
	}
}

// TestSaved has the annotation be the manifest without it, and leave the manifest as it is.
func TestSaved(t *testing.T) {
	t.Parallel()
	manifest := object(t, `{"kind":"Crate","metadata":{"annotations":{"a":"<","`+apply.LastApplied+`":"old"}}}`)
	saved, err := apply.Saved(manifest)
	want := object(t, `{"kind":"Crate","metadata":{"annotations":{"a":"<","`+apply.LastApplied+`":"{\"kind\":\"Crate\",\"metadata\":{\"annotations\":{\"a\":\"\\u003c\"}}}\n"}}}`)
	if err != nil || !reflect.DeepEqual(saved, want) {
		t.Errorf("saved is %v (%v), want %v", saved, err, want)
	}
	if manifest["metadata"].(map[string]any)["annotations"].(map[string]any)[apply.LastApplied] != "old" {
		t.Error("the manifest has changed")
	}
}

// TestSavedNulls has nulls in nothing but the annotation and lists.
func TestSavedNulls(t *testing.T) {
	t.Parallel()
	saved, err := apply.Saved(crate(t, `{"a":null,"b":{"c":null,"d":1},"l":[null,{"e":null}]}`, false))
	if want := object(t, `{"b":{"d":1},"l":[null,{}]}`); err != nil || !reflect.DeepEqual(saved["spec"], any(want)) {
		t.Errorf("the spec is %v (%v), want %v", saved["spec"], err, want)
	}
	if annotation := saved["metadata"].(map[string]any)["annotations"].(map[string]any)[apply.LastApplied]; !strings.Contains(annotation.(string), `"a":null`) {
		t.Errorf("the annotation is %s", annotation)
	}
}

// TestSame sends nothing for what was applied before.
func TestSame(t *testing.T) {
	t.Parallel()
	o := crate(t, `{"a":[{"b":1.5}]}`, false)
	merged, patch, err := apply.ClientSide(crate(t, `{"a":[{"b":1.5}]}`, true), o)
	if err != nil || len(patch) > 0 || !reflect.DeepEqual(merged, crate(t, `{"a":[{"b":1.5}]}`, true)) {
		t.Errorf("the patch is %v (%v)", patch, err)
	}
	if _, patch, err = apply.Release(crate(t, `{"a":2}`, false), o, o); err != nil || len(patch) > 0 {
		t.Errorf("the patch of a release is %v (%v)", patch, err)
	}
}

// TestSpoiled names no value of an annotation that nobody can read.
func TestSpoiled(t *testing.T) {
	t.Parallel()
	live := object(t, `{"metadata":{"annotations":{"`+apply.LastApplied+`":"canary"}}}`)
	if _, _, err := apply.ClientSide(live, crate(t, `{}`, false)); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("the error is %v", err)
	}
}

// TestRelease leaves alone what the chart does not change, whatever it is.
func TestRelease(t *testing.T) {
	t.Parallel()
	live, older := crate(t, `{"a":5,"b":5,"c":5,"l":[1,2]}`, false), crate(t, `{"a":1,"b":1,"d":1,"l":[1]}`, false)
	merged, patch, err := apply.Release(live, older, crate(t, `{"a":1,"b":2,"l":[1]}`, false))
	if err != nil {
		t.Fatal(err)
	}
	if want := object(t, `{"spec":{"b":2,"d":null}}`); !reflect.DeepEqual(patch, want) {
		t.Errorf("the patch is %v, want %v", patch, want)
	}
	if want := crate(t, `{"a":5,"b":2,"c":5,"l":[1,2]}`, false); !reflect.DeepEqual(merged, want) {
		t.Errorf("the object is %v, want %v", merged, want)
	}
}

// TestReplace adds the resourceVersion to a manifest that has none, and nothing else.
func TestReplace(t *testing.T) {
	t.Parallel()
	live := object(t, `{"metadata":{"name":"a","resourceVersion":"7","labels":{"a":"b"}},"spec":{"a":1}}`)
	for manifest, want := range map[string]string{
		`{"metadata":{"name":"a"}}`:                       `{"metadata":{"name":"a","resourceVersion":"7"}}`,
		`{"metadata":{"name":"a","resourceVersion":"5"}}`: `{"metadata":{"name":"a","resourceVersion":"5"}}`,
	} {
		if sent := apply.Replace(live, object(t, manifest)); !reflect.DeepEqual(sent, object(t, want)) {
			t.Errorf("%v is sent for %s, want %s", sent, manifest, want)
		}
	}
}
