package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A recipe has a value of each kind that files of crdlift's own have.
type recipe struct {
	Title, Unit string
	Servings    int
	Vegan       bool
	Steps       []string
	Oven        map[string]string
	errors      int // when the title was read
}

func readRecipe(src string) (*recipe, error) {
	out := &recipe{}
	err := ReadStrictly("recipe.yaml", []byte(src), func(r *Reader) []Member {
		return []Member{
			Key("title", func(n *yaml.Node) { out.Title, out.errors = r.Text(n, "title"), r.Errors() }),
			Key("unit", func(n *yaml.Node) { out.Unit = r.Word(n, "unit", "gram", "ounce") }),
			Key("servings", func(n *yaml.Node) { out.Servings = r.Count(n, "servings") }),
			Key("vegan", func(n *yaml.Node) { out.Vegan = r.Flag(n, "vegan") }),
			Key("steps", func(n *yaml.Node) {
				r.List(n, "steps", func(item *yaml.Node) { out.Steps = append(out.Steps, r.Text(item, "a step")) })
			}),
			Key("oven", func(n *yaml.Node) {
				out.Oven = map[string]string{}
				r.Entries(n, "oven", func(_ *yaml.Node, name string, value *yaml.Node) { out.Oven[name] = value.Value })
			}),
		}
	})
	return out, err
}

