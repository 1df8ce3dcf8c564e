package main

// Run is the command.
var Run = run
