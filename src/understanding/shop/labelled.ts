// Labelled values on a product page ("Brand: Anchor Optics", "Product code AL50", "Availability: In stock") and the
// description. Only labels outside the site's frame and other products count; the vocabulary is that of extract/.
import type { AnyNode, Element } from 'domhandler'
import { termsNamed } from '../extract/terms.ts'
import { labelPhrase } from '../extract/words.ts'
import { type Line, readLines } from '../facts/lines.ts'
import { pairsIn } from '../facts/pairs.ts'
import { walk } from '../facts/walk.ts'
import { isAway } from './scan.ts'

export interface Labelled {
  brand: string | undefined
  number: string | undefined
  stock: string | undefined
  description: string | undefined
}

const MAX_VALUE = 60
const MAX_DESCRIPTION = 2_000

export function labelledIn(tree: AnyNode): Labelled {
  const { lines } = readLines(tree, (element) => isAway(element, false))
  const main = lines.filter(({ isMain }) => isMain)
  const pairs = pairsIn(main)
  const beside = (...concepts: string[]): string | undefined =>
    pairs
      .find(({ label, value }) => {
        const meant = termsNamed(labelPhrase(label))[0]?.id ?? ''
        return concepts.includes(meant) && value.length <= MAX_VALUE && !/[.!?]\s+\p{L}/u.test(value)
      })
      ?.value.trim()
  const number = beside('sku', 'mpn')
  return {
    brand: beside('brand'),
    // A product number has a digit and at most one space.
    number: number && /^(?=.*\d)\S+(?: \S+)?$/.test(number) ? number : undefined,
    stock: beside('availability'),
    description: named(tree) ?? underHeading(main),
  }
}

const DESCRIPTION =
  /(?:^|[\s_-])(?:(?:(?:product|short|full|long|item|tab|main)[_-]{0,2})?description|feature-bullets)(?:$|[\s_-])/i
/** Shorter texts are only a title. */
const MIN_DESCRIPTION = 12
/** Elements of that name that are read; they can be nested a thousand deep. */
const MAX_TRIES = 20

/** The first non-empty element that is named a description. */
function named(tree: AnyNode): string | undefined {
  let found: string | undefined
  let tries = 0
  walk(tree, {
    enter(element) {
      if (found !== undefined || tries >= MAX_TRIES || isAway(element, false)) return false
      const { class: names = '', id = '', itemprop } = element.attribs
      const isNamed = itemprop === 'description' || DESCRIPTION.test(`${names} ${id}`.slice(0, 300))
      if (!isNamed || !CAN_DESCRIBE.has(element.name)) return true
      tries++
      const said = wordsOf(element).replace(HEADS, '')
      if (said.length >= MIN_DESCRIPTION) found = said
      return true
    },
  })
  return found
}

const wordsOf = (element: Element): string =>
  readLines(element, () => false)
    .lines.map(({ text }) => text)
    .join(' ')
    .slice(0, MAX_DESCRIPTION)

const CAN_DESCRIBE = new Set('div p section article span dd td'.split(' '))

const HEADS =
  /^(?:(?:product )?(?:description|details|information|overview)|about this (?:item|product)|(?:produkt)?beschreibung|details|description(?: du produit)?|descripción|descrição|descrizione|omschrijving|beskrivning|beskrivelse|opis(?: produktu)?|popis|описание|商品説明|商品描述|상품 ?설명)\s*[:：]?\s*/iu
const IS_HEAD = new RegExp(`${HEADS.source}$`, 'iu')

/** The first lines below a heading such as "Details": prose, not table rows. */
function underHeading(lines: readonly Line[]): string | undefined {
  const head = lines.findIndex(({ text, block }) => /^h[2-6]$/.test(block?.name ?? '') && IS_HEAD.test(text))
  if (head < 0) return undefined
  const said: string[] = []
  for (const { text, block } of lines.slice(head + 1, head + 12)) {
    if (/^(?:h[1-6]|t[dhr]|dt|dd|button)$/.test(block?.name ?? '')) break
    said.push(text)
  }
  const text = said.join(' ').slice(0, MAX_DESCRIPTION)
  return text.length >= MIN_DESCRIPTION ? text : undefined
}
