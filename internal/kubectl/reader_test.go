package kubectl

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestMain makes a kubectl of the test program: fake FOLDER get --raw PATH answers what FOLDER/answers.json has for PATH, and notes in
// FOLDER/log what it was given.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "fake" {
		os.Exit(m.Run())
	}
	os.Exit(fake(os.Args[2], os.Args[3:]))
}

// An answered is what the fake does for a path.
type answered struct {
	Out, Complaint string
	Hangs          bool
	Repeat         int // how often it prints Out; 0 for once, -1 for until it is ended
	Times          int // how often it says that; 0 for always. Then it says Next.
	Next           *answered
}

func fake(folder string, args []string) int {
	file, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(file, strings.Join(args, " "))
	file.Close()
	text, err := os.ReadFile(filepath.Join(folder, "answers.json"))
	if err != nil {
		panic(err)
	}
	answers := map[string]*answered{}
	if err := json.Unmarshal(text, &answers); err != nil {
		panic(err)
	}
	path := args[len(args)-1]
	a, known := answers[path]
	if !known {
		fmt.Fprintln(os.Stderr, "Error from server (NotFound): the server could not find the requested resource")
		return 1
	}
	log, _ := os.ReadFile(filepath.Join(folder, "log"))
	if a.Times > 0 && strings.Count(string(log), "--raw "+path+"\n") > a.Times {
		a = a.Next
	}
	if a.Hangs {
		time.Sleep(time.Minute)
	}
	for i := 0; i == 0 || i != a.Repeat && (i < a.Repeat || a.Repeat < 0); i++ {
		if _, err := os.Stdout.WriteString(a.Out); err != nil {
			return 1
		}
	}
	if a.Complaint != "" {
		fmt.Fprint(os.Stderr, a.Complaint)
		return 1
	}
	return 0
}

const (
	crdsPath    = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=500&continue="
	widgetsPath = "/apis/example.com/v2/widgets?limit=500&continue="
	servicePath = "/api/v1/namespaces/prod/services/hook"
	slicesPath  = "/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dhook"
	groupPath   = "/apis/storagemigration.k8s.io"
	movesPath   = "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations?limit=500&continue="
	forbidden   = "Error from server (Forbidden): widgets.example.com is forbidden: User \"u\" cannot list\n"
)

// aCRD is one as a list has it: v1 and v2 are served, and v2 is stored.
func aCRD(kind, group, more string) string {
	plural := strings.ToLower(kind) + "s"
	return fmt.Sprintf(`{"metadata":{"name":"%s.%s"},"spec":{"group":%q,"scope":"Namespaced","names":{"kind":%q,"plural":%q},`+
		`"versions":[{"name":"v1","served":true},{"name":"v2","served":true,"storage":true}]%s},`+
		`"status":{"conditions":[{"type":"NamesAccepted","status":"True"},{"type":"Established","status":"True"}]}}`, plural, group, group, kind, plural, more)
}

const hook = `,"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"prod","name":"hook"}}}}`

