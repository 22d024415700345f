package older

import (
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
)

// TestNearest: of several manifests of one CRD, and of one custom resource, the nearest to the new one counts, and it is the same
// one for whatever asks. The others are files of the older side, in the order in which they are read.
func TestNearest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path  string
		files []string
		want  string
	}{
		"the same path":              {"b/x.yaml", []string{"a/x.yaml", "b/x.yaml", "c/x.yaml"}, "b/x.yaml"},
		"all of it in other folders": {"a/b.yaml", []string{"a/b.yaml", "a/x/b.yaml"}, "a/b.yaml"},
		"renamed in its folder":      {"clusters/one/db.yaml", []string{"clusters/one/database.yaml", "clusters/two/database.yaml"}, "clusters/one/database.yaml"},
		"its folder is moved":        {"charts/crds/x.yaml", []string{"docs/x.md.yaml", "config/crds/x.yaml"}, "config/crds/x.yaml"},
		"its folder is copied":       {"copy/clusters/one/x.yaml", []string{"clusters/one/x.yaml", "clusters/two/x.yaml"}, "clusters/one/x.yaml"},
		"the shortest path":          {"config/x.yaml", []string{"test/data/x.yaml", "x.yaml"}, "x.yaml"},
		"the newest release":         {"main/x.yaml", []string{"v1.10/x.yaml", "v1.2/x.yaml", "v1.9/x.yaml"}, "v1.10/x.yaml"},
		"nothing alike":              {"moved.yaml", []string{"clusters/one/a.yaml", "clusters/two/a.yaml", "others/b.yaml"}, "others/b.yaml"},
	} {
		s := &Side{from: &Manifests{}}
		for _, path := range test.files {
			s.from.Files = append(s.from.Files, fileOf(path, crdOf("Alpha", path)+"---\n"+objectOf("v1", "{name: a}", path)))
		}
		s, err := s.from.Side(objects.MayHold)
		if err != nil {
			t.Fatal(err)
		}
		was := s.Find("alphas.example.com", test.path, 0)
		if got := crd.StringAt(was.Node, "metadata", "labels", "from"); got != test.want {
			t.Errorf("%s: the CRD of %s, want %s", name, got, test.want)
		}
		is := objects.Definitions(test.path, test.path, []byte(crdOf("Alpha", "")), false)[0]
		if got, why := s.Replaced(is, object(t, "v1", "{name: a}")); why != "" || got.Path != test.want {
			t.Errorf("%s: the definition of %v (%s), want %s", name, got, why, test.want)
		}
		if got, _ := s.Object(object(t, "v1", "{name: a}"), test.path); got["from"] != test.want {
			t.Errorf("%s: the object of %v, want %s", name, got, test.want)
		}
	}
}
