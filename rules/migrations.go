package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/carry"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/rules/internal/conversions"
	"github.com/crdlift/crdlift/rules/internal/migrations"
)

// Migrations migrate custom resources to another version of their CRDs. One value is for one run.
type Migrations struct {
	Context context.Context // ends the run; nil for one that ends by itself
	Objects *Objects        // has the CRDs, and what files are; its fields about requests do not matter
	Webhook                 // that converts between versions; nothing is asked where none is said

	To          string   // a version, with or without its group, or MigrateToStorage
	From, Kinds []string // only objects of these versions and kinds; none for all
	AllowLoss   []string // fields that may go: "spec.legacy"
	// References is one of the words that References lists: what becomes of references to objects that are carried. "" is the first.
	References      string
	KeepAnnotations bool // write what a webhook keeps in annotations for the way back

	once    sync.Once // files are looked at in parallel, and all have one
	made    *migrations.Kind
	mu      sync.Mutex
	askers  map[*objects.Definition]*watchedAsker
	cutAway []string
}

// MigrateToStorage is the word for the storage version of each CRD.
const MigrateToStorage = carry.ToStorage

// References are the words that Migrations.References takes.
func References() []string {
	return []string{string(carry.WriteReferences), string(carry.ReportReferences), string(carry.IgnoreReferences)}
}

// kind is what the engine runs.
func (m *Migrations) kind() engine.Kind {
	m.once.Do(func() {
		m.made = &migrations.Kind{Role: m.Objects.role, Cut: m.cut, Carrier: &carry.Carrier{
			Options: carry.Options{
				To: m.To, From: m.From, Kinds: m.Kinds, AllowLoss: m.AllowLoss, References: carry.References(m.References), KeepAnnotations: m.KeepAnnotations,
			},
			Context: m.Context, Catalogue: &m.Objects.catalogue, Ask: m.ask, IsPatch: m.Objects.IsPatch,
		}}
	})
	return m.made
}

// ask returns what asks the webhook of a CRD.
func (m *Migrations) ask(d *objects.Definition) (carry.Asker, error) {
	if !m.isKnown() {
		return nil, ErrNoWebhook
	}
	asker, err := conversions.Ask(m.of(d.Hub))
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.askers == nil {
		m.askers = map[*objects.Definition]*watchedAsker{}
	}
	w := &watchedAsker{asker: asker}
	m.askers[d] = w
	return w, nil
}

// An Unasked is a CRD whose webhook converted nothing that it was needed for, or no longer does.
type Unasked struct {
	Path, Resource string
	Err            error // see ErrNoWebhook and ErrUnreachable
}

// Unasked are such CRDs, in the order of their paths. It is to be called once the linter has read all files.
func (m *Migrations) Unasked() (all []Unasked) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, u := range m.made.Unasked() {
		if w := m.askers[u.Definition]; w == nil || w.dead() == nil {
			all = append(all, Unasked{u.Definition.Path, u.Definition.Name, u.Err})
		}
	}
	for d, w := range m.askers {
		if err := w.dead(); err != nil {
			all = append(all, Unasked{d.Path, d.Name, err})
		}
	}
	slices.SortFunc(all, func(a, b Unasked) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Resource, b.Resource))
	})
	return all
}

// Cut are the files with objects that were not migrated since the webhook did not answer any more, sorted.
func (m *Migrations) Cut() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.Sort(m.cutAway)
	return slices.Compact(m.cutAway)
}

// cut reports whether the webhook of a CRD does not answer any more, and notes the file then.
func (m *Migrations) cut(d *objects.Definition, path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.askers[d]
	if w == nil || w.dead() == nil {
		return false
	}
	m.cutAway = append(m.cutAway, path)
	return true
}

// A watchedAsker asks a webhook until that does not answer any more.
type watchedAsker struct {
	asker interface {
		Convert(ctx context.Context, reviewVersion, to string, objects ...map[string]any) *review.Answer
	}
	mu   sync.Mutex
	late int   // how many of the last requests had no answer
	err  error // of the last of them, if no more are made
}

// maxLate is how many requests in a row may get a connection and no answer, until no more are made.
const maxLate = 3

func (w *watchedAsker) dead() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Convert has objects converted, unless requests before had no answer.
func (w *watchedAsker) Convert(ctx context.Context, reviewVersion, to string, objects ...map[string]any) *review.Answer {
	if err := w.dead(); err != nil {
		return &review.Answer{Kind: review.Transport, Err: err}
	}
	a := w.asker.Convert(ctx, reviewVersion, to, objects...)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case a.Kind != review.Timeout && a.Kind != review.Transport:
		w.late = 0
		return a
	case a.Kind == review.Timeout || webhook.IsUnreachable(a.Err):
		w.late = maxLate
	default:
		w.late++
	}
	if w.late >= maxLate {
		w.err = fmt.Errorf("%w (%w)", ErrUnreachable, a.Err)
	}
	return a
}
