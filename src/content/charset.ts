// Bytes → text: which encoding a page is in, by the order browsers use, then a guess. Pure; knows nothing of HTML beyond
// where it may name its encoding.
import { analyse } from 'chardet'

export interface Decoded {
  text: string
  charset: string
}

// Browsers look at 1024 bytes; real pages put comments and scripts before the declaration, so we look a little further.
const PRESCAN_BYTES = 4096
// Enough for a stable guess on every sample in charset.test.ts; chardet is linear in it.
const GUESS_BYTES = 32_768

/** Decodes by BOM, then the header, then the page's own words, then valid UTF-8, then a guess. Never throws. */
export function decode(bytes: Uint8Array, contentType: string | undefined): Decoded {
  const bom = bomOf(bytes)
  if (bom) return decodeAs(bytes, bom)
  const declared = known(charsetParameter(contentType)) ?? declaredIn(bytes)
  if (declared) {
    const made = decodeAs(bytes, declared)
    // A page that says UTF-8 but is not is common enough; one damaged byte should not turn the page into a guess.
    if (declared !== 'utf-8' || !mostlyBroken(made.text)) return made
    return decodeAs(bytes, guess(bytes) ?? 'utf-8')
  }
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8')
  return decodeAs(bytes, guess(bytes) ?? 'windows-1252')
}

function bomOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

const charsetParameter = (contentType: string | undefined): string | undefined =>
  contentType?.slice(0, 500).match(/charset\s*=\s*["']?\s*([\w.:-]+)/i)?.[1]

/** The name TextDecoder uses, or undefined for one it does not know. */
function known(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** <meta charset>, <meta http-equiv> or an XML declaration, in the first bytes. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES))
  const xml = head.match(/^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']/i)?.[1]
  if (xml) return ascii(known(xml))
  // A zero in every other byte and no BOM: UTF-16 by an old server.
  if (/^(?:<\0|\0<)/.test(head)) return head[0] === '\0' ? 'utf-16be' : 'utf-16le'
  const visible = head.replace(/<!--[\s\S]*?-->/g, '')
  for (const [tag] of visible.matchAll(/<meta\b[^>]{0,500}>/gi)) {
    const name = tag.match(/charset\s*=\s*["']?\s*([\w.:-]+)/i)?.[1]
    const charset = ascii(known(name))
    if (charset) return charset
  }
  return undefined
}

// We could read the declaration as ASCII, so it cannot be UTF-16: the standard says such a page is UTF-8.
const ascii = (charset: string | undefined): string | undefined =>
  charset === 'utf-16le' || charset === 'utf-16be' ? 'utf-8' : charset

function decodeAs(bytes: Uint8Array, charset: string): Decoded {
  const text = new TextDecoder(charset).decode(bytes)
  return { text: charset === 'windows-1252' ? mendLatin(text) : text, charset }
}

// Node 20 decodes windows-1252 as plain Latin-1 (nodejs/node#56542): the quotes and dashes at 0x80–0x9f come out as
// control characters. These are what the standard says they are; five of the bytes mean nothing.
const QUOTES = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const mendLatin = (text: string): string =>
  /[\u0080-\u009f]/.test(text) ? text.replace(/[\u0080-\u009f]/g, (char) => QUOTES[char.charCodeAt(0) - 0x80]!) : text

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A body cut at the byte budget may end inside a character: streaming mode forgives that.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** More than one in fifty of the characters beyond ASCII could not be decoded. */
function mostlyBroken(text: string): boolean {
  if (!text.includes('\uFFFD')) return false
  const sample = text.length > 200_000 ? text.slice(0, 200_000) : text
  const broken = sample.match(/\uFFFD/g)?.length ?? 0
  const foreign = sample.match(/[^\u0000-\u007f]/g)?.length ?? 0
  return broken > 2 && broken * 50 > foreign
}

/** The likeliest encoding by statistics, less what its text has that no language has. */
function guess(bytes: Uint8Array): string | undefined {
  const sample = textSample(bytes)
  let best: { charset: string; score: number } | undefined
  for (const { name, confidence } of analyse(sample)) {
    const charset = known(name)
    if (!charset || charset.startsWith('utf-') || charset.startsWith('iso-2022')) continue
    const score = confidence - 100 * oddShare(decodeAs(sample.subarray(0, 4000), charset).text)
    if (!best || score > best.score) best = { charset, score }
  }
  return best?.charset
}

/** Replacement and control characters, private use, and the half-width kana that any two bytes make in Shift_JIS. */
function oddShare(text: string): number {
  const odd = text.match(/[\uFFFD\u0080-\u009f\uE000-\uF8FF\uFF61-\uFF9F]/g)?.length ?? 0
  return odd / Math.max(1, text.length)
}

/** The texts between tags that are not all ASCII: markup and scripts say nothing about an encoding, whole words do. */
function textSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(GUESS_BYTES)
  let length = 0
  let from = 0
  let foreign = false
  for (let at = 0; at <= bytes.length && length < GUESS_BYTES; at++) {
    const byte = bytes[at] ?? LESS
    if (byte >= 0x80) foreign = true
    if (byte !== LESS && byte !== GREATER) continue
    if (foreign) {
      const text = bytes.subarray(from, Math.min(at, from + GUESS_BYTES - length))
      sample.set(text, length)
      length += text.length
      if (length < GUESS_BYTES) sample[length++] = 0x20
    }
    from = at + 1
    foreign = false
  }
  return sample.subarray(0, length)
}

const LESS = 0x3c
const GREATER = 0x3e
