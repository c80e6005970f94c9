// Finds people's names by titles, known given names and introducing words; in scripts without capitals by family names.

import type { NameAndPlaceLists } from './name-and-place-lists.ts'
import names from './names.json' with { type: 'json' }
import type { MaskedText, PrivacyFinding, PrivacyMode } from './privacy-finding.ts'

const NAME_PART = "\\p{Lu}[\\p{L}\\p{M}]*(?:['’-]\\p{Lu}?[\\p{L}\\p{M}]+)*\\.?"
const PARTICLE = '(?:de|da|do|dos|das|del|della|di|van|von|der|den|ter|ten|zu|bin|ibn|al|el|la|le|du|y|e)'
const TITLE =
  '(?:Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Sir|Dame|Lord|Lady|Rev|Fr|Capt|Captain|Col|Lt|Sgt|Senator|Herrn?|Frau|Hr|Fr|Dipl|Ing|M|MM|Mme|Mlle|Monsieur|Madame|Mademoiselle|Me|Maître|Sr|Sra|Srta|Señora?|Señorita|Don|Doña|D|Dña|Dra?|Senhora?|Dona|Sig|Sigra|Signora?|Signorina|signora?|señora?|senhora?|monsieur|madame|mevrouw|meneer|pana?|panią?|Dott|Dottoressa|Dottor|Avv|Dhr|Mevr|Mevrouw|Meneer|De heer|Pana?|Panią?|Panem|Pani|Panu|Inż|Mgr|Hab|Bay|Bayan|Sayın|Av|Doç|Herrn|Fru|Fröken|г-на?|г-ж[аеуи]|господин[ауе]?|госпож[аеуи]|гражданин|тов|д-р|доктор|профессор|Doctor|Professor|Professeur|Profesora?|Professora?|Doktor|Docteur|Nurse|Officer|Judge|Chancellor|President|CEO)'
const TITLED = new RegExp(
  `(?<![\\p{L}\\p{N}])${TITLE}\\.?(?: (?:${TITLE}\\.?))*[ \\u00a0](?:${PARTICLE} )?(${NAME_PART}(?:[ \\u00a0](?:${PARTICLE} ){0,2}${NAME_PART}){0,3})`,
  'gu',
)
const INTRODUCED = new RegExp(
  `(?:\\b(?:[Mm]y name is|[Nn]ame is|I am|I'm|[Ss]igned(?: by)?,?|[Ss]incerely,?|[Rr]egards,?|[Cc]heers,?|[Dd]ear|[Hh]i|[Hh]ello|[Nn]ame:|[Aa]uthor:|[Cc]ontact:?|[Aa]sk for|[Ss]peak (?:to|with)|[Ww]enden Sie sich an|[Ff]ragen Sie nach|[Cc]ontactez|[Dd]emandez|[Pp]regunte por|[Cc]ontacte (?:con|a)|[Ff]ale com|[Cc]ontatt(?:i|are|ate)|[Cc]hieda di|[Bb]el(?: met)?|[Nn]eem contact op met|[Cc]ustomer:|[Pp]atient:|[Ee]mployee:|[Aa]ttn:?|[Ww]ritten by|[Pp]osted by|(?:^|\\n)By|[Ii]ch heiße|[Mm]ein Name ist|[Ll]iebe[r]?|[Aa]nsprechpartner(?:in)?(?::| ist)?|[Kk]unde:|[Kk]undin:|Gruß,?|Grüße,?|[Jj]e m'appelle|[Jj]e suis|[Nn]om ?:|[Cc]her|[Cc]hère|[Mm]e llamo|[Mm]i nombre es|[Ss]oy|[Nn]ombre:|[Qq]uerid[oa]|[Ee]stimad[oa]|[Cc]liente:|[Pp]aciente:|[Mm]e chamo|[Mm]eu nome é|[Nn]ome:|[Pp]rezad[oa]|[Mm]i chiamo|[Ii]l mio nome è|[Cc]aro|[Cc]ara|[Gg]entile|[Ii]k heet|[Mm]ijn naam is|[Nn]aam:|[Bb]este|[Nn]azywam się|[Mm]am na imię|[Bb]enim adım|[Aa]dım|[Jj]ag heter)|[Мм]еня зовут|[Ии]мя:|ФИО:|[Кк]лиент:|[Уу]важаем(?:ый|ая))[ \\u00a0]{1,2}(${NAME_PART}(?:[ \\u00a0](?:${PARTICLE} ){0,2}${NAME_PART}){0,3})`,
  'gu',
)
const RUN = new RegExp(`(?<![\\p{L}\\p{N}_@.])${NAME_PART}(?:[ \\u00a0](?:${PARTICLE} ){0,2}${NAME_PART}){0,4}`, 'gu')
const PATRONYMIC = /(?:ович|евич|ьич|ична|овна|евна|инична)(?:[аеуыой]|ем|ом|ой|е)?$/u
const SLAVIC_SURNAME =
  /(?:ов|ев|ёв|ин|ын|ский|цкий|ова|ева|ина|ская|цкая|енко|чук|юк|ко|ян|дзе|швили)(?:[ауеыо]|ым|ом|ой|ого|ому|им|ую)?$|(?:sk|ck|dzk)(?:i|a|iego|iemu|im|iej|ą)$|(?:wicz|czyk|czak|ak|ek|ik|owa|ová)(?:a|owi|em|ie|u)?$/u
