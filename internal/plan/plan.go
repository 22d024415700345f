// Package plan plans the steps in which the versions of a CRD get from one state to another: the changes that have to
// wait for another release, and the work in every cluster in between. It follows "Versions in
// CustomResourceDefinitions" of the Kubernetes documentation and rule 4b of the deprecation policy. It considers
// versions only, not changes inside of a schema.
//
// Read plan.go first: a plan and its releases. order.go finds the release of each change, steps.go the work around it,
// managed.go that in managedFields, and print.go prints a plan. migration.go writes that in managedFields and in storage as a script.
package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation"
)

// A Plan is the work for one CRD, or for several with the same plan. docs/schema/plan.json describes it
// as JSON.
type Plan struct {
	CRDs     []string  `json:"crds"`               // metadata.name, sorted
	Summary  string    `json:"summary"`            // what changes, in one line
	Warnings []string  `json:"warnings,omitempty"` // limits of the plan, and preconditions
	Before   []State   `json:"before,omitempty"`   // what the old spec.versions says; none for a CRD that is new
	Releases []Release `json:"releases"`           // in order; none when nothing changes
}

// A Release is a state of the manifest that is shipped, and the work around it.
type Release struct {
	Title    string  `json:"title"`         // its purpose: "serve v1, deprecate v1alpha1"
	Why      string  `json:"why,omitempty"` // why it does not do more; "" for the last one
	Versions []State `json:"versions,omitempty"`
	Steps    []Step  `json:"steps"` // in order
}

// A State is what spec.versions says about a version.
type State struct {
	Name       string `json:"name"`
	Served     bool   `json:"served"`
	Storage    bool   `json:"storage"`
	Deprecated bool   `json:"deprecated"`
}

// A Step is something to do.
type Step struct {
	Do       string   `json:"do"`                 // one or more sentences
	Commands []string `json:"commands,omitempty"` // for a shell, each of one line
}

// Options are data that the CRDs do not contain.
type Options struct {
	File string // the new manifest, for the commands
	// Chart is the folder of the Helm chart that renders the manifest, and Kustomization that of one that lists it: it is applied
	// with these then. "" for none.
	Chart, Kustomization string
	// Written returns the path of the file that holds the manifest of a release, counted from 1. Nil when somebody has
	// to make it.
	Written func(release int) string
	// Stored is status.storedVersions of a cluster. Nil when no cluster was asked; then the old storage version counts.
	Stored []string
}

// Make plans the way from one CRD to another of the same name. An error says that one of them has names that
// no API server accepts, or has not one storage version.
func Make(from, to *apiextensions.CustomResourceDefinition, opt Options) (*Plan, error) {
	for _, crd := range []*apiextensions.CustomResourceDefinition{from, to} {
		if err := plain(crd); err != nil {
			return nil, err
		}
	}
	c, err := changeOf(from, to, opt)
	if err != nil {
		return nil, err
	}
	p := &Plan{CRDs: []string{to.Name}, Summary: c.summary(), Warnings: c.warnings(), Before: c.old, Releases: []Release{}}
	if maps.Equal(c.was, c.will) {
		return p, nil
	}
	last := c.last()
	for r := 1; r <= last; r++ {
		if c.idle(r) {
			continue
		}
		if opt.Written != nil {
			c.written = opt.Written(len(p.Releases) + 1)
		}
		release := Release{Title: c.title(r), Versions: c.states(r), Steps: c.steps(r)}
		if r < last {
			release.Why = c.why(r)
		}
		p.Releases = append(p.Releases, release)
	}
	return p, nil
}

// A change describes the changes to the versions of a CRD, and the release that can make each: releases count from 1,
// and 0 means that nothing has to change.
type change struct {
	from, to   *apiextensions.CustomResourceDefinition
	opt        Options
	written    string // the file with the manifest of the release at hand; "" where somebody has to make it
	old, new   []State
	oldStorage string
	newStorage string
	stored     []string // where objects may be stored

	was, will map[string]State // the old and the new versions by their names
	gains     bool             // whether a version is served that was not
}

func changeOf(from, to *apiextensions.CustomResourceDefinition, opt Options) (*change, error) {
	c := &change{from: from, to: to, opt: opt, old: states(from), new: states(to), stored: opt.Stored}
	var err error
	if c.oldStorage, err = storage(c.old); err != nil {
		return nil, fmt.Errorf("the old %s %w", from.Name, err)
	}
	if c.newStorage, err = storage(c.new); err != nil {
		return nil, fmt.Errorf("the new %s %w", to.Name, err)
	}
	if !slices.Contains(c.stored, c.oldStorage) {
		c.stored = append(slices.Clone(c.stored), c.oldStorage)
	}
	c.was, c.will = byName(c.old), byName(c.new)
	c.gains = slices.ContainsFunc(c.new, func(v State) bool { return v.Served && !c.was[v.Name].Served })
	return c, nil
}

func states(crd *apiextensions.CustomResourceDefinition) []State {
	var all []State
	for _, v := range crd.Spec.Versions {
		all = append(all, State{v.Name, v.Served, v.Storage, v.Deprecated})
	}
	return all
}

func storage(versions []State) (string, error) {
	stored := names(versions, func(v State) bool { return v.Storage })
	if len(stored) != 1 {
		return "", fmt.Errorf("has %d storage versions; write storage: true in exactly one", len(stored))
	}
	return stored[0], nil
}

