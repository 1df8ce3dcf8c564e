package main

// Sign is the command without its process.
var Sign = sign
