package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/carry"
	"github.com/crdlift/crdlift/internal/crd"
	catalogues "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestMigrateByConverters carries objects through the converters of other projects, and has a real server that asks the same converter
// take them before and after: at the new version it shows both alike, but for what the table has. The objects are those of
// test/converters and the projects' examples.
func TestMigrateByConverters(t *testing.T) {
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			c := p.start(t)
			t.Run("fixtures", func(t *testing.T) { c.all(t, filepath.Join("..", "converters", "testdata", p.name), 1, 1) })
			t.Run("examples", func(t *testing.T) { c.all(t, p.examples(t), p.carried, p.compared) })
		})
	}
}

// all carries the objects below a folder's folder before, by the CRDs in its folder crds, and compares what the server shows of them.
func (c *converter) all(t *testing.T, folder string, carriedAtLeast, comparedAtLeast int) {
	catalogue, manifests := &catalogues.Catalogue{}, map[string][]byte{}
	for _, path := range corpus.Below(t, filepath.Join(folder, "crds")) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := read(t, []*file{{path: path, src: src}}, crd.V1)
		for _, m := range all {
			manifests[m.name] = c.converts(t, m.json)
			catalogue.Add(catalogues.Definitions(path, path, manifests[m.name], true)[0])
		}
	}
	carrier := &carry.Carrier{Options: carry.Options{To: c.to}, Catalogue: catalogue,
		Ask: func(d *catalogues.Definition) (carry.Asker, error) {
			return review.New(review.Config{CRD: d.Hub, Handler: c})
		}}
	byCRD := map[string][]carried{}
	c.tally = tally{t: t, counts: map[string]int{}, examples: map[string][]string{}}
	for _, path := range corpus.Below(t, filepath.Join(folder, "before")) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		moved, left := carryAll(t, carrier, strings.TrimPrefix(path, folder+"/before/"), src)
		for name, all := range moved {
			byCRD[name] = append(byCRD[name], all...)
		}
		for _, one := range left {
			c.count("left for a person", 1, one)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byCRD)) {
		c.compare(t, manifests[name], byCRD[name])
	}
	for _, figure := range slices.Sorted(maps.Keys(c.counts)) {
		t.Logf("%4d %s %s", c.counts[figure], figure, strings.Join(c.tally.examples[figure], "\n\t"))
	}
	if c.counts["carried"] < carriedAtLeast || c.counts["compared"] < comparedAtLeast {
		t.Errorf("not %d are carried, and %d compared", carriedAtLeast, comparedAtLeast)
	}
}

// compare has a server that asks the converter take the objects of a CRD before and after. Those that it takes neither time prove nothing.
func (c *converter) compare(t *testing.T, manifest []byte, all []carried) {
	s, d := today(t), &v1.CustomResourceDefinition{}
	if err := json.Unmarshal(manifest, d); err != nil {
		t.Fatal(err)
	}
	if created, err := s.createCRD("v1", manifest); err != nil || !created.ok() {
		t.Fatal(created.reason(), err)
	}
	defer func() {
		if err := s.deleteCRD(d.Name); err != nil {
			t.Error(err)
		}
	}()
	r, reason, err := s.serve(d)
	if err != nil || r == nil {
		t.Fatal(reason, err)
	}
	for _, v := range d.Spec.Versions {
		if err := wait("serving "+d.Name, func() (bool, error) {
			a, err := s.request(http.MethodGet, r.path(v.Name, "", ""), nil)
			return !v.Served || a.ok(), err
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range all {
		o.old, o.new = filledIn(o.old).(map[string]any), filledIn(o.new).(map[string]any)
		c.count("carried", 1)
		was, whyOld := r.createdAndShown(t, o.old, o.new)
		is, whyNew := r.createdAndShown(t, o.new, o.new)
		switch {
		case was == nil && is == nil:
			c.count("not taken, neither before nor after", 1, o.at, ": ", whyOld)
			continue
		case was == nil || is == nil:
			t.Errorf("%s: rejected before: %q, and after: %q", o.at, whyOld, whyNew)
			continue
		}
		c.count("compared", 1)
		was, is = asWritten(was), asWritten(is)
		if valuesDiffer(was, is, "") == "" {
			c.count("shown alike as they are", 1)
			continue
		}
		c.equalise(was, is, o)
		if at := valuesDiffer(was, is, "shown"); at != "" {
			t.Errorf("%s: %s differs: it was\n\t%s\nand is\n\t%s", o.at, at, text(was), text(is))
			continue
		}
		c.count("shown alike but for the table", 1)
	}
}

// equalise gives what was shown before the values that differ by the table. Of what a webhook fills in, the object as it was says nothing.
func (c *converter) equalise(was, is map[string]any, o carried) {
	for _, d := range differences(was, is, nil) {
		i := slices.IndexFunc(c.differ, func(e expected) bool {
			return e.was == d.was && e.is == d.is && regexp.MustCompile("^"+e.at+"$").MatchString(d.at.String()) &&
				(e.is != "" || !says(o.old, d.at) && (e.from == "" || !says(o.old, d.at[:len(d.at)-1].To(request.Key(e.from)))))
		})
		if i < 0 {
			continue
		}
		if d.at.Remove(was); d.is != "" {
			value, _ := d.at.In(is)
			d.at.Set(was, value)
		}
		c.count("differ by: "+c.differ[i].why, 1)
	}
}

// says reports whether an object has a value, but for its status: no create writes that.
func says(o map[string]any, at request.Path) bool {
	value, _ := at.In(o)
	return value != nil && at[0].Key != "status"
}
