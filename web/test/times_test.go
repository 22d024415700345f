package test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTimes says how large the program is on its way to the browser, and how long one waits for answers, from localhost. The
// size is a promise; how long something takes depends on the machine.
func TestTimes(t *testing.T) {
	b := browser(t)
	programs, err := filepath.Glob(filepath.Join(built, "playground", "crdlift-*.bin"))
	if err != nil || len(programs) != 1 {
		t.Fatalf("the programs are %q, %v", programs, err)
	}
	info, err := os.Stat(programs[0])
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("the program has %.2f MB", float64(info.Size())/1e6); info.Size() >= 11e6 {
		t.Errorf("the program has %d bytes", info.Size())
	}
	b.open("")
	t.Logf("first answer %.0f ms after the page was asked for", b.answered(true)[0])
	for _, version := range []string{"v1beta1", "v1"} {
		example := large(version)
		for panel, said := range map[string]string{"findings": "checked 1 CRD", "convert": map[string]string{"v1beta1": "1 converted", "v1": "1 already there"}[version]} {
			b.run(tabOf(panel))
			var times []float64
			for i := range 7 {
				b.write(fmt.Sprintf("%s# %d\n", example, i))
				all := b.answered(false)
				times = append(times, all[len(all)-1])
			}
			b.sees("the status", b.content("#status"), said)
			slices.Sort(times)
			t.Logf("%s of a CRD of %s of %d KB: %.0f ms, %.0f at most, after a pause in typing", panel, version, len(example)/1000, times[len(times)/2], times[len(times)-1])
		}
	}
	b.calm()
}

// answered is how long the page waited for answers, in milliseconds; with whole, since it was opened.
func (b *tab) answered(whole bool) []float64 {
	b.Helper()
	return eval[[]float64](b, fmt.Sprintf(`performance.getEntriesByName("answered").map((m) => m.duration + (%t ? m.startTime : 0))`, whole))
}

// large is a CRD of about 20 KB with fields as those of a workload.
func large(version string) string {
	var fields strings.Builder
	for i := range 60 {
		fmt.Fprintf(&fields, `              part%d:
                type: object
                description: What runs in part %[1]d, and how much of it may be unavailable at a time.
                required: [image]
                properties:
                  image:
                    type: string
                    description: The image, with its tag.
                  replicas: {type: integer, format: int32, minimum: 0}
`, i)
	}
	schema := `openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
` + fields.String()
	where := "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      "
	if version == "v1beta1" {
		where = "  versions:\n  - {name: v1, served: true, storage: true}\n  validation:\n      "
	}
	return "apiVersion: apiextensions.k8s.io/" + version + "\nkind: CustomResourceDefinition\nmetadata:\n  name: machines.example.com\nspec:\n  group: example.com\n" +
		"  names: {kind: Machine, plural: machines}\n  scope: Namespaced\n" + where + schema
}
