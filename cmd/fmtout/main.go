package main

import "github.com/seed-69e58989/flinkread/internal/command"

func main() { command.Main(run) }
