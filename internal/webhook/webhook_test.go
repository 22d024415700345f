package webhook_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	"github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// outline is a value with the first letter of each text, and 1 for each number.
func outline(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = outline(member)
		}
	case []any:
		for i, item := range value {
			value[i] = outline(item)
		}
	case string:
		return strings.ToLower(value[:min(1, len(value))])
	case int64, float64:
		return 1
	}
	return value
}

// replay has the findings again from their cases, as --save writes them, and none from a correct webhook. Not those that take more
// than one object to see; nor which value an answer is about, which takes others, too.
func replay(t *testing.T, fault string, found []webhook.Finding) {
	t.Helper()
	plain := func(f webhook.Finding) string {
		if f.Property == webhook.Failed || f.Property == webhook.Contract {
			f.Path, f.Missing = nil, false
		}
		return shown(f)
	}
	alone := func(f webhook.Finding) bool {
		many := []webhook.Property{webhook.Order, webhook.Concurrent, webhook.SameVersion, webhook.AnnotationSize}
		return f.Object != nil && f.Pair.From != "" && !slices.Contains(many, f.Property)
	}
	var first, second []string
	var cases []webhook.Case
	for _, f := range found {
		if !alone(f) {
			continue
		}
		first = append(first, plain(f))
		text, err := webhook.Case{Property: f.Property, Pair: f.Pair, Object: f.Object, Edit: f.Edit}.YAML("by a test")
		if err != nil {
			t.Fatal(err)
		}
		c, err := webhook.ReadCase("case", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		return
	}
	for _, f := range test(t, fault, webhook.Options{Seed: 1, Replay: cases}).Findings {
		second = append(second, plain(f))
	}
	if !slices.Equal(first, second) {
		t.Errorf("%q, at first %q", second, first)
	}
	if right := test(t, "", webhook.Options{Seed: 1, Replay: cases}); len(right.Findings) > 0 {
		t.Errorf("%v is found in a webhook that is right", right.Findings)
	}
}

// TestReplayCannot says which cases take more than their object.
func TestReplayCannot(t *testing.T) {
	t.Parallel()
	r := test(t, "", webhook.Options{Seed: 1, Replay: []webhook.Case{
		{Name: "cases/garbage.yaml", Property: webhook.Garbage, Pair: webhook.Pair{From: "v1", To: "v2"}, Object: webhook.Object{}},
		{Name: "cases/v9.yaml", Property: webhook.DataLost, Pair: webhook.Pair{From: "v1", To: "v9"}, Object: webhook.Object{}},
	}})
	if len(r.Notes) != 2 || !strings.Contains(r.Notes[0], "cases/garbage.yaml") || !strings.Contains(r.Notes[1], "cases/v9.yaml") {
		t.Errorf("%q", r.Notes)
	}
}

// TestReplayAlone makes no objects for cases but the few that one takes beside its own, and says which case is not valid any more.
func TestReplayAlone(t *testing.T) {
	t.Parallel()
	pair := webhook.Pair{From: "v1", To: "v2"}
	valid := webhook.Object{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"image": "i", "args": []any{"a", "b"}}}
	invalid := webhook.Object{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"size": "huge"}}
	for fault, property := range map[string]webhook.Property{"field-lost": webhook.DataLost, "list-in-other-order": webhook.Order, "mixes-up-requests": webhook.Concurrent} {
		r := test(t, fault, webhook.Options{Count: 300, Seed: 1, Replay: []webhook.Case{
			{Name: "cases/valid.yaml", Property: property, Pair: pair, Object: valid},
			{Name: "cases/invalid.yaml", Property: property, Pair: pair, Object: invalid},
		}})
		if r.Objects != 1 || len(r.Findings) != 1 || r.Findings[0].Property != property || r.Requests > 100 {
			t.Errorf("%s: %d objects, %d requests, %v", fault, r.Objects, r.Requests, r.Findings)
		}
		if len(r.Refused) != 1 || r.Refused[0].What != "the case cases/invalid.yaml" || len(r.Notes) > 0 {
			t.Errorf("%s: %v, %q", fault, r.Refused, r.Notes)
		}
	}
}

// firstAsked knows whether a webhook was asked.
type firstAsked struct {
	webhook.Asker
	asked *atomic.Bool
}

func (a firstAsked) Convert(ctx context.Context, reviewVersion, to string, objects ...webhook.Object) *review.Answer {
	a.asked.Store(true)
	return a.Asker.Convert(ctx, reviewVersion, to, objects...)
}

