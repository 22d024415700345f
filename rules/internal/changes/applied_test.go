package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// TestAppliedAgrees holds what applying a manifest to a CRD comes to against what a server did.
func TestAppliedAgrees(t *testing.T) {
	root := os.Getenv("CRDLIFT_CORPUS")
	if root == "" {
		root = "../../../../shared"
	}
	folders, _ := filepath.Glob(filepath.Join(root, "cases/apply/crd-*"))
	if len(folders) == 0 {
		t.Skip("no cases of CRDs below " + root)
	}
	if len(folders) < 23 {
		t.Errorf("only %d cases", len(folders))
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			read := func(name string) *crd.CRD {
				src, err := os.ReadFile(filepath.Join(folder, name))
				if err != nil {
					t.Fatal(err)
				}
				return crd.Parse(src)[0]
			}
			var want struct {
				Way      string
				Expected struct {
					Code    int
					Message string
					Spec    map[string]any
				}
			}
			src, _ := os.ReadFile(filepath.Join(folder, "expected.json"))
			if err := json.Unmarshal(src, &want); err != nil {
				t.Fatal(err)
			}
			way, manager := lint.ReplacedBy, ""
			switch {
			case strings.HasPrefix(want.Way, "server-side"):
				way, manager = lint.ServerSide, "flux"
			case strings.HasPrefix(want.Way, "client-side"), strings.HasPrefix(want.Way, "merge patch"):
				way = lint.ClientSide
			}
			s, err := standingOf(read("live.yaml"), manager)
			if err != nil {
				t.Fatal(err)
			}
			got, spec := judged(t, s, read("manifest.yaml"), way)
			if got != want.Expected.Code {
				t.Errorf("code %d, want %d: %s", got, want.Expected.Code, want.Expected.Message)
			}
			delete(want.Expected.Spec, "versions")
			if a, b := asJSON(spec), asJSON(want.Expected.Spec); got == 200 && a != b {
				t.Errorf("spec\n%s, want\n%s", a, b)
			}
		})
	}
}

// judged is the answer to a manifest that is applied, and what is there then, without versions.
func judged(t *testing.T, s *standing, c *crd.CRD, way lint.Way) (code int, spec map[string]any) {
	t.Helper()
	manifest, err := written(c)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := s.with(manifest, way)
	if d, _ := c.Decode(); err != nil || way == lint.ServerSide && !known(d, c) {
		return 500, nil // what the older manifest could not have is refused by its type
	}
	is, err := decoded(merged)
	if err != nil {
		t.Fatal(err)
	}
	was, err := decoded(s.live.Object)
	if err != nil {
		t.Fatal(err)
	}
	if v := apiserver.OnUpdate(is, was, crd.V1); len(v.Errors) > 0 {
		t.Log(v.Errors)
		return 422, nil
	}
	v1, err := crd.ToV1(is)
	if err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(asJSON(v1.Spec)), &spec)
	delete(spec, "versions")
	return 200, spec
}

func known(d *crd.Object, c *crd.CRD) bool {
	raw, _ := json.Marshal(must(written(c)))
	again, err := crd.DecodeJSON(raw, crd.V1)
	return err == nil && len(again.Strict) == 0
}

func must[T any](v T, _ error) T { return v }

func asJSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}
