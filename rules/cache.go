package rules

import (
	"crypto/sha256"
	"time"

	"github.com/crdlift/crdlift/internal/cache"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// UseCache has File keep its reports in a folder, and take from there those that it would make again: the same program made
// them of the same bytes at the same path, with the same options, and nothing has changed that they depend on besides. The
// folder is made if it does not exist. Many processes may use it at once, and what is damaged in it is not used.
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
	kept, err := cache.Open(folder, subject, time.Now())
	if err != nil {
		return err
	}
	l.cache = engine.NewCache(l.engine(), kept)
	return nil
}

// SaveCache writes down what File has found out since UseCache. It is to be called once, when all files are done.
func (l *Linter) SaveCache() error {
	if l.cache == nil {
		return nil
	}
	return l.cache.Save()
}

// subject is a hash of all that reports depend on whatever the file: of each option, but for those that ofFindings leaves out.
func (l *Linter) subject(build, here string) (cache.Key, error) {
	on := struct {
		Build, Here  string
		Options      lint.Options
		Go, Compares bool
		Folders      []string
	}{build, here, ofFindings(l.Options), l.Go != nil, l.Against != nil, nil}
	if l.Go != nil {
		on.Folders = l.Go.found.Folders
	}
	text, err := cache.Write(on)
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
	c.Roles, c.Files = lint.RoleSettings{}, nil
	o.Config, o.Baseline, o.Fixes, o.Shown, o.UnusedRoles = &c, nil, nil, nil, nil
	o.NoInline, o.WasInline = false, nil
	return o
}
