// Package web is the site of crdlift: its pages, and the playground, which is crdlift in a browser's tab.
//
// The folder is a module of its own, so that the program does not depend on what makes the site.
package web
