package repository

import (
	"bytes"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/text"
)

// An output is a folder that a generator writes CRDs into.
type output struct {
	because  Reason
	scaffold bool // it is where kubebuilder's scaffold has it written
	declared bool // the code here declares kinds of the CRDs in it: a CRD whose kind nothing declares was copied there
}

// outputs are the folders and files that generators write CRDs into, and what is made of those, as far as the lines that run them say.
type outputs struct {
	tree   *folders
	into   map[string]*output
	gone   []output          // those of which no folder is in the tree, as their reasons name them
	paths  []string          // of gone
	made   map[string]Reason // files that kustomize builds
	copied map[string]Reason // files and folders that are copied to other places

	applied []Applied // by commands
}

var (
	outputArgument = text.Pattern(`output:(crd:)?(?:artifacts:(?:code=[^,\s]*,)?config|dir)=["']?([^\s"',;\\]+)`)
	variable       = text.Pattern(`\$\(([A-Za-z_]\w*)\)|\$\{([A-Za-z_]\w*)(?::?-([^}]*))?\}|\$([A-Za-z_]\w*)`)
	assignment     = text.Pattern(`(?m)^\s*(?:(?:export|local|readonly|override|declare)\s+)*([A-Za-z_]\w*)\s*[:?+]?=\s*(\S+)`)
	unknownTop     = text.Pattern(`^(\$[({][^)}]*[)}]|\$\w+|["'])+/`)
	changeFolder   = text.Pattern(`\bcd\s+["']?([^\s"';&|]+)`)
	outputToStdout = text.Pattern(`output:(?:crd:)?stdout\b`)
	kustomizeBuild = text.Pattern(`(?i)kustomize\S*\s+build\b[^>;]*?(?:>|\s-o\s|\s--output[\s=])\s*["']?([^\s"';&|>]+)`)
	copyOf         = text.Pattern(`(?:\bcp|\(CP\))\s+(?:-\S+\s+)*([^\s;&|]+)\s+[^\s;&|-]`)
	applyCommand   = text.Pattern(`\bapply\s[^;&|]*`)
	serverSide     = text.Pattern(`\s--server-side(=true)?(\s|$)`)
	appliedFiles   = text.Pattern(`\s(?:-R?[fk]|--filename|--kustomize)[\s=]\s*["']?([^\s"']+)`)
	copiedFiles    = text.Pattern(`/?(\*(\.ya?ml)?)?$`)
	word           = text.Pattern(`[^\s"'>;&|]+`)
)

// scaffold is where the scaffold of kubebuilder has the generator write.
const scaffold = "config/crd/bases"

// isBuildFile reports whether a file may have lines that run a generator.
func isBuildFile(file string) bool {
	base := path.Base(file)
	switch strings.ToLower(base) {
	case "makefile", "gnumakefile", "taskfile.yaml", "taskfile.yml", "justfile":
		return true
	}
	return strings.HasSuffix(base, ".mk") || strings.HasSuffix(base, ".sh") || strings.HasSuffix(base, ".bash") || strings.HasPrefix(base, "Makefile")
}

