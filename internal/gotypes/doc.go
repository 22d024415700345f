// Package gotypes answers where the Go types of a repository declare what a CustomResourceDefinition says: for a group,
// version and kind the struct, and for a path in its schema the field. It follows controller-gen, which writes most CRDs
// from such types, but reads source text only: it needs no Go toolchain, no type checking and no network, and runs
// nothing.
//
// It knows nothing of CRDs, of rules, or of what a marker means. Types that other modules declare are named, and not
// looked into, but for kinds that the repository does not declare at all. What was not read, because a limit was reached or a file is broken, is part of the answer.
//
// Read index.go first: an Index finds the repository around a manifest (tree.go, module.go) and, in it, the struct of a
// kind (kind.go, agree.go), or else in a module that it requires (required.go). place.go follows a path from there, by resolve.go, which finds what a type expression means,
// and member.go, which lists the JSON members of a struct; carrier.go decides what markers have to stand above.
// glance.go finds kinds by reading little. package.go, comment.go and file.go read the source; declaration.go and source.go give files to those who
// change them.
package gotypes
