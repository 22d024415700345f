package objects

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
)

// A Verdict says whether an object can be judged, and if not, why.
type Verdict int

const (
	Judged          Verdict = iota // by the version of its CRD
	BuiltIn                        // Kubernetes' own, or the configuration of a tool
	NoCRD                          // of a group that no CRD has
	Partial                        // a patch, or another part of an object
	VersionUnserved                // its CRD has the version, and does not serve it
	VersionUnknown                 // its CRD has no such version
	KindUnknown                    // other CRDs have its group, none has its kind
	KindGone                       // the same, and an older CRD has its kind
	Ambiguous                      // several different CRDs define its kind
	NotJudged                      // its CRD is refused, or cannot be read or used
	NoRequest                      // the request that is asked for cannot be made of it
)

// A Match is what a catalogue knows of an object.
type Match struct {
	Verdict
	Definition *Definition   // of the object's kind; nil where there is none
	Others     []*Definition // of the same kind, where it is ambiguous
	Known      []string      // the versions served where the version is unknown
	Meant      string        // the kind of the group that an unknown one was meant to be; "" where that is not clear
	Why        string        // that it is not judged
}

// PassedOver reports whether there is nothing to say of the object: it is counted only.
func (m Match) PassedOver() bool {
	return m.Verdict == BuiltIn || m.Verdict == NoCRD || m.Verdict == Partial
}

// Match finds the CRD of an object in the file at a path.
func (c *Catalogue) Match(o *Object, path string) Match {
	m := c.match(o, path)
	if m.Verdict == NoCRD || m.Verdict == KindUnknown || m.Definition != nil && !m.Definition.Given {
		if d := c.unreadOf(o); d != nil && (m.Definition == nil || d.Given) {
			return Match{Verdict: NotJudged, Definition: d, Why: d.unread}
		}
	}
	return m
}

// match finds the CRD of an object among those whose group and kind are known.
func (c *Catalogue) match(o *Object, path string) Match {
	kinds := c.groups[o.Group]
	switch {
	case o.isPatch():
		return Match{Verdict: Partial}
	case kinds == nil && isBuiltIn(o.Group):
		return Match{Verdict: BuiltIn}
	case kinds == nil:
		return Match{Verdict: NoCRD}
	case o.Group == crd.Group && o.Kind == crd.Kind:
		return Match{Verdict: BuiltIn}
	}
	of := kinds[o.Kind]
	if of == nil {
		return Match{Verdict: KindUnknown, Meant: c.known[o.Group]().meant(o.Kind)}
	}
	d, others := of.nearest(o, path)
	if len(others) > 0 {
		return Match{Verdict: Ambiguous, Definition: d, Others: others}
	}
	return d.Match(o)
}

// Match is what the CRD of an object's kind says of the object.
func (d *Definition) Match(o *Object) Match {
	m := Match{Definition: d}
	version := d.Version(o.Version)
	switch {
	case d.unread != "":
		m.Verdict, m.Why = NotJudged, d.unread
	case version == nil:
		m.Verdict, m.Known = VersionUnknown, d.served()
	case !version.Served:
		m.Verdict, m.Known = VersionUnserved, d.served()
	default:
		if m.Why = d.unfit(o.Version); m.Why != "" {
			m.Verdict = NotJudged
		}
	}
	return m
}

func (d *Definition) served() (names []string) {
	for _, v := range d.Hub.Spec.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}

// kindNames are the kinds of a group, and what else its CRDs call them, in lower case: objects may ask for many that it does not have.
type kindNames struct {
	kinds  *text.Words
	called map[string]string
}

func namesIn(kinds map[string]*kind) *kindNames {
	names := slices.Sorted(maps.Keys(kinds))
	k := &kindNames{text.NewWords(names), map[string]string{}}
	for _, name := range names {
		for _, d := range kinds[name].all {
			names := d.Hub.Spec.Names
			for _, other := range append([]string{names.Plural, names.Singular, names.ListKind}, names.ShortNames...) {
				if other = strings.ToLower(other); k.called[other] == "" {
					k.called[other] = name
				}
			}
		}
	}
	return k
}

// meant returns the kind whose plural, singular, short name or list a word is or, if it is none, that is near it; "" for none.
func (k *kindNames) meant(word string) string {
	if name := k.called[strings.ToLower(word)]; name != "" {
		return name
	}
	near := k.kinds.Nearest(word)
	return append(near, "")[0]
}

// builtIn are the groups of Kubernetes' own types, those of k8s.io/api and of the API server's extensions.
var builtIn = []string{
	"", "admission.k8s.io", "admissionregistration.k8s.io", "apidiscovery.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io",
	"apps", "authentication.k8s.io", "authorization.k8s.io", "autoscaling", "batch", "certificates.k8s.io", "coordination.k8s.io",
	"discovery.k8s.io", "events.k8s.io", "extensions", "flowcontrol.apiserver.k8s.io", "imagepolicy.k8s.io",
	"internal.apiserver.k8s.io", "lifecycle.k8s.io", "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io",
	"resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// isBuiltIn reports whether a group is Kubernetes' own, or that of files which no API server sees: the configuration of its
// programs, such as kustomize.config.k8s.io, and names without a dot, which no CRD can have as its group.
func isBuiltIn(group string) bool {
	return slices.Contains(builtIn, group) || !strings.Contains(group, ".") || strings.HasSuffix(group, ".config.k8s.io") || group == "kubeadm.k8s.io"
}
