// Detects HTML that is an empty shell to be filled by scripts. Pure, one pass, yielding to other requests; it looks for
// empty containers, not frameworks, because server-rendered pages load the same scripts.
import { makeLoopYielder } from '../base/yield-in-loops.ts'
import { startsWithLoadingMessage } from '../content/detect-loading-messages.ts'

/** Enough words to use the page as it is. */
const MIN_CONTENT_WORDS = 150
/** Fewer words, with a script, always mean a shell. */
const MIN_WORDS_WITH_SCRIPT = 8

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg', 'textarea', 'select', 'iframe'])
const AROUND = new Set(['nav', 'header', 'footer', 'aside'])
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const MOUNT =
  /^(root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|app-root|main-app|application|spa|page-root|mount|ember-app|vue-app)$/i
const BOX = /^(div|main|section|article|ul|ol|tbody|dl|table|output)$/
const LISTED =
  /(^|[-_\s])(list|results?|items?|products?|posts?|feed|grid|cards?|articles?|stories|entries|catalog(ue)?|content|rows?|records?|listing|gallery|table|data|comments?|reviews?|messages|events|jobs)([-_\s]|$)/i
const ASIDE =
  /ad[sv]?([-_]|\b)|banner|modal|portal|toast|popup|overlay|captcha|gtm|fb-root|tooltip|cookie|consent|share|social|newsletter|player|map|search-?(suggest|box)|autocomplete|dropdown|menu|sidebar|related/i
const WAITING =
  /skeleton|shimmer|placeholder-glow|content-loader|is-loading|loading-(state|indicator|spinner)|spinner|(^|[-_\s])loading([-_\s]|$)/i
const NEEDS_SCRIPT =
  /(enable|activate|turn on|requires?|needs?|without|allow|disabled?)[^<]{0,60}javascript|javascript[^<]{0,60}(enable|disabled|required|turned off|not (enabled|available|supported)|activate|needed)/i
const TRACKER =
  /google-analytics|googletagmanager|gtag|analytics|hotjar|segment\.|facebook\.net|matomo|piwik|clarity\.ms|plausible|adsbygoogle|doubleclick|cloudflareinsights|sentry|recaptcha|polyfill|consent|cookie/i
