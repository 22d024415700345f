package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licences are those that a dependency may have, each with a sentence of its text. All allow to use, change and pass on
// the program, in source and binary form, at most on the condition that their text goes with it.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "apache license version 2.0, january 2004"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"BSD-2-Clause", "redistribution and use in source and binary forms"},
	{"BSD-3-Clause", "contributors may be used to endorse or promote products derived from this software without specific prior written permission"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software"},
}

// A dependency is a module, and whether its code is in the program or in tests only.
type dependency struct {
	Path, Version, Dir string
	shipped            bool
}

// dependencies lists the modules whose packages are built on any of the systems that there are releases for.
func dependencies(t *testing.T) []dependency {
	t.Helper()
	found := map[string]dependency{}
	list := func(shipped bool, system string, args ...string) {
		cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, args...)...)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v: %s", err, stderr.String())
		}
		for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if m := p.Module; m != nil && !m.Main {
				found[m.Path] = dependency{m.Path, m.Version, m.Dir, shipped || found[m.Path].shipped}
			}
		}
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list(true, system, ".")
	}
	list(false, "linux", "-test", "./...")
	var all []dependency
	for _, d := range found {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b dependency) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// licencesOf names the licences in the folder of a module. An unknown one is named by its file.
func licencesOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || strings.HasSuffix(name, ".SH") || strings.HasSuffix(name, ".GO") || !strings.Contains(name, "LICENSE") && !strings.Contains(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		found := licencesIn(readFile(t, filepath.Join(dir, e.Name())))
		if len(found) == 0 {
			found = []string{e.Name() + "?"}
		}
		all = append(all, found...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// licencesIn names the licences whose words are in a text.
func licencesIn(text string) []string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	var found []string
	for _, l := range licences {
		if strings.Contains(text, l.words) {
			found = append(found, l.name)
		}
	}
	if slices.Contains(found, "BSD-3-Clause") { // it has all of the other's text
		found = slices.DeleteFunc(found, func(name string) bool { return name == "BSD-2-Clause" })
	}
	return found
}

// webDependencies are rows for what web/go.mod requires by itself, and for the packages of npm.
func webDependencies(t *testing.T) string {
	t.Helper()
	var rows strings.Builder
	var required struct {
		Require []struct {
			Path, Version string
			Indirect      bool
		}
	}
	fromGo(t, &required, "mod", "edit", "-json")
	for _, r := range required.Require {
		if r.Indirect || strings.HasPrefix(r.Path, "github.com/crdlift/") {
			continue
		}
		var module struct{ Dir string }
		fromGo(t, &module, "mod", "download", "-json", r.Path+"@"+r.Version)
		found := licencesOf(t, module.Dir)
		if len(found) == 0 || slices.ContainsFunc(found, func(name string) bool { return strings.HasSuffix(name, "?") }) {
			t.Errorf("%s has no licence that is known: %v", r.Path, found)
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | building and testing |\n", r.Path, r.Version, strings.Join(found, ", "))
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev, Optional    bool
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join("web", "package-lock.json"))), &lock); err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		name, ok := strings.CutPrefix(path, "node_modules/")
		p := lock.Packages[path]
		if !ok || p.Optional {
			continue
		}
		if !slices.ContainsFunc(licences, func(l struct{ name, words string }) bool { return l.name == p.License }) {
			t.Errorf("%s has the licence %q, which is none of those that are allowed", name, p.License)
		}
		by := "the pages"
		if p.Dev {
			by = "building and testing"
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", name, p.Version, p.License, by)
	}
	return rows.String()
}

// fromGo reads what a go command says about the module in web.
func fromGo(t *testing.T, value any, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = "web"
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	if err := json.Unmarshal(out, value); err != nil {
		t.Fatal(err)
	}
}

// TestDependencies keeps docs/internals/dependencies.md up to date, and licences that nobody agreed to out.
func TestDependencies(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists the packages of three systems")
	}
	var page strings.Builder
	page.WriteString("# Dependencies\n\n<!-- generated: go test . -run Dependencies -update -->\n\n" +
		"The modules that the program is built from, on Linux, macOS and Windows, and those that only its tests need. Licences\n" +
		"are read from the modules' own files; only these are allowed: ")
	for i, l := range licences {
		if i > 0 {
			page.WriteString(", ")
		}
		page.WriteString(l.name)
	}
	page.WriteString(".\n\n| module | version | licence | used by |\n|---|---|---|---|\n")
	for _, d := range dependencies(t) {
		found := licencesOf(t, d.Dir)
		if len(found) == 0 || slices.ContainsFunc(found, func(name string) bool { return strings.HasSuffix(name, "?") }) {
			t.Errorf("%s has no licence that is known: %v", d.Path, found)
		}
		by := "tests"
		if d.shipped {
			by = "the program"
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s |\n", d.Path, d.Version, strings.Join(found, ", "), by)
	}
	page.WriteString("\n## The site and the playground\n\n" +
		"What they need besides: Go modules that make and test them, and packages of npm. esbuild brings a program for each system.\n\n" +
		"| module or package | version | licence | used by |\n|---|---|---|---|\n")
	page.WriteString(webDependencies(t))
	path := filepath.Join("docs", "internals", "dependencies.md")
	if *update {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if readFile(t, path) != page.String() {
		t.Errorf("%s is out of date; go test . -run Dependencies -update writes it anew", path)
	}
}

func TestLicencesIn(t *testing.T) {
	t.Parallel()
	if got := licencesIn(readFile(t, "LICENSE")); !slices.Equal(got, []string{"Apache-2.0"}) {
		t.Errorf("our own licence is %v", got)
	}
	if got := licencesIn("GNU GENERAL PUBLIC LICENSE Version 3"); got != nil {
		t.Errorf("a licence that is not allowed is %v", got)
	}
}
