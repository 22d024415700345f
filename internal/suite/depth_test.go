package suite_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suite"
)

func TestCasesFollowOneAnother(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{20: 0, 21: 1} {
		src := "{crdtest: v1, base: {}, cases: [{name: a" + strings.Repeat(", then: [{name: a", n) + strings.Repeat("}]", n+1) + "}"
		s := suite.Read(manifest.Parse("a.crdtest.yaml", []byte(src)).Documents[0])
		if len(s.Wrong) != want {
			t.Errorf("%d cases that follow one another are wrong in %d places, want %d: %+v", n, len(s.Wrong), want, s.Wrong)
		}
	}
}