func list(apiVersion, kind, metadata string, items ...string) *answered {
	return &answered{Out: fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{%s},"items":[%s]}`+"\n", apiVersion, kind, metadata, strings.Join(items, ","))}
}

func crdList(items ...string) *answered {
	return list("apiextensions.k8s.io/v1", "CustomResourceDefinitionList", "", items...)
}

func widget(name string) string {
	return fmt.Sprintf(`{"apiVersion": "example.com/v2", "kind": "Widget",`+"\n"+`"metadata":{"name":%q}}`, name)
}

func widgetList(metadata string, names ...string) *answered {
	a := list("example.com/v2", "WidgetList", metadata)
	for i, name := range names {
		names[i] = widget(name)
	}
	a.Out = strings.Replace(a.Out, `"items":[]`, `"items":[`+strings.Join(names, ",")+"]", 1)
	return a
}

// healthy are the answers of a cluster with one kind, a webhook, and a migration.
func healthy() map[string]*answered {
	return map[string]*answered{
		"/version":                             {Out: `{"gitVersion":"v1.37.2"}`},
		crdsPath:                               crdList(aCRD("Widget", "example.com", hook)),
		widgetsPath:                            widgetList("", "a"),
		servicePath:                            {Out: `{"kind":"Service","apiVersion":"v1","metadata":{"name":"hook"}}`},
		slicesPath:                             list("discovery.k8s.io/v1", "EndpointSliceList", "", `{"metadata":{"name":"hook-1"}}`),
		groupPath:                              {Out: `{"preferredVersion":{"groupVersion":"storagemigration.k8s.io/v1beta1"}}`},
		movesPath:                              list("storagemigration.k8s.io/v1beta1", "StorageVersionMigrationList", "", `{"metadata":{"name":"m"}}`),
		"/apis/example.com/v1/widgets?limit=1": list("example.com/v1", "WidgetList", ""),
	}
}

// all is what a dump of the healthy cluster has, but for what is not read.
var all = []string{
	"CustomResourceDefinition widgets.example.com", "Widget a", "Service hook", "EndpointSlice hook-1", "StorageVersionMigration m",
}

// The requests of the healthy cluster, in order.
var asked = []string{"/version", crdsPath, widgetsPath, servicePath, slicesPath, groupPath, movesPath}

// TestRead reads clusters, and compares what the command is given, what the dump has, and the error.
func TestRead(t *testing.T) {
	t.Parallel()
	next := widgetsPath + "a%2Bb"
	large, tooMuch := strings.Replace(widgetsPath, "500", "50", 1), &answered{Out: strings.Repeat(" ", 1<<16), Repeat: 1 << 9}
	late := "the response is not from an API server"
	for name, test := range map[string]struct {
		reader  Reader
		answers map[string]*answered // besides those of the healthy cluster; nil for a path that is not there
		asked   []string             // nil for not compared
		has     []string             // nil for the same as the healthy one
		err     string
		notes   string
	}{
		"all is there": {asked: asked},
		"a probe": {
			reader: Reader{Probe: true}, asked: append(asked[:len(asked):len(asked)], "/apis/example.com/v1/widgets?limit=1"),
		},
		"a probe that fails": {
			reader:  Reader{Probe: true},
			answers: map[string]*answered{"/apis/example.com/v1/widgets?limit=1": {Complaint: "Error from server: conversion webhook failed\n"}},
			has:     append(all[:5:5], "! widgets.example.com/v1: Error from server: conversion webhook failed"),
		},
		"only CRDs": {
			reader: Reader{SkipObjects: true, Probe: false}, has: []string{all[0], "! widgets.example.com: --skip-objects", all[2], all[3], all[4]},
			asked: []string{"/version", crdsPath, servicePath, slicesPath, groupPath, movesPath},
		},
		"a namespace": {
			reader: Reader{Namespace: "a b"}, answers: map[string]*answered{
				crdsPath: crdList(aCRD("Widget", "example.com", ""), strings.Replace(aCRD("Gadget", "example.com", ""), "Namespaced", "Cluster", 1)),
				"/apis/example.com/v2/namespaces/a%20b/widgets?limit=500&continue=": widgetList("", "b"),
			}, has: []string{all[0], "CustomResourceDefinition gadgets.example.com", "! gadgets.example.com: --namespace", "Widget b", all[4]},
		},
		"a group": {
			reader: Reader{Groups: []string{"other.com", "example.com"}}, answers: map[string]*answered{
				crdsPath: crdList(aCRD("Widget", "example.com", ""), aCRD("Widget", "example.org", hook)),
			}, has: []string{all[0], all[1], all[4]},
		},
		"kinds that are not served": {
			answers: map[string]*answered{crdsPath: crdList(
				strings.Replace(aCRD("A", "example.com", ""), `"NamesAccepted","status":"True"`, `"NamesAccepted","status":"False"`, 1),
				strings.Replace(aCRD("B", "example.com", ""), `"Established","status":"True"`, `"Established","status":"False"`, 1),
				strings.ReplaceAll(aCRD("C", "example.com", ""), `"served":true`, `"served":false`),
				strings.Replace(aCRD("Widget", "example.org", ""), `"served":true,"storage"`, `"served":false,"storage"`, 1)),
				"/apis/example.org/v1/widgets?limit=500&continue=": widgetList("", "a"),
			},
			has: []string{
				"CustomResourceDefinition as.example.com", "CustomResourceDefinition bs.example.com", "CustomResourceDefinition cs.example.com",
				"CustomResourceDefinition widgets.example.org",
				"! as.example.com: its names are not accepted, so the server does not serve it",
				"! bs.example.com: it is not established, so the server does not serve it", "! cs.example.com: no version of it is served", all[1], all[4],
			},
		},
		"pages": {
			answers: map[string]*answered{widgetsPath: widgetList(`"continue":"a+b","remainingItemCount":1`, "a", "b"), next: widgetList("", "c")},
			has:     []string{all[0], all[1], "Widget b", "Widget c", all[2], all[3], all[4]}, notes: "3 of 4",
		},
		"a list whose rest is gone once": {
			answers: map[string]*answered{
				widgetsPath: {Out: widgetList(`"continue":"a+b"`, "a", "b").Out, Times: 1, Next: widgetList("", "c")},
				next:        {Complaint: "Error from server (Expired): The provided continue parameter is too old\n"},
			},
			has: []string{all[0], "Widget c", all[2], all[3], all[4]}, notes: "/apis/example.com/v2/widgets is read again",
		},
		"a list whose rest is gone again": {
			answers: map[string]*answered{widgetsPath: widgetList(`"continue":"a+b"`, "a", "b"), next: {Complaint: "Error from server (Gone): too old\n"}},
			has:     []string{all[0], all[1], "Widget b", "! widgets.example.com: only 2 of it were read: Error from server (Gone): too old", all[2], all[3], all[4]},
		},
		"what is forbidden": {
			answers: map[string]*answered{
				"/version": {Complaint: forbidden}, widgetsPath: {Complaint: "W1128 a warning\n" + forbidden + "\n"}, servicePath: {Complaint: forbidden},
				slicesPath: {Complaint: forbidden}, movesPath: {Complaint: forbidden},
			},
			has: []string{
				all[0], `! widgets.example.com: ` + forbidden[:len(forbidden)-1], `! services/prod/hook: ` + forbidden[:len(forbidden)-1],
				`! endpointslices/prod/hook: ` + forbidden[:len(forbidden)-1], `! storageversionmigrations: ` + forbidden[:len(forbidden)-1],
			},
		},
		"no service":   {answers: map[string]*answered{servicePath: nil}, has: []string{all[0], all[1], "absent services/prod/hook", all[4]}},
		"no endpoints": {answers: map[string]*answered{slicesPath: list("discovery.k8s.io/v1", "EndpointSliceList", "")}, has: []string{all[0], all[1], all[2], "absent endpointslices/prod/hook", all[4]}},
		"no migrations": {
			answers: map[string]*answered{groupPath: nil}, has: all[:4], asked: asked[:6],
		},
		"a kind that hangs": {
			reader: Reader{Patience: time.Second}, answers: map[string]*answered{widgetsPath: {Hangs: true}},
			has: []string{all[0], "! widgets.example.com: there was no response within 1s; raise --timeout", all[2], all[3], all[4]},
		},
		"garbage in place of objects": {
			answers: map[string]*answered{
				widgetsPath: {Out: `{"items":[`}, servicePath: {Out: `<html>`}, slicesPath: {Out: `{"kind":"Status"}`}, movesPath: list("", "", "", `{"metadata":{"name":"x"}}`, `1`),
			},
			has: []string{all[0], "! widgets.example.com: " + late, "! services/prod/hook: " + late, "absent endpointslices/prod/hook", "! storageversionmigrations: the response is not a list of objects"},
		},
		"no list": {answers: map[string]*answered{widgetsPath: {Out: `{"kind":"Status"}`}}, has: []string{all[0], "! widgets.example.com: the response is not a list", all[2], all[3], all[4]}},
		"no CRDs": {answers: map[string]*answered{crdsPath: {Complaint: forbidden}}, err: "the CRDs cannot be read (Error from server (Forbidden)"},
		"an answer without an end": {
			answers: map[string]*answered{servicePath: {Out: strings.Repeat(" ", 1<<16), Repeat: -1}},
			has:     []string{all[0], all[1], "! services/prod/hook: the response is longer than 16 MiB", all[3], all[4]},
		},
		"large objects": {
			answers: map[string]*answered{
				widgetsPath: {Out: strings.Repeat(" ", 1<<16), Repeat: 1 << 10}, large: widgetList(`"continue":"a+b"`, "a"), large + "a%2Bb": widgetList("", "b"),
			},
			has: []string{all[0], all[1], "Widget b", all[2], all[3], all[4]},
		},
		"a kind of too large objects": {
			answers: map[string]*answered{widgetsPath: tooMuch, large: tooMuch, strings.Replace(large, "50", "5", 1): tooMuch, strings.Replace(large, "50", "1", 1): tooMuch},
			has:     []string{all[0], "! widgets.example.com: the response is longer than 16 MiB", all[2], all[3], all[4]},
		},
		"credentials in complaints": {
			answers: map[string]*answered{
				widgetsPath: {Complaint: strings.Repeat("token: SECRET\n", 1<<14)}, servicePath: {Complaint: "Unable to connect to the server: https://me:SECRET@example.com\n"},
			},
			has: []string{
				all[0], "! widgets.example.com: exit status 1; run it yourself to see why",
				"! services/prod/hook: Unable to connect to the server: https://***@example.com", all[3], all[4],
			},
		},
		"no server":     {answers: map[string]*answered{"/version": {Complaint: "The connection to the server was refused\n"}}, err: "get --raw /version: The connection to the server was refused"},
		"not a kubectl": {answers: map[string]*answered{"/version": {Out: "kubectl 1\n"}}, err: "get --raw /version: " + late},
		"another one":   {answers: map[string]*answered{"/version": {Out: "{}"}}, err: "name a kubectl after --"},
		"no command":    {reader: Reader{Command: []string{"./missing-kubectl"}}, err: "./missing-kubectl cannot be run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			answers := healthy()
			for path, a := range test.answers {
				if answers[path] = a; a == nil {
					delete(answers, path)
				}
			}
			text, err := json.Marshal(answers)
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, "answers.json"), text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			r, notes := test.reader, []string{}
			if r.Command == nil {
				r.Command = []string{os.Args[0], "fake", folder}
			}
			if r.Patience == 0 {
				r.Patience = time.Minute
			}
			r.Unread = func(what, why string, absent bool) any {
				return map[string]any{"kind": "Unread", "what": what, "why": why, "absent": absent}
			}
			r.Note = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
			r.Progress = func(done, of int) { notes = append(notes, fmt.Sprint(done, " of ", of)) }
			file, err := os.Create(filepath.Join(folder, "dump"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			err = r.Read(t.Context(), file)
			given := requests(t, folder)
			if test.asked != nil && !reflect.DeepEqual(given, test.asked) {
				t.Errorf("the requests are\n%s\nwant\n%s", strings.Join(given, "\n"), strings.Join(test.asked, "\n"))
			}
			if !strings.Contains(strings.Join(notes, "\n"), test.notes) {
				t.Errorf("it notes %q, want %q", notes, test.notes)
			}
			if test.err != "" || err != nil {
				if err == nil || test.err == "" || !strings.Contains(err.Error(), test.err) {
					t.Errorf("the error is %v, want %q", err, test.err)
				}
				return
			}
			if test.has == nil {
				test.has = all
			}
			if has := dumped(t, file); !reflect.DeepEqual(has, test.has) {
				t.Errorf("the dump has\n%s\nwant\n%s", strings.Join(has, "\n"), strings.Join(test.has, "\n"))
			}
		})
	}
}

// requests are the paths that the fake was asked for. It must never be given anything else.
func requests(t *testing.T, folder string) (paths []string) {
	log, _ := os.ReadFile(filepath.Join(folder, "log"))
	for line := range strings.Lines(string(log)) {
		path, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "get --raw ")
		if !is || strings.Contains(path, " ") {
			t.Errorf("the command is given %q", line)
		}
		paths = append(paths, path)
	}
	return paths
}

// dumped are the objects of a dump, each in a line of its own.
func dumped(t *testing.T, from *os.File) (objects []string) {
	lines := bufio.NewScanner(from)
	whole := ""
	for n := 0; lines.Scan(); n++ {
		whole += lines.Text() + "\n"
		var o struct {
			APIVersion, Kind, What, Why string
			Absent                      bool
			Metadata                    struct{ Name string }
		}
		if n == 0 || strings.HasPrefix(lines.Text(), "]") {
			continue
		}
		if err := json.Unmarshal([]byte(strings.TrimSuffix(lines.Text(), ",")), &o); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		switch {
		case o.Absent:
			objects = append(objects, "absent "+o.What)
		case o.Kind == "Unread":
			objects = append(objects, "! "+o.What+": "+o.Why)
		default:
			if o.APIVersion == "" {
				t.Errorf("%s has no apiVersion", lines.Text())
			}
			objects = append(objects, o.Kind+" "+o.Metadata.Name)
		}
	}
	if !json.Valid([]byte(whole)) {
		t.Errorf("the dump is not JSON:\n%s", whole)
	}
	return objects
}

// TestOnlyReads holds the source to the one way in which the command is given arguments.
func TestOnlyReads(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	runs := regexp.MustCompile(`exec\.Command.*`)
	var found []string
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, "_test.go") {
			found = append(found, runs.FindAllString(string(text), -1)...)
		}
	}
	want := []string{`exec.CommandContext(timed, r.Command[0], append(r.Command[1:len(r.Command):len(r.Command)], "get", "--raw", path)...)`}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("the command is run by\n%s", strings.Join(found, "\n"))
	}
}