// read looks for outputs and copies in the lines of a file.
func (o *outputs) read(file string, src []byte) {
	lower := bytes.ToLower(src)
	holds := func(word string) bool { return bytes.Contains(lower, []byte(word)) } // expressions are slow
	copies := holds("cp") && copyOf().Match(src) || holds("kustomize") && kustomizeBuild().Match(src)
	if !copies && !holds("output:") && !holds("apply") {
		return
	}
	assigned := map[string]string{}
	for _, m := range assignment().FindAllSubmatch(src, -1) {
		if _, known := assigned[string(m[1])]; !known && len(m[2]) <= mostName {
			assigned[string(m[1])] = strings.Trim(string(m[2]), `"'`)
		}
	}
	number, first, text := 0, 0, ""
	done := func() {
		text = text[:min(len(text), mostText)]
		c := command{file, first, text, assigned}
		c.outputs(o)
		if copies {
			c.copies(o)
		}
		c.applies(o)
		text = ""
	}
	for line := range bytes.Lines(src) {
		number++
		if text == "" {
			first = number
		}
		line := strings.TrimRight(string(line), " \t\r\n")
		isComment := strings.HasPrefix(strings.TrimLeft(line, " \t"), "#")
		if strings.HasSuffix(file, ".go") && !strings.HasPrefix(line, "//go:generate") || isComment {
			continue
		}
		rest, goesOn := strings.CutSuffix(line, `\`)
		text += rest + "\n"
		if !goesOn || len(text) > mostText {
			done()
		}
	}
	done()
}

// A command is one that a build file runs, with the lines that it goes on in.
type command struct {
	file     string
	line     int // where it begins
	text     string
	assigned map[string]string // the variables of the file
}

func (c *command) outputs(o *outputs) {
	for _, at := range outputArgument().FindAllStringSubmatchIndex(c.text, -1) {
		forCRDs := at[2] >= 0
		if forCRDs || strings.Contains(c.text, "crd") {
			c.writes(o, c.text[at[4]:at[5]], at[0])
		}
	}
	if at := outputToStdout().FindStringIndex(c.text); at != nil {
		for _, w := range word().FindAllStringIndex(c.text[at[1]:], -1) {
			begin := at[1] + w[0]
			if found := c.find(o, c.text[begin:at[1]+w[1]], o.tree.has); found != "" {
				c.writesInto(o, found, begin)
			}
		}
	}
}

// writes notes a folder that a generator writes.
func (c *command) writes(o *outputs, name string, at int) {
	if found := c.find(o, name, o.tree.isFolder); found != "" {
		c.writesInto(o, found, at)
	} else if name = c.expand(name); isBelow(name) {
		o.gone = append(o.gone, output{because: c.reason("writes it", at)})
		o.paths = append(o.paths, path.Join(o.tree.moduleOf(c.file), name))
	}
}

func (c *command) writesInto(o *outputs, found string, at int) {
	if _, known := o.into[found]; !known {
		o.into[found] = &output{because: c.reason("writes it", at)}
	}
}

// copies notes what a command copies and builds.
func (c *command) copies(o *outputs) {
	for _, at := range kustomizeBuild().FindAllStringSubmatchIndex(c.text, -1) {
		if found := c.find(o, c.text[at[2]:at[3]], o.tree.has); found != "" {
			o.made[found] = c.reason("builds it", at[0])
		}
	}
	for _, at := range copyOf().FindAllStringSubmatchIndex(c.text, -1) {
		from := copiedFiles().ReplaceAllString(strings.Trim(c.text[at[2]:at[3]], `"'`), "")
		if found := c.find(o, from, func(at string) bool { return o.tree.has(at) || o.tree.isFolder(at) }); found != "" {
			o.copied[found] = c.reason("copies it elsewhere", at[0])
		}
	}
}

func (c *command) reason(text string, at int) Reason {
	return Reason{Text: text, File: c.file, Line: c.line + strings.Count(c.text[:at], "\n")}
}

// expand puts the values of variables into a name, and leaves off one that says which folder the command is run in.
func (c *command) expand(name string) string {
	for range 8 { // values may refer to others, and to themselves
		name = variable().ReplaceAllStringFunc(name, func(v string) string {
			m := variable().FindStringSubmatch(v)
			own, otherwise := m[1]+m[2]+m[4], m[3]
			if value, ok := c.assigned[own]; ok && !strings.Contains(value, v) {
				return value
			} else if otherwise != "" {
				return otherwise
			}
			return v
		})
		if len(name) > mostName {
			return ""
		}
	}
	return unknownTop().ReplaceAllString(name, "")
}

// mostName is how long a name or a value may be, and mostText how much of a command is read.
const (
	mostName = 1 << 10
	mostText = 16 << 10
)

// find is the path in the tree that a command names, counted from where it may be run; "" where there is none.
func (c *command) find(o *outputs, name string, is func(string) bool) string {
	name = c.expand(name)
	if !isBelow(name) {
		return ""
	}
	from := []string{path.Dir(c.file), o.tree.moduleOf(c.file), "."}
	for _, change := range changeFolder().FindAllStringSubmatch(c.text, 8) {
		from = append(from, path.Join(path.Dir(c.file), change[1]), path.Clean(change[1]))
	}
	for _, dir := range from {
		if at := path.Join(dir, name); is(at) {
			return at
		}
	}
	return ""
}

// isBelow reports whether a name is known, and that of something below the folder that a command is run in.
func isBelow(name string) bool {
	return name != "" && name != "." && !strings.Contains(name, "$") && !path.IsAbs(name)
}

// addScaffolds notes where kubebuilder's scaffold has the generator write.
func (o *outputs) addScaffolds() {
	for _, file := range o.tree.files {
		if path.Base(file) != "PROJECT" {
			continue
		}
		if at := path.Join(path.Dir(file), scaffold); o.tree.in[at] != nil {
			if _, known := o.into[at]; !known {
				o.into[at] = &output{because: Reason{Text: "is of kubebuilder, whose scaffold writes it", File: file}, scaffold: true}
			}
		}
	}
}

// of is the output that a file is, or is in; nil where it is in none.
func (o *outputs) of(file string) *output {
	if out, ok := o.into[file]; ok {
		return out
	}
	for dir := range upwards(file) {
		if out, ok := o.into[dir]; ok {
			return out
		}
	}
	return nil
}

// copiedFrom says which line copies a file, or its folder, to another place.
func (o *outputs) copiedFrom(file string) (Reason, bool) {
	why, ok := o.copied[file]
	if !ok {
		why, ok = o.copied[path.Dir(file)]
	}
	return why, ok
}

// mostSettings is how large a PROJECT, a kustomization or a kuttl-test.yaml is at most that is read, in bytes.
const mostSettings = 256 << 10

// readYAML decodes a file's first document as far as it can. The parser reports some mistakes by panicking.
func readYAML(src []byte, to any) {
	defer func() { _ = recover() }()
	if len(src) <= mostSettings {
		_ = yaml.Unmarshal(src, to)
	}
}
