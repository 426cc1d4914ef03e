package main

import "regexp"

// Options hold passwords. What looks like one, by its key or by its value, is masked even where options are asked for;
// better one mask too many.
var (
	secretKey   = regexp.MustCompile(`(?i)pass|pwd|secret|token|credential|private|jaas|auth|signature|cookie|session|(access|api|account|shared|encryption|storage|master|sas|ssl|key|trust)[-._]?key`)
	secretValue = regexp.MustCompile(`(?i)://[^/@\s]*@|(pass(word|wd)?|pwd|secret|token|signature|sig|accountkey|access[-_.]?key)["']?\s*[=:]`)
)

const mask = "***"

// masked gives the value of an option, or what stands in its place.
func masked(key, value string) string {
	if secretKey.MatchString(key) || secretValue.MatchString(value) {
		return mask
	}
	return value
}