// TestProgress tells of each object that is made, and of each request, so that nobody waits for a word while either takes long.
func TestProgress(t *testing.T) {
	t.Parallel()
	asked, making, asking := atomic.Bool{}, 0, 0
	r, err := webhook.Test(t.Context(), gadgets(t), firstAsked{nestedAnswers(4), &asked}, webhook.Options{Count: 10, Seed: 1, Progress: func(done, all int) {
		switch {
		case done < 0 || done >= all:
			t.Errorf("%d of %d", done, all)
		case asked.Load():
			asking++
		default:
			making++
		}
	}})
	if err != nil || making < 30 || asking < r.Requests/2 {
		t.Errorf("%d words of objects, %d of %d requests: %v", making, asking, r.Requests, err)
	}
}

// TestUnreachable is about the environment, and no finding: nothing listens.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	crd := gadgets(t)
	client, err := review.New(review.Config{CRD: crd, URL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.Test(t.Context(), crd, client, webhook.Options{Count: 4}); !errors.Is(err, webhook.ErrUnreachable) {
		t.Errorf("%v", err)
	}
}

// TestDies finds a webhook that listens no more after an ordinary request; what was found before stays.
func TestDies(t *testing.T) {
	t.Parallel()
	right, left := webhooks.Handler("field-lost"), atomic.Int64{}
	left.Store(400)
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if left.Add(-1) == 0 {
			_ = server.Listener.Close()
		}
		if left.Load() <= 0 {
			panic(http.ErrAbortHandler)
		}
		right.ServeHTTP(w, r)
	})
	server.Start()
	defer server.Close()
	crd := gadgets(t)
	client, err := review.New(review.Config{CRD: crd, URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	r, err := webhook.Test(t.Context(), crd, client, webhook.Options{Count: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Findings {
		found = append(found, shown(f)+": "+f.Detail)
	}
	if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, "EOF") || strings.Contains(f, "refused") }) {
		t.Errorf("%q", found)
	}
}

// TestCancelled ends soon after its context does, with its error.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	crd := gadgets(t)
	asked := atomic.Int64{}
	right := webhooks.Handler("")
	client, err := review.New(review.Config{CRD: crd, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 50 {
			cancel(errors.New("enough"))
		}
		right.ServeHTTP(w, r)
	})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.Test(ctx, crd, client, webhook.Options{Count: 300}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if n := asked.Load(); n > 50 {
		t.Errorf("%d requests", n)
	}
}

// TestSamples begins with the samples of users, and says which are left out and why.
func TestSamples(t *testing.T) {
	t.Parallel()
	sample := func(size string) webhook.Object {
		return webhook.Object{
			"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "of-" + size},
			"spec": map[string]any{"size": size, "image": "an image"},
		}
	}
	other := sample("small")
	other["kind"] = "Widget"
	r := test(t, "field-lost", webhook.Options{Samples: []webhook.Object{sample("small"), sample("huge"), sample("huge"), other}})
	if r.Objects != 1 || len(r.Findings) != 1 || shown(r.Findings[0]) != "data-lost v1-v2 spec.image" {
		t.Errorf("%d objects, %v", r.Objects, r.Findings)
	}
	if f := r.Findings[0]; f.Shown != 1 || f.Seen != 1 {
		t.Errorf("in %d of %d", f.Shown, f.Seen)
	}
	if len(r.Refused) != 1 || r.Refused[0].What != "the sample of-huge" || r.Refused[0].Version != "v1" || r.Refused[0].Cause.Keyword != "enum" {
		t.Errorf("%v", r.Refused)
	}
	for _, version := range []string{"v2", "v3"} {
		if !slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, "not make a valid object of "+version) }) {
			t.Errorf("no note about %s: %q", version, r.Notes)
		}
	}
}

