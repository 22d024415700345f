package crd

import (
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A Generator is the program that wrote a manifest, as the manifest itself tells.
type Generator struct {
	Name    string // "controller-gen"; "" where the manifest only says that it is generated
	Version string // as the generator writes it; "" where it does not
}

// String is the generator in words: "controller-gen v0.19.0".
func (g Generator) String() string {
	if g.Name == "" {
		return "a generator"
	}
	return strings.TrimSpace(g.Name + " " + g.Version)
}

// FromGo reports whether the generator makes manifests from Go types.
func (g Generator) FromGo() bool { return g.Name == ControllerGen }

// Advice returns where a manifest that the generator wrote has to be corrected: "in the Go types, and run
// controller-gen again".
func (g Generator) Advice() string {
	switch g.Name {
	case "":
		return "in the source of this file, and generate it again"
	case ControllerGen:
		return "in the Go types, and run " + g.Name + " again"
	case kubeRS: // a library of the program that prints the manifest
		return "in the Rust types, and generate it again"
	}
	return "in the source of this file, and run " + g.Name + " again"
}

// AdviceOn returns the advice for a change of the value at a path, given the markers that make it: "through the marker
// +listType=map in the Go types, and run controller-gen again". Go types do not describe the conversion, so controller-gen
// does not write it: a patch or a later tool adds it.
func (g Generator) AdviceOn(path string, markers ...string) string {
	switch {
	case !g.FromGo():
		return g.Advice()
	case Within(path, "spec.conversion"):
		return "in the patch or the template that adds spec.conversion; " + g.Name + " does not write it"
	case len(markers) == 0:
		return "by a change " + g.Advice() // the change is not made in YAML
	}
	word := "marker "
	if len(markers) > 1 {
		word = "markers "
	}
	return "through the " + word + strings.Join(markers, " and ") + " " + g.Advice()
}

// ControllerGen is the name of the generator that makes manifests from Go types, and kubeRS that of one for Rust.
const (
	ControllerGen = "controller-gen"
	kubeRS        = "kube-rs"
)

// marks are the labels and annotations by which generators mark their output.
var marks = []struct{ field, key, name string }{
	{"annotations", "controller-gen.kubebuilder.io/version", ControllerGen},
	{"labels", "controller-tools.k8s.io", ControllerGen}, // up to 0.1
	{"annotations", "api.openshift.io/merged-by-featuregates", "the codegen of openshift/api"},
	{"annotations", "crd.solo.io/specHash", "skv2"},
	{"labels", "strimzi.io/crd-install", "Strimzi's CRD generator"}, // which the manifests have from it
}

// Generator returns the program that wrote the manifest; ok is false for one that does not say that it is generated. The
// header is the comments above it. Generators that sign nothing, such as cdk8s, are not known.
func (c *CRD) Generator(header string) (g Generator, ok bool) {
	metadata := Get(c.Node, "metadata")
	for _, m := range marks {
		value := StringAt(metadata, m.field, m.key)
		if value == "" {
			continue
		}
		g.Name = m.name
		if versionLike().MatchString(value) {
			g.Version = value
		}
		return g, true
	}
	for _, v := range c.Versions() {
		if v.Root() != nil && derivedType().MatchString(StringAt(v.Root().Get("description"))) {
			return Generator{Name: kubeRS}, true
		}
	}
	for line := range strings.Lines(header) {
		line = strings.Trim(line, "# \t\r\n")
		if m := generatedBy().FindStringSubmatch(line); m != nil {
			return Generator{Name: m[1]}, true
		}
		if doNotEdit().MatchString(line) {
			ok = true // a later line may have the name
		}
	}
	return g, ok
}

var (
	versionLike = text.Pattern(`^v?\d+\.\d`)
	// What the derive macro of kube-rs says of a type, unless its attribute "doc" says something else.
	derivedType = text.Pattern("^Auto-generated derived type for \\S+ via `CustomResource`$")
	// The name ends with the sentence: names have dots and slashes in them.
	generatedBy = text.Pattern(`(?i)\bgenerated (?:by|with|using) (?:the )?([^\s].{0,60}?)(?:[.,;:!(]+(?:\s|$)|\s-|$)`)
	doNotEdit   = text.Pattern(`(?i)\bgenerated (?:file|code|from)\b|\bdo not (?:edit|modify)(?: this file| manually| by hand| directly)*\s*(?:[.,;:!*-]|$)`)
)

// InCluster reports whether the manifest is a dump of a stored object, as `kubectl get -o yaml` prints it. Only a
// server gives an object a uid and a resourceVersion.
func (c *CRD) InCluster() bool {
	return StringAt(c.Node, "metadata", "uid") != "" || StringAt(c.Node, "metadata", "resourceVersion") != ""
}
