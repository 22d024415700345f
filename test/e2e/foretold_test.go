package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/upgrade"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// classes are the names of what becomes of objects, in the summary.
var classes = map[upgrade.Class]string{
	upgrade.RefusedAlways: "rejected always", upgrade.RefusedStatus: "rejected status", upgrade.Unreadable: "unreadable",
	upgrade.FieldLost: "a field is lost", upgrade.RefusedWhenChanged: "rejected when changed", upgrade.RefusedOnCreate: "rejected on create",
	upgrade.DefaultChanged: "a default is new", upgrade.Converted: "converted", upgrade.Survives: "survives",
}

func (t *trial) countEffects() {
	t.tally.count("worst: "+classes[t.prospect.Worst()], 1)
	for _, e := range t.prospect.Effects {
		t.tally.count("effects: "+classes[e.Class], 1)
	}
}

func foretells(p *upgrade.Prospect, class upgrade.Class) bool {
	return slices.ContainsFunc(p.Effects, func(e upgrade.Effect) bool { return e.Class == class })
}

// What is wrong with a prospect.
const (
	survivor = "false survives"
	alarm    = "false alarm"
)

// survives is what is wrong when the server does something, or not.
func survives(does bool) string {
	if does {
		return alarm
	}
	return survivor
}

// wrong fails the test, as what was foretold is not what a server does.
func (t *trial) wrong(what, wrong, why string) {
	var effects []string
	for _, e := range t.prospect.Effects {
		effects = append(effects, fmt.Sprintf("%s at %s: %s scope %q path %q status %v hidden %v unstored %v",
			classes[e.Class], e.Version, textOf(e.Cause), e.Scope, e.Path, e.Status, e.Hidden, e.Unstored))
	}
	t.tally.fail(wrong+": "+what, t.m, fmt.Sprintf("%s: %s at %s\n%s\nforetold:\n  %s\nobject %s\nnow %s",
		t.about, t.name, t.at, why, strings.Join(effects, "\n  "), text(t.before), text(t.now)))
}

// textOf is a cause as the server would say it.
func textOf(c *request.Cause) string {
	switch {
	case c == nil:
		return ""
	case c.Type != "" && c.Field == "": // the server has only warned of it
		return string(c.Type) + " " + plain(dotted(c.Path))
	case c.Type != "":
		return string(c.Type) + " " + plain(c.Field)
	case c.Stage == request.Scale || c.Stage == request.Storing:
		return http.StatusText(http.StatusInternalServerError)
	}
	return http.StatusText(http.StatusBadRequest)
}

// plain makes one of the two spellings of a map's key.
func plain(field string) string { return strings.NewReplacer("[", ".", "]", "").Replace(field) }

var unmetAs = regexp.MustCompile(`^(\S+): (Invalid value|Forbidden|Required value|Duplicate value)\b`)

var typeOf = map[string]string{"Invalid value": "FieldValueInvalid", "Forbidden": "FieldValueForbidden", "Required value": "FieldValueRequired", "Duplicate value": "FieldValueDuplicate"}

// causesOf are those of some effects; of all versions, or only of the one that is tried.
func (t *trial) causesOf(here bool, which func(upgrade.Effect) bool) (texts []string) {
	for _, e := range t.prospect.Effects {
		if e.Cause != nil && (!here || e.Version == t.at) && which(e) {
			texts = append(texts, textOf(e.Cause))
		}
	}
	return texts
}

func (t *trial) always(here bool) []string {
	return t.causesOf(here, func(e upgrade.Effect) bool { return e.Class == upgrade.RefusedAlways })
}

// status are those of a request about the status. Where upstream names no field it names what it validates, here the status alone.
func (t *trial) status(here bool) (texts []string) {
	for _, e := range t.prospect.Effects {
		if e.Class == upgrade.RefusedAlways && e.Status || e.Class == upgrade.RefusedStatus && e.Scope == nil {
			if cause := *e.Cause; !here || e.Version == t.at {
				if cause.Stage == request.Schema && cause.Field == "<nil>" {
					cause.Field = "status"
				}
				texts = append(texts, textOf(&cause))
			}
		}
	}
	return texts
}

// knownBefore asks for what the old CRD has against the object: that is no news.
func (t *trial) knownBefore() {
	t.known = nil
	version := t.at
	if t.holding.before[version] == nil {
		version = t.from
	}
	v, was := t.was.Version(version), t.holding.before[version]
	bare := runtime.DeepCopyJSON(was)
	delete(metadataOf(bare), "resourceVersion")
	delete(bare, "status")
	outcomes := []*request.Outcome{v.Create(bare), v.Update(runtime.DeepCopyJSON(was), runtime.DeepCopyJSON(was)), v.Update(runtime.DeepCopyJSON(was), nil)}
	if v.HasStatus() {
		less := runtime.DeepCopyJSON(was)
		delete(less, "status")
		outcomes = append(outcomes, v.UpdateStatus(runtime.DeepCopyJSON(was), less))
	}
	for _, o := range outcomes {
		for _, c := range o.Causes {
			t.known = append(t.known, textOf(&c))
		}
		for _, w := range o.Warnings {
			if w.Kind == request.Ratcheted {
				t.known = append(t.known, textOf(w.Cause))
			}
		}
	}
}

