package ring

func odd(n int) bool { return n != 0 && even(n-1) }
