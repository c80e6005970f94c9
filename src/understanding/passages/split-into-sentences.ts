// Splits text into sentences in any script, as positions, with exceptions for abbreviations, initials and dates.
// Intl.Segmenter takes ten times as long and splits after "Dr.", "z. B." and "am 3. Mai".

type TextSpan = { start: number; end: number }

/** Marks that end a sentence only before white space, and those that always do. */
const SENTENCE_ENDS_BEFORE_SPACE = new Set('.!?…؟۔।॥։።')
const ALWAYS = new Set('。！？｡')
const CLOSING = new Set('"\'”’»)]』」）*_›')

/** Scripts without full stops; a space there is about as strong as a comma elsewhere. */
const SCRIPT_WITHOUT_FULL_STOPS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
/** Minimum length before such text is split at a space. */
const MIN_CHARS_BEFORE_SPACE_SPLIT = 70

const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr drs prof st sr jr sra dra srta vs etc eg ie no nr bzw ca usw inc ltd co corp fig vol pp p approx dept est gen gov hon ' +
    'rev sgt jan feb mar apr jun jul aug sep sept oct nov dec hr fr m mm mme mlle mgr dipl ing abs art bd evtl ggf inkl max min mind mio ' +
    'mrd tel str vgl zzgl av bd ref núm tel pág ud uds vd dott sig sigg ecc dr-ing nn г гг ул д тел руб см стр им т п др пр'
  ).split(' '),
)
const MONTH =
  /^(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|gen|lug|ago|set|ott|dic|janv|févr|avr|juin|juil|août|enero|abril|styc|lut|kwi|czerw|lip|sier|wrz|paź|list|grud)/i

/** The sentences of `text`, trimmed. Linear. */
export function splitIntoSentences(text: string): TextSpan[] {
  const spans: TextSpan[] = []
  const unmarked = SCRIPT_WITHOUT_FULL_STOPS.test(text)
  let start = 0
  const cut = (end: number) => {
    while (start < end && isSpace(text[start]!)) start++
    let last = end
    while (last > start && isSpace(text[last - 1]!)) last--
    if (last > start) spans.push({ start, end: last })
    start = end
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (ALWAYS.has(char) || SENTENCE_ENDS_BEFORE_SPACE.has(char)) {
      let end = at + 1
      while (
        end < text.length &&
        (SENTENCE_ENDS_BEFORE_SPACE.has(text[end]!) || ALWAYS.has(text[end]!) || CLOSING.has(text[end]!))
      )
        end++
      if (ALWAYS.has(char) || (isSpace(text[end] ?? ' ') && !goesOn(text, start, at, end))) cut(end)
      at = end - 1
    } else if (
      unmarked &&
      char === ' ' &&
      at - start > MIN_CHARS_BEFORE_SPACE_SPLIT &&
      SCRIPT_WITHOUT_FULL_STOPS.test(text[at - 1] ?? '')
    )
      cut(at)
  }
  cut(text.length)
  return spans
}

/** Whether the full stop at `at` belongs to an abbreviation, an initial or a date. */
function goesOn(text: string, start: number, at: number, end: number): boolean {
  if (text[at] !== '.' || end > at + 1) return false
  let from = at
  while (from > start && at - from < 12 && /[\p{L}\p{N}]/u.test(text[from - 1]!)) from--
  const word = text.slice(from, at)
  const next = text.slice(end, end + 24).trimStart()
  if (next === '') return false
  if (/^[a-zà-ÿа-яα-ω,;:]/.test(next)) return true
  if (/^\p{Lu}$/u.test(word)) return true
  if (/^\d{1,2}$/.test(word) && (MONTH.test(next) || from === start)) return true
  // "Chapter 10. Licences": a number after the one word it numbers.
  if (/^\d{1,3}$/.test(word) && /^\s*\p{Lu}\p{L}{0,20} $/u.test(text.slice(Math.max(start, from - 24), from)))
    return true
  // "z. B." and "U.S. Army": a single letter after another.
  if (/^\p{L}$/u.test(word) && /[.\s]/.test(text[from - 1] ?? ' ')) return true
  return ABBREVIATIONS.has(word.toLowerCase())
}

const isSpace = (char: string): boolean =>
  char === ' ' || char === '\n' || char === '\t' || char === '\u00a0' || char === '\u3000'
