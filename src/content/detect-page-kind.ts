// Tells pages that hold no content of their own from content, by their structure: sign-in forms, parked domains, "not
// found" with status 200, consent dialogs, and pages that scripts did not fill.
import type { AnyNode, Document, Element } from 'domhandler'
import { collapsedTextOf, isElement, isText, nextNode, nextNodeAfterSubtree } from './parse-tree.ts'

interface DetectedPageKind {
  pageKind: 'login' | 'parked' | 'not_found' | 'consent' | 'javascript'
  pageKindReason: string
}

/** A page with more words outside dialogs has content. */
const MAX_WORDS = 150
const [FEW_WORDS, ALMOST_NONE] = [40, 20]
const MIN_CONSENT_WORDS = 15
const MAX_LOGIN_WORDS = 120
const MAX_NODES = 20_000
const MAX_TEXT = 4000

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg', 'select', 'textarea', 'iframe'])
const AROUND = new Set(['nav', 'header', 'footer', 'aside'])
const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics|(^|[-_\s])cmp([-_\s]|$)/i
/** Hosts of scripts, frames and pictures that only parked domains load. */
const PARKING =
  /(^|\.)(sedoparking\.com|parkingcrew\.net|bodis\.com|parklogic\.com|above\.com|skenzo\.com|parkweb\.com|cashparking\.com|voodoo\.com|domainparking\.ru)$/i
const FOR_SALE = /for-?sale|domain|auction|offer/i
const NOT_FOUND =
  /^(?:(?:error\s*)?404(?:\s*error)?|(?:(?:error\s*)?404\W{1,3})?(?:(?:page|file|seite|página|pagina) (?:was )?(?:not found|nicht gefunden|no encontrada|não encontrada|non trovata|niet gevonden|introuvable)|not found|страница не найдена|ページが見つかりません|页面不存在|페이지를 찾을 수 없습니다))[.!]?$/iu

interface Survey {
  words: number
  consentWords: number
  links: number
  scripts: number
  passwords: number
  buttons: number
  text: string
  noscript: string
  headings: string[]
  /** Addresses of scripts, frames, pictures and links. */
  parts: string[]
  targets: string[]
}

export function detectPageKind(tree: Document, url: string): DetectedPageKind | undefined {
  const found = survey(tree)
  return found && (parked(found, url) ?? unfilled(found) ?? consent(found) ?? login(found) ?? notFound(found))
}

function parked({ parts, targets }: Survey, url: string): DetectedPageKind | undefined {
  const vendor = parts.map(hostOf).find((host) => PARKING.test(host))
  if (vendor) return { pageKind: 'parked', pageKindReason: `It loads parts of ${vendor}, which serves parked domains` }
  const own = hostOf(url).replace(/^www\./, '')
  // Links that share a page hold its whole address.
  const sale = targets.find((target) => {
    const rest = target.slice(target.indexOf('/', 8))
    return own !== '' && !hostOf(target).endsWith(own) && FOR_SALE.test(target) && namesHost(rest, own)
  })
  return sale ? { pageKind: 'parked', pageKindReason: `It offers its domain at ${hostOf(sale)}` } : undefined
}

function namesHost(path: string, host: string): boolean {
  const at = path.toLowerCase().indexOf(host)
  return at > 0 && !/(?:\/\/|%2f%2f)(?:www\.)?$/i.test(path.slice(0, at))
}

function unfilled({ words, scripts, text, noscript, links }: Survey): DetectedPageKind | undefined {
  if (scripts === 0) return undefined
  const isSaid = /javascript/i.test(text) && words < FEW_WORDS && links < 2
  if (!isSaid && !(/javascript/i.test(noscript) && words < ALMOST_NONE)) return undefined
  return { pageKind: 'javascript', pageKindReason: 'It says that it needs JavaScript, and has almost no other text' }
}

