package helm

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v3/pkg/chartutil"
)

// A setting is what a chart is rendered with.
type setting struct {
	name       string
	kubernetes string
	set        map[string]any // by path: "crds.install"; nil stands for no value
}

// values are the chart's own values but for those that are set. What is set at a path where the chart has no map is left
// out.
func (s setting) values(defaults map[string]any) map[string]any {
	root := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.set)) {
		keys := strings.Split(name, ".")
		last := len(keys) - 1
		at := root
		for i, key := range keys[:last] {
			if _, ok := valueAt(defaults, keys[:i+1]).(map[string]any); !ok && valueAt(defaults, keys[:i+1]) != nil {
				at = nil
				break
			}
			next, ok := at[key].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		if at != nil {
			at[keys[last]] = s.set[name]
		}
	}
	return root
}

// capabilities are those of the setting's cluster: before Kubernetes 1.16 there is no v1 of CRDs, since 1.22 no v1beta1.
func (s setting) capabilities() *chartutil.Capabilities {
	c := chartutil.DefaultCapabilities.Copy()
	version, err := chartutil.ParseKubeVersion(s.kubernetes)
	if err != nil {
		panic(err)
	}
	c.KubeVersion = *version
	c.HelmVersion.Version = "v3.19.0"
	group := "apiextensions.k8s.io"
	c.APIVersions = slices.DeleteFunc(slices.Clone(c.APIVersions), func(v string) bool { return strings.HasPrefix(v, group) })
	for version, is := range map[string]bool{"v1": s.kubernetes != "1.15.0", "v1beta1": s.kubernetes != newest} {
		if is {
			c.APIVersions = append(c.APIVersions, group+"/"+version, group+"/"+version+"/CustomResourceDefinition")
		}
	}
	return c
}

const (
	newest  = "1.33.0"
	singles = 8 // conditions that are off while all others are on, at most
)

// settings are the settings that the branches of the file are looked for with: what the chart has by default, all conditions
// on, all off, and one at a time; and clusters that have CRDs of either version, or of both.
func (t *template) settings() []setting {
	on, off, other := map[string]any{}, map[string]any{}, []setting{}
	all := t.conditions()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		yes, no, ok := c.values(name, valueAt(t.chart.Values, strings.Split(name, ".")))
		if !ok {
			continue
		}
		on[name], off[name] = yes, no
		if len(other) < singles {
			other = append(other, setting{"without " + name, newest, map[string]any{name: no}})
		}
		for _, word := range c.words {
			if len(other) < singles && word != yes {
				other = append(other, setting{fmt.Sprintf("%s %q", name, word), newest, map[string]any{name: word}})
			}
		}
	}
	for i := range other {
		set := maps.Clone(on)
		maps.Copy(set, other[i].set)
		other[i].set = set
	}
	settings := []setting{{"defaults", newest, nil}, {"all on", newest, on}, {"all off", newest, off}}
	settings = append(settings, other...)
	for _, older := range []string{"1.15.0", "1.20.0"} {
		settings = append(settings, setting{"defaults, " + older, older, nil}, setting{"all on, " + older, older, on}, setting{"all off, " + older, older, off})
	}
	return settings
}

// stringMaps finds the names of values that are maps of strings.
var stringMaps = regexp.MustCompile(`(?i)(annotations|labels)$`)

// values are those of a condition that is on, and off, by its default. Text and numbers stay as they are, unless the file
// compares them with words.
func (c *condition) values(name string, byDefault any) (on, off any, ok bool) {
	switch d := byDefault.(type) {
	case bool:
		return true, false, true
	case string:
		if len(c.words) > 0 {
			if d == c.words[0] {
				return d, "other", true
			}
			return c.words[0], d, true
		}
	case map[string]any:
		if stringMaps.MatchString(name) {
			return map[string]any{"example.com/on": "yes"}, nil, true
		}
	case nil:
		switch {
		case stringMaps.MatchString(name):
			return map[string]any{"example.com/on": "yes"}, nil, true
		case len(c.words) > 0:
			return c.words[0], nil, true
		case !c.printed:
			return true, nil, true
		}
	}
	return nil, nil, false
}

func valueAt(values map[string]any, keys []string) any {
	var at any = values
	for _, key := range keys {
		m, _ := at.(map[string]any)
		at = m[key]
	}
	return at
}

// A condition is a value that a file asks for.
type condition struct {
	printed bool     // it is text of the rendered file, too
	words   []string // that it is compared with
}

// conditions are the values that decide what the file renders to, by their paths below .Values.
func (t *template) conditions() map[string]*condition {
	asked, printed := map[string]*condition{}, map[string]bool{}
	for _, tree := range t.trees {
		walk(tree.Root, func(pipe *parse.PipeNode, u use) {
			for _, command := range pipe.Cmds {
				askedFor(command, u, asked, printed)
			}
		})
	}
	for name, c := range asked {
		c.printed = printed[name]
	}
	return asked
}

// A use is what a pipeline is for.
type use int

const (
	asks   use = 1 << iota // it decides what is rendered
	prints                 // it is rendered, or may be
)

// askedFor collects what one command asks for. What it hands to other functions is printed.
func askedFor(c *parse.CommandNode, u use, asked map[string]*condition, printed map[string]bool) {
	function := ""
	if f, ok := c.Args[0].(*parse.IdentifierNode); ok {
		function = f.Ident
		switch function {
		case "and", "or", "not", "ternary":
			u |= asks
		case "eq", "ne", "empty", "default":
		default:
			u = prints
		}
	}
	for _, arg := range c.Args {
		if pipe, ok := arg.(*parse.PipeNode); ok {
			for _, inner := range pipe.Cmds {
				askedFor(inner, u, asked, printed)
			}
			continue
		}
		name := valuePath(arg)
		if name == "" {
			continue
		}
		if u&prints != 0 {
			printed[name] = true
		}
		if u&asks == 0 {
			continue
		}
		if asked[name] == nil {
			asked[name] = &condition{}
		}
		for _, other := range c.Args {
			if word, ok := other.(*parse.StringNode); ok && (function == "eq" || function == "ne") {
				asked[name].words = append(asked[name].words, word.Text)
			}
		}
	}
}

// valuePath is the path of .Values.a.b or $.Values.a.b: "a.b"; "" for everything else.
func valuePath(n parse.Node) string {
	var names []string
	switch n := n.(type) {
	case *parse.FieldNode:
		names = n.Ident
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			names = n.Ident[1:]
		}
	}
	if len(names) < 2 || names[0] != "Values" {
		return ""
	}
	return strings.Join(names[1:], ".")
}

// walk calls a function for the pipelines below a node.
func walk(n parse.Node, do func(*parse.PipeNode, use)) {
	branch := func(pipe *parse.PipeNode, u use, lists ...*parse.ListNode) {
		if len(pipe.Decl) > 0 {
			u = asks | prints // the variable may do either
		}
		do(pipe, u)
		for _, list := range lists {
			if list != nil {
				walk(list, do)
			}
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			walk(child, do)
		}
	case *parse.IfNode:
		branch(n.Pipe, asks, n.List, n.ElseList)
	case *parse.WithNode:
		branch(n.Pipe, asks|prints, n.List, n.ElseList)
	case *parse.RangeNode:
		branch(n.Pipe, prints, n.List, n.ElseList)
	case *parse.ActionNode:
		branch(n.Pipe, prints)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			branch(n.Pipe, prints)
		}
	}
}
