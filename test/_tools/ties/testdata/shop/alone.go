package shop

type Alone struct{ open bool }

func (a Alone) Close() bool { return a.open }
