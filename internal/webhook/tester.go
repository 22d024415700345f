package webhook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/runtime"
)

// A tester is a test while it goes on.
type tester struct {
	ctx     context.Context
	crd     *apiextensions.CustomResourceDefinition
	server  *request.Server
	storage *request.Version
	asker   Asker
	o       Options
	out     *Result

	pairs    []Pair
	broken   map[Pair]bool // they are not tried any more
	late     map[Pair]int  // how often the answer came too late
	versions map[string]*versionState

	compared map[Pair][]Object // with what they were after a round trip
	reached  bool              // the trial that is on has come so far
	uncured  map[key]int       // objects of an error of which nothing was learned

	conversions memory[*conversion]
	admissions  memory[Object]

	found     map[key]*record
	order     []*record
	done, all int
	left      int // requests to make an object small

	mu        sync.Mutex // of what is below
	last      *exchange  // that had an answer
	dead      error
	latencies []time.Duration
}

// A versionState is what a test has of a version, and has learned of it.
type versionState struct {
	generator   func() *sample.Generator
	objects     []Object                 // as users write them
	pool        map[string][]placedValue // some different values of each field
	cures       map[string]cure          // by the field that keeps the webhook from converting objects
	bookkeeping map[string]any           // annotations that the webhook carries data in
	looked      int                      // conversions between the storage version and this one
	same        map[[2]string]int        // how often a value of the one field was found in the other after these
	apart       map[[3]string]bool       // what it tells apart, by the other version of a conversion, the question, and the field
}

// of is the state of a version.
func (t *tester) of(version string) *versionState {
	if t.versions[version] == nil {
		t.versions[version] = &versionState{
			generator: sync.OnceValue(func() *sample.Generator { return sample.New(t.server, version, t.o.Seed) }),
			pool:      map[string][]placedValue{}, cures: map[string]cure{}, bookkeeping: map[string]any{}, same: map[[2]string]int{}, apart: map[[3]string]bool{},
		}
	}
	return t.versions[version]
}

// A placedValue is a value at its place.
type placedValue struct {
	path  request.Path
	value any
}

// Test tests the conversion between the versions of a CRD that has its defaults. Without an asker it is that of strategy None.
// An error wraps ErrUnreachable where there was never a response, or is ctx's; otherwise it is about the CRD.
func Test(ctx context.Context, crd *apiextensions.CustomResourceDefinition, asker Asker, o Options) (*Result, error) {
	server, err := request.New(crd)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	t := &tester{
		ctx: ctx, crd: crd, server: server, storage: server.Storage(), asker: asker, o: o, out: &Result{},
		broken: map[Pair]bool{}, late: map[Pair]int{}, versions: map[string]*versionState{}, found: map[key]*record{},
		compared: map[Pair][]Object{}, uncured: map[key]int{},
	}
	if asker == nil {
		t.asker = noneConverter{crd.Spec.Group}
	}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if len(o.Replay) > 0 {
		t.replay()
	} else {
		t.run(asker != nil)
	}
	switch err := t.over(); {
	case errors.Is(err, errDead):
		t.died()
	case err != nil:
		return nil, err
	}
	t.finish()
	t.out.Elapsed = time.Since(begun)
	return t.out, nil
}

func (t *tester) remark(format string, args ...any) {
	t.out.Notes = append(t.out.Notes, fmt.Sprintf(format, args...))
}

// run does all parts of a test, those that may end the webhook last.
func (t *tester) run(webhook bool) {
	if webhook && !t.o.Skip[Pairs] {
		t.tryPairs()
		t.tryReviewVersions()
	}
	if !t.o.Skip[RoundTrip] {
		t.tryObjects()
	}
	if !t.o.Skip[Edits] {
		t.tryEdits()
	}
	if webhook && !t.o.Skip[PartialOf] {
		t.incomplete()
	}
	if webhook && !t.o.Skip[Concurrency] {
		for _, pair := range t.pairs {
			for _, o := range t.some(pair.From, 2) {
				t.try(inOrder(pair), o)
				t.try(concurrent(pair), o)
			}
		}
	}
	if webhook {
		t.repeat()
	}
	for _, r := range t.settle() {
		t.minimize(r)
	}
	if webhook && !t.o.Skip[Large] {
		t.tryLarge()
	}
	if webhook && !t.o.Skip[GarbageOf] {
		t.tryGarbage()
	}
}

