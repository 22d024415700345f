package plan

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// Text is the plan for a terminal.
func (p *Plan) Text() string {
	var b strings.Builder
	b.WriteString(wrap(strings.Join(p.CRDs, ", ")+": "+p.Summary, "", "  "))
	for _, w := range p.Warnings {
		b.WriteString(wrap(w, "  ! ", "    "))
	}
	for i, r := range p.Releases {
		fmt.Fprintf(&b, "\n%s\n", p.Heading(i))
		width := 0
		for _, v := range r.Versions {
			width = max(width, len(v.Name))
		}
		for _, v := range r.Versions {
			fmt.Fprintf(&b, "    %-*s  %s\n", width, v.Name, strings.Join(v.words(), ", "))
		}
		for n, s := range r.Steps {
			b.WriteString("\n")
			b.WriteString(wrap(s.Do, fmt.Sprintf("  %d. ", n+1), "     "))
			if len(s.Commands) > 0 {
				b.WriteString("\n")
			}
			for _, command := range s.Commands {
				b.WriteString("       " + command + "\n")
			}
		}
		if r.Why != "" {
			b.WriteString("\n")
			b.WriteString(wrap(r.Waiting(), "  ", "  "))
		}
	}
	return b.String()
}

// Markdown is the plan for a pull request.
func (p *Plan) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## `%s`\n\n%s.\n", strings.Join(p.CRDs, "`, `"), text.Capital(p.Summary))
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "\n> [!WARNING]\n> %s\n", w)
	}
	for i, r := range p.Releases {
		fmt.Fprintf(&b, "\n### %s\n\n| version | served | storage | deprecated |\n|---|---|---|---|\n", p.Heading(i))
		for _, v := range r.Versions {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, yes[v.Served], yes[v.Storage], yes[v.Deprecated])
		}
		for n, s := range r.Steps {
			fmt.Fprintf(&b, "\n%d. %s\n", n+1, s.Do)
			if len(s.Commands) > 0 {
				b.WriteString("\n   ```sh\n")
				for _, command := range s.Commands {
					b.WriteString("   " + command + "\n")
				}
				b.WriteString("   ```\n")
			}
		}
		if r.Why != "" {
			fmt.Fprintf(&b, "\n%s\n", r.Waiting())
		}
	}
	return b.String()
}

// Heading names a release: "Release 1 of 3: Serve v1".
func (p *Plan) Heading(i int) string {
	title := text.Capital(p.Releases[i].Title)
	if len(p.Releases) == 1 {
		return title
	}
	return fmt.Sprintf("Release %d of %d: %s", i+1, len(p.Releases), title)
}

// Waiting is the last step of a release that is not the last one; "" for the last one.
func (r Release) Waiting() string {
	if r.Why == "" {
		return ""
	}
	return "Then ship a release, and wait until all clusters run it. " + r.Why
}

func (v State) words() []string {
	words := []string{"not served"}
	if v.Served {
		words[0] = "served"
	}
	if v.Storage {
		words = append(words, "storage version")
	}
	if v.Deprecated {
		words = append(words, "deprecated")
	}
	return words
}

var yes = map[bool]string{true: "yes"}

// lineWidth is how long lines of text are at most, where words allow it.
const lineWidth = 100

func wrap(text, first, next string) string {
	var b strings.Builder
	line := first
	empty := true
	for word := range strings.FieldsSeq(text) {
		if !empty && len(line)+1+len(word) > lineWidth {
			b.WriteString(line + "\n")
			line, empty = next, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return b.String() + line + "\n"
}
