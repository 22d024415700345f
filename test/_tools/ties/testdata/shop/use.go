package shop

func Use(limit int) bool {
	s := new(Shop)
	s.Close()
	return s.open && limit > 0
}