func TestRead(t *testing.T) {
	t.Parallel()
	all := recipe{Title: "Bread", Unit: "gram", Servings: 4, Vegan: true, Steps: []string{"knead", "bake"}, Oven: map[string]string{"heat": "250", "yes": "fan"}}
	for name, test := range map[string]struct {
		src  string
		want recipe
	}{
		"every kind of value":           {"title: Bread\nunit: gram\nservings: 4\nvegan: yes\nsteps: [knead, bake]\noven: {heat: 250, yes: fan}\n", all},
		"JSON":                          {`{"title": "Bread", "unit": "gram", "servings": 4, "vegan": true, "steps": ["knead", "bake"], "oven": {"heat": "250", "yes": "fan"}}`, all},
		"nothing":                       {"", recipe{}},
		"a comment alone":               {"# later\n", recipe{}},
		"null":                          {"null\n", recipe{}},
		"empty documents around it":     {"---\n---\ntitle: Bread\n---\n# no more\n", recipe{Title: "Bread"}},
		"a key without a value":         {"title:\nservings: 2\n", recipe{Servings: 2}},
		"an alias of null":              {"oven: &none\ntitle: *none\n", recipe{}},
		"aliases":                       {"title: &word gram\nunit: *word\nsteps: [*word]\n", recipe{Title: "gram", Unit: "gram", Steps: []string{"gram"}}},
		"the largest number":            {"servings: 2147483647\n", recipe{Servings: 2147483647}},
		"an empty list":                 {"steps: []\n", recipe{}},
		"a word in quotes is that word": {"unit: 'ounce'\n", recipe{Unit: "ounce"}},
	} {
		got, err := readRecipe(test.src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, *got, cmp.AllowUnexported(recipe{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestReadRefuses: an error stands at its line, and all errors of a file are reported, in the order of the text.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const keys = "; known here: title, unit, servings, vegan, steps, oven"
	for name, test := range map[string]struct {
		src  string
		want []string
	}{
		"no mapping":            {"- title\n", []string{"1:1: the file must be a mapping, not a list"}},
		"an unknown key":        {"titel: Bread\n", []string{`1:1: unknown key "titel" (did you mean "title"?)` + keys}},
		"one that is like none": {"title: Bread\nprice: 3\n", []string{`2:1: unknown key "price"` + keys}},
		"a key twice":           {"unit: gram\nunit: ounce\n", []string{`2:1: "unit" is repeated here`}},
		"a key that is null":    {"~: 1\n", []string{"1:1: a key must be a name, not null"}},
		"a key that is a list":  {"? [title]\n: Bread\n", []string{"1:3: a key must be a name, not a list"}},
		"a merge key":           {"oven: &o {heat: 250}\n<<: *o\n", []string{"2:1: merge keys are not read here; write the entries out"}},
		"a second document":     {"title: Bread\n---\nunit: gram\n---\n- 3\n", []string{"3:1: a second document; the file may only have one", "5:1: a second document; the file may only have one"}},
		"text that does not parse, and nothing else of the file": {"titel: a\n---\nunit: [\n", []string{"3:1: a value is missing, or a bracket is never closed"}},

		"text: a number":       {"title: 7\n", []string{"1:8: title must be a string, not the number 7"}},
		"text: a float":        {"title: 1.5\n", []string{"1:8: title must be a string, not the number 1.5"}},
		"text: a boolean":      {"title: no\n", []string{"1:8: title must be a string, not the boolean no"}},
		"text: a mapping":      {"title: {a: b}\n", []string{"1:8: title must be a string, not a mapping"}},
		"text: an empty one":   {"title: ''\n", []string{"1:8: title is empty"}},
		"text: not of its tag": {"title: !!int seven\n", []string{"1:8: title must be a string, not a value that does not fit its tag"}},

		"word: another": {"unit: grams\n", []string{`1:7: unit cannot be "grams" (did you mean "gram"?); it is one of gram, ounce`}},
		"word: a list":  {"unit: [gram]\n", []string{"1:7: unit must be one of gram, ounce, not a list"}},

		"number: zero":     {"servings: 0\n", []string{"1:11: servings must be a number above 0, not the number 0"}},
		"number: too many": {"servings: 2147483648\n", []string{"1:11: servings must be a number above 0, not the number 2147483648"}},
		"number: a half":   {"servings: 1.5\n", []string{"1:11: servings must be a number above 0, not the number 1.5"}},
		"number: a string": {"servings: '4'\n", []string{"1:11: servings must be a number above 0, not a string"}},

		"boolean: a string": {"vegan: 'yes'\n", []string{"1:8: vegan must be true or false, not a string"}},
		"boolean: a list":   {"vegan: [yes]\n", []string{"1:8: vegan must be true or false, not a list"}},

		"list: a string":      {"steps: bake\n", []string{"1:8: steps must be a list, not a string"}},
		"list: null in it":    {"steps: [knead, ~]\n", []string{"1:16: a step must be a string, not null"}},
		"entries: a list":     {"oven: [heat]\n", []string{"1:7: oven must be a mapping, not a list"}},
		"several on one line": {"{servings: 0, unit: grams, titel: a}\n", []string{"1:12: servings must", "1:21: unit cannot", "1:28: unknown key"}},
		"several, in any order": {"steps:\n- 1\n- bake\n- 2\ntitle: ''\ncolour: red\n",
			[]string{"2:3: a step must", "4:3: a step must", "5:8: title is empty", "6:1: unknown key"}},
	} {
		_, err := readRecipe(test.src)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		got := strings.Split(err.Error(), "\n")
		if len(got) != len(test.want) {
			t.Errorf("%s: %d errors, want %d:\n%v", name, len(got), len(test.want), err)
			continue
		}
		for i, want := range test.want {
			if want = "recipe.yaml:" + want; got[i] != want && (len(got) == 1 || !strings.HasPrefix(got[i], want)) {
				t.Errorf("%s: got %s, want %s", name, got[i], want)
			}
		}
	}
}

// TestReadGoesOn: what is wrong counts, what is right is read nevertheless, and each error has its place for programs.
func TestReadGoesOn(t *testing.T) {
	t.Parallel()
	got, err := readRecipe("servings: none\nunit: pound\ntitle: Bread\n")
	if got.Title != "Bread" || got.errors != 2 || got.Servings != 1 || got.Unit != "" {
		t.Errorf("read %+v", got)
	}
	var all []string
	for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
		e := one.(*lint.FileError)
		all = append(all, fmt.Sprintf("%s %d %d", e.Path, e.Line, e.Column))
	}
	if diff := cmp.Diff([]string{"recipe.yaml 1 11", "recipe.yaml 2 7"}, all); diff != "" {
		t.Error(diff)
	}
}

// TestReadSorts: an error that turns up late, such as that of an entry which lacks something, comes where its line is.
func TestReadSorts(t *testing.T) {
	t.Parallel()
	var first *yaml.Node
	err := ReadStrictly("x", []byte("{a: 1, b: 2}\n"), func(r *Reader) []Member {
		return []Member{
			Key("a", func(n *yaml.Node) { first = n }),
			Key("b", func(n *yaml.Node) {
				r.Fail(n, "b comes second")
				r.Fail(first, "a comes first")
			}),
		}
	})
	if want := "x:1:5: a comes first\nx:1:11: b comes second"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
