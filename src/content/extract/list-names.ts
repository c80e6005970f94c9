// What pages call their lists, when it is not the word that people ask with: plans stand under "Pricing", people under "Meet
// the team". By the last word of a list's name.

const SAYS: Readonly<Record<string, RegExp>> = {
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
  location: /\b(?:locations?|branches|stores?|offices|find us|standorte|filialen|adresses|sedes)\b/i,
  room: /\b(?:rooms?|accommodation|suites|zimmer|chambres|habitaciones|camere|kamers)\b/i,
  ticket: /\b(?:tickets?|admission|registration|pricing|prices|eintritt|billets|tarifs|entradas)\b/i,
  review: /\b(?:reviews?|ratings|testimonials?|bewertungen|avis|opiniones|recensioni)\b/i,
  award: /\b(?:awards?|recognition|prizes|auszeichnungen)\b/i,
  partner: /\b(?:partners?|clients?|customers?|trusted by|sponsors?)\b/i,
}

const ALIKE: Readonly<Record<string, string>> = {
  tier: 'plan',
  package: 'plan',
  pricing: 'plan',
  price: 'plan',
  team: 'member',
  person: 'member',
  people: 'member',
  staff: 'member',
  employee: 'member',
  founder: 'member',
  quote: 'testimonial',
  benefit: 'feature',
  answer: 'reply',
  message: 'reply',
  response: 'reply',
  news: 'article',
  story: 'article',
  blog: 'article',
  agenda: 'schedule',
  programme: 'schedule',
  program: 'schedule',
  position: 'job',
  vacancy: 'job',
  opening: 'job',
  item: 'product',
  repository: 'project',
  branch: 'location',
  office: 'location',
  store: 'location',
  client: 'partner',
  sponsor: 'partner',
}

const RELATED =
  /\b(?:you may also like|you might (?:also )?like|related|similar|recommended|more from|customers also|people also|goes well with|auch interessant|ähnliche|das könnte|vous aimerez|similaires|también|relacionad[oa]s|potrebbe)\b/i

/** Whether a heading or the name of a box says that a list of such a name follows. */
export function saysList(text: string, phrases: readonly string[]): boolean {
  if (text.length > MAX_TEXT || /\?$/.test(text)) return false
  return phrases.slice(0, 2).some((phrase) => {
    const words = phrase.split(' ')
    const last = words.at(-1) ?? ''
    // `relatedProducts` are not the products of the page.
    if (/^(?:related|similar|recommended|suggested)$/.test(words[0] ?? '')) return RELATED.test(text)
    return !RELATED.test(text) && SAYS[ALIKE[last] ?? last]?.test(text) === true
  })
}

const MAX_TEXT = 80
