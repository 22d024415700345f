package carry

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	internalwebhook "github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apimachinery/pkg/runtime"
)

// A carrying is an object on its way.
type carrying struct {
	*Way
	part       bool
	out        *Carried
	object     Object           // without what only servers write, and with stand-ins for placeholders
	stands     stands           // for placeholders
	was        *request.Outcome // of a create of the object
	undeclared []request.Path   // what the object's version drops
	gone       []request.Path   // of what is given, what is not written
	added      []addition       // to what is written

	// of a webhook
	known  map[string]Object // what it made of an object, by the version and the object
	leaves []*leaf           // of the object, with what becomes of them
	hidden map[string]bool   // annotations in which it keeps what the target version has no place for
}

// An addition is a value that is written besides those of the file.
type addition struct {
	at    request.Path
	value any
}

// Carry migrates the values of an object, as it is written. It is not changed. Of a part of an object, such as a patch,
// what is absent is no mistake.
func (w *Way) Carry(o Object, part bool) *Carried {
	c := &carrying{Way: w, part: part, out: &Carried{}, known: map[string]Object{}, object: runtime.DeepCopyJSON(o)}
	if w.carrier.context().Err() != nil {
		c.note("migrate-refused", nil, text.Sprintf("not migrated, because the run was stopped; run crdlift migrate again"))
		return c.out
	}
	c.takeOutServerState()
	var written Object
	if w.Webhook {
		written = c.converted(o)
	} else if c.rename() {
		written = c.changed(o)
	}
	slices.SortStableFunc(c.out.Notes, func(a, b Note) int { return cmp.Or(a.Path.Compare(b.Path), cmp.Compare(a.Rule, b.Rule)) })
	if !c.refused() {
		c.out.Object = written
		return c.out
	}
	c.out.Notes = slices.DeleteFunc(c.out.Notes, func(n Note) bool { return strings.HasSuffix(n.Rule, "-written") })
	c.out.Traces, c.out.LeftOut = nil, nil
	return c.out
}

// refusing are the rules whose notes say why an object is left as it is.
var refusing = []string{"migrate-lost", "migrate-refused", "migrate-unproven", "migrate-not-alike"}

func (c *carrying) refused() bool {
	return slices.ContainsFunc(c.out.Notes, func(n Note) bool { return !n.Warn && slices.Contains(refusing, n.Rule) })
}

// noteAt is note for a path of the target version.
func (c *carrying) noteAt(rule string, at request.Path, message text.Text) {
	c.note(rule, at, message)
	c.out.Notes[len(c.out.Notes)-1].Version = c.To
}

func (c *carrying) note(rule string, at request.Path, message text.Text) {
	c.out.Notes = append(c.out.Notes, Note{Rule: rule, Path: slices.Clone(at), Message: message})
}

// changed is an object with what has come of it, for strategy None: nothing moves.
func (c *carrying) changed(o Object) Object {
	o = runtime.DeepCopyJSON(o)
	o["apiVersion"] = c.to.GroupVersionKind().GroupVersion().String()
	for _, at := range c.gone {
		at.Remove(o)
	}
	for _, a := range c.added {
		a.at.Set(o, a.value)
	}
	return o
}

// takeOutServerState takes out of the object what a create drops or rejects as only servers write it, and notes that. It puts
// stand-ins in the place of placeholders, and creates the object at its version.
func (c *carrying) takeOutServerState() {
	drop := func(rule string, at request.Path, message text.Text) {
		if at.Remove(c.object) {
			c.gone = append(c.gone, at)
			c.note(rule, at, message)
		}
	}
	drop("object-server-fields", request.Keys("metadata", "resourceVersion"), text.Sprintf("only the API server writes it; crdlift removes it"))
	annotated := !c.isEmpty("metadata", "annotations")
	drop("object-server-fields", request.Keys("metadata", "annotations", apply.LastApplied), text.Sprintf("only kubectl writes it; crdlift removes it"))
	if annotated && c.isEmpty("metadata", "annotations") {
		at := request.Keys("metadata", "annotations")
		at.Remove(c.object)
		c.gone = append(c.gone, at)
	}
	c.stands = c.substitute()
	c.was = c.from.Create(c.object)
	for _, change := range c.was.Changes {
		switch at := change.Path; {
		case change.Kind == request.MetadataWiped && at.String() != "metadata.namespace":
			drop("object-server-fields", at, text.Sprintf("only the API server writes it; crdlift removes it"))
		case change.Kind == request.StatusDropped:
			drop("object-status-dropped", at, text.Sprintf("only updates of the status subresource write it; crdlift removes it"))
		}
	}
	for _, at := range c.was.Undeclared() {
		if _, there := at.In(c.object); !there {
			continue // it was in the status
		}
		c.undeclared = append(c.undeclared, at)
		if step := at[len(at)-1]; !c.part || step.IsIndex() || step.Key == "" || step.Key[0] != '$' { // "$patch" tells kustomize something
			c.note("object-unknown-field", at, text.Sprintf("%s does not declare it, so the API server drops it; correct its name, or remove it", c.From))
			c.out.Notes[len(c.out.Notes)-1].Warn = true
		}
	}
}

func (c *carrying) isEmpty(names ...string) bool {
	value, _ := request.Keys(names...).In(c.object)
	members, is := value.(map[string]any)
	return is && len(members) == 0
}

// rename carries an object by strategy None: all values stay where they are. It reports whether the object may be written.
func (c *carrying) rename() bool {
	if c.Alike {
		return true
	}
	w := runtime.DeepCopyJSON(c.object)
	w["apiVersion"] = c.to.GroupVersionKind().GroupVersion().String()
	is := c.to.Create(w)
	if c.lose(w, is.Undeclared()) {
		is = c.to.Create(w)
	}
	return !c.refused() && c.prove(w, is)
}

