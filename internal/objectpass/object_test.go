package objectpass

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

const databaseCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Database, listKind: DatabaseList, plural: databases, singular: database}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size:
                type: string
                pattern: ^[a-z]+$
              replicas:
                type: integer
                maximum: 5
          status:
            type: object
            properties:
              phase: {type: string, enum: [Ready]}
`

// causes is a rule that reports every reason for a rejection.
var causes = &engine.Rule{ID: "object-cause", Severity: lint.Error, Object: &Check{Run: func(p *Pass) {
	for _, c := range p.Outcome().Causes {
		if c.Stage == request.RulesNotRun {
			continue
		}
		p.ReportCausef(&c, "%s is rejected on %s", c.Keyword, p.Operation())
	}
}}}

// mismatch is a rule that reports objects that are not judged.
var mismatch = &engine.Rule{ID: "object-mismatch", Severity: lint.Error, Object: &Check{Mismatch: true, Run: func(p *Pass) {
	p.Reportf(nil, "not judged")
}}}

// objectsBy is a linter of objects by CRDs.
func objectsBy(crds string, rules ...*engine.Rule) *engine.Linter {
	by := &Objects{Catalogue: &objects.Catalogue{}}
	by.Catalogue.Add(objects.Definitions("crd.yaml", "crd.yaml", []byte(crds), false)...)
	return &engine.Linter{Rules: rules, Kind: by}
}

// judging is what a linter judges objects by.
func judging(l *engine.Linter) *Objects { return l.Kind.(*Objects) }

// said are the findings of a report, one line each.
func said(r *lint.Report) (lines []string) {
	for _, f := range r.Findings {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Pos.Line, f.Pos.Column, f.Path, f.Rule.ID))
	}
	return lines
}

// TestObjects: custom resources are judged by the CRDs of a run, and the findings are at what the user wrote.
func TestObjects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"a value", "spec:\n  size: A1\n", "5:9 spec.size object-cause"},
		{"two values", "spec:\n  size: A1\n  replicas: 9\n", "5:9 spec.size object-cause\n6:13 spec.replicas object-cause"},
		{"what is missing", "spec:\n  replicas: 3\n", "4:1 spec.size object-cause"},
		{"a status, which a create drops", "spec: {size: small}\nstatus: {phase: Broken}\n", ""},
		{"nothing wrong", "spec: {size: small}\n", ""},
		{"a value that is ignored", "spec:\n  size: A1 # crdlift:ignore object-cause -- for a reason\n", "5:9 spec.size object-cause ignored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := objectsBy(databaseCRD, causes, mismatch)
			report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte("apiVersion: example.com/v1\nkind: Database\nmetadata: {name: a}\n"+test.src))})
			var got []string
			for i, line := range said(report) {
				if report.Findings[i].Ignored != "" {
					line += " ignored"
				}
				if o := report.Findings[i].Object; o == nil || o.ID() != "Database a" {
					t.Errorf("the finding is about %v", o)
				}
				got = append(got, line)
			}
			if got := strings.Join(got, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestObjectCounts: what is passed over is counted.
func TestObjectCounts(t *testing.T) {
	t.Parallel()
	const src = `{apiVersion: example.com/v1, kind: Database, metadata: {name: a}, spec: {size: small}}
---
{apiVersion: example.com/v2, kind: Database, metadata: {name: a}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: a}}
---
{apiVersion: example.com/v1, kind: Database, metadata: {name: a}, spec: {$patch: delete}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: ConversionReview, metadata: {name: a}}
---
{apiVersion: v1, kind: CustomResourceDefinition, metadata: {name: a}}
---
nothing: here
`
	known := &engine.Rule{ID: "object-mismatch", Severity: lint.Error, Object: &Check{Mismatch: true, Run: func(p *Pass) {
		if p.Match.Verdict != objects.NoCRD {
			p.Reportf(nil, "not judged")
		}
	}}}
	l := objectsBy(databaseCRD, causes, known)
	report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(src)), l.File("crd.yaml", []byte(databaseCRD))})
	o := report.Objects
	if o.Len() != 2 || o.Count(lint.Accepted) != 1 || o.Count(lint.Unjudged) != 1 || o.BuiltIn != 3 || o.WithoutCRD["Certificate"] != 1 || o.Partial != 1 || report.CRDs != 1 || report.Others != 1 {
		t.Errorf("got %+v with %d CRDs and %d others", o, report.CRDs, report.Others)
	}
	if got, want := said(report), []string{"3:36  object-mismatch"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}

	l.Rules[1] = mismatch // which reports the object without a CRD, too: then it is one of those that the run looked at
	report = l.Report([]*engine.FileReport{l.File("db.yaml", []byte(src))})
	if o := report.Objects; o.Len() != 3 || o.Count(lint.Unjudged) != 2 || o.WithoutCRD["Certificate"] != 0 {
		t.Errorf("reported: got %+v", o)
	}
	if got, want := said(report), []string{"3:36  object-mismatch", "7:40  object-mismatch"}; !slices.Equal(got, want) {
		t.Errorf("reported: got %v, want %v", got, want)
	}
}
