// Converts the inline markup of AsciiDoc to HTML. No pattern repeats within a repetition, and each mark ends at its next
// sign, so that the time is linear.
import { escapeHtml } from '../../base/escape-html.ts'

export interface InlineContext {
  attributes: ReadonlyMap<string, string>
  footnotes: string[]
  /** How many characters references to attributes may still add. */
  left: number
}

const MAX_PARAGRAPH_CHARS = 100_000

/** A mark within a word needs its sign twice. */
const mark = (sign: string) =>
  `(?<![\\p{L}\\p{N}${sign}\\\\])${sign}(?=[^\\s${sign}])[^${sign}]*(?<=\\S)${sign}(?![\\p{L}\\p{N}${sign}])|${sign}${sign}[^${sign}]+${sign}${sign}`
/** With at most one pair of brackets inside: an image in a link. */
const BRACKETED = '\\[(?:[^\\][\\\\]|\\\\.|\\[[^\\][]*\\])*\\]'
const INLINE = new RegExp(
  [
    '\\\\(?<escaped>[*_`#^~{<[]|\\w{1,12}:)',
    `(?<raw>\\+\\+\\+[^+]+\\+\\+\\+|pass:[a-z,]{0,9}${BRACKETED})`,
    `(?<tex>(?:stem|latexmath|asciimath):${BRACKETED})`,
    '(?<curved>"`[^`]+`"|\'`[^`]+`\')',
    `(?<code>${mark('`')})`,
    '(?<literal>(?<![\\p{L}\\p{N}+])\\+(?=[^\\s+])[^+]*\\+(?![\\p{L}\\p{N}+]))',
    '(?<index>\\(\\(\\([^()]*\\)\\)\\)|\\(\\([^()]*\\)\\))',
    '(?<anchor>\\[\\[[^\\][]*\\]\\])',
    '(?<reference><<[^<>]{1,500}>>)',
    `(?<macro>\\b(?:link|mailto|xref|image|icon|kbd|btn|menu|footnote|anchor|indexterm):[^\\s[\\]]{0,1000}${BRACKETED})`,
    `(?<url>\\bhttps?://[^\\s[\\]<>"]{1,1000}(?<![.,;:!?)])(?:${BRACKETED})?)`,
    `(?:\\[[^\\]\\n]{0,100}\\])?(?:(?<strong>${mark('\\*')})|(?<em>${mark('_')})|(?<plain>${mark('#')}))`,
    '\\^(?<sup>[^\\s^]+)\\^|~(?<sub>[^\\s~]+)~',
    '(?<break> \\+\\n)',
  ].join('|'),
  'gu',
)

export function convertInline(text: string, context: InlineContext): string {
  if (text.length > MAX_PARAGRAPH_CHARS) return escapeHtml(text)
  return convert(resolveAttributes(text, context), context)
}

/** `{name}` as defined so far; unknown names stay. */
export const resolveAttributes = (text: string, context: InlineContext): string =>
  text.replace(/(?<!\\)\{([\w-]{1,100})\}/g, (written, name: string) => {
    const value = context.attributes.get(name.toLowerCase()) ?? SIGNS[name] ?? written
    if (value.length > context.left) return written
    context.left -= value.length
    return value
  })

const SIGNS: Partial<Record<string, string>> = {
  nbsp: '\u00a0',
  plus: '+',
  asterisk: '*',
  vbar: '|',
  sp: ' ',
  empty: '',
}

// Each call converts what is within a mark, without the sign of the mark: the depth is the number of signs.
function convert(text: string, context: InlineContext): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    html += escapeHtml(text.slice(from, match.index)) + htmlOf(match, context)
    from = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(from))
}

