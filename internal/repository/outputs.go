package repository

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An output is a folder that a generator writes CRDs into.
type output struct {
	because  Reason
	scaffold bool // it is where kubebuilder's scaffold has it written
}

// outputs are the folders that generators write CRDs into, as far as the lines that run them say.
type outputs struct {
	tree  *folders
	into  map[string]output
	gone  []output // those of which no folder is in the tree, as their reasons name them
	paths []string // of gone
}

var (
	outputArgument = regexp.MustCompile(`output:(crd:)?(?:artifacts:(?:code=[^,\s]*,)?config|dir)=["']?([^\s"',;\\]+)`)
	variable       = regexp.MustCompile(`\$\(([A-Za-z_]\w*)\)|\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}|\$([A-Za-z_]\w*)`)
	assignment     = regexp.MustCompile(`(?m)^\s*(?:(?:export|local|readonly|override|declare)\s+)*([A-Za-z_]\w*)\s*[:?+]?=\s*(\S+)`)
	unknownTop     = regexp.MustCompile(`^(\$[({][^)}]*[)}]|\$\w+|["'.])+/`)
	changeFolder   = regexp.MustCompile(`\bcd\s+["']?([^\s"';&|]+)`)
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

// read looks for outputs in the lines of a file.
func (o *outputs) read(file string, src []byte) {
	if !bytes.Contains(src, []byte("output:")) {
		return
	}
	assigned := map[string]string{}
	for _, m := range assignment.FindAllSubmatch(src, -1) {
		if _, known := assigned[string(m[1])]; !known {
			assigned[string(m[1])] = strings.Trim(string(m[2]), `"'`)
		}
	}
	number, first, command := 0, 0, ""
	for line := range bytes.Lines(src) {
		number++
		if command == "" {
			first = number
		}
		text := strings.TrimRight(string(line), " \t\r\n")
		goLine := strings.HasPrefix(text, "//go:generate")
		if strings.HasSuffix(file, ".go") && !goLine {
			continue
		}
		rest, goesOn := strings.CutSuffix(text, `\`)
		command += rest + "\n"
		if goesOn {
			continue
		}
		o.command(file, first, command, assigned)
		command = ""
	}
	o.command(file, first, command, assigned)
}

// command notes the outputs of a command, which begins at a line of a file.
func (o *outputs) command(file string, line int, command string, assigned map[string]string) {
	for _, at := range outputArgument.FindAllStringSubmatchIndex(command, -1) {
		forCRDs := at[2] >= 0
		if !forCRDs && !strings.Contains(command, "crd") {
			continue
		}
		folder := command[at[4]:at[5]]
		for range 8 {
			folder = variable.ReplaceAllStringFunc(folder, func(v string) string {
				if value, ok := assigned[strings.Trim(v, "${}()")]; ok {
					return value
				}
				return v
			})
		}
		folder = unknownTop.ReplaceAllString(folder, "")
		line := line + strings.Count(command[:at[0]], "\n")
		o.add(file, line, folder, changeFolder.FindAllStringSubmatch(command, -1))
	}
}

// add notes an output that a line names, counted from where the line may be run.
func (o *outputs) add(file string, line int, folder string, changes [][]string) {
	why := Reason{Text: "writes it", File: file, Line: line}
	if strings.Contains(folder, "$") || folder == "" || folder == "." || path.IsAbs(folder) {
		return
	}
	from := []string{path.Dir(file), o.tree.moduleOf(file), "."}
	for _, c := range changes {
		from = append(from, path.Join(path.Dir(file), c[1]), path.Clean(c[1]))
	}
	for _, dir := range from {
		if at := path.Join(dir, folder); o.tree.in[at] != nil {
			if _, known := o.into[at]; !known {
				o.into[at] = output{because: why}
			}
			return
		}
	}
	o.gone, o.paths = append(o.gone, output{because: why}), append(o.paths, path.Join(o.tree.moduleOf(file), folder))
}

// addScaffolds notes where kubebuilder's scaffold has the generator write.
func (o *outputs) addScaffolds() {
	for _, file := range o.tree.files {
		if path.Base(file) != "PROJECT" {
			continue
		}
		if at := path.Join(path.Dir(file), scaffold); o.tree.in[at] != nil {
			if _, known := o.into[at]; !known {
				o.into[at] = output{because: Reason{Text: "is of kubebuilder, whose scaffold writes it", File: file}, scaffold: true}
			}
		}
	}
}

// of is the output that a file is in; nil where it is in none.
func (o *outputs) of(file string) *output {
	for dir := range upwards(file) {
		if out, ok := o.into[dir]; ok {
			return &out
		}
	}
	return nil
}

// readYAML decodes a file's first document as far as it can.
func readYAML(src []byte, to any) { _ = yaml.Unmarshal(src, to) }
