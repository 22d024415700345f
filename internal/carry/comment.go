package carry

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
)

// schemaComment is a comment that tells an editor the schema of a document, by a URL.
var schemaComment = text.Pattern(`^#\s*(?:yaml-language-server:\s*\$schema=|\$schema[:=])\s*(\S+)`)

// comments has the schema comments above a document name the version that its objects have now.
func (t *tending) comments() {
	if !slices.ContainsFunc(t.out.Items, func(i Item) bool { return i.State == Moved }) {
		return
	}
	for _, c := range t.d.Comments() {
		if !c.Top {
			continue
		}
		m := schemaComment().FindStringSubmatchIndex(c.Text)
		if m == nil {
			continue
		}
		start, end, to := t.versionIn(c.Text[m[2]:m[3]])
		if to == "" {
			continue
		}
		edit := rewrite.Edit{Start: c.Start + m[2] + start, End: c.Start + m[2] + end, New: to}
		at, _ := slices.BinarySearchFunc(t.out.Edits, edit, func(a, b rewrite.Edit) int { return cmp.Compare(a.Start, b.Start) })
		if at > 0 && t.out.Edits[at-1].End > edit.Start || at < len(t.out.Edits) && t.out.Edits[at].Start < edit.End {
			continue
		}
		t.out.Edits = slices.Insert(t.out.Edits, at, edit)
		t.out.Comments++
	}
}

// versionIn is where a URL has the version that an object was of, and the one that it is of now; "" where it does not have both its kind
// and that version, or where an object of the same kind stays.
func (t *tending) versionIn(url string) (start, end int, to string) {
	for _, item := range t.out.Items {
		kind := regexp.QuoteMeta(strings.ToLower(item.Kind))
		version := regexp.QuoteMeta(item.Version)
		for _, shape := range []string{
			`(?:^|[^a-z0-9])` + kind + `[-_.](?:[a-z0-9.-]+[-_.])?(` + version + `)(?:[^a-z0-9]|$)`, // kind_v1beta1, kind-group-v1beta1
			`[/_](` + version + `)[/_]` + kind + `(?:[^a-z0-9]|$)`,                                  // v1beta1/kind
		} {
			m := regexp.MustCompile(shape).FindStringSubmatchIndex(strings.ToLower(url))
			if m == nil {
				continue
			}
			if item.State != Moved {
				return 0, 0, ""
			}
			start, end, to = m[2], m[3], item.To
			break
		}
	}
	return start, end, to
}
