// What a form offers under a label: the options of a select, the labels of radio buttons. Colours and sizes stand there.
import type { Element } from 'domhandler'
import { collapse, elementChildren, flatText, isElement } from '../../content/tree.ts'
import type { PagePart, SeenElement } from './page-part.ts'
import { labelPhrase } from './words.ts'

const MAX_OPTIONS = 40
const MAX_TRIES = 50
/** Nodes between a label and the first thing it offers. */
const WITHIN = 40
const PLACEHOLDER = /^(?:- |choose|select|please|none|any|all|--|—|bitte|choisir|wählen|elegir|seleccionar|scegli)/i

export function optionsOf(scope: PagePart, phrases: readonly string[]): string[] {
  const fields = scope.elements.filter(({ element }) => isChoice(element))
  if (fields.length === 0) return []
  const named = fields.find(({ element: { attribs } }) =>
    [attribs.name, attribs.id, attribs['aria-label'], attribs['data-option-name']].some(
      (name) => name !== undefined && phrases.includes(labelPhrase(name)),
    ),
  )
  const chosen = named ?? labelled(scope, fields, phrases)
  const options = chosen ? offered(chosen, fields) : []
  // So many are a filter over all there is.
  return options.length <= MAX_OPTIONS ? options : []
}

const isChoice = ({ name, attribs }: Element): boolean =>
  name === 'select' || (name === 'input' && attribs.type?.toLowerCase() === 'radio')

/** The first choice after a short line that begins with the field's name. */
function labelled(
  { lines }: PagePart,
  fields: readonly SeenElement[],
  phrases: readonly string[],
): SeenElement | undefined {
  let tries = 0
  for (const { text, at } of lines) {
    if (text.length > 60 || tries >= MAX_TRIES) continue
    const said = labelPhrase(text)
    if (!phrases.some((phrase) => said === phrase || (said.startsWith(`${phrase} `) && phrase.length > 3))) continue
    tries += 1
    const field = fields.find((one) => one.at > at - 6 && one.at < at + WITHIN)
    if (field) return field
  }
  return undefined
}

function offered({ element }: SeenElement, fields: readonly SeenElement[]): string[] {
  if (element.name === 'select')
    return elementChildren(element)
      .filter(({ name, attribs }) => name === 'option' && attribs.value !== '' && attribs.disabled === undefined)
      .slice(0, MAX_OPTIONS + 1)
      .map((option) => flatText(option, 100))
      .filter((text) => text !== '' && !PLACEHOLDER.test(text))
  return fields
    .filter(({ element: other }) => other.attribs.name === element.attribs.name)
    .slice(0, MAX_OPTIONS + 1)
    .map(({ element: radio }) => labelOf(radio))
    .filter((text) => text !== '' && !PLACEHOLDER.test(text))
}

/** What stands with a radio button: in the label around it, or right after it. */
function labelOf(radio: Element): string {
  const said = radio.attribs['aria-label'] ?? radio.attribs.title
  if (said) return collapse(said)
  const around = isElement(radio.parent) && radio.parent.name === 'label' ? radio.parent : undefined
  let beside = radio.next
  for (let steps = 0; beside && !isElement(beside) && steps < 3; steps++) beside = beside.next
  const label = around ?? (isElement(beside) && beside.name === 'label' ? beside : undefined)
  return label ? flatText(label, 100) : ''
}
