// Finds addresses by national formats (streets, postcodes) and names of towns, regions and countries by lists.

import type { NameAndPlaceLists } from './name-and-place-lists.ts'
import type { MaskedText, PrivacyFinding, PrivacyMode } from './privacy-finding.ts'

const CAP = "(?:St\\.|Sta\\.|Sto\\.|\\p{Lu}[\\p{L}\\p{M}'’-]*)"
const WORDS = `${CAP}(?: (?:${CAP}|de|da|do|dos|del|della|di|la|le|les|des|du|der|den|van|von|y|e|el|los|las)){0,5}`
const NUMBER = '\\d{1,5}(?:[ -]?[a-zA-Z](?![\\p{L}]))?(?:[-/]\\d{1,4})?'
const US_STATE =
  '(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])'
const ENGLISH_STREET =
  '(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Square|Sq|Terrace|Parkway|Pkwy|Highway|Hwy|Crescent|Close|Row|Way|Place|Pl|Circle|Mews|Gardens|Grove|Rise|Parade|Wharf|Alley|Plaza|Trail|Hill|Walk|Quay)'

/** Full and partial addresses per country, longest form. */
const ADDRESS_FORMATS: readonly RegExp[] = [
  `${NUMBER},? (?:[NSEW]\\.? )?${CAP}(?: ${CAP}){0,3} ${ENGLISH_STREET}\\b\\.?(?:,? (?:Apt|Suite|Ste|Unit|Floor|Flat|#)\\.? ?[\\w-]{1,6})?(?:, ${WORDS}){0,2}(?:,? ${US_STATE}(?: \\d{5}(?:-\\d{4})?)?)?`,
  `(?:P\\.? ?O\\.? Box|Postfach|BP|Apartado|Casella Postale|Caixa Postal) \\d{1,6}`,
  `\\p{Lu}[\\p{L}-]*(?:straße|strasse|str\\.|gasse|allee|platz|weg|ring|damm|ufer|chaussee|steig|straat|laan|plein|gracht|kade|singel|dijk|gatan|vägen|gade|vej|veien|gata) ?${NUMBER}(?:,? (?:[A-Z]-?)?\\d{4,5}(?: ?[A-Z]{2})? ${WORDS})?`,
  `(?!Im Jahr|Im Monat|In der (?:Woche|Zeit|Saison))(?:(?:Am|An der|An den|Auf der|Auf dem|Im|In der|Zum|Zur|Unter den|Alte|Alter|Neue|Neuer|Große|Kleine) ${CAP}|${CAP} (?:Straße|Strasse|Str\\.|Allee|Platz|Weg|Ring|Damm|Ufer)) ${NUMBER}(?:,? (?:[A-Z]-?)?\\d{4,5} ${WORDS})?`,
  `\\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\\.|boulevard|bd|place|chemin|allée|allées|impasse|quai|cours|route|square|passage|ruelle|faubourg)(?: (?:de|du|des|la|le|les|l'|d'|de l'|de la))* ?[\\p{L}'’-]+(?: (?:de|du|des|la|le|les|${CAP})){0,5}(?:,? \\d{5} ${WORDS})?`,
  `(?:[Cc]alle|C/|[Aa]venida|Avda?\\.|Av\\.|[Pp]laza|Pza\\.|[Pp]aseo|P\\.º|[Cc]arrera|Cra\\.|[Cc]amino|[Rr]onda|[Rr]ua|R\\.|[Pp]raça|[Tt]ravessa|[Aa]lameda|[Ll]argo|[Ee]strada|[Rr]odovia|[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso|[Ll]ungomare|[Vv]icolo|P\\.za|C\\.so) (?:(?:de|del|da|do|dos|das|della|dei|degli|la|las|los|el) ){0,3}(?:\\d{1,2} de )?${WORDS},? (?:n\\.?[ºo°]?\\.? ?|núm\\.? ?|número )?${NUMBER}(?:[,.-]? (?:\\d{1,2}\\.?[ºª°] ?[\\p{L}]*,? )?(?:\\d{5}|\\d{4}-\\d{3}|\\d{5}-\\d{3})?,? ?${WORDS})?`,
  `(?:ul\\.|ulic[ay]|al\\.|pl\\.|os\\.|aleja|alei|plac[u]?) (?:${CAP} ?){1,4} ?${NUMBER}(?:/\\d{1,4})?(?:,? \\d{2}-\\d{3} ${WORDS})?`,
  `(?:(?:г\\.|город) ?${CAP},? )?(?:ул\\.|улиц[аеуы]|пр-т|просп\\.|проспект[ае]?|пер\\.|переул\\p{L}+|наб\\.|набережн\\p{L}+|бульвар[ае]?|б-р|шоссе|площад\\p{L}+|пл\\.) ?${CAP}(?: ${CAP}){0,2},? (?:д\\.|дом[ае]?)? ?${NUMBER}(?:,? (?:кв\\.|квартира|корп\\.|корпус|стр\\.|оф\\.|офис) ?\\d{1,4}){0,2}`,
  `${CAP}(?: ${CAP}){0,2} (?:ул\\.|улиц[аеуы]|проспект[ае]?|бульвар[ае]?),? (?:д\\.|дом[ае]?)? ?${NUMBER}`,
  `${CAP}(?: ${CAP}){0,2} (?:Mahallesi|Mah\\.?|Caddesi|Cad\\.?|Sokağı|Sokak|Sok\\.?|Bulvarı|Blv\\.?|Meydanı)(?:,? ${CAP}(?: ${CAP}){0,2} (?:Caddesi|Cad\\.?|Sokağı|Sokak|Sok\\.?|Bulvarı))?(?:,? [Nn]o[:.]? ?\\d{1,4}(?:/\\d{1,3})?)?(?:,? ${CAP}(?:/${CAP})?)?`,
  `(?<=\\b(?:lives? (?:in|at)|living in|resid(?:es?|ing) (?:in|at)|moved to|born in|based in|wohnt in|wohnhaft in|lebt in|geboren in|wohne in|lebe in|zog nach|habite à|habitant à|vit à|né à|née à|réside à|domicilié à|vive en|vivo en|reside en|nació en|residente en|mora em|moro em|vive em|reside em|nasceu em|abita a|vive a|abito a|risiede a|nato a|nata a|woont in|geboren te|mieszka w|mieszkam w|bor i|född i) )${WORDS}`,
  `(?<=(?:живёт|живет|проживает|родился|родилась|живу|проживаю|переехала?) (?:в|во|в городе|в г\\.) ?)${CAP}(?:[ -]${CAP}){0,2}`,
].map((source) => new RegExp(`(?<![\\p{L}\\p{N}])${source}`, 'gu'))

