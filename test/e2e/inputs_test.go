package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A crdManifest is one CustomResourceDefinition of a file.
type crdManifest struct {
	file    *file
	index   int // among the CRDs of the file
	version crd.Version
	group   string
	name    string
	json    []byte // as kubectl would send it
}

func (m *crdManifest) String() string {
	return m.file.path + "#" + strconv.Itoa(m.index) + " " + m.name
}

// A file is a manifest file with its conversions.
type file struct {
	path string
	src  []byte

	mu    sync.Mutex
	cache map[policy.Options]*conversion
}

// A conversion is a file, converted: what became of each CRD, and each as JSON.
type conversion struct {
	crds []convert.CRD
	json [][]byte
	err  error
}

// convert converts the file, once for all of its CRDs.
func (f *file) convert(opt policy.Options) *conversion {
	f.mu.Lock()
	defer f.mu.Unlock()
	if done := f.cache[opt]; done != nil {
		return done
	}
	c := &conversion{}
	var result *convert.Result
	result, c.err = convert.File(f.path, f.src, opt)
	if result != nil {
		c.crds = result.CRDs
		for _, found := range crd.Parse(result.Output) {
			raw, err := sent(found.Node)
			if err != nil {
				raw = nil // it was left as it is
			}
			c.json = append(c.json, raw)
		}
		if len(c.json) != len(c.crds) {
			c.err = errors.Join(c.err, errors.New("the output has another number of CRDs"))
		}
	}
	if f.cache == nil {
		f.cache = map[policy.Options]*conversion{}
	}
	f.cache[opt] = c
	return c
}

// converted is what the options make of the CRD; json is nil when it was not converted.
func (m *crdManifest) converted(opt policy.Options) (made convert.CRD, json []byte, err error) {
	c := m.file.convert(opt)
	if c.err != nil {
		return convert.CRD{}, nil, c.err
	}
	made = c.crds[m.index]
	if made.State == policy.NeedsPerson {
		return made, nil, nil
	}
	return made, c.json[m.index], nil
}

// read lists the CRDs of files that are written in a version. Those that say the same as an earlier one are counted
// only: repositories keep copies. Files that do not parse, and CRDs without JSON, are nothing that a server would see.
func read(t *testing.T, files []*file, version crd.Version) (all []*crdManifest, repeats int) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range files {
		for i, c := range crd.Parse(f.src) {
			raw, err := sent(c.Node)
			if err != nil || c.Version != version {
				continue
			}
			if seen[string(raw)] {
				repeats++
				continue
			}
			seen[string(raw)] = true
			all = append(all, &crdManifest{f, i, c.Version, crd.StringAt(c.Node, "spec", "group"), c.Name(), raw})
		}
	}
	return all, repeats
}

// sent is a manifest as kubectl sends it: read into maps, and written with their keys in order. Of two spellings of a
// key, a server that takes either keeps the last.
func sent(n *yaml.Node) ([]byte, error) {
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	var object map[string]any
	if err := in.Decode(&object); err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// realFiles returns the real manifests of a folder.
func realFiles(t *testing.T, folder string) []*file {
	t.Helper()
	var files []*file
	for _, path := range corpus.Files(t, folder) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, &file{path: path, src: src})
	}
	return files
}

// fixtures returns the repository's own manifests: each rule of the conversion has one. Nearly all are called
// crontabs.example.com; with a group for each they need not wait for each other.
func fixtures(t *testing.T) []*file {
	t.Helper()
	var files []*file
	for _, pattern := range []string{"../../testdata/convert/*/input.*", "../../internal/testing/behaviour/testdata/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("nothing is %s: %v", pattern, err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			group := fmt.Sprintf("e%d.example.com", len(files))
			files = append(files, &file{path: path, src: bytes.ReplaceAll(src, []byte("example.com"), []byte(group))})
		}
	}
	return files
}
