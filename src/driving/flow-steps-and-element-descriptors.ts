// The steps of a flow. An element is named by what a person sees (role, name, label, nearby text), so that it is found
// again on a page whose ids, classes and order have changed; a selector is the last resort.
import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  isShown,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import type { ExpectedPage } from './expected-page.ts'
import { foldText } from './match-label-words.ts'
import { findRowOrCardOfButton } from './page-controls.ts'

export interface ElementDescriptor {
  /** ARIA role, or the tag of an element without one. */
  role?: string | undefined
  name?: string | undefined
  /** Words beside a field, or its placeholder. */
  label?: string | undefined
  /** A text that only its row or card has, where several elements have the same name. */
  near?: string | undefined
  /** Title of the dialog, form or section that it is in, else the heading of the page. */
  within?: string | undefined
  /** True when it was the only element of its role in that section or row. */
  only?: boolean | undefined
  /** Names of the other elements of its role in that section or row. */
  others?: readonly string[] | undefined
  /** It submits its form. */
  submits?: boolean | undefined
  /** Type of an input. */
  kind?: string | undefined
  /** Title, name or address of its frame. */
  frame?: string | undefined
  selector?: string | undefined
}

export type FlowStep =
  | { type: 'open'; url: string }
  | { type: 'back' | 'forward' }
  | { type: 'click'; target: ElementDescriptor; dialog?: 'accept' | 'dismiss' | undefined; answer?: string | undefined }
  | { type: 'type' | 'choose'; target: ElementDescriptor; value: string }
  | { type: 'check'; target: ElementDescriptor; on: boolean }
  | { type: 'upload'; target: ElementDescriptor; file: string }
  | { type: 'press'; key: string; target?: ElementDescriptor | undefined }
  | { type: 'scroll'; to?: 'top' | 'bottom' | undefined; target?: ElementDescriptor | undefined }
  | { type: 'waitFor'; target?: ElementDescriptor | undefined; text?: string | undefined; gone?: boolean | undefined }
  | {
      type: 'extract'
      as: string
      target: ElementDescriptor
      all?: boolean | undefined
      attribute?: string | undefined
    }
  | { type: 'download'; target: ElementDescriptor }
  | { type: 'screenshot'; fullPage?: boolean | undefined }
  | { type: 'login'; vault: string }
  | ({ type: 'expect' } & ExpectedPage)

export interface FlowParameter {
  /** Used if a run sends no value. */
  default?: string | undefined
  /** Never stored: each run must send it. */
  secret?: boolean | undefined
}

export type Flow = { parameters: Readonly<Record<string, FlowParameter>>; steps: readonly FlowStep[] }

const PARAMETER = /\{\{\s*([\w-]{1,60})\s*\}\}/g

export const listFlowParameters = (steps: readonly FlowStep[]): string[] => [
  ...new Set([...JSON.stringify(steps).matchAll(PARAMETER)].map(([, name]) => name!)),
]

/** Replaces `{{name}}` in every text of a step. */
export function fillParameters(step: FlowStep, values: Readonly<Record<string, string>>): FlowStep {
  const fill = (text: string) => text.replace(PARAMETER, (whole, name: string) => values[name] ?? whole)
  return mapStepTexts(step, fill)
}

/** Applies `change` to every text of a step but its type. */
export function mapStepTexts(step: FlowStep, change: (text: string, field: string) => string): FlowStep {
  const each = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return change(value, field)
    if (Array.isArray(value)) return value.map((inner) => each(inner, field))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner, name)]))
  }
  const { type, ...rest } = step
  return { type, ...(each(rest, '') as object) } as FlowStep
}

export const isSameText = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && tidy(a) !== '' && tidy(a) === tidy(b)

const tidy = (text: string): string =>
  foldText(text)
    .replace(/[\s:*…]+/g, ' ')
    .trim()

export const roleOfElement = ({ role, tag }: SnapshotElement): string => role ?? tag

export const nameOfElement = ({ name, text }: SnapshotElement): string => name || text || ''

const MAX_NAME = 160
/** Beyond this many other elements of the role, elimination is no evidence, so their names are not stored. */
const MAX_PEERS = 8
const GENERATED = /\d{3,}|[_-][0-9a-f]{5,}|^(?:radix|mui|react|headlessui|ember|ext)\b|:r/i

export function makeElementDescriptor(snapshot: DomSnapshot, element: SnapshotElement): ElementDescriptor {
  const role = roleOfElement(element)
  const name = nameOfElement(element).slice(0, MAX_NAME)
  const label = [element.beside, element.placeholder].find((one) => one && !isSameText(one, name))
  const twins = twinsOfElement(snapshot, element)
  const near = twins.length > 0 ? distinction(snapshot, element, twins) : undefined
  const { title } = sectionOfElement(snapshot, element)
  const peers = peersOfElement(snapshot, element, near ? rowOfElement(snapshot, element, twins) : undefined)
  const others = peers.map((one) => (nameOfElement(one) || one.beside || '').slice(0, MAX_NAME))
  const isListed = others.length > 0 && others.length <= MAX_PEERS && others.every(Boolean)
  const kind = element.tag === 'input' && element.type !== 'text' ? element.type : undefined
  const frame = frameOfElement(snapshot, element)
  const selector = selectorOfElement(element)
  return {
    role,
    ...(name ? { name } : {}),
    ...(label ? { label } : {}),
    ...(near ? { near } : {}),
    ...(title ? { within: title } : {}),
    ...(peers.length === 0 ? { only: true } : {}),
    ...(isListed ? { others } : {}),
    ...(element.submits ? { submits: true } : {}),
    ...(kind ? { kind } : {}),
    ...(frame ? { frame } : {}),
    ...(selector ? { selector } : {}),
  }
}

