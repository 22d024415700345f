package request

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/crdlift/crdlift/internal/text"
)

// A Written is a field, or an item, that only a program has written which does not apply the object: no manifest can have it.
type Written struct {
	By         string // the first of its managers
	At         Path   // in the object
	IsItem     bool   // of a list, as a whole
	Expression string // of it, in jq
	Selects    bool   // the expression has keys of items, which are values
}

// WrittenByOthers is what others than those who apply a live object have in it, but for its status and metadata, which a GitOps program
// leaves alone. Applied is false for an object that nobody applies: git does not have it.
func WrittenByOthers(live Object) (all []Written, applied bool) {
	appliers, others, byName := fieldpath.NewSet(), fieldpath.NewSet(), map[string]*fieldpath.Set{}
	for _, e := range ManagersOf(live) {
		switch fields := fieldsOf(e); {
		case e.Subresource != main: // which nobody applies with the object
		case e.Operation == metav1.ManagedFieldsOperationApply || slices.Contains(applying, e.Manager):
			appliers, applied = appliers.Union(fields), true
		case !editor().MatchString(e.Manager):
			others = others.Union(fields)
			byName[e.Manager] = fields.Union(cmp.Or(byName[e.Manager], fields))
		}
	}
	if !applied {
		return nil, false
	}
	names, told := slices.Sorted(maps.Keys(byName)), map[string]bool{}
	others.Union(appliers).Leaves().Difference(appliers).Iterate(func(p fieldpath.Path) {
		if name := p[0].FieldName; name != nil && (*name == "status" || *name == "metadata") {
			return
		}
		w := Written{By: names[slices.IndexFunc(names, func(name string) bool { return byName[name].Has(p) })]}
		for i, e := range p {
			if item := p[:i+1]; (e.Key != nil || e.Value != nil) && others.Has(item) && !appliers.Has(item) {
				p, w.IsItem = item, true
				break
			}
		}
		w.Expression, w.Selects = jq(p)
		if at, there := pathIn(p, live); there && !told[w.Expression] {
			w.At, told[w.Expression] = at, true
			all = append(all, w)
		}
	})
	slices.SortFunc(all, func(a, b Written) int { return a.At.Compare(b.At) })
	return all, true
}

// applying are managers of entries that are no Apply, but of what somebody applies all the same, or once did.
var applying = []string{
	"kubectl-client-side-apply", "before-first-apply", "ancient-changes", "argocd-controller", "argocd-application-controller",
	"helm", "helm-controller", "kustomize-controller", "Terraform",
}

// editor is by whose names people change objects: what they did is to be undone, or brought into git.
var editor = text.Pattern(`^(kubectl.*|k9s|oc|Mozilla.*)$`)

// identifier is a name that jq takes as it is.
var identifier = text.Pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)

// jq is the expression of what a path of a field manager leads to, and whether it has values in it. Argo CD deletes what it finds, and
// passes over an expression that fails, as one does where nothing is there.
func jq(p fieldpath.Path) (expression string, selects bool) {
	literal := func(v value.Value) string {
		encoded, _ := value.ToJSON(v) // which cannot fail: it has been read from JSON
		return string(text.HarmlessJSON(encoded))
	}
	filter := "." // where one begins
	for _, e := range p {
		step := ""
		switch {
		case e.FieldName != nil && identifier().MatchString(*e.FieldName):
			step = "." + *e.FieldName
		case e.FieldName != nil:
			step = filter + "[" + literal(value.NewValueInterface(*e.FieldName)) + "]"
		case e.Index != nil:
			step = fmt.Sprintf("[%d]", *e.Index)
		case e.Value != nil:
			step = "[] | select(. == " + literal(*e.Value) + ")"
		default:
			var conditions []string
			for _, f := range *e.Key {
				name, _ := jq(fieldpath.Path{{FieldName: &f.Name}})
				conditions = append(conditions, name+" == "+literal(f.Value))
			}
			step = "[] | select(" + strings.Join(conditions, " and ") + ")"
		}
		if filter != "" && expression != "" {
			expression += " | "
		}
		expression, filter = expression+step, ""
		if e.FieldName == nil && e.Index == nil {
			filter, selects = ".", true
		}
	}
	return expression, selects
}
