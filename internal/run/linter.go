package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Linter is a linter for the new side alone.
func (f *Flags) Linter(c *lint.Config) (linter *rules.Linter, err error) {
	if err := f.readOnly(c); err != nil {
		return nil, err
	}
	types, err := f.findGoTypes(c)
	if err != nil {
		return nil, err
	}
	options := lint.Options{
		Config: c, Edits: f.Outputs.carryEdits(), Rendered: f.Templates == TemplatesOff,
		Changes: f.About == AboutChanges, Requirement: f.Require != "",
		Additions: f.About == AboutChanges && f.Require == "" && f.Outputs.tellAdditions(),
		NewOnly:   f.About == "" && f.Against != "", KeepAll: f.About == AboutObjects && f.NewBaseline != "",
	}
	options.Baseline, err = f.readBaseline(c)
	f.baselines = []reserved{{config.BaselinePath(c), theBaseline}, {f.Baseline, theBaseline}}
	return &rules.Linter{Options: options, Go: types}, err
}

// passesOverGo reports whether Go types are not looked for.
func (f *Flags) passesOverGo(c *lint.Config) bool {
	return f.GoTypes == GoOff || f.GoTypes == "" && c.Go.Off
}

// findGoTypes returns where to look for Go types; nil for nowhere.
func (f *Flags) findGoTypes(c *lint.Config) (*rules.GoTypes, error) {
	if f.passesOverGo(c) {
		return nil, nil
	}
	folders, err := f.GoFolders(c)
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	types := rules.FindGoTypes(here, folders...)
	types.UseModuleCache(gotypes.ModuleCache())
	return types, err
}

const namesTypes = "name the folder that the types are in, such as api/v1, or off for none"

// GoFolders returns the folders that the flag --go or the configuration names; none to look around each manifest.
func (f *Flags) GoFolders(c *lint.Config) ([]string, error) {
	folders := config.GoFolders(c)
	switch f.GoTypes {
	case "":
	case goAuto:
		folders = nil
	default:
		folders = []string{f.GoTypes}
	}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, UsageError(fmt.Sprintf("the Go types cannot be read: %v", Unread(err)), namesTypes)
		} else if !info.IsDir() {
			return nil, UsageError("Go types: "+Shown(folder)+" is not a folder", namesTypes)
		}
	}
	return folders, nil
}

// readBaseline reads the known findings; nil when there is no baseline.
func (f *Flags) readBaseline(c *lint.Config) (*lint.Baseline, error) {
	path := f.Baseline
	if path == "" && f.NewBaseline == "" {
		path = config.BaselinePath(c)
	}
	if path == "" {
		return nil, nil
	}
	src, err := f.readSettings(path, f.Baseline == "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, UsageError(fmt.Sprintf("baseline: %v", Unread(err)), "write one with 'crdlift lint --write-baseline "+Shown(path)+"'")
	}
	if err != nil {
		return nil, UsageError(fmt.Sprintf("baseline: %v", Unread(err)), "write one with 'crdlift lint --write-baseline FILE'")
	}
	return suppress.ReadBaseline(Shown(path), src, rules.All())
}
