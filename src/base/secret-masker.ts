// Writes dots for secret values in everything that leaves a visit or a session, also where a value is percent-encoded,
// escaped for HTML or JSON, in base64, or split by tags.

/** Shorter values occur in too many words. */
export const MIN_MASKED_CHARS = 3
const DOTS = '•••'
/** Bounded, so that a page of tags stays linear. */
const TAGS = '(?:<[^<>]{0,300}>){0,8}'
const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A character as text, in a URL, in HTML and in JSON. */
function patternOfChar(char: string): string {
  const code = char.codePointAt(0) as number
  const bytes = [...new TextEncoder().encode(char)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`)
  const plain = char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  const forms = [plain, bytes.join(''), `&#0*${code};`]
  forms.push(`&#[xX]0*${anyCase(code.toString(16))};`, `\\\\u${anyCase(code.toString(16).padStart(4, '0'))}`)
  if (ENTITIES[char]) forms.push(`&${ENTITIES[char]};`)
  if (/["\\/]/.test(char)) forms.push(`\\\\${plain}`)
  if (char === ' ') forms.push('\\+', '&nbsp;')
  return `(?:${forms.join('|')})`
}

/** Shorter parts of base64 occur by chance. */
const MIN_BASE64_CHARS = 6

/** The characters that a value has in base64 wherever it stands in the encoded text. */
function patternsInBase64(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const own = encoded.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + bytes.length) * 4) / 3))
    return own.length < MIN_BASE64_CHARS ? [] : own.replace(/\+/g, '[+-]').replace(/\//g, '[/_]')
  })
}

/** Text of a file is masked up to this size; a larger file is searched for the plain values. */
const MAX_MASKED_FILE_BYTES = 5_000_000
const TEXT_TYPE = /^text\/|json|xml|javascript|csv/i

export class SecretMasker {
  private readonly known = new Set<string>()
  private pattern: RegExp | undefined

  add(values: readonly string[]): void {
    for (const value of values) if (value.length >= MIN_MASKED_CHARS) this.known.add(value)
    const longestFirst = [...this.known].sort((a, b) => b.length - a.length)
    const patterns = longestFirst.flatMap((value) => [
      [...value].map(patternOfChar).join(TAGS),
      ...patternsInBase64(value),
    ])
    this.pattern = patterns.length > 0 ? new RegExp(patterns.join('|'), 'gu') : undefined
  }

  readonly text = (text: string): string =>
    this.pattern ? text.replace(this.pattern, (found) => DOTS + (found.match(/<[^<>]*>/g) ?? []).join('')) : text

  /** The file with its text masked; undefined where it has a value that cannot be masked. */
  file(bytes: Uint8Array, contentType: string): Uint8Array | undefined {
    if (!this.pattern) return bytes
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (TEXT_TYPE.test(contentType) && bytes.byteLength <= MAX_MASKED_FILE_BYTES) {
      const text = buffer.toString()
      const masked = this.text(text)
      return masked === text ? bytes : Buffer.from(masked)
    }
    return [...this.known].some((value) => buffer.includes(value)) ? undefined : bytes
  }

  /** The value with every text in it masked; bytes stay as they are. */
  readonly deep = <T>(value: T): T => (this.pattern ? (this.masked(value) as T) : value)

  private masked(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((one) => this.masked(one))
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.masked(one)]))
  }
}
