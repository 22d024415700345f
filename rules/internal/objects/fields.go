package objects

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// objectFieldRules are about what becomes of fields on the way in.
var objectFieldRules = []*engine.Rule{
	check(lint.Error, UnknownField, "fields that the schema does not declare, which are dropped", func(p *objectpass.Pass) {
		for _, u := range undeclaredFields(p) {
			reportUndeclared(p, u)
		}
	}),
	check(lint.Warning, "object-null-dropped", "nulls that are dropped", droppedNulls),
	check(lint.Info, "object-status-dropped", "a status, which is dropped when the object is created", droppedStatus),
	check(lint.Error, "object-server-fields", "metadata that only the API server writes", writtenByServer),
}

// An undeclaredField is one that is dropped as nothing declares it.
type undeclaredField struct {
	at    request.Path
	meant string // the field that it was meant to be, which the object does not have; "" where that is not clear
}

// undeclaredFields are all of them but those of a status that is dropped as a whole, which object-status-dropped tells, and
// those of a value of a wrong type: which fields it may have is not the question.
func undeclaredFields(p *objectpass.Pass) []undeclaredField {
	type key struct{}
	return engine.Memo(p, key{}, func() (all []undeclaredField) {
		statusTold := losesStatus(p) && severityOf(p, "object-status-dropped", lint.Info) > lint.Off
		wrong := wronglyTyped(p)
		for _, at := range changesOf(p, request.Pruned) {
			if at[0].Key == "status" && statusTold || leadsThrough(at, wrong) {
				continue
			}
			all = append(all, undeclaredField{at, meantField(p, at)})
		}
		return all
	})
}

// meantFields are the fields that the undeclared ones of an object were meant to be, by the path of the value that has them.
func meantFields(p *objectpass.Pass) map[string]map[string]bool {
	type key struct{}
	return engine.Memo(p, key{}, func() map[string]map[string]bool {
		all := map[string]map[string]bool{}
		for _, u := range undeclaredFields(p) {
			if u.meant == "" {
				continue
			}
			parent := u.at[:len(u.at)-1].String()
			if all[parent] == nil {
				all[parent] = map[string]bool{}
			}
			all[parent][u.meant] = true
		}
		return all
	})
}

// wronglyTyped are the paths of the values that object-type tells.
func wronglyTyped(p *objectpass.Pass) map[string]bool {
	all := map[string]bool{}
	if severityOf(p, "object-type", lint.Error) > lint.Off {
		for _, c := range p.Outcome().Causes {
			if c.Keyword == "type" {
				all[c.Path.String()] = true
			}
		}
	}
	return all
}

// leadsThrough reports whether a path leads through one of several, to what is in it.
func leadsThrough(at request.Path, some map[string]bool) bool {
	for i := range at {
		if len(some) > 0 && some[at[:i].String()] {
			return true
		}
	}
	return false
}

// meantField is the declared field that an unknown one is a misspelling of; "" where there is none, or the object has it.
func meantField(p *objectpass.Pass, at request.Path) string {
	parent, name := at[:len(at)-1], at[len(at)-1].Key
	near := nearestDeclared(p, parent, name)
	if len(near) != 1 {
		return ""
	}
	if _, there := parent.To(request.Key(near[0])).In(p.Tree()); there {
		return ""
	}
	return near[0]
}

// nearestDeclared are the fields that an unknown one of the value at a path may have been meant to be.
func nearestDeclared(p *objectpass.Pass, at request.Path, name string) []string {
	if len(at) == 1 && at[0].Key == "metadata" {
		return text.Nearest(name, request.MetadataFields())
	}
	s, rest := p.Schema(at)
	switch {
	case s == nil || len(rest) > 0:
		return nil
	case len(at) == 0:
		return p.Definition().Tree().Fields(s, "metadata").Nearest(name)
	}
	return p.Definition().Tree().Fields(s).Nearest(name)
}

