// What a format found, drawn for eyes: a page beside its markdown, a brand, a product, a menu, what changed, hits.
import { Code } from '../parts/code.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Badge } from '../parts/states.tsx'
import { WordDiff } from '../screens/word-diff.tsx'
import { Away } from './away.tsx'
import { Markdown } from './markdown.tsx'
import { spoken } from './schema.ts'

type Loose = Readonly<Record<string, unknown>>
const toLooseObject = (value: unknown): Loose =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Loose) : {}
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(toLooseObject) : [])
const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export const SideBySide = ({ markdown }: { markdown: string }) => (
  <div class="beside">
    <Markdown text={markdown} />
    <Code text={markdown} label="Its markdown" />
  </div>
)

const COLOUR = /^(?:#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/i

export function Brand({ value }: { value: unknown }) {
  const { colors, fonts, typography, components, ...rest } = toLooseObject(value)
  const swatches = Object.entries(toLooseObject(colors)).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && COLOUR.test(pair[1]),
  )
  const families = list(fonts).flatMap(({ family }) => word(family) ?? [])
  const sizes = Object.entries(toLooseObject(toLooseObject(typography).fontSizes)).flatMap(([name, size]) => {
    const pixels = Number.parseFloat(String(size))
    return Number.isFinite(pixels) ? [{ name, pixels: Math.min(48, pixels) }] : []
  })
  return (
    <div class="stack">
      <ul class="swatches" aria-label="Colours">
        {swatches.map(([name, colour]) => (
          <li key={name}>
            <span class="swatch" style={{ background: colour }} />
            <strong class="small">{spoken(name)}</strong>
            <code>{colour}</code>
          </li>
        ))}
      </ul>
      {families.length > 0 && (
        <section class="stack" aria-label="Type">
          {families.map((family) => (
            <p key={family} class="specimen" style={{ fontFamily: `"${family.replaceAll('"', '')}", var(--text)` }}>
              {family}: Quick spiders weave by moonlight
            </p>
          ))}
          {sizes.map(({ name, pixels }) => (
            <p key={name} class="specimen" style={{ fontSize: `${pixels}px` }}>
              {name} {pixels} px
            </p>
          ))}
        </section>
      )}
      <JsonTree value={{ ...rest, components }} />
    </div>
  )
}

function money(value: unknown): string | undefined {
  const { amount, value: other, currency, formatted } = toLooseObject(value)
  const number = amount ?? other ?? (typeof value === 'number' ? value : undefined)
  if (typeof formatted === 'string') return formatted
  if (number === undefined || number === null) return word(value)
  return `${String(number)} ${word(currency) ?? ''}`.trim()
}

export function Product({ value }: { value: unknown }) {
  const { title, name, brand, description, variants, price, availability, url } = toLooseObject(value)
  const rows = list(variants)
  return (
    <article class="product stack">
      <header>
        <h3>{word(title) ?? word(name) ?? 'A product'}</h3>
        <p class="soft">{word(brand) ?? word(toLooseObject(brand).name)}</p>
      </header>
      {price !== undefined && <p class="price">{money(price)}</p>}
      {word(availability) && (
        <Badge kind={/out|sold/i.test(String(availability)) ? 'warn' : 'good'}>{String(availability)}</Badge>
      )}
      {word(description) && <p class="break">{word(description)}</p>}
      {rows.length > 0 && (
        <div class="scroll-x">
          <table>
            <caption class="sr-only">Variants</caption>
            <thead>
              <tr>
                <th scope="col">Variant</th>
                <th scope="col">Price</th>
                <th scope="col">Stock</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, 100).map((variant, at) => (
                <tr key={at}>
                  <td>{variantName(variant)}</td>
                  <td>{money(variant.price)}</td>
                  <td>{stock(variant)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {word(url) && <Away url={String(url)} />}
      <details>
        <summary class="small">All fields</summary>
        <JsonTree value={value} />
      </details>
    </article>
  )
}

const variantName = ({ title, values, sku, id }: Loose): string =>
  word(title) ?? (Object.values(toLooseObject(values)).map(String).join(', ') || word(sku) || word(id) || '–')

function stock({ inStock, availability, stockText }: Loose): string {
  const { inStock: nested, text } = toLooseObject(availability)
  const is = inStock ?? nested
  return (
    word(stockText) ?? word(text) ?? word(availability) ?? (is === true ? 'in stock' : is === false ? 'sold out' : '–')
  )
}

export function Menu({ value }: { value: unknown }) {
  const { merchant, sections, isMenu } = toLooseObject(value)
  if (isMenu === false) return <JsonTree value={value} />
  return (
    <div class="stack">
      <h3>{word(toLooseObject(merchant).name) ?? 'Menu'}</h3>
      {list(sections).map(({ name, title, items }, at) => (
        <section key={at} aria-label={word(name) ?? word(title) ?? 'Dishes'}>
          <h4>{word(name) ?? word(title)}</h4>
          <ul class="dishes">
            {list(items).map((dish, n) => (
              <li key={n}>
                <span class="grow">
                  {word(dish.name) ?? word(dish.title)}
                  {word(dish.description) && <span class="small soft"> {word(dish.description)}</span>}
                </span>
                <span>{money(dish.price)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

export function Changes({ value }: { value: unknown }) {
  const { changeStatus, previousScrapeAt, diff, json } = toLooseObject(value)
  const text = word(toLooseObject(diff).text)
  return (
    <div class="stack">
      <p class="row">
        <Badge kind={changeStatus === 'changed' ? 'warn' : changeStatus === 'removed' ? 'bad' : 'good'}>
          {word(changeStatus) ?? 'unknown'}
        </Badge>
        <span class="small soft">
          {word(previousScrapeAt) ? `compared with ${String(previousScrapeAt)}` : 'the first check of this page'}
        </span>
      </p>
      {text ? <WordDiff text={text} /> : <JsonTree value={value} />}
      {json !== undefined && json !== null && <JsonTree value={json} />}
    </div>
  )
}

export const Hits = ({ hits }: { hits: readonly Loose[] }) => (
  <ol class="hits">
    {hits.map((hit, at) => (
      <li key={at}>
        <Away url={String(hit.url)}>{word(hit.title) ?? String(hit.url)}</Away>
        <span class="small faint break"> {String(hit.url)}</span>
        <p class="small break">{word(hit.description) ?? word(hit.snippet)}</p>
      </li>
    ))}
  </ol>
)
