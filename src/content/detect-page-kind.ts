// Tells pages that hold no content of their own from content: sign-in forms and walls, parked domains, "not found" with
// status 200, consent dialogs, and pages that scripts did not fill. Only words of the main content count, since a site
// frames all its pages alike.
import type { AnyNode, Document, Element } from 'domhandler'
import type { RemovedNodes } from './find-main-content.ts'
import { collapsedTextOf, isElement, isText, nextNode, nextNodeAfterSubtree } from './parse-tree.ts'

interface DetectedPageKind {
  pageKind: 'login' | 'wall' | 'parked' | 'not_found' | 'consent' | 'javascript'
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
/** Some systems begin the names of all their elements with `cmp-`. */
const CONSENT =
  /cookie|consent|gdpr|onetrust|didomi|usercentrics|borlabs|qc-cmp|cmp-?box|cmp-?banner|sp_message|(^|\s)cmp(\s|$)/i
const FRAME = /^(?:navigation|banner|contentinfo|complementary)$/
const DIALOG = /^(?:alert)?dialog$/
/** Hosts of scripts, frames and pictures that only parked domains load. */
const PARKING =
  /(^|\.)(sedoparking\.com|parkingcrew\.net|bodis\.com|parklogic\.com|above\.com|skenzo\.com|parkweb\.com|cashparking\.com|voodoo\.com|domainparking\.ru)$/i
/** Default pages of servers. */
const DEFAULT_PAGE =
  /^(?:welcome to (?:nginx|openresty|caddy)|it works|iis windows|.{0,40}\b(?:nginx|apache2?|http server|iis|tomcat)\b.{0,20} (?:default|test) page|(?:default|test) page)\b/iu
const DOMAIN = /\b(?:domain|domaine|domäne|dominio|domínio|domein|домен)\b|ドメイン|域名|도메인/iu
const FOR_SALE = /for-?sale|domain|auction|offer/i
/** How headings end, in common languages, of a thing that is not there, or no longer. */
const NOT_FOUND = new RegExp(
  `(?:${[
    "^(?:error )?404(?: error)?|not found|(?:cannot|can[’']t|could not|couldn[’']t) be found|(?:no longer|not) (?:available|online|active)|no longer exists|(?:does not|doesn[’']t) exist|(?:been|was) (?:removed|deleted)|has expired",
    'nicht gefunden(?: werden)?|nicht (?:mehr )?(?:verfügbar|vorhanden|online|aktiv)|(?:existiert|gibt es)(?: leider)? nicht(?: mehr)?|ist abgelaufen|wurde (?:gelöscht|entfernt)',
    "introuvable|n[’']existe (?:pas|plus)|plus (?:disponible|en ligne)|pas (?:été )?trouvée?|a (?:expiré|été supprimée?)",
    'no (?:se ha )?encontrad[ao]|no existe|no (?:está )?disponible|ya no (?:existe|está \\p{L}+)|ha (?:caducado|sido eliminad[ao])',
    'não encontrad[ao]|não existe|non trovat[ao]|non esiste|niet gevonden|bestaat niet(?: meer)?|не найдена|見つかりません|不存在|찾을 수 없습니다',
  ].join('|')})[.!]?$`,
  'iu',
)
const [MAX_NOT_FOUND_WORDS, MAX_HEADING_WORDS] = [100, 10]
/** A call to subscribe or register, and its purpose: to read on. */
const JOIN =
  /subscri|regist|sign (?:up|in)|log ?in|abonn|\babo\b|anmelde|inscri|connecte[rz]|suscr[ií]|inicia(?:r|) sesión|assin[ae]|abbonat/iu
const READ_ON = new RegExp(
  [
    '(?:continue|keep) reading|to (?:continue|read)|read (?:on|the (?:full|rest))|(?:full|rest of (?:the|this)) (?:article|story)|(?:only|exclusive(?:ly)?|reserved) (?:for|to)|(?:subscriber|member)s? only|already (?:a|have)',
    'weiter ?(?:zu)?lesen|(?:nur|exklusiv) für|(?:ganze|vollständige|komplette)[nr]? (?:artikel|text|beitrag)|(?:schon|bereits) (?:ein |\\p{L}*abo|registriert|mitglied|kund)',
    'lire la suite|poursuivre|continuer (?:la|votre) lecture|réservée? (?:à|aux)|déjà (?:abonné|inscrit|membre|un compte)',
    '(?:seguir|continuar|sigue) leyendo|(?:s[oó]lo|exclusivo|reservado) para|ya (?:eres|tienes)|continu(?:e|ar) (?:lendo|a leggere)|riservat[oi] a|già abbonat',
  ].join('|'),
  'iu',
)
const MAX_CALLS = 30
const [MAX_WALL_WORDS, MAX_CALL] = [130, 500]
/** More headings than these are those of a text, in which a form is an example. */
const MAX_FORM_HEADINGS = 2

interface Survey {
  /** Of the main content. */
  words: number
  /** Outside dialogs and the frame of the site, main content or not. */
  bodyWords: number
  consentWords: number
  links: number
  scripts: number
  passwords: number
  buttons: number
  text: string
  noscript: string
  /** Of the title and of main headings. */
  headings: string[]
  /** Headings of any level in the main content. */
  sections: number
  /** Texts around buttons outside the frame of the site. */
  calls: string[]
  /** Links to other pages of the site. */
  ownLinks: number
  /** Addresses of scripts, frames, pictures and links. */
  parts: string[]
  targets: string[]
}

/** `cuts`: nodes outside the main content. */
export function detectPageKind(tree: Document, url: string, cuts?: RemovedNodes): DetectedPageKind | undefined {
  const found = survey(tree, cuts)
  const detectors = [detectParkedPage, detectUnfilledPage, consent, login, notFound, wall]
  for (const detect of found ? detectors : []) {
    const kind = detect(found!, url)
    if (kind) return kind
  }
  return undefined
}

function detectParkedPage(
  { parts, targets, headings, text, ownLinks }: Survey,
  url: string,
): DetectedPageKind | undefined {
  const vendor = parts.map(hostOf).find((host) => PARKING.test(host))
  if (vendor) return { pageKind: 'parked', pageKindReason: `It loads parts of ${vendor}, which serves parked domains` }
  const own = hostOf(url).replace(/^www\./, '')
  // Links that share a page hold its whole address.
  const sale = targets.find((target) => {
    const rest = target.slice(target.indexOf('/', 8))
    return own !== '' && !hostOf(target).endsWith(own) && FOR_SALE.test(target) && namesHost(rest, own)
  })
  if (sale) return { pageKind: 'parked', pageKindReason: `It offers its domain at ${hostOf(sale)}` }
  const standard = headings.find((heading) => DEFAULT_PAGE.test(heading))
  if (standard) return { pageKind: 'parked', pageKindReason: `It is the default page of a server: “${standard}”` }
  const said = `${headings.join(' ')} ${text}`
  if (own === '' || ownLinks > 0 || !DOMAIN.test(said) || !said.toLowerCase().includes(own)) return undefined
  return { pageKind: 'parked', pageKindReason: 'It is about its own domain, and links to no other page of it' }
}

function namesHost(path: string, host: string): boolean {
  const at = path.toLowerCase().indexOf(host)
  return at > 0 && !/(?:\/\/|%2f%2f)(?:www\.)?$/i.test(path.slice(0, at))
}

function detectUnfilledPage({ bodyWords: words, ...found }: Survey): DetectedPageKind | undefined {
  const { scripts, text, noscript, links } = found
  if (scripts === 0) return undefined
  const isSaid = /javascript/i.test(text) && words < FEW_WORDS && links < 2
  if (!isSaid && !(/javascript/i.test(noscript) && words < ALMOST_NONE)) return undefined
  return { pageKind: 'javascript', pageKindReason: 'It states that it needs JavaScript, and has almost no other text' }
}

function consent({ bodyWords: words, consentWords, buttons }: Survey): DetectedPageKind | undefined {
  if (consentWords < MIN_CONSENT_WORDS || words > ALMOST_NONE || buttons === 0) return undefined
  return { pageKind: 'consent', pageKindReason: 'Almost all of its text is in a consent dialog' }
}

function login({ words, passwords, sections }: Survey): DetectedPageKind | undefined {
  if (passwords === 0 || words > MAX_LOGIN_WORDS || sections > MAX_FORM_HEADINGS) return undefined
  return { pageKind: 'login', pageKindReason: 'It requests a password, and has little other text' }
}

function notFound({ headings, words }: Survey): DetectedPageKind | undefined {
  if (words > MAX_NOT_FOUND_WORDS) return undefined
  const parts = headings.flatMap((heading) => heading.split(/\s+[|–—·:-]\s+|:\s/)).map((part) => part.trim())
  const said = parts.find((part) => part.split(' ').length <= MAX_HEADING_WORDS && NOT_FOUND.test(part))
  return said ? { pageKind: 'not_found', pageKindReason: `Its heading is “${said}”` } : undefined
}

function wall({ words, sections, calls }: Survey): DetectedPageKind | undefined {
  if (words > MAX_WALL_WORDS || sections > MAX_FORM_HEADINGS + 1) return undefined
  const said = calls.filter((call) => JOIN.test(call)).flatMap((call) => READ_ON.exec(call)?.[0] ?? [])[0]
  if (said === undefined) return undefined
  return { pageKind: 'wall', pageKindReason: `It requires a registration or subscription to continue (“${said}”)` }
}

/** The text around a button, where that is short. */
function callOf(button: Element): string {
  let call = ''
  for (let at = button.parent, up = 0; at && isElement(at) && up < 3; at = at.parent, up++) {
    const text = collapsedTextOf(at, MAX_CALL)
    if (text.length >= MAX_CALL || at.name === 'body') break
    call = text
  }
  return call
}

/** Undefined for a page with content, which is most often known after its first paragraphs. */
function survey(tree: Document, cuts?: RemovedNodes): Survey | undefined {
  const found: Survey = {
    ...{ bodyWords: 0, words: 0, consentWords: 0, links: 0, ownLinks: 0 },
    ...{ scripts: 0, passwords: 0, buttons: 0, sections: 0 },
    ...{ text: '', noscript: '', headings: [], calls: [], parts: [], targets: [] },
  }
  const [dialog, frame, cut] = [new Region(), new Region(), new Region()]
  let nodes = 0
  for (let node = nextNode(tree, tree); node; ) {
    if (++nodes > MAX_NODES) return undefined
    dialog.leaveAt(node)
    frame.leaveAt(node)
    cut.leaveAt(node)
    const after = nextNodeAfterSubtree(node, tree)
    if (cuts?.has(node)) cut.enterUntil(after)
    if (isText(node)) {
      const count = countWords(node.data)
      if (dialog.isInside) found.consentWords += count
      else {
        if (!cut.isInside) found.words += count
        if (!frame.isInside) found.bodyWords += count
      }
      if (found.words >= MAX_WORDS) return undefined
      if (!dialog.isInside && !frame.isInside && found.text.length < MAX_TEXT)
        found.text += ` ${node.data.slice(0, MAX_TEXT)}`
    } else if (isElement(node)) {
      readElement(node, found, frame.isInside, cut.isInside)
      if (SILENT.has(node.name) || isHidden(node)) {
        node = after
        continue
      }
      if (!dialog.isInside && isConsentBox(node)) dialog.enterUntil(after)
      if (AROUND.has(node.name) || FRAME.test(node.attribs.role ?? '')) frame.enterUntil(after)
    }
    node = nextNode(node, tree)
  }
  return found
}

/** A part of the tree, such as a dialog, that the walk may be in. */
class Region {
  /** The node behind it. */
  private end: AnyNode | null | undefined