function htmlOf({ 0: all, groups = {} }: RegExpExecArray, context: InlineContext): string {
  const { escaped, raw, tex, curved, code, literal, index, reference, macro, url, strong, em, plain, sup, sub } = groups
  const inner = (marked: string, sign: string) => convert(unmarked(marked, sign), context)
  if (escaped) return escapeHtml(escaped)
  if (raw) return raw.startsWith('pass') ? textOfMacro(raw) : raw.slice(3, -3)
  if (tex) return `<script type="math/tex">${textOfMacro(tex).replaceAll('</', '<\\/')}</script>`
  if (curved)
    return `${curved[0] === '"' ? '“' : '‘'}${convert(curved.slice(2, -2), context)}${curved[0] === '"' ? '”' : '’'}`
  if (code) {
    const bare = unmarked(code, '`')
    return `<code>${/^\+.*\+$/s.test(bare) ? escapeHtml(bare.slice(1, -1)) : escapeHtml(bare)}</code>`
  }
  if (literal) return escapeHtml(literal.slice(1, -1))
  if (index) return index.startsWith('(((') ? '' : convert(index.slice(2, -2), context)
  if (reference) {
    const [, id = '', label = ''] = /^([^,]*),?(.*)$/s.exec(reference.slice(2, -2)) ?? []
    return link(/[#.]/.test(id) ? id : `#${id}`, label.trim() || id, context)
  }
  if (macro) return macroToHtml(macro, context)
  if (url) return link(url.replace(/\[.*$/s, ''), textOfMacro(url).replace(/,\s*\w+=.*$|\^$/s, ''), context)
  if (strong) return `<strong>${inner(strong, '*')}</strong>`
  if (em) return `<em>${inner(em, '_')}</em>`
  if (plain) return inner(plain, '#')
  if (sup) return `<sup>${convert(sup, context)}</sup>`
  if (sub) return `<sub>${convert(sub, context)}</sub>`
  return all.endsWith('\n') ? '<br>' : ''
}

const unmarked = (marked: string, sign: string): string =>
  marked.startsWith(sign + sign) && marked.length > 4 ? marked.slice(2, -2) : marked.slice(1, -1)

const textOfMacro = (macro: string): string => (/\[(.*)\]$/s.exec(macro)?.[1] ?? '').replace(/\\([\]|])/g, '$1')

const link = (address: string, label: string, context: InlineContext): string =>
  `<a href="${escapeHtml(address)}">${label ? convert(label, context) : escapeHtml(address.replace(/^mailto:/, ''))}</a>`

function macroToHtml(macro: string, context: InlineContext): string {
  const [, name = '', target = ''] = /^(\w+):([^[]*)/.exec(macro) ?? []
  const label = textOfMacro(macro)
  switch (name) {
    case 'link':
      return link(target, label.replace(/,\s*\w+=.*$|\^$/s, ''), context)
    case 'mailto':
      return link(`mailto:${target}`, label.split(',', 1)[0]!, context)
    case 'xref':
      return link(/[#.]/.test(target) ? target : `#${target}`, label || target, context)
    case 'image':
      return imageToHtml(target, label, context)
    case 'kbd':
      return `<kbd>${escapeHtml(label)}</kbd>`
    case 'btn':
      return `<b>${escapeHtml(label)}</b>`
    case 'menu':
      return `<b>${escapeHtml([target, label].filter(Boolean).join(' > '))}</b>`
    case 'footnote': {
      const number = context.footnotes.push(convert(label, context))
      return `<sup><a href="#footnote-${number}" id="footnote-ref-${number}">[${number}]</a></sup>`
    }
    default:
      return ''
  }
}

/** The first attribute is the text of the image. */
export function imageToHtml(target: string, attributes: string, { attributes: known }: InlineContext): string {
  const folder = known.get('imagesdir')
  const address = folder && !/^(?:\w+:|\/)/.test(target) ? `${folder.replace(/\/$/, '')}/${target}` : target
  const [, quoted, bare = ''] = /^(?:alt=)?(?:"([^"]*)"|([^,=]*)(?=,|$))?/.exec(attributes) ?? []
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(quoted ?? bare)}">`
}
