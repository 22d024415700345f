package config

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// withOrigins says in comments of a configuration, as YAML prints it, which line of which file has what is on a line.
func withOrigins(printed []byte, files []lint.File) []byte {
	from, entries := map[string]string{}, map[string]int{}
	for _, f := range files {
		src, _ := f.Read() // which has been read before
		eachSetting(src, entries, func(setting string, line int) { from[setting] = fmt.Sprintf("%s:%d", f.Label, line) })
	}
	lines := strings.SplitAfter(string(printed), "\n")
	eachSetting(printed, map[string]int{}, func(setting string, line int) {
		if origin := from[setting]; origin != "" {
			lines[line-1] = strings.TrimSuffix(lines[line-1], "\n") + " # " + Scalar(origin) + "\n"
		}
	})
	return []byte(strings.Join(lines, ""))
}

// eachSetting calls visit with the settings of a text and their lines. Entries of lists that are mappings, which add up over files,
// are counted.
func eachSetting(src []byte, entries map[string]int, visit func(setting string, line int)) {
	var look func(d *manifest.Document, n *yaml.Node, line int, at string)
	look = func(d *manifest.Document, n *yaml.Node, line int, at string) {
		switch n = crd.Deref(n); n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				line, _ := d.Begin(n.Content[i])
				look(d, n.Content[i+1], line, at+"."+n.Content[i].Value)
			}
		case yaml.SequenceNode:
			for _, item := range n.Content {
				line, _ := d.Begin(item)
				if crd.Deref(item).Kind == yaml.ScalarNode {
					look(d, item, line, at+"="+crd.Deref(item).Value)
					continue
				}
				visit(fmt.Sprint(at, "#", entries[at]), line)
				entries[at]++
			}
		default:
			visit(at, line)
		}
	}
	for _, d := range manifest.Parse("", src).Documents {
		if d.Root != nil {
			look(d, d.Root.YNode(), 1, "")
		}
	}
}
