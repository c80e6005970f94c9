// The row or column of a table that the prompt names: of "How many calls on the Studio plan?" the row "Studio". Its
// cells are labelled by the headers of the other axis.
import { cellTextOf } from '../facts/find-label-value-pairs.ts'
import { stemText } from '../passages/stem-terms.ts'
import { type ConversionContext, convertRawValue, type RawValue } from './convert-raw-value.ts'
import type { FieldQuery } from './field-query.ts'
import { areSynonyms } from './field-terms.ts'
import { labelToPhrase, toComparablePhrase } from './normalise-labels.ts'
import { elementToRawValue, type PagePart } from './page-part.ts'

export interface RowNamedInPrompt {
  /** Stems of the headings over the table. */
  about: readonly string[]
  cells: readonly { label: string; raw: RawValue }[]
}

const MAX_ROWS = 200

/** The rows and columns that the prompt names, where it names only one of their table. */
export function findRowsNamedInPrompt({ tables, headings }: PagePart, prompt: string): RowNamedInPrompt[] {
  const said = ` ${toComparablePhrase(prompt)} `
  const isAsked = (text: string) => {
    const phrase = toComparablePhrase(text)
    return phrase.length > 2 && said.includes(` ${phrase} `)
  }
  const found: RowNamedInPrompt[] = []
  for (const { headers, rows, caption, at } of tables) {
    if (headers.length < 3 || rows.length < 2 || rows.length > MAX_ROWS) continue
    const over = headings.filter((heading) => heading.at < at).slice(-2)
    const about = stemText([caption, headers[0], ...over.map(({ text }) => text)].join(' '))
    const named = rows.filter(([first]) => first && isAsked(cellTextOf(first)))
    const [column, ...others] = headers.flatMap((head, n) => (n > 0 && isAsked(head) ? [n] : []))
    if (named.length === 1)
      found.push({
        about,
        cells: headers.slice(1).map((label, n) => ({ label, raw: elementToRawValue(named[0]![n + 1]) })),
      })
    if (column !== undefined && others.length === 0)
      found.push({
        about,
        cells: rows.flatMap((cells) =>
          cells[0] && cells[column] ? [{ label: cellTextOf(cells[0]), raw: elementToRawValue(cells[column]) }] : [],
        ),
      })
  }
  return found
}

/** The one value that the rows have for a field; undefined when they differ. */
export function findValueInRows(
  field: FieldQuery,
  rows: readonly RowNamedInPrompt[],
  context: ConversionContext,
): { value: unknown; source: string } | undefined {
  for (const isLabelOf of [isName, isPart, isTerm]) {
    const values = rows.flatMap(({ about, cells }) =>
      cells.flatMap(({ label, raw }) => {
        const value = isLabelOf(labelToPhrase(label), field, about) ? convertRawValue(raw, field, context) : undefined
        return value === undefined || value === '' ? [] : [value]
      }),
    )
    if (new Set(values).size === 1) return { value: values[0], source: 'table' }
  }
  return undefined
}

type Match = (phrase: string, field: FieldQuery, about: readonly string[]) => boolean

const isName: Match = (phrase, { phrases }) => phrases.includes(phrase)
const isTerm: Match = (phrase, { labels }) => labels.has(phrase)

/** The label names the part of the field that the headings do not: "Per minute" under "Requests". */
const isPart: Match = (phrase, { phrases, unit, kind }, about) => {
  const [own, said] = [stemText(phrases[0] ?? ''), stemText(phrase)]
  const isIn = (word: string, words: readonly string[]) => words.some((other) => areSynonyms(word, other))
  const units = unit === undefined ? [] : stemText(unit)
  return (
    said.length > 0 &&
    said.every((word) => isIn(word, own)) &&
    own.every((word) => isIn(word, said) || isIn(word, about) || units.includes(word) || kind === 'money')
  )
}
