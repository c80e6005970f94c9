// Compares two extractions by path (`plans[0].price`). Iterative, because the depth is not under our control.

export type ComparedValues = Record<string, { previous: unknown; current: unknown }>

const MAX_VALUES = 20_000

export function compareJson(previous: unknown, current: unknown): ComparedValues {
  const before = leavesOf(previous)
  const after = leavesOf(current)
  const changed: [string, { previous: unknown; current: unknown }][] = []
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path) ?? null, after.get(path) ?? null]
    if (!isSame(was, is)) changed.push([path, { previous: was, current: is }])
  }
  return Object.fromEntries(changed)
}

export const listAllAsUnchanged = (value: unknown): ComparedValues =>
  Object.fromEntries([...leavesOf(value)].map(([path, leaf]) => [path, { previous: leaf, current: leaf }]))

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' && foldText(a) === foldText(b))
const foldText = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim()

function leavesOf(value: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>()
  const open: { path: string; value: unknown }[] = [{ path: '', value }]
  for (let one = open.pop(); one && leaves.size < MAX_VALUES; one = open.pop()) {
    const { path, value: inner } = one
    if (Array.isArray(inner))
      for (const [at, item] of inner.entries()) open.push({ path: `${path}[${at}]`, value: item })
    else if (inner !== null && typeof inner === 'object')
      for (const [key, item] of Object.entries(inner)) open.push({ path: path ? `${path}.${key}` : key, value: item })
    else leaves.set(path, inner)
  }
  return new Map([...leaves].reverse())
}
