package main

import "strings"

const (
	searchSource = "search.js"        // in assets, from which npm bundles
	searchScript = "assets/search.js" // of the site
	searchIndex  = "assets/search.json"
)

// An entry is what a search can find: a rule, or a section of the documentation.
type entry struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	Address string `json:"address"` // below the site's
	Kind    string `json:"kind"`
	Text    string `json:"text"`
	Was     string `json:"was,omitempty"` // earlier ids of a rule
}

// addSearch adds the page that searches and what it searches.
func (s *site) addSearch() error {
	for i := range s.entries {
		s.entries[i].ID = i
		s.entries[i].Text = strings.Join(strings.Fields(s.entries[i].Text), " ")
	}
	if err := s.addJSON(searchIndex, s.entries); err != nil {
		return err
	}
	return s.addPage(&page{Path: "search/", Kind: "search", Title: "Search", Description: "Search the rules and the documentation of crdlift.", Script: searchScript})
}
