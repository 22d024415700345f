package convert

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// clusters finds conditions about the cluster that a chart is installed in.
var clusters = text.Pattern(`\.Capabilities\b|\bsemverCompare\b|\bKubeVersion\b|\blookup\b`)

// branch says why a document is left alone that only some clusters, or some settings, are sent; "" for another.
func (r *templateRun) branch(d *manifest.Document) string {
	for _, b := range r.tmpl.Around(firstContent(d)) {
		action, line := r.tmpl.Begins(b)
		switch {
		case !b.IsCondition():
		case clusters().MatchString(action):
			return fmt.Sprintf("line %d has this for some clusters only; convert it by hand, or delete it where all clusters serve %s: %s", line, r.opt.Decided().To, action)
		case len(b.Branches) > 1 && b.HoldsDocuments:
			return fmt.Sprintf("line %d has this in one branch only; convert it by hand, or delete the branch that no cluster needs: %s", line, action)
		}
	}
	return ""
}

// needed are the parts of a CRD that a conversion has to know as a whole.
var needed = [][]string{{"spec"}, {"spec", "names"}, {"spec", "versions"}, {"spec", "conversion"}, {"spec", "validation"}, {"spec", "subresources"}}

// printed says why a document is left alone of which an action prints what decides about the conversion; "" for another.
func printed(d *manifest.Document) string {
	d = d.Parsed()
	opaque := d.Opaque()
	if opaque == nil {
		return ""
	}
	why := func(n *yaml.Node, part string) string {
		if n == nil || !opaque.Adds(n) && !opaque.Prints(n) {
			return ""
		}
		return fmt.Sprintf("an action prints entries of %s; convert it by hand, or convert what Helm renders", part)
	}
	for _, c := range crdsIn(d) {
		for _, path := range needed {
			if said := why(crd.Get(c.Node, path...), strings.Join(path, ".")); said != "" {
				return said
			}
		}
		for i, version := range crd.Items(crd.Get(c.Node, "spec", "versions")) {
			if said := why(version, crd.Item("spec.versions", i)); said != "" {
				return said
			}
		}
	}
	return ""
}

// firstContent is the offset of the first line of a document that is not a comment.
func firstContent(d *manifest.Document) int {
	at := d.Start
	for line := range bytes.Lines(d.Text()) {
		if !lines.IsBlankOrComment(line) && !lines.IsMarker(line, "---") {
			return at
		}
		at += len(line)
	}
	return d.Start
}

// assume gives the CRDs of a template valid names where an action prints a part of them: they cannot disagree before they
// are rendered. The function that it returns takes them back.
func assume(d *manifest.Document) (back func()) {
	mask := d.File.Mask
	var undo []func()
	if mask != nil {
		for i, c := range crdsIn(d) {
			group, plural := crd.StringAt(c.Node, "spec", "group"), crd.StringAt(c.Node, "spec", "names", "plural")
			name := c.Name()
			if !mask.Mentions(name) && !mask.Mentions(group) && !mask.Mentions(plural) {
				continue
			}
			if mask.Mentions(group) {
				undo = append(undo, set(d, i, group+".example.com", "spec", "group"))
				group += ".example.com"
			}
			undo = append(undo, set(d, i, plural+"."+group, "metadata", "name"))
		}
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

func crdsIn(d *manifest.Document) []*crd.CRD {
	found, _ := crd.Find(d.Root.YNode())
	return found
}

// set sets a scalar of a CRD, and returns what sets it back, in whatever node it is then.
func set(d *manifest.Document, i int, value string, path ...string) (back func()) {
	n := crd.Get(crdsIn(d)[i].Node, path...)
	if n == nil || n.Kind != yaml.ScalarNode {
		return func() {}
	}
	was := n.Value
	n.Value = value
	return func() {
		if n := crd.Get(crdsIn(d)[i].Node, path...); n != nil && n.Value == value {
			n.Value = was
		}
	}
}
