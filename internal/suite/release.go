package suite

import "fmt"

// onReleases are the cases for each of the releases that suites are run for. Those that say themselves which one they are about run once.
func (r *Runner) onReleases(cases []*Case) (all []*Case) {
	for _, c := range cases {
		if c.Minor != 0 || len(r.Minors) == 0 {
			all = append(all, c)
			continue
		}
		for _, minor := range r.Minors {
			all = append(all, c.on(minor, len(r.Minors) > 1))
		}
	}
	return all
}

// on is a case, with those that follow it, on a release; if that is one of several, its name tells which: "size/accept/1@1.29".
func (c *Case) on(minor int, named bool) *Case {
	one := *c
	if one.Minor == 0 {
		one.Minor = minor
	}
	if named {
		one.plain = c.Name
		one.Name += fmt.Sprintf("@1.%d", minor)
	}
	one.Then = nil
	for _, next := range c.Then {
		one.Then = append(one.Then, next.on(minor, named))
	}
	return &one
}
