package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
)

// expected is what internal/request says about a write.
func (d *dialogue) expected(w write) (v verdict, err error) {
	version := d.judge.Version(w.version)
	var outcome *request.Outcome
	v.code = http.StatusOK
	switch w.operation {
	case create:
		outcome, v.code = version.Create(w.object), http.StatusCreated
	case update:
		outcome = version.Update(w.object, w.old)
	case updateStatus:
		outcome = version.UpdateStatus(w.object, w.old)
	case updateScale:
		outcome = version.UpdateScale(w.old, w.replicas)
	}
	if outcome.Err != nil {
		return v, outcome.Err
	}
	v.warnings = warningTexts(outcome, w.object)
	unknown := unknownFields(outcome)
	if w.operation == updateScale {
		unknown = nil // the request has none
	}
	if code := outcome.Code(); code != 0 && code != http.StatusUnprocessableEntity { // the answer has no causes
		v.code, v.foreign = code, slices.ContainsFunc(outcome.Causes, func(c request.Cause) bool { return c.Stage == request.TypeMeta })
		return v, nil
	}
	if w.strict && len(unknown) > 0 { // nothing is looked at that would bring further warnings
		outcome.Warnings = slices.DeleteFunc(outcome.Warnings, func(w request.Warning) bool { return w.Kind != request.Deprecated })
		v.code, v.causes, v.warnings = http.StatusBadRequest, unknown, warningTexts(outcome, w.object)
		return v, nil
	}
	v.warnings = append(v.warnings, unknown...)
	if !outcome.Accepted() {
		v.code, v.causes = http.StatusUnprocessableEntity, causeTexts(outcome)
		return v, nil
	}
	if v.stored, err = version.Store(outcome.Object); err != nil {
		return v, err
	}
	v.served = map[string]map[string]any{}
	for _, served := range d.served {
		if v.served[served], err = d.judge.Version(served).Serve(v.stored); err != nil {
			return v, err
		}
	}
	return v, nil
}

func causeTexts(outcome *request.Outcome) (texts []string) {
	for _, c := range outcome.Causes {
		texts = append(texts, string(c.Type)+" "+c.Field)
	}
	slices.Sort(texts)
	return texts
}

// warningTexts are the warnings as a server words them, without values.
func warningTexts(outcome *request.Outcome, object map[string]any) (texts []string) {
	for _, w := range outcome.Warnings {
		switch w.Kind {
		case request.Deprecated:
			texts = append(texts, w.Detail)
		case request.Finalizer:
			detail := w.Detail
			if !strings.HasPrefix(detail, `"`) { // the name, which an outcome with texts has
				name, _ := w.Path.In(object)
				detail = fmt.Sprintf("%q: %s", name, detail)
			}
			texts = append(texts, "metadata.finalizers: "+detail)
		case request.OwnerAgain:
			texts = append(texts, ownersAgain)
		case request.Ratcheted:
			texts = append(texts, unmetAt(dotted(w.Path)))
		}
	}
	return texts
}

// unknownFields are what a server says of undeclared fields.
func unknownFields(outcome *request.Outcome) (texts []string) {
	for _, change := range outcome.Changes {
		if change.Kind == request.Pruned {
			texts = append(texts, `unknown field "`+dotted(change.Path)+`"`)
		}
	}
	slices.Sort(texts)
	return texts
}

// dotted is a path as pruning writes it.
func dotted(path request.Path) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case step.Index >= 0:
			b.WriteString("[" + strconv.Itoa(step.Index) + "]")
		case i > 0:
			b.WriteString("." + step.Key)
		default:
			b.WriteString(step.Key)
		}
	}
	return b.String()
}
