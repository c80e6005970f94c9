// Detects HTML that is an empty shell to be filled by scripts. Pure, one pass, yielding to other requests; it looks for
// empty containers, not frameworks, because server-rendered pages load the same scripts.
import { makeLoopYielder } from '../base/yield-in-loops.ts'
import { startsWithLoadingMessage } from '../content/detect-loading-messages.ts'

interface Survey {
  words: number
  scripts: number
  /** Scripts not known as trackers: external files, or inline ones that build elements or fetch data. */
  builders: number
  mounts: string[]
  waits: string[]
  lists: string[]
  noscript: string
  refresh: boolean
  veiled: boolean
}

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
  const { words, veiled } = await survey(html, 'words')
  if (veiled) return 'The page hides itself until its scripts have run'
  if (words >= MIN_CONTENT_WORDS) return undefined
  const { scripts, builders, mounts, waits, lists, noscript, refresh } = await survey(html, 'all')
  if (refresh && words < 60) return 'The page only leads on to another one, by a meta refresh'
  if (scripts === 0) return undefined
  if (words <= MIN_WORDS_WITH_SCRIPT && builders > 0)
    return 'The page has scripts and almost no text: JavaScript draws it'
  if (builders === 0) return undefined
  if (mounts[0]) return `The page waits for scripts to fill it: <${mounts[0]}> is empty`
  if (noscript && words < 80) return 'The page states that it needs JavaScript'
  if (waits[0]) return `The page shows that it is still loading (${waits[0]})`
  if (lists[0]) return `The page waits for scripts to fill a list: <${lists[0]}> is empty`
  return undefined
}

async function survey(html: string, extent: 'words' | 'all'): Promise<Survey> {
  const found: Survey = {
    words: 0,
    scripts: 0,
    builders: 0,
    mounts: [],
    waits: [],
    lists: [],
    noscript: '',
    refresh: false,
    veiled: false,
  }
  const inline: string[] = []
  const empties: { tag: string; id: string; classes: string }[] = []
  let around = 0
  let at = 0
  let opened: { name: string; attributes: Record<string, string> } | undefined
  const turn = makeLoopYielder()
  let rounds = 0
  while (at < html.length && found.words < MIN_CONTENT_WORDS && rounds < MAX_TAGS) {
    // Reading the clock costs as much as a round.
    if (++rounds % 256 === 0) await turn()
    const tag = html.indexOf('<', at)
    const text = html.slice(at, tag === -1 ? html.length : tag).slice(0, 20_000)
    if (/[^\s]/.test(text)) {
      if (opened && startsWithLoadingMessage(text.trim())) found.waits.push(text.trim().slice(0, 20))
      opened = undefined
      if (around === 0) found.words += wordsIn(text)
    }
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
    if (source.startsWith('</')) {
      if (AROUND.has(name) && around > 0) around -= 1
      if (opened?.name === name) noteEmpty(opened, found, empties)
      opened = undefined
      continue
    }
    const isRoot = name === 'body' || name === 'html'
    const attributes = extent === 'all' || isRoot ? attributesOf(source) : NONE
    if (isWaiting(attributes)) found.waits.push(`<${name}>`)
    if (isRoot && VEIL.test(attributes.style ?? '')) found.veiled = true
    if (name === 'meta') {
      if (
        /^refresh$/i.test(attributes['http-equiv'] ?? '') &&
        /^\s*(\d|10)(\.\d*)?\s*[;,]\s*\S/.test(attributes.content ?? '')
      )
        found.refresh = true
      continue
    }
    if (SILENT.has(name)) {
      const close = closeOf(html, name, at)
      if (extent === 'all') {
        const inside = html.slice(at, Math.min(close, at + 100_000))
        if (name === 'script') noteScript(attributes, inside, found, inline)
        if (name === 'noscript' && NEEDS_SCRIPT.test(inside.slice(0, 2000))) found.noscript = 'noscript'
      }
      at = after(html, '>', close)
      // A template beside a marker is filled later by a streaming server; other silent elements are not content.
      continue
    }
    if (AROUND.has(name) && !source.endsWith('/')) around += 1
    opened = VOID.has(name) || source.endsWith('/') ? undefined : { name, attributes }
  }
  const code = inline.join('\n')
  for (const { tag, id, classes } of empties) {
    const named = [id, ...classes.split(/\s+/)].filter((one) => one.length > 1)
    const spoken = named.some(
      (one) =>
        code.includes(`'${one}'`) || code.includes(`"${one}"`) || code.includes(`#${one}`) || code.includes(`.${one}`),
    )
    if (spoken || LISTED.test(`${id} ${classes}`)) found.lists.push(tag)
  }
  return found
}

function noteEmpty(
  { name, attributes }: { name: string; attributes: Record<string, string> },
  found: Survey,
  empties: { tag: string; id: string; classes: string }[],
): void {
  const { id = '', class: classes = '' } = attributes
  const shown = `${name}${id ? ` id="${id.slice(0, 40)}"` : ''}`
  if (MOUNT.test(id) || (name.includes('-') && !ASIDE.test(name))) found.mounts.push(shown)
  else if (BOX.test(name) && !ASIDE.test(`${id} ${classes}`) && (id || classes || /^(ul|ol|tbody|main)$/.test(name)))
    empties.push({ tag: shown, id, classes: classes || name })
}

function noteScript(attributes: Record<string, string>, inside: string, found: Survey, inline: string[]): void {
  const { src, type = '' } = attributes
  if (type && !/javascript|module|ecmascript|babel|^$/i.test(type)) return
  found.scripts += 1
  if (src !== undefined) {
    if (!TRACKER.test(src)) found.builders += 1
    return
  }
  if (inline.length < 50) inline.push(inside)
  if (BUILDS.test(inside) && !TRACKER.test(inside.slice(0, 500))) found.builders += 1
}

const NAME = /^<\/?([a-zA-Z][\w:-]*)/

const nameIn = (source: string): string | undefined => NAME.exec(source)?.[1]?.toLowerCase()

const isWaiting = (attributes: Record<string, string>): boolean =>
  attributes !== NONE &&
  (attributes['aria-busy'] === 'true' || WAITING.test(`${attributes.id ?? ''} ${attributes.class ?? ''}`))

const NONE: Record<string, string> = {}

function attributesOf(source: string): Record<string, string> {
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
