package report

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// carriedSummary is the last line of a run that carries objects to another version: "2 errors; 12 objects carried in 9 files; 3 references
// followed; 2 left as they are".
func carriedSummary(r *lint.Report) string {
	c := r.Carried
	carry, follow := "migrated", "followed"
	if c.Would {
		carry, follow = "would be migrated", "would follow"
	}
	parts := []string{found(r)}
	if c.Objects == 0 {
		parts = append(parts, "there is nothing to migrate")
		if c.Refused+c.NoTarget+c.NoCRD+c.Printed > 0 {
			parts[1] = "no object is migrated"
		}
	} else {
		carried := fmt.Sprintf("%s %s in %s", text.Count(c.Objects, "object"), carry, text.Count(c.Files, "file"))
		for _, one := range []amount{{c.Patches, "in patches"}, {c.Templates, "in templates"}} {
			if one.n > 0 {
				carried += fmt.Sprintf(" (%d %s)", one.n, one.what)
			}
		}
		parts = append(parts, carried)
	}
	if c.References > 0 {
		parts = append(parts, text.Count(c.References, "reference")+" "+follow)
	}
	if c.Comments > 0 {
		parts = append(parts, text.Count(c.Comments, "schema comment")+" "+follow)
	}
	for _, one := range []amount{
		{c.Refused, "left as " + text.Verb(c.Refused, "it is", "they are")}, {c.NoTarget, "of kinds without the version"}, {c.NoCRD, "without a CRD"},
		{c.Printed, "in templates that print the apiVersion"}, {c.There, "there already"},
	} {
		if one.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	if left := LeftOutParts(c.LeftOut); len(left) > 0 {
		parts = append(parts, "left out: "+strings.Join(left, ", ")+" (name a file to migrate its objects)")
	}
	return strings.Join(parts, "; ")
}

type amount struct {
	n    int
	what string
}
