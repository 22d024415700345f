module example.com/gears

go 1.24