// hold compares the reasons of a rejection with those that are foretold: some that have to be there, and all that may be.
func (t *trial) hold(what string, a attempt, sure, may []string) {
	for _, cause := range a.causes {
		if !slices.Contains(may, cause) && !slices.Contains(t.known, cause) {
			t.wrong(what, survivor, cause+": "+a.reason())
			return
		}
	}
	for _, cause := range sure {
		if !slices.Contains(a.causes, cause) {
			t.wrong(what, alarm, cause+": "+a.reason())
			return
		}
	}
}

// holdCreate: every reason is one of some effect, and those of a create have to be there.
func (t *trial) holdCreate(a attempt) {
	any := t.causesOf(false, func(upgrade.Effect) bool { return true })
	t.hold("a create", a, t.causesOf(true, func(e upgrade.Effect) bool { return e.Class == upgrade.RefusedOnCreate }), any)
}

// holdWarnings: what the server warns of in a touch, it will reject some day. If every change there is rejected before it comes to
// the rules, nobody is told of them.
func (t *trial) holdWarnings(a attempt) {
	any := t.causesOf(false, func(upgrade.Effect) bool { return true })
	for _, cause := range a.warned {
		_, field, _ := strings.Cut(cause, " ")
		behind := slices.ContainsFunc(t.prospect.Effects, func(e upgrade.Effect) bool {
			return len(e.Scope) > 0 && strings.HasPrefix(field+".", plain(dotted(e.Scope))+".")
		})
		switch {
		case slices.Contains(any, cause) || slices.Contains(t.known, cause):
		case behind:
			t.tally.count("rules behind other rejections", 1)
		default:
			t.wrong("a warning", survivor, cause)
		}
	}
}

// holdChange: of what the server has against the object as it was, a change only brings back what is foretold.
func (t *trial) holdChange(operation operation, leaf request.Path, a attempt) {
	may := t.always(false)
	if operation == updateStatus {
		may = t.status(false)
	}
	part := t.itemOf(leaf)
	may = append(may, t.causesOf(false, func(e upgrade.Effect) bool { return len(e.Scope) > 0 && related(e.Scope, part) })...)
	for _, cause := range a.causes {
		if slices.Contains(t.against, cause) && !slices.Contains(may, cause) && !slices.Contains(t.known, cause) && !t.ofChange(operation, a, cause) {
			t.wrong(string(operation)+" that changes "+leaf.String(), survivor, cause+": "+a.reason())
			return
		}
	}
	t.tally.count("changes, "+fmt.Sprint(a.code), 1)
}

// ofChange reports whether a cause is about the change, although it reads like one that is about the object as it was: what
// broke is not the same, or is a rule about what the value was before.
func (t *trial) ofChange(operation operation, a attempt, cause string) bool {
	v := t.is.Version(t.at)
	update, less := v.Update, map[string]any(nil)
	if operation == updateStatus {
		update, less = v.UpdateStatus, runtime.DeepCopyJSON(t.now)
		delete(less, "status")
	}
	before := update(runtime.DeepCopyJSON(t.now), less).Causes
	found := false
	for _, c := range update(runtime.DeepCopyJSON(a.sent), runtime.DeepCopyJSON(t.now)).Causes {
		if textOf(&c) != cause {
			continue
		}
		again := slices.ContainsFunc(before, func(b request.Cause) bool {
			return b.Rule == c.Rule && b.Keyword == c.Keyword && b.Path.Compare(c.Path) == 0 && slices.Equal(b.SchemaPath, c.SchemaPath)
		})
		if again && (c.Rule < 0 || !strings.Contains(c.Schema.XValidations[c.Rule].Rule, "oldSelf")) {
			return false
		}
		found = true
	}
	return found
}

// itemOf is the whole item of a list map if a value is one of its keys: with another key it is another item. Else it is the value.
func (t *trial) itemOf(leaf request.Path) request.Path {
	at := t.is.Version(t.at).Structural()
	for i, step := range leaf {
		switch {
		case at == nil:
			return leaf
		case step.IsIndex():
			if i == len(leaf)-2 && slices.Contains(at.XListMapKeys, leaf[i+1].Key) {
				return leaf[:i+1]
			}
			at = at.Items
		default:
			at = memberOf(at, step.Key)
		}
	}
	return leaf
}

func memberOf(s *structuralschema.Structural, name string) *structuralschema.Structural {
	if member, found := s.Properties[name]; found {
		return &member
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Structural
	}
	return nil
}

// related reports whether one of two paths leads through the other.
func related(a, b request.Path) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// mends reports whether an object that was changed does not break what an effect is about.
func (t *trial) mends(e upgrade.Effect, changed map[string]any) bool {
	v := t.is.Version(t.at)
	outcomes := []*request.Outcome{v.Update(runtime.DeepCopyJSON(changed), nil)}
	if v.HasStatus() {
		less := runtime.DeepCopyJSON(changed)
		delete(less, "status")
		outcomes = append(outcomes, v.UpdateStatus(changed, less))
	}
	for _, o := range outcomes {
		if slices.ContainsFunc(o.Causes, func(c request.Cause) bool { return textOf(&c) == textOf(e.Cause) && c.Rule == e.Cause.Rule }) {
			return false
		}
	}
	return true
}

