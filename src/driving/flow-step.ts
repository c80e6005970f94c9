// The steps of a flow. An element is named by what a person sees (role, name, label, nearby text), so that it is found
// again on a page whose ids, classes and order have changed; a selector is the last resort.
import {
  ancestors,
  type DomSnapshot,
  descendants,
  isShown,
  type SnapshotElement,
  textIn,
} from '../fetch/chrome/snapshot/snapshot.ts'
import { unitOf } from './controls.ts'
import { plain } from './label-words.ts'

export interface ElementName {
  /** ARIA role, or the tag of an element without one. */
  role?: string | undefined
  /** Accessible name. */
  name?: string | undefined
  /** Words beside a field, or its placeholder. */
  label?: string | undefined
  /** A text that only its row or card has, where several elements have the same name. */
  near?: string | undefined
  /** Title of the dialog, form or section that it is in. */
  within?: string | undefined
  /** It was the only one of its role there. */
  only?: boolean | undefined
  /** Type of an input. */
  kind?: string | undefined
  /** Title, name or address of its frame. */
  frame?: string | undefined
  selector?: string | undefined
}

export type FlowStep =
  | { type: 'open'; url: string }
  | { type: 'click'; target: ElementName; dialog?: 'accept' | 'dismiss' | undefined; answer?: string | undefined }
  | { type: 'type' | 'choose'; target: ElementName; value: string }
  | { type: 'check'; target: ElementName; on: boolean }
  | { type: 'upload'; target: ElementName; file: string }
  | { type: 'press'; key: string; target?: ElementName | undefined }
  | { type: 'scroll'; to?: 'top' | 'bottom' | undefined; target?: ElementName | undefined }
  | { type: 'waitFor'; target?: ElementName | undefined; text?: string | undefined; gone?: boolean | undefined }
  | { type: 'extract'; as: string; target: ElementName; all?: boolean | undefined; attribute?: string | undefined }
  | { type: 'download'; target: ElementName }
  | { type: 'screenshot'; fullPage?: boolean | undefined }
  | { type: 'login'; vault: string }

export interface FlowParameter {
  /** Used where a run gives no value. */
  default?: string | undefined
  /** Never stored: each run must give it. */
  secret?: boolean | undefined
}

export interface Flow {
  parameters: Readonly<Record<string, FlowParameter>>
  steps: readonly FlowStep[]
}

const PARAMETER = /\{\{\s*([\w-]{1,60})\s*\}\}/g

/** Names of the parameters that the steps use. */
export const parametersIn = (steps: readonly FlowStep[]): string[] => [
  ...new Set([...JSON.stringify(steps).matchAll(PARAMETER)].map(([, name]) => name!)),
]

/** Replaces `{{name}}` in every text of a step. */
export function withValues(step: FlowStep, values: Readonly<Record<string, string>>): FlowStep {
  const fill = (text: string) => text.replace(PARAMETER, (whole, name: string) => values[name] ?? whole)
  return mapTexts(step, fill)
}

/** Applies `change` to every text of a step but its type. */
export function mapTexts(step: FlowStep, change: (text: string, field: string) => string): FlowStep {
  const each = (value: unknown, field: string): unknown =>
    typeof value === 'string'
      ? change(value, field)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner, name)]))
        : value
  const { type, ...rest } = step
  return { type, ...(each(rest, '') as object) } as FlowStep
}

export const same = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && tidy(a) !== '' && tidy(a) === tidy(b)

const tidy = (text: string): string =>
  plain(text)
    .replace(/[\s:*…]+/g, ' ')
    .trim()

export const roleOf = ({ role, tag }: SnapshotElement): string => role ?? tag

export const nameOf = ({ name, text }: SnapshotElement): string => name || text || ''

const MAX_NAME = 160
const GENERATED = /\d{3,}|[_-][0-9a-f]{5,}|^(?:radix|mui|react|headlessui|ember|ext)\b|:r/i

