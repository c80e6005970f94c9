// The choices on a product page: selects, radio groups and swatches, with visible names. They name the options of
// variants that data identify only by code, and define the variants where there are no data.
import type { AnyNode, Element } from 'domhandler'
import { collapse, findElement, isElement, isText, nextNode, textOf } from '../../content/tree.ts'
import { currencyCode, type MoneyHint } from '../currencies.ts'
import { findMoney, type Money } from '../money.ts'
import type { PlacedElement } from './amounts.ts'
import type { VariantDraft } from './draft.ts'
import { capital } from './linked.ts'
import type { Scan } from './scan.ts'
import { stockWords } from './stock.ts'

export interface ProductChoice {
  /** Visible name: Colour. */
  name: string
  /** Form field name: attribute_pa_color. */
  key: string
  values: { text: string; value: string; gone: boolean; price?: Money; more?: number }[]
}

const MAX_CHOICES = 6
const MAX_VALUES = 200
/** More combinations are not listed. */
const MAX_COMBINED = 100

const NOT_A_CHOICE =
  /qty|quantity|trade-?in|compare|picker|menge|quantit|anzahl|country|currency|language|locale|sort|order-?by|rating|state|province|store|shop-?selector|subscri|frequency|selling_plan|purchase-?(?:option|type)|delivery|shipping|search|filter|page|newsletter|payment|gift-?wrap|warranty/i
/** Usual option names, where neither the form nor the shop system marks an option. */
const OPTION_NAME =
  /colou?r|size|style|material|flavou?r|scent|length|width|height|capacity|storage|memory|finish|pattern|model|format|pack\b|weight|volume|\bfit\b|thickness|edition|version|configuration|quantity per|farbe|gr(?:ö|oe)(?:ß|ss)e|ausführung|modell|breite|länge|höhe|tiefe|gewicht|inhalt|sorte|duft|geschmack|variante|largeur|longueur|hauteur|poids|contenance|senteur|couleur|taille|modèle|matière|parfum|tamaño|talla|tama[nñ]o|ancho|largo|sabor|aroma|cor\b|tamanho|colore|taglia|misura|larghezza|lunghezza|gusto|kleur|maat|breedte|lengte|smaak|färg|storlek|farve|størrelse|farge|väri|koko|kolor|rozmiar|barva|velikost|farba|veľkosť|szín|méret|culoare|mărime|цвят|цвет|колір|размер|розмір|renk|beden|色|カラー|サイズ|颜色|尺码|尺寸|尺碼|색상|사이즈|컬러|χρώμα|μέγεθος|צבע|מידה|màu|kích/iu
