package repository

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// Folders are what the names of a tree's files say. What a folder above a module is called says nothing of what is in the module.
type folders struct {
	files     []string
	manifests []string
	in        map[string][]string // the names in each folder
	known     map[string]bool     // the files
	bundles   map[string]string   // folders, and their ClusterServiceVersion
	modules   map[string]bool     // folders with a PROJECT, or a program beside the folder that a generator writes
	series    map[string]string   // what differs from at least two siblings by a version number only, and the names without it
	crds      map[string]bool     // files with CRDs, and the folders above them
	suites    map[string]Reason   // folders that a test runner looks into
	packages  map[string]string   // folders with Go, and why their code is a test's; "" where it is not
}

// programs are the files in the top folder of a program.
var programs = []string{"go.mod", "PROJECT", "Makefile", "Cargo.toml", "pom.xml"}

// mostFolders is how many folders a file is in at most whose role is decided. Any other is the user's.
const mostFolders = 100

func newFolders(t Tree) *folders {
	f := &folders{
		in: map[string][]string{}, known: map[string]bool{}, bundles: map[string]string{}, modules: map[string]bool{},
		series: map[string]string{}, crds: map[string]bool{}, suites: map[string]Reason{}, packages: map[string]string{},
	}
	for _, file := range slices.Sorted(slices.Values(t.Files())) {
		if fs.ValidPath(file) && strings.Count(file, "/") <= mostFolders {
			f.files, f.known[file] = append(f.files, file), true
		}
	}
	seen := map[string]bool{}
	for _, file := range f.files {
		child := file
		for dir := range upwards(file) {
			f.in[dir] = append(f.in[dir], path.Base(child))
			if child = dir; seen[dir] {
				break
			}
			seen[dir] = true
		}
		switch base := path.Base(file); {
		case base == "PROJECT":
			f.modules[path.Dir(file)] = true
		case strings.Contains(base, "clusterserviceversion"):
			f.bundles[path.Dir(file)] = file
			fallthrough
		case worktree.IsManifest(file):
			f.manifests = append(f.manifests, file)
		}
	}
	for dir, names := range f.in {
		f.findSeries(dir, names)
		if f.has(path.Join(dir, "main.go")) && f.isFolder(path.Join(dir, scaffold)) {
			f.modules[dir] = true
		}
	}
	for _, file := range f.manifests {
		f.findSuite(t, file)
	}
	return f
}

var (
	releaseName = text.Pattern(`^v?\d+\.\d+(\.\d+)*([-+.]\w.*)?$`)
	number      = text.Pattern(`\d+`)
	versionPart = text.Pattern(`v?\d+(\.\d+)+([-+.]?(alpha|beta|rc)?[.\d]+)*|v\d+(_\d+)+(_?(alpha|beta|rc)\d+)?|\bv\d{2,}\b`)
)

// findSeries notes the names of a folder that differ by a version number only, if there are at least three.
func (f *folders) findSeries(dir string, names []string) {
	alike := map[string][]string{}
	for _, name := range names {
		stem := name
		if at := path.Join(dir, name); f.in[at] == nil {
			if !worktree.IsManifest(name) {
				continue
			}
			stem = strings.TrimSuffix(name, path.Ext(name))
		}
		if at := versionPart().FindStringIndex(stem); at != nil {
			form := stem[:at[0]] + "*" + stem[at[1]:] + path.Ext(name[len(stem):])
			alike[form] = append(alike[form], name)
		}
	}
	for form, names := range alike {
		for _, name := range names {
			if len(names) >= 3 {
				f.series[path.Join(dir, name)] = path.Join(dir, form)
			}
		}
	}
}

// findSuite notes what a test runner's file says. One in the top folder of a module or a program says nothing about all of it.
func (f *folders) findSuite(t Tree, file string) {
	dir := path.Dir(file)
	switch stem := strings.TrimSuffix(path.Base(file), path.Ext(file)); stem {
	case "chainsaw-test":
		if !slices.ContainsFunc(programs, func(name string) bool { return f.has(path.Join(dir, name)) }) {
			f.suites[dir] = Reason{Text: "is next to or above it", File: file}
		}
	case "kuttl-test":
		var config struct {
			TestDirs []string `yaml:"testDirs"`
		}
		readYAML(t.Read(file), &config)
		for _, at := range config.TestDirs {
			for _, from := range []string{dir, "."} {
				if at := path.Join(from, at); f.isFolder(at) && at != "." && !f.modules[at] {
					f.suites[at] = Reason{Text: "names its folder", File: file}
				}
			}
		}
	}
}