/** The names by which an element is found again. */
export function nameElement(snapshot: DomSnapshot, element: SnapshotElement): ElementName {
  const role = roleOf(element)
  const name = nameOf(element).slice(0, MAX_NAME)
  const label = [element.beside, element.placeholder].find((one) => one && !same(one, name))
  const twins = snapshot.elements.filter(
    (one) => one !== element && isShown(one) && roleOf(one) === role && same(nameOf(one), name),
  )
  const near = twins.length > 0 ? distinction(snapshot, element, twins) : undefined
  const { box, title } = sectionOf(snapshot, element)
  const isAlike = (one: SnapshotElement) => isShown(one) && roleOf(one) === role && one.type === element.type
  const only = (box ? descendants(snapshot, box) : snapshot.elements).filter(isAlike).length === 1
  const kind = element.tag === 'input' && element.type !== 'text' ? element.type : undefined
  const frame = frameOf(snapshot, element)
  const selector = selectorOf(element)
  return {
    role,
    ...(name ? { name } : {}),
    ...(label ? { label } : {}),
    ...(near ? { near } : {}),
    ...(title ? { within: title } : {}),
    ...(only ? { only } : {}),
    ...(kind ? { kind } : {}),
    ...(frame ? { frame } : {}),
    ...(selector ? { selector } : {}),
  }
}

/** Ids that a program made up differ from one visit to the next. */
export function selectorOf({ dom, field, tag }: SnapshotElement): string | undefined {
  if (dom && !GENERATED.test(dom) && /^[\w-]+$/.test(dom)) return `#${dom}`
  return field && !GENERATED.test(field) ? `${tag}[name="${field.replace(/["\\]/g, '\\$&')}"]` : undefined
}

export function frameOf(snapshot: DomSnapshot, element: SnapshotElement): string | undefined {
  if (element.frame === 0) return undefined
  const holder = ancestors(snapshot, element).find(({ tag, frame }) => tag === 'iframe' && frame !== element.frame)
  return holder && (holder.name || holder.described || holder.field || holder.dom)
}

const SECTION = /^(dialog|alertdialog|form|group|region|article|main|tabpanel|search|complementary|navigation|banner)$/

/** The nearest dialog, form or section around an element that has a title. */
export function sectionOf(
  snapshot: DomSnapshot,
  element: SnapshotElement,
): { box: SnapshotElement | undefined; title: string | undefined } {
  let innermost: SnapshotElement | undefined
  for (const one of ancestors(snapshot, element)) {
    if (!SECTION.test(one.role ?? '')) continue
    innermost ??= one
    const heading = descendants(snapshot, one).find(
      ({ role, hidden }) => (role === 'heading' || role === 'legend') && !hidden,
    )
    const title = one.name || (heading && textIn(snapshot, heading, 120))
    if (title) return { box: one, title: title.slice(0, 120) }
  }
  return { box: innermost, title: undefined }
}

/** The row or card around an element that holds none of its twins. */
export function rowOf(
  snapshot: DomSnapshot,
  element: SnapshotElement,
  twins: readonly SnapshotElement[],
): SnapshotElement | undefined {
  const all = [element, ...twins].map((one) => ({ element: one, label: '' }))
  return unitOf(snapshot, all[0]!, all)
}

export const textsOf = (snapshot: DomSnapshot, row: SnapshotElement): string[] =>
  [row, ...descendants(snapshot, row)].flatMap((one) =>
    isShown(one) && (one.text || one.name) ? [(one.text || one.name)!.slice(0, MAX_NAME)] : [],
  )

/** The first text of its row that no other row has. */
function distinction(
  snapshot: DomSnapshot,
  element: SnapshotElement,
  twins: readonly SnapshotElement[],
): string | undefined {
  const row = rowOf(snapshot, element, twins)
  if (!row) return undefined
  const others = new Set(
    twins.flatMap((twin) => {
      const other = rowOf(snapshot, twin, [element, ...twins.filter((one) => one !== twin)])
      return other ? textsOf(snapshot, other).map(tidy) : []
    }),
  )
  const own = textsOf(snapshot, row).filter((text) => !others.has(tidy(text)) && !same(text, nameOf(element)))
  return own.find((text) => /\p{L}{2}/u.test(text)) ?? own[0]
}

/** How a person would call it. */
export function describe({ role = 'element', name, label, near, within, selector }: ElementName): string {
  const called = name ?? label ?? selector ?? ''
  const place = near ? ` near "${near.slice(0, 60)}"` : within ? ` in "${within.slice(0, 60)}"` : ''
  return `${role}${called ? ` "${called.slice(0, 80)}"` : ''}${place}`
}
