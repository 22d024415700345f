package cli

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/page"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// coverFlags are the flags of `crdlift test` about what the cases test.
type coverFlags struct {
	show              bool
	out, html         string
	min, minNew       string
	against           string
	least, leastOfNew coverage.Minimum // what --cover-min and --cover-min-new say
}

func (f *coverFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.show, "cover", false, "list the constraints of the CRDs that no case tests")
	flags.StringVar(&f.out, "cover-out", "", "`FILE` write the tested lines of the CRDs in the format of lcov")
	flags.StringVar(&f.html, "cover-html", "", "`FILE` write an HTML page with the CRDs and how each line is tested")
	flags.StringVar(&f.min, "cover-min", "", "`KIND=PERCENT,...` fail if less of a CRD is tested, such as rules=100,all=60")
	flags.StringVar(&f.minNew, "cover-min-new", "", "`KIND=PERCENT,...` the same for constraints that --against does not have")
	flags.StringVar(&f.against, "against", "", "`REVISION` the earlier version for --cover-min-new: a git revision, folder or file")
}

func (f *coverFlags) check() (err error) {
	if f.least, err = coverage.ParseMinimum(f.min); err != nil {
		return run.UsageError("--cover-min: "+err.Error(), "")
	}
	if f.leastOfNew, err = coverage.ParseMinimum(f.minNew); err != nil {
		return run.UsageError("--cover-min-new: "+err.Error(), "")
	}
	if (f.minNew == "") != (f.against == "") {
		return run.UsageError("--cover-min-new and --against need each other", "add the other, or leave out both")
	}
	return nil
}

// cover is what is to be known of what the cases test; nil for nothing. Of a part of them, the configuration demands nothing.
func (r *lintRun) cover(ctx context.Context, f *coverFlags, part bool) (*rules.Cover, error) {
	settings := r.Config.Test.Cover
	c := &rules.Cover{Minimum: f.least, OfNew: f.leastOfNew, Ignore: settings.Ignore}
	if c.Minimum == nil && !part {
		c.Minimum = settings.Min
	}
	if !f.show && f.out == "" && f.html == "" && len(c.Minimum)+len(c.OfNew) == 0 {
		return nil, nil
	}
	if f.against == "" {
		return c, nil
	}
	name, err := older.Parse(ctx, f.against)
	if err != nil {
		return nil, err
	}
	from, err := r.Open(ctx, "against", name)
	if err != nil {
		return nil, err
	}
	c.Against, err = rules.ReadOld(from.Files)
	return c, err
}

// writeCoverage writes what the cases test, where it is asked for.
func (r *lintRun) writeCoverage(f *coverFlags, all []lint.Coverage) error {
	if f.show {
		to := io.Writer(r.Stdout)
		if r.flags.Outputs.ForPrograms() {
			to = r.Stderr // there is a report for a program
		}
		r.Progress.Clear()
		for i := range all {
			if err := coverage.Text(to, &all[i]); err != nil {
				return err
			}
		}
	}
	for path, write := range map[string]func(io.Writer) error{
		f.out:  func(w io.Writer) error { return coverage.LCOV(w, all) },
		f.html: func(w io.Writer) error { return page.WriteCoverage(w, all, os.ReadFile) },
	} {
		if path == "" {
			continue
		}
		var out bytes.Buffer
		if err := write(&out); err != nil {
			return err
		}
		if err := atomicfile.Write(path, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