const BUILDS =
  /fetch\(|XMLHttpRequest|axios|\.ajax\(|\$\.get|innerHTML|insertAdjacentHTML|appendChild|createElement|\.render\(|createRoot|createApp|hydrate|mount\(|import\(|document\.write|textContent|innerText|replaceChildren|setInterval|location\.(href|replace|assign)|location\s*=/
const VEIL = /display\s*:\s*none|visibility\s*:\s*hidden/i
const ATTRIBUTE = /\b(id|class|src|type|http-equiv|content|aria-busy|style)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const MAX_TAG = 4000
/** A page without content by then is hostile or rendered by scripts. */
const MAX_TAGS = 20_000

export async function findEmptyAppShellEvidence(html: string): Promise<string | undefined> {
  // Most pages have enough words, which shows without reading attributes and scripts.
  const { words, isVeiled } = await survey(html, 'words')
  if (isVeiled) return 'The page hides itself until its scripts have run'
  if (words >= MIN_CONTENT_WORDS) return undefined
  const { scripts, builders, mounts, waits, lists, saysNoscript, isRefresh } = await survey(html, 'all')
  if (isRefresh && words < 60) return 'The page only leads on to another one, by a meta refresh'
  if (scripts === 0) return undefined
  if (words <= MIN_WORDS_WITH_SCRIPT && builders > 0)
    return 'The page has scripts and almost no text: JavaScript draws it'
  if (builders === 0) return undefined
  if (mounts[0]) return `The page waits for scripts to fill it: <${mounts[0]}> is empty`
  if (saysNoscript && words < 80) return 'The page states that it needs JavaScript'
  if (waits[0]) return `The page shows that it is still loading (${waits[0]})`
  if (lists[0]) return `The page waits for scripts to fill a list: <${lists[0]}> is empty`
  return undefined
}

async function survey(html: string, extent: 'words' | 'all'): Promise<ShellSurvey> {
  const found = new ShellSurvey(extent)
  const turn = makeLoopYielder()
  let at = 0
  for (let round = 1; at < html.length && found.words < MIN_CONTENT_WORDS && round <= MAX_TAGS; round++) {
    // Reading the clock costs as much as a round.
    if (round % 256 === 0) await turn()
    const tag = html.indexOf('<', at)
    found.readText(html.slice(at, tag === -1 ? html.length : tag).slice(0, 20_000))
    if (tag === -1) break
    if (html.startsWith('<!--', tag)) {
      at = after(html, '-->', tag)
      continue
    }
    const end = html.indexOf('>', tag)
    if (end === -1) break
    at = end + 1
    const source = html.slice(tag, Math.min(end, tag + MAX_TAG))
    const name = nameIn(source)
    if (name === undefined) continue
    if (source.startsWith('</')) found.readEndTag(name)
    else at = found.readStartTag(name, source, html, at)
  }
  found.findEmptyLists()
  return found
}

type Attributes = Readonly<Record<string, string>>

class ShellSurvey {
  words = 0
  scripts = 0
  /** Scripts not known as trackers: external files, or inline ones that build elements or fetch data. */
  builders = 0
  saysNoscript = false
  isRefresh = false
  isVeiled = false
  readonly mounts: string[] = []
  readonly waits: string[] = []
  readonly lists: string[] = []
  private readonly extent: 'words' | 'all'
  private readonly inline: string[] = []
  private readonly empties: { tag: string; id: string; classes: string }[] = []
  private around = 0
  private opened: { name: string; attributes: Attributes } | undefined

  constructor(extent: 'words' | 'all') {
    this.extent = extent
  }

  readText(text: string): void {
    if (!/[^\s]/.test(text)) return
    if (this.opened && startsWithLoadingMessage(text.trim())) this.waits.push(text.trim().slice(0, 20))
    this.opened = undefined
    if (this.around === 0) this.words += wordsIn(text)
  }

  readEndTag(name: string): void {
    if (AROUND.has(name) && this.around > 0) this.around -= 1
    if (this.opened?.name === name) this.noteEmpty(name, this.opened.attributes)
    this.opened = undefined
  }

  /** Returns where to read on; the contents of silent elements are skipped. */
  readStartTag(name: string, source: string, html: string, at: number): number {
    const isRoot = name === 'body' || name === 'html'
    const attributes = this.extent === 'all' || isRoot ? attributesOf(source) : NONE
    if (isWaiting(attributes)) this.waits.push(`<${name}>`)
    if (isRoot && VEIL.test(attributes.style ?? '')) this.isVeiled = true
    if (name === 'meta') {
      if (isQuickRefresh(attributes)) this.isRefresh = true
      return at
    }
    if (SILENT.has(name)) {
      const close = closeOf(html, name, at)
      if (this.extent === 'all') this.noteSilent(name, attributes, html.slice(at, Math.min(close, at + 100_000)))
      // A template beside a marker is filled later by a streaming server; other silent elements are not content.
      return after(html, '>', close)
    }
    if (AROUND.has(name) && !source.endsWith('/')) this.around += 1
    this.opened = VOID.has(name) || source.endsWith('/') ? undefined : { name, attributes }
    return at
  }

  private noteEmpty(name: string, { id = '', class: classes = '' }: Attributes): void {
    const shown = `${name}${id ? ` id="${id.slice(0, 40)}"` : ''}`
    if (MOUNT.test(id) || (name.includes('-') && !ASIDE.test(name))) this.mounts.push(shown)
    else if (BOX.test(name) && !ASIDE.test(`${id} ${classes}`) && (id || classes || /^(ul|ol|tbody|main)$/.test(name)))
      this.empties.push({ tag: shown, id, classes: classes || name })
  }

  private noteSilent(name: string, attributes: Attributes, inside: string): void {
    if (name === 'script') this.noteScript(attributes, inside)
    if (name === 'noscript' && NEEDS_SCRIPT.test(inside.slice(0, 2000))) this.saysNoscript = true
  }

  private noteScript({ src, type = '' }: Attributes, inside: string): void {
    if (type && !/javascript|module|ecmascript|babel|^$/i.test(type)) return
    this.scripts += 1
    if (src !== undefined) {
      if (!TRACKER.test(src)) this.builders += 1
      return
    }
    if (this.inline.length < 50) this.inline.push(inside)
    if (BUILDS.test(inside) && !TRACKER.test(inside.slice(0, 500))) this.builders += 1
  }

  /** Empty boxes that are lists by their name, or that a script of the page names. */
  findEmptyLists(): void {
    const code = this.inline.join('\n')
    const isNamedInCode = (one: string) =>
      [`'${one}'`, `"${one}"`, `#${one}`, `.${one}`].some((as) => code.includes(as))
    for (const { tag, id, classes } of this.empties) {
      const names = [id, ...classes.split(/\s+/)].filter((one) => one.length > 1)
      if (names.some(isNamedInCode) || LISTED.test(`${id} ${classes}`)) this.lists.push(tag)
    }
  }
}

const isQuickRefresh = (attributes: Attributes): boolean =>
  /^refresh$/i.test(attributes['http-equiv'] ?? '') && /^\s*(\d|10)(\.\d*)?\s*[;,]\s*\S/.test(attributes.content ?? '')

const NAME = /^<\/?([a-zA-Z][\w:-]*)/

const nameIn = (source: string): string | undefined => NAME.exec(source)?.[1]?.toLowerCase()

const isWaiting = (attributes: Attributes): boolean =>
  attributes !== NONE &&
  (attributes['aria-busy'] === 'true' || WAITING.test(`${attributes.id ?? ''} ${attributes.class ?? ''}`))

const NONE: Attributes = {}

function attributesOf(source: string): Attributes {
  // Most tags have no attributes, and the regex is the most expensive part.
  if (!source.includes('=')) return NONE
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single, bare] of source.matchAll(ATTRIBUTE))
    attributes[name.toLowerCase()] ??= double ?? single ?? bare ?? ''
  return attributes
}

/** Words of two letters or more; scripts without spaces count by characters. */
function wordsIn(text: string): number {
  let words = 0
  for (const word of text.match(/\S{2,}/g) ?? []) words += Math.max(1, nonLatinWords(word))
  return words
}

/** The text is Latin-1, so non-ASCII letters take several characters: about six bytes per word. */
const nonLatinWords = (word: string): number => (/[\x80-\xff]/.test(word) ? Math.floor(word.length / 6) : 1)

function closeOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\b`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

const after = (html: string, mark: string, from: number): number => {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}
