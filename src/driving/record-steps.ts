// Turns what is done in the pages of a session into the steps of a flow. Secrets become parameters.
import { SecretMasker } from '../base/secret-masker.ts'
import type { RecordedAction, RecordedInput } from '../fetch/chrome/live/record-user-actions.ts'
import { type DomSnapshot, endOfSubtree, type SnapshotElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { describePage } from './expected-page.ts'
import {
  type ElementDescriptor,
  type Flow,
  type FlowParameter,
  type FlowStep,
  makeElementDescriptor,
  mapStepTexts,
} from './flow-steps-and-element-descriptors.ts'
import { findValueBesideLabel } from './locate-element.ts'

const MAX_STEPS = 500
/** A jump in the history is recorded as single steps. */
const MAX_BACK = 20

interface Entry {
  step: FlowStep
  /** Of the element; empty for a step without one. */
  key: string
  /** A click into a field, which typing makes superfluous. */
  isFocus: boolean
}

export class StepRecorder {
  private readonly entries: Entry[] = []
  private readonly secrets = new Map<string, string>()
  private isSigningIn = false
  /** The input since the last navigation: what the page does next is its effect. */
  private cause: RecordedInput['kind'] | undefined
  /** Knows the values of the vault, which must not be recorded, however late an event arrives. */
  private readonly masker: SecretMasker

  constructor(masker = new SecretMasker()) {
    this.masker = masker
  }

  /** Records a sign-in by the name of its vault entry. */
  async login(vault: string, work: () => Promise<string | undefined>) {
    this.isSigningIn = true
    try {
      const refusal = await work()
      if (!refusal) this.entries.push({ step: { type: 'login', vault }, key: '', isFocus: false })
      return refusal
    } finally {
      this.isSigningIn = false
    }
  }

  /** `page`: the one that it ended on. */
  flow(page: DomSnapshot | undefined): Flow {
    const secret = Object.fromEntries([...this.secrets.values()].map((name) => [name, { secret: true }]))
    const steps = this.entries.map(({ step }) => step)
    const isKnown = steps.length > 0 && steps.length < MAX_STEPS && /^https?:/.test(page?.url ?? '')
    const expected = page && isKnown ? describePage(page) : undefined
    const { text, deep } = this.masker
    const isClean = Object.values(expected ?? {}).every((one) => text(one) === one)
    const all: FlowStep[] = expected && isClean ? [...steps, { type: 'expect', ...expected }] : steps
    return { steps: deep(all), parameters: secret }
  }

  readonly hear = (event: RecordedAction): void => {
    if (this.entries.length >= MAX_STEPS || this.isSigningIn) return
    if ('value' in event && event.value && this.masker.text(event.value) !== event.value) return
    const last = this.entries.at(-1)
    if (event.kind === 'navigated') {
      this.cause = undefined
      if (!event.byPage) this.open(event.url, last)
    } else if (event.kind === 'moved') {
      this.hearMove(event, last)
    } else if (event.kind === 'download') {
      if (last?.step.type === 'click') last.step = { type: 'download', target: last.step.target }
    } else if (event.kind === 'dialog') {
      if (last?.step.type !== 'click') return
      const { type, target } = last.step
      const answer = event.text ? { answer: event.text } : {}
      last.step = { type, target, dialog: event.accept ? 'accept' : 'dismiss', ...answer }
    } else this.hearInput(event, last)
  }

  private open(url: string, last: Entry | undefined): void {
    // A second address before anything was done is a redirect.
    if (last?.step.type === 'open') this.entries.pop()
    this.entries.push({ step: { type: 'open', url }, key: '', isFocus: false })
  }

  /** What a press leads to is not a step of its own: the press will do it again. */
  private hearMove({ url, delta, byUser }: Extract<RecordedAction, { kind: 'moved' }>, last: Entry | undefined): void {
    const { cause } = this
    this.cause = undefined
    if (delta === 0) {
      if (byUser && cause !== 'click' && cause !== 'press') this.open(url, last)
    } else if (byUser || cause === undefined)
      for (let left = Math.min(Math.abs(delta), MAX_BACK); left > 0; left--)
        this.entries.push({ step: { type: delta < 0 ? 'back' : 'forward' }, key: '', isFocus: false })
  }

  private hearInput(input: RecordedInput, last: Entry | undefined): void {
    const { key } = input
    const isSameElement = last?.key === key
    if (input.kind === 'type' && isSameElement && last.step.type === 'type') {
      last.step = { ...last.step, value: this.valueOf(input, last.step.target) }
      this.cause = 'type'
      return
    }
    const element = elementOf(input)
    if (!element || !input.snapshot) return
    const target = makeElementDescriptor(input.snapshot, element)
    const add = (step: FlowStep, isFocus = false) => {
      this.entries.push({ step, key, isFocus })
      this.cause = input.kind
    }
    switch (input.kind) {
      case 'focus':
        if (!isSameElement) add({ type: 'click', target }, true)
        return
      case 'type':
        if (isSameElement && last.isFocus) this.entries.pop()
        add({ type: 'type', target, value: this.valueOf(input, target) })
        return
      case 'click':
        // Enter in a field presses the button of its form; Enter on a button is a press of it.
        if (input.byKey && last?.step.type === 'press') {
          if (!isSameElement) return
          this.entries.pop()
        }
        if (canBeFound(target)) add({ type: 'click', target })
        return
      case 'point':
        add(this.extractOf(input.snapshot, element, input.selector))
        return
      default:
        add(stepOf(input, target, element))
    }
  }

  /** The text of an element is what will differ, so it is named by its label and its place. */
  private extractOf(snapshot: DomSnapshot, element: SnapshotElement, selector: string | undefined): FlowStep {
    const before = snapshot.elements.find((one) => one.up === element.up && endOfSubtree(snapshot, one) === element.at)
    const text = before?.text ?? before?.name
    const beside = text ? findValueBesideLabel(snapshot, text) : []
    const label = beside.length === 1 && beside[0] === element ? text : undefined
    const taken = new Set(this.entries.map(({ step }) => (step.type === 'extract' ? step.as : '')))
    const word = label?.toLowerCase().match(/[a-z]{3,}/)?.[0] ?? 'value'
    let as = word
    for (let n = 2; taken.has(as); n++) as = `${word}${n}`
    return { type: 'extract', as, target: { ...(label ? { label } : {}), ...(selector ? { selector } : {}) } }
  }

  private valueOf({ secret, value = '', key }: RecordedInput, target: ElementDescriptor): string {
    if (!secret) return value
    let name = this.secrets.get(key)
    if (name === undefined) {
      const word = `${target.name ?? target.label ?? ''}`.toLowerCase().match(/[a-z]{3,}/)?.[0] ?? 'password'
      const taken = new Set(this.secrets.values())
      name = word
      for (let n = 2; taken.has(name); n++) name = `${word}${n}`
      this.secrets.set(key, name)
    }
    return `{{${name}}}`
  }
}

function stepOf(input: RecordedInput, target: ElementDescriptor, element: SnapshotElement): FlowStep {
  switch (input.kind) {
    case 'choose':
      return { type: 'choose', target, value: input.value ?? '' }
    case 'check':
      return { type: 'check', target, on: input.on ?? true }
    case 'upload':
      return { type: 'upload', target, file: '{{file}}' }
    default:
      return { type: 'press', key: input.value ?? 'Enter', ...(isField(element) ? { target } : {}) }
  }
}

const canBeFound = ({ name, label, selector }: ElementDescriptor): boolean => !!(name || label || selector)

const isField = ({ role }: SnapshotElement): boolean => /^(textbox|searchbox|combobox|spinbutton)$/.test(role ?? '')

/** The control that was meant: a press on the text of a button is a press on the button. */
function elementOf({ path, kind }: RecordedInput): SnapshotElement | undefined {
  if (kind !== 'click') return path[0]
  return (
    path.find(({ does }) => does === 1) ??
    path.find(({ does }) => does === 2) ??
    path.find(({ tag, text, name }) => tag !== 'body' && tag !== 'main' && !!(text || name))
  )
}

/** Texts that the caller names become parameters, with the recorded one as their default. */
export function replaceByParameters(
  { steps, parameters }: Flow,
  named: Readonly<Record<string, string>>,
): { flow: Flow; unused: string[] } {
  const used = new Map<string, FlowParameter>()
  const longestFirst = Object.entries(named).sort(([, a], [, b]) => b.length - a.length)
  const changed = steps.map((step) =>
    mapStepTexts(step, (text, field) => {
      if (!/^(value|name|near|label|answer)$/.test(field)) return text
      return longestFirst.reduce((all, [name, value]) => {
        if (!all.includes(value)) return all
        used.set(name, { default: value })
        return all.replaceAll(value, `{{${name}}}`)
      }, text)
    }),
  )
  return {
    flow: { steps: changed, parameters: { ...parameters, ...Object.fromEntries(used) } },
    unused: Object.keys(named).filter((name) => !used.has(name)),
  }
}
