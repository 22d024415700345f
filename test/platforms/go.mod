module github.com/crdlift/crdlift/test/platforms

go 1.26
