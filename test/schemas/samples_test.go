package schemas

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/crdlift/crdlift/internal/jsonschema"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	validation "github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSamples has the schemas of the CRDs of the corpus take the objects that the server accepts: the smallest, the fullest, and some
// that are filled at random.
func TestSamples(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, file := range corpus.Sample(t, corpus.Files(t, "v1", "v1beta1"), 20) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range objects.Definitions(file, file, src, true) {
			server, why := d.Server()
			if why != "" {
				continue
			}
			for _, version := range server.Versions() {
				if server.Version(version).Err() != nil {
					continue
				}
				g := sample.New(server, version, 1)
				made := []request.Object{g.Mended(0), g.Mended(1), g.Mended(2)}
				for _, make := range []func() (request.Object, bool){g.Smallest, g.Fullest} {
					one, _ := make()
					made = append(made, one)
				}
				schema := compile(t, d, version)
				for _, object := range made {
					if object == nil {
						continue
					}
					raw, err := json.Marshal(object)
					if err != nil {
						t.Fatal(err)
					}
					value, err := validation.UnmarshalJSON(bytes.NewReader(raw))
					if err != nil {
						t.Fatal(err)
					}
					tried++
					if err := schema.Validate(value); err != nil {
						t.Errorf("%s: %s: %v\n%s", file, version, err, raw)
					}
				}
			}
		}
	}
	t.Logf("%d objects", tried)
}

// compile is the schema of a version, by which the server's nulls are valid.
func compile(t *testing.T, d *objects.Definition, version string) *validation.Schema {
	t.Helper()
	text, err := jsonschema.Of(d, version, false)
	if err != nil {
		t.Fatal(err)
	}
	document, err := validation.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := validation.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
