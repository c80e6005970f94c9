// The choices on a product page: selects and radio groups with a visible name. They name the options of variants that
// data identify only by code, and are the variants where there are no data.
import type { AnyNode, Element } from 'domhandler'
import { collapse, findElement, isElement, isText, nextNode, textOf } from '../../content/tree.ts'
import type { MoneyHint } from '../currencies.ts'
import { findMoney, type Money } from '../money.ts'
import type { PlacedElement } from './amounts.ts'
import type { VariantDraft } from './draft.ts'
import optionNames from './option-names.json' with { type: 'json' }
import type { Scan } from './scan.ts'
import { stockWords } from './stock.ts'

interface ChoiceValue {
  text: string
  value: string
  gone: boolean
  price?: Money
  /** Surcharge: "L mount (+$5.00)". */
  more?: number
}

export interface ProductChoice {
  /** Visible name: Colour. */
  name: string
  /** Form field name: attribute_pa_color. */
  key: string
  values: ChoiceValue[]
}

const MAX_CHOICES = 6
const MAX_VALUES = 200
/** More combinations are not listed. */
const MAX_COMBINED = 100
const OPTIONS = new Set(optionNames.options.split(' '))
const OTHERS = new Set(optionNames.others.split(' '))
/** Keys that shop systems give to the fields of options. */
const OPTION_KEY = /^(?:attribute|options?|super_attribute|group|properties)(?:_|\[)/i

export function choicesOf(scan: Scan, heading: PlacedElement | undefined, hint: MoneyHint): ProductChoice[] {
  const found = new Map<string, ProductChoice>()
  const start = heading ? heading.at - 400 : 0
  for (const { element, away, at } of scan.choosers) {
    const isSelect = element.name === 'select'
    const key = element.attribs.name ?? element.attribs.id ?? ''
    if (away || at < start || (!isSelect && element.name !== 'input')) continue
    const known = found.get(key)
    const name = known?.name ?? choiceName(element, isSelect, scan)
    if (name === undefined || !isOption(name, key)) continue
    const choice = known ?? { name, key, values: [] }
    found.set(key, choice)
    for (const one of isSelect ? optionsOf(element) : [radioText(element, scan)])
      if (one && choice.values.length < MAX_VALUES) choice.values.push(choiceValue(one, hint))
  }
  return [...found.values()].filter(({ values }) => values.length > 1).slice(0, MAX_CHOICES)
}

function isOption(name: string, key: string): boolean {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return !words.some((word) => OTHERS.has(word)) && (OPTION_KEY.test(key) || words.some((word) => OPTIONS.has(word)))
}

interface ShownOption {
  element: Element
  text: string
}

function* optionsOf(select: Element): Generator<ShownOption> {
  for (let node: AnyNode | null = select; node; node = nextNode(node, select)) {
    if (!isElement(node) || node.name !== 'option') continue
    const text = collapse(textOf(node, 200))
    // The first entry without a value asks to choose.
    const isPrompt =
      node.attribs.value === '' ||
      (node.attribs.value === undefined &&
        stockWords(text) === undefined &&
        /[ …]/.test(text) &&
        !/\d/.test(text) &&
        isFirst(node))
    if (text && !isPrompt) yield { element: node, text }
  }
}

const isFirst = (option: Element): boolean => {
  for (let before = option.prev; before; before = before.prev) if (isElement(before)) return false
  return true
}

function radioText(input: Element, scan: Scan): ShownOption | undefined {
  const { id, 'aria-label': aria, value } = input.attribs
  const box = isElement(input.parent) && input.parent.name === 'label' ? collapse(textOf(input.parent, 100)) : ''
  const text = (id && scan.labels.get(id)) || aria || box || value
  // Swatches repeat their name for screen readers: "BlackBlack".
  return text && input.attribs.type === 'radio'
    ? { element: input, text: text.replace(/^(\S.{1,60}\S)\1$/u, '$1') }
    : undefined
}

/** `Large - $24.00 (sold out)` → `Large`, price 24, gone. */
function choiceValue({ element, text }: ShownOption, hint: MoneyHint): ChoiceValue {
  const [money] = findMoney(text, hint)
  const stock = stockWords(text)
  const gone = element.attribs.disabled !== undefined || stock?.inStock === false
  const end = Math.min(money?.at ?? text.length, gone && stock ? text.search(/\s*[-–—([]/) >>> 0 : text.length)
  const bare = text.slice(0, end).replace(/[\s([–—\-+:|,]+$/, '') || text
  const price = money && { amount: money.amount, ...(money.currency ? { currency: money.currency } : {}) }
  const isExtra = money !== undefined && /\+\s*$/.test(text.slice(0, money.at))
  return {
    text: bare,
    value: element.attribs.value ?? text,
    gone,
    ...(price && (isExtra ? { more: price.amount } : { price })),
  }
}

/** The label of a select; the legend or the short text before a group of radio buttons. */
function choiceName(element: Element, isSelect: boolean, scan: Scan): string | undefined {
  const own = isSelect ? (scan.labels.get(element.attribs.id ?? '') ?? element.attribs['aria-label']) : undefined
  if (own) return tidyName(own)
  let box: AnyNode | null = element
  for (let up = 0; up < 5 && isElement(box) && box.name !== 'form' && box.name !== 'body'; up++, box = box.parent) {
    const legend = box.name === 'fieldset' && findElement(box, ({ name }) => name === 'legend', 200)
    const given = legend ? collapse(textOf(legend, 80)) : labelBefore(box)
    if (given) return tidyName(given)
  }
  return undefined
}

function labelBefore(element: Element): string | undefined {
  let before = element.prev
  while (before && isText(before) && !before.data.trim()) before = before.prev
  if (!isElement(before) || findElement(before, ({ name }) => name === 'input' || name === 'select', 40))
    return undefined
  if (element.name === 'input' && before.name === 'label') return undefined
  const text = collapse(textOf(before, 80))
  return text && text.length < 40 ? text : undefined
}

/** `Size: Medium *` → `Size`. */
const tidyName = (text: string): string => collapse(text.split(/[:：*(]/, 1)[0] ?? '')

/** The combinations of all choices, where no other source lists variants. */
export function combined(choices: readonly ProductChoice[]): VariantDraft[] {
  const count = choices.reduce((product, { values }) => product * values.length, 1)
  if (choices.length === 0 || count > MAX_COMBINED || count < 2) return []
  let drafts: { values: Record<string, string>; gone: boolean; price?: Money; more: number }[] = [
    { values: {}, gone: false, more: 0 },
  ]
  for (const { name, values } of choices)
    drafts = drafts.flatMap((draft) =>
      values.map(({ text, gone, price, more = 0 }) => ({
        values: { ...draft.values, [name]: text },
        gone: draft.gone || gone,
        more: draft.more + more,
        ...(price && choices.length === 1 ? { price } : {}),
      })),
    )
  return drafts.map(({ values, gone, price, more }) => ({
    title: Object.values(values).join(' / '),
    values,
    ...(gone ? { inStock: false } : {}),
    ...(price ? { price } : {}),
    ...(more > 0 ? { more } : {}),
  }))
}
