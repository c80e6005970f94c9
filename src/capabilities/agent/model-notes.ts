// What a run has found, in words for a model: numbered notes to choose by, and all notes to compose the answer from.
// Pure.
import type { Goal } from './goal.ts'
import { ITEM, isEmpty, isRecord, itemsIn, type JsonValue, type Notebook, nameOf, type Rejected } from './notebook.ts'

/** A line of the notes; `rejected`: what to leave out when the model finds it wrong. */
export interface NoteLine {
  text: string
  rejected: Rejected
}

const MAX_VALUE = 120
const MAX_NOTE = 400
const MIN_NOTE = 80
const MAX_ITEMS = 9

/** What is known so far, one line each; of a long list the beginning and the end. */
export function noteLines(goal: Goal, notebook: Notebook, mostChars: number): NoteLine[] {
  if (goal.shape === 'list') return itemLines(goal, notebook)
  if (goal.shape === 'answer') {
    const each = Math.max(MIN_NOTE, Math.floor(mostChars / Math.max(1, notebook.notes.length)) - 6)
    return notebook.notes.map(({ data, url }) => ({
      text: shown(data, Math.min(MAX_NOTE, each)).replace(/\s+/g, ' '),
      rejected: { field: 'answer', value: data, url },
    }))
  }
  return notebook.facts.flatMap(({ path, value, source: { url } }) => {
    if (value === null) return []
    return [{ text: `${path}: ${shown(value, MAX_VALUE)}`, rejected: { field: path, value, url } }]
  })
}

function itemLines(goal: Goal, notebook: Notebook): NoteLine[] {
  const items = itemsIn(goal, notebook.answer().data)
  const lines = items.flatMap((item, at): NoteLine[] => {
    const name = isRecord(item) ? nameOf(item) : undefined
    if (!isRecord(item) || name === undefined) return []
    const known = Object.entries(item).flatMap(([field, value]) =>
      isEmpty(value) ? [`no ${field}`] : shown(value, 40),
    )
    const source = Object.entries(notebook.answer().sources).find(([path]) => pathOf(goal, at, path))?.[1]
    return [{ text: known.join(', '), rejected: { field: ITEM, value: name, url: source?.url ?? '' } }]
  })
  if (lines.length <= MAX_ITEMS) return lines
  return [...lines.slice(0, MAX_ITEMS - 3), ...lines.slice(-3)]
}

const pathOf = ({ list }: Goal, at: number, path: string): boolean =>
  path.startsWith(`${list?.path == null ? '' : `${list.path}.`}${at}.`)

/** What is still open, in a few words. */
export function missingIn(goal: Goal, notebook: Notebook): string {
  // What a note in words leaves open it says itself.
  if (goal.shape === 'answer') return notebook.notes.length > 0 ? 'see the notes' : 'the answer'
  if (goal.shape === 'record') return notebook.open.join(', ')
  const gaps = notebook.gaps.length
  const lacking = gaps > 0 ? `; ${gaps} lack fields` : ''
  return `${notebook.items} items so far${lacking}`
}

/** Every page's note in full, for the final answer. */
export function notesText(notebook: Notebook, mostChars: number): string {
  const notes = notebook.pages.filter(({ by, data }) => by === 'model' && !isEmpty(data))
  const each = Math.max(MAX_NOTE, Math.floor(mostChars / Math.max(1, notes.length)) - 200)
  const wrong = notebook.rejected.map(({ field, value, url }) => `${field} ${shown(value, MAX_VALUE)} from ${url}`)
  const texts = notes.map(({ url, title, data, at }, n) => {
    const visited = new Date(at).toISOString().slice(0, 10)
    return `Note ${n + 1}, from ${url} (${title.slice(0, 120)}), visited ${visited}:\n${shown(data, each)}`
  })
  return [...texts, ...(wrong.length > 0 ? [`Found wrong: ${wrong.join('; ')}`] : [])].join('\n\n')
}

const shown = (value: JsonValue, most: number): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