const OPTION_KEY =
  /^(?:attribute_|attribute\[|options?\[|super_attribute\[|group\[|properties\[|variant-?options?)|^(?:color|size|option-?\d)/i
const PLACEHOLDER =
  /^(?:[-–—\s.]*|(?:--*\s*)?(?:please\s+)?(?:choose|select|pick)\b.*|.*\b(?:w[äa]hlen|ausw[äa]hlen|choisir|choisissez|elige|elegir|seleccion\w*|escolha|seleciona\w*|scegli\w*|kies|välj|vælg|velg|valitse|wybierz|vyberte|válassz\w*|seçin\w*|選択|请选择|請選擇|선택)\b.*)$/iu

export function choicesOf(scan: Scan, heading: PlacedElement | undefined, hint: MoneyHint): ProductChoice[] {
  const found: ProductChoice[] = []
  const radios = new Map<string, PlacedElement[]>()
  const start = heading ? heading.at - 400 : 0
  for (const marked of scan.choosers) {
    if (marked.away || marked.at < start) continue
    const { element } = marked
    if (element.name === 'select') {
      const choice = selectChoice(element, scan, hint)
      if (choice) found.push(choice)
    } else if (element.name === 'input') {
      const name = element.attribs.name ?? ''
      if (name) radios.set(name, [...(radios.get(name) ?? []), marked].slice(0, MAX_VALUES))
    } else if (element.name !== 'fieldset') {
      const choice = swatchChoice(element, scan)
      if (choice) found.push(choice)
    }
  }
  for (const [key, group] of radios) {
    const choice = radioChoice(key, group, scan, hint)
    if (choice) found.push(choice)
  }
  return distinct(found.filter(isOption)).slice(0, MAX_CHOICES)
}

const isOption = ({ name, key, values }: ProductChoice): boolean =>
  name.length <= 40 &&
  (OPTION_KEY.test(key) || OPTION_NAME.test(name)) &&
  !values.some(({ text }) => text === name || text === 'Default Title')

/** The same choice often appears twice: a select for the form and swatches for display. The fuller one is kept. */
function distinct(choices: readonly ProductChoice[]): ProductChoice[] {
  const byName = new Map<string, ProductChoice>()
  for (const choice of choices) {
    const name = choice.name.toLowerCase()
    const known = byName.get(name)
    if (!known || known.values.length < choice.values.length) byName.set(name, choice)
  }
  return [...byName.values()]
}

function selectChoice(select: Element, scan: Scan, hint: MoneyHint): ProductChoice | undefined {
  const { attribs } = select
  const key = attribs.name ?? attribs.id ?? ''
  const label = labelFor(select, scan)
  if (NOT_A_CHOICE.test(`${key} ${attribs.id ?? ''} ${attribs.class ?? ''}`) || (label && NOT_A_CHOICE.test(label)))
    return undefined
  const name = label ?? nameFromKey(key)
  if (!name) return undefined
  const values: ProductChoice['values'] = []
  for (let node: AnyNode | null = select; node && values.length < MAX_VALUES; node = nextNode(node, select)) {
    if (!isElement(node) || node.name !== 'option') continue
    const text = collapse(textOf(node, 200))
    if (node.attribs.value === '' || !text || PLACEHOLDER.test(text)) continue
    values.push(choiceValue(text, node.attribs.value ?? text, node.attribs.disabled !== undefined, node, hint))
  }
  return values.length > 0 ? { name, key, values } : undefined
}

function radioChoice(
  key: string,
  group: readonly PlacedElement[],
  scan: Scan,
  hint: MoneyHint,
): ProductChoice | undefined {
  if (group.length < 2 || NOT_A_CHOICE.test(key)) return undefined
  const first = group[0]!.element
  const name = groupName(first) ?? nameFromKey(key)
  if (!name || NOT_A_CHOICE.test(name)) return undefined
  const values = group.flatMap(({ element }) => {
    const { attribs } = element
    const shown = labelOfRadio(element, scan)
    // A bare number is the shop's internal key.
    const given = attribs.value && !/^\d+$/.test(attribs.value) && attribs.value !== 'on' ? attribs.value : undefined
    const text = shown && !PLACEHOLDER.test(shown) ? shown : given
    const off =
      attribs.disabled !== undefined ||
      /(?:^|[\s_-])(?:disabled|unavailable|sold-?out|out-of-stock)(?:[\s_-]|$)/i.test(attribs.class ?? '')
    return text ? [choiceValue(text, attribs.value ?? text, off, element, hint)] : []
  })
  return values.length > 1 ? { name, key, values } : undefined
}

function swatchChoice(box: Element, scan: Scan): ProductChoice | undefined {
  const name = box.attribs['aria-label'] ?? scan.labels.get(box.attribs.id ?? '') ?? groupName(box)
  if (!name || name.length > 40 || NOT_A_CHOICE.test(name)) return undefined
  const values: ProductChoice['values'] = []
  for (let node: AnyNode | null = box; node && values.length < MAX_VALUES; node = nextNode(node, box)) {
    if (!isElement(node) || !/^(radio|option)$/.test(node.attribs.role ?? '')) continue
    const { attribs } = node
    const text =
      attribs['data-value'] ??
      attribs['aria-label'] ??
      attribs['data-option-label'] ??
      attribs.title ??
      collapse(textOf(node, 80))
    const off = attribs['aria-disabled'] === 'true' || attribs.disabled !== undefined
    if (text) values.push({ text: once(collapse(text)), value: attribs['data-value'] ?? text, gone: off })
  }
  return values.length > 1 ? { name: tidyName(name), key: box.attribs.id ?? '', values } : undefined
}

/** Swatches repeat their name for screen readers: "BlackBlack" → "Black". */
const once = (text: string): string => text.replace(/^(\S.{1,60}\S)\1$/u, '$1')

function choiceValue(
  text: string,
  value: string,
  disabled: boolean,
  element: Element,
  hint: MoneyHint,
): ProductChoice['values'][number] {
  const gone = disabled || stockWords(text)?.inStock === false
  const { bare, price, more } = withoutPrice(once(text), element, hint)
  return { text: bare, value, gone, ...(price ? { price } : {}), ...(more ? { more } : {}) }
}

/** `Large - $24.00 (sold out)` → `Large`, price 24. A price with a plus is a surcharge. */
function withoutPrice(
  text: string,
  { attribs }: Element,
  hint: MoneyHint,
): { bare: string; price?: Money; more?: number } {
  const [money] = findMoney(text, hint)
  const given = Number(attribs['data-price'])
  const cut = money ? text.slice(0, money.at) : text
  const bare = cut
    .replace(/[\s([–—\-+:|,]+$/, '')
    .replace(
      /\s*[-–—([]+\s*(?:sold out|out of stock|unavailable|ausverkauft|épuisé|agotado|esaurito|uitverkocht|nicht verfügbar)[)\]]?\s*$/i,
      '',
    )
  const adds = money !== undefined && /\+\s*\(?\s*$/.test(text.slice(0, money.at))
  const price: Money | undefined =
    money && !adds
      ? { amount: money.amount, ...(money.currency ? { currency: money.currency } : {}), formatted: money.formatted }
      : given > 0 && attribs['data-price']?.includes('.')
        ? { amount: given, ...(currencyCode(hint.currency) ? { currency: hint.currency as string } : {}) }
        : undefined
  return { bare: bare || text, ...(price ? { price } : {}), ...(adds ? { more: money.amount } : {}) }
}

function labelFor(element: Element, scan: Scan): string | undefined {
  const { id, 'aria-label': aria, 'aria-labelledby': by } = element.attribs
  const text = (id && scan.labels.get(id)) || aria || (by && scan.labels.get(by)) || groupName(element)
  return text ? tidyName(text) || undefined : undefined
}

/** The legend of the group, or the short label before it. */
function groupName(element: Element): string | undefined {
  let one: AnyNode | null = isElement(element.parent) && element.parent.name === 'label' ? element.parent : element
  for (let up = 0; up < 6 && isElement(one); up++, one = one.parent) {
    if (one.name === 'form' || one.name === 'body') break
    const { attribs } = one
    const given =
      attribs['data-option-name'] ??
      attribs['data-attribute-label'] ??
      (up > 0 && /group|radio|option|swatch|variant/i.test(`${attribs.role} ${attribs.class}`)
        ? attribs['aria-label']
        : undefined)
    if (given) return tidyName(given)
    if (one.name === 'fieldset') {
      const legend = findElement(one, ({ name }) => name === 'legend', 200)
      if (legend) return tidyName(collapse(textOf(legend, 80)))
    }
    const label = labelBefore(one)
    if (label) return label
  }
  return undefined
}

function labelBefore(element: Element): string | undefined {
  let before = element.prev
  while (before && isText(before) && !before.data.trim()) before = before.prev
  if (isElement(before) && /^(label|legend|span|p|div|h[2-6]|strong|b|th|dt)$/.test(before.name)) {
    // A label with its own control names that control.
    if (findElement(before, ({ name }) => name === 'input' || name === 'select', 40)) return undefined
    if (before.attribs.for && before.name === 'label' && element.name === 'input') return undefined
    const text = tidyName(collapse(textOf(before, 80)))
    if (text && text.length < 40) return text
  }
  return undefined
}

function labelOfRadio(input: Element, scan: Scan): string | undefined {
  const { id, 'aria-label': aria, title } = input.attribs
  const own = (id && scan.labels.get(id)) || aria || title
  if (own) return own
  const { parent } = input
  if (isElement(parent) && parent.name === 'label') return collapse(textOf(parent, 100)) || parent.attribs.title
  return input.attribs['data-value'] ?? input.attribs['data-label']
}

/** `Size: Medium *` → `Size`. */
const tidyName = (text: string): string =>
  collapse(text.split(/[:：]/, 1)[0] ?? '')
    .replace(/\s*(?:\*|\(required\)|required|is|none selected)$/i, '')
    .replace(/^(?:choose|select(?:ed)?|current)(?: an?| your)?\s+/i, '')

/** `attribute_pa_frame-color`, `options[Frame Color]` → Frame color. */
function nameFromKey(key: string): string | undefined {
  const inner = /\[([^\]]+)\]$/.exec(key)?.[1] ?? key
  const bare = inner
    .replace(/^attribute_/, '')
    .replace(/^pa_/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return /\p{L}{2}/u.test(bare) && !/^(?:group|super attribute|option|id|variant|template|product)\b/i.test(bare)
    ? capital(bare)
    : undefined
}

/** The combinations of all choices, where no other source lists variants. */
export function combined(choices: readonly ProductChoice[]): VariantDraft[] {
  const count = choices.reduce((product, { values }) => product * values.length, 1)
  if (choices.length === 0 || count > MAX_COMBINED || count < 2) return []
  let drafts: { values: Record<string, string>; gone: boolean; price?: Money; more: number }[] = [
    { values: {}, gone: false, more: 0 },
  ]
  for (const { name, values } of choices)
    drafts = drafts.flatMap((draft) =>
      values.map((value) => ({
        values: { ...draft.values, [name]: value.text },
        gone: draft.gone || value.gone,
        more: draft.more + (value.more ?? 0),
        ...(value.price && choices.length === 1 ? { price: value.price } : {}),
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
