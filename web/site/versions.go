package main

import (
	"encoding/json"
	"regexp"
	"slices"
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
var released = regexp.MustCompile(`^(v[0-9]+\.[0-9]+)\.[0-9]+$`)

// versionsOf lists the versions of tags, the newest first; nil without a release.
func versionsOf(tags []string, here string) *versions {
	out, root := &versions{Here: latest}, ""
	if here != "" {
		out.Here, root = here, "../"
	}
	for _, tag := range tags {
		m := released.FindStringSubmatch(tag)
		if m != nil && !slices.ContainsFunc(out.Versions, func(v publishedVersion) bool { return v.Name == m[1] }) {
			out.Versions = append(out.Versions, publishedVersion{m[1], tag, root + m[1] + "/"})
		}
	}
	if len(out.Versions) == 0 {
		return nil
	}
	out.Versions = slices.Insert(out.Versions, 0, publishedVersion{latest, "", root})
	return out
}

// addVersions adds the list of versions, which the workflow that publishes them reads.
func (s *site) addVersions() (err error) {
	if s.versions != nil {
		s.files["versions.json"], err = json.MarshalIndent(s.versions, "", "  ")
	}
	return err
}

// onGitHub is where a file or a folder of the repository can be seen as it was when the site was made.
func (s *site) onGitHub(view, name string) string {
	revision := "main"
	if s.versions != nil {
		for _, v := range s.versions.Versions {
			if v.Name == s.versions.Here && v.Tag != "" {
				revision = v.Tag
			}
		}
	}
	return repository + "/" + view + "/" + revision + "/" + name
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
