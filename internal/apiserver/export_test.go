package apiserver

import "k8s.io/apimachinery/pkg/util/validation/field"

// RowID is the catalogue's id of an error, "" when it has none.
func RowID(err *field.Error) string { return rowOf(err).id }

// Unswap mends an error of v0.21.14, which mixes up what OnCreate mends.
var Unswap = unswap

// Rows lists the catalogue's ids that errors are mapped to.
func Rows() []string {
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.id)
	}
	return ids
}
