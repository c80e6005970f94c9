// Removes parts of a line that count, date or identify the visit: counters, clocks, build and host names. Only whole
// parts between separators match, so numbers in sentences stay.

const COUNT = String.raw`(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|\d+(?:[.,]\d+)?)\s?[kKmM]?\+?`

/** Numbers too large to be set by an author: “five users” of a plan and “four stars” of a hotel do not match. */
const LARGE_NUMBER = String.raw`(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|\d{3,}|\d+(?:[.,]\d+)?\s?[kKmM])\+?`
const OFTEN =
  'users?|members?|guests?|customers?|participants?|attendees?|points?|stars?|jobs?|employers?|listings?|results?|orders?|purchases|Mitglieder|Nutzer|Gäste|Teilnehmer|Ergebnisse|Treffer|membres?|inscrits?|résultats?|miembros?|participantes|resultados|membros|iscritti|partecipanti|risultati|leden|deelnemers'

const NOUNS = [
  'views?|reads?|hits?|visits?|visitors?|impressions?|plays?|streams?|listens?|downloads?|installs?|clicks?',
  '(?:dis)?likes?|hearts?|claps?|favou?rites?|bookmarks?|saves?|shares?|re-?posts?|retweets?|reactions?|(?:up|down)?votes?',
  'comments?|replies|reply|answers?|posts?|threads?|reviews?|ratings?|reputation|karma',
  'follow(?:er|ing)s?|follows?|subscribers?|fans?|applicants?|bidders?|bids?|watchers?|viewers?|listeners?|readers?|interested|going|online',
  'forks?|commits?|contributors?|dependents?|open issues?|pull requests?|watch(?:ing)?|sold',
  'Aufrufe|Besuche(?:r|rn)?|Klicks|Kommentare?|Antworten|Bewertungen|Stimmen|Abonnenten|Follower|Bewerber|Beiträge|verkauft',
  "vues?|visites?|visiteurs?|commentaires?|réponses?|avis|abonnés?|intéressée?s?|j'aime|ventes?|vendus?",
  'visitas?|vistas?|comentarios?|respuestas?|opiniones|votos?|seguidores|suscriptores|vendidos?|visualizações|comentários?|respostas?|avaliações|interessad[oa]s',
  'visualizzazioni|visite|commenti|risposte|recensioni|voti|venduti|weergaven|reacties|beoordelingen|volgers',
].join('|')
/** State of the visitor. */
const VISITOR_STATE_WORDS =
  'inbox|basket|cart|bag|wish ?list|notifications?|messages?|alerts?|warenkorb|merkzettel|nachrichten|panier|carrito|cesta|carrello|carrinho|winkelwagen'
const UNITS =
  's|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|years?|Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Monate?n?|secondes?|heures?|jours?|semaines?|mois|segundos?|minutos?|horas?|días?|dias?|semanas?|mes(?:es)?|giorn[io]|or[ae]|minut[io]|dagen|uur'

const matchWhole = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'iu')

const LEAD = '(?:there are |about |over |by |trusted by )?'
const TAIL = '(?: (?:in|from|by|so far|today|right now|total|this|en|im|am|auf|sur|with)\\b.{0,40})?'
const ENDING =
  '(?:closes?|ends?|starts?|begins?|opens?|expires?|refresh\\p{L}*|reload\\p{L}*|updat\\p{L}*|endet|beginnt|schließt|se termine|commence|termina|empieza|inizia|scade)'

