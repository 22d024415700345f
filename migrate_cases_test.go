package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestMigrateCases carries the cases beside the repository, if there are any, and has their README say which exit code and which
// rules each has. Those with a webhook need python3.
func TestMigrateCases(t *testing.T) {
	folder := filepath.Join(corpus.Cases(), "migrate")
	inputs, _ := filepath.Glob(filepath.Join(folder, "*.in.*"))
	if len(inputs) == 0 {
		t.Skipf("no cases in %s: set CRDLIFT_CORPUS to a folder beside them", folder)
	}
	readme := read(t, filepath.Join(folder, "README.md"))
	_, noPython := exec.LookPath("python3")
	rules := regexp.MustCompile(`\b(?:migrate|object)-[a-z-]+`)
	for _, in := range inputs {
		name, _, _ := strings.Cut(filepath.Base(in), ".")
		t.Run(name, func(t *testing.T) {
			args := []string{"migrate", "--to", "v1", in}
			if name < "20" && !strings.HasPrefix(name, "13") {
				args = append(args, "--crds", filepath.Join(folder, "crd-things.yaml"), "--crds", filepath.Join(folder, "crd-widgets.yaml"))
			} else if noPython != nil {
				t.Skip(noPython)
			} else {
				port := somePort(t)
				args = append(args, "--crds", filepath.Join(folder, "crd-gadgets.yaml"), "--url", "http://127.0.0.1:"+port+"/convert",
					"--", "python3", filepath.Join(folder, "webhook.py"), port)
			}
			var stdout, stderr bytes.Buffer
			code := cli.Run(args, strings.NewReader(""), &stdout, &stderr)
			if want, err := os.ReadFile(strings.Replace(in, ".in.", ".want.", 1)); err != nil || stdout.String() != string(want) {
				t.Errorf("%v: the text is\n%s", err, &stdout)
			}
			_, row, found := strings.Cut(readme, "| "+name+" | ")
			row, _, _ = strings.Cut(row, "\n")
			if !found || !strings.HasPrefix(row, fmt.Sprintf("%d | ", code)) {
				t.Errorf("exit code %d, where the row is %q\n%s", code, row, &stderr)
			}
			want, got := rules.FindAllString(row, -1), rules.FindAllString(stderr.String(), -1)
			if !slices.Contains(want, "migrate-written") { // which its webhook has with every gadget
				got = slices.DeleteFunc(got, func(id string) bool { return id == "migrate-written" })
			}
			slices.Sort(want)
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("findings of %q, want %q\n%s", got, want, &stderr)
			}
		})
	}
}

// somePort is one at which nothing listens.
func somePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// TestAuditCases audits the dumps beside the repository, whose README says which rules each has.
func TestAuditCases(t *testing.T) {
	folder := filepath.Join(corpus.Cases(), "migrate")
	dumps, _ := filepath.Glob(filepath.Join(folder, "a[0-9]-*.yaml"))
	if len(dumps) == 0 {
		t.Skipf("no cases in %s: set CRDLIFT_CORPUS to a folder beside them", folder)
	}
	readme := read(t, filepath.Join(folder, "README.md"))
	rule := regexp.MustCompile(`(?m)\[([a-z-]+)\]$`)
	ids := regexp.MustCompile(`(?:^|, |; )([a-z]+-[a-z-]+) \S+ \(|(managed-fields-old) \(`)
	for _, dump := range dumps {
		name := strings.TrimSuffix(filepath.Base(dump), ".yaml")
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := cli.Run([]string{"audit", "-o", "short", dump}, strings.NewReader(""), &stdout, &stderr); code > 1 {
				t.Fatalf("exit code %d: %s", code, &stderr)
			}
			_, row, _ := strings.Cut(readme, "| "+name+" | ")
			row, _, _ = strings.Cut(row, "\n")
			got := rule.FindAllStringSubmatch(stdout.String(), -1)
			if len(got) == 0 {
				t.Errorf("no findings, where the row is %q", row)
			}
			for _, id := range got {
				if !strings.Contains(row, id[1]) {
					t.Errorf("a finding of %s, where the row is %q", id[1], row)
				}
			}
			for _, id := range ids.FindAllStringSubmatch(row, -1) {
				if want := id[1] + id[2]; !strings.Contains(stdout.String(), "["+want+"]") {
					t.Errorf("no finding of %s:\n%s", want, &stdout)
				}
			}
		})
	}
}
