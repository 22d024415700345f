package repository

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// An Applied is a way in which manifests of the repository get into clusters, and the place that shows it.
type Applied struct {
	lint.Apply
	Because Reason
	byHand  bool   // a command of a build file does it
	kind    string // of the object that says so, and its group
}

// An applier is an object that has a controller apply folders of a repository.
type applier struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Spec       struct {
		Path       string
		Chart      struct{ Spec struct{ Chart string } }
		Generators []struct {
			Git struct{ Directories, Files []appliedFrom }
		}
		Template    struct{ Spec application }
		application `yaml:",inline"`
	}
}

func (o *applier) key() string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return key(group, o.Kind)
}

type application struct {
	Source     appliedFrom
	Sources    []appliedFrom
	SyncPolicy struct {
		SyncOptions []string `yaml:"syncOptions"`
	} `yaml:"syncPolicy"`
}

type appliedFrom struct{ Path string }

// appliers are the controllers that a manifest has apply folders of the tree.
func (f *folders) appliers(file string, src []byte) (all []Applied) {
	if !bytes.Contains(src, []byte(".toolkit.fluxcd.io/")) && !bytes.Contains(src, []byte("argoproj.io/")) {
		return nil
	}
	split := manifest.Split(file, src)
	for _, d := range split.Documents {
		var o applier
		readYAML(d.Text(), &o)
		if how, who, folder := f.applies(&o); folder != "" {
			line, _ := split.Position(d.Start)
			line += bytes.Count(d.Text()[:max(0, bytes.Index(d.Text(), []byte("kind:")))], []byte("\n"))
			all = append(all, Applied{how, Reason{Text: "makes " + who + " apply the folder " + folder, File: file, Line: line}, false, o.key()})
		}
	}
	return all
}

// applies is how an object has a folder of the tree applied, and by whom; "" for no folder.
func (f *folders) applies(o *applier) (how lint.Apply, who, folder string) {
	spec := &o.Spec
	switch o.key() {
	case "Kustomization.kustomize.toolkit.fluxcd.io":
		return lint.Apply{Way: lint.ServerSide, Manager: "kustomize-controller", Force: true}, "Flux", f.folderOf(appliedFrom{spec.Path})
	case "HelmRelease.helm.toolkit.fluxcd.io":
		return lint.Apply{Way: lint.ServerSide, Manager: "helm-controller", Force: true}, "Flux", f.folderOf(appliedFrom{spec.Chart.Spec.Chart})
	case "ApplicationSet.argoproj.io":
		spec.application = spec.Template.Spec
		for _, g := range spec.Generators {
			spec.Sources = slices.Concat(spec.Sources, g.Git.Directories, g.Git.Files)
		}
	case "Application.argoproj.io":
	default:
		return how, "", ""
	}
	options := spec.SyncPolicy.SyncOptions
	switch {
	case slices.Contains(options, "Replace=true"): // which wins, as in Argo CD
		how = lint.Apply{Way: lint.ReplacedBy}
	case slices.Contains(options, "ServerSideApply=true"):
		how = lint.Apply{Way: lint.ServerSide, Manager: "argocd-controller", Force: true}
	default:
		how = lint.Apply{Way: lint.ClientSide}
	}
	return how, "Argo CD", f.folderOf(append(spec.Sources, spec.Source)...)
}

// folderOf is the first folder of the tree below its top that sources name; "" for none. The top shows nothing: every repository has
// one.
func (f *folders) folderOf(sources ...appliedFrom) string {
	for _, s := range sources {
		if i := strings.IndexAny(s.Path, "*{$"); i >= 0 {
			s.Path = s.Path[:i]
		}
		if at := strings.TrimPrefix(path.Clean("/"+s.Path), "/"); at != "" && f.isFolder(at) {
			return at
		}
	}
	return ""
}

// Agreed is the way that some have in common; nothing where they differ. There is no manager where only that differs.
func Agreed(all []Applied) (one Applied) {
	for i, a := range all {
		switch {
		case i == 0:
			one = a
		case a.Way != one.Way:
			return Applied{}
		default:
			if a.Manager != one.Manager {
				one.Manager = ""
			}
			one.Force = one.Force && a.Force
		}
	}
	return one
}

// Applied is the way that the files of the repository agree on. A command with which those who work on CRDs apply them says nothing
// of how their users apply theirs.
func (r *Repository) Applied() Applied {
	isOwn := slices.ContainsFunc(r.all, func(d *Document) bool { return d.Role.Told() })
	return Agreed(slices.DeleteFunc(slices.Clone(r.applied), func(a Applied) bool {
		_, vendored := r.folders.vendored(a.Because.File)
		return a.byHand && isOwn || vendored || r.File(a.Because.File).Role != lint.RoleProduct
	}))
}

// AppliesServerSide reports whether something applies manifests of the repository so.
func (r *Repository) AppliesServerSide() bool {
	isSo := func(a Applied) bool { return a.byHand && a.Way == lint.ServerSide }
	return slices.ContainsFunc(r.applied, isSo) || r.Applied().Way == lint.ServerSide
}

// applies notes what a command applies of the repository, and not of another project's or a test's.
func (c *command) applies(o *outputs) {
	if _, isTest := o.tree.test(c.file); isTest {
		return
	}
	for _, at := range applyCommand().FindAllStringIndex(c.text, -1) {
		text, how := c.text[at[0]:at[1]], lint.Apply{Way: lint.ClientSide}
		switch {
		case strings.Contains(text, "://"):
			continue
		case serverSide().MatchString(text):
			how = lint.Apply{Way: lint.ServerSide, Manager: "kubectl", Force: strings.Contains(text, "--force-conflicts")}
		case !c.isOfTree(o, appliedFiles().FindStringSubmatch(text)):
			continue
		}
		o.applied = append(o.applied, Applied{how, c.reason("applies manifests", at[0]), true, ""})
	}
}

// isOfTree reports whether kubectl is given files of the tree, or what kustomize makes of them.
func (c *command) isOfTree(o *outputs, given []string) bool {
	whole := strings.ToLower(c.text)
	if given == nil || !strings.Contains(whole, "kubectl") {
		return false
	}
	is := func(at string) bool { return o.tree.has(at) || o.tree.isFolder(at) }
	return given[1] == "-" && strings.Contains(whole, "kustomize") || c.find(o, given[1], is) != ""
}
