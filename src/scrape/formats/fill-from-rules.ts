// Joins a model's data with what the rules read on the same page: the model corrects and completes, and never gives
// less than the rules alone.
import { isObject } from '../../base/values.ts'

interface RulesFill {
  /** The model's value is not on the page. */
  isDoubted(path: string): boolean
  isOnPage(value: string | number, name: string): boolean
  /** It may ask for some items of a list only, or for other words than the page's. */
  hasPrompt: boolean
}

interface FilledValue {
  value: unknown
  /** Paths of the rules' values, names and indexes separated by dots. */
  byRules: string[]
  /** Of these, the ones whose value of the model is not on the page. */
  replaced: string[]
}

const MAX_DEPTH = 40

export function fillFromRules(
  model: unknown,
  rules: unknown,
  { isDoubted, isOnPage, hasPrompt }: RulesFill,
): FilledValue {
  const byRules: string[] = []
  const replaced: string[] = []
  const take = (value: unknown, path: string): unknown => {
    if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) take(inner, joinPath(path, name))
    else if (!isEmptyValue(value)) byRules.push(path)
    return value
  }
  const fill = (said: unknown, found: unknown, path: string, depth: number): unknown => {
    if (isEmptyValue(found) || depth > MAX_DEPTH) return said
    if (isEmptyValue(said)) return take(found, path)
    if (Array.isArray(said) && Array.isArray(found)) return fillItems(said, found, path, depth)
    if (isObject(said) && isObject(found)) {
      const names = [...new Set([...Object.keys(said), ...Object.keys(found)])]
      return Object.fromEntries(
        names.map((name) => [name, fill(said[name] ?? null, found[name] ?? null, joinPath(path, name), depth + 1)]),
      )
    }
    if ((typeof found !== 'string' && typeof found !== 'number') || !(isDoubted(path) || isFragment(said, found)))
      return said
    if (hasPrompt && !/\d/.test(String(said)) && !isFragment(said, found)) return said
    if (!isOnPage(found, path.split('.').at(-1) ?? '')) return said
    replaced.push(path)
    return take(found, path)
  }
  const fillItems = (said: readonly unknown[], found: readonly unknown[], path: string, depth: number): unknown[] => {
    const rest = new Map(found.flatMap((item) => (isObject(item) ? [[itemKeyOf(item), item] as const] : [])))
    const made = said.map((item, at) => {
      const key = isObject(item) ? itemKeyOf(item) : ''
      const own = key === '' ? undefined : rest.get(key)
      if (own) rest.delete(key)
      return own ? fill(item, own, joinPath(path, String(at)), depth + 1) : item
    })
    const added = hasPrompt ? [] : [...rest].filter(([key]) => key !== '').map(([, item]) => item)
    return [...made, ...added.map((item, at) => take(item, joinPath(path, String(made.length + at))))]
  }
  return { value: fill(model, rules, '', 0), byRules, replaced }
}

/** A part of a number or code that the page has: "HL" of "HL-200". */
const isFragment = (said: unknown, found: unknown): boolean => {
  const [part, whole] = [String(said).trim(), String(found)]
  return typeof said === 'string' && /^\S*\d\S*$/.test(whole) && whole.length > part.length && whole.includes(part)
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isEmptyValue))

/** The first text of an item, which names it. */
const itemKeyOf = (item: Record<string, unknown>): string => {
  const name = Object.values(item).find((value) => typeof value === 'string' && value.trim() !== '')
  return String(name ?? '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}