const POSTCODES: readonly RegExp[] = [
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS},? )?${US_STATE},? \\d{5}(?:-\\d{4})?(?!\\d)`, 'gu'),
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(?:D|A|CH|F|I|E|B|L|SE|DK|NL|PL|CZ)-)?(?<!\\d[.,])\\d{5} (?=\\p{Lu}\\p{Ll}{2})${CAP}(?:[ -]${CAP}){0,2}`,
    'gu',
  ),
  /(?<![\p{L}\p{N}])(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d|\d{4} ?[A-Z]{2}(?= \p{Lu})|\d{5}-\d{3}|\d{2}-\d{3}(?= \p{Lu})|\d{4}-\d{3}(?= \p{Lu}))(?![\p{L}\p{N}])/gu,
  /(?<=(?:CEP|PLZ|ZIP(?: code)?|[Pp]ost(?:al )?code|C\.?P\.?|CAP|código postal|code postal|индекс|郵便番号|우편번호|邮编)[\s:：]{0,3})\d{2,5}(?:[- ]?\d{2,4})?/giu,
  /〒 ?\d{3}[-‐ー]?\d{4}/gu,
]

const UNSPACED: readonly RegExp[] = [
  /(?:東京都|北海道|(?:京都|大阪)府|[\p{Script=Han}]{2,3}県)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーヶ]{1,14}?[市区町村郡](?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーヶ]{0,12}[\d０-９]{1,4}(?:(?:丁目|番地?|号|[-−‐ー－])[\d０-９]{0,4}){0,5})?/gu,
  /[\p{Script=Han}]{1,4}[市区](?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーヶ]{1,10}[\d０-９]{1,4}(?:(?:丁目|番地?|号|[-−‐ー－])[\d０-９]{0,4}){1,5})/gu,
  /(?:[\p{Script=Han}]{2,3}(?:省|自治区))?[\p{Script=Han}]{2,4}市?(?:[\p{Script=Han}]{1,4}[区县區縣])?[\p{Script=Han}]{1,8}(?:路|街|大道|巷|胡同|弄)[\d一二三四五六七八九十]{1,5}号?(?:[\d一二三四五六七八九十A-Z]{1,4}(?:号楼|栋|座|室|单元|层|楼)){0,4}/gu,
  /(?:[가-힣]{2,5}(?:특별자치시|특별자치도|특별시|광역시|시|도)\s)?(?:[가-힣]{1,6}(?:시|군|구)\s){0,2}[가-힣\d]{1,12}(?:로|길|동|가)\s?\d{1,5}(?:-\d{1,4})?(?:번길\s?\d{1,4})?/gu,
]

/** Quick filter: words that an otherwise expensive pattern requires. */
const WORDS_REQUIRED_BY_PATTERN: readonly (readonly [inPattern: string, words: RegExp])[] = [
  ['Mahallesi', /Mah|Cad|Sok|Bulvar|Blv|Meydan/],
  ['проживает', /живёт|живет|прожива|родил|живу|переех/],
  [' (?:ул\\.|', /ул\.|улиц|проспект|бульвар/],
  ['A[LKZR]|C[AOT]', /\b[A-Z]{2},? \d{5}/],
]

const mayHold = ({ source }: RegExp, words: string): boolean =>
  WORDS_REQUIRED_BY_PATTERN.every(
    ([inPattern, needed]) => !source.includes(inPattern) || needed.test(words) || source.startsWith(STREETS_FIRST),
  )
