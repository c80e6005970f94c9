// Whether a page's text gives orders to whoever reads it for a caller: "ignore your instructions", a made-up system
// message, a demand for keys. Rules over the text of the page, hidden parts and what pictures are called included; a page that
// merely writes about the subject is left alone.
import type { AnyNode, Document } from 'domhandler'
import { isElement, isText, nextNode, nodeAfter } from '../content/tree.ts'

export interface Injection {
  /** What was found, shortened. */
  quote: string
  isHidden: boolean
}

const MAX_CHARS = 2_000_000
const CONTEXT = 80

const FORGET = String.raw`(?:ignore|disregard|forget|override|bypass|do not follow|stop following|discard)\s+(?:(?:all|any|every|the|of|your|my|these|those|prior|previous|earlier|preceding|above|foregoing|existing|original|initial|current|other|system)\s+){1,6}(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|directives?|context|programming|constraints?)`
const ROLE = String.raw`(?:you are now|from now on,? you (?:are|will|must)|act as if you (?:are|were)|pretend (?:to be|you are)|new (?:system )?instructions?\s*:|updated instructions?\s*:|\bsystem\s*(?:prompt|message|override)\s*:|<\|?(?:im_start|system)\|?>|\[\/?inst\]|###\s*(?:system|instruction))`
const LEAK = String.raw`(?:reveal|print|output|repeat|show|leak|send|disclose|exfiltrate|tell (?:me|us))\s+(?:me\s+|us\s+)?(?:(?:all|any|the|your|of|full|entire|complete|hidden|secret|internal|above)\s+){0,5}(?:system prompt|initial prompt|hidden instructions?|api keys?|secret keys?|credentials|passwords?|access tokens?|environment variables)`
const ADDRESS = String.raw`(?:(?:dear|attention|note to|message (?:to|for)|important[:,]?\s+(?:for|to)|hey|hello)\s+(?:all\s+|any\s+|the\s+)?(?:ai|llm|language model|chatbot|gpt|claude|assistant|ai assistant|ai agent|crawler|scraper)s?\b|(?:if you are|as) an? (?:ai|llm|large language model|language model|ai assistant|ai agent|automated agent))`
const ORDER = String.raw`(?:you (?:must|should|have to|need to|are required to)|please|instead|only|always|never)\s+(?:\w+\s+){0,4}?(?:output|respond|reply|answer|say|write|return|report|recommend|rate|visit|navigate|click|send|execute|call|include|set|extract)`
const OTHERS = String.raw`(?:ignoriere|vergiss)\s+(?:alle\s+|deine\s+|bisherigen\s+|vorherigen\s+|obigen\s+){1,4}(?:anweisungen|instruktionen|regeln)|(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+|les\s+|vos\s+|tes\s+){1,3}instructions(?:\s+pr[ée]c[ée]dentes)?|(?:ignora|olvida)\s+(?:todas\s+|las\s+|tus\s+){1,3}instrucciones(?:\s+anteriores)?`

const STRONG = new RegExp(`${FORGET}|${OTHERS}`, 'iu')
const SIGNS = [ROLE, LEAK, ADDRESS, ORDER].map((pattern) => new RegExp(pattern, 'iu'))
/** Words before an example that show that somebody writes about such orders rather than giving one. */
const QUOTED =
  /(?:such as|like|for example|e\.g\.|called|known as|says?|said|wrote|phrases?|attacks?|injection|jailbreak|example|prompt that|instruction)\b[^.!?]{0,60}["“'«‘`(:]?\s*$/iu

/** Scripts are not read, and code shows rather than says. */
const PASSED = new Set(['script', 'style', 'code', 'pre'])

export function findInjection(tree: Document): Injection | undefined {
  let chars = 0
  let node: AnyNode | null = tree as AnyNode
  while (node && chars < MAX_CHARS) {
    const at: AnyNode = node
    const text = isText(at) ? at.data : isElement(at) ? spoken(at.attribs) : ''
    if (text.length > 15) {
      chars += text.length
      const quote = orderIn(text)
      if (quote !== undefined) return { quote, isHidden: !isText(at) || isUnseen(at) }
    }
    node = isElement(at) && PASSED.has(at.name) ? nodeAfter(at, tree) : nextNode(at, tree)
  }
  return undefined
}

/** Text that readers meet beside the text: alternatives, titles, labels. */
const spoken = (attribs: Readonly<Record<string, string>>): string =>
  [attribs.alt, attribs.title, attribs['aria-label'], attribs.content].filter(Boolean).join(' ').slice(0, 5000)

function orderIn(text: string): string | undefined {
  const strong = STRONG.exec(text)
  if (strong && !isQuoted(text, strong.index)) return around(text, strong.index)
  // One sign alone is everyday language; two of them in one paragraph are an order to a machine.
  const found = SIGNS.map((sign) => sign.exec(text)).filter((match) => match !== null)
  const leading = found.find(({ index }) => !isQuoted(text, index))
  return found.length >= 2 && leading ? around(text, leading.index) : undefined
}

const isQuoted = (text: string, at: number): boolean => QUOTED.test(text.slice(Math.max(0, at - CONTEXT), at))

const around = (text: string, at: number): string =>
  text
    .slice(at, at + 120)
    .replace(/\s+/g, ' ')
    .trim()

const UNSEEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|left\s*:\s*-\d{4}|color\s*:\s*(?:transparent|#fff(?:fff)?\b|white)/i

function isUnseen(node: AnyNode): boolean {
  let at = node.parent
  for (let steps = 0; at && steps < 20; steps++) {
    if (isElement(at) && (at.attribs.hidden !== undefined || UNSEEN.test(at.attribs.style ?? ''))) return true
    at = at.parent
  }
  return false
}
