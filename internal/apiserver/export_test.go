package apiserver

// Unswap mends an error of v0.21.14, which mixes up what OnCreate mends.
var Unswap = unswap

// Rows lists the names of all rows.
func Rows() []Row {
	var names []Row
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}
