package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/upgrade"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A trial is what is done with one object once its CRD is replaced, at one version after the other. Whatever succeeds is undone.
type trial struct {
	*estate
	*holding
	after    *resources
	is       *request.Server
	prospect *upgrade.Prospect
	about    string

	at          string         // the version
	before, now map[string]any // as it is served there
	revision    string         // the resourceVersion of the object as it is
	against     []string       // what the server has against the object as a whole
	known       []string       // what the old CRD has
}

// all does all of it at each version that the object could be reached at before, or at the one to go on at if there is none.
func (t *trial) all() error {
	tried := false
	for _, version := range t.after.served {
		if before := t.holding.before[version]; before != nil {
			tried = true
			if err := t.through(version, before); err != nil {
				return err
			}
		}
	}
	if !tried {
		return t.through(t.after.version, t.holding.before[t.from])
	}
	return nil
}

// through does all of it at one version.
func (t *trial) through(version string, before map[string]any) error {
	t.at, t.before = version, before
	read, err := t.server.request(http.MethodGet, t.after.path(version, t.name, ""), nil)
	if err != nil {
		return err
	}
	t.tally.count("reads", 1)
	if unreadable := foretells(t.prospect, upgrade.Unreadable); unreadable || !read.ok() {
		if read.ok() || !unreadable {
			t.wrong("a read", survives(read.ok()), read.reason())
		}
		return nil
	}
	if t.now, err = read.object(); err != nil {
		return err
	}
	t.revision = ""
	delete(metadataOf(t.now), "managedFields")
	t.reads(t.now, false)
	for _, do := range []func() error{t.anew, t.statusAnew, t.touch, t.finalize, t.sameStatus, t.elsewhere, t.inside} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// An attempt is a write and what the server made of it.
type attempt struct {
	answer
	sent   map[string]any
	causes []string       // why it rejected it
	warned []string       // what it would have rejected if it had changed
	behind bool           // it did not come to the rules
	read   map[string]any // as it is served after that; nil when it is not
}

// write sends a changed object and puts the old one back.
func (t *trial) write(operation operation, change func(map[string]any)) (a attempt, err error) {
	object := runtime.DeepCopyJSON(t.now)
	if t.revision != "" {
		metadataOf(object)["resourceVersion"] = t.revision
	}
	change(object)
	a.sent = object
	if a.answer, err = t.after.send(write{operation: operation, version: t.at, object: object}); err != nil {
		return a, err
	}
	t.tally.count("writes", 1)
	a.judge()
	if !a.ok() && operation != create {
		return a, nil
	}
	if a.ok() {
		if a.read, err = t.after.read(t.at, t.name); err != nil {
			return a, err
		}
	}
	t.revision, err = t.after.putBack(t.name, t.raw)
	return a, err
}

// judge reads what the server said.
func (a *attempt) judge() {
	for _, w := range a.warnings {
		if match := unmetAs.FindStringSubmatch(w); match != nil {
			a.warned = append(a.warned, typeOf[match[2]]+" "+plain(match[1]))
		}
	}
	if a.ok() {
		return
	}
	var status metav1.Status
	if err := json.Unmarshal(a.body, &status); err != nil || a.code != http.StatusUnprocessableEntity || status.Details == nil {
		a.causes = []string{http.StatusText(a.code)}
		return
	}
	for _, cause := range status.Details.Causes {
		if strings.Contains(cause.Message, "some validation rules were not checked") {
			a.behind = true
			continue
		}
		a.causes = append(a.causes, string(cause.Type)+" "+plain(cause.Field))
	}
	slices.Sort(a.causes)
	a.causes = slices.Compact(a.causes)
}

// anew creates the object again, after it was lost.
func (t *trial) anew() error {
	if err := t.after.takeOut(t.name); err != nil {
		return err
	}
	a, err := t.write(create, func(o map[string]any) {
		metadata := metadataOf(o)
		for _, made := range []string{"uid", "resourceVersion", "creationTimestamp", "generation"} {
			delete(metadata, made)
		}
		delete(o, "status")
	})
	if err != nil {
		return err
	}
	t.knownBefore()
	t.against = a.causes
	t.holdCreate(a)
	return nil
}

// statusAnew writes the status of an object that has none.
func (t *trial) statusAnew() error {
	if _, has := t.now["status"]; !has || !t.is.Version(t.at).HasStatus() {
		return nil
	}
	var bare map[string]any
	if err := json.Unmarshal(t.raw, &bare); err != nil {
		return err
	}
	delete(bare, "status")
	raw, err := json.Marshal(bare)
	if err != nil {
		return err
	}
	if t.revision, err = t.after.putBack(t.name, raw); err != nil {
		return err
	}
	a, err := t.write(updateStatus, func(map[string]any) {})
	if err != nil {
		return err
	}
	t.against = append(t.against, a.causes...)
	t.revision, err = t.after.putBack(t.name, t.raw)
	return err
}

func (t *trial) touch() error {
	a, err := t.write(update, func(o map[string]any) { child(metadataOf(o), "labels")["touched"] = "yes" })
	if err != nil {
		return err
	}
	t.against = append(t.against, a.warned...)
	t.hold("a touch", a, t.always(true), t.always(false))
	t.holdWarnings(a)
	if a.ok() {
		t.reads(a.read, true)
	}
	return nil
}

func (t *trial) finalize() error {
	if metadataOf(t.now)["finalizers"] == nil {
		return nil
	}
	a, err := t.write(update, unkept)
	if err == nil {
		t.hold("a finalizer's removal", a, t.always(true), t.always(false))
	}
	return err
}

func (t *trial) sameStatus() error {
	if !t.is.Version(t.at).HasStatus() {
		return nil
	}
	a, err := t.write(updateStatus, func(map[string]any) {})
	if err != nil {
		return err
	}
	t.against = append(t.against, a.warned...)
	t.hold("the same status", a, t.status(true), t.status(false))
	return nil
}

// elsewhere changes some values, wherever they are, and is rejected only for what they are or for what is foretold.
func (t *trial) elsewhere() error {
	leaves := leavesOf(t.now)
	t.random.Shuffle(len(leaves), func(i, j int) { leaves[i], leaves[j] = leaves[j], leaves[i] })
	spec, status := 0, 0
	for _, leaf := range leaves {
		operation, count := update, &spec
		if leaf[0].Key == "status" && t.is.Version(t.at).HasStatus() {
			operation, count = updateStatus, &status
		}
		if *count++; *count > 2 {
			continue
		}
		if err := t.changeOf(operation, leaf); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) changeOf(operation operation, leaf request.Path) error {
	change := replaceWith(t.another(leaf))
	if t.random.IntN(4) == 0 {
		change = remove
	}
	a, err := t.write(operation, func(o map[string]any) { change(o, leaf) })
	if err == nil {
		t.holdChange(operation, leaf, a)
	}
	return err
}

// inside changes a value in each part that has to stay as it is.
func (t *trial) inside() error {
	tried := 0
	for _, e := range t.prospect.Effects {
		if len(e.Scope) == 0 || e.Version != t.at {
			continue
		}
		if tried++; tried > 3 {
			break
		}
		if err := t.insideOf(e); err != nil {
			return err
		}
	}
	return nil
}

// insideOf tries a few values of a part: a change may mend what was wrong, or hide it behind something that it makes wrong.
func (t *trial) insideOf(e upgrade.Effect) error {
	leaves := leavesBelow(t.now, e.Scope)
	t.random.Shuffle(len(leaves), func(i, j int) { leaves[i], leaves[j] = leaves[j], leaves[i] })
	why := "there is no value in it"
	for _, leaf := range leaves[:min(len(leaves), 4)] {
		operation := update
		if leaf[0].Key == "status" && t.is.Version(t.at).HasStatus() {
			operation = updateStatus
		}
		changed := runtime.DeepCopyJSON(t.now)
		replaceWith(more(valueAt(t.now, leaf)))(changed, leaf)
		a, err := t.write(operation, func(o map[string]any) { replaceWith(more(valueAt(t.now, leaf)))(o, leaf) })
		if err != nil {
			return err
		}
		t.holdChange(operation, leaf, a)
		switch {
		case slices.Contains(a.causes, textOf(e.Cause)):
			t.tally.count("changes inside that are rejected", 1)
			return nil
		case a.behind:
			why = "it is behind others"
		case t.mends(e, changed):
			why = "the change mends it"
		default:
			t.wrong("a change inside of "+e.Scope.String()+" at "+leaf.String(), alarm, textOf(e.Cause)+": the server says "+a.reason())
			return nil
		}
	}
	t.tally.count("not tried inside of a part: "+why, 1, t.m, ": ", t.about, ": ", e.Scope, ": ", textOf(e.Cause))
	return nil
}