  get isInside(): boolean {
    return this.end !== undefined
  }

  enterUntil(end: AnyNode | null): void {
    if (!this.isInside) this.end = end
  }

  leaveAt(node: AnyNode): void {
    if (node === this.end) this.end = undefined
  }
}

function isConsentBox(element: Element): boolean {
  if (element.name === 'body' || element.name === 'html') return false
  const { id = '', class: classes = '', role = '' } = element.attribs
  if (CONSENT.test(`${id} ${classes}`.slice(0, 500))) return true
  return (DIALOG.test(role) || element.name === 'dialog') && /cookie/i.test(collapsedTextOf(element, MAX_TEXT))
}

function readElement(element: Element, found: Survey, isAround: boolean, isCut: boolean): void {
  const { name, attribs } = element
  const { src, href } = attribs
  if (src && found.parts.length < 100) found.parts.push(src)
  if (/^h[1-6]$/.test(name) && !isAround && !isCut) found.sections += 1
  if (name === 'script') found.scripts += 1
  if (name === 'a' && href) readLink(href, found, isAround)
  if ((name === 'button' || name === 'input') && !isAround) readControl(element, found)
  if (name === 'title' || name === 'h1') found.headings.push(collapsedTextOf(element, 200))
  if (name === 'noscript') found.noscript += collapsedTextOf(element, 500)
}

function readLink(href: string, found: Survey, isAround: boolean): void {
  if (!isAround) found.links += 1
  if (/^https?:\/\//i.test(href) && found.targets.length < 100) found.targets.push(href)
  if (/^(?:\/(?!\/)[^#?]|[\w-]+\.html?\b)/i.test(href)) found.ownLinks += 1
}

function readControl(element: Element, found: Survey): void {
  const { name, attribs } = element
  if (name === 'button' || /^(submit|button)$/i.test(attribs.type ?? '')) {
    found.buttons += 1
    if (found.calls.length < MAX_CALLS) found.calls.push(callOf(element))
  } else if (/^password$/i.test(attribs.type ?? '')) found.passwords += 1
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
