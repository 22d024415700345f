package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// WriteArgoCDIgnore writes the field ignoreDifferences of an Application of Argo CD, with what others write into its objects. What all
// objects of a kind have is ignored of the kind, and else of the objects by their names.
func WriteArgoCDIgnore(w io.Writer, o *lint.Objects) error {
	kinds := map[string][]lint.AppliedObject{}
	for _, one := range o.Applied {
		group, _, _ := strings.Cut(one.APIVersion, "/")
		head := "group: " + scalar(group) + ", kind: " + scalar(one.Kind)
		kinds[head] = append(kinds[head], one)
	}
	var comments, items []string
	for _, head := range slices.Sorted(maps.Keys(kinds)) {
		all, counts := kinds[head], map[lint.Drift]int{}
		for _, one := range all {
			for _, d := range one.Drift {
				counts[d]++
			}
		}
		var shared []lint.Drift
		for d, n := range counts {
			if d.Field == "" {
				comments = append(comments, text.Harmless(fmt.Sprintf("# %s: %s of %s; --show-values always writes %s",
					all[0].Kind, text.Count(n, "item"), d.Text, text.Verb(n, "its expression", "their expressions"))))
			} else if n == len(all) {
				shared = append(shared, d)
			}
		}
		items = ignored(items, head, shared)
		for _, one := range all {
			own := head + ", name: " + scalar(one.Name)
			if one.Namespace != "" {
				own += ", namespace: " + scalar(one.Namespace)
			}
			items = ignored(items, own, slices.DeleteFunc(slices.Clone(one.Drift), func(d lint.Drift) bool { return d.Field == "" || counts[d] == len(all) }))
		}
	}
	slices.Sort(comments)
	switch {
	case len(items) > 0:
		comments = append(comments, "ignoreDifferences:")
	case len(comments) == 0:
		comments = append(comments, "# There is nothing to ignore: no other field manager writes into the applied "+text.Count(len(o.Applied), "object")+".")
		fallthrough
	default:
		comments = append(comments, "ignoreDifferences: []")
	}
	_, err := io.WriteString(w, strings.Join(append(comments, items...), "\n")+"\n")
	return err
}

// ignored adds an item with what is to be ignored, if there is anything.
func ignored(items []string, head string, all []lint.Drift) []string {
	fields := map[string][]string{}
	for _, d := range all {
		fields[d.Field] = append(fields[d.Field], scalar(d.Text))
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		head += ", " + field + ": [" + strings.Join(slices.Sorted(slices.Values(fields[field])), ", ") + "]"
	}
	if len(all) == 0 {
		return items
	}
	return append(items, "- {"+head+"}")
}

// scalar is a text in YAML.
func scalar(s string) string {
	switch {
	case strings.HasPrefix(s, ".") && text.Harmless(s) == s: // in jq
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case yaml11.PlainSafe(s):
		return s
	}
	return string(text.HarmlessJSON([]byte(yaml11.Quote(s))))
}