// byName indexes versions by their names. A missing version reads as the zero State, which no version has.
func byName(versions []State) map[string]State {
	all := make(map[string]State, len(versions))
	for _, v := range versions {
		all[v.Name] = v
	}
	return all
}

func (v State) isThere() bool { return v.Name != "" }

// added, removed, unserved and deprecated are the versions that something happens to, in the order of the manifest.
func (c *change) added() []string   { return differing(c.old, c.new, appears) }
func (c *change) removed() []string { return differing(c.old, c.new, drops) }

func (c *change) unserved() []string {
	return names(c.old, func(v State) bool { return v.Served && !c.will[v.Name].Served })
}

// deprecated are those that become deprecated: by the new manifest, or because they will be served no longer.
func (c *change) deprecated() []string {
	return names(c.old, func(v State) bool {
		w := c.will[v.Name]
		return !v.Deprecated && (w.Deprecated || v.Served && !w.Served)
	})
}

func names(versions []State, which func(State) bool) []string {
	var all []string
	for _, v := range versions {
		if which(v) {
			all = append(all, v.Name)
		}
	}
	return all
}

// Merge makes one plan of those that say the same, but for the names of the CRDs and the files in their commands. They
// come in the order of the names.
func Merge(plans []*Plan) []*Plan {
	slices.SortStableFunc(plans, func(a, b *Plan) int { return strings.Compare(a.CRDs[0], b.CRDs[0]) })
	groups := map[string][]*Plan{}
	var order []string
	for _, p := range plans {
		key := p.said()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], p)
	}
	var merged []*Plan
	for _, key := range order {
		merged = append(merged, together(groups[key]))
	}
	return merged
}

// together is one plan of several that say the same.
func together(all []*Plan) *Plan {
	first := *all[0]
	first.CRDs, first.Releases = nil, slices.Clone(first.Releases)
	for _, p := range all {
		first.CRDs = append(first.CRDs, p.CRDs...)
	}
	first.CRDs = slices.Compact(first.CRDs) // which are sorted
	for i := range first.Releases {
		steps := slices.Clone(first.Releases[i].Steps)
		for j := range steps {
			steps[j].Commands = commands(all, i, j)
		}
		first.Releases[i].Steps = steps
	}
	return &first
}

// commands returns the commands of one step of several plans: similar ones are grouped, and equal ones are listed once.
func commands(all []*Plan, release, step int) []string {
	var each []string
	for k := range all[0].Releases[release].Steps[step].Commands {
		for _, p := range all {
			if command := p.Releases[release].Steps[step].Commands[k]; !slices.Contains(each, command) {
				each = append(each, command)
			}
		}
	}
	return each
}

// said is all that a plan says, without its commands.
func (p *Plan) said() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %v", p.Summary, p.Warnings, p.Before)
	for _, r := range p.Releases {
		fmt.Fprintf(&b, " %q %q %v", r.Title, r.Why, r.Versions)
		for _, s := range r.Steps {
			fmt.Fprintf(&b, " %q %d", s.Do, len(s.Commands))
		}
	}
	return b.String()
}

// Added is the plan for a CRD that was not there before.
func Added(crd *apiextensions.CustomResourceDefinition) (*Plan, error) {
	return &Plan{CRDs: []string{crd.Name}, Summary: "is new, so there is nothing to migrate", Releases: []Release{}}, plain(crd)
}

// Deleted is the plan for a CRD that is not there any more.
func Deleted(crd *apiextensions.CustomResourceDefinition) (*Plan, error) {
	get := getAll(crd)
	return &Plan{
		CRDs:     []string{crd.Name},
		Summary:  "is deleted",
		Warnings: []string{"The API server deletes all objects of a CRD together with it, and whatever they own."},
		Releases: []Release{{
			Title: "delete the CRD",
			Steps: []Step{
				{Do: "Ship a release that deprecates all versions and says what users do with their objects, and wait until all clusters run it."},
				{Do: "In every cluster, look for objects that are left, and keep a copy.", Commands: []string{
					get, fmt.Sprintf("%s --output yaml > %s.yaml", get, crd.Name),
				}},
				{Do: "Delete the CRD while its controller still runs: objects with finalizers are deleted only after their controller has removed the finalizers.",
					Commands: []string{"kubectl delete customresourcedefinition " + crd.Name}},
			},
		}},
	}, plain(crd)
}

func getAll(crd *apiextensions.CustomResourceDefinition) string {
	get := "kubectl get " + crd.Spec.Names.Plural + "." + crd.Spec.Group
	if crd.Spec.Scope != apiextensions.ClusterScoped {
		get += " --all-namespaces"
	}
	return get
}

// plain says that a name is none that an API server takes. Such a name must not get into a command. It takes no version
// twice either.
func plain(crd *apiextensions.CustomResourceDefinition) error {
	names := []string{crd.Name, crd.Spec.Group, crd.Spec.Names.Plural}
	for _, v := range crd.Spec.Versions {
		if slices.Contains(names[3:], v.Name) {
			return fmt.Errorf("%s has the version %s twice, which no API server accepts", crd.Name, v.Name)
		}
		names = append(names, v.Name)
	}
	for _, name := range names {
		if len(validation.IsDNS1123Subdomain(name)) > 0 {
			return fmt.Errorf("%q is a name that no API server accepts; 'crdlift lint' says more", name)
		}
	}
	return nil
}
