package conversion

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A job is the conversion of one CRD. It works on a copy, whose nodes know where they stood in the input.
type job struct {
	opt      policy.Options      // all of them decided
	input    *crd.CRD            // untouched; positions and paths of notes come from it
	foresees bool                // nobody wants the result: it is not proven where only a fault of crdlift could be found
	work     *crd.CRD            // see begin
	left     leftovers           // of the input
	outer    map[*yaml.Node]bool // what aliases of the input stand for outside of it
	notes    []*Note
	marks    int
	repaired map[[3]string]*Note // notes of repairs, by rule, path and message
	hoisted  map[string]string   // top-level fields of a v1beta1 result to the paths of the v1 fields they were moved from
	lifted   map[string]string   // paths of v1 versions' fields to the input's top-level ones: where a schema came from

	decoded   *crd.Object       // the input, before anything is changed
	answer    *fast.Verdict     // on the input, of a server of its version; nil when it was not asked
	postponed bool              // asking until the result is there, which may tell the answer
	settled   bool              // the repairs are such that it does
	result    *crd.Object       // the converted CRD
	verdict   apiserver.Verdict // on the result, of a server of the version that it has now
}

// begin makes the copy that the job works on, when the input is known to be worth it.
func (j *job) begin() {
	if j.work == nil {
		j.work = j.input.Copy()
		if j.mayHaveAliases() {
			j.outer = outerTargets(j.work.Node)
		}
	}
}

// mayHaveAliases reports whether the input may have aliases: one that is Known has none.
func (j *job) mayHaveAliases() bool { return j.decoded == nil || !j.decoded.Known }

// run converts to the version that the options ask for.
func (j *job) run() policy.State {
	if len(crd.Joined(j.input.Node)) > 0 {
		j.notes = notesOfHead(j.input)
		return policy.NeedsPerson
	}
	j.left = leftoversOf(j.input)
	down := j.opt.To == policy.V1beta1
	if from := j.input.Version; j.input.List != nil && (down && from == crd.V1 || !down && from == crd.V1beta1) {
		j.reportListed()
		return policy.NeedsPerson
	}
	if down {
		return j.runDown()
	}
	state := j.liftUp()
	if j.postponed {
		return j.catchUp(state)
	}
	return state
}

// catchUp gives the answer on the input that was not asked for before. State is what the steps came to.
func (j *job) catchUp(state policy.State) policy.State {
	if state == policy.Converted && j.settled {
		j.answer = &fast.Verdict{}
		return state
	}
	notes := j.notes
	j.notes = nil
	if j.judgeInput(); j.reported() {
		return policy.NeedsPerson
	}
	j.notes = notes
	return state
}

// liftUp converts to v1, step by step.
func (j *job) liftUp() policy.State {
	switch j.input.Version {
	case crd.V1beta1:
		if j.input.IsPart() {
			j.reportPart(policy.V1)
		}
		if j.reported() || !j.legible() {
			return policy.NeedsPerson
		}
	case crd.V1:
		if j.input.IsPart() {
			if j.notes = notesOfHead(j.input); len(j.notes) > 0 {
				return policy.NeedsPerson
			}
			return policy.AlreadyThere
		}
		d, err := j.input.Decode()
		if j.decoded = d; err == nil {
			_, err = j.expected() // reads fields of v1beta1 as what they were
		}
		if err != nil {
			j.undecoded("v1", err)
			return policy.NeedsPerson
		}
		if len(j.left.idle)+len(j.left.older) == 0 && fast.OnCreate(d.Hub, crd.V1).Accepted() {
			return policy.AlreadyThere
		}
		if j.alphaSpellings(); j.reported() {
			return policy.NeedsPerson
		}
	default:
		j.reportVersion()
		return policy.NeedsPerson
	}
	j.begin()
	wanted := repairPolicy(j.input, j.opt)
	j.dropUnknown()
	j.dropIdle()
	j.lift()
	if j.reported() {
		return policy.NeedsPerson
	}
	repairs, prunes := repair.Schemas(j.work, wanted)
	for _, r := range repairs {
		j.addRepair(r)
	}
	j.settled = fast.Settles(repairs, j.decoded)
	if prunes {
		j.announcePruning(wanted)
	}
	j.approve()
	j.judge()
	switch preserve, _ := crd.BoolAt(j.input.Node, "spec", "preserveUnknownFields"); {
	case !j.reported():
		return policy.Converted
	case j.input.Version == crd.V1 && len(repairs) == 0 && !preserve && len(j.left.idle)+len(j.left.older) == 0 && !j.inheritsHazard():
		j.notes = nil
		return policy.AlreadyThere
	}
	return policy.NeedsPerson
}

