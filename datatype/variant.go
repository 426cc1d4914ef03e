package datatype

// jsonEnds holds where the JSON values in a text end, for each place where one may begin. A VARIANT is printed as JSON, and
// inside an array or row it may have to be looked for at every place of the text. Looking at each place anew would take
// the square of the text's length (think of a string of nothing but \"), so the places are filled in from the last to the
// first, each by what is known of those behind it.
type jsonEnds struct {
	text string
	// These are indexed by place and give a later one, or 0 if what they look for is not there.
	blank   []int32 // the next place that is not white space
	digits  []int32 // behind the digits that stand here
	quoted  []int32 // behind the string in which this place is
	value   []int32 // behind the value that begins here
	element []int32 // behind the array in which an element begins here
	member  []int32 // behind the object in which a member begins here
	// These are how deep the value, the rest of the array and the rest of the object nest.
	heights, elements, members []uint8
}

// jsonEndsSize is what jsonEnds takes for each byte of the text.
const jsonEndsSize = 6*4 + 3

func newJSONEnds(text string) *jsonEnds {
	const ahead = 6 // the longest step: the escape of a character by its number
	n := len(text) + ahead
	ends, heights := make([]int32, 6*n), make([]uint8, 3*n)
	j := &jsonEnds{
		text:  text,
		blank: ends[:n], digits: ends[n : 2*n], quoted: ends[2*n : 3*n], value: ends[3*n : 4*n], element: ends[4*n : 5*n], member: ends[5*n:],
		heights: heights[:n], elements: heights[n : 2*n], members: heights[2*n:],
	}
	j.blank[len(text)] = int32(len(text))
	for pos := len(text) - 1; pos >= 0; pos-- {
		j.fill(pos)
	}
	return j
}

// end gives where the value that begins at a place ends; -1 if none begins there.
func (j *jsonEnds) end(pos int) int {
	if j.value[pos] == 0 {
		return -1
	}
	return int(j.value[pos])
}

func (j *jsonEnds) is(pos int32, c byte) bool { return int(pos) < len(j.text) && j.text[pos] == c }

func (j *jsonEnds) fill(pos int) {
	c, next := j.text[pos], int32(pos+1)
	j.blank[pos] = int32(pos)
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		j.blank[pos] = j.blank[next]
	case '0' <= c && c <= '9':
		j.digits[pos] = max(next, j.digits[next])
	}
	switch {
	case c == '"':
		j.quoted[pos] = next
	case c == '\\':
		j.quoted[pos] = j.escape(next)
	case c >= ' ':
		j.quoted[pos] = j.quoted[next]
	}
	switch c {
	case '"':
		j.value[pos] = j.quoted[next]
	case '[':
		j.value[pos], j.heights[pos] = j.container(next, ']', j.element, j.elements)
	case '{':
		j.value[pos], j.heights[pos] = j.container(next, '}', j.member, j.members)
	case 't':
		j.word(pos, "true")
	case 'f':
		j.word(pos, "false")
	case 'n':
		j.word(pos, "null")
	case '-':
		j.value[pos] = j.number(next)
	default:
		j.value[pos] = j.number(int32(pos))
	}
	j.element[pos], j.elements[pos] = j.rest(j.blank[pos], ']', j.element, j.elements)
	if name := j.blank[pos]; j.is(name, '"') && j.quoted[name+1] > 0 {
		if colon := j.blank[j.quoted[name+1]]; j.is(colon, ':') {
			j.member[pos], j.members[pos] = j.rest(j.blank[colon+1], '}', j.member, j.members)
		}
	}
}

func (j *jsonEnds) word(pos int, word string) {
	if end := pos + len(word); end <= len(j.text) && j.text[pos:end] == word {
		j.value[pos] = int32(end)
	}
}

// escape gives where a string ends in which the letter of an escape stands at a place.
func (j *jsonEnds) escape(pos int32) int32 {
	if int(pos) >= len(j.text) {
		return 0
	}
	switch j.text[pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return j.quoted[pos+1]
	case 'u':
		for i := pos + 1; i < pos+5; i++ {
			if int(i) >= len(j.text) || !isHex(j.text[i]) {
				return 0
			}
		}
		return j.quoted[pos+5]
	}
	return 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// number gives where a number ends that has its digits at a place.
func (j *jsonEnds) number(pos int32) int32 {
	end := j.digits[pos]
	switch {
	case end == 0:
		return 0
	case j.text[pos] == '0':
		end = pos + 1 // no digit follows a leading zero
	}
	if j.is(end, '.') && j.digits[end+1] > 0 {
		end = j.digits[end+1]
	}
	if j.is(end, 'E') || j.is(end, 'e') {
		exponent := end + 1
		if j.is(exponent, '+') || j.is(exponent, '-') {
			exponent++
		}
		end = max(end, j.digits[exponent])
	}
	return end
}

// container gives the end and the height of an array or object whose inside begins at a place.
func (j *jsonEnds) container(pos int32, closed byte, ends []int32, heights []uint8) (end int32, height uint8) {
	if inside := j.blank[pos]; j.is(inside, closed) {
		return inside + 1, 1
	}
	if end = ends[pos]; end == 0 || heights[pos] >= maxDepth {
		return 0, 0
	}
	return end, heights[pos] + 1
}

// rest gives the end and the height of what is left of a container from a value on.
func (j *jsonEnds) rest(value int32, closed byte, ends []int32, heights []uint8) (end int32, height uint8) {
	end = j.value[value]
	if end == 0 {
		return 0, 0
	}
	height = j.heights[value]
	switch behind := j.blank[end]; {
	case j.is(behind, closed):
		return behind + 1, height
	case j.is(behind, ',') && ends[behind+1] > 0:
		return ends[behind+1], max(height, heights[behind+1])
	}
	return 0, 0
}