// moduleOf is the nearest folder above a file that is the top of a module; "." where there is none.
func (f *folders) moduleOf(file string) string {
	for dir := range upwards(file) {
		if f.modules[dir] {
			return dir
		}
	}
	return "."
}

// around are the folders that a file is in below its module, the outermost first.
func (f *folders) around(file string) (all []string) {
	module := f.moduleOf(file)
	for dir := range upwards(file) {
		if dir == module || dir == "." {
			break
		}
		all = append(all, dir)
	}
	slices.Reverse(all)
	return all
}

// above is the nearest folder of a file that has a name in it.
func (f *folders) above(file, name string) (string, bool) {
	for dir := range upwards(file) {
		if at := path.Join(dir, name); f.has(at) {
			return at, true
		}
	}
	return "", false
}

var (
	testName   = text.Pattern(`(?i)^(.*[-_.])?(tests?|testing|e2e|fixtures?|integration-?(tests?)?|conformance|goldens?|test-?(data|cases?|utils?|suites?|envs?|helpers?|resources)|kuttl|chainsaw|mock-?data|invalid-examples?)([-_.].*)?$`)
	docsName   = text.Pattern(`(?i)^(docs?|documentation|designs?|proposals?)$`)
	sampleName = text.Pattern(`(?i)^(.*[-_])?(examples?|samples?|demos?|quick-?starts?|tutorials?)([-_].*)?$`)
	builtName  = text.Pattern(`(?i)^(dist|releases?|bundles?|olm-catalog)$`)
	assertName = text.Pattern(`^\d+-(assert|errors?)\b.*\.ya?ml$`)
)

// fixture says why a file is a test's whoever writes it: the go command, Maven and test runners know such folders.
func (f *folders) fixture(file string) (Reason, bool) {
	for dir := range upwards(file) {
		switch {
		case path.Base(dir) == "testdata":
			return Reason{Text: fmt.Sprintf("the go command ignores %s", dir)}, true
		case strings.HasSuffix("/"+dir, "/src/test"):
			return Reason{Text: fmt.Sprintf("Maven builds %s for tests only", dir)}, true
		}
	}
	return Reason{}, false
}

// surelyTest says why a file is a test's, if more than the names of its folders say so.
func (f *folders) surelyTest(file string) (Reason, bool) {
	if why, ok := f.fixture(file); ok {
		return why, true
	}
	if base := path.Base(file); assertName().MatchString(base) {
		return Reason{Text: base + " is named like an assertion of kuttl"}, true
	}
	for dir := range upwards(file) {
		if why, ok := f.suites[dir]; ok {
			return why, true
		}
	}
	for _, dir := range slices.Backward(f.around(file)) {
		if why, isPackage := f.packages[dir]; isPackage {
			return Reason{Text: why}, why != ""
		}
	}
	return Reason{}, false
}

// test says why a file is a test's.
func (f *folders) test(file string) (Reason, bool) {
	if why, ok := f.surelyTest(file); ok {
		return why, true
	}
	for _, dir := range f.around(file) {
		if docsName().MatchString(path.Base(dir)) {
			break // what is below documents tests
		}
		if testName().MatchString(path.Base(dir)) && !f.isStage(dir) {
			return Reason{Text: "the folder is called " + dir}, true
		}
	}
	return Reason{}, false
}

// isStage reports whether a folder is for an environment to which something is deployed, as those beside it are.
func (f *folders) isStage(dir string) bool {
	return path.Base(dir) == "test" && slices.ContainsFunc([]string{"prod", "production", "staging"}, func(name string) bool {
		return f.isFolder(path.Join(path.Dir(dir), name))
	})
}

// kept says why a file belongs to a release that is kept.
func (f *folders) kept(file string) (Reason, bool) {
	for at := file; at != "."; at = path.Dir(at) {
		if why, ok := f.release(at); ok {
			return why, true
		}
	}
	return Reason{}, false
}

