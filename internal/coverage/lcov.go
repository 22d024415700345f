package coverage

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// LCOV writes reports as lcov does, which editors and services read: the lines of a CRD are those with constraints, and where there
// are several on a line, each is a branch. See geninfo(1). What is dead or ignored is no line.
func LCOV(w io.Writer, reports []lint.Coverage) error {
	var out strings.Builder
	for i := range reports {
		r := &reports[i]
		hits := map[int][]int{} // by line
		for _, c := range r.Constraints {
			hit := 0
			switch c.State {
			case Dead.String(), Ignored.String():
				continue
			case Tested.String():
				hit = 1
			}
			hits[c.Line] = append(hits[c.Line], hit)
		}
		fmt.Fprintf(&out, "TN:%s\nSF:%s\n", strings.NewReplacer(".", "_", "-", "_").Replace(r.CRD), r.File)
		found := 0
		for _, line := range slices.Sorted(maps.Keys(hits)) {
			all := hits[line]
			for j := range all {
				if len(all) > 1 {
					fmt.Fprintf(&out, "BRDA:%d,0,%d,%d\n", line, j, all[j])
				}
			}
			hit := slices.Max(all)
			fmt.Fprintf(&out, "DA:%d,%d\n", line, hit)
			found += hit
		}
		fmt.Fprintf(&out, "LF:%d\nLH:%d\nend_of_record\n", len(hits), found)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
