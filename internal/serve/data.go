package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/request"
)

// Put stores an object without validation, so that it may be one that was there before a rule. It gets a uid and a
// time if it has none. The error says that its kind is not served, or that it has no name.
func (s *Server) Put(o request.Object) (request.Object, error) {
	is := &unstructured.Unstructured{Object: o}
	k, v := s.kindFor(is)
	switch {
	case v == nil:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("no served CRD has the kind %s of %s; serve its CRD, too, or remove the object", is.GetKind(), is.GetAPIVersion()))
	case is.GetName() == "":
		return nil, apierrors.NewBadRequest("the object has no name")
	case !k.namespaced():
		is.SetNamespace("")
	case is.GetNamespace() == "":
		is.SetNamespace("default")
	}
	for _, name := range []string{is.GetName(), is.GetNamespace()} {
		if len(content.IsPathSegmentName(name)) > 0 || strings.ContainsFunc(name, unicode.IsControl) {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("no object can have the name %q", name))
		}
	}
	if is.GetUID() == "" {
		begin(o)
	}
	if is.GetGeneration() == 0 {
		is.SetGeneration(1)
	}
	is.SetResourceVersion("")
	stored, err := v.Store(o)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(stored)
	if err != nil {
		return nil, err
	}
	defer s.sweep(k.GroupResource)
	kept, err := s.store.write(place{k.GroupResource, is.GetNamespace(), is.GetName()}, func(item) ([]byte, error) { return raw, nil })
	if err != nil {
		return nil, err
	}
	return serveItem(v, kept)
}

// kindFor is the kind and the version of an object; nil where they are not served.
func (s *Server) kindFor(o *unstructured.Unstructured) (*kind, *request.Version) {
	gvk := o.GroupVersionKind()
	for _, k := range s.allKinds() {
		if k.Group == gvk.Group && k.crd.Spec.Names.Kind == gvk.Kind && k.GroupResource != definitions {
			return k, k.version(gvk.Version)
		}
	}
	return nil, nil
}

// Load stores the objects in a folder, each in a file of YAML, if there is one. It returns the names of the files, by those that Save gives
// them.
func (s *Server) Load(folder string) (names map[string]string, err error) {
	names = map[string]string{}
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == ".":
			return nil
		case err != nil || d.IsDir() || filepath.Ext(name) != dataExtension:
			return err
		}
		name = filepath.FromSlash(name)
		raw, err := readBelow(folder, name)
		if err != nil {
			return err
		}
		at, err := s.load(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(folder, name), err)
		}
		names[at] = name
		return nil
	})
	return names, err
}

// load stores an object, and returns the name of the file that Save has for it.
func (s *Server) load(raw []byte) (name string, err error) {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(raw)))
	if raw, err = documents.Read(); err != nil {
		return "", fmt.Errorf("it has no object: %w", err)
	}
	if _, err := documents.Read(); err != io.EOF {
		return "", errors.New("it has several documents; write one file for each object")
	}
	var o request.Object
	if raw, err = yaml.YAMLToJSON(raw); err == nil {
		err = utiljson.Unmarshal(raw, &o)
	}
	if err == nil {
		o, err = s.Put(o)
	}
	if err != nil {
		return "", err
	}
	is := &unstructured.Unstructured{Object: o}
	k, _ := s.kindFor(is)
	return fileOf(place{k.GroupResource, is.GetNamespace(), is.GetName()}), nil
}

const dataExtension = ".yaml"

func readBelow(folder, name string) ([]byte, error) {
	f, err := atomicfile.OpenBelow(folder, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Save writes all objects into a folder, each into the file that it was loaded from, or GROUP/RESOURCE/NAMESPACE/NAME.yaml, and removes
// those of the files whose objects are gone. CRDs are not among them, as they have files.
func (s *Server) Save(folder string, loaded map[string]string) error {
	var errs []error // none of which keeps other objects from being written
	written := map[string]bool{}
	for _, k := range s.allKinds() {
		if k.GroupResource == definitions {
			continue
		}
		all, _, err := s.store.list(k.GroupResource, "", 0)
		errs = append(errs, err)
		for _, one := range all {
			name := fileOf(one.place)
			written[name] = true
			raw, err := yaml.JSONToYAML(one.raw)
			if err == nil {
				err = atomicfile.WriteBelow(folder, cmp.Or(loaded[name], name), raw)
			}
			errs = append(errs, err)
		}
	}
	for at, name := range loaded {
		if !written[at] {
			if err := os.Remove(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) { // as of another server with this folder
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// fileOf is the file of an object in a folder. Names of objects may be longer than those of files.
func fileOf(at place) string {
	const longest = 200
	name := at.name
	if len(name) > longest {
		name = fmt.Sprintf("%s-%x", name[:longest], sha256.Sum256([]byte(name)))[:longest+17]
	}
	return filepath.Join(cmp.Or(at.resource.Group, "core"), at.resource.Resource, at.namespace, name+dataExtension)
}
