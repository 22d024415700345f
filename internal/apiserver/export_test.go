package apiserver

// Unswap corrects an error of v0.21.14, which swaps the fields that OnCreate corrects.
var Unswap = unswap

// Rows lists the names of all rows.
func Rows() []Row {
	var names []Row
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}
