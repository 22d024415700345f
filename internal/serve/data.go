package serve

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/request"
)

// Put stores an object as it is: nothing of it is judged, so that it may be one that was there before a rule was. It gets a uid and a
// time if it has none. The error says that its kind is not served, or that it has no name.
func (s *Server) Put(o request.Object) (request.Object, error) {
	is := &unstructured.Unstructured{Object: o}
	k, v := s.kindFor(is)
	switch {
	case v == nil:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("no CRD that is served has %s of %s", is.GetKind(), is.GetAPIVersion()))
	case is.GetName() == "":
		return nil, apierrors.NewBadRequest("the object has no name")
	case !k.namespaced():
		is.SetNamespace("")
	case is.GetNamespace() == "":
		is.SetNamespace("default")
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

// Load stores the objects that Save wrote into a folder, if there is one, and returns their files' names in it.
func (s *Server) Load(folder string) (names []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == folder:
			return nil
		case err != nil || d.IsDir() || filepath.Ext(path) != dataExtension:
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		raw, err := readBelow(folder, name)
		if err != nil {
			return err
		}
		var o request.Object
		if raw, err = yaml.YAMLToJSON(raw); err == nil {
			err = utiljson.Unmarshal(raw, &o)
		}
		if err == nil {
			_, err = s.Put(o)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		names = append(names, name)
		return nil
	})
	return names, err
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

// Save writes all objects into a folder, each as a file GROUP/RESOURCE/NAMESPACE/NAME.yaml, and removes those of the files that were
// loaded whose objects are gone. CRDs are not among them, as they have files.
func (s *Server) Save(folder string, loaded []string) error {
	written := map[string]bool{}
	for _, k := range s.allKinds() {
		if k.GroupResource == definitions {
			continue
		}
		all, _, err := s.store.list(k.GroupResource, "", 0)
		if err != nil {
			return err
		}
		for _, one := range all {
			raw, err := yaml.JSONToYAML(one.raw)
			if err != nil {
				return err
			}
			name := filepath.Join(cmp.Or(k.Group, "core"), k.Resource, one.namespace, one.name+dataExtension)
			if err := atomicfile.WriteBelow(folder, name, raw); err != nil {
				return err
			}
			written[name] = true
		}
	}
	for _, name := range loaded {
		if !written[name] {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
