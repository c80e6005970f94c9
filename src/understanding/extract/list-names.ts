// Whether a list on the page is called what is asked for: by its boxes' names, its caption or the heading before it, in the
// words of the question or in those that pages use instead: plans stand under "Pricing", people under "Meet the team".
import type { Element } from 'domhandler'
import { tableOf } from '../../base/table.ts'
import { collapse, isElement } from '../../content/tree.ts'
import type { FieldContext, WantedField } from './asking.ts'
import type { PagePart } from './page-part.ts'
import { conceptsOf } from './vocabulary.ts'
import { labelPhrase } from './words.ts'

/** What lists are called, by the last word of the field's name. */
const SAYS = tableOf<RegExp>({
  plan: /\b(?:pricing|prices|plans?|packages|tiers?|subscriptions?|choose|preise|tarife|tarifs|precios|planes|prezzi)\b/i,
  member: /\b(?:team|members?|people|staff|leadership|crew|board|equipe|équipe|equipo|mitarbeiter\w*|who we are)\b/i,
  testimonial:
    /\b(?:testimonials?|quotes?|loved by|trusted by|clients? sa(?:y|id)|(?:customers?|clients?|partners?|people|users|they|members|readers) (?:are saying|say|think|love)|kundenstimmen|stories|reviews)\b/i,
  feature:
    /\b(?:features?|everything you need|why (?:choose )?\w+|what you get|capabilities|highlights|advantages|benefits|funktionen|fonctionnalités|características)\b/i,
  reply: /(?:^|[\s_-])(?:repl(?:y|ies)|comments?|answers?|posts?|messages?|msg|responses?)(?:$|[\s_-])/i,
  comment: /(?:^|[\s_-])(?:comments?|repl(?:y|ies)|responses?|discussion|kommentare|commentaires)(?:$|[\s_-])/i,
  post: /(?:^|[\s_-])(?:posts?|messages?|msg|comments?|articles?|blog|news|insights|latest|stories)(?:$|[\s_-])/i,
  article:
    /\b(?:articles?|news|blog|posts?|latest|recent|stories|insights|headlines|most read|resources|aktuelles|actualités|noticias)\b/i,
  event:
    /\b(?:events?|what[’']?s on|upcoming|calendar|programme?|dates|shows|concerts|veranstaltungen|termine|agenda|événements|eventos)\b/i,
  session: /\b(?:sessions?|programme?|agenda|schedule|timetable|ablauf)\b/i,
  schedule: /\b(?:schedule|programme?|agenda|timetable|sessions?|ablauf|running order|itinerary|horario)\b/i,
  job: /\b(?:jobs?|careers?|open (?:positions|roles)|positions|vacanc(?:y|ies)|openings|roles|hiring|stellen\w*|offres|empleos?|ofertas)\b/i,
  role: /\b(?:roles?|open (?:positions|roles)|positions|vacanc(?:y|ies)|openings|jobs)\b/i,
  product:
    /\b(?:products?|shop|featured|best ?sellers?|new arrivals|collection|produkte|produits|productos|prodotti)\b/i,
  service: /\b(?:services?|what we (?:do|offer)|solutions|leistungen|prestations|servicios|servizi)\b/i,
  project: /\b(?:projects?|portfolio|our work|case stud(?:y|ies)|repositories|projekte|projets|proyectos)\b/i,
  step: /\b(?:steps?|how it works|process|instructions|ablauf)\b/i,
  speaker: /\b(?:speakers?|presenters|panel(?:ists)?|line[- ]?up|referent\w*|intervenants|ponentes)\b/i,
  location: /\b(?:locations?|branches|stores?|shops|offices|find us|standorte|filialen|adresses|sedes)\b/i,
  room: /\b(?:rooms?|accommodation|suites|zimmer|chambres|habitaciones|camere|kamers)\b/i,
  ticket: /\b(?:tickets?|admission|registration|pricing|prices|eintritt|billets|tarifs|entradas)\b/i,
  review: /\b(?:reviews?|ratings|testimonials?|bewertungen|avis|opiniones|recensioni)\b/i,
  stat: /\b(?:stats?|statistics|(?:by|in) (?:the )?numbers|key figures|figures|impact|at a glance|facts|results)\b/i,
  download: /\b(?:downloads?|assets|files|attachments|dateien)\b/i,
  doctor:
    /\b(?:doctors?|dentists?|physicians?|specialists|practitioners|clinicians|team|staff|ärzte|médecins|médicos)\b/i,
  award: /\b(?:awards?|recognition|prizes|auszeichnungen)\b/i,
  partner: /\b(?:partners?|clients?|customers?|trusted by|sponsors?)\b/i,
})

/** Other words for them. */
const ALIKE = new Map(
  Object.entries({
    plan: 'tier package pricing price',
    member: 'team person people staff employee founder',
    testimonial: 'quote',
    feature: 'benefit',
    reply: 'answer message response',
    article: 'news story blog',
    event: 'date',
    schedule: 'agenda programme program',
    job: 'position vacancy opening',
    product: 'item',
    project: 'repository',
    location: 'branch office store',
    doctor: 'physician dentist practitioner',
    stat: 'statistic metric figure',
    download: 'asset file',
    partner: 'client sponsor',
  }).flatMap(([list, words]) => words.split(' ').map((word): [string, string] => [word, list])),
)

const RELATED =
  /\b(?:you may also like|you might (?:also )?like|related|similar|recommended|more from|read next|keep reading|more (?:stories|articles|posts|to read)|next up|weiterlesen|customers also|people also|goes well with|auch interessant|ähnliche|das könnte|vous aimerez|similaires|también|relacionad[oa]s|potrebbe)\b/i

/** Whether a text says that such a list follows. Beside the content the words of menus say nothing. */
function saysList(text: string, phrases: readonly string[], isMain: boolean): boolean {
  if (text.length > MAX_TEXT || /\?$/.test(text)) return false
  return phrases.slice(0, 2).some((phrase) => {
    const words = phrase.split(' ')
    // `ticketTypes` are tickets.
    const last = words.findLast((word) => !SORT_OF.has(word)) ?? words.at(-1) ?? ''
    // `relatedProducts` are not the products of the page.
    if (/^(?:related|similar|recommended|suggested)$/.test(words[0] ?? '')) return RELATED.test(text)
    return isMain && !RELATED.test(text) && SAYS[ALIKE.get(last) ?? last]?.test(text) === true
  })
}

const SORT_OF = new Set(['type', 'option', 'list', 'tier', 'category'])
const MAX_TEXT = 80

/** A class or id of the box, its caption, or the heading before it carries the field's name. */
export function isNamed(
  scope: PagePart,
  { element, at, isMain }: { element: Element; at: number; isMain: boolean },
  wanted: WantedField,
  ground: FieldContext,
  caption = '',
): boolean {
  let box: Element | undefined = element
  for (let steps = 0; box && steps < 3; steps++) {
    if (nameOf(box, wanted, ground, isMain)) return true
    box = isElement(box.parent) && !['body', 'main', 'html'].includes(box.parent.name) ? box.parent : undefined
  }
  // The heading before the box, or the first thing in it.
  const heading = scope.headings
    .filter((one) => one.at <= at || (one.at < at + 3 && one.element.parent === element))
    .at(-1)
  const texts = [caption, heading && at - heading.at < 60 ? heading.text : '']
  return texts.some((text) => saysName(text, wanted, ground, isMain, element.name === 'table'))
}

export function saysName(
  text: string,
  wanted: WantedField,
  ground: FieldContext,
  isMain: boolean,
  isTable = false,
): boolean {
  const phrase = labelPhrase(collapse(text))
  if (phrase === '') return false
  if (saysList(text, wanted.phrases, isMain)) return true
  const [id] = wanted.concepts
  return (
    wanted.phrases.some((one) => ` ${phrase} `.includes(` ${one} `) && (isTable || isOfMany(one, phrase, text))) ||
    (id !== undefined && conceptsOf(phrase).includes(id.id)) ||
    ground.phrase(wanted.name) === phrase
  )
}

/** One word of a longer heading names a list when it stands for many: "Our services", not "Customer service software". */
const isOfMany = (one: string, phrase: string, text: string): boolean =>
  one === phrase ||
  !/^[a-z]{4,}$/.test(one) ||
  new RegExp(`\\b${one.replace(/y$/, '(?:y|ie)')}(?:s|es)\\b`, 'i').test(text) ||
  !new RegExp(`\\b${one}\\b`, 'i').test(text)

/** What every list may be called: menus have items too. */
const ANY_LIST = new Set(['item', 'list', 'entry', 'result', 'record', 'row', 'element', 'card', 'data', 'link'])
const MAX_CLASS = 40

export function nameOf({ attribs }: Element, { phrases }: WantedField, ground: FieldContext, isMain: boolean): boolean {
  const names = [attribs.class, attribs.id, attribs['data-testid'], attribs['aria-label']].filter(Boolean).join(' ')
  if (names === '') return false
  const tokens = ` ${ground.phrase(names.slice(0, 200))} `
  if (names.length <= MAX_CLASS && saysList(names, phrases, isMain)) return true
  return phrases.some((phrase) => phrase.length > 2 && !ANY_LIST.has(phrase) && tokens.includes(` ${phrase} `))
}
