package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A planView is a plan as a chart: a row for each version, a column for each release.
type planView struct {
	*plan.Plan
	Columns []string
	Rows    []planRow
}

// Name is that of the first CRD, and how many others have the plan.
func (v planView) Name() string {
	if more := len(v.CRDs) - 1; more > 0 {
		return v.CRDs[0] + " and " + text.Count(more, "more CRD")
	}
	return v.CRDs[0]
}

// A planRow is what becomes of a version.
type planRow struct {
	Version string
	Cells   []planCell
}

// A planCell is a version in a release.
type planCell struct {
	Class string // of the state; "gone" where it is not there
	Words string // the state
	Does  string // what the release does to it; "" for nothing
}

func planOf(p *plan.Plan) planView {
	v := planView{Plan: p, Columns: []string{"before"}}
	stages := [][]plan.State{p.Before}
	for i, r := range p.Releases {
		if r.Versions == nil {
			continue // it deletes the CRD
		}
		stages = append(stages, r.Versions)
		v.Columns = append(v.Columns, fmt.Sprintf("release %d", i+1))
	}
	if len(stages) == 1 {
		return v
	}
	var names []lint.APIVersion
	for _, stage := range stages {
		for _, s := range stage {
			if !slices.ContainsFunc(names, func(n lint.APIVersion) bool { return n.Name == s.Name }) {
				names = append(names, lint.APIVersion{Name: s.Name})
			}
		}
	}
	for _, name := range byAge(names) {
		v.Rows = append(v.Rows, rowOf(name.Name, stages))
	}
	return v
}

func rowOf(name string, stages [][]plan.State) planRow {
	row := planRow{Version: name}
	var before *plan.State
	for i, stage := range stages {
		var now *plan.State
		cell := planCell{Class: "gone", Words: "–"}
		if i := slices.IndexFunc(stage, func(s plan.State) bool { return s.Name == name }); i >= 0 {
			now = &stage[i]
			shown := stateOf(lint.APIVersion(*now))
			cell.Class, cell.Words = shown.Class, shown.Words
			if now.Served {
				cell.Words = strings.TrimPrefix("served, "+shown.Words, ", ")
				cell.Words = strings.TrimSuffix(cell.Words, ", ")
			}
		}
		if i > 0 {
			cell.Does = done(before, now)
		}
		row.Cells = append(row.Cells, cell)
		before = now
	}
	return row
}

// done says what a release does to a version; "" for nothing.
func done(before, now *plan.State) string {
	if before == nil && now == nil {
		return ""
	}
	if now == nil {
		return "remove"
	}
	var does []string
	if before == nil {
		before = &plan.State{}
		does = append(does, "add")
	}
	for _, one := range []struct {
		was, is    bool
		begin, end string
	}{
		{before.Served, now.Served, "serve", "stop serving"}, {before.Storage, now.Storage, "store", "no longer store"},
		{before.Deprecated, now.Deprecated, "deprecate", "no longer deprecate"},
	} {
		switch {
		case one.is && !one.was:
			does = append(does, one.begin)
		case one.was && !one.is:
			does = append(does, one.end)
		}
	}
	return strings.Join(does, ", ")
}
