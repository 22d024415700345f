package suites

import (
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suite"
)

// rewrite writes a suite of openshift/api in our own format. What is written is run: it has to pass where the suite does.
func (j *judge) rewrite(s *suite.Suite) {
	results := j.Run(s, nil)
	if len(results) == 0 {
		return
	}
	fails := func(r *suite.Result) bool { return len(r.Failures) > 0 }
	if i := slices.IndexFunc(results, fails); i >= 0 {
		j.tell(results[i], results)
		return
	}
	written := suite.Rewritten(s, results)
	file := filepath.FromSlash(j.document.File.Path)
	if where, err := filepath.Rel(filepath.Dir(file), filepath.FromSlash(results[0].Definition.Path)); err == nil {
		written.CRD = filepath.ToSlash(where)
	}
	text := written.YAML()
	again := suite.Read(manifest.Parse(j.document.File.Path, text).Documents[0])
	if len(again.Wrong) > 0 {
		j.reportf(suite.Unrun, crd.FirstKey(s.Node), "crdlift cannot write the suite in its format (%s); keep the suite as it is", again.Wrong[0].Message)
		return
	}
	rerun := j.Run(again, nil)
	if i := slices.IndexFunc(rerun, fails); i >= 0 {
		j.reportf(suite.Unrun, crd.FirstKey(s.Node), "crdlift cannot write the suite in its format, as then case %s%s (keep the suite as it is)",
			quoted(rerun[i].Case.Name), said(rerun[i], &rerun[i].Failures[0]))
		return
	}
	j.out.Rewritten = append(j.out.Rewritten, text...)
}