const PARTS: readonly RegExp[] = [
  // "41 sold in the last 24 hours", "1.4k forks", "14,208 jobs from 1,911 employers", "2 people are following this thread".
  matchWhole(`${LEAD}${COUNT} (?:\\p{L}+ ){0,2}?(?:${NOUNS})${TAIL}`),
  matchWhole(`${LEAD}${LARGE_NUMBER} (?:\\p{L}+ ){0,2}?(?:${OFTEN})${TAIL}`),
  matchWhole(
    `(?:there are )?${COUNT} (?:people|others?|users?|persons?|Personen|Leute|personnes|personas|pessoas|persone) (?:\\p{L}+ ){0,2}(?:follow|look|view|watch|brows|interest|bought|going|attend|typing|interess|intéress|folgen|sehen|suiv|siguen|viendo|vendo|online)\\p{L}*.{0,40}`,
  ),
  // "Star 18.3k", "Used by 2,671", "Open issues 16", "Questions (12)", "Basket (0)", "Quality score 87".
  matchWhole(
    `(?:\\p{L}+ ){0,2}?(?:${NOUNS}|${VISITOR_STATE_WORDS}|questions?|stars?|issues?|used by|score) ?[:：]? ?\\(?${COUNT}\\)?`,
  ),
  matchWhole(
    `(?:\\p{L}+ ){0,6}?(?:accessed|viewed|read|shared|played|downloaded|watched|seen|visited|opened) ${COUNT} times?.{0,20}`,
  ),
  matchWhole(`.{0,30}\\b(?:besucher|visitor|visiteur|visitante|bezoeker) ?(?:nr|no|number|n°|#)?\\.? ?${COUNT}`),
  matchWhole(`\\p{Extended_Pictographic}\\ufe0f? ?${COUNT}`),
  // "Closes in 15 days", "Refreshing in 22 s", "Dans 188 jours".
  matchWhole(`(?:${ENDING} )?(?:in|dans|noch|en|tra|fra) ${COUNT} ?(?:${UNITS})`),
  matchWhole(
    `(?:order|bestellen sie|bestell\\p{L}*|commandez|pide|pida|ordina) .{0,20}?\\d+ ?(?:h|hrs?|hours?|m|mins?|minutes?|Std|Stunden?|Minuten?|heures?|horas?|ore).{0,60}`,
  ),
  matchWhole(
    `.{0,30}\\b(?:generated|rendered|loaded|served|erzeugt|généré\\p{L}*|generad[ao]|generat[ao]|gerad[ao])\\b.{0,10}\\d.{0,40}`,
  ),
  matchWhole(`${COUNT} ?ms`),
  matchWhole(
    `(?:build|rev(?:ision)?|bundle|deploy(?:ment)?|release id) ?[:#]? ?[\\w.+-]*\\d[\\w.+-]*(?: ?[(,]?[\\w.+-]*\\)?)?`,
  ),
  matchWhole(`version ?[:#]? ?[\\w.]*\\d[\\w.]* ?\\((?:build|rev)\\b.{0,20}\\)`),
  matchWhole(
    `.{0,20}\\b(?:etag|cf-ray|request[ -]?id|trace(?:[ -]?id)?|session[ -]?id|token|jeton|nonce)\\b ?[:#]? ?(?=\\S*\\d).{4,80}`,
  ),
  matchWhole(`(?:served by|node|host|pod|pop|instance|server) ?[:#]? ?[\\p{L}\\d]+-[\\w-]*\\d[\\w-]*`),
]

/** Always counters, at any position in a line. */
const COUNTER_ANYWHERE = new RegExp(
  `(?<![\\p{L}\\d.,])${COUNT} (?:views?|(?:dis)?likes?|re-?posts?|retweets?|replies|comments?|reputation|karma|followers?|following|subscribers?|applicants?|forks?|commits?|contributors?|dependents?|open issues?|pull requests?|upvotes?|downloads?|reactions?|shares?|Aufrufe|Kommentare|Abonnenten|Bewerber|vues|commentaires|abonnés|visitas|comentarios|seguidores|visualizações|comentários|visualizzazioni|commenti|weergaven|reacties|volgers)(?!\\p{L})`,
  'giu',
)
/** "3h 212 likes": a short age before a counter. */
const SHORT_AGE = /(?:^|\s)\d{1,3}(?:s|m|h|d|w|mo|y)(?=\s*$|\s+[·•|]|\s+#)/giu

/** Separators and sentence boundaries. */
const PART_SEPARATOR = /\s*[·•‧|]\s*|\s+[–—-]\s+|(?<=[.!?])\s+(?=\p{Lu}|\d|$)/u
const MARKS = /^[\s#>*_`~(+-]+|[\s*_`~).!:]+$/gu
const MAX_PART = 120

export function removeCounters(line: string): string {
  return line
    .replace(COUNTER_ANYWHERE, ' # ')
    .replace(SHORT_AGE, ' ')
    .split(PART_SEPARATOR)
    .filter((part) => part.length > MAX_PART || !/\d/.test(part) || !isCounter(part.replace(MARKS, '')))
    .join(' ')
}

const isCounter = (part: string): boolean => PARTS.some((pattern) => pattern.test(part))

const LABEL = new RegExp(`^(?:\\p{L}+ ){0,2}(?:${NOUNS})$`, 'iu')
const BARE_NUMBER = new RegExp(`^${COUNT}$`, 'iu')

/** "Weekly downloads" above "184,220": a counter in two lines. */
export const isCountLabelPair = (label: string, value: string): boolean =>
  BARE_NUMBER.test(value.replace(/^[\s:*_>-]+|[\s*_]+$/g, '')) && LABEL.test(label.replace(MARKS, ''))
