package main

import "regexp"

// Options hold passwords. What looks like one, by its key or by its value, is masked even where options are asked for;
// better one mask too many.
var (
	secretKey   = regexp.MustCompile(`(?i)pass|pwd|secret|token|credential|private|jaas|auth|signature|cookie|session|license|user[-._]?info|webhook|keytab|(^|[-._])(pw|pin)([-._]|$)|(access|api|account|shared|encryption|storage|master|sas|ssl|ssh|key|trust|functions)[-._]?key|(aws|[-._])[-._]?key$`)
	secretValue = regexp.MustCompile(`(?i)://[^@\s]*@|^jdbc:[^@\s]*@|^[^/@\s]+:[^@\s]+@|-----BEGIN|\b(AKIA|ASIA)[A-Z0-9]{16}|\beyJ[\w-]+\.|\b(bearer|basic)\s+\S|hooks\.|\b(sk|ghp|gho|glpat|xox[bp])[-_]\w{8}|(pass\w*|pwd|secret|token|sig(nature)?|auth\w*|credential\w*|[\w-]*key)["']?\s*[=:]`)
)

const mask = "***"

// masked gives the value of an option, or what stands in its place.
func masked(key, value string) string {
	if secretKey.MatchString(key) || secretValue.MatchString(value) {
		return mask
	}
	return value
}