/** English addresses contain states too, but only at the end. */
const STREETS_FIRST = '(?<![\\p{L}\\p{N}])\\d'

/** Keywords of order and part numbers, which a town name may follow. */
const ORDER_NUMBER_KEYWORD =
  /(?:order|invoice|part|lot|ref(?:erence)?|model|ticket|bestell\p{L}*|rechnung\p{L}*|artikel\p{L}*|ordernummer|commande|facture|référence|pedido|factura|lote|encomenda|ordine|fattura|zamówieni\p{L}*|sipariş|заказ\p{L}*|注文|订单|주문)[\s.:#№-]{0,3}(?:(?:no|number|nr|nummer|n[°º]|numéro|número|numero)\b[\s.:]{0,2})?$/iu

/** Keyword and number before a town: "order 28013 Madrid". */
const ORDER_NUMBER_BEFORE_TOWN = new RegExp(`${ORDER_NUMBER_KEYWORD.source.slice(0, -1)}\\d[\\d-]{2,12} $`, 'iu')

const MAX_WORDS = 4
const WORD =
  /[\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]*|(?<=\p{Lu}[\p{L}\p{M}'’.-]* )(?:de|do|da|am|di|del|la|of|the|and|und|et|y|e|an|der) (?=\p{Lu})/gu

export function findPlaces({ words }: MaskedText, gazetteer: NameAndPlaceLists, mode: PrivacyMode): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  const add = (start: number, length: number) => findings.push({ start, end: start + length, entity: 'LOCATION' })
  for (const pattern of ADDRESS_FORMATS.filter((one) => mayHold(one, words)))
    for (const found of words.matchAll(pattern)) add(found.index, found[0].replace(/[\s,.]+$/, '').length)
  for (const pattern of POSTCODES.filter((one) => mayHold(one, words)))
    for (const found of words.matchAll(pattern))
      if (!ORDER_NUMBER_KEYWORD.test(words.slice(Math.max(0, found.index - 32), found.index)))
        add(found.index, found[0].length)
  if (/[\u3040-\u9fff\uac00-\ud7af]/.test(words)) {
    for (const pattern of UNSPACED) for (const found of words.matchAll(pattern)) add(found.index, found[0].length)
    for (const found of mode === 'fast' ? [] : words.matchAll(gazetteer.unspaced))
      add(found.index, cityEnd(words, found.index + found[0].length) - found.index)
  }
  if (mode !== 'fast') findNamed(words, gazetteer, mode, add)
  return findings
}

/** Place-type suffixes belong to the name: 東京都, 北京市, 서울시. */
const cityEnd = (words: string, end: number): number =>
  end +
  (/^(?:特别行政区|特別市|[都府県市省区州]|특별시|광역시|시(?![가-힣]{2}))/.exec(words.slice(end, end + 5))?.[0]
    .length ?? 0)

function findNamed(
  words: string,
  { places, beginnings, given, surnames }: NameAndPlaceLists,
  mode: PrivacyMode,
  add: (start: number, length: number) => void,
): void {
  const tokens = [...words.matchAll(WORD)].map((found) => ({ text: found[0].trimEnd(), start: found.index }))
  for (let at = 0; at < tokens.length; at++) {
    if (!mayBegin(tokens[at]!.text, beginnings)) continue
    for (let count = Math.min(MAX_WORDS, tokens.length - at); count > 0; count--) {
      const last = tokens[at + count - 1]!
      const start = tokens[at]!.start
      const stretch = words.slice(start, last.start + last.text.length)
      // Words must be adjacent, with only punctuation that names contain.
      if (stretch.length > 40 || (count > 1 && /[^\p{L}\p{M}\p{N} '’.-]/u.test(stretch))) continue
      const name = stretch.replace(/(?:['’]\p{Ll}{1,5}|\.)$/u, '')
      const key = name.toLowerCase()
      const plain = places.has(key) ? key : key.replace(/^(?:ب|و|ل|في )(?=ال)/, '')
      if (!places.has(plain) || name.length < 3) continue
      if (ORDER_NUMBER_BEFORE_TOWN.test(words.slice(Math.max(0, start - 40), start))) continue
      const alsoAName = count === 1 && (given.has(key) || surnames.has(key)) && mode !== 'aggressive'
      if (
        alsoAName &&
        !/(?:\b(?:in|at|from|to|near|of|aus|nach|bei|à|de|en|em|a|da|w|z|i)|[вВ]|из|,) $/u.test(
          words.slice(Math.max(0, start - 6), start),
        )
      )
        continue
      add(start, name.length)
      at += count - 1
      break
    }
  }
}

/** Whether a place name can begin with this word, also without an ending or Arabic prefix. */
function mayBegin(word: string, beginnings: ReadonlySet<string>): boolean {
  const key = word.toLowerCase()
  if (beginnings.has(key) || beginnings.has(key.split('-', 1)[0]!)) return true
  return /['’.]|^[بول]ال/.test(key) && beginnings.has(key.replace(/(?:['’]\p{Ll}{1,5}|\.)$|^[بول](?=ال)/gu, ''))
}