// trialOf is the trial of what becomes of an object of the first version of a pair.
func (t *tester) trialOf(pair Pair) trial {
	switch t.storage.Name {
	case pair.From:
		return judged(pair, (*tester).roundTrip)
	case pair.To:
		return judged(pair, (*tester).writing)
	}
	return judged(pair, (*tester).direct)
}

func (t *tester) tryObjects() {
	for _, version := range t.out.Versions {
		objects := t.of(version).objects
		for i := range objects {
			for _, pair := range t.pairs {
				if pair.From == version {
					objects[i] = t.tryObject(pair, objects[i])
				}
			}
			t.done++
		}
	}
}

// tryObject tries what becomes of an object, and is that one or, where the webhook fails for it, one in its place that it converts.
func (t *tester) tryObject(pair Pair, o Object) Object {
	tr := t.trialOf(pair)
	var found []hit
	try := func(o Object) []hit {
		t.reached = false
		if found = t.try(tr, o); t.reached {
			t.compared[pair] = append(t.compared[pair], o)
		}
		return found
	}
	if again := t.heal(tr, pair.From, o, try(o), try); again != nil {
		o = again
	}
	if again := t.mended(pair.From, o, found); again != nil {
		try(again)
	}
	return o
}

// mended is an object with other values where they keep clients from writing it at another version, as far as fields have the same
// names there; nil where nothing does. An object of many fields would hide what is lost of all others.
func (t *tester) mended(version string, o Object, found []hit) (again Object) {
	for _, h := range found {
		if h.Property != NotWritable || len(h.Path) == 0 {
			continue
		}
		if again == nil {
			again = runtime.DeepCopyJSON(o)
		}
		values := t.of(version).pool[t.field(version, h.Path)]
		i := slices.IndexFunc(values, func(other placedValue) bool { return !isEmpty(other.value) })
		if i < 0 || !h.Path.Set(again, runtime.DeepCopyJSONValue(values[i].value)) {
			return nil
		}
	}
	return again
}

// minEdits is the number of edits of a kind for each pair where few objects are made.
const minEdits = 50

// tryEdits has clients change and remove fields. What a conversion restores it has to have kept: of an object with much that the other
// version lacks, so that these come first for removals there, and from an earlier conversion of one that has it no more, which takes
// objects of few fields.
func (t *tester) tryEdits() {
	for _, pair := range t.pairs {
		if pair.From != t.storage.Name {
			continue
		}
		for _, kind := range []editKind{{perField: editsPerField}, {removed: true, perField: 1}, {removed: true, stored: true, perField: 1}, {stored: true, perField: 1}} {
			objects := slices.Clone(t.of(pair.From).objects)
			if kind.removed && !kind.stored {
				slices.Reverse(objects)
			}
			of := fieldEdits{map[string]int{}, map[string]int{}}
			n := 0
			for _, o := range objects {
				if n < max(t.o.Count, minEdits) {
					n += t.edits(pair, o, kind, of)
				}
			}
		}
	}
}

func (t *tester) finish() {
	for _, r := range t.settle() {
		if r.unsure {
			continue
		}
		t.count(r)
		if len(r.Object) == 0 {
			r.Object = nil
		}
		t.out.Findings = append(t.out.Findings, r.Finding)
	}
	if n := len(t.latencies); n > 0 {
		slices.Sort(t.latencies)
		t.out.Median, t.out.P99 = t.latencies[n/2], t.latencies[min(n-1, n*99/100)]
	}
	if t.o.Objective && t.out.P99 > objective {
		t.out.Findings = append(t.out.Findings, Finding{Property: Slow, Grade: Minor, Detail: fmt.Sprintf("99%% of the requests for one object take up to %s, and the objective is %s", t.out.P99.Round(time.Millisecond), objective)})
	}
	if errors.Is(t.dead, errDead) {
		t.remark("%v: the rest was not tried; run the test again", errDead)
	}
	slices.SortFunc(t.out.Notes, strings.Compare)
	t.out.Notes = slices.Compact(t.out.Notes)
}

// objective is what 99 of 100 conversions of one object are to take at most, by the enhancement that made CRDs generally available.
const objective = 50 * time.Millisecond
