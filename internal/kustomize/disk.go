package kustomize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/kio"
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
		return src, d.refuse(plugin(path, src))
	}
	k, err := decoded(src)
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

// decoded is a kustomization as kustomize reads it, by the same code: keys in any case, aliases and merge keys lead to
// entries that its text does not have in their place.
func decoded(src []byte) (*yaml.RNode, error) {
	var k types.Kustomization
	if err := k.Unmarshal(src); err != nil {
		return nil, err
	}
	text, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return yaml.Parse(string(text))
}

// refuse keeps an error; nil is none.
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
			case entry == "":
			case strings.Contains(entry, "\n"): // written inline
				if err := plugin(path, []byte(entry)); err != nil {
					return err
				}
			case remote(entry):
				return isRemote(path, entry)
			case !d.Exists(filepath.Join(filepath.Dir(path), entry)):
				return fmt.Errorf("%s: there is no %s", path, entry)
			}
		}
	}
	return fetched(path, k.YNode())
}

// plugin reports an error for the configuration of a plugin of kustomize's own that names a URL, wherever it does.
func plugin(path string, src []byte) error {
	if !bytes.Contains(src, []byte("builtin")) && !bytes.Contains(src, []byte(`\`)) { // which may escape a letter of it
		return nil
	}
	all, err := (&kio.ByteReader{Reader: bytes.NewReader(src), OmitReaderAnnotations: true, DisableUnwrapping: true}).Read()
	if err != nil {
		return nil // kustomize reports the error
	}
	for _, doc := range all {
		builtin, url := false, ""
		eachScalar(doc.YNode(), func(value string) {
			builtin = builtin || value == konfig.BuiltinPluginApiVersion
			if named(value) {
				url = value
			}
		})
		if builtin && url != "" {
			return isRemote(path, url)
		}
	}
	return nil
}

// eachScalar calls do with every scalar of a tree. What an alias leads to is in the tree as well.
func eachScalar(n *yaml.Node, do func(value string)) {
	if n.Kind == yaml.ScalarNode {
		do(n.Value)
	}
	for _, child := range n.Content {
		eachScalar(child, do)
	}
}

// isRemote is the error about something that kustomize would fetch.
func isRemote(path, what string) error {
	return fmt.Errorf("%s: %s is remote, and crdlift fetches nothing; build it with kustomize and lint the output", path, what)
}

// fetched reports an error for a URL among the other values of a kustomization: of patches, say.
func fetched(path string, n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && named(n.Value) {
		return isRemote(path, n.Value)
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

// named reports whether a value is a URL, or names one as name=path does.
func named(value string) bool {
	_, file, _ := strings.Cut(value, "=")
	return isURL(value) || isURL(file)
}

// isURL is IsRemoteFile of sigs.k8s.io/kustomize/api/internal/loader.
func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// remote reports whether a path of a resource is what kustomize takes for a repository's, before it looks for a file of that
// name: NewRepoSpecFromURL of sigs.k8s.io/kustomize/api/internal/git, which takes less.
func remote(entry string) bool { return repository.MatchString(entry) }

// repository matches a scheme, the host that needs none, and a user at some host; also where the words are in another case.
var repository = regexp.MustCompile(`(?i)://|\?ref=|^(git::|github\.com[/:]|[a-z][a-z0-9-]*@.*[/:])`)
