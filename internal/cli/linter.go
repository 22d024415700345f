package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// linter is a linter for the new side alone.
func (f *Flags) linter(c *lint.Config) (linter *rules.Linter, err error) {
	for _, glob := range f.only {
		matched, err := matching(c, glob)
		if err != nil {
			return nil, err
		}
		c.Only = append(c.Only, matched...)
	}
	if len(c.Only) > 0 && !slices.ContainsFunc(c.Only, f.mayReport) {
		return nil, usageError{fmt.Sprintf("--only %s: none of these rules is about %s", strings.Join(f.only, ","), f.about), "'crdlift lint' runs them; 'crdlift explain' lists all rules."}
	}
	types, err := f.findGoTypes(c)
	if err != nil {
		return nil, err
	}
	options := lint.Options{
		Config: c, Edits: f.outputs.carryEdits(), Rendered: f.templates == templatesOff,
		Changes: f.about == aboutChanges, Additions: f.about == aboutChanges && f.outputs.tellAdditions(),
		NewOnly: f.about == "" && f.against != "", KeepAll: f.about == aboutObjects && f.newBaseline != "",
	}
	options.Baseline, err = f.readBaseline(c)
	f.baselines = []reserved{{config.BaselinePath(c), theBaseline}, {f.baseline, theBaseline}}
	return &rules.Linter{Options: options, Go: types}, err
}

// mayReport reports whether a command may have findings of a rule.
func (f *Flags) mayReport(id string) bool {
	switch f.about {
	case aboutChanges:
		return rules.ByID(id).AboutChange
	case aboutObjects:
		return rules.ReportsOnObjects(id)
	case aboutConversions:
		return rules.ByID(id).Conversion
	}
	return true
}

// findGoTypes returns where to look for Go types; nil for nowhere.
func (f *Flags) findGoTypes(c *lint.Config) (*rules.GoTypes, error) {
	if f.goTypes == goOff || f.goTypes == "" && c.Go.Off {
		return nil, nil
	}
	folders, err := f.goFolders(c)
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	types := rules.FindGoTypes(here, folders...)
	types.UseModuleCache(gotypes.ModuleCache())
	return types, err
}

// goFolders returns the folders that the flag --go or the configuration names; none to look around each manifest.
func (f *Flags) goFolders(c *lint.Config) ([]string, error) {
	folders := config.GoFolders(c)
	switch f.goTypes {
	case "":
	case goAuto:
		folders = nil
	default:
		folders = []string{f.goTypes}
	}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, fmt.Errorf("read Go types: %w", unread(err))
		} else if !info.IsDir() {
			return nil, usageError{"Go types: " + shown(folder) + " is not a folder", ""}
		}
	}
	return folders, nil
}

// readBaseline reads the known findings; nil when there is no baseline.
func (f *Flags) readBaseline(c *lint.Config) (*lint.Baseline, error) {
	path := f.baseline
	if path == "" && f.newBaseline == "" {
		path = config.BaselinePath(c)
	}
	if path == "" {
		return nil, nil
	}
	src, err := readSettings(path, f.baseline == "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Sprintf("baseline: %v", unread(err)), "'crdlift lint --write-baseline " + shown(path) + "' writes one."}
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", unread(err))
	}
	return suppress.ReadBaseline(shown(path), src, rules.All())
}