// release says why a file or a folder is that of one version.
func (f *folders) release(at string) (Reason, bool) {
	if form := f.series[at]; form != "" {
		return Reason{Text: "one of a series of versions, " + form}, true
	}
	return Reason{Text: "the folder " + at + " is called like a release"}, f.isFolder(at) && releaseName().MatchString(path.Base(at))
}

// compareVersions orders names by the numbers in them, as releases follow one another; one with a letter behind is before them.
func compareVersions(a, b string) int {
	numbers := func(name string) (all []int) {
		for _, digits := range number().FindAllString(name, -1) {
			n, _ := strconv.Atoi(digits)
			all = append(all, n)
		}
		return all
	}
	return slices.Compare(numbers(a), numbers(b))
}

// bundled says why a file belongs to a bundle for the Operator Lifecycle Manager.
func (f *folders) bundled(file string) (Reason, bool) {
	dir := path.Dir(file)
	if at := f.bundles[dir]; at != "" {
		return Reason{Text: "is next to it", File: at}, true
	}
	if annotations := path.Join(dir, "../metadata/annotations.yaml"); f.has(annotations) {
		return Reason{Text: "is next to its folder", File: annotations}, true
	}
	return Reason{}, false
}

// charted says which chart a file belongs to.
func (f *folders) charted(file string) (Reason, bool) {
	at, ok := f.above(file, "Chart.yaml")
	return Reason{Text: "is its chart", File: at}, ok
}

// documents says why a file documents something.
func (f *folders) documents(file string) (Reason, bool) { return f.named(file, docsName()) }

func (f *folders) named(file string, like *regexp.Regexp) (Reason, bool) {
	for _, dir := range f.around(file) {
		if like.MatchString(path.Base(dir)) {
			return Reason{Text: "the folder is called " + dir}, true
		}
	}
	return Reason{}, false
}

// vendored says why a file is another project's.
func (f *folders) vendored(file string) (Reason, bool) {
	for dir := range upwards(file) {
		if base := path.Base(dir); base == "vendor" || base == "third_party" || base == "third-party" {
			return Reason{Text: "it is in " + dir}, true
		}
	}
	return Reason{}, false
}

// objects is the role of a file for the custom resources in it.
func (f *folders) objects(file string) Decision {
	sample := func(file string) (Reason, bool) { return f.named(file, sampleName()) }
	d, ok := first(file, sign{lint.RoleTest, f.test}, sign{lint.RoleOld, f.outlived}, sign{lint.RoleChart, f.charted},
		sign{lint.RoleBundle, f.bundled}, sign{lint.RoleDocs, f.documents}, sign{lint.RoleSample, sample})
	if !ok {
		return Decision{Role: lint.RoleProduct, Because: Reason{Text: "nothing here says otherwise"}}
	}
	return d
}

// A sign says why a file has a role, if it has.
type sign struct {
	role lint.Role
	says func(file string) (Reason, bool)
}

// first decides by the first of the signs that a file has.
func first(file string, signs ...sign) (Decision, bool) {
	for _, s := range signs {
		if why, ok := s.says(file); ok {
			return Decision{Role: s.role, Because: why}, true
		}
	}
	return Decision{}, false
}

// outlived is kept for custom resources, of which projects ship some for several versions: an old release has its CRDs with it,
// or the present one has the same file.
func (f *folders) outlived(file string) (Reason, bool) {
	for at := file; at != "."; at = path.Dir(at) {
		twin := path.Join(path.Dir(at), strings.TrimPrefix(file, at))
		if why, ok := f.release(at); ok && (f.crds[at] || at != file && f.has(twin)) {
			return why, true
		}
	}
	return Reason{}, false
}

func (f *folders) isFolder(at string) bool { return f.in[at] != nil }

func (f *folders) has(file string) bool { return f.known[file] }

// matchGlob reports whether a glob matches a path; one that ends in a folder matches all below it.
func matchGlob(glob, at string) bool {
	if ok, err := doublestar.Match(glob, at); ok && err == nil {
		return true
	}
	ok, err := doublestar.Match(strings.TrimSuffix(glob, "/")+"/**", at)
	return ok && err == nil
}