// reads compares what is served now with what was served, after a write or before.
func (t *trial) reads(now map[string]any, written bool) {
	gone, added := partsOf(t.before, now), partsOf(now, t.before)
	stored := slices.DeleteFunc(slices.Clone(gone), t.unstored) // what need not be foretold is no false alarm either
	covers := func(all, needed []request.Path, class upgrade.Class, which func(upgrade.Effect) bool, what string) {
		for _, at := range needed {
			if !slices.ContainsFunc(t.prospect.Effects, func(e upgrade.Effect) bool {
				return e.Class == class && which(e) && len(e.Path) <= len(at) && related(e.Path, at)
			}) {
				t.wrong(what, survivor, at.String())
				return
			}
		}
		for _, e := range t.prospect.Effects {
			if e.Class == class && which(e) && e.Version == t.at && !slices.ContainsFunc(all, func(at request.Path) bool { return related(e.Path, at) }) {
				t.wrong(what, alarm, e.Path.String())
				return
			}
		}
	}
	if !written {
		covers(gone, stored, upgrade.FieldLost, func(e upgrade.Effect) bool { return e.Hidden }, "a field that is not served")
		covers(added, added, upgrade.DefaultChanged, func(upgrade.Effect) bool { return true }, "a default")
		return
	}
	covers(gone, stored, upgrade.FieldLost, func(e upgrade.Effect) bool { return e.Hidden || e.Unstored }, "a field that is not kept")
}

// unstored reports whether a value was never there: the old CRD only made it for reads, which an object as it is served cannot tell.
func (t *trial) unstored(at request.Path) bool {
	var stored map[string]any
	if err := json.Unmarshal(t.raw, &stored); err != nil {
		return false
	}
	if _, found := at.In(stored); found {
		return false
	}
	t.tally.count("values that were only made for reads", 1)
	return true
}

// partsOf are the values without parts of one object that are not in another, or of which only one is null.
func partsOf(whole, other map[string]any) (paths []request.Path) {
	for _, at := range endsOf(whole) {
		was := valueAt(whole, at)
		is, found := at.In(other)
		if !found || was != nil && is == nil {
			paths = append(paths, at)
		}
	}
	return paths
}

// endsOf are the paths of all values that have no parts, but for the object's head.
func endsOf(object map[string]any) (paths []request.Path) {
	var visit func(at request.Path, value any)
	visit = func(at request.Path, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				if len(at) > 0 || key != "apiVersion" && key != "kind" && key != "metadata" {
					visit(at.To(request.Key(key)), value[key])
				}
			}
			if len(value) > 0 {
				return
			}
		case []any:
			for i := range value {
				visit(at.To(request.Index(i)), value[i])
			}
			if len(value) > 0 {
				return
			}
		}
		if len(at) > 0 {
			paths = append(paths, at)
		}
	}
	visit(nil, object)
	return paths
}

// leavesOf are those of endsOf that can be changed.
func leavesOf(object map[string]any) []request.Path {
	return slices.DeleteFunc(endsOf(object), func(at request.Path) bool {
		value := valueAt(object, at)
		return reflect.DeepEqual(more(value), value)
	})
}

func leavesBelow(object map[string]any, scope request.Path) []request.Path {
	return slices.DeleteFunc(leavesOf(object), func(at request.Path) bool { return len(at) < len(scope) || !related(at, scope) })
}

func valueAt(object map[string]any, at request.Path) any {
	value, _ := at.In(object)
	return value
}

// another is a value that another object has there, or one more than the value.
func (t *trial) another(at request.Path) any {
	was := valueAt(t.now, at)
	for _, i := range t.random.Perm(len(t.objects)) {
		if is, found := at.In(t.objects[i].before[t.at]); found && reflect.TypeOf(is) == reflect.TypeOf(was) && !reflect.DeepEqual(is, was) {
			return is
		}
	}
	return more(was)
}

// more is a value of the same type that is not equal; the same for one of which there is none.
func more(value any) any {
	switch value := value.(type) {
	case string:
		return value + "x"
	case int64:
		return value + 1
	case float64:
		return value + 1
	case bool:
		return !value
	}
	return value
}

func replaceWith(value any) func(map[string]any, request.Path) {
	return func(o map[string]any, at request.Path) {
		holder, _ := at[:len(at)-1].In(o)
		switch last := at[len(at)-1]; holder := holder.(type) {
		case map[string]any:
			holder[last.Key] = value
		case []any:
			holder[last.Index] = value
		}
	}
}

// remove removes a member; an item stays, and is another one.
func remove(o map[string]any, at request.Path) {
	holder, _ := at[:len(at)-1].In(o)
	if holder, ok := holder.(map[string]any); ok {
		delete(holder, at[len(at)-1].Key)
		return
	}
	replaceWith(more(valueAt(o, at)))(o, at)
}