// reportUndeclared reports one. It speaks of kubectl only where that is to send the object: what came from a server is stored, and
// the server drops the field when it reads that (schemaCoercingDecoder.Decode).
func reportUndeclared(p *objectpass.Pass, u undeclaredField) {
	what := "is not declared and is dropped"
	refused := severityOf(p, UnknownField, lint.Error) == lint.Error && !p.Object.FromServer()
	switch p.Way() {
	case lint.ServerSide:
		if what = "is not declared and is silently dropped"; isRefusedByApply(p, u.at) {
			what = "is not declared: server-side apply rejects it"
		}
	default:
		if refused {
			what += "; kubectl rejects it"
		}
		if p.Applied() != nil && p.Way() == lint.AnyApply && !isRefusedByApply(p, u.at) {
			what += ", but server-side apply drops it silently"
		}
	}
	f := p.ReportKeyf(u.at, "%s %s", words.PathName(u.at), what)
	f.Strict = true
	if u.meant != "" {
		f.Advise(text.DidYouMean(u.meant))
		f.Fix = renameMember(p, u.at, u.meant)
		return
	}
	f.Fix = removeMember(p, u.at)
	if near := nearestDeclared(p, u.at[:len(u.at)-1], u.at[len(u.at)-1].Key); len(near) > 1 {
		f.Advise(text.DidYouMean(near...))
		f.Fix = nil
	}
}

// isRefusedByApply reports whether server-side apply rejects an undeclared field, or what it is in. Where it does not, its schema is open there, and the
// field is dropped when the object is read; see parseObject of k8s.io/kube-openapi/pkg/schemaconv.
func isRefusedByApply(p *objectpass.Pass, at request.Path) bool {
	return slices.ContainsFunc(appliedCauses(p), func(c request.Cause) bool { return c.Stage == request.Typing && !c.Live && c.Path.Leads(at) })
}

// droppedNulls reports nulls of fields that are not nullable. The cause tells of one that is required.
func droppedNulls(p *objectpass.Pass) {
	missing := map[string]bool{}
	for _, c := range causesOf(p) {
		if c.Missing {
			missing[c.Path.String()] = true
		}
	}
	statusGoes := losesStatus(p)
	for _, at := range changesOf(p, request.NullDropped) {
		if missing[at.String()] || statusGoes && at[0].Key == "status" {
			continue
		}
		s, rest := p.Schema(at)
		if s != nil && len(rest) == 0 && hasDefaultsBelow(s) && p.Way() != lint.ServerSide {
			p.ReportKeyf(at, "%s is null and dropped, so the fields in it do not get their defaults; write {} instead", words.PathName(at)).
				Fix = removeMember(p, at)
			continue
		}
		switch {
		case p.Applied() == nil:
			p.ReportKeyf(at, "%s is null, which the schema does not allow, and is dropped; leave it out", words.PathName(at)).AtMost(lint.Info).Fix = removeMember(p, at)
		case p.Way() == lint.ServerSide:
			f := p.ReportKeyf(at, "%s is null, which the schema does not allow: server-side apply rejects it; leave it out", words.PathName(at))
			f.Severity, f.Fix = max(f.Severity, severityOf(p, "object-type", lint.Error)), removeMember(p, at)
		default:
			p.ReportKeyf(at, "%s is null, which the schema does not allow: server-side apply rejects it, other clients drop it; leave it out", words.PathName(at)).Fix = removeMember(p, at)
		}
	}
	for _, at := range changesOf(p, request.Defaulted) {
		if value, there := at.In(p.Tree()); there && value == nil {
			f := p.ReportKeyf(at, "%s is null and gets its default; leave it out", words.PathName(at))
			f.AtMost(lint.Info)
			f.Fix = removeMember(p, at)
		}
	}
}

// hasDefaultsBelow reports whether a field of an object has a default, so that the object would not be empty.
func hasDefaultsBelow(s *crd.Schema) bool {
	return slices.ContainsFunc(crd.Entries(s.Get("properties")), func(e crd.Entry) bool { return s.Property(e.Name).Get("default") != nil })
}

