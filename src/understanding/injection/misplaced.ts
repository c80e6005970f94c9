// A request to whoever reads, standing alone in a text that speaks of nothing of the kind: "Translate this into Spanish." below
// a table of results. Where a page is about such requests (exercises, questions and answers) they have company, and their words
// come up elsewhere on it.

export interface InspectedBlock {
  text: string
  /** Plain running text: no heading, link, button or cell of a form. */
  isProse: boolean
}

/** How one asks a machine for something. */
const TASK =
  /^(?:please |can you |could you |would you |will you |i (?:want|need) you to )?(?:write|compose|draft|develop|create|generate|provide|give|list|describe|explain|summari[sz]e|recommend|suggest|translate|determine|classify|identify|analy[sz]e|compare|break down|show me|tell me|outline|define|calculate|solve|rewrite|paraphrase|propose|brainstorm|predict|evaluate|compute)\b/i
const QUESTION =
  /^(?:what(?:'s| is| are| was| were| movies| does| do)|how (?:do|does|did|have|has|can|to|many|much)|why (?:do|does|is|are)|who (?:is|was|wrote|invented)|when (?:did|was|is)|where (?:is|are|can)|which|can you|could you)\b[^?]*\?$/i
const MIN_WORDS = 3
const MAX_WORDS = 45
/** A text with fewer other words is about whatever it says. */
const MIN_OTHER_WORDS = 25
/** More of them are what the page is about. */
const MAX_MISPLACED = 2
const MAX_BLOCKS = 4000

const COMMON = new Set(
  'about above after again against all also and any are because been before being below between both but can could did does doing down during each few for from further give had has have having here how into its itself just like make many more most much need not now off once one only other our out over own please same should show some such than that the their them then there these they this those through too under until use using very want was well were what when where which while who why will with would write you your'.split(
    ' ',
  ),
)

export interface Misplaced {
  index: number
  score: number
}

/** The first block that asks for something the rest does not speak of. */
export function misplacedIn(blocks: readonly InspectedBlock[]): Misplaced | undefined {
  const few = blocks.slice(0, MAX_BLOCKS)
  const candidates = few.flatMap(({ text, isProse }, index) => (isProse && isRequest(text) ? [index] : []))
  if (candidates.length === 0 || candidates.length > MAX_MISPLACED) return undefined
  const words = few.map(({ text }) => termsOf(text))
  const counts = new Map<string, number>()
  let total = 0
  for (const terms of words)
    for (const term of terms) {
      counts.set(term, (counts.get(term) ?? 0) + 1)
      total += 1
    }
  for (const index of candidates) {
    const own = words[index]!
    const elsewhere = new Map<string, number>()
    for (const term of own) elsewhere.set(term, (elsewhere.get(term) ?? 0) + 1)
    const different = [...elsewhere.keys()]
    if (different.length < 2 || total - own.length < MIN_OTHER_WORDS) continue
    const shared = different.filter((term) => (counts.get(term) ?? 0) > (elsewhere.get(term) ?? 0)).length
    if (shared / different.length <= 0.26) return { index, score: 0.7 }
  }
  return undefined
}

function isRequest(text: string): boolean {
  const count = text.split(' ', MAX_WORDS + 1).length
  if (count < MIN_WORDS || count > MAX_WORDS) return false
  return (TASK.test(text) && /[.:?!'"”]$/.test(text)) || QUESTION.test(text)
}

/** Words that carry a subject, without their endings. */
const termsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
    .filter((word) => !COMMON.has(word))
    .map((word) => word.slice(0, 6))
