package repository

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A kustomization is a file of that kind as far as it says which CRDs its folder is built of.
type kustomization struct {
	file    string
	lists   []string // the files and folders of the tree that it builds on
	plain   bool     // it does no more than list files and folders that are there
	schemas bool     // it may need schemas, and not say so
	targets []string // of its patches: the kind of CRDs, and regular expressions of names
}

// A Build is a folder by whose build CRDs are checked as they are applied.
type Build struct {
	Folder  string
	File    string      // the kustomization in it
	Plain   bool        // what is built is the sources as they are
	Schemas bool        // it has to be done with the schemas
	Sources []*Document // of the CRDs that it lists
}

// keepsSchemas are the fields of kustomizations that change no schema of a CRD, or fail without it, as a patch does.
var keepsSchemas = map[string]bool{
	"patches": true, "patchesStrategicMerge": true, "patchesJson6902": true, "commonLabels": true, "labels": true, "commonAnnotations": true,
	"namespace": true, "namePrefix": true, "nameSuffix": true, "images": true, "configMapGenerator": true, "secretGenerator": true,
	"generatorOptions": true,
}

// readKustomization notes what a kustomization builds on, and the files that it lists as resources.
func (e *evidence) readKustomization(file string, t Tree) {
	k := &kustomization{file: file, plain: true}
	all, dir, src := map[string]any{}, path.Dir(file), t.Read(file)
	readYAML(src, &all)
	for field, value := range all {
		items, _ := value.([]any)
		switch field {
		case "apiVersion", "kind", "metadata", "configurations":
			continue
		case "resources", "bases", "components":
			for _, item := range items {
				name, _ := item.(string)
				at := path.Join(dir, name)
				if !e.has(at) && !e.isFolder(at) {
					k.plain = false
					continue
				}
				k.lists = append(k.lists, at)
				if _, known := e.listed[at]; !known && field == "resources" && e.has(at) {
					e.listed[at] = naming(name, "lists it", file, src)
				}
			}
			k.plain = k.plain && field != "components"
			continue
		case "patches", "patchesStrategicMerge", "patchesJson6902":
			for _, item := range items {
				e.readPatch(k, item, dir, t)
			}
		}
		k.plain, k.schemas = false, k.schemas || !keepsSchemas[field]
	}
	slices.Sort(k.lists)
	e.kustomizations[dir] = k
}

// naming is the line of a kustomization that names a file.
func naming(name, text, file string, src []byte) Reason {
	return Reason{Text: text, File: file, Line: 1 + bytes.Count(src[:max(0, bytes.Index(src, []byte(name)))], []byte("\n"))}
}

// readPatch notes what shows whether a patch is one of CRDs: their kind, in it or in the target, or the name of a target.
func (e *evidence) readPatch(k *kustomization, patch any, dir string, t Tree) {
	fields, _ := patch.(map[string]any)
	target, _ := fields["target"].(map[string]any)
	others := len(k.targets)
	for _, one := range []any{patch, fields["path"], fields["patch"], target["kind"]} {
		text, _ := one.(string)
		if text == "" {
			continue
		}
		if namesKind([]byte(text + "\n" + string(t.Read(path.Join(dir, text))))) {
			k.targets = append(k.targets, crd.Kind)
		}
	}
	if len(k.targets) > others {
		for _, one := range []any{patch, fields["path"]} {
			if name, _ := one.(string); e.has(path.Join(dir, name)) {
				e.patches[path.Join(dir, name)] = naming(name, "patches CRDs with it", k.file, t.Read(k.file))
			}
		}
	}
	if name, ok := target["name"].(string); ok {
		k.targets = append(k.targets, name)
	}
}

// Builds are the folders by whose builds CRDs are checked, next to their sources among some files. For the CRDs of an API group whose
// sources are in a folder, that is the folder of a kustomization that lists the most of them, since one may be left out for a while:
// rather one with patches of CRDs, then the one that builds on the fewest files, and so is nearest to them. Kustomizations of tests
// and old releases do not count.
func (r *Repository) Builds(asked func(file string) bool) (all []Build) {
	type unit struct{ group, folder string }
	units := map[unit][]*Document{}
	var order []unit
	for _, d := range r.all {
		if d.Role != lint.RoleSource || d.Source != "" || !asked(d.File) {
			continue
		}
		u := unit{d.Group, path.Dir(d.File)}
		if units[u] == nil {
			order = append(order, u)
		}
		units[u] = append(units[u], d)
	}
	for _, u := range order {
		best := r.buildOf(units[u], asked)
		if best == nil {
			continue
		}
		if i := slices.IndexFunc(all, func(b Build) bool { return b.Folder == best.Folder }); i >= 0 {
			all[i].Sources = append(all[i].Sources, best.Sources...)
			continue
		}
		all = append(all, *best)
	}
	return all
}

// buildOf is the folder that the most of some sources are built in; nil for none.
func (r *Repository) buildOf(sources []*Document, asked func(file string) bool) (best *Build) {
	type rank struct{ patched, files int }
	var of rank
	for dir, k := range r.kustomizations {
		if !asked(k.file) || !r.File(k.file).Role.Own() {
			continue
		}
		reached := map[string]*kustomization{}
		r.reach(dir, reached)
		listed := slices.DeleteFunc(slices.Clone(sources), func(d *Document) bool { _, is := reached[d.File]; return !is })
		if len(listed) == 0 {
			continue
		}
		next, plain, schemas := rank{0, len(reached)}, true, false
		for _, k := range reached {
			if k != nil {
				plain, schemas = plain && k.plain, schemas || k.schemas
				if k.patches(listed) {
					next.patched = 1
				}
			}
		}
		order := -1
		if best != nil {
			order = cmp.Or(len(best.Sources)-len(listed), of.patched-next.patched, next.files-of.files, compareFiles(dir, best.Folder))
		}
		if order < 0 {
			best, of = &Build{Folder: dir, File: k.file, Plain: plain, Schemas: schemas, Sources: listed}, next
		}
	}
	return best
}

// reach notes what a folder or a file is built on, itself included: kustomizations by their folders, and nil for other files.
func (r *Repository) reach(at string, reached map[string]*kustomization) {
	if _, again := reached[at]; again {
		return
	}
	k := r.kustomizations[at]
	reached[at] = k
	if k != nil {
		for _, next := range k.lists {
			r.reach(next, reached)
		}
	}
}

// ListedIn is the folder of a kustomization that has a file as a resource; "" for none, and for one of a test.
func (r *Repository) ListedIn(file string) string {
	for _, dir := range slices.Sorted(maps.Keys(r.kustomizations)) {
		k := r.kustomizations[dir]
		if _, isTest := r.folders.test(k.file); !isTest && slices.Contains(k.lists, file) {
			return dir
		}
	}
	return ""
}

// patches reports whether a patch of the kustomization may be one of some CRDs.
func (k *kustomization) patches(sources []*Document) bool {
	return slices.ContainsFunc(k.targets, func(text string) bool {
		if text == crd.Kind {
			return true
		}
		name, err := regexp.Compile("^(?:" + text + ")$")
		return err == nil && slices.ContainsFunc(sources, func(d *Document) bool { return name.MatchString(d.Name) })
	})
}
