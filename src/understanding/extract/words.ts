// Names and labels → phrases that can be compared: camelCase and snake_case split, accents and plurals taken off. Pure.

/** Words of a property name or a label that do not change what it asks for. */
const STOP = new Set(
  'the a an of for to in on at is are this that its it and or with by from your our all der die das des le la les de du el los las il lo del da do'.split(
    ' ',
  ),
)

const CAMEL = /(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})/gu

/** The words of a name or a label, in order, without stop words unless there is nothing else. */
export function tokensOf(text: string, most = 200): string[] {
  const all = wordsIn(text.length > most ? text.slice(0, most) : text)
  const telling = all.filter((word) => !STOP.has(word))
  return telling.length > 0 ? telling : all
}

/** Most names, and read many times faster than the rest. */
const ASCII = /^[\x00-\x7f]*$/

function wordsIn(text: string): string[] {
  if (ASCII.test(text)) {
    const parted = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(text) ? text.replace(ASCII_CAMEL, '$1$3 $2$4') : text
    return (
      parted
        .toLowerCase()
        .match(/[a-z\d]+/g)
        ?.map(singular) ?? []
    )
  }
  const plain = text
    .replace(CAMEL, '$1$3 $2$4')
    .normalize('NFD')
    .replace(/[\p{Mn}\u00ad\u200b\u2060]/gu, '')
    .toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu)?.map(singular) ?? []
}

const ASCII_CAMEL = /([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g

export const phraseOf = (text: string): string => tokensOf(text).join(' ')

/** A label as the page shows it: without what stands in brackets, the colon, a marker. */
export function labelPhrase(label: string): string {
  const bare = label
    .slice(0, 120)
    .replace(/\/s\b/g, 's')
    .replace(/['’]s\b/gu, '')
    .replace(/[([{][^)\]}]{0,60}[)\]}]/g, ' ')
  return phraseOf(/\p{L}/u.test(bare) ? bare : label)
}

function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  if (/^(?:calorie|movie|cookie|brownie|smoothie|selfie)s$/.test(word)) return word.slice(0, -1)
  if (word === 'series' || word === 'species') return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s') && !/(?:ss|us|is|as|os)$/.test(word)) return word.slice(0, -1)
  return word
}

/** Words as the name of a field: `opening`, `hours` give `openingHours`. */
export const camel = (words: readonly string[]): string =>
  words.map((word, n) => (n === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('')

/** Words after a name that only say what sort of word answers it. */
const SORTS =
  /^(.{3,}) (?:type|kind|stage|name|info|detail|text|description|allowed|included|permitted|price|cost|fee|method|command|contact)$/
/** `workplaceType` under "Workplace", `shippingCost` beside "Shipping". */
export const isSort = (phrase: string, label: string): boolean => SORTS.exec(phrase)?.[1] === label