// losesStatus reports whether the object is new and has a status that is dropped. One that is updated keeps the status that it has.
func losesStatus(p *objectpass.Pass) bool {
	return p.Operation() == objectpass.OnCreate && len(changesOf(p, request.StatusDropped)) > 0
}

// droppedStatus reports a status. What is unknown in it makes kubectl reject the object, although all of it is dropped.
func droppedStatus(p *objectpass.Pass) {
	if !losesStatus(p) {
		return
	}
	at := request.Keys("status")
	unknown := slices.DeleteFunc(changesOf(p, request.Pruned), func(at request.Path) bool { return at[0].Key != "status" })
	if len(unknown) == 0 {
		p.ReportKeyf(at, "status is dropped when the object is created; remove it, or write it to the subresource").Fix = removeMember(p, at)
		return
	}
	f := p.ReportKeyf(at, "status is dropped when the object is created, but kubectl and server-side apply reject %s, which is not declared; remove it", words.PathName(unknown[0]))
	f.Strict, f.Severity = true, max(f.Severity, severityOf(p, UnknownField, lint.Error))
	f.Fix = removeMember(p, at)
}

// writtenByServer reports metadata of an object that has been on a server. Only resourceVersion keeps it from being created:
// see store.Create of k8s.io/apiserver/pkg/storage/etcd3.
func writtenByServer(p *objectpass.Pass) {
	if p.Operation() != objectpass.OnCreate {
		return
	}
	at := request.Keys("metadata", "resourceVersion")
	if _, there := at.In(p.Tree()); there {
		p.ReportKeyf(at, "the API server creates no object with metadata.resourceVersion; remove it").Fix = removeMember(p, at)
	}
	for _, at := range changesOf(p, request.MetadataWiped) {
		if at.String() == "metadata.namespace" {
			continue // of an object that is in none, which object-metadata-invalid tells
		}
		then, most := "is dropped", lint.Warning
		if slices.ContainsFunc(appliedCauses(p), func(c request.Cause) bool { return !c.Live && c.Path.Compare(at) == 0 }) {
			then, most = "is dropped, and server-side apply rejects it", p.AppliedSeverity()
		}
		f := p.ReportKeyf(at, "%s %s, as only the API server writes it; remove it", words.PathName(at), then)
		f.AtMost(most)
		f.Fix = removeMember(p, at)
	}
}

// removeMember is a safe fix: it takes out of an object what the API server drops anyway. It is nil where that would change
// other parts of the file.
func removeMember(p *objectpass.Pass, at request.Path) *engine.Fix {
	parent, ok := p.Object.Own(at)
	if !ok || isAliased(p, parent, at[len(at)-1].Key, true) {
		return nil
	}
	return &engine.Fix{Title: "remove " + at.String(), Safe: true, Object: func(o *objects.Object) bool {
		return o.Remove(at)
	}}
}

// renameMember is an unsafe fix: the member was meant to be another. It is nil where that would change other parts of the
// file.
func renameMember(p *objectpass.Pass, at request.Path, to string) *engine.Fix {
	parent, ok := p.Object.Own(at)
	if !ok || isAliased(p, parent, at[len(at)-1].Key, false) {
		return nil
	}
	return &engine.Fix{Title: "rename it to " + to, Reveals: true, Object: func(o *objects.Object) bool {
		parent, ok := o.Own(at)
		return ok && len(layout.Rename(parent, at[len(at)-1].Key, to)) > 0
	}}
}

// isAliased reports whether other parts of the file use the key of an entry through an alias or, if whole, anything in it.
func isAliased(p *objectpass.Pass, parent *yaml.Node, name string, whole bool) bool {
	parts := p.Object.Entries(parent, name)
	if !whole {
		for i := range parts {
			parts[i] = parts[i/2*2] // its key
		}
	}
	return layout.Aliased(p.Document().Root.YNode(), parts...)
}
