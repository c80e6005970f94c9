// Text → the terms by which it is found. Words lose case, accents and the ends that grammar gives them; scripts without
// spaces become pairs of letters. Terms are only ever compared within one page, so cutting too much is harmless.

/** Han, kana, hangul syllables, Thai, Lao, Khmer, Burmese: no spaces between words, or endings glued on. */
const UNSPACED =
  '\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\uf900-\\ufaff'
/** "in-house" is not about houses: such a word stands for itself, however it is written. */
const GROWN_TOGETHER = /^(?:in|on|off)-/i
const WORD = new RegExp(
  `\\b(?:[Ii]n|[Oo]n|[Oo]ff)-\\p{Ll}{3,}|[${UNSPACED}]+|(?![${UNSPACED}])[\\p{L}\\p{N}](?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])*(?:['’.,:/-](?=\\p{N})\\p{N}+)*`,
  'gu',
)
const ANY_UNSPACED = new RegExp(`[${UNSPACED}]`)
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED}]`)
const ENDINGS =
  /(?:ation|ingly|ments?|nesse?n?|ungen|ung|ings?|edly|ies|ied|ers?|ens?|ems?|eux|euse|aux|ado|ada|ido|ida|ción|cion|zione|es|ed|en|er|em|os|as|is|ly|s|n|e|a|o|i|y|ами|ями|ого|его|ому|ему|ыми|ими|ах|ях|ов|ев|ам|ям|ом|ем|ой|ей|ый|ий|ая|яя|ое|ее|ые|ие|ую|юю|ы|и|а|я|у|ю|е|о)$/u
/** "moving", "stopped", "fired" are "move", "stop", "fire": what is left of a verb may be short, and its last letter doubled. */
const VERB = /^([a-z]{3,})(?:ing|ed|able)$/
const DOUBLED = /([bdgmnprt])\1$/
const KEEP = 4
const MAX_TERM = 40

/** All terms of a text, in order, repeats included. `words` is told the word that each new term was made of. */
export function termsOf(plain: string, words?: Map<string, string>): string[] {
  const terms: string[] = []
  for (const [said] of plain.matchAll(WORD)) {
    if (BEGINS_UNSPACED.test(said)) addPairs(said, terms)
    else {
      const word = folded((said.length > MAX_TERM ? said.slice(0, MAX_TERM) : said).replace(GROWN_TOGETHER, joined))
      const term = stem(word)
      if (words && !words.has(term)) words.set(term, word)
      terms.push(term)
    }
  }
  return terms
}

const joined = (start: string): string => start.slice(0, -1)

/**
 * The terms of a question. In scripts without spaces pairs are made within words only: one that spans two of them stands
 * nowhere else. The page's own pairs are made of whole runs, which is quicker and finds the same.
 */
export function askedTerms(question: string): string[] {
  if (!ANY_UNSPACED.test(question)) return termsOf(question)
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(question)
  const terms = [...words].flatMap(({ segment }) => ([...segment].length > 1 ? termsOf(segment) : []))
  return terms.length > 0 ? terms : termsOf(question)
}

const HYPHENATED = /\p{L}{3,}(?:-\p{L}{3,})+/gu

/** Words that a question ties together ("gluten-free"): the two side by side, `a-b`, are a term of their own. */
export const tiedTerms = (question: string): string[] =>
  [...question.matchAll(HYPHENATED)].flatMap(([word]) => {
    const parts = termsOf(word)
    return parts.slice(1).map((part, at) => `${parts[at]}-${part}`)
  })

/** Lower case, without accents. */
export function folded(word: string): string {
  const lower = word.toLowerCase()
  if (/^[\0-\x7f]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
    .replace(/ß/g, 'ss')
    .replace(/^ال(?=..)/, '')
}

/** A word without the end that grammar gives it, when enough is left. */
export function stem(word: string): string {
  if (/\d/.test(word)) return word
  const verb = VERB.exec(word)?.[1]
  if (verb !== undefined && /[aeiouy]/.test(verb)) return verb.replace(DOUBLED, '$1').replace(/(?<=...)e$/, '')
  if (word.length <= KEEP) return word.replace(/(?<=...)e$/, '')
  const cut = word.replace(ENDINGS, '')
  return cut.length >= KEEP || cut.length >= word.length - 1 ? cut : word.slice(0, Math.max(KEEP, word.length - 1))
}

function addPairs(word: string, terms: string[]): void {
  const letters = [...word.slice(0, 400)]
  if (letters.length === 1) terms.push(letters[0]!)
  for (let at = 0; at + 1 < letters.length; at++) terms.push(letters[at]! + letters[at + 1]!)
}

const stemsOf = (words: string): Set<string> =>
  new Set(words.split(' ').flatMap((word) => [folded(word), stem(folded(word))]))

/** Words that carry no subject of their own, in the languages people mostly ask in. Kept as stems. */
const EMPTY = stemsOf(
  // English
  'a an the of in on at to for from by with about into over after before is are was were be been being am do does did done has have had ' +
    'having can could will would shall should may might must what which who whom whose when where why how this that these those it its ' +
    'they them their there here he she his her him we us our you your i me my mine and or but if then than so as not no yes any some all ' +
    'much many more most such only also just very too please tell give show find list according page article text website site say says said ' +
    'mentioned mention described describe stated state exactly currently ever name called does get got use used happen happens there t s ' +
    // German
    'der die das den dem des ein eine einen einem einer eines und oder aber wenn ist sind war waren sein bin hat haben hatte wird werden ' +
    'wurde wurden kann können konnte soll muss was wer wen wem wann wo warum wieso wie welche welcher welches welchen wieviel viel viele von vom ' +
    'zu zum zur im in am an auf aus bei mit nach für über um es sie er ihr ihre sich man nicht auch noch gibt seite heißt bitte ich mich mir du dich wir uns darf dürfen müssen ' +
    // French
    'le la les un une des du de au aux et ou mais si est sont était étaient être a ont avait peut que qui quoi quel quelle quels quelles ' +
    'été je tu nous vous t y quand où pourquoi comment combien dans sur sous par pour avec sans ce cette ces il elle ils elles on se sa son ses leur ne pas plus ' +
    // Spanish, Portuguese, Italian
    'el los las una unos unas y o pero es son era eran fue fueron ser estar está están ha han puede qué que quién quiénes cuál cuáles ' +
    'yo tú me te nos cuándo cuanto cuánto cuánta cuántos cuántas dónde donde cómo como porqué por para con sin en del al se su sus lo le hay tiene ' +
    'os um uma e ou mas são foi foram tem têm pode quem qual quais quando quanto quanta quantos quantas onde em no na nos nas do da dos das ao à ' +
    'il lo gli i uno ed sono era erano stato stata ha hanno può chi cosa quale quali quanti quante dove perché di da nel nella dei delle con per tra fra ' +
    // Dutch, Polish, Swedish, Turkish
    'het een van voor met zijn werd wat wie waar wanneer hoe hoeveel welke waarom ' +
    'jest są był była było co kto kiedy gdzie jak jaki jaka jakie ile dlaczego czy w z na do od po się ' +
    'är var och att det som vem vad när hur många mycket ve bir ne nerede zaman kim nasıl kaç mi mı hangi ' +
    // Russian, Ukrainian
    'и в во на с со к о об от до по за из у не что кто где когда как какой какая какое какие сколько почему это этот эта был была было были есть ли для ' +
    // Arabic
    'في من على إلى عن ما ماذا متى أين كيف كم هل هو هي هذا هذه التي الذي أن كان كانت مع',
)

/** Pairs of letters that only ask. */
const EMPTY_PAIRS = new Set(
  'です すか ます した のは いつ どこ なに 何で とは には でし たか ませ は何 什么 什麼 多少 哪里 哪裡 怎么 怎麼 是谁 是誰 吗 呢 几个 何時 是什 么是 在哪 的是 입니 니까 습니 인가 가요 나요 얼마 어디 언제 누구 무엇 คือ อะไ ะไร ที่ เมื่'.split(
    ' ',
  ),
)

export const saysNothing = (term: string): boolean => EMPTY.has(term) || EMPTY_PAIRS.has(term)

/** Words that name the measure asked for: "how high". */
const MEASURING = stemsOf(
  'high tall long far big large old heavy deep wide fast hoch groß lang weit alt schwer tief breit schnell haut grand long loin',
)

/** Words that tell how something is asked rather than what about: "how much", "is needed". */
const ASKING = stemsOf(
  'much many need needed needs require required necessary rise viel braucht nötig faut besoin necesita necesario hace falta precisa necessário serve occorre нужно надо appelle appelait appelée llama llamaba chiama chiamava chama chamava nom nombre nome heißt hieß зовут',
)

/** Words that go with every subject: verbs that only lead to their object, words of order and degree. */
const LIGHT = stemsOf(
  'make made take took taken get gets getting gave give given go goes going went gone come comes coming came put puts keep kept let bring brought contain include allow provide offer happen know think become mean kind type sort way thing often ' +
    'usual usually normal normally once twice between each per during within without nothing anything something someone somebody anyone anybody everyone everybody other ' +
    'another same one two three four five able possible want like notice asker author machen nehmen geben gehen kommen enthält enthalten ' +
    'erlauben anbieten faire prendre mettre donner aller contenir hacer tomar poner dar contiene ofrece fazer colocar contém oferece fare ' +
    'prendere mettere offre делать взять дать',
)

export const isMeasuring = (term: string): boolean => MEASURING.has(term)

export const isLight = (term: string): boolean => LIGHT.has(term)

/** How much a term says about the subject of a question; most say 1. */
export function subjectOf(term: string): number {
  if (MEASURING.has(term) || ASKING.has(term) || LIGHT.has(term)) return 0.35
  // What a question ties together is what it is about.
  if (term.includes('-') && !/\d/.test(term)) return 1.5
  // Pairs of hiragana are mostly grammar.
  return /^[\u3040-\u309f]+$/.test(term) ? 0.25 : 1
}
