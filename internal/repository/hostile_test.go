package repository

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// What a stranger's repository may hold costs no more than its size asks for, and decides nothing for the rest of it. A cost that
// grows with the square of these numbers is minutes here.
func TestHostileTrees(t *testing.T) {
	many := 5_000
	if testing.Short() {
		many = 2_000
	}
	widget := whole("Widget.example.org", true)
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'm'; c++ {
		bomb += fmt.Sprintf("%c: &%[1]c [%s]\n", c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	for name, grow := range map[string]func(tree files){
		"many files in a folder": func(tree files) {
			for i := range many * 20 {
				tree[fmt.Sprintf("samples/%d.yaml", i)] = "apiVersion: example.org/v1\nkind: Widget\n"
			}
		},
		"many folders": func(tree files) {
			for i := range many {
				tree[fmt.Sprintf("samples/%d/x/kustomization.yaml", i)] = "resources: [../../0/x/one.yaml]\n"
			}
		},
		"many copies": func(tree files) {
			for i := range many {
				tree[fmt.Sprintf("copies/%d/widget.yaml", i)] = "# a copy\n" + strings.Replace(widget, "annotations", "notes", 1)
			}
		},
		"many CRDs in a file": func(tree files) {
			tree["all.yaml"] = strings.Repeat("---\n"+widget, many)
		},
		"many bundles": func(tree files) {
			for i := range many / 4 {
				tree[fmt.Sprintf("catalog/r%d/manifests/w.clusterserviceversion.yaml", i)] = "kind: ClusterServiceVersion\n"
				tree[fmt.Sprintf("catalog/r%d/manifests/widget.yaml", i)] = widget
			}
		},
		"many tests": func(tree files) {
			for i := range many {
				tree[fmt.Sprintf("cases/%d/chainsaw-test.yaml", i)] = "kind: Test\n"
				tree[fmt.Sprintf("cases/%d/one.yaml", i)] = "apiVersion: example.org/v1\nkind: Widget\n"
			}
		},
		"deep folders": func(tree files) {
			for i := range 100 {
				tree[fmt.Sprintf("%s%d.yaml", strings.Repeat("test/", 50_000), i)] = widget
			}
		},
		"many types": func(tree files) {
			tree["x/types.go"] = "package x\n" + strings.Repeat("type Widget struct {\n\tmetav1.TypeMeta\n}\n", many) + strings.Repeat("roup ", many*50)
			for i := range many / 4 {
				tree[fmt.Sprintf("y/%d.go", i)] = "package y\n\nconst group = \"a.b\"\n\ntype Widget struct {\n\tTypeMeta\n}\n"
			}
		},
		"variables that refer to themselves": func(tree files) {
			tree["x/Makefile"] = "A = $(A)$(A)$(A)$(A)\nB = $(C)\nC = $(B)\nD = " + strings.Repeat("$(D)", many) + "\n" +
				"E = ${E:-$(E)$(E)}\nx:\n" + strings.Repeat("\tcontroller-gen crd output:crd:dir=$(A)$(B)$(C)$(D)$(E)\n", many/20)
		},
		"a command without an end": func(tree files) {
			tree["x/Makefile"] = "x:\n" + strings.Repeat("\tcd a && kustomize build output:crd:dir=nowhere cp a \\\n", many)
		},
		"a long line": func(tree files) {
			tree["x/Makefile"] = "x:\n\t" + strings.Repeat("output:crd:dir=nowhere ", many*10)
			tree["x/one.yaml"] = "kind: CustomResourceDefinition # " + strings.Repeat("kind: ", many*50)
			tree["x/two.yaml"] = "kind: CustomResourceDefinition\nx: " + strings.Repeat("{", many)
			tree["x/three.yaml"] = "kind: CustomResourceDefinition\n" + strings.Repeat("- ", many) + "x\n"
		},
		"aliases that grow": func(tree files) {
			tree["x/PROJECT"], tree["y/kustomization.yaml"] = bomb+"resources: [*l]\n", bomb+"resources: *l\n"
			tree["x/kuttl-test.yaml"], tree["x/bomb.yaml"] = bomb+"testDirs: [*l]\n", bomb+"kind: CustomResourceDefinition\n"
		},
		"lists without an end": func(tree files) {
			tree["x/PROJECT"] = "resources:\n" + strings.Repeat("- {group: a, kind: b}\n", many)
			tree["x/kustomization.yaml"] = "resources:\n" + strings.Repeat("- ../Makefile\n", many)
			tree["y/PROJECT"] = "resources: " + strings.Repeat("[", 100_000)
		},
		"names of no folder": func(tree files) {
			for _, name := range []string{"/abs/PROJECT", "..", ".", "//", "a//b.yaml", "../x/Makefile", "\x00.yaml", "Makefile/Makefile"} {
				tree[name] = widget + "\n\tcontroller-gen crd output:crd:dir=.. output:crd:dir=/ output:crd:dir=//\n"
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tree := files{
				"Makefile":                     "\tcontroller-gen crd output:crd:dir=config/crd/bases\n",
				"api/v1/types.go":              "// +groupName=example.org\npackage v1\n\ntype Widget struct {\n\tmetav1.TypeMeta\n}\n",
				"config/crd/bases/widget.yaml": widget,
			}
			grow(tree)
			r := Look(tree, Setting{RoleSetting: lint.RoleSetting{Role: lint.RoleTest, Glob: "**/nothing/**"}})
			if d := r.CRD("config/crd/bases/widget.yaml", "widgets.example.org"); d.Role != lint.RoleSource || d.Because.File != "Makefile" {
				t.Errorf("the source is %s, %s", d.Role, d.Because)
			}
			for _, file := range tree.Files() {
				r.File(file)
			}
			for _, d := range r.CRDs() {
				r.CRD(d.File, d.Name)
			}
		})
	}
}

// A file that is deeper than any real one has no role: it is the user's, and shown.
func TestDeepFilesHaveNoRole(t *testing.T) {
	at := func(folders int) string { return strings.Repeat("d/", folders) + "widget.yaml" }
	r := Look(files{at(mostFolders): whole("Widget.example.org", true), at(mostFolders + 1): whole("Widget.example.org", true)})
	if d := r.CRD(at(mostFolders), "widgets.example.org"); d.Role != lint.RoleSource {
		t.Errorf("%s, %s", d.Role, d.Because)
	}
	if d := r.CRD(at(mostFolders+1), "widgets.example.org"); d.Role != "" {
		t.Errorf("%s, %s", d.Role, d.Because)
	}
}

// A list of settings that is longer than any real one is as if it were not there.
func TestLargeSettingsAreNotRead(t *testing.T) {
	project := "resources:\n- {group: example.org, kind: Widget}\n"
	tree := files{"PROJECT": project + strings.Repeat("#", mostSettings-len(project)), "widget.yaml": whole("Widget.example.org", false), "x.go": "package x"}
	if got := told(tree); !strings.Contains(got, "PROJECT:2 declares Widget") {
		t.Error(got)
	}
	tree["PROJECT"] += "#"
	if got := told(tree); strings.Contains(got, "PROJECT") {
		t.Error(got)
	}
	if !slices.Contains(tree.Files(), "PROJECT") {
		t.Error("gone")
	}
}
