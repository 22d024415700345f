// Package migrations has the rules about custom resources on their way to another version, and is the kind of run that carries them
// there. Read this file first: it has what is told; kind.go is the run, and judge.go carries the objects of a file. What becomes of an
// object is a matter of internal/carry.
package migrations

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// Rules are about objects that are migrated, and those that are not. What is reported of an object as it is has the rules that check those.
var Rules = []*engine.Rule{
	about("migrate-lost", lint.Error, "values that the other version does not declare"),
	about("migrate-refused", lint.Error, "objects that the API server rejects at the other version, or whose webhook does not convert them"),
	about("migrate-unproven", lint.Error, "objects for which crdlift cannot prove that the API server shows the same afterwards"),
	about("migrate-unwritable", lint.Error, "objects whose manifest crdlift cannot rewrite"),
	about("migrate-not-alike", lint.Error, "templates, patches and placeholders of kinds whose versions differ"),
	about("migrate-left-over", lint.Warning, "references and texts that still name the old version"),
	about("migrate-default-written", lint.Info, "defaults that are written out, as the other version has another one"),
	about("migrate-written", lint.Info, "values that a conversion webhook adds, and that have to be written"),
	about("migrate-group", lint.Info, "objects whose kind is in another group"),
}

func about(id string, severity lint.Severity, summary string) *engine.Rule {
	return &engine.Rule{ID: id, Severity: severity, Summary: summary, Migration: true}
}

// noted are the rules about objects as they are that have something to say of one that is carried.
var noted = []string{"object-unknown-field", "object-server-fields", "object-status-dropped"}
