package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// TestUnion has jq run the program, and a shell the commands that it prints with another kubectl, and compares the patches with the
// unions that servers would make.
func TestUnion(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"jq", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	var items []any
	want := map[string]map[string]*fieldpath.Set{}
	for i := range 60 {
		name := fmt.Sprint("o", i)
		metadata := map[string]any{"name": name, "resourceVersion": fmt.Sprint(i)}
		if i%2 == 0 {
			metadata["namespace"] = "it's"
		}
		var entries []any
		unions, old := map[string]*fieldpath.Set{}, false
		for range random.IntN(5) {
			set := someFields(random)
			text, err := set.ToJSON()
			if err != nil {
				t.Fatal(err)
			}
			manager, version := fmt.Sprint("m", random.IntN(2)), fmt.Sprint("v", random.IntN(2))
			old = old || version != "v1"
			entries = append(entries, map[string]any{"manager": manager, "operation": "Update", "apiVersion": "example.com/" + version, "fieldsType": "FieldsV1", "fieldsV1": json.RawMessage(text)})
			if unions[manager] == nil {
				unions[manager] = fieldpath.NewSet()
			}
			unions[manager] = unions[manager].Union(set)
		}
		if metadata["managedFields"] = entries; entries == nil {
			delete(metadata, "managedFields")
		}
		items = append(items, map[string]any{"metadata": metadata})
		if old {
			want[name] = unions
		}
	}
	list, err := json.Marshal(map[string]any{"items": items})
	if err != nil {
		t.Fatal(err)
	}
	commands := RewriteManaged("cat", "foos.example.com", "example.com/v1")
	commands[1] = strings.Replace(commands[1], " --output json --show-managed-fields", "", 1)
	commands[1] = strings.Replace(commands[1], "| sh", `| { echo 'kubectl() { cat; printf "\t%s\n" "$*"; }'; cat; } | sh`, 1)
	run := exec.Command("sh", "-c", strings.Join(commands, "\n"))
	run.Stdin = bytes.NewReader(list)
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		patch, command, _ := strings.Cut(line, "\t")
		words := strings.Fields(command)
		name := words[2]
		if want[name] == nil || strings.Contains(command, "--namespace it's") != (name[len(name)-1]%2 == 0) {
			t.Errorf("%q is not wanted", command)
			continue
		}
		var operations []struct {
			Op, Path string
			Value    json.RawMessage
		}
		var entries []struct {
			Manager, APIVersion string
			FieldsV1            json.RawMessage
		}
		if err := json.Unmarshal([]byte(patch), &operations); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(operations[1].Value, &entries); err != nil {
			t.Fatal(err)
		}
		if test := operations[0]; test.Op != "test" || test.Path != "/metadata/resourceVersion" || string(test.Value) != fmt.Sprintf("%q", name[1:]) {
			t.Errorf("%s: the test is %v", name, test)
		}
		if len(entries) != len(want[name]) {
			t.Errorf("%s has %d entries, want %d", name, len(entries), len(want[name]))
		}
		for _, e := range entries {
			set := fieldpath.NewSet()
			if err := set.FromJSON(bytes.NewReader(e.FieldsV1)); err != nil {
				t.Fatal(err)
			}
			if union := want[name][e.Manager]; e.APIVersion != "example.com/v1" || union == nil || !set.Equals(union) {
				t.Errorf("%s: %s at %s has\n%swant\n%s", name, e.Manager, e.APIVersion, set, union)
			}
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d objects are not patched", len(want))
	}
}

// TestUnionOnPage holds the page of the rule to the commands.
func TestUnionOnPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../rules/testdata/upgrade/managed-fields-gone/page.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := RewriteManaged("kubectl get volumes.example.com --all-namespaces", "volumes.example.com", "example.com/v1")
	if want := "```sh\n" + strings.Join(commands, "\n") + "\n```\n"; !strings.Contains(string(page), want) {
		t.Errorf("the page does not have\n%s", want)
	}
}

// someFields are fields of which some are in others that are meant as well.
func someFields(random *rand.Rand) *fieldpath.Set {
	set := fieldpath.NewSet()
	for range 1 + random.IntN(6) {
		path := fieldpath.Path{}
		for range 1 + random.IntN(3) {
			path = append(path, fieldpath.MakePathOrDie([]any{"a", "b", ".", fieldpath.KeyByFields("k", int64(1))}[random.IntN(4)])...)
		}
		set.Insert(path)
	}
	return set
}
