package report

import (
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// A Head is what a report in JSON says about its run, for programs that put several together. Each member may be empty.
type Head struct {
	Crdlift    string `json:"crdlift,omitempty"`    // the version of the program, such as "v1.2.3"
	Command    string `json:"command,omitempty"`    // "lint", "webhook test" and so on
	Repository string `json:"repository,omitempty"` // "owner/name"
	// FilesURL is what to put before a path to look at the file: "https://host/owner/name/blob/COMMIT/".
	FilesURL  string          `json:"filesURL,omitempty"`
	Against   string          `json:"against,omitempty"` // what CRDs are compared with, as the user calls it
	Migration *lint.Migration `json:"migration,omitempty"`
}

// HeadOf completes the head of the options.
func HeadOf(r *lint.Report, o Options) Head {
	head := o.Head
	head.Crdlift = Released(o.Version)
	head.FilesURL = o.Repository
	head.Migration = r.Migration
	return head
}

// Released is a version of the program; "" for a text that is not one, such as that of a build from a working tree.
func Released(version string) string {
	if number := strings.TrimPrefix(version, "v"); number == "" || number[0] < '0' || number[0] > '9' {
		return ""
	}
	return version
}
