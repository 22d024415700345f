package specimen

import (
	"embed"
	"path"
	"strings"
)

// files has a file for each field, with its schema and its value.
//
//go:embed testdata/fields
var files embed.FS

const folder = "testdata/fields"

// fields are all there are, in the order of their names.
var fields = func() (all []field) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // they are in the program
	}
	for _, e := range entries {
		text, err := files.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			panic(err)
		}
		schema, value, _ := strings.Cut(string(text), "---\n")
		all = append(all, field{strings.TrimSuffix(e.Name(), ".yaml"), schema, value})
	}
	return all
}()
