// The way to the page as it shows it: Home › Garden › Hoses. It names the section a page stands in.
import type { Element } from 'domhandler'
import { elementChildren, flatText, isElement } from '../../content/tree.ts'
import type { PagePart } from './page-part.ts'
import { phraseOf } from './words.ts'

const NAMED = /(?:^|[^a-z])(?:bread-?_?crumbs?|crumbs?|navtree|linktree|pathway|you-are-here)(?:$|[^a-z])/i
const SEPARATOR = /^[\s»›>/|→▸►⟩·•:-]+$/u
const EDGES = /^[\s»›>/|→▸►⟩]+|[\s»›>/|→▸►⟩]+$/gu
const HOME =
  /^(?:home|homepage|main|start|startseite|accueil|inicio|início|hjem|strona główna|главная|ホーム|首页|you are here:?|forums?|index|edit on github|edit this page|view page source)$/iu
const MAX_STEPS = 12
const MAX_TEXT = 300

/** The steps, outermost first; home and the page itself are not among them unless `whole`. */
export function crumbsIn(scope: PagePart, whole = false): string[] {
  const box = scope.elements.find(({ element }) => isCrumbs(element))?.element
  const steps = box ? stepsOf(box) : (besideHeading(scope) ?? toHeading(scope))
  if (whole) return HOME.test(steps[0] ?? '') ? steps.slice(1) : steps
  const own = phraseOf(scope.main?.text ?? '')
  return steps.filter((step, n) => !HOME.test(step) && !(n === steps.length - 1 && n > 0 && isOwn(step, own)))
}

/** The last step is the page itself when it says what the heading says, in full or cut short. */
function isOwn(step: string, heading: string): boolean {
  const said = phraseOf(step.replace(/(?:\.{3}|…)$/u, ''))
  if (heading === '' || said === '') return false
  const [words, own] = [said.split(' '), new Set(heading.split(' '))]
  const shared = words.filter((word) => own.has(word)).length
  return heading.includes(said) || said.includes(heading) || (words.length > 2 && shared >= words.length * 0.7)
}

const isCrumbs = ({ name, attribs }: Element): boolean =>
  name !== 'body' &&
  name !== 'html' &&
  name !== 'a' &&
  NAMED.test(`${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs['aria-label'] ?? ''}`.slice(0, 400))

function stepsOf(box: Element): string[] {
  const steps: string[] = []
  const open: Element[] = [box]
  for (let looked = 0; open.length > 0 && looked < 200 && steps.length < MAX_STEPS; looked++) {
    const element = open.pop()!
    const inner = elementChildren(element)
    const text = flatText(element, MAX_TEXT).replace(EDGES, '')
    const isStep = element.name === 'a' || element.name === 'li' || element.name === 'span' || inner.length === 0
    const links = inner.length > 0 ? countLinks(element) : 0
    if (isStep && (links <= 1 || element.name === 'a')) {
      if (text !== '' && !SEPARATOR.test(text) && text !== steps.at(-1)) steps.push(text)
    } else open.push(...inner.reverse())
  }
  return steps
}

function countLinks(element: Element): number {
  let links = 0
  const open = [...elementChildren(element)]
  for (let looked = 0; open.length > 0 && looked < 60; looked++) {
    const one = open.pop()!
    if (one.name === 'a') links += 1
    else open.push(...elementChildren(one))
  }
  return links
}

const BEFORE = 60

/** A line of links with arrows between them, just before the heading. */
function besideHeading({ lines, main }: PagePart): string[] | undefined {
  if (!main) return undefined
  for (const { runs, at, text } of lines) {
    if (at > main.at) break
    if (
      at < main.at - BEFORE ||
      text.length > MAX_TEXT ||
      !(/[»›>→▸►⟩]/u.test(text) || runs.some((run) => run.text === '/'))
    )
      continue
    const links = runs.filter(
      ({ element }) => element?.name === 'a' || (isElement(element?.parent) && element.parent.name === 'a'),
    )
    if (links.length < 2) continue
    return runs.map((run) => run.text.replace(EDGES, '')).filter((step) => step !== '' && !SEPARATOR.test(step))
  }
  return undefined
}

/** A short row of links before the heading whose last one says what the heading says. */
function toHeading({ elements, main }: PagePart): string[] {
  if (!main) return []
  for (const { element, at } of elements) {
    if (at >= main.at) break
    if (element.name !== 'a' || at < main.at - 400 || flatText(element, MAX_TEXT) !== main.text) continue
    let box = isElement(element.parent) ? element.parent : undefined
    for (let up = 0; box && up < 4; up++) {
      const links = countLinks(box)
      if (links > 8) break
      const steps = links > 1 ? stepsOf(box) : []
      if (steps.length > 0) return steps.at(-1) === main.text ? steps : []
      box = isElement(box.parent) ? box.parent : undefined
    }
  }
  return []
}
