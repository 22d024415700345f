package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// An editedRepository is a repository that is edited at random.
type editedRepository struct {
	*rand.Rand
	t      *testing.T
	dir    string // its folder
	beside string // a folder that is none of the repository's
	done   []string
}

// longAgo is when all files were written, as far as anybody can tell from most of them.
var longAgo = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

// newEdited is a git repository with the files of two stories, one of them perhaps below the other.
func newEdited(t *testing.T, r *rand.Rand, stories []*txtar.Archive) *editedRepository {
	t.Helper()
	root := t.TempDir()
	e := &editedRepository{r, t, filepath.Join(root, "repository"), filepath.Join(root, "beside"), nil}
	for _, below := range []string{"", []string{"", "more"}[r.IntN(2)]} {
		some := stories
		if below == "" && r.IntN(2) == 0 { // most reports that depend on other files are on what Go types generate
			some = slices.DeleteFunc(slices.Clone(stories), func(story *txtar.Archive) bool {
				return !slices.ContainsFunc(story.Files, func(f txtar.File) bool { return isGo(f.Name) })
			})
		}
		for _, f := range some[r.IntN(len(some))].Files {
			e.write(filepath.Join(below, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	if all := e.files(isManifest); len(all) > 0 { // so that there are copies of something
		for range 2 {
			at := all[r.IntN(len(all))]
			e.write(filepath.Join(e.folder(), filepath.Base(at)), e.read(at))
		}
	}
	if err := os.CopyFS(filepath.Join(e.beside, "old"), os.DirFS(e.dir)); err != nil {
		t.Fatal(err)
	}
	e.git("init", "-q", "-b", "main")
	e.commit()
	e.edit()
	e.commit()
	e.done = nil
	return e
}

func (e *editedRepository) at(path string) string { return filepath.Join(e.dir, path) }

// write writes a file, whose time tells nothing about it as a rule. A folder in its place stays.
func (e *editedRepository) write(path string, text []byte) {
	if os.MkdirAll(filepath.Dir(e.at(path)), 0o755) != nil || os.WriteFile(e.at(path), text, 0o644) != nil {
		return
	}
	if e.IntN(10) < 7 {
		e.age(path)
	}
}

func (e *editedRepository) age(path string) {
	if err := os.Chtimes(e.at(path), longAgo, longAgo); err != nil && !errors.Is(err, fs.ErrNotExist) { // a link may lead nowhere
		e.t.Fatal(err)
	}
}

func (e *editedRepository) read(path string) []byte {
	text, _ := os.ReadFile(e.at(path)) // a link may lead nowhere
	return text
}

// git runs git, which may reject what is asked for.
func (e *editedRepository) git(args ...string) { _ = e.command("git", args...).Run() }

func (e *editedRepository) commit() {
	e.git("add", "-A")
	e.git("commit", "-q", "--allow-empty", "-m", "edit")
}

// files are the files and links that match, sorted.
func (e *editedRepository) files(match func(path string) bool) (all []string) {
	err := filepath.WalkDir(e.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if below, _ := filepath.Rel(e.dir, path); !d.IsDir() && match(below) {
			all = append(all, below)
		}
		return nil
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return all
}

func isManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) && filepath.Base(path) != ".crdlift.yaml"
}

func isGo(path string) bool { return filepath.Ext(path) == ".go" }

func (e *editedRepository) paths() []string { return e.files(isManifest) }

// foldersWith are the folders that have a file of a name, or at least the root.
func (e *editedRepository) foldersWith(name string) []string {
	all := []string{"."}
	for _, path := range e.files(func(path string) bool { return filepath.Base(path) == name }) {
		all = append(all, filepath.Dir(path))
	}
	return all
}

// one is one of some files that match, "" for none.
func (e *editedRepository) one(match func(path string) bool) string {
	all := e.files(match)
	if len(all) == 0 {
		return ""
	}
	return all[e.IntN(len(all))]
}

// folder is one that may be there, or one whose name means something.
func (e *editedRepository) folder() string {
	if path := e.one(func(string) bool { return true }); path != "" && e.IntN(2) == 0 {
		return filepath.Dir(path)
	}
	all := []string{".", "config/crd/bases", "config/crd", "charts/op/crds", "charts/op/templates", "charts/op", "charts", "gen", "releases/v1.0", "bundle", "test/testdata", "api/v1", "apis"}
	return filepath.FromSlash(all[e.IntN(len(all))])
}

// edit makes one change.
func (e *editedRepository) edit() {
	all := []func() string{
		e.editManifest, e.editManifest, e.editManifest, e.copyFile, e.moveFile, e.removeFile, e.editGo, e.editGo, e.toggle, e.toggle, e.toggle,
		e.configure, e.useGit, e.link, e.kustomize, e.touch, e.moveFolder,
	}
	e.done = append(e.done, all[e.IntN(len(all))]())
}

// changes of a line of a manifest: of one that matches, what takes its place.
var manifestChanges = []struct {
	line *regexp.Regexp
	to   []string
}{
	{regexp.MustCompile(`(?m)^( *)scope:.*$`), []string{"${1}scope: Cluster", "${1}scope: Namespaced", "${1}scope: namespaced"}},
	{regexp.MustCompile(`(?m)^( *)type: (string|integer|number)$`), []string{
		"${1}type: string", "${1}type: integer", "${1}type: string\n${1}maxLength: 9", "${1}type: string\n${1}pattern: a|b", "${1}type: {{ .Values.type }}",
	}},
	{regexp.MustCompile(`(?m)^( *)description: .*$`), []string{"${1}description: another one", "${1}nullable: true"}},
	{regexp.MustCompile(`(?m)^( *)(- )?name: v1$`), []string{"${1}${2}name: v1beta1", "${1}${2}name: v2"}},
	{regexp.MustCompile(`(?m)^(apiVersion: apiextensions.k8s.io)/.*$`), []string{"$1/v1", "$1/v1beta1"}},
	{regexp.MustCompile(`(?m)^( *kind|.*group): .*$`), []string{"$1: Other", "$1: example.com"}},
	{regexp.MustCompile(`(?m)^( *)(served|storage): (true|false)$`), []string{"${1}${2}: true", "${1}${2}: false"}},
	{regexp.MustCompile(`(?m)^.*controller-gen.kubebuilder.io.*$`), []string{"", "    controller-gen.kubebuilder.io/version: v0.14.0"}},
	{regexp.MustCompile(`(?m)^( *)properties:$`), []string{"${1}properties: # crdlift:ignore * -- random", "${1}properties:\n${1}  added: {type: string}"}},
}

func (e *editedRepository) editManifest() string {
	path := e.one(isManifest)
	text := e.read(path)
	switch e.IntN(12) {
	case 0:
		text = text[:e.IntN(len(text)+1)]
	case 1:
		text = slices.Concat(text, []byte("\n---\n"), e.read(e.one(isManifest)))
	case 2:
		text = slices.Concat([]byte("# crdlift:ignore pattern-unanchored -- random\n"), text)
	default:
		text = e.changeLine(text)
	}
	if path != "" {
		e.write(path, text)
	}
	return "edit " + path
}

// changeLine changes one line, the same each time that the random numbers are.
func (e *editedRepository) changeLine(text []byte) []byte {
	for range 5 {
		change := manifestChanges[e.IntN(len(manifestChanges))]
		if all := change.line.FindAllSubmatchIndex(text, -1); len(all) > 0 {
			at := all[e.IntN(len(all))]
			line := change.line.Expand(nil, []byte(change.to[e.IntN(len(change.to))]), text, at)
			return slices.Concat(text[:at[0]], line, text[at[1]:])
		}
	}
	return text
}

func (e *editedRepository) copyFile() string {
	path := e.one(func(path string) bool { return isManifest(path) || isGo(path) })
	to := filepath.Join(e.folder(), filepath.Base(path))
	if path != "" && to != path {
		e.write(to, e.read(path))
	}
	return "copy " + path + " to " + to
}

func (e *editedRepository) moveFile() string {
	path := e.one(func(string) bool { return true })
	to := filepath.Join(e.folder(), filepath.Base(path))
	if e.IntN(3) == 0 {
		to = filepath.Join(filepath.Dir(path), fmt.Sprintf("moved%d%s", e.IntN(3), filepath.Ext(path)))
	}
	if os.MkdirAll(filepath.Dir(e.at(to)), 0o755) == nil {
		os.Rename(e.at(path), e.at(to)) // a folder may be in its way
	}
	return "move " + path + " to " + to
}

func (e *editedRepository) moveFolder() string {
	from, to := filepath.Dir(e.one(func(string) bool { return true })), filepath.Join("moved", fmt.Sprint(e.IntN(3)))
	if from != "." && os.MkdirAll(e.at("moved"), 0o755) == nil {
		os.Rename(e.at(from), e.at(to))
	}
	return "move " + from + " to " + to
}

func (e *editedRepository) removeFile() string {
	path := e.one(func(string) bool { return true })
	os.Remove(e.at(path))
	return "remove " + path
}

func (e *editedRepository) touch() string {
	path := e.one(func(string) bool { return true })
	if now := time.Now(); e.IntN(2) == 0 {
		os.Chtimes(e.at(path), now, now)
	} else {
		e.age(path)
	}
	return "touch " + path
}

var goField = regexp.MustCompile("(?m)^\t[A-Z].*json:.*$")

func (e *editedRepository) editGo() string {
	path := e.one(isGo)
	if path == "" {
		e.write("api/v1/types.go", []byte("// +groupName=example.com\npackage v1\n"))
		return "write api/v1/types.go"
	}
	text := e.read(path)
	fields := goField.FindAllIndex(text, -1)
	switch n := e.IntN(6); {
	case n == 0:
		text = bytes.ReplaceAll(text, []byte("+groupName=example.com"), []byte("+groupName=example.org"))
	case n == 1:
		text = text[:e.IntN(len(text)+1)]
	case len(fields) == 0:
		text = append(text, "\n// End.\n"...)
	case n == 2:
		at := fields[e.IntN(len(fields))]
		text = slices.Concat(text[:at[0]], text[at[1]:])
	default:
		at := fields[e.IntN(len(fields))][0]
		line := []string{"\t// +kubebuilder:validation:MaxLength=9\n", "\t// Another comment.\n", "\t// +optional\n", "\tAdded string `json:\"added\"`\n"}[e.IntN(4)]
		text = slices.Concat(text[:at], []byte(line), text[at:])
	}
	e.write(path, text)
	return "edit " + path
}

// toggle writes or removes what means something for the folder that it is in.
func (e *editedRepository) toggle() string {
	all := []struct{ name, text string }{
		{"Chart.yaml", "apiVersion: v2\nname: op\nversion: 1.0.0\n"}, {"go.mod", "module example.com/other\n\ngo 1.24\n"},
		{"values.yaml", "type: string\nname: x\n"}, {".helmignore", "*.yaml\n"}, {"go.work", "go 1.24\n\nuse .\n"},
	}
	one := all[e.IntN(len(all))]
	path := filepath.Join(e.folder(), one.name)
	if os.Remove(e.at(path)) == nil {
		return "remove " + path
	}
	e.write(path, []byte(one.text))
	return "write " + path
}

func (e *editedRepository) configure() string {
	all := []string{
		"preset: all\n", "rules: {pattern-unanchored: error}\n", "go: off\n", "go: [api]\n", "exclude: ['**/crds/**']\n", "targetVersion: '1.27'\n",
		"overrides:\n- paths: ['config/**', 'gen/**']\n  rules: {manifest-stale: off, pattern-unanchored: off}\n",
		"ignore:\n- rule: pattern-unanchored\n  reason: random\n", "paths: [config, charts]\n", "unknown: true\n",
	}
	path := filepath.Join([]string{".", ".", ".", e.folder()}[e.IntN(4)], ".crdlift.yaml")
	if e.IntN(4) == 0 && os.Remove(e.at(path)) == nil {
		return "remove " + path
	}
	text := all[e.IntN(len(all))]
	e.write(path, []byte(text))
	return fmt.Sprintf("write %s: %q", path, text)
}

func (e *editedRepository) useGit() string {
	switch e.IntN(5) {
	case 0, 1:
		e.commit()
		return "commit"
	case 2:
		e.git("checkout", "-q", "-f", "HEAD~1")
		return "checkout HEAD~1"
	case 3:
		pattern := []string{"gen/\n", "*.yaml\n!config\n", "charts\n", "crds\n"}[e.IntN(4)]
		path := filepath.Join(e.folder(), ".gitignore")
		e.write(path, []byte(pattern))
		return fmt.Sprintf("write %s: %q", path, pattern)
	}
	folder := e.folder()
	if at := filepath.Join(folder, ".git"); folder != "." && os.RemoveAll(e.at(at)) == nil && e.IntN(2) == 0 {
		return "remove " + at
	}
	e.git("init", "-q", folder)
	return "git init " + folder
}

func (e *editedRepository) link() string {
	path, to := e.one(isManifest), e.one(isManifest)
	if e.IntN(4) == 0 {
		path, to = filepath.Join(e.folder(), "linked"), e.folder()
	}
	os.Remove(e.at(path))
	if os.MkdirAll(filepath.Dir(e.at(path)), 0o755) == nil {
		os.Symlink(e.at(to), e.at(path)) // not everybody may make links
	}
	return "link " + path + " to " + to
}

func (e *editedRepository) kustomize() string {
	folder := e.folder()
	all, _ := filepath.Glob(filepath.Join(e.at(folder), "*.yaml"))
	text := "resources:\n"
	for _, path := range all {
		if name := filepath.Base(path); name != "kustomization.yaml" && e.IntN(3) > 0 {
			text += "- " + name + "\n"
		}
	}
	if e.IntN(2) == 0 {
		text += "patches:\n- path: patch.yaml\n"
		patch := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: foos.example.com\nspec:\n  scope: Cluster\n"
		e.write(filepath.Join(folder, "patch.yaml"), []byte(strings.ReplaceAll(patch, "foos", []string{"foos", "widgets", "bars"}[e.IntN(3)])))
	}
	e.write(filepath.Join(folder, "kustomization.yaml"), []byte(text))
	return "write " + filepath.Join(folder, "kustomization.yaml")
}
