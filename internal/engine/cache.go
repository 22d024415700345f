package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/cache"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A transcript is a report on a file as it is written down.
type transcript struct {
	_         struct{} `cbor:",toarray"`
	Counts    lint.Counts
	Template  *lint.Template
	Unedited  int
	Findings  []keptFinding
	Comments  []*suppress.Comment // whose findings have no rule
	Summaries []*Summary
	Beside    []Companion
	Patches   []crd.Patch
	Added     []lint.Addition
	vicinity.Record
}

// A keptFinding is a finding with the id of its rule and the index of its First in the place of these.
type keptFinding struct {
	_ struct{} `cbor:",toarray"`
	lint.Finding
	ID        string
	Together  int       // from 1; 0 for none
	PatchedBy *crd.Lack // that may settle it
}

// A Cache has the reports of a Linter on files.
type Cache struct {
	pack   *cache.Pack
	linter *Linter
	known  map[string]*lint.Rule

	mu    sync.Mutex
	typed []typedReport
}

// A typedReport is a new one that depends on Go types.
type typedReport struct {
	key    cache.Key
	path   string
	record *vicinity.Record
}

// NewCache returns a Cache that keeps the reports of a Linter in a pack.
func NewCache(l *Linter, pack *cache.Pack) *Cache {
	c := &Cache{pack: pack, linter: l, known: map[string]*lint.Rule{}}
	for _, r := range l.known() {
		c.known[r.ID] = r
	}
	return c
}

// File returns the report on a file that the pack has, or makes one, which the pack then has.
func (c *Cache) File(path string, src []byte, judge func(*vicinity.Record) *FileReport) *FileReport {
	key := cacheKey(path, src)
	if text, ok := c.pack.Get(key); ok {
		if report := c.Recall(path, text); report != nil {
			return report
		}
	}
	record := &vicinity.Record{}
	report := judge(record)
	text, err := c.Keep(report, record)
	if err != nil {
		return report // it has to be made again
	}
	c.pack.Put(key, text)
	if record.Sources() != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.typed = append(c.typed, typedReport{key, path, record})
	}
	return report
}

// cacheKey is a hash of what the report on a file depends on, but for the answers that the report has itself.
func cacheKey(path string, src []byte) (key cache.Key) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", path, template.ChartFolder(path, src))
	h.Write(src)
	h.Sum(key[:0])
	return key
}

// Save writes the pack, but for new reports that depend on Go types which somebody has changed while they were read.
func (c *Cache) Save() error {
	if len(c.typed) > 0 {
		now := c.linter.Go.Unread()
		for _, t := range c.typed {
			if t.record.Changed(t.path, now) {
				c.pack.Drop(t.key)
			}
		}
	}
	return c.pack.Save()
}

var errNoTranscript = errors.New("the report depends on something that cannot be written down")

// Keep writes down a report that the Linter has just made, with its Record. Not every report can be: the error says why.
func (c *Cache) Keep(f *FileReport, record *vicinity.Record) ([]byte, error) {
	if record.Unseen || len(f.Judged) > 0 || f.Objects != nil || f.Gone || f.Sources != nil {
		return nil, errNoTranscript
	}
	out := &transcript{
		Counts: f.Counts, Template: f.Template, Unedited: f.Unedited, Comments: f.comments, Summaries: f.summaries, Beside: f.beside, Patches: f.patches,
		Added: f.Added, Record: *record,
	}
	index := map[*lint.Finding]int{}
	for i, one := range f.Findings {
		index[one] = i + 1
	}
	for _, one := range f.Findings {
		kept := keptFinding{Finding: *one, ID: one.Rule.ID, Together: index[one.First]}
		if one.About != nil || one.First != nil && kept.Together == 0 {
			return nil, errNoTranscript
		}
		kept.Rule, kept.First = nil, nil
		out.Findings = append(out.Findings, kept)
	}
	for _, one := range f.patchable {
		if i := index[one.Finding]; i > 0 { // else another world of a template says the same
			out.Findings[i-1].PatchedBy = one.PatchedBy
		}
	}
	return cache.Write(out)
}

// Recall returns the report on the file of a path that Keep has written down; nil where it is not what the Linter would
// say now.
func (c *Cache) Recall(path string, text []byte) *FileReport {
	var in transcript
	if err := cache.Read(text, &in); err != nil || !in.holds(path) || c.linter.Go == nil && len(in.Notes) > 0 {
		return nil
	}
	out := &FileReport{
		FileReport: lint.FileReport{Path: path, Counts: in.Counts, Template: in.Template, Added: in.Added, Unedited: in.Unedited},
		summaries:  in.Summaries, beside: in.Beside, patches: in.Patches, comments: in.Comments,
	}
	for i := range in.Findings {
		one := &in.Findings[i]
		if one.Rule = c.known[one.ID]; one.Rule == nil {
			return nil
		}
		if one.Together > 0 {
			one.First = &in.Findings[one.Together-1].Finding
		}
		if one.PatchedBy != nil {
			out.patchable = append(out.patchable, &Finding{Finding: &one.Finding, PatchedBy: one.PatchedBy})
		}
		out.Findings = append(out.Findings, &one.Finding)
	}
	for _, comment := range in.Comments {
		for _, n := range comment.Names {
			if c.known[n.ID] == nil {
				return nil
			}
			n.Unused.Rule = suppress.UnusedRule
		}
	}
	if !c.linter.around(path).Holds(in.Answers) {
		return nil
	}
	for _, n := range in.Notes {
		c.linter.Go.Note(n)
	}
	return out
}

// holds reports whether what was read holds together, as all does that Keep writes of the file of a path.
func (in *transcript) holds(path string) bool {
	unnamed := func(n suppress.RuleName) bool { return n.Unused == nil }
	return !slices.ContainsFunc(in.Findings, func(f keptFinding) bool { return f.Together < 0 || f.Together > len(in.Findings) }) &&
		!slices.ContainsFunc(in.Comments, func(c *suppress.Comment) bool { return c == nil || slices.ContainsFunc(c.Names, unnamed) }) &&
		!slices.ContainsFunc(in.Summaries, func(s *Summary) bool {
			return s == nil || s.elsewhere(path)
		})
}

// elsewhere reports whether a name of the CRD stands in another file than that of the path.
func (s *Summary) elsewhere(path string) bool {
	for n := range s.names() {
		if n.Pos.File != path && (n.Pos.File != "" || n.Value != "") {
			return true
		}
	}
	return false
}
