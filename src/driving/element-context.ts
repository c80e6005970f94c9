// Where an element is on its page: the words around it, and how likely its place is meant.

import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  isDescendantOf,
  isShown,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { labelWordsOf } from './match-label-words.ts'
import { findOpenDialog, type PageButton, type PageControls } from './page-controls.ts'

export interface ElementContext {
  words: readonly string[]
  cost: number
  isOfRow?: boolean
}

interface ContextOptions {
  snapshot: DomSnapshot
  controls: PageControls
  button?: PageButton
  /** The row or card of the button. */
  unit?: SnapshotElement | undefined
}

/** Static text that says where an element is: its row, the headings above it, the tab or menu it belongs to. */
export function findElementContexts({ snapshot, button, unit, controls }: ContextOptions): ElementContext[] {
  const out: ElementContext[] = [{ words: labelWordsOf(snapshot.title), cost: 0.7 }]
  const choices = controls.choices.filter(({ element }) => !unit || isDescendantOf(snapshot, element, unit))
  for (const group of new Set(choices.map((choice) => choice.group)))
    out.push({ words: labelWordsOf(group), cost: 0.6 })
  const add = (text: string | undefined, cost = 0.6) => {
    if (text) out.push({ words: labelWordsOf(text), cost, isOfRow: cost < 0.6 })
  }
  if (unit) {
    const labels = descendantsOf(snapshot, unit).filter(({ role, tag }) => role === 'label' || tag === 'fieldset')
    for (const one of [unit, ...descendantsOf(snapshot, unit)])
      if (one.text && !labels.some((label) => isDescendantOf(snapshot, one, label))) add(one.text, 0.4)
    add(textOfElement(snapshot, unit, 400), 0.5)
  }
  for (const one of snapshot.elements)
    if (one.role === 'heading' && isShown(one) && (one.level === 1 || !button)) add(one.name ?? one.text)
    else if (one.role === 'columnheader' && unit?.role === 'row') add(one.name ?? one.text)
  if (!button) {
    for (const one of snapshot.elements) if (/^(tab|region|dialog|form)$/.test(one.role ?? '')) add(one.name)
    return out
  }
  for (const one of [button.element, ...ancestorsOf(snapshot, button.element)]) {
    add(one.role === 'link' || one.role === 'button' ? undefined : one.name)
    if (one.dom) add(snapshot.elements.find(({ controls, role }) => controls === one.dom && role !== 'combobox')?.name)
    if (one.tag === 'main' || one.tag === 'body') break
    const parent = snapshot.elements[one.up]
    const sisters = parent ? snapshot.elements.slice(parent.at + 1, one.at).filter(({ up }) => up === parent.at) : []
    const before = sisters.findLast(
      (sister) => sister.role === 'heading' || sister.popup || (one.hidden && sister.does),
    )
    add(before?.name ?? before?.text)
    add(
      parent?.role === 'label'
        ? undefined
        : parent?.hidden
          ? undefined
          : sisters.find(({ role }) => role === 'legend' || role === 'caption')?.name,
    )
  }
  return out
}

/** Lowest for elements in an open dialog, highest for hidden ones and those in the site's menu. */
export function costOfPlaceOnPage(snapshot: DomSnapshot, element: SnapshotElement): number {
  const dialog = findOpenDialog(snapshot)
  const end = dialog ? snapshot.elements.findIndex(({ at, up }) => at > dialog.at && up < dialog.at) : -1
  const isInDialog = dialog !== undefined && element.at > dialog.at && (end < 0 || element.at < end)
  const hidden = isShown(element) ? 0 : 0.3
  let place = 0
  for (let at = element.up; at >= 0; at = snapshot.elements[at]!.up)
    if (/^(banner|contentinfo|navigation)$/.test(snapshot.elements[at]!.role ?? '')) place = 0.1
  return hidden + place + (dialog && !isInDialog ? 0.3 : 0)
}
