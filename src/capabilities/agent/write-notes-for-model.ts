// What a run has found, in words for a model: numbered notes to choose by, and all notes to compose the answer from.
import type { Goal } from './derive-goal.ts'
import {
  isEmptyValue,
  isRecord,
  itemNameOf,
  type JsonValue,
  listItemsIn,
  type Notebook,
  type RejectedValue,
  WHOLE_ITEM_FIELD,
} from './notebook.ts'

/** A line of the notes; `rejected`: what to leave out when the model finds it wrong. */
export type NoteLine = { text: string; rejected: RejectedValue }

const MAX_VALUE = 120
const MAX_NOTE = 400
const MIN_NOTE = 80
const MAX_ITEMS = 9

/** What is known so far, one line each; of a long list the beginning and the end. */
export function writeNoteLines(goal: Goal, notebook: Notebook, mostChars: number): NoteLine[] {
  if (goal.shape === 'list') return itemLines(goal, notebook)
  if (goal.shape === 'answer') {
    const each = Math.max(MIN_NOTE, Math.floor(mostChars / Math.max(1, notebook.notes.length)) - 6)
    return notebook.notes.map(({ data, url }) => ({
      text: formatValue(data, Math.min(MAX_NOTE, each)).replace(/\s+/g, ' '),
      rejected: { field: 'answer', value: data, url },
    }))
  }
  return notebook.facts.flatMap(({ path, value, source: { url } }) => {
    if (value === null) return []
    return [{ text: `${path}: ${formatValue(value, MAX_VALUE)}`, rejected: { field: path, value, url } }]
  })
}

function itemLines(goal: Goal, notebook: Notebook): NoteLine[] {
  const items = listItemsIn(goal, notebook.answer().data)
  const lines = items.flatMap((item, at): NoteLine[] => {
    const name = isRecord(item) ? itemNameOf(item) : undefined
    if (!isRecord(item) || name === undefined) return []
    const known = Object.entries(item).flatMap(([field, value]) =>
      isEmptyValue(value) ? [`no ${field}`] : formatValue(value, 40),
    )
    const source = Object.entries(notebook.answer().sources).find(([path]) => pathOf(goal, at, path))?.[1]
    return [{ text: known.join(', '), rejected: { field: WHOLE_ITEM_FIELD, value: name, url: source?.url ?? '' } }]
  })
  if (lines.length <= MAX_ITEMS) return lines
  const [first, last] = [lines.slice(0, MAX_ITEMS - 3), lines.slice(-3)]
  const end = first.pop()!
  return [...first, { ...end, text: `${end.text} (${lines.length - MAX_ITEMS} more items follow)` }, ...last]
}

const pathOf = ({ list }: Goal, at: number, path: string): boolean =>
  path.startsWith(`${list?.path == null ? '' : `${list.path}.`}${at}.`)

export function describeMissing(goal: Goal, notebook: Notebook): string {
  // A note in words states itself what it could not find.
  if (goal.shape === 'answer') return notebook.notes.length > 0 ? 'see the notes' : 'the answer'
  if (goal.shape === 'record') return notebook.open.join(', ')
  const gaps = notebook.gaps.length
  const lacking = gaps > 0 ? `; ${gaps} lack fields` : ''
  return `perhaps more items: ${notebook.items} items so far${lacking}`
}

export function writeNotesText(notebook: Notebook, mostChars: number): string {
  const notes = notebook.pages.filter(({ by, data }) => by === 'model' && !isEmptyValue(data))
  const each = Math.max(MAX_NOTE, Math.floor(mostChars / Math.max(1, notes.length)) - 200)
  const wrong = notebook.rejected.map(
    ({ field, value, url }) => `${field} ${formatValue(value, MAX_VALUE)} from ${url}`,
  )
  const texts = notes.map(({ url, title, data, at }, n) => {
    const visited = new Date(at).toISOString().slice(0, 10)
    return `Note ${n + 1}, from ${url} (${title.slice(0, 120)}), visited ${visited}:\n${formatValue(data, each)}`
  })
  return [...texts, ...(wrong.length > 0 ? [`Found wrong: ${wrong.join('; ')}`] : [])].join('\n\n')
}

const formatValue = (value: JsonValue, most: number): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text
}
