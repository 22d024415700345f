package kustomize

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A disk is the file system as a build sees it. It records the files read, makes the kustomization at the root request
// the origins of resources, and refuses paths that kustomize would have to fetch.
type disk struct {
	filesys.FileSystem
	root    string // absolute, without links
	limit   int64  // bytes of a file
	read    []string
	refused error // the first refusal
}

func (d *disk) ReadFile(path string) ([]byte, error) {
	src, err := d.FileSystem.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if int64(len(src)) > d.limit {
		return nil, d.refuse(fmt.Errorf("%s: larger than --max-file-size", path))
	}
	d.read = append(d.read, path)
	if !IsKustomization(path) {
		return src, nil
	}
	k, err := yaml.Parse(string(src))
	if err != nil {
		return src, nil // kustomize reports the error
	}
	if err := d.local(path, k); err != nil {
		return nil, d.refuse(err)
	}
	if filepath.Dir(path) != d.root {
		return src, nil
	}
	if err := k.PipeE(yaml.LookupCreate(yaml.SequenceNode, "buildMetadata"), yaml.Append(yaml.NewStringRNode("originAnnotations").YNode())); err != nil {
		return src, nil
	}
	text, err := k.String()
	return []byte(text), err
}

func (d *disk) refuse(err error) error {
	if d.refused == nil {
		d.refused = err
	}
	return err
}

// loading are the fields of a kustomization whose entries kustomize clones where they are not local paths.
var loading = []string{"resources", "bases", "components", "generators", "transformers", "validators"}

// local reports an error for a kustomization with an entry that is not on this machine: kustomize takes every path that
// it does not find for that of a repository.
func (d *disk) local(path string, k *yaml.RNode) error {
	for _, field := range loading {
		list := crd.Get(k.YNode(), field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, e := range list.Content {
			entry := yaml.GetValue(yaml.NewRNode(e))
			switch {
			case entry == "" || strings.Contains(entry, "\n"): // written inline
			case remote(entry):
				return fmt.Errorf("%s: %s is remote, and crdlift fetches nothing; build it with kustomize and lint the output", path, entry)
			case !d.Exists(filepath.Join(filepath.Dir(path), entry)):
				return fmt.Errorf("%s: there is no %s", path, entry)
			}
		}
	}
	return fetched(path, k.YNode())
}

// fetched reports an error for a URL among the other values of a kustomization: of patches, say.
func fetched(path string, n *yaml.Node) error {
	_, file, named := strings.Cut(n.Value, "=") // name=path, as generators have it
	if n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "\n") && (isURL(n.Value) || named && isURL(file)) {
		return fmt.Errorf("%s: %s is remote, and crdlift fetches nothing; build it with kustomize and lint the output", path, n.Value)
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && (i%2 == 0 || slices.Contains(free, n.Content[i-1].Value)) {
			continue
		}
		if err := fetched(path, child); err != nil {
			return err
		}
	}
	return nil
}

// free are the fields of a kustomization whose values are texts of the author's, and no paths.
var free = []string{
	"literals", "commonAnnotations", "commonLabels", "labels", "annotations", "patch", "metadata", "images", "vars", "namespace", "helmCharts", "helmGlobals",
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// remote reports whether a path of a resource is what kustomize takes for a repository's.
func remote(entry string) bool {
	return strings.Contains(entry, "://") || strings.Contains(entry, "?ref=") || strings.HasPrefix(entry, "git@") ||
		strings.HasPrefix(entry, "git::") || strings.HasPrefix(entry, "github.com/") || strings.HasPrefix(entry, "github.com:")
}
