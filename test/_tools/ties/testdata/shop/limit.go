package shop

import "strings"

var limit = strings.Count("a,b", ",")