// inheritsHazard reports whether a v1 manifest is rejected for something that a conversion may have left in it, rather
// than for a mistake that has nothing to do with v1beta1.
func (j *job) inheritsHazard() bool {
	return slices.ContainsFunc(j.notes, func(n *Note) bool { return n.Err != nil && apiserver.Inherited(n.Err) })
}

// pruned reports whether custom resources were pruned before the conversion. A v1 manifest that still has the schema or
// the version where v1beta1 has them was never accepted as it is; what it was before counts, and v1beta1 did not prune
// by default.
func pruned(c *crd.CRD) bool {
	preserve, set := crd.BoolAt(c.Node, "spec", "preserveUnknownFields")
	if set {
		return !preserve
	}
	older := func(u crd.UnknownField) bool { return u.Place.Path == "spec.validation" }
	return c.Version == crd.V1 && !slices.ContainsFunc(leftoversOf(c).older, older) && crd.Get(c.Node, "spec", "versions") != nil
}

// repairPolicy turns the options into what the repairs ask.
func repairPolicy(c *crd.CRD, opt policy.Options) repair.Policy {
	return repair.Policy{
		Pruned:            pruned(c),
		KeepUnknown:       opt.UnknownFields == policy.Preserve,
		KeepUnknownAtRoot: opt.UnknownFields == policy.Root,
		InferTypes:        opt.MissingTypes == policy.Infer,
		Loosen:            opt.Policy == policy.Idiomatic,
	}
}

// announcePruning says which unknown fields go, where they stayed before.
func (j *job) announcePruning(wanted repair.Policy) {
	what := ": hidden when an object is read, gone when it is written"
	if wanted.KeepUnknownAtRoot {
		what = ", but for those at the root"
	}
	at := j.inInput("spec")
	if k, _ := crd.Lookup(at.Node, "preserveUnknownFields"); k != nil {
		at = crd.Place{Node: k, Path: "spec.preserveUnknownFields"}
	}
	keep := policy.Choice{Name: "unknown-fields", Word: string(policy.Preserve)}
	j.changes("unknown-fields-pruned", at, "unknown fields are pruned from now on"+what+"; "+keep.String()+" keeps them").Advised = keep
}

// judge asks the v1 API server about the result; whatever it still rejects is for a person.
func (j *job) judge() {
	d, err := j.work.Decode()
	if err != nil {
		j.unreadable("v1", err)
		return
	}
	j.judged(d, crd.V1)
	j.checkCABundle(d.Hub)
}

// judged reports what the API server of the result's version says of it.
func (j *job) judged(d *crd.Object, version crd.Version) {
	v := fast.OnCreate(d.Hub, version).Verdict
	j.result, j.verdict = d, v
	j.reportVerdict(v, j.work, string(version))
}

// expandAliases writes out the aliases of the working copy.
func (j *job) expandAliases() {
	j.begin()
	j.did("aliases-written-out", "", "aliases were written out, as their content is converted differently from place to place", j.input.Node).
		touch(layout.ExpandAliases(j.work.Node)...)
}

func (j *job) reportPart(to policy.Target) {
	if j.notes = notesOfHead(j.input); len(j.notes) > 0 {
		return // its spec is misspelt
	}
	j.report("conversion-of-a-part", crd.Place{Node: j.input.Node},
		fmt.Sprintf("this is a part of a CustomResourceDefinition, such as a kustomize patch, and has no meaning by itself; write it for %s by hand", to))
}

// reportListed reports an item that has no apiVersion of its own: to write another one would convert its neighbours, too,
// also those that cannot be.
func (j *job) reportListed() {
	j.report("conversion-of-a-list", crd.Place{Node: j.input.Node},
		"the "+crd.StringAt(j.input.List, "kind")+" has one apiVersion for all its items; write it and the kind into each item, write apiVersion: v1 and kind: List for the list, and convert again")
}

func (j *job) reportVersion() {
	j.reportText("api-version-unknown", j.input.APIVersion(),
		j.input.Version.Unknown())
}

// outerTargets are the nodes outside a tree that aliases inside it stand for: in a List, nodes of the items before it.
func outerTargets(root *yaml.Node) map[*yaml.Node]bool {
	targets, every := map[*yaml.Node]bool{}, layout.EveryNode(root)
	for _, n := range every {
		if n.Kind == yaml.AliasNode {
			targets[n.Alias] = true
		}
	}
	for _, n := range every {
		delete(targets, n)
	}
	return targets
}
