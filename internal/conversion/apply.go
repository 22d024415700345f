package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// addRepair records a repair of the schema. A schema that was lifted into several versions was repaired once in each;
// it is told once.
func (j *job) addRepair(r *repair.Repair) {
	if r.Mark {
		j.marks++
	}
	at := crd.Place{Node: r.At.Node, Path: j.inputPath(r.At.Path)}
	if at.Node == nil || at.Node.Line == 0 {
		at = j.inInput(r.At.Path)
	}
	told := [3]string{r.ID, at.Path, r.Message}
	if same, ok := j.repaired[told]; ok {
		same.touch(r.Touched...).differs(r.Fields...)
		return
	}
	if j.repaired == nil {
		j.repaired = map[[3]string]*Note{}
	}
	n := &Note{Repair: *r}
	n.At = at
	j.repaired[told] = n
	j.notes = append(j.notes, n)
}

// dropUnknown removes fields that servers have no field for: they dropped them on decoding, but a v1 server rejects
// them where validation is strict, as kubectl's is. One that may be a misspelling stays: what it was meant to say
// would be lost.
func (j *job) dropUnknown() {
	if j.decoded.Known {
		return
	}
	going := map[*yaml.Node][]string{}
	notes := map[*yaml.Node]*Note{} // the first of each mapping
	for _, u := range j.work.UnknownFields() {
		if j.input.Version == crd.V1 && isOlder(u) {
			continue // a field of v1beta1: dropIdle removes it, or lift moves it to its place
		}
		read := j.input.Version == crd.V1beta1 && u.Meant != "" && belowItems(u.Place.Path)
		if read && j.respell(u) || !read && j.reportUnknown(u) {
			continue
		}
		message := u.Name() + " is not a field of a CustomResourceDefinition; servers dropped it, and it was removed"
		n := j.did("unknown-field-removed", u.Place.Path, message, u.Key).touch(layout.EveryNode(u.Place.Node)...)
		if notes[u.Parent] == nil {
			notes[u.Parent] = n
		}
		going[u.Parent] = append(going[u.Parent], u.Name())
	}
	for parent, names := range going {
		notes[parent].touch(layout.Remove(parent, names...)...)
	}
}

// removeUnknown removes a field that servers drop, in all its entries.
func (j *job) removeUnknown(u crd.UnknownField, id, message string) {
	touched := append(layout.EveryNode(u.Place.Node), layout.Remove(u.Parent, u.Name())...)
	j.did(id, u.Place.Path, message, u.Key).touch(touched...)
}

// reportUnknown reports an unknown field of which only a person can tell what it was meant to say: a near miss of one that
// the API has. Outside of the schemas of a v1 manifest it is any, since it may hold what the manifest lacks.
func (j *job) reportUnknown(u crd.UnknownField) bool {
	near := u.Nearest()
	lacking := j.input.Version == crd.V1 && j.opt.To != policy.V1beta1 && !u.InSchema()
	if len(near) == 0 && !lacking {
		return false
	}
	remedy := "; rename it, or remove it: servers ignore it"
	if len(near) > 0 {
		remedy = fmt.Sprintf("; did you mean %s? Rename it, or remove it: servers ignore it", strings.Join(near, " or "))
	}
	if i := slices.IndexFunc(near, func(name string) bool { return crd.Get(u.Parent, name) != nil }); i >= 0 {
		remedy = fmt.Sprintf(", and servers read %s instead; remove one of the two", near[i])
	}
	j.reportText("unknown-field", crd.Place{Node: u.Key, Path: u.Place.Path},
		text.Sprintf("%s has no field %s here%s", j.input.Version, text.Quoted(u.Name()), remedy))
	return true
}

// respell spells a field of a schema as it is spelled, where v1beta1 servers did not tell upper from lower case. It is
// false for one that has no effect, since the right spelling is there as well and clients send that one last.
func (j *job) respell(u crd.UnknownField) bool {
	name, at := u.Name(), crd.Place{Node: u.Key, Path: u.Place.Path}
	twin := crd.Get(u.Parent, u.Meant)
	if twin == nil {
		touched := layout.Rename(u.Parent, name, u.Meant)
		j.did("field-respelled", at.Path, fmt.Sprintf("%s is spelled %s, as v1beta1 servers read it here", name, u.Meant), u.Key).touch(touched...)
		return true
	}
	if name < u.Meant && twin.Kind == yaml.ScalarNode && !crd.IsNull(twin) {
		return false
	}
	j.report("unknown-field", at, fmt.Sprintf("%s and %s are one field to v1beta1 servers, which read both here; keep one of them", name, u.Meant))
	return true
}

// itemsOrMap finds a schema in `items` or `additionalProperties`; brackets hold names that authors choose.
var itemsOrMap = text.Pattern(`\.(items|additionalItems|additionalProperties)(\.|\[|$)`)

// belowItems reports whether a path leads through a schema that decodes itself, with encoding/json, which takes the
// letters of a key in any case (JSONSchemaPropsOrArray.UnmarshalJSON and its like).
func belowItems(path string) bool {
	return itemsOrMap().MatchString(inBrackets().ReplaceAllString(path, "[]"))
}

var inBrackets = text.Pattern(`\[[^\]]*\]`)

// approve annotates a CRD of a protected group as unapproved when the options say so.
func (j *job) approve() {
	group := crd.StringAt(j.work.Node, "spec", "group")
	if !j.opt.UnapprovedAPI || !apihelpers.IsProtectedCommunityGroup(group) {
		return
	}
	metadata := crd.Get(j.work.Node, "metadata")
	if crd.StringAt(metadata, "annotations", layout.Approval) != "" {
		return
	}
	touched, _ := layout.Unapprove(metadata)
	j.changes("annotated-as-unapproved", j.inInput("metadata"), "annotated as an unapproved API, which a protected group needs").
		touch(touched...).differs("metadata.annotations")
}
