package kustomize

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/kustomize/api/types"
)

// follow adds the words of the patches of a kustomization that lead into schemas. kustomize reads a kustomization before the files that
// it lists (accumulateTarget of sigs.k8s.io/kustomize/api/internal/target), but for those of components.
func (c *cutter) follow(dir string, k *types.Kustomization, limit int64) {
	//lint:ignore SA1019 kustomize still reads patchesStrategicMerge and patchesJson6902
	patches := slices.Concat(k.Patches, k.PatchesJson6902)
	//lint:ignore SA1019 likewise
	for _, patch := range k.PatchesStrategicMerge {
		patches = append(patches, types.Patch{Path: string(patch), Patch: string(patch)})
	}
	for _, patch := range patches {
		src, path := []byte(patch.Patch), filepath.Join(dir, filepath.FromSlash(patch.Path))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= limit { // kustomize rejects others later
			src, _ = os.ReadFile(path)
		}
		if bytes.Contains(src, []byte("openAPIV3Schema")) {
			for _, word := range wordsOf(unescaped.Replace(string(src))) {
				c.kept[word] = true
			}
		}
	}
}

// keeps reports whether patches may lead to or below an entry of a schema.
func (c *cutter) keeps(key string) bool {
	return !slices.ContainsFunc(wordsOf(key), func(word string) bool { return !c.kept[word] })
}

// unescaped are the characters that JSON pointers have otherwise, RFC 6901.
var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

// wordsOf are the parts of a text of which keys are made.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-$~", r)
	})
}
