// Converts the inline markup of AsciiDoc to HTML. No pattern repeats within a repetition, and each mark ends at its next
// sign, so that the time is linear.
import { escapeHtml } from '../../base/escape-html.ts'
import { makeLookupTable } from '../../base/lookup-table.ts'

export interface InlineContext {
  attributes: ReadonlyMap<string, string>
  footnotes: string[]
  /** How many characters values of attributes and copies of cells may still add to the document. */
  left: number
  /** How many cells the tables of the document may still have, each with its spans. */
  cells: number
}

/** False, and nothing is charged, if too few are left. */
export function chargeChars(context: InlineContext, chars: number): boolean {
  if (chars > context.left) return false
  context.left -= chars
  return true
}

const MAX_PARAGRAPH_CHARS = 100_000

/** A mark within a word needs its sign twice. */
const mark = (sign: string) =>
  `(?<![\\p{L}\\p{N}${sign}\\\\])${sign}(?=[^\\s${sign}])[^${sign}]*(?<=\\S)${sign}(?![\\p{L}\\p{N}${sign}])|${sign}${sign}[^${sign}]+${sign}${sign}`
/** Pairs of brackets may be inside: an image in a link. An open label matches too, so that it is not read again. */
const LABEL = '\\[(?<label>(?:[^\\][\\\\]|\\\\[^]|\\[[^\\][]*\\])*)(?<end>\\]?)'
const MACROS = 'pass|stem|latexmath|asciimath|link|mailto|xref|image|icon|kbd|btn|menu|footnote|anchor|indexterm'
const INLINE = new RegExp(
  [
    '\\\\(?<escaped>[*_`#^~{<[]|\\w{1,12}:)',
    '(?<raw>\\+\\+\\+[^+]+\\+\\+\\+)',
    '(?<curved>"`[^`]+`"|\'`[^`]+`\')',
    `(?<code>${mark('`')})`,
    '(?<literal>(?<![\\p{L}\\p{N}+])\\+(?=[^\\s+])[^+]*\\+(?![\\p{L}\\p{N}+]))',
    '(?<index>\\(\\(\\([^()]*\\)\\)\\)|\\(\\([^()]*\\)\\))',
    '(?<anchor>\\[\\[[^\\][]*\\]\\])',
    '(?<reference><<[^<>]{1,500}>>)',
    `\\b(?:(?<macro>${MACROS}):(?!:)(?<target>[^\\s[\\]]{0,1000})(?=\\[)|(?<url>https?://[^\\s[\\]<>"]{1,1000}(?<![.,;:!?)])))(?:${LABEL})?`,
    `(?:\\[[^\\]\\n]{0,100}\\])?(?:(?<strong>${mark('\\*')})|(?<em>${mark('_')})|(?<plain>${mark('#')}))`,
    '\\^(?<sup>[^\\s^]+)\\^|~(?<sub>[^\\s~]+)~',
    '(?<break> \\+\\n)',
  ].join('|'),
  'gu',
)

export function convertInline(text: string, context: InlineContext): string {
  const resolved = text.length > MAX_PARAGRAPH_CHARS ? text : resolveAttributes(text, context)
  return resolved.length > MAX_PARAGRAPH_CHARS ? escapeHtml(resolved) : convert(resolved, context)
}

function takeAttribute(name: string, context: InlineContext): string | undefined {
  const value = context.attributes.get(name.toLowerCase()) ?? SIGNS[name]
  return value !== undefined && chargeChars(context, value.length) ? value : undefined
}

/** `{name}` as defined so far; unknown names stay. */
export const resolveAttributes = (text: string, context: InlineContext): string =>
  text.replace(/(?<!\\)\{([\w-]{1,100})\}/g, (written, name: string) => takeAttribute(name, context) ?? written)

const SIGNS = makeLookupTable<string>({
  nbsp: '\u00a0',
  plus: '+',
  asterisk: '*',
  vbar: '|',
  sp: ' ',
  empty: '',
})

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
  const { escaped, raw, curved, code, literal, index, reference, macro, url, strong, em, plain, sup, sub } = groups
  const inner = (marked: string, sign: string) => convert(unmarked(marked, sign), context)
  if (escaped) return escapeHtml(escaped)
  if (raw) return raw.slice(3, -3)
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
  if (macro || url) {
    const { target = '', label = '', end } = groups
    if (end === '') return (url ? link(url, '', context) : '') + escapeHtml(all.slice(url?.length ?? 0))
    return macroToHtml(macro ?? 'link', url ?? target, label.replace(/\\([\]|])/g, '$1'), context)
  }
  if (strong) return `<strong>${inner(strong, '*')}</strong>`
  if (em) return `<em>${inner(em, '_')}</em>`
  if (plain) return inner(plain, '#')
  if (sup) return `<sup>${convert(sup, context)}</sup>`
  if (sub) return `<sub>${convert(sub, context)}</sub>`
  return all.endsWith('\n') ? '<br>' : ''
}

const unmarked = (marked: string, sign: string): string =>
  marked.startsWith(sign + sign) && marked.length > 4 ? marked.slice(2, -2) : marked.slice(1, -1)

const link = (address: string, label: string, context: InlineContext): string =>
  `<a href="${escapeHtml(address)}">${label ? convert(label, context) : escapeHtml(address.replace(/^mailto:/, ''))}</a>`

function macroToHtml(name: string, target: string, label: string, context: InlineContext): string {
  switch (name) {
    case 'pass':
      return label
    case 'stem':
    case 'latexmath':
    case 'asciimath':
      return `<script type="math/tex">${label.replaceAll('</', '<\\/')}</script>`
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
export function imageToHtml(target: string, attributes: string, context: InlineContext): string {
  const folder = /^(?:\w+:|\/)/.test(target) ? '' : takeAttribute('imagesdir', context)
  const address = folder ? `${folder.replace(/\/$/, '')}/${target}` : target
  const [, quoted, bare = ''] = /^(?:alt=)?(?:"([^"]*)"|([^,=]*)(?=,|$))?/.exec(attributes) ?? []
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(quoted ?? bare)}">`
}