// TestOnlyCodeCanRead has all that is beside a field that only code can read tested as if it were not there: with values of the form that
// the code reads, of samples, or without it. Only objects that were converted count.
func TestOnlyCodeCanRead(t *testing.T) {
	t.Parallel()
	of := func(r *webhook.Result, property webhook.Property) *webhook.Finding {
		i := slices.IndexFunc(r.Findings, func(f webhook.Finding) bool { return f.Property == property })
		if i < 0 {
			t.Fatalf("nothing of %d: %v", property, r.Findings)
		}
		return &r.Findings[i]
	}
	lost := func(r *webhook.Result) *webhook.Finding { return of(r, webhook.DataLost) }
	read := test(t, "text-read", webhook.Options{Count: 40, Seed: 1, Skip: map[webhook.Group]bool{webhook.Large: true}})
	if f := lost(read); shown(*f) != "data-lost v1-v2 spec.command" || f.Shown < 15 || f.Seen > 25 || len(read.Notes) > 0 {
		t.Errorf("%s in %d of %d; %q", shown(*f), f.Shown, f.Seen, read.Notes)
	}
	never := test(t, "text-never-read", webhook.Options{Count: 40, Seed: 1, Skip: map[webhook.Group]bool{webhook.Large: true}})
	if f := lost(never); f.Shown < 15 || f.Seen > 25 {
		t.Errorf("without a value: %s in %d of %d", shown(*f), f.Shown, f.Seen)
	}
	if want := "no value that crdlift made for spec.image of v1 is converted, so crdlift tested the rest without it; add objects with --samples"; !slices.Contains(never.Notes, want) {
		t.Errorf("%q", never.Notes)
	}
	crd := gadgets(t)
	for _, v := range crd.Spec.Versions { // without the field there is no object, and with what is made for it none is converted
		root := v.Schema.OpenAPIV3Schema
		spec := root.Properties["spec"]
		root.Required, spec.Required = []string{"spec"}, []string{"image"}
		root.Properties["spec"] = spec
	}
	required := testCRD(t, crd, "text-read", webhook.Options{Count: 40, Seed: 1, Skip: map[webhook.Group]bool{webhook.Large: true}})
	if f, failed := lost(required), of(required, webhook.Failed); f.Shown < 15 || failed.Path.Field() != "spec.image" || len(required.Findings) != 2 {
		t.Errorf("where it is required: %v", required.Findings)
	}
	given := webhook.Object{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"image": "the word"}}
	sampled := test(t, "text-never-read", webhook.Options{Samples: []webhook.Object{given}, Count: 40, Seed: 1, Skip: map[webhook.Group]bool{webhook.Large: true}})
	if f := of(sampled, webhook.Failed); f.Path.Field() != "spec.image" || len(sampled.Notes) > 0 {
		t.Errorf("with a sample: %s, %q", shown(*f), sampled.Notes)
	}
}

// TestFormerVersions warns once of all pairs with a version that is neither stored nor served: only managed fields ask for them.
func TestFormerVersions(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string][]string{
		"":                nil,
		"version-missing": {"pair-missing v1-v3 (minor)"},
	} {
		crd := gadgets(t)
		for i := range crd.Spec.Versions {
			if v := &crd.Spec.Versions[i]; v.Name == "v3" {
				v.Served = false
			}
		}
		r := testCRD(t, crd, fault, webhook.Options{Count: 20, Seed: 1})
		var found []string
		for _, f := range r.Findings {
			found = append(found, shown(f))
		}
		if !slices.Equal(found, want) || len(r.Pairs) != 2 || len(found) == 1 && !slices.Equal(r.Findings[0].Versions, []string{"v3"}) {
			t.Errorf("%q, want %q; %v", found, want, r)
		}
		crd.Status = apiextensions.CustomResourceDefinitionStatus{StoredVersions: []string{"v1", "v3"}}
		if r := testCRD(t, crd, fault, webhook.Options{Count: 4, Seed: 1}); len(r.Pairs) != 6 {
			t.Errorf("%v, though v3 is stored", r.Pairs)
		}
	}
}

// nestedAnswers is a webhook whose answers are nested so many levels deep.
type nestedAnswers int

func (n nestedAnswers) Convert(_ context.Context, _, to string, objects ...webhook.Object) *review.Answer {
	a := &review.Answer{}
	for range objects {
		var spec any = map[string]any{}
		for range int(n) - 2 {
			spec = map[string]any{"a": spec}
		}
		o := webhook.Object{"apiVersion": "example.com/" + to, "spec": spec}
		a.Objects, a.Raw = append(a.Objects, o), append(a.Raw, o)
	}
	return a
}

func (nestedAnswers) Send(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("there is no webhook")
}

// TestAnswerDepth has answers followed up to a limit, and a finding for those that are nested more deeply.
func TestAnswerDepth(t *testing.T) {
	t.Parallel()
	for depth, said := range map[nestedAnswers]bool{limit.AnswerDepth: false, limit.AnswerDepth + 1: true} {
		r, err := webhook.Test(t.Context(), gadgets(t), depth, webhook.Options{Count: 4, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		deep := func(f webhook.Finding) bool {
			return strings.Contains(f.Detail, "an object in the response is nested 257 levels deep, and crdlift follows at most 256; return a flatter one")
		}
		if slices.ContainsFunc(r.Findings, deep) != said {
			t.Errorf("with %d levels: %v", depth, r.Findings)
		}
	}
}