// lose notes what the target version would drop of an object at it and, where it may go, takes it out, and reports whether it did. What
// the object's own version drops stays in the file, as that is how it was.
func (c *carrying) lose(w Object, drops []request.Path) (taken bool) {
	if _, there := w["status"]; there && c.to.HasStatus() { // the object's version has no such subresource, or it would have been taken out
		drops = append(drops, request.Keys("status"))
	}
	for _, at := range drops {
		if !slices.ContainsFunc(c.undeclared, func(p request.Path) bool { return p.Leads(at) }) {
			taken = c.lost(w, at, text.Sprintf("%s does not declare it, so it would be lost; remove it, or allow that with --allow-loss", c.To)) || taken
		}
	}
	for _, at := range c.undeclared {
		if !slices.ContainsFunc(drops, func(p request.Path) bool { return p.Leads(at) }) {
			c.note("migrate-refused", at, text.Sprintf("%s drops it and %s does not, so it would take effect; remove it first", c.From, c.To))
		}
	}
	return taken
}

// lost notes that a value would be lost; one that may be is taken out of an object at the target version.
func (c *carrying) lost(w Object, at request.Path, why text.Text) (taken bool) {
	if !c.mayGo(at) {
		c.note("migrate-lost", at, why)
		return false
	}
	c.gone = append(c.gone, at)
	return at.Remove(w)
}

// mayGo reports whether the user lets a value go, or one that it is in.
func (c *carrying) mayGo(at request.Path) bool {
	for i := 1; i <= len(at); i++ {
		path := at[:i].String()
		if slices.ContainsFunc(c.carrier.AllowLoss, func(allowed string) bool { return config.MatchPath(allowed, path) }) {
			return true
		}
	}
	return false
}

// prove reports whether the server shows the same of an object at the target version as of the one that it was, once it is created. What
// it takes for that, since the versions have other defaults, is added to it. The outcome is that of the create.
func (c *carrying) prove(w Object, is *request.Outcome) bool {
	if !c.sameCauses(is) {
		return false
	}
	before := admitted(c.from, c.object, c.was)
	if !c.Webhook { // what is admitted as the same is stored as the same
		same := maps.Clone(before)
		if same["apiVersion"] = w["apiVersion"]; reflect.DeepEqual(same, admitted(c.to, w, is)) {
			return true
		}
	}
	want, err := c.shown(c.from, before)
	if err != nil {
		return c.unshown(err)
	}
	differ, err := c.differences(want, w, is)
	if err != nil {
		return c.unshown(err)
	}
	for _, d := range differ {
		if !d.absent {
			return c.unproven(d.at)
		}
		d.at.Set(w, d.want)
		c.added = append(c.added, addition{d.at, d.want})
		c.noteDefault(d.at, d.want)
	}
	if len(c.added) == 0 {
		return true
	}
	if is = c.to.Create(w); !c.sameCauses(is) {
		return false
	}
	if differ, err = c.differences(want, w, is); err != nil {
		return c.unshown(err)
	}
	return len(differ) == 0 || c.unproven(differ[0].at)
}

// differences are those between what is to be shown and what is of an object at the target version. A part has no say in what is absent in
// it, unless that is in an item.
func (c *carrying) differences(want, w Object, is *request.Outcome) (all []difference, err error) {
	got, err := c.shown(c.to, admitted(c.to, w, is))
	if err != nil {
		return nil, err
	}
	compare(nil, want, got, w, true, &all)
	return slices.DeleteFunc(all, func(d difference) bool {
		return c.part && d.absent && !slices.ContainsFunc(d.at, request.Step.IsIndex)
	}), nil
}

func (c *carrying) unshown(err error) bool {
	if c.Webhook {
		c.unconverted(err)
		return false
	}
	return c.unproven(nil)
}

func (c *carrying) unproven(at request.Path) bool {
	todo := "report a bug of crdlift"
	if c.Webhook {
		todo = "run `crdlift webhook test` and, if it passes, report a bug of crdlift"
	}
	c.noteAt("migrate-unproven", at, text.Sprintf("read at %s after the migration, the value would change or be lost; %s", c.To, todo))
	return false
}

// admitted is an object as a version takes it; of one that it rejects, all but what is rejected.
func admitted(v *request.Version, o Object, is *request.Outcome) Object {
	if is.Accepted() {
		return is.Object
	}
	if o, err := v.Coerce(o); err == nil {
		return v.Default(o)
	}
	return o
}

// shown is what a read at the target version shows of an object that was admitted at a version.
func (c *carrying) shown(at *request.Version, o Object) (Object, error) {
	if c.Webhook {
		return c.shownBy(at, o)
	}
	stored, err := at.Store(o)
	if err != nil {
		return nil, err
	}
	return c.to.Serve(stored)
}

// noteDefault says that a default of the object's version is written. It is from the CRD, so that it may be shown.
func (c *carrying) noteDefault(at request.Path, value any) {
	was, is := c.from.Declared(at), c.to.Declared(at)
	message := text.Sprintf("%s and %s have different defaults; crdlift writes the default of %s, so nothing changes", c.From, c.To, c.From)
	if was != nil && internalwebhook.IsScalar(value) && reflect.DeepEqual(was.Default.Object, value) {
		other := text.Sprintf("none")
		if is != nil && is.Default.Object != nil {
			other = text.Value(is.Default.Object)
		}
		message = text.Sprintf("the default is %s at %s, but %s at %s; crdlift writes %[1]s, so nothing changes", text.Value(value), c.From, other, c.To)
	}
	c.noteAt("migrate-default-written", at, message)
}
