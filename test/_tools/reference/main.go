// Command reference does with manifests what crdlift cannot do without, and nothing else: it is what crdlift's speed is
// measured against.
//
//	reference parse PATH...   kyaml's parse of every file: the floor
//	reference judge PATH...   the same, and upstream's own decoding, defaulting, conversion and validation of every CRD
//	reference schemas FOLDER CRDS
//	                          writes into a folder, for programs that go by JSON schemas, those of CustomResourceDefinition
//	                          and of the objects of the CRDs in another
//
// PATHs are files or folders, which are searched for *.yaml, *.yml and *.json. It prints how many CRDs it met and how many
// of them upstream accepts.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	kjson "sigs.k8s.io/json"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 3 && args[0] == "schemas":
		err = writeSchemas(args[1], args[2])
	case len(args) > 1 && (args[0] == "parse" || args[0] == "judge"):
		err = read(args[0] == "judge", args[1:])
	default:
		err = errors.New("usage: reference parse|judge PATH..., or reference schemas FOLDER CRDS")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// read parses all files, and judges them if it should.
func read(judge bool, paths []string) error {
	klog.SetLogger(logr.Discard())
	r := &reference{judge: judge, scheme: kruntime.NewScheme()}
	install.Install(r.scheme)
	files := make(chan string)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for path := range files {
				r.file(path)
			}
		})
	}
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
				files <- path
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	close(files)
	workers.Wait()
	fmt.Printf("%d documents, %d CRDs, %d accepted\n", r.documents.Load(), r.crds.Load(), r.accepted.Load())
	return nil
}

type reference struct {
	judge                     bool
	scheme                    *kruntime.Scheme
	documents, crds, accepted atomic.Int64
}

func (r *reference) file(path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		return
	}
	decoder := kyaml.NewDecoder(bytes.NewReader(src))
	for {
		var node kyaml.Node
		if err := decoder.Decode(&node); err != nil {
			if !errors.Is(err, io.EOF) {
				return // does not parse
			}
			break
		}
		r.documents.Add(1)
	}
	if !r.judge {
		return
	}
	for document := range bytes.SplitSeq(src, []byte("\n---")) {
		r.document(document)
	}
}

// document decodes as the API server does, and validates what is a CRD.
func (r *reference) document(src []byte) {
	if !bytes.Contains(src, []byte("CustomResourceDefinition")) {
		return
	}
	raw, err := yaml.YAMLToJSON(src)
	if err != nil {
		return
	}
	var meta metav1.TypeMeta
	if json.Unmarshal(raw, &meta) != nil || meta.Kind != "CustomResourceDefinition" {
		return
	}
	obj, err := r.scheme.New(meta.GroupVersionKind())
	if err != nil {
		return
	}
	r.crds.Add(1)
	if _, err := kjson.UnmarshalStrict(raw, obj); err != nil {
		return
	}
	r.scheme.Default(obj)
	hub := &apiextensions.CustomResourceDefinition{}
	if r.scheme.Convert(obj, hub, nil) != nil {
		return
	}
	defer func() { _ = recover() }()                            // some manifests crash upstream
	hub.Status = apiextensions.CustomResourceDefinitionStatus{} // as on create
	for _, v := range hub.Spec.Versions {
		if v.Storage {
			hub.Status.StoredVersions = []string{v.Name}
			break
		}
	}
	if len(validation.ValidateCustomResourceDefinition(context.Background(), hub)) == 0 {
		r.accepted.Add(1)
	}
}
