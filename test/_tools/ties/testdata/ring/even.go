// Package ring has two files that use each other.
package ring

func even(n int) bool { return n == 0 || odd(n-1) }

func Even(n int) bool { return even(n) }
