// Which parts of a text a query speaks of: its words, in whatever form they stand there. Pure: text in, pieces out.

interface Piece {
  text: string
  isMarked: boolean
}

const OPERATOR = /(?:^|\s)-?(?:site|intitle|inurl|filetype|ext|related|imagesize|larger):(?:"[^"]*"|\S+)/giu
const WITHOUT = /(?:^|\s)-(?:"[^"]*"|\S+)/gu
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Forms of a word share most of its beginning: `calibrate`, `calibration`. */
const SHARED = 0.7

/** The beginnings by which the words of a query are known. */
export function stemsOf(query: string): string[] {
  const plain = query.replace(OPERATOR, ' ').replace(WITHOUT, ' ')
  return [...plain.matchAll(WORD)]
    .map(([word]) => word.toLowerCase())
    .filter((word) => word.length > 2 || UNSPACED.test(word))
    .map((word) => (word.length < 5 || UNSPACED.test(word) ? word : word.slice(0, Math.ceil(word.length * SHARED))))
}

export function marked(text: string, query: string): Piece[] {
  const stems = stemsOf(query)
  if (stems.length === 0) return [{ text, isMarked: false }]
  const pieces: Piece[] = []
  const add = (piece: string, isMarked: boolean) => {
    if (piece === '') return
    const last = pieces.at(-1)
    if (last && last.isMarked === isMarked) last.text += piece
    else pieces.push({ text: piece, isMarked })
  }
  let end = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    add(text.slice(end, index), false)
    end = index + word.length
    if (UNSPACED.test(word)) addParts(word, stems, add)
    else
      add(
        word,
        stems.some((stem) => word.toLowerCase().startsWith(stem)),
      )
  }
  add(text.slice(end), false)
  return pieces
}

/** Where words are not separated, only the part itself is marked. */
function addParts(run: string, stems: readonly string[], add: (piece: string, isMarked: boolean) => void): void {
  for (let at = 0; at < run.length; ) {
    const stem = stems.find((one) => run.startsWith(one, at))
    add(stem ?? run[at]!, stem !== undefined)
    at += stem?.length ?? 1
  }
}
