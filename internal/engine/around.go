package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
)

// A question is one about what is around a file.
type question struct {
	About topic
	Of    string // the folder, or the name; "" for Go types
	Nth   int    // of the CRDs of a name in the file
}

type topic byte

const (
	placeOfFolder topic = iota + 1
	filesNamed
	goSources
	olderCRD
	unknownBefore
)

// A vicinity is what the report on a file may depend on beside the file, its path and the options of the Linter. Only here
// are they looked at, and Asked notes each question with its answer: a report that is kept holds while all of its questions
// have the answers that they had, about whichever file they are.
type vicinity struct {
	linter *Linter
	path   string // of the file
}

func (l *Linter) around(file string) vicinity { return vicinity{l, file} }

// around is what is around the file of the CRD.
func (s *subject) around() vicinity { return s.linter.around(s.document.File.Path) }

// ask answers a question, and notes the answer.
func (s vicinity) ask(q question) any {
	value, said := s.answer(q)
	s.linter.Asked.answer(q, said)
	return value
}

// answer is the answer to a question and a text that is another one for every other answer; nil where there is nobody to ask,
// which has a text of its own.
func (s vicinity) answer(q question) (value any, said func() string) {
	l := s.linter
	switch {
	case q.About == placeOfFolder:
		at := l.placeOf(q.Of)
		return at, func() string { return fmt.Sprintf("%+v", at) }
	case q.About == filesNamed && l.Go != nil:
		all := l.Go.Index.Named(s.path, q.Of)
		return all, func() string { return fmt.Sprintf("%q", all) }
	case q.About == goSources && l.Go != nil:
		return nil, func() string { return l.Go.fingerprint(s.path) }
	case q.About == olderCRD && l.Old != nil:
		old := l.Old(q.Of, s.path, q.Nth)
		return old, func() string { return hashOf(old) }
	case q.About == unknownBefore && l.Unknown != nil:
		unknown := l.Unknown(q.Of, s.path)
		return unknown, func() string { return fmt.Sprint(unknown) }
	}
	return nil, func() string { return "nobody" }
}

// place is what the folder of a file says of it.
func (s vicinity) place(file string) place {
	return s.ask(question{About: placeOfFolder, Of: path.Dir(file)}).(place)
}

// old is the earlier form of a CRD; nil for a new one.
func (s vicinity) old(name string, nth int) *older.CRD {
	old, _ := s.ask(question{About: olderCRD, Of: name, Nth: nth}).(*older.CRD)
	s.linter.Asked.label(old)
	return old
}

// isUnknown reports whether it cannot be determined what a CRD was.
func (s vicinity) isUnknown(name string) bool {
	unknown, _ := s.ask(question{About: unknownBefore, Of: name}).(bool)
	return unknown
}

// find returns where the type of a kind is.
func (s vicinity) find(id schema.GroupVersionKind) gotypes.Answer {
	s.ask(question{About: goSources})
	return s.linter.Go.Find(s.path, id)
}

// glance returns where the type of a kind seems to be.
func (s vicinity) glance(id schema.GroupVersionKind) *gotypes.Kind {
	s.ask(question{About: goSources})
	return s.linter.Go.Index.Glance(s.path, id)
}

// required returns the type of a kind that was not found in the repository. Modules of others may change unseen.
func (s vicinity) required(id schema.GroupVersionKind, found gotypes.Answer) (r required) {
	r.kind, r.module = s.linter.Go.FindRequired(s.path, id, found)
	if s.linter.Go.mayRequire(s.path, id, found) {
		s.linter.Asked.elsewhere()
	}
	return r
}

// output returns the file of a name in the repository that is no copy; "" where there is none.
func (s vicinity) output(name string) string {
	if s.linter.Go == nil {
		return ""
	}
	for _, at := range s.ask(question{About: filesNamed, Of: name}).([]string) {
		if where := s.place(at); !where.isOlder() && !where.isChart() {
			return at
		}
	}
	return ""
}

// outputFolder is where the scaffold of kubebuilder has the generator write.
const outputFolder = "config/crd/bases"

// chartFile is what a folder with a chart has.
const chartFile = "Chart.yaml"

// A place is what a folder says of the files in it.
type place struct {
	// Below is the folder below that of its module, or else below the root of its repository; as the user named it where there
	// is neither. What folders above a module are called says nothing of what its generator writes.
	Below string
	Chart bool // it is in a folder with a chart
	Bases bool // a folder that it is in has the outputFolder
}

// placeOf returns it for a folder.
func (l *Linter) placeOf(folder string) place {
	if l.Go == nil {
		return place{Below: folder}
	}
	if l.places == nil {
		return l.Go.placeOf(folder)
	}
	at, known := l.places.Load(folder)
	if !known {
		at, _ = l.places.LoadOrStore(folder, l.Go.placeOf(folder))
	}
	return at.(place)
}

func (g *GoTypes) placeOf(folder string) place {
	file := path.Join(folder, "x")
	at := place{folder, g.Index.Within(file, chartFile), g.Index.Within(file, outputFolder)}
	if below, ok := g.Index.InModule(file); ok {
		at.Below = path.Dir(below)
	}
	return at
}

// in reports whether a folder of the module that it is in, or itself, has such a name.
func (p place) in(named func(folder string) bool) bool {
	return slices.ContainsFunc(strings.Split(p.Below, "/"), named)
}

// isOlder reports whether files there may be older than others.
func (p place) isOlder() bool { return p.in(manifest.IsOlderFolder) }

// isChart reports whether files there are part of a Helm chart, or in a folder that is named like one. So are programs that
// have to do with charts; the folder that they are generated into is none.
func (p place) isChart() bool {
	return p.in(manifest.IsChartFolder) && !strings.HasSuffix(p.Below, outputFolder) || p.Chart
}
