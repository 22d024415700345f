package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// versions are what visitors can switch between: main and, of each minor version, its newest release. Each release has a folder
// with a site of its own below that of main; .github/workflows/site.yml builds them all whenever there is a new one, so that
// each knows of the others.
type versions struct {
	Here     string             `json:"here"` // the one that this site is of
	Versions []publishedVersion `json:"versions"`
}

type publishedVersion struct {
	Name    string `json:"name"`
	Tag     string `json:"tag,omitempty"` // that it is built from; "" for main
	Address string `json:"address"`       // from the root of this site
}

// latest is the name of what is built from main, at the addresses that findings name.
const latest = "latest"

// released is the tag of a release that is no preview.
var released = regexp.MustCompile(`^v([0-9]+)\.([0-9]+)\.([0-9]+)$`)

// versionsOf lists the versions of tags, one a line, the newest first; nil without a release.
func versionsOf(tags, here string) *versions {
	var all [][]string
	number := func(of []string, i int) int { n, _ := strconv.Atoi(of[i]); return n } // of digits
	for tag := range strings.FieldsSeq(tags) {
		if m := released.FindStringSubmatch(tag); m != nil {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b []string) int {
		for i := 1; i <= 3; i++ {
			if d := number(b, i) - number(a, i); d != 0 {
				return d
			}
		}
		return 0
	})
	out, root := &versions{Here: latest}, "./"
	if here != "" {
		out.Here, root = here, "../"
	}
	out.Versions = []publishedVersion{{latest, "", root}}
	for _, m := range all {
		name := "v" + m[1] + "." + m[2]
		if !slices.ContainsFunc(out.Versions, func(v publishedVersion) bool { return v.Name == name }) {
			out.Versions = append(out.Versions, publishedVersion{name, m[0], strings.TrimPrefix(root, "./") + name + "/"})
		}
	}
	return out
}

// addVersions adds the list of versions, which the workflow that publishes them reads.
func (s *site) addVersions() (err error) {
	if s.versions != nil {
		s.files["versions.json"], err = json.MarshalIndent(s.versions, "", "  ")
	}
	return err
}

// Version is the version of the site, with the others; nil before the first release.
func (p *page) Version() *versions { return p.versions }

// In is where the part of the site that a page is in begins in another version, which need not have the page.
func (v publishedVersion) In(p *page) string {
	for _, part := range []string{rulesPath, "docs/", playgroundPath} {
		if p.In(part) {
			return p.To(v.Address + part)
		}
	}
	return p.To(v.Address)
}
