package main

// Count is what testsum prints.
var Count = count

// Tiers are the lines that testsum prints about tiers.
func Tiers(s sum) string { return s.tiers.String() }
