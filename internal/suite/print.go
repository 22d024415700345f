package suite

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A mapping is one with its entries in an order of its own.
type mapping []entry

type entry struct {
	key   string
	value any
}

// with is the mapping with one more entry, unless that says nothing.
func (m mapping) with(key string, value any) mapping {
	switch value := value.(type) {
	case string:
		if value == "" {
			return m
		}
	case []any:
		if len(value) == 0 {
			return m
		}
	case mapping:
		if len(value) == 0 {
			return m
		}
	}
	return append(m, entry{key, value})
}

func sorted(o map[string]any) (m mapping) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		m = append(m, entry{key, o[key]})
	}
	return m
}

// A printer writes YAML as people write it.
type printer struct{ bytes.Buffer }

// wide is how long lines are that could be more than one.
const wide = 110

// entries writes a mapping from where the first key goes, with all further ones below. Each of a value that is open starts a line.
func (p *printer) entries(m mapping, indent int, open bool) {
	for i, e := range m {
		if i > 0 {
			p.WriteString(strings.Repeat(" ", indent))
		}
		key := scalar(e.key) + ":"
		p.WriteString(key)
		p.value(e.value, indent, indent+len(key), open && e.key == "base")
	}
}

// value writes what follows a key or a dash up to the end of the line, from a column.
func (p *printer) value(value any, indent, column int, open bool) {
	if m, ok := value.(map[string]any); ok {
		value = sorted(m)
	}
	text := flow(value)
	list, _ := value.([]any)
	m, _ := value.(mapping)
	switch {
	case len(m) > 0 && (open || column+1+len(text) > wide):
		p.WriteString("\n" + strings.Repeat(" ", indent+2))
		p.entries(m, indent+2, false)
	case len(list) > 0 && column+1+len(text) > wide:
		p.WriteString("\n")
		for _, item := range list {
			p.WriteString(strings.Repeat(" ", indent) + "-")
			p.item(item, indent)
		}
	default:
		p.WriteString(" " + text + "\n")
	}
}

// item writes what follows the dash of a list.
func (p *printer) item(item any, indent int) {
	if o, ok := item.(map[string]any); ok {
		item = sorted(o)
	}
	if m, ok := item.(mapping); ok && indent+2+len(flow(m)) > wide {
		p.WriteString(" ")
		p.entries(m, indent+2, false)
		return
	}
	p.WriteString(" " + flow(item) + "\n")
}

// flow is a value on one line.
func flow(value any) string {
	var parts []string
	switch value := value.(type) {
	case map[string]any:
		return flow(sorted(value))
	case mapping:
		for _, e := range value {
			parts = append(parts, scalar(e.key)+": "+flow(e.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, item := range value {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return scalar(value)
}

func scalar(value any) string {
	if text, ok := value.(string); ok && !yaml11.PlainSafe(text) {
		return yaml11.Quote(text)
	}
	return layout.Node(value).Value
}