const AFTER_TITLES = /^(?: (?:Bey|Hanım|Efendi|Hoca)(?:['’]\p{L}+)?|-(?:san|sama|kun|chan|sensei))(?!\p{L})/u

/** Capitalised words that are not part of names. */
const NOT_NAMES = new Set(names.notNames.split(' '))

export function findPeople({ words }: MaskedText, gazetteer: NameAndPlaceLists, mode: PrivacyMode): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  const add = (start: number, end: number) => findings.push({ start, end, entity: 'PERSON' })
  for (const pattern of [TITLED, INTRODUCED])
    for (const found of words.matchAll(pattern)) {
      const name = found[1]!
      const start = found.index + found[0].length - name.length
      const parts = partsOf(name, start)
      const kept = whileName(parts, gazetteer)
      if (kept.length > 0 && !(pattern === INTRODUCED && kept.length === 1 && isWord(kept[0]!.text, gazetteer)))
        add(start, kept.at(-1)!.end)
    }
  // Without lists, only titles and introductions identify names.
  if (mode === 'fast') return findings
  for (const found of words.matchAll(RUN)) runNames(partsOf(found[0], found.index), words, gazetteer, mode, add)
  findActingPeople(words, gazetteer, add)
  unspacedNames(words, gazetteer, add)
  arabicNames(words, gazetteer, add)
  return findings
}

/** Two or three unknown capitalised words with a verb that only people take. */
const NAME_BEFORE_PERSON_VERB = new RegExp(
  `(?<![\\p{L}\\p{N}_@.-])(?<name>\\p{Lu}[\\p{L}\\p{M}'’-]+(?: (?:${PARTICLE} |[ÓÑN]í? )?\\p{Lu}[\\p{L}\\p{M}'’-]+){1,3})(?= (?:Bey|Hanım)\\b|,? (?:said|says|told|asked|wrote|writes|lives|lived|was born|works|worked|moved to|joined|signed|replied|argued|explained|remembers|recalls|believes|thinks|sagte|sagt|wohnt|lebt|arbeitet|schrieb|erklärte|unterschrieb|a dit|habite|vit|travaille|a écrit|a signé|explique|est née?|dijo|vive|trabaja|escribió|firmó|nació|disse|mora|trabalha|escreveu|assinou|nasceu|ha detto|abita|lavora|ha scritto|ha firmato|è nat[oa]|zei|woont|werkt|schreef|powiedziała?|mieszka|pracuje|napisała?|podpisała?|sa|säger|bor|arbetar|skrev|flyttade|har personnummer|dedi|söyledi|çalışıyor|yaşıyor|oturuyor)(?![\\p{L}]))`,
  'gu',
)

function findActingPeople(words: string, gazetteer: NameAndPlaceLists, add: (start: number, end: number) => void) {
  for (const found of words.matchAll(NAME_BEFORE_PERSON_VERB)) {
    const name = found.groups!.name!
    const parts = partsOf(name, found.index).filter(({ key }) => !isParticle(key))
    const isUnknown = parts.every(
      (part) => !NOT_NAMES.has(part.key) && !isWord(part.text, gazetteer) && !gazetteer.places.has(part.key),
    )
    if (isUnknown && parts.length >= 2) add(found.index, found.index + name.length)
  }
}

interface Part {
  text: string
  /** Lower case, without genitive ending or full stop. */
  key: string
  start: number
  end: number
}

function partsOf(run: string, at: number): Part[] {
  return [...run.matchAll(/[^ \u00a0]+/g)].map((found) => {
    const text = found[0]
    const bare = text.replace(/(?:['’]s|['’]\p{Ll}{1,4})$/u, '')
    const stop = /\.$/.test(bare) && bare.replace(/\./g, '').length > 2 ? bare.slice(0, -1) : bare
    const start = at + found.index
    return { text: stop, key: stop.toLowerCase(), start, end: start + stop.length }
  })
}

function whileName(parts: readonly Part[], gazetteer: NameAndPlaceLists): Part[] {
  const kept: Part[] = []
  for (const part of parts) {
    if (NOT_NAMES.has(part.key) && !isParticle(part.key)) break
    if (kept.length > 0 && isWord(part.text, gazetteer) && !gazetteer.surnames.has(part.key)) break
    kept.push(part)
  }
  while (kept.length > 0 && isParticle(kept.at(-1)!.key)) kept.pop()
  return kept
}

const isParticle = (key: string): boolean => new RegExp(`^${PARTICLE}$`).test(key)
const isWord = (text: string, { words, given }: NameAndPlaceLists): boolean =>
  words.has(text.toLowerCase()) && !given.has(text.toLowerCase())

function runNames(
  parts: readonly Part[],
  words: string,
  gazetteer: NameAndPlaceLists,
  mode: PrivacyMode,
  add: (start: number, end: number) => void,
): void {
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    const next = parts[at + 1]
    if (NOT_NAMES.has(part.key)) continue
    const end = nameEnd(parts, at, gazetteer)
    if (isGiven(part, gazetteer) && (mode === 'aggressive' || isSureName(parts, at, end, words, gazetteer))) {
      add(part.start, parts[end]!.end)
      at = end
    } else if (next && !NOT_NAMES.has(next.key)) {
      if (!startsWithFamily(parts, at, end, gazetteer)) continue
      const last = Math.max(end, at + 1)
      add(part.start, parts[Math.min(last, parts.length - 1)]!.end)
      at = last
    } else if (
      AFTER_TITLES.test(words.slice(part.end, part.end + 24)) ||
      (!next && at === 0 && isSurnameAlone(part, words, gazetteer))
    )
      add(part.start, part.end)
  }
}

/** A given name that is also a word needs a family name after it. */
function isSureName(parts: readonly Part[], at: number, end: number, words: string, gazetteer: NameAndPlaceLists) {
  const [part, last] = [parts[at]!, parts[end]!]
  const isAmbiguous = gazetteer.ambiguous.has(part.key)
  if (end === at) return !isAmbiguous && aloneIsName(part, parts, words, gazetteer)
  return !isAmbiguous || isSurname(last, gazetteer) || !(gazetteer.words.has(last.key) || afterArticle(words, part))
}

const INITIAL = /^\p{Lu}\.?$/u

/** Family name or initial first: "Иванов Иван Иванович", "J. Kowalski", "Yamada Taro". */
function startsWithFamily(parts: readonly Part[], at: number, end: number, gazetteer: NameAndPlaceLists): boolean {
  const [part, next, last] = [parts[at]!, parts[at + 1]!, parts[end]!]
  if (INITIAL.test(part.text) && end > at && isNameLike(last, gazetteer) && !INITIAL.test(last.text)) return true
  if ([next, parts[at + 2]].some((one) => one && PATRONYMIC.test(one.text))) return true
  const isFamily = isSurname(part, gazetteer) || SLAVIC_SURNAME.test(part.text)
  if (isFamily && isGiven(next, gazetteer) && !gazetteer.ambiguous.has(next.key)) return true
  return isSurname(next, gazetteer) && isNameLike(part, gazetteer)
}

/** "The Grace Period" contains no person. */
const afterArticle = (words: string, { start }: Part): boolean =>
  /(?:^|[^\p{L}])(?:the|an?|this|our|your|der|die|das|den|dem|le|la|el|il|lo|het)[ \u00a0]$/iu.test(
    words.slice(Math.max(0, start - 6), start),
  )

function nameEnd(parts: readonly Part[], at: number, gazetteer: NameAndPlaceLists): number {
  let end = at
  for (let next = at + 1; next < parts.length && next <= at + 5; next++) {
    const part = parts[next]!
    if (isParticle(part.key) && next + 1 < parts.length) continue
    if (!isNameLike(part, gazetteer)) break
    // A full stop not after an initial ends the sentence.
    if (/\.$/.test(parts[next - 1]!.text) && parts[next - 1]!.text.length > 3) break
    end = next
  }
  return end
}

const isNameLike = (part: Part, gazetteer: NameAndPlaceLists): boolean =>
  !NOT_NAMES.has(part.key) &&
  !/^[IVXL]{1,5}$/.test(part.text) &&
  !(gazetteer.words.has(part.key) && !gazetteer.surnames.has(part.key) && !gazetteer.given.has(part.key)) &&
  !(gazetteer.places.has(part.key) && !gazetteer.surnames.has(part.key) && !gazetteer.given.has(part.key)) &&
  !(
    part.text.length > 3 &&
    part.text === part.text.toUpperCase() &&
    /[A-Z]{4}/.test(part.text) &&
    !gazetteer.surnames.has(part.key)
  )

function isGiven({ key, text }: Part, { given, inflected }: NameAndPlaceLists): boolean {
  if (given.has(key) && text.length > 2) return true
  const halves = key.split('-')
  if (halves.length === 2 && halves.every((half) => given.has(half))) return true
  if (key.length < 4 || !/[а-яёіїєąćęłńóśźż]|[a-z](?:ę|ą|y|ie|iem|em|owi|a|u|i)$/u.test(key)) return false
  return (inflected.get(key.slice(0, 2)) ?? []).some(
    (stem) =>
      key.startsWith(stem) && key.length - stem.length <= (stem.length > 3 ? 3 : 2) && key.length - stem.length >= 0,
  )
}

/** "O'Brien", "McAllister": unique spelling. */
const GAELIC_SURNAME = /^(?:O['’]|Mc)\p{Lu}\p{Ll}{2}/u

const isSurname = ({ key, text }: Part, { surnames }: NameAndPlaceLists): boolean =>
  surnames.has(key) ||
  GAELIC_SURNAME.test(text) ||
  SURNAME_ENDS.test(key) ||
  (SLAVIC_SURNAME.test(text) && text.length > 5)
const SURNAME_ENDS =
  /(?:.{3}(?:mann|meier|meyer|maier|bauer|berger|hoffmann|schmidt|schmid|stein|wald|inger|oğlu|oglu|escu|iou|opoulos|akis|idis|sson|ssen|nsen|ström|qvist|strom)|.{2}(?:ez|ović|ic|ić))$/u

/** A single given name counts unless it is a common word, a place or part of a longer name. */
function aloneIsName(part: Part, parts: readonly Part[], words: string, gazetteer: NameAndPlaceLists): boolean {
  if (part.text.length < 3 || gazetteer.places.has(part.key) || gazetteer.words.has(part.key)) return false
  if (parts.length > 1) return false
  return !/^[-&’'](?!s\b)/.test(words.slice(part.end, part.end + 2))
}

/** A known family name alone, not at the start of a sentence: "said Okafor", "Kowalski's". */
function isSurnameAlone(part: Part, words: string, gazetteer: NameAndPlaceLists): boolean {
  const known = gazetteer.surnames.has(part.key) || GAELIC_SURNAME.test(part.text)
  if (!known || gazetteer.ambiguous.has(part.key) || gazetteer.words.has(part.key)) return false
  const before = words.slice(Math.max(0, part.start - 2), part.start)
  return /[\p{L},] $/u.test(before)
}

const HAN = '\\p{Script=Han}'
const CHINESE_NAMED = new RegExp(
  `(?:(?<=姓名|联系人|聯絡人|我叫|名叫|叫做|客户|客戶|患者|作者|记者|記者|经理|經理|教授|老师|老師|医生|醫生|律师|同事|由|请|請|联系|聯絡|聯繫|询问|致电|负责人)[:：是为]?|(?<![${'\\p{Script=Han}'}])|(?<=[，。、；和与跟向给是的在]))([${names.chineseSurnames}](?:${HAN}{1,2}?))(?=先生|女士|小姐|老师|老師|经理|經理|教授|医生|醫生|博士|律师|主任|总|同学|[，。、；：:（(\\s]|[说說在是和与将的于住从来已也曾]|$)`,
  'gu',
)
const JAPANESE_HONOURED =
  /([\p{Script=Han}\p{Script=Katakana}ー々]{1,6}(?:[ \u3000]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,4}?)?)(?=さん|様|さま|氏|先生|君(?![主臨])|くん|ちゃん|部長|課長|社長|医師|教授)/gu
const KOREAN_NAMED = new RegExp(
  `(?<![가-힣])([${names.koreanSurnames}][${names.koreanSyllables}]{1,2})(?=\\s?(?:씨|님|군|양|선생|대표|교수|부장|과장|팀장|기자|박사|의사|변호사|사장|원장|대리|고객)|(?:은|는|이|가|을|를|의|와|과|에게|께서|께|도|입니다|이며|이고)(?![가-힣])|[,.\\s)]|$)`,
  'gu',
)
const NOT_JAPANESE = /^(?:お客|皆|神|王|仏|患者|相談|担当|奥|娘|息子|医|同|両|某|諸|各|父|母|兄|姉|弟|妹)$/

function unspacedNames(words: string, { japanese }: NameAndPlaceLists, add: (start: number, end: number) => void) {
  if (!/[\u3040-\u9fff\uac00-\ud7af]/.test(words)) return
  const kana = /[\u3040-\u30ff]/.test(words)
  if (kana) {
    for (const found of words.matchAll(japanese)) {
      // Family name, given name of one to three characters, then a particle or honorific.
      const from = found.index + found[0].length
      const rest =
        /^[ \u3000]?([\p{Script=Han}々]{1,3}|(?!さん|さま|くん|ちゃん)\p{Script=Hiragana}{2,4}?|\p{Script=Katakana}{2,4})(?=[はがをにのとへもや、。：:（(\s]|さん|様|氏|先生|と申|です|$)/u.exec(
          words.slice(from, from + 8),
        )
      const before = words[found.index - 1] ?? ' '
      if (rest && !/\p{Script=Han}/u.test(before) && !/^[市県府都区町村駅線島山川寺城]/u.test(rest[1]!))
        add(found.index, from + rest[0].length)
    }
    for (const found of words.matchAll(JAPANESE_HONOURED))
      if (!NOT_JAPANESE.test(found[1]!)) add(found.index, found.index + found[1]!.length)
  } else
    for (const found of words.matchAll(CHINESE_NAMED)) {
      const end = found.index + found[0].length
      if (!CHINESE_WORD_LIKE_SURNAME.test(found[1]!)) add(end - found[1]!.length, end)
    }
  for (const found of words.matchAll(KOREAN_NAMED))
    if (found[1]!.length === 3 && !NOT_KOREAN.test(found[1]!)) add(found.index, found.index + found[1]!.length)
}

/** Common words that begin like a family name. */
const CHINESE_WORD_LIKE_SURNAME =
  /^(?:谢[谢绝]|毛[病利衣]|陆[续地]|钱[包款]|夏[天季]|何[时处种况]|雷[达电]|易[于用]|武[器汉]|顾[客问]|康复|段落|黎明|高[中级度速等新兴考效]|黄[金色]|白[色天]|方[面法便式向案]|石[油头]|金[融额属钱]|马[上路]|万[元一]|周[末围期一二三四五六日年]|常[用见规]|文[化件章字]|任[务何]|于是|成都|江[苏西]|龙头|田间|程[序度]|许多|余[额下]|何[时种处]|应[用该]|易[于]|段[落时]|康复|夏[天季]|林[业]|江|史|武汉)/
const NOT_KOREAN =
  /^(?:이상|이하|이유|정보|정상|정도|주소|주문|전화|전체|한국|서울|조선|성명|임원|노동|고객|하나|유지|신규|신청|우리|지금|이미지|이후|이전|문의|오전|오후|안내|강서|강동|강남|이용)/

const ARABIC_TITLED =
  /(?:السيدة|السيد|الدكتورة|الدكتور|الأستاذة|الأستاذ|المهندسة|المهندس|الشيخ|الآنسة|اسمي|أنا)\s+([\u0621-\u064a]{2,}(?:\s(?:بن|بنت|آل|ال[\u0621-\u064a]{2,}|[\u0621-\u064a]{3,})){0,2})/gu
const ARABIC_WORD = /[\u0621-\u064a]{2,}/gu

function arabicNames(words: string, { arabic }: NameAndPlaceLists, add: (start: number, end: number) => void): void {
  if (!/[\u0600-\u06ff]/.test(words)) return
  for (const found of words.matchAll(ARABIC_TITLED)) {
    const start = found.index + found[0].length - found[1]!.length
    const firstTwo = /^\S+(?:\s(?:بن|بنت|آل)\s\S+|\s\S+)?/.exec(found[1]!)![0]
    add(start, start + firstTwo.length)
  }
  const all = [...words.matchAll(ARABIC_WORD)]
  all.forEach((found, at) => {
    const bare = found[0].replace(/^[ولبك](?=.{3})/, '')
    if (!arabic.has(found[0]) && !arabic.has(bare)) return
    const next = all[at + 1]
    const joined = next && next.index === found.index + found[0].length + 1 && /^(?:ال.{2,}|[^يتن].{2,})$/.test(next[0])
    if (joined) add(found.index + (arabic.has(found[0]) ? 0 : 1), next.index + next[0].length)
  })
}

const MIN_LETTERS = 4
const CAPITAL_WORD = /(?<![\p{L}\p{N}_@.'’-])\p{Lu}[\p{L}\p{M}]{3,30}(?![\p{L}\p{N}@])/gu

/** Family names from full names; never a common word, a place or a given name. */
export function collectFamilyNames(
  { words }: MaskedText,
  findings: readonly PrivacyFinding[],
  gazetteer: NameAndPlaceLists,
): string[] {
  return findings.flatMap(({ start, end, entity }) => {
    if (entity !== 'PERSON') return []
    const parts = words.slice(start, end).split(/[ \u00a0]+/)
    const last = parts.at(-1)!.replace(/['’]s$/, '')
    const key = last.toLowerCase()
    const isName =
      parts.length > 1 &&
      last.length >= MIN_LETTERS &&
      /^\p{Lu}\p{Ll}+$/u.test(last) &&
      !gazetteer.words.has(key) &&
      !gazetteer.given.has(key)
    return isName ? [last] : []
  })
}

export function findLoneFamilyNames({ words }: MaskedText, names: ReadonlySet<string>): PrivacyFinding[] {
  if (names.size === 0) return []
  return [...words.matchAll(CAPITAL_WORD)]
    .filter(([word]) => names.has(word))
    .map((found) => ({ start: found.index, end: found.index + found[0].length, entity: 'PERSON' }))
}
