// The tests of crdlift migrate with the conversions of other projects, in a module of its own as they take long: the projects' code is
// built by the modules below this one, and is no part of crdlift.
module github.com/crdlift/crdlift/test/converters

go 1.26.0
