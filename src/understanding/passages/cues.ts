// What kind of thing a question asks for, told by how it is asked, and whether a text holds such a thing. It must not
// know where the text comes from.
import { folded, stem } from './terms.ts'

export type CueKind =
  | 'money'
  | 'charge'
  | 'percent'
  | 'duration'
  | 'measure'
  | 'extent'
  | 'size'
  | 'often'
  | 'count'
  | 'time'
  | 'date'
  | 'person'
  | 'author'
  | 'maker'
  | 'place'
  | 'email'
  | 'phone'
  | 'yes-no'
  | 'reason'
  | 'purpose'
  | 'several'
  | 'way'
  | 'thing'

const WHETHER =
  "^(?!(?:can|could|do|will) (?:you|i) (?:tell|say|know|give|find|see|get|learn)\\b)(?:is|are|was(?! (?:ist|sind|war|waren|wird|kostet|macht|bedeutet|passiert|kann|muss|soll|darf|hat|gibt|braucht|heisst)\\b)|were|do|does|did|can|could|may|will|has|have|should|must|ist|sind|kann|darf|gibt|hat|haben|est-ce|peut-on|y a-t-il|es|hay|se puede|puedo|tiene|existe|pode|tem|c'e|si puo|можно|есть)\\b"

/** Tried in order: the first that fits says what is asked. Questions come folded: lower case, without accents. */
const CUES: readonly (readonly [CueKind, RegExp])[] = [
  // Whether something is charged for, weighs or may be called: yes or no, not how much.
  [
    'charge',
    new RegExp(
      `${WHETHER}.*\\b(?:pay|costs?|charged?|fees?|price|expensive|kostet|kosten|payer|coute|pagar|cuesta)\\b`,
    ),
  ],
  ['yes-no', new RegExp(WHETHER)],
  // "What kind of fare …", "On what are fees based?", "How is the price made?" ask for no amount, whatever the noun.
  [
    'thing',
    /^what (?:if|happens|happened|now)\b|^(?:what|which) (?:kind|type|sort)s? of\b|^(?:on|by|from|with|for|to) (?:what|which|whom)\b|^how (?:does|did|is|are|was|were)\b|^welche art\b|^quel (?:type|genre) de\b|^que (?:tipo|clase) de\b/,
  ],
  [
    'way',
    /^how (?:do|can|could|should|would|to|must|may)\b|^wie (?:kann|muss|soll)\b|^comment\b|^como (?:puedo|se|posso)\b|^come (?:posso|si)\b/,
  ],
  ['count', /^by how much\b/],
  // However often or fast one pays or charges: no amount of money.
  ['often', /^how (?:often|frequently)\b/],
  ['duration', /^how (?:fast|quick|quickly|soon|long) .*\b(?:pay|paid|charged?|cost|fees?)\b/],
  [
    'measure',
    /how much .*\bweighs?\b|^(?:what|which) (?:weight|height|width|depth|distance|speed|voltages?|wattage)\b/,
  ],
  ['email', /\be-?mail|courriel|correo electronico|почт/],
  [
    'phone',
    /\b(?:tele)?phone number|\b(?:telefon(?:nummer|o)?|telephone|numero de telefono|call(?= (?:us|them|him|her|you|for|to)\b))\b|телефон|電話|电话|전화/,
  ],
  ['percent', /\bpercent|\bpercentage|prozent|pourcentage|porcentaje|percentual|процент|割合|百分/],
  [
    'money',
    /how expensive|how much (?:is|are|for|do i pay|to \w+|must)\b|\b(?:price|cost|costs|fee|fees|salary|fare|pay|charged?)\b|was kostet|wie teuer|wie viel kostet|wieviel kostet|\bpreis|kosten\b|combien coute|quel (?:est le )?prix|cuanto (?:cuesta|vale)|precio|quanto custa|preco|quanto costa|prezzo|сколько стоит|цена|стоимость|いくら|料金|価格|多少钱|价格|가격|얼마|ile kosztuje|kac para|ราคา|كم (?:سعر|يكلف)|سعر/,
  ],
  // Of a film in minutes, of a table in feet: who asks does not say which.
  ['extent', /how long (?:is|are|was|were) (?!it\b)/],
  [
    'duration',
    /how (?:long|soon|quickly|much time|many (?:days|hours|minutes|weeks|months|years))|wie lange|combien de temps|cuanto tiempo|quanto tempo|сколько времени|как долго|どのくらい|多久|얼마나 오래/,
  ],
  [
    'time',
    /what time|opening (?:hours|times)|which hours|um wie viel uhr|wie spat|offnungszeiten|quelle heure|horaires|que hora|horario|che ora|orari|во сколько|何時|几点|몇 시/,
  ],
  [
    'date',
    /^(?:\w+ )?when\b|\bwhen (?:is|are|was|were|did|does|do|will|can|should|must|has|have)\b|what (?:year|date|day|month)|which (?:year|date|day|month)|deadline|\bwann\b|welche[smn]? (?:jahr|datum|tag)|\bquand\b|quelle (?:date|annee)|\bcuando\b|que ano|en que fecha|\bquando\b|quale anno|когда|в каком году|いつ|何年|什么时候|哪一年|何时|언제|kiedy|ne zaman|wanneer|\bnar\b|เมื่อ|متى/,
  ],
  [
    'measure',
    /how (?:tall|high|far|heavy|deep|wide|fast|hot|cold|warm|thick|much (?:water|space|memory|storage|weight))|wie (?:gross|weit|schwer|tief|breit|schnell)\b|quelle (?:taille|hauteur|distance|superficie)|que (?:altura|tamano|distancia)|какова (?:высота|длина|площадь)|高さ|多高|多大|面积/,
  ],
  ['size', /how (?:big|large|small)/],
  [
    'often',
    /how (?:often|frequent)|how many times|wie (?:oft|haufig)|combien de fois|con que frecuencia|cuantas veces|quantas vezes|com que frequencia|quante volte|как часто/,
  ],
  [
    'count',
    /how (?:many|much|old)|number of|what age|wie ?viele?\b|wie hoch|wie alt\b|anzahl|combien|cuant[oa]s|quant[oaie]s?\b|quanti|сколько|количество|いくつ|何人|多少|几个|몇|\bile\b|kac\b|hoeveel|hur manga|كم/,
  ],
  // Who signed the page itself, as against who wrote what it tells of.
  [
    'author',
    /^who (?:wrote|has written|reported|published|posted|is the (?:author|writer|reporter) of) (?:the|this|that) (?:\w+ )?(?:article|story|post|piece|page|blog|report|guide|review|recipe|news|text)\b|^who(?: is|['’]s) the (?:author|writer|reporter|journalist)\W*$/,
  ],
  // Who made or won something is told by a name, not by a trade.
  [
    'maker',
    /^who (?:first )?(?:created|founded|co-founded|invented|built|designed|made|developed|directed|discovered|won|composed|painted)\b/,
  ],
  [
    'person',
    /\bwho(?:m|se)?\b|\bwer\b|\bwen\b|\bwem\b|\bwessen\b|\bqui\b|\bquien|\bquem\b|\bchi\b|\bкто\b|誰|谁|누구|\bkto\b|\bkim\b|\bwie (?:is|was)\b|\bvem\b|ใคร|من هو/,
  ],
  [
    'place',
    /\bwhere\b|(?:which|what) (?:cit(?:y|ies)|countr(?:y|ies)|towns?|places?|address|states?|regions?)\b|\bwo\b|\bwoher\b|\bou\b|\bdonde\b|\bonde\b|\bdove\b|\bгде\b|どこ|哪里|在哪|어디|\bgdzie\b|nerede|\bwaar\b|\bvar\b|ที่ไหน|أين/,
  ],
  [
    'purpose',
    /what does .* do\b|what (?:is|are) .* for\W*$|purpose|what .* used for|wozu|wofür|wofur|a quoi sert|para que|a cosa serve|зачем|для чего|何のため/,
  ],
  ['reason', /\bwhy\b|reason|\bwarum\b|weshalb|pourquoi|por que|perche|почему|なぜ|为什么|왜/],
  [
    'several',
    /\bwhich\b.*\bare\b|\bwhat are\b|\bname (?:the|all|three|two|four)|\blist\b|welche .*\b(?:gibt|sind)\b|quels sont|quelles sont|cuales son|quais sao|quali sono|какие/,
  ],
  ['yes-no', /ですか|吗|까\?/],
]

/** The kind of thing that is asked for. */
export function kindOf(question: string): CueKind {
  const text = folded(question.slice(0, 1000).normalize('NFC')).trim()
  return CUES.find(([, cue]) => cue.test(text))?.[0] ?? 'thing'
}

const NUMBER = "\\d{1,15}(?:[.,'\u00a0\u202f ]\\d{3}){0,5}(?:[.,]\\d{1,4})?"
export const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|dois|três|quatro|oito|dez|due|tre|quattro|cinque|otto|nove|dieci|два|три|четыре|пять|десять'
const SCALE =
  '(?:\\s?(?:million|billion|thousand|Millionen|Mio|Milliarden|millones|milhões|milioni|millions|млн|тыс|万|億|亿))?'
const MONTHS =
  'Jan(?:uary|uar|vier)?|Feb(?:ruary|ruar)?|März|Mar(?:ch|s|zo|ço)?|Apr(?:il)?|Ma[iy]|Jun[ei]?|Jul[yi]?|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر|มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม'
const CLOCK =
  '\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:[ap]\\.?m\\b|Uhr|h\\b|時|点|시)|\\b\\d{1,2}[:h]\\d{2}\\b|\\b(?:noon|midnight|Mitternacht|midi|mediodía)\\b' +
  // "from 7 to 10", "until nine": told by what leads to it, and by what does not follow.
  "|\\b(?:from|at|until|till|after|before|between)\\s(?:[01]?\\d|2[0-4]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\\s?(?:to|and|until|till|[-–])\\s?(?:[01]?\\d|2[0-4]))?(?=\\s?[.,;)]|\\s(?:in|on|at|and|o['’]clock|every|each|daily|sharp)\\b|$)"
const DAY = '(?<!\\d)\\d{1,2}'

/** What such a thing looks like; kinds that are not here can look like anything. */
const LOOKS: Readonly<Partial<Record<CueKind, RegExp>>> = {
  money: new RegExp(
    `[$€£¥₹₽₩₺฿]\\s?${NUMBER}${SCALE}|(?<![\\w-])(?:USD|EUR|GBP|CHF|JPY|R\\$|Rs\\.?|kr)\\s?${NUMBER}${SCALE}(?!\\w)|${NUMBER}${SCALE}\\s?(?:€|\\$|£|¥|₽|₺|zł|Kč|kr\\b|円|元|원|บาท|ريال|درهم|euros?\\b|dollars?\\b|pounds?\\b|cents?\\b|EUR\\b|USD\\b|GBP\\b|CHF\\b|PLN\\b|TL\\b|Franken\\b|руб|yen\\b|reais\\b|pesos?\\b|crowns?\\b|marks?\\b|shillings?\\b|dinars?\\b|lira\\b|kron(?:or|er|a)\\b|francs?\\b|rupees?\\b|rand\\b|pence\\b|p\\b(?!\\.))|[一二三四五六七八九十百千万]{1,6}円|\\b\\d+[.,]\\d{2}\\b(?!\\s?(?:["”″'’′x×]|Uhr|h\\b|[ap]\\.?m\\b|%|[kcm]?m\\b|k?g\\b|[KMGT]B))|\\b(?:euros?|dollars?|pounds?|francs?|Euro|рублей)\\b|\\b(?:free of charge|(?<=\\b(?:is|are|be|was|were|for|and|or|completely|totally|entirely|absolutely|it[’']s|they[’']re),? )free(?=[.,;:!?)]|$|\\s(?:for|to|on|with|and|or|but|if|when|while|until|in|at|as|during|online)\\b)|(?:for|costs?|costing) nothing|free (?:of cost|admission|entry|shipping|delivery|trial|plan|tier|access)|kostenlos|gratis|gratuit[oe]?|бесплатно|無料|免费)\\b`,
    'iu',
  ),
  percent: new RegExp(
    `${NUMBER}\\s?(?:%|percent|per cent|Prozent|pour ?cent|por ciento|por cento|per cento|процент)`,
    'iu',
  ),
  duration: new RegExp(
    `(?:${NUMBER}|\\b(?:an?|${NUMBER_WORDS}|several|einem?|eine[nr]?|une?|una?))[\\s-]?(?:to\\s\\d+\\s|bis\\s\\d+\\s|[–-]\\s?\\d+\\s?)?(?:business |working )?(?:sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?|decades?|Sekunden|Minuten?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?|Werktage|heures?|jours?|semaines?|mois|ans|années|horas?|días?|dias?|semanas?|meses|años|anos|ore|giorni|settimane|mesi|anni|час|дн|недел|месяц|лет|год|分|時間|日間|年間|ヶ月|天|小时|个月|年|시간|일|개월|년)|[一二三四五六七八九十百]{1,4}(?:分|時間|日間?|週間|[かヶ]月間?|年間?|天|小时|个月)`,
    'iu',
  ),
  often:
    /\b(?:every|each|interval|once|twice|per|times|daily|weekly|monthly|yearly|annually|hourly|nightly|alle|jede[nrs]?|pro|täglich|wöchentlich|monatlich|jährlich|mal|chaque|tous|toutes|fois|par|cada|vez|veces|vezes|volte|ogni|раз|кажд\p{L}*)\b|毎/iu,
  time: new RegExp(CLOCK, 'iu'),
  date: new RegExp(
    `\\b(?:1[0-9]|20)\\d{2}\\b|${DAY}(?:\\.|st|nd|rd|th|er)?\\s(?:de\\s)?(?:${MONTHS})|\\b(?:${MONTHS})\\s${DAY}|(?:${MONTHS})\\s(?:de\\s)?\\d{4}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{4}[-年/]\\d{1,2}|\\d{1,2}月|[月火水木金土日]曜日|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|\\b(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)s?\\b|\\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|segunda|terça|quarta|quinta|sexta|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)\\b|\\b\\d{1,2}(?:st|nd|rd|th) century|${CLOCK}`,
    'iu',
  ),
  measure: new RegExp(
    `${NUMBER}${SCALE}[\\s-]?(?:k?m[²2³3]?\\b|cm\\b|mm\\b|kg\\b|g\\b|lbs?\\b|tons?\\b|tonnes?\\b|Tonnen|feet|foot|ft\\b|inch(?:es)?|["”″'’′](?=\\s|$)|miles?|mi\\b|acres?|hectares?|ha\\b|km/h|mph|°|degrees|Grad|met(?:er|re)s?|Meter[n]?|kilomet|Kilometer|lit(?:er|re)s?|L\\b|[mcd]l\\b|cups?\\b|tablespoons?|tbsp|teaspoons?|tsp|fl\\.? ?oz|oz\\b|ounces?|gallons?|pints?|quarts?|Tassen?|[KMGT]i?B\\b|gigabytes?|MHz|GHz|W\\b|kW|V\\b|volts?|grams?|gr\\b|years?[ -]old|Jahre|ans|años|anos|anni|м\\b|км\\b|кг\\b|米|公里|キロ|メートル|平方|미터)`,
    'iu',
  ),
  count: new RegExp(`(?<![\\p{L}\\d-])\\d|\\b(?:${NUMBER_WORDS})\\b|[一二三四五六七八九十百千万两]`, 'iu'),
  person:
    /\p{Lu}[\p{Ll}'’]+(?:[ -](?:(?:de|da|do|dos|del|della|di|van|von|der|den|bin|al|el|la|le)\s){0,2}\p{Lu}[\p{L}'’.]*){1,3}|[\p{Script=Han}\p{Script=Katakana}]{2,}|[가-힣]{2,4}|[\u0600-\u06ff]{3,}|\b(?:students?|pupils?|teachers?|parents?|children|owners?|landlords?|tenants?|managers?|employ(?:er|ee)s?|staff|workers?|customers?|clients?|users?|members?|visitors?|guests?|patients?|doctors?|nurses?|clinicians?|providers?|authors?|editors?|writers?|artists?|designers?|developers?|engineers?|scientists?|researchers?|experts?|professionals?|officers?|directors?|founders?|president|minister|king|queen|council|committee|government|applicants?|residents?|citizens?|drivers?|players?|sellers?|buyers?|electricians?|plumbers?|contractors?|technicians?|mechanics?|installers?|lawyers?|attorneys?|therapists?|dentists?|pharmacists?|physicians?|surgeons?|architects?|accountants?|agents?|brokers?|inspectors?|instructors?|trainers?|coach(?:es)?|professors?|lecturers?|tutors?|volunteers?|participants?|vendors?|suppliers?|manufacturers?|retailers?|specialists?|consultants?|advis[eo]rs?|administrators?|moderators?|beginners?|learners?|travell?ers?|veterans?|soldiers?|athletes?|families|seniors?|teenagers?|compan(?:y|ies)|agenc(?:y|ies)|department|ministry|university|anyone|everyone|people|adults?|men|women)\b/u,
  author:
    /^(?:\p{L}+ )?[Bb][Yy]:? \p{Lu}|\b(?:[Aa]uthor|(?:[Ww]ritten|[Pp]osted|[Pp]ublished|[Ww]ords|[Tt]ext|[Rr]eport(?:ed|ing)?) by)\b|^(?:Von|Par|Por|Di|Автор) \p{Lu}/u,
  maker: /(?<=[\p{L}\d,;:] )\p{Lu}[\p{L}'’-]+|^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|[\p{Script=Han}\p{Script=Katakana}]{2,}/u,
  place:
    /(?<=[\p{L}\d,;] )\p{Lu}[\p{L}'’-]+|\b(?:in|at|on|near|inside|outside|behind|beside|under|between|beneath|above|below|im|am|an|auf|bei|neben|hinter|unter|dans|sur|sous|chez|près|à|au|aux|en|entre|nel|nella|sul|sotto|no|na|sob|в|на|под|у) \p{L}{2}|\d{4,6}|[\p{Script=Han}\p{Script=Hiragana}가-힣\u0600-\u06ff\u0e00-\u0e7f]{2,}/u,
  email: /[\w.+-]{1,64}(?:@| ?[[(](?:at|AT)[\])] ?)[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/,
  phone: /\+?\(?\d{1,5}\)?(?:[ ()./-]{0,3}\d{2,6}){2,6}/,
  purpose:
    /purpose|responsible|\b(?:is|are|was|were) (?:to|used|meant|made|there|for)\b|serves?\b|allows?\b|lets\b|helps?\b|handles?\b|maintains?\b|dient|zuständig|sorgt|sert|permet|sirve|permite|serve\b|служит|позволяет|ため/iu,
  // What is told to be done: "Use …", "To remove …, run …", "by choosing …".
  way: /^(?:\d+[.)] )?(?:to \p{L}|use|run|click|tap|select|choose|open|go|press|hold|add|set|type|enter|install|call|visit|contact|send|apply|make|create|start|begin|try|follow|remove|delete|check|keep|download|ask|take|put|turn|move|place|give|write|read|look|do not|don['’]t|never|always|avoid|first|then|next|finally|if you)\b|\b(?:by \p{L}+ing|you (?:can|could|should|need|must|may|have to|will)|simply|use the|using|we recommend|it(?: is|['’]s) (?:best|recommended|possible))\b/iu,
  reason:
    /\bbecause\b|\bdue to\b|\bsince\b|in order to|\bso that\b|reason|\bcaused?\b|\bweil\b|\bda\b|\bum\b.*\bzu\b|wegen|aufgrund|damit|parce que|car\b|afin|en raison|porque|debido|para\b|perché|poiché|потому|из-за|чтобы|ため|から|因为|由于|때문/iu,
}

/** What leads to an event that answers "when" without a date. */
const AT_AN_EVENT =
  /\b(?:when|whenever|after|before|once|during|until|till|since|while|as soon as|the moment|(?:days|weeks|months|years) (?:of age|old|ago)|upon|every|each|daily|weekly|monthly|always|never|later|dawn|dusk|mornings?|noon|afternoons?|evenings?|nights?|spring|summer|autumn|winter|nach|vor|wenn|sobald|bis|seit|während|après|avant|quand|dès|pendant|después|antes|cuando|durante|depois|quando|dopo|prima|когда|после|до)\b|とき|後|前/iu

/** What was once has a date; what can be, or is to be done, may wait for an event instead. */
const ONCE = /\b(?:was|were|did|had|year|date)\b/i

export const mayBeAnEvent = (kind: CueKind, question: string): boolean => kind === 'date' && !ONCE.test(question)

export const tellsWhen = (text: string): boolean => AT_AN_EVENT.test(text)

/** Kinds that can look like several others. */
const MADE_OF: Readonly<Partial<Record<CueKind, readonly CueKind[]>>> = {
  charge: ['money', 'percent'],
  extent: ['duration', 'measure'],
  size: ['measure', 'percent', 'money'],
}

/** True when the text holds a thing of that kind, or when such a thing can look like anything. */
export const holds = (kind: CueKind, text: string): boolean =>
  MADE_OF[kind]?.some((part) => holds(part, text)) ?? LOOKS[kind]?.test(text) ?? true

/** Kinds whose answer cannot be a text without such a thing. */
export const isStrict = (kind: CueKind): boolean =>
  kind === 'author' ||
  kind === 'maker' ||
  kind === 'email' ||
  kind === 'phone' ||
  kind === 'money' ||
  kind === 'percent' ||
  kind === 'count' ||
  kind === 'date' ||
  kind === 'duration' ||
  kind === 'extent' ||
  kind === 'size' ||
  kind === 'often' ||
  kind === 'time' ||
  kind === 'measure'

/** Words that name such a thing: a text that holds one need not say them. */
const NAMES: Readonly<Partial<Record<CueKind, ReadonlySet<string>>>> = {
  percent: namesOf('percent percentage share proportion prozent anteil pourcentage porcentaje percentual percentuale'),
  money: namesOf(
    'cost costs price prices pay paid fee amount money preis kosten kostet prix coute precio cuesta preco custa prezzo costa',
  ),
  charge: namesOf('cost costs price pay paid charge charged fee money kosten kostet payer coute pagar cuesta'),
  date: namesOf('year date day month jahr datum tag annee date jour ano fecha dia data anno год'),
  duration: namesOf('long take takes took time'),
  time: namesOf('time hour hours uhr zeit heure hora ora'),
  often: namesOf('often frequently frequency interval times oft haufig fois frecuencia veces vezes volte часто'),
  count: namesOf('number amount total age old anzahl alt nombre numero'),
  place: namesOf(
    'country countries city cities town place address location located locate situated found region land stadt ort pays ville lieu pais ciudad lugar',
  ),
  person: namesOf('person people name'),
  author: namesOf(
    'author write wrote written writer report reported reporter journalist publish published post posted story recipe blog piece guide review news',
  ),
  email: namesOf('email mail address adresse correo'),
  phone: namesOf('phone telephone number telefon telefonnummer telefono'),
}

function namesOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map((word) => stem(folded(word))))
}

export const isNameOf = (kind: CueKind, term: string): boolean => NAMES[kind]?.has(term) ?? false

/** Kinds whose answer is one value that can be named apart from its sentence. */
const NAMED: ReadonlySet<CueKind> = new Set(['money', 'percent', 'email', 'phone', 'measure', 'duration'])

/** Money that says in what: a bare number may be anything. */
const IN_CURRENCY = /[^\d\s.,'’]/u

/** The one value asked for, when the text holds exactly one. */
export function valueIn(kind: CueKind, text: string): string | undefined {
  const look = NAMED.has(kind) ? LOOKS[kind] : undefined
  if (!look) return undefined
  const found = new Set([...text.matchAll(new RegExp(look.source, `${look.flags}g`))].map(([value]) => value.trim()))
  const [value] = found
  const isWhole =
    value !== undefined && (/\d/.test(value) ? kind !== 'money' || IN_CURRENCY.test(value) : kind === 'email')
  return isWhole && found.size === 1 ? value : undefined
}
