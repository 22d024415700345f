package rules

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/pack"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/internal/wire"
	"github.com/crdlift/crdlift/lint"
)

// UseCache has File keep its reports in a folder, and take from there those that it would make again: the same program made
// them of the same bytes at the same path, with the same options, and nothing has changed that they depend on besides. The
// folder is made if there is none. Many processes may use it at once, and what is damaged in it is not used.
//
// build identifies the program, and here is the working directory. The fields of the Linter must not change any more. A Linter
// that looks at custom resources or conversions keeps nothing.
func (l *Linter) UseCache(folder, build, here string) error {
	if l.Objects != nil || l.Conversions != nil || l.Fixes != nil {
		return nil
	}
	subject, err := l.subject(build, here)
	if err != nil {
		return err
	}
	kept, err := pack.Open(folder, subject, time.Now())
	if err != nil {
		return err
	}
	l.cache = &cache{pack: kept, keeper: engine.NewKeeper(l.engine())}
	return nil
}

// SaveCache writes down what File has found out since UseCache. It is to be called once, when all files are done.
func (l *Linter) SaveCache() error {
	if l.cache == nil {
		return nil
	}
	l.cache.dropChanged(l)
	return l.cache.pack.Save()
}

// subject is a hash of all that reports depend on whatever the file: of each option, but for those that ofFindings leaves out.
func (l *Linter) subject(build, here string) (pack.Key, error) {
	on := struct {
		Build, Here  string
		Options      lint.Options
		Go, Compares bool
		Folders      []string
	}{build, here, ofFindings(l.Options), l.Go != nil, l.Against != nil, nil}
	if l.Go != nil {
		on.Folders = l.Go.found.Folders
	}
	text, err := (&wire.Coder{}).Append(nil, on)
	return sha256.Sum256(text), err
}

// ofFindings leaves out of options what they say of the run, and not of the findings in a file: Linter.Report sees to that.
func ofFindings(o lint.Options) lint.Options {
	var c lint.Config
	if o.Config != nil {
		c = *o.Config
	}
	c.Paths, c.Exclude, c.Ignores, c.Baseline, c.Renamed = nil, nil, nil, "", nil
	c.FailOn, c.MinSeverity, c.GoLocation, c.Validate = lint.Off, lint.Off, "", lint.Validate{}
	o.Config, o.Baseline, o.Fixes, o.Shown = &c, nil, nil, nil
	return o
}

// A cache has the reports of a Linter on files.
type cache struct {
	pack   *pack.Pack
	keeper *engine.Keeper

	mu    sync.Mutex
	typed []typedReport
}

// A typedReport is a new one that depends on Go types.
type typedReport struct {
	key    pack.Key
	path   string
	record *vicinity.Record
}

// file is Linter.File.
func (c *cache) file(l *Linter, path string, src []byte) *FileReport {
	key := keyOf(path, src)
	if text, ok := c.pack.Get(key); ok {
		if report := c.keeper.Recall(path, text); report != nil {
			return &FileReport{&report.FileReport, report}
		}
	}
	record := &vicinity.Record{}
	report := l.judge(path, src, record)
	text, err := c.keeper.Keep(report.run, record)
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

// keyOf is a hash of what the report on a file depends on, but for the answers that the report has itself.
func keyOf(path string, src []byte) (key pack.Key) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", path, template.ChartFolder(path, src))
	h.Write(src)
	h.Sum(key[:0])
	return key
}

// dropChanged takes back the new reports that depend on Go types which somebody has changed while they were read.
func (c *cache) dropChanged(l *Linter) {
	if len(c.typed) == 0 {
		return
	}
	now := &vicinity.GoTypes{Index: l.Go.found.Index.Anew(), Folders: l.Go.found.Folders}
	for _, t := range c.typed {
		if t.record.Changed(t.path, now) {
			c.pack.Drop(t.key)
		}
	}
}