function consent({ words, consentWords, buttons }: Survey): DetectedPageKind | undefined {
  if (consentWords < MIN_CONSENT_WORDS || words > ALMOST_NONE || buttons === 0) return undefined
  return { pageKind: 'consent', pageKindReason: 'Almost all of its text stands in a consent dialog' }
}

function login({ words, passwords }: Survey): DetectedPageKind | undefined {
  if (passwords === 0 || words > MAX_LOGIN_WORDS) return undefined
  return { pageKind: 'login', pageKindReason: 'It asks for a password, and has little other text' }
}

function notFound({ headings }: Survey): DetectedPageKind | undefined {
  const parts = headings.flatMap((heading) => heading.split(/\s+[|–—·:-]\s+|:\s/)).map((part) => part.trim())
  const said = parts.find((part) => NOT_FOUND.test(part))
  return said ? { pageKind: 'not_found', pageKindReason: `Its heading is “${said}”` } : undefined
}

/** Undefined for a page with content, which is most often known after its first paragraphs. */
function survey(tree: Document): Survey | undefined {
  const found: Survey = {
    ...{ words: 0, consentWords: 0, links: 0, scripts: 0, passwords: 0, buttons: 0 },
    ...{ text: '', noscript: '', headings: [], parts: [], targets: [] },
  }
  // The node behind the dialog or the page's frame that the walk is in; undefined: in none.
  let dialogEnd: AnyNode | null | undefined
  let aroundEnd: AnyNode | null | undefined
  let nodes = 0
  for (let node = nextNode(tree, tree); node; ) {
    if (++nodes > MAX_NODES) return undefined
    if (node === dialogEnd) dialogEnd = undefined
    if (node === aroundEnd) aroundEnd = undefined
    const after = nextNodeAfterSubtree(node, tree)
    if (isText(node)) {
      const count = countWords(node.data)
      if (dialogEnd === undefined) found.words += count
      else found.consentWords += count
      if (found.words >= MAX_WORDS) return undefined
      if (found.text.length < MAX_TEXT) found.text += ` ${node.data.slice(0, MAX_TEXT)}`
    } else if (isElement(node)) {
      readElement(node, found, aroundEnd !== undefined)
      if (SILENT.has(node.name) || isHidden(node)) {
        node = after
        continue
      }
      const { id = '', class: classes = '' } = node.attribs
      const isBox = node.name !== 'body' && node.name !== 'html'
      if (dialogEnd === undefined && isBox && CONSENT.test(`${id} ${classes}`.slice(0, 500))) dialogEnd = after
      if (aroundEnd === undefined && AROUND.has(node.name)) aroundEnd = after
    }
    node = nextNode(node, tree)
  }
  return found
}

function readElement(element: Element, found: Survey, isAround: boolean): void {
  const { name, attribs } = element
  const { src, href } = attribs
  if (name === 'script') found.scripts += 1
  if (src && found.parts.length < 100) found.parts.push(src)
  if (name === 'a' && href) {
    found.links += 1
    if (/^https?:\/\//i.test(href) && found.targets.length < 100) found.targets.push(href)
  }
  if (name === 'button' || (name === 'input' && /^(submit|button)$/i.test(attribs.type ?? ''))) found.buttons += 1
  if (name === 'input' && /^password$/i.test(attribs.type ?? '') && !isAround) found.passwords += 1
  if (name === 'title' || name === 'h1') found.headings.push(collapsedTextOf(element, 200))
  if (name === 'noscript') found.noscript += collapsedTextOf(element, 500)
}

const isHidden = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined || /display\s*:\s*none/i.test(attribs.style ?? '')

/** Scripts without blanks count by characters. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]|\p{L}[\p{L}\p{N}'’-]*/gu

const countWords = (text: string): number => text.slice(0, 20_000).match(WORD)?.length ?? 0

function hostOf(address: string): string {
  const full = address.startsWith('//') ? `https:${address}` : address
  return URL.canParse(full) ? new URL(full).hostname : ''
}
