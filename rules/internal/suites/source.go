package suites

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/vicinity"
)

// relateGo adds the place in Go types of a keyword of the schema at a path of a CRD. They are only looked for when a case fails.
func (j *judge) relateGo(told *engine.Finding, d *objects.Definition, path, keyword, rule string) {
	if j.linter.Go == nil || d.Built {
		return
	}
	m, known := j.manifests[d]
	if !known {
		if j.manifests == nil {
			j.manifests = map[*objects.Definition]*origin.Manifest{}
		}
		m = origin.New(d.Tree().CRD, d.Written(), vicinity.Vicinity{Sources: j.linter.Sources, Path: d.Path})
		j.manifests[d] = m
	}
	if pos, marker, ok := m.Said(path, keyword, rule); ok {
		if marker == "" {
			marker = "Go declares it here"
		}
		told.Relate(pos, marker)
	}
}

// relateGoOf is relateGo for what rejects an object. What a schema requires, Go types say of the field.
func (j *judge) relateGoOf(told *engine.Finding, r *suite.Result, c *request.Cause) {
	path, keyword := r.Definition.Root(r.Version).Path, c.Keyword
	for _, step := range c.SchemaPath {
		path = crd.Member(path, step)
	}
	if keyword == "required" && len(c.Path) > 0 {
		path, keyword = crd.Under(crd.Member(path, "properties"), c.Path[len(c.Path)-1].Key), ""
	}
	j.relateGo(told, r.Definition, path, keyword, c.ValidationRule().Rule)
}
