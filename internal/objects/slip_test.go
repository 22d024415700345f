package objects

import "testing"

// TestSlip: a group that is misspelt is told from another one.
func TestSlip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		group, meant string
		want         bool
	}{
		{"exmple.com", "example.com", true},
		{"Example.com", "example.com", true},
		{"example.con", "example.com", true},
		{"databases.exampel.com", "databases.example.com", true},
		{"databasesexample.com", "databases.example.com", true},
		{"database.example.com", "databases.example.com", true},
		{"ecs.example.com", "eks.example.com", false},
		{"apps.example.com", "apis.example.com", false},
		{"example.org", "example.com", false},
		{"exmple.con", "example.com", false},
		{"x.example.com", "example.com", false},
		{"orders.example.com", "devices.example.com", false},
	} {
		if got := isSlip(c.group, c.meant); got != c.want {
			t.Errorf("%s for %s: %v", c.group, c.meant, got)
		}
	}
}
