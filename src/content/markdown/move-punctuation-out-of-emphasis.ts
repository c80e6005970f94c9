// Moves punctuation out of emphasis, because CommonMark ignores a closing `**` between punctuation and a letter.

const TEXT = 0
const OPEN = 1
const CLOSE = 2

const ENDS_WORD = /[\p{L}\p{N}]$/u
const STARTS_WORD = /^[\p{L}\p{N}]/u
const TRAILING = /[\p{P}\p{S}]{1,8}$/u
const LEADING = /^[\p{P}\p{S}]{1,8}/u

/** Mutates the pieces. Bold around a whole heading is removed. */
export function movePunctuationOutOfEmphasis(pieces: string[], kinds: number[], isHeading: boolean): void {
  const last = pieces.length - 1
  if (isHeading && pieces[0] === '**' && pieces[last] === '**' && kinds.indexOf(CLOSE) >= last - 1) {
    if (pieces.indexOf('**', 1) === last) {
      pieces[0] = ''
      pieces[last] = ''
    }
  }
  for (let at = 0; at <= last; at++) {
    const kind = kinds[at]
    if (kind !== OPEN && kind !== CLOSE) continue
    let end = at
    while (kinds[end + 1] === kind) end++
    const before = at - 1
    const after = end + 1
    if (before >= 0 && after <= last && kinds[before] === TEXT && kinds[after] === TEXT) {
      if (kind === CLOSE) moveOut(pieces, before, after, TRAILING)
      else moveIn(pieces, before, after)
    }
    at = end
  }
}

function moveOut(pieces: string[], before: number, after: number, trailing: RegExp): void {
  if (!STARTS_WORD.test(pieces[after]!)) return
  const text = pieces[before]!
  const found = text.slice(-8).match(trailing)?.[0]
  // Moving all of it would leave empty emphasis.
  if (!found || found.length === text.length) return
  pieces[before] = text.slice(0, text.length - found.length)
  pieces[after] = found + pieces[after]
}

function moveIn(pieces: string[], before: number, after: number): void {
  if (!ENDS_WORD.test(pieces[before]!.slice(-2))) return
  const text = pieces[after]!
  const found = text.match(LEADING)?.[0]
  if (!found || found.length === text.length) return
  pieces[before] += found
  pieces[after] = text.slice(found.length)
}
