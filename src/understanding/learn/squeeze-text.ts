// A text reduced to its letters and digits, so that spaces, signs and forms of letters do not hinder a comparison.

const known = new Map<string, string>()

/** Lower case, compatible forms, letters and digits only. */
export function squeezeText(text: string): string {
  if (text.length <= 2) {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = squeeze(text)
    if (known.size < 20_000) known.set(text, made)
    return made
  }
  return squeeze(text)
}

const squeeze = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase().replace(/[^a-z0-9]+/g, '') : squeezeOther(text)

const squeezeOther = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Letters as `a`, digits as `9`, runs of either as one; signs stay. */
export const shapeOfText = (text: string): string =>
  text
    .slice(0, 200)
    .replace(/\p{L}+/gu, 'a')
    .replace(/\p{N}+/gu, '9')
    .replace(/\s+/g, ' ')
    .slice(0, 40)
