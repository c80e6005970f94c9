// What a card says of itself in its own marks (`itemprop`): who wrote it, and when. Surer than the first name or date in it,
// which may be that of whoever wrote last or changed it.
import type { Element } from 'domhandler'
import { closest, findElement, flatText } from '../../content/tree.ts'
import type { PagePart } from './page-part.ts'

const MAX_VALUE = 200
const MAX_STEPS = 60

const isMarked = ({ attribs }: Element, names: readonly string[]): boolean =>
  (attribs.itemprop ?? '').split(/\s+/, 5).some((name) => names.includes(name))

const saidBy = (element: Element): string => element.attribs.content ?? flatText(element, MAX_VALUE)

/** The first mark of the card itself; those of comments below it are theirs. */
function markIn({ elements, isSmall, memo }: PagePart, names: readonly string[]): Element | undefined {
  if (!isSmall) return undefined
  const comments = memo('comments', () =>
    elements.filter(({ element }) => COMMENT.test(element.attribs.itemtype ?? '')),
  )
  const others = new Set(comments.length > 1 ? comments.map(({ element }) => element) : [])
  return elements.find(({ element }) => isMarked(element, names) && !isBelow(element, others))?.element
}

const COMMENT = /\/(?:Comment|Answer|Review)$/
const MAX_UP = 12

const isBelow = (element: Element, boxes: ReadonlySet<Element>): boolean =>
  boxes.size > 0 && closest(element.parent, MAX_UP, (up) => boxes.has(up)) !== undefined

/** The name in the first mark of an author. */
export function markedAuthor(scope: PagePart): string | undefined {
  const mark = markIn(scope, ['author', 'creator'])
  const named = mark && findElement(mark, (element) => element !== mark && isMarked(element, ['name']), MAX_STEPS)
  return mark && (saidBy(named ?? mark) || undefined)
}

/** When it was written, by the first mark that says so. */
export function markedDate(scope: PagePart): string | undefined {
  const mark = markIn(scope, ['datePublished', 'dateCreated'])
  return mark && (mark.attribs.datetime ?? saidBy(mark))
}