/** Skips generated ids, which differ from one visit to the next. */
export function selectorOfElement({ dom, field, tag }: SnapshotElement): string | undefined {
  if (dom && !GENERATED.test(dom) && /^[\w-]+$/.test(dom)) return `#${dom}`
  return field && !GENERATED.test(field) ? `${tag}[name="${field.replace(/["\\]/g, '\\$&')}"]` : undefined
}

export function frameOfElement(snapshot: DomSnapshot, element: SnapshotElement): string | undefined {
  if (element.frame === 0) return undefined
  const holder = ancestorsOf(snapshot, element).find(({ tag, frame }) => tag === 'iframe' && frame !== element.frame)
  return holder && (holder.name || holder.described || holder.field || holder.dom)
}

const SECTION = /^(dialog|alertdialog|form|group|region|article|main|tabpanel|search|complementary|navigation|banner)$/

/** Title of the nearest dialog, form or section around an element that has one, else the heading of the page. */
export function sectionOfElement(
  snapshot: DomSnapshot,
  element: SnapshotElement,
): { title: string | undefined; isPage: boolean } {
  for (const one of ancestorsOf(snapshot, element)) {
    const isPage = one.tag === 'body'
    const title = isPage || SECTION.test(one.role ?? '') ? titleOfSection(snapshot, one, isPage) : ''
    if (title) return { title, isPage }
  }
  return { title: undefined, isPage: true }
}

/** Cached by section, because the title is needed for every element in it. */
const titles = new WeakMap<SnapshotElement, string>()

function titleOfSection(snapshot: DomSnapshot, section: SnapshotElement, isPage: boolean): string {
  const known = titles.get(section)
  if (known !== undefined) return known
  const heading = descendantsOf(snapshot, section).find(
    // A legend is the title of its own group only.
    ({ role, level, hidden, up }) =>
      !hidden && (isPage ? level === 1 : role === 'heading' || (role === 'legend' && up === section.at)),
  )
  const title = (section.name || (heading ? textOfElement(snapshot, heading, 120) : '')).slice(0, 120)
  titles.set(section, title)
  return title
}

/** The other elements of its role and type in the same row, or in the section of the same title. */
export function peersOfElement(
  snapshot: DomSnapshot,
  element: SnapshotElement,
  row: SnapshotElement | undefined,
): SnapshotElement[] {
  const role = roleOfElement(element)
  const { title } = sectionOfElement(snapshot, element)
  return (row ? descendantsOf(snapshot, row) : snapshot.elements).filter(
    (one) =>
      one !== element &&
      isShown(one) &&
      roleOfElement(one) === role &&
      one.type === element.type &&
      (row !== undefined || sectionOfElement(snapshot, one).title === title),
  )
}

/** The other elements of the same role and name. */
export const twinsOfElement = (snapshot: DomSnapshot, element: SnapshotElement): SnapshotElement[] =>
  snapshot.elements.filter(
    (one) =>
      one !== element &&
      isShown(one) &&
      roleOfElement(one) === roleOfElement(element) &&
      isSameText(nameOfElement(one), nameOfElement(element)),
  )

/** The row or card around an element that holds none of its twins. */
export function rowOfElement(
  snapshot: DomSnapshot,
  element: SnapshotElement,
  twins: readonly SnapshotElement[],
): SnapshotElement | undefined {
  const all = [element, ...twins].map((one) => ({ element: one, label: '' }))
  return findRowOrCardOfButton(snapshot, all[0]!, all)
}

export const textsOfRow = (snapshot: DomSnapshot, row: SnapshotElement): string[] =>
  [row, ...descendantsOf(snapshot, row)].flatMap((one) =>
    isShown(one) && (one.text || one.name) ? [(one.text || one.name)!.slice(0, MAX_NAME)] : [],
  )

/** The first text of its row that no other row has. */
function distinction(snapshot: DomSnapshot, element: SnapshotElement, twins: readonly SnapshotElement[]) {
  const row = rowOfElement(snapshot, element, twins)
  if (!row) return undefined
  const others = new Set(
    twins.flatMap((twin) => {
      const other = rowOfElement(snapshot, twin, [element, ...twins.filter((one) => one !== twin)])
      return other ? textsOfRow(snapshot, other).map(tidy) : []
    }),
  )
  const own = textsOfRow(snapshot, row).filter(
    (text) => !others.has(tidy(text)) && !isSameText(text, nameOfElement(element)),
  )
  return own.find((text) => /\p{L}{2}/u.test(text)) ?? own[0]
}

export function formatElementDescriptor({
  role = 'element',
  name,
  label,
  near,
  within,
  selector,
}: ElementDescriptor): string {
  const called = name ?? label ?? selector ?? ''
  const place = near ? ` near "${near.slice(0, 60)}"` : within ? ` in "${within.slice(0, 60)}"` : ''
  return `${role}${called ? ` "${called.slice(0, 80)}"` : ''}${place}`
}
