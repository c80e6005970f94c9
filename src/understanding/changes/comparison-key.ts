// Computes the comparison key of a line without noise: relative times, counters, tokens, rotating parts.
// docs/changes.md lists what is ignored.

/** Relative times in common languages: "5 minutes ago", "vor 3 Stunden", "il y a 2 jours". */
const RELATIVE_TIMES = [
  /\b(?:about |over |almost |less than )?(?:\d+|an?|one|a few|few)\s?(?:s|sec(?:ond)?s?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|years?)\sago\b/gi,
  /\b(?:just now|moments? ago|yesterday|today|right now|last (?:week|month|year))\b/gi,
  /\bvor\s(?:\d+|einer?|einem|wenigen)\s(?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)\b|\b(?:gerade eben|gestern|heute)\b/gi,
  /\bil y a\s(?:\d+|une?)\s(?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b|\b(?:hier|aujourd'hui)\b/gi,
  /\bhace\s(?:\d+|una?)\s(?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)\b|\bhá\s(?:\d+|uma?)\s(?:segundos?|minutos?|horas?|dias?|semanas?|mês|meses|anos?)\b|\b(?:\d+|una?|un')\s?(?:secondi|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])\sfa\b/gi,
  /(?:\d+|одну?)\s(?:секунд\p{L}*|минут\p{L}*|час\p{L}*|д(?:ень|ня|ней)|недел\p{L}*|месяц\p{L}*|год\p{L}*|лет)\sназад/giu,
  /\d+\s?(?:秒|分|時間|日|週間|か月|ヶ月|年)前|\d+\s?(?:秒|分钟|小时|天|周|个月|年)前|\d+\s?(?:초|분|시간|일|주|개월|년)\s?전|(?:刚刚|たった今|방금)/g,
]
const MONTH =
  '(?:jan|feb|fév|fev|mar|mär|mrt|apr|avr|abr|may|mai|maj|mei|mag|jun|jui|giu|jul|lug|aug|aoû|ago|sep|set|oct|okt|ott|out|nov|dec|déc|dez|dic|dis|ene|gen|sty|lut|kwi|cze|lip|sie|wrz|paź|lis|gru|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\\p{L}{0,9}\\.?'
const WEEKDAY =
  '(?:mon|tue|wed|thu|fri|sat|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so|lun|mar|mer|mié|jeu|jue|ven|vie|sam|sáb|dim|dom|seg|ter|qua|qui|sex|gio|пн|вт|ср|чт|пт|сб|вс|понед|втор|сред|четв|пятн|субб|воскр)\\p{L}{0,7}\\.?'
const DAY = `(?:${WEEKDAY},?\\s(?:der |den |the |le )?)?(?:\\d{4}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{1,2}(?:st|nd|rd|th|\\.|er)?\\s(?:de\\s)?${MONTH}(?:,?\\s(?:de\\s)?\\d{4})?|${MONTH}\\s\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s\\d{4})?|\\d{4}年\\d{1,2}月\\d{1,2}日)`
const TIME = '\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s?[ap]\\.?m\\.?)?(?:\\s?(?:UTC|GMT|Z|CET|CEST|[A-Z]{2,4}T|Uhr))?'
const MOMENT = `(?:${DAY}(?:[,T ]+(?:at |um |à |a las )?${TIME})?|${TIME})`
/** "Last updated: …", "Stand: …": page timestamps. Dates in sentences are content. */
const PAGE_TIMESTAMP = new RegExp(
  `(?:\\b(?:last (?:updated|modified|checked|refreshed|crawled|synced|visit(?:ed)?|seen|login|accessed|activity)|updated|as of|generated|retrieved|accessed|current time|server time|local time|zuletzt (?:aktualisiert|geändert)|stand|aktualisiert|dernière mise à jour|mis à jour|última actualización|actualizado|última atualização|atualizado|ultimo aggiornamento|aggiornato)|обновлено|最終更新日?|更新日時?|更新时间|최종 수정)\\s?(?:(?:at|on|am|le|el|em|il)\\s)?[:：]?\\s*${MOMENT}`,
  'giu',
)
/** A line with only a date or time, such as today's date in the header. */
const DATE_ONLY_LINE = new RegExp(`^[\\s*_>#|-]*${DAY}(?:[,T ]+(?:at |um |à |a las )?${TIME})?[\\s*_|.-]*$`, 'iu')
/** Machine timestamps: to the second, or as one number. */
const MACHINE_TIMESTAMP =
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?|\b20\d{12}\b|\b1[6-9]\d{8}(?:\d{3})?\b/g
const TICKING =
  /\b\d{1,2}:\d{2}:\d{2}\b(?:\.\d+)?|\b(?:page )?(?:generated|rendered|loaded|served) in \d[\d.,]*\s?(?:m?s|seconds|milliseconds)\b/gi
/** "1,204 views", "3.4k likes", "12 people are viewing". */
const COUNTERS = [
  /\b\d[\d.,]*\s?[kKmM]?\+?\s(?:views?|visits?|visitors?|hits?|reads?|likes?|shares?|retweets?|upvotes?|votes?|claps?|reactions?|followers?|subscribers?|downloads?|plays?|watching|online|viewing|impressions?|comments?|replies|points? by|(?:people|users?|guests?|customers?|others?|members?|Mitglieder|Gäste|Nutzer|Benutzer|Personen|membres|personnes|visiteurs|usuarios|personas|miembros|usuários|pessoas|membros|utenti|persone) (?:(?:are|is|have|has) )?(?:online|viewing|watching|bought|looking|browsing|here|active)[^.|\n]{0,60})/gi,
  /\b(?:views?|visits?|visitors?|hits?|likes?|shares?|followers?|downloads?|votes?|comments?|online|Aufrufe|Besucher|vues|visitas|visualizações|visualizzazioni|просмотр\p{L}*)(?:\s(?:today|heute|total|gesamt|hoy|hoje|oggi))?\s*[:：(]\s*(?!\d+:)\d[\d.,]*\s?[kKmM]?\)?/giu,
  /\b\d[\d.,]*\s?(?:Aufrufe|Besucher|Klicks|Downloads|Kommentare|Abonnenten|vues|visiteurs|commentaires|abonnés|visitas|visualizaciones|vistas|comentarios|seguidores|visualizações|visualizzazioni|visite|commenti|просмотр\p{L}*|комментари\p{L}*|подписчик\p{L}*)/giu,
  /\d[\d.,]*\s?(?:回視聴|閲覧|次观看|阅读|浏览|次浏览|赞|조회|いいね)|(?:조회수|閲覧数|浏览量|阅读量|再生回数)\s?[:：]?\s?\d[\d.,]*/g,
]
/** Query parameters that differ per visit. */
const VARYING_QUERY_PARAMETER =
  /[?&;](?:utm_\w+|gclid|fbclid|msclkid|sid|session(?:id)?|jsessionid|phpsessid|token|csrf\w*|_csrf|authenticity_token|nonce|cb|cachebust(?:er)?|_|t|ts|timestamp|v|ver|version|rnd|rand|hash|sig|signature|expires|x-amz-[\w-]+)=[^&\s)"'>\]]*/gi
/** Session ids, tokens and file hashes. */
const SESSION_TOKENS = [
  /;jsessionid=[^?\s)"'>]*/gi,
  /\b(?:csrf|xsrf|nonce|session|request|trace|correlation|ray)[\s_-]?(?:id|token)?\s?[:=]\s?["'`]?[\w+/=.-]{8,}/gi,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/gi,
  /\b(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])[A-Za-z0-9+/_-]{32,}={0,2}/g,
  /\.(?:[0-9a-f]{6,20}|[A-Za-z0-9_-]{8,12})\.(?=(?:js|css|png|jpe?g|webp|svg|gif|avif)\b)/gi,
]
/** Checksums are content. */
const CHECKSUM_WORD = /\b(?:sha-?\d*|md5|checksums?|digest|fingerprint|prüfsumme|somme de contrôle)\b/i
const SHORT_HASH = /\b(?=[0-9a-f]*\d[0-9a-f]*\d)(?=[0-9a-f]*[a-f][0-9a-f]*[a-f])[0-9a-f]{7,15}\b/g
/** Server status, weather and stock quotes. */
const STATUS_OR_WEATHER =
  /\bcf-ray\b|\bcache: ?(?:hit|miss)\b|[▲▼△▽]\s?[-+]?\d|\d\s?°\s?[CF]\b.{0,40}(?:rain|cloud|sun|clear|snow|wind|fog|mist|storm|shower|overcast|regen|wolk|bewölkt|sonnig|heiter|schnee|pluie|nuag|soleil|lluvia|nub|sol\b|pioggia|nuvol|sole\b)/iu

/** Ad slots and lines about the visitor. */
const AD_OR_VISITOR_LINE =
  /^[\s*_>#-]*(?:\[?(?:advertisement|advertising|sponsored(?: (?:content|by|links?)[^\n]{0,80})?|promoted|ad|ads by [^\n]{0,60}|anzeige|werbung|publicité|publicidad|publicidade|pubblicità|реклама|広告|广告|광고)\]?(?:\([^)\n]*\))?|your ip(?: address)?[^\n]{0,60}|©\s?\d{4}[^\n]{0,80}|copyright[^\n]{0,100}|(?:current|server) time[^\n]{0,60})[\s*_:.!-]*$/i

const ADS =
  /!?\[[^[\]\n]{0,300}\]\(https?:\/\/(?:[\w-]+\.)?(?:ads?|adserver|adservice|adclick|doubleclick|googlesyndication|googleadservices|taboola|outbrain|criteo|amazon-adsystem)\.[^()\s]{0,2000}\)/gi
/** Countdowns: "Order within 4 h 12 min", "2 days left". */
const COUNTDOWN =
  /\b(?:within|in the next|ends? in|expires? in|starts? in|closes? in|only|noch|endet in|innerhalb von|innerhalb der nächsten|encore|plus que|quedan|termina en|faltam|termina em|ancora|scade tra)\s+(?:\d+\s?(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|Tagen?|Std\.?|Stunden?|Minuten?|Sekunden?|jours?|heures?|días?|horas?|minutos?|dias?|giorni|ore|minuti)\b[\s,:]*(?:and|und|et|y|e)?\s*){2,4}|\b(?:\d+\s?(?:d|days?|h|hrs?|hours?|m|mins?|minutes?)\s?)+(?:left|remaining|to go)\b/gi
/** "Heute ist Sonntag, der 15. November": the current date. */
const TODAYS_DATE = new RegExp(
  `(?:\\b(?:today is|today's date(?: is)?|heute ist|aujourd'hui,? (?:c'est|nous sommes)?|nous sommes le|hoy es|oggi è|hoje é|vandaag is(?: het)?|dziś jest|dzisiaj jest|idag är det)|сегодня|今日は|今天是|오늘은)[:,]?\\s*(?:\\p{L}{3,12},?\\s)?(?:der |den |the |le |el |o )?${DAY}`,
  'giu',
)
/** Build names and feedback polls. */
const BUILD_NAME_OR_POLL =
  /\b(?:build|rev(?:ision)?|commit|sha|release|deploy(?:ment)?|bundle)\s?[:#]?\s?(?=[0-9a-f]*\d)[0-9a-f]{6,40}\b|\b(?:site|page|app|web|ui|frontend|server)\s(?:version|build|rev(?:ision)?|release)\s?[:#]?\s?[a-z]?\d[\w.-]{0,30}/gi
const POLL =
  /\b\d[\d.,]*\s(?:of|out of|von|sur|de|su|из)\s\d[\d.,]*\s(?:(?:people|users?|readers?|visitors?|Personen|Leser)\s)?(?:found|fanden|ont trouvé|encontraron|acharam|hanno trovato|considered)\b/gi
/** Other numbers on a line with a visitor counter. */
const NUMBER_BESIDE_COUNTER =
  /\b(?:today|total|all time|online|this (?:week|month|year)|yesterday|heute|gestern|gesamt|insgesamt|aujourd'hui|au total|hoy|ayer|hoje|ontem|totale?|oggi|ieri)\s*[:：]?\s*\d[\d.,]*/gi

/** The comparison key; empty if the line is ignored. */
export function comparisonKeyOf(line: string): string {
  const bounded = line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line
  if (AD_OR_VISITOR_LINE.test(bounded) || CODE_FENCE.test(bounded) || DATE_ONLY_LINE.test(bounded)) return ''
  if (bounded.length <= MAX_MOMENT && STATUS_OR_WEATHER.test(bounded)) return ''
  let key = bounded.includes('](')
    ? bounded.replace(ADS, ' ').replace(VARYING_QUERY_PARAMETER, '').replace(EMPTY_QUERY_REST, '')
    : bounded
  if (!CHECKSUM_WORD.test(key)) for (const pattern of [...SESSION_TOKENS, SHORT_HASH]) key = key.replace(pattern, '#')
  key = removeCounters(key.replace(MACHINE_TIMESTAMP, ' '))
  if (/\d/.test(key)) {
    key = key.replace(TODAYS_DATE, ' ').replace(BUILD_NAME_OR_POLL, ' ').replace(POLL, ' ').replace(COUNTDOWN, ' ')
    const before = key
    for (const pattern of COUNTERS) key = key.replace(pattern, ' ')
    if (key !== before) key = key.replace(NUMBER_BESIDE_COUNTER, ' ')
  }
  for (const pattern of RELATIVE_TIMES) key = key.replace(pattern, ' ')
  if (/\d/.test(key)) key = key.replace(PAGE_TIMESTAMP, ' ').replace(TICKING, ' ')
  key = key
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  // Only a list marker, bullet or bar is left.
  return /[\p{L}\p{N}]/u.test(key) ? key : /[\p{L}\p{N}]/u.test(bounded) ? '' : key
}

/** Code fences are ignored; the code itself is compared. */
const CODE_FENCE = /^\s*(?:`{3,}|~{3,})[\w+-]*\s*$/
/** Leftovers of a query without parameters. */
const EMPTY_QUERY_REST = /[?&;]+(?=[)#])|(?<=\?)&+/g
const MAX_LINE = 100_000
const MAX_MOMENT = 200

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

function removeCounters(line: string): string {
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
