// Package shop has files that use each other in each of the ways that make a tie, and one that does not.
package shop

type Shop struct{ open bool }

func (s *Shop) Close() { s.open = limit > 0 }
