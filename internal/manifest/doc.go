// Package manifest reads files of Kubernetes manifests: it finds the documents of a file and the position of each of
// their nodes. Package rewrite writes changed trees back.
//
// A File is split into Documents; each document is parsed into kyaml nodes, which callers change as they like. A node
// remembers where it came from by its Line and Column, which kyaml's own Copy keeps; nodes made anew have neither. Lines of
// nodes count from the start of the file, so that they also tell two documents apart.
//
// The package knows nothing about what the documents mean, CustomResourceDefinition or not.
//
// Read file.go first. parse.go makes documents of a text, by split.go, json.go, and syntax.go for
// errors. layout.go holds the positions of a document's nodes; origins.go and measure.go determine them, position.go
// and comment.go answer with it. open.go reads Helm templates as well, by package template.
package manifest
