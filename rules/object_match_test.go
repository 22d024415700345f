package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestManyAmbiguous: of very many CRDs of a kind, some are named, and the others are counted.
func TestManyAmbiguous(t *testing.T) {
	t.Parallel()
	for n, last := range map[int]string{10: "one is here", 11: "one is here, and there is 1 more", 15: "one is here, and there are 5 more"} {
		by := &Objects{}
		for i := range n {
			at := fmt.Sprintf("%02d/crd.yaml", i)
			crds, err := ReadCRDs(lint.File{Path: at, Label: at, Read: func() ([]byte, error) {
				return []byte(strings.Replace(shelfCRD, "openAPIV3Schema:", "openAPIV3Schema:\n        description: "+at, 1)), nil
			}}, false)
			if err != nil {
				t.Fatal(err)
			}
			by.Add(crds)
		}
		l := &Linter{Objects: by}
		report := l.Report(l.File("o.yaml", []byte("apiVersion: example.com/v1\nkind: Shelf\nmetadata: {name: a}\n")))
		if len(report.Findings) != 1 {
			t.Fatalf("%d CRDs: %d findings", n, len(report.Findings))
		}
		related := report.Findings[0].Related
		if got := related[len(related)-1]; len(related) != 10 || got.Message != last || got.Pos.File != "09/crd.yaml" {
			t.Errorf("%d CRDs: %d are named, the last is %s: %s", n, len(related), got.Pos.File, got.Message)
		}
	}
}
