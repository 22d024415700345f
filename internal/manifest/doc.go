// Package manifest reads files of Kubernetes manifests: it answers which documents a file has, and where each of their
// nodes stands. Writing a changed tree back is package rewrite's.
//
// A File is split into Documents; each document is parsed into kyaml nodes, which callers change as they like. A node
// remembers where it came from by its Line and Column, which kyaml's own Copy keeps; nodes made anew have neither. Lines of
// nodes count from the start of the file, so that they also tell two documents apart.
//
// The package knows nothing about what the documents mean, CustomResourceDefinition or not.
//
// Read file.go first. parse.go makes documents of a text, by split.go, json_reader.go with json.go, and syntax.go for what
// does not parse. layout.go is where the nodes of a document stand; origins.go and measure.go find that out, position.go and
// comment.go answer with it. template.go tells files that are no manifests before they are rendered.
package manifest
