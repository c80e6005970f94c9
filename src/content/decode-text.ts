// Decodes bytes to text: detects the encoding in the order browsers use, then by statistics.

import { analyse } from 'chardet'
import { valueOr } from '../base/attempt.ts'

type Decoded = { text: string; charset: string }

// Browsers scan 1024 bytes, but some pages put comments and scripts before the declaration.
const PRESCAN_BYTES = 4096
// Enough for a stable guess on all samples in charset.test.ts; chardet is linear in it.
const CHARSET_GUESS_BYTES = 32_768

/** Order: BOM, header, declaration in the page, valid UTF-8, guess. Never throws. */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): Decoded {
  const bom = bomOf(bytes)
  if (bom) return decodeAs(bytes, bom)
  const declared = toKnownCharset(charsetParameter(contentType)) ?? declaredIn(bytes)
  if (declared) {
    const made = decodeAs(bytes, declared)
    // Pages wrongly declared UTF-8 are common, but a single damaged byte must not lead to a guess.
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

const toKnownCharset = (label: string | undefined): string | undefined =>
  label ? valueOr(undefined, () => new TextDecoder(label).encoding) : undefined

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES))
  const xml = head.match(/^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']/i)?.[1]
  if (xml) return toAsciiCompatible(toKnownCharset(xml))
  if (/^(?:<\0|\0<)/.test(head)) return head[0] === '\0' ? 'utf-16be' : 'utf-16le'
  const visible = head.replace(/<!--[\s\S]*?-->/g, '')
  for (const [tag] of visible.matchAll(/<meta\b[^>]{0,500}>/gi)) {
    const name = tag.match(/charset\s*=\s*["']?\s*([\w.:-]+)/i)?.[1]
    const charset = toAsciiCompatible(toKnownCharset(name))
    if (charset) return charset
  }
  return undefined
}

// A declaration readable as ASCII cannot be UTF-16; the HTML standard treats it as UTF-8.
const toAsciiCompatible = (charset: string | undefined): string | undefined =>
  charset === 'utf-16le' || charset === 'utf-16be' ? 'utf-8' : charset

function decodeAs(bytes: Uint8Array, charset: string): Decoded {
  const text = new TextDecoder(charset).decode(bytes)
  return { text: charset === 'windows-1252' ? mendLatin(text) : text, charset }
}

// Node 20 decodes windows-1252 as Latin-1 (nodejs/node#56542): 0x80–0x9f become control characters. This is the
// standard's mapping; five bytes are undefined.
const WINDOWS_1252_CONTROL_RANGE = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const mendLatin = (text: string): string =>
  /[\u0080-\u009f]/.test(text)
    ? text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252_CONTROL_RANGE[char.charCodeAt(0) - 0x80]!)
    : text

/** A body truncated at the byte limit may end inside a character; stream mode accepts that. */
const isUtf8 = (bytes: Uint8Array): boolean =>
  valueOr(false, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }) !== undefined)

/** More than 2 % of non-ASCII characters failed to decode. */
function mostlyBroken(text: string): boolean {
  if (!text.includes('\uFFFD')) return false
  const sample = text.length > 200_000 ? text.slice(0, 200_000) : text
  const broken = sample.match(/\uFFFD/g)?.length ?? 0
  const foreign = sample.match(/[^\u0000-\u007f]/g)?.length ?? 0
  return broken > 2 && broken * 50 > foreign
}

/** The best statistical match, reduced by the share of implausible characters. */
function guess(bytes: Uint8Array): string | undefined {
  const sample = textSample(bytes)
  let best: { charset: string; score: number } | undefined
  for (const { name, confidence } of analyse(sample)) {
    const charset = toKnownCharset(name)
    if (!charset || charset.startsWith('utf-') || charset.startsWith('iso-2022')) continue
    const score = confidence - 100 * oddShare(decodeAs(sample.subarray(0, 4000), charset).text)
    if (!best || score > best.score) best = { charset, score }
  }
  return best?.charset
}

/** Replacement, control and private-use characters, and half-width kana, which arbitrary bytes yield in Shift_JIS. */
function oddShare(text: string): number {
  const odd = text.match(/[\uFFFD\u0080-\u009f\uE000-\uF8FF\uFF61-\uFF9F]/g)?.length ?? 0
  return odd / Math.max(1, text.length)
}

function textSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(CHARSET_GUESS_BYTES)
  let length = 0
  let from = 0
  let foreign = false
  for (let at = 0; at <= bytes.length && length < CHARSET_GUESS_BYTES; at++) {
    const byte = bytes[at] ?? LESS
    if (byte >= 0x80) foreign = true
    if (byte !== LESS && byte !== GREATER) continue
    if (foreign) {
      const text = bytes.subarray(from, Math.min(at, from + CHARSET_GUESS_BYTES - length))
      sample.set(text, length)
      length += text.length
      if (length < CHARSET_GUESS_BYTES) sample[length++] = 0x20
    }
    from = at + 1
    foreign = false
  }
  return sample.subarray(0, length)
}

const LESS = 0x3c
const GREATER = 0x3e
