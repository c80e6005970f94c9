// Drags things: to a place in their list, beside or into another thing, and lists into order. The order of the list is
// read afterwards; a drop that did not land is tried a little further.
import type { Clause } from './clauses.ts'
import { findTarget, nameOf, notFound, type PromptContext, quoted, tell } from './context.ts'
import { plain } from './likeness.ts'
import type { PageDriver } from './page-driver.ts'
import { above, inside, isShown, labelOf, type Scene, type SceneThing } from './scene.ts'
import { type DetectedShape, looksIn, sighted } from './sight.ts'
import { numberOf, ordinalOf, type Token } from './tokens.ts'

const own = (scene: Scene, thing: SceneThing): string =>
  plain(
    `${labelOf(thing)} ${inside(scene, thing)
      .map(({ text }) => text ?? '')
      .join(' ')}`,
  ).trim()

/** The thing and its sisters that can be dragged alike, in reading order. */
export function listAround(scene: Scene, thing: SceneThing): { item: SceneThing; items: SceneThing[] } {
  for (const one of [thing, ...above(scene, thing).slice(0, 3)]) {
    const sisters = scene.things.filter((other) => other.up === one.up && other.tag === one.tag && isShown(other))
    if (
      sisters.length > 1 &&
      (one.draggable ||
        one.role === 'listitem' ||
        one.does === 2 ||
        /drag|sort|item/i.test(one.cls ?? '') ||
        one === thing)
    )
      return { item: one, items: sisters }
  }
  return { item: thing, items: [thing] }
}

export async function actDrag(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const many = await dragByLooks(ground, clause)
  if (many !== undefined) return many
  const at = clause.rest.findIndex(
    ({ word, kind }, index) =>
      index > 0 &&
      kind === 'word' &&
      /^(to|into|onto|in|above|below|under|after|before|up|down|inside|left|right|over|so)$/.test(word),
  )
  if (at < 0) return notFound(ground, `where to drag in ${quoted(clause.text)}`)
  const found = await findTarget(ground, clause.rest.slice(0, at), { seek: false })
  if (!found)
    return notFound(
      ground,
      quoted(
        clause.rest
          .slice(0, at)
          .map(({ value }) => value)
          .join(' '),
      ),
    )
  const { item, items } = listAround(hands.scene, found.thing)
  const place = indexMeant(clause.rest.slice(at), items, item)
  if (place !== undefined) return moveTo(ground, item, items, place)
  const beside = await besideMeant(ground, clause.rest.slice(at))
  if (!beside)
    return notFound(
      ground,
      quoted(
        clause.rest
          .slice(at + 1)
          .map(({ value }) => value)
          .join(' '),
      ),
    )
  const word = clause.rest[at]!.word
  const list = listAround(hands.scene, beside.thing)
  if (/^(above|before|below|after|under)$/.test(word) && list.items.some(({ ref }) => ref === item.ref)) {
    const others = list.items.filter(({ ref }) => ref !== item.ref)
    const index = others.findIndex(({ ref }) => ref === list.item.ref) + (/^(below|after|under)$/.test(word) ? 1 : 0)
    return moveTo(ground, item, list.items, index)
  }
  const [from, to] = [await hands.middle(item), await hands.middle(beside.thing)]
  const moved = await hands.drag(from, to)
  return tell(
    ground,
    moved,
    moved
      ? `Dragged ${nameOf(item)} to ${nameOf(beside.thing)}.`
      : `Dragged ${nameOf(item)} to ${nameOf(beside.thing)}, but nothing was moved: could not drop it there.`,
  )
}

const besideMeant = (ground: PromptContext, tokens: readonly Token[]) =>
  findTarget(
    ground,
    tokens.slice(1).filter(({ word }) => !/^(the|of|to|top|bottom|column|area|zone|section|lane|pile)$/.test(word)),
    { seek: false },
  )

/** `to the top`, `to the 3rd position`, `down by one` as a place in the list. */
function indexMeant(tokens: readonly Token[], items: readonly SceneThing[], item: SceneThing): number | undefined {
  const words = tokens.map(({ word }) => word)
  const now = items.findIndex(({ ref }) => ref === item.ref)
  const text = words.join(' ')
  const step = /^(up|down)/.exec(text)
  if (step && !/\bto\b/.test(text))
    return (
      now +
      (step[1] === 'up' ? -1 : 1) *
        (tokens.map(({ word }) => numberOf(word)).find((number) => number !== undefined) ?? 1)
    )
  if (/\b(top|start|beginning|front)\b/.test(text)) return 0
  if (/\b(bottom|end)\b/.test(text)) return items.length - 1
  const ordinal = tokens.find(({ word }) => ordinalOf(word) !== undefined)
  if (ordinal && /\b(position|place|spot|item|slot|row|in the list)\b/.test(text))
    return ordinalOf(ordinal.word)! < 0 ? items.length - 1 : ordinalOf(ordinal.word)! - 1
  const number = /position (\d+)/.exec(text)
  return number ? Number(number[1]) - 1 : undefined
}

async function moveTo(
  ground: PromptContext,
  item: SceneThing,
  items: readonly SceneThing[],
  index: number,
): Promise<boolean> {
  const done = await moveInList(ground.hands, item, items, index)
  const name = quoted(own(ground.hands.scene, item) || labelOf(item))
  return tell(
    ground,
    done,
    done
      ? `Dragged ${name} to place ${index + 1} of ${items.length}.`
      : `Could not drag ${name} to place ${index + 1}.`,
  )
}

/** True when the item stands at the place afterwards. */
export async function moveInList(
  hands: PageDriver,
  item: SceneThing,
  items: readonly SceneThing[],
  index: number,
): Promise<boolean> {
  if (index < 0 || index >= items.length) return false
  const words = own(hands.scene, item)
  const order = () => {
    const first =
      hands.again(item) ??
      hands.scene.things.find((one) => one.tag === item.tag && isShown(one) && own(hands.scene, one) === words)
    return first ? listAround(hands.scene, first).items : []
  }
  const isThere = () =>
    own(hands.scene, order()[index] ?? item) === words &&
    order().length >= items.length &&
    order().findIndex((one) => own(hands.scene, one) === words) === index
  for (const reach of [0, 0.35, 0.7, -0.35]) {
    const list = order()
    const now = list.findIndex((one) => own(hands.scene, one) === words)
    if (isThere()) return true
    if (now < 0 || !list[index]) return false
    const [from, to] = [await hands.middle(list[now]!), await hands.middle(list[index]!)]
    const row = Math.abs(from.y - to.y) < 4
    const sign = now < index ? 1 : -1
    await hands.drag(
      from,
      row
        ? { x: to.x + sign * reach * to.width * 0.7, y: to.y }
        : { x: to.x, y: to.y + sign * reach * to.height * 0.7 },
    )
    if (isThere()) return true
  }
  return isThere()
}

/** "Sort the numbers in increasing order" on a list whose entries can be dragged. */
export async function sortByDragging(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const first = hands.scene.things.find(
    (thing) =>
      isShown(thing) &&
      (thing.draggable || /sortable|drag/i.test(`${thing.cls} ${hands.scene.things[thing.up]?.cls}`)) &&
      own(hands.scene, thing) !== '',
  )
  if (!first) return undefined
  const down = /\b(descending|decreasing|highest|largest|reverse|z)\b/.test(plain(clause.text))
  const { items } = listAround(hands.scene, first)
  if (items.length < 2) return undefined
  const keys = items.map((item) => own(hands.scene, item))
  const numeric = keys.every((key) => numberOf(key) !== undefined)
  const wanted = [...keys].sort(
    (a, b) => (numeric ? numberOf(a)! - numberOf(b)! : a.localeCompare(b)) * (down ? -1 : 1),
  )
  for (const [index, key] of wanted.entries()) {
    const now = listAround(
      hands.scene,
      hands.scene.things.find(
        (thing) =>
          isShown(thing) &&
          thing.tag === first.tag &&
          own(hands.scene, thing) === key &&
          items.some(({ ref }) => ref === thing.ref),
      ) ?? first,
    )
    const item = now.items.find((one) => own(hands.scene, one) === key)
    if (!item || now.items.indexOf(item) === index) continue
    if (!(await moveInList(hands, item, now.items, index)))
      return tell(ground, false, `Could not drag ${quoted(key)} to place ${index + 1}.`)
  }
  return tell(ground, true, `Dragged the entries into order: ${wanted.join(', ')}.`)
}

/** "Drag all circles into the black box", "the smaller box into the larger box". */
async function dragByLooks(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const at = clause.rest.findIndex(({ word }) => /^(into|onto|inside|in|to|so)$/.test(word))
  if (at < 0) return undefined
  const looks = (tokens: readonly Token[]) =>
    looksIn(tokens.filter(({ kind }) => kind === 'word').map(({ word }) => word))
  const [what, where] = [looks(clause.rest.slice(0, at)), looks(clause.rest.slice(at + 1))]
  if (!what || !where) return undefined
  const targets = sighted(hands.scene, where)
  const target = targets.sort((a, b) => b.area - a.area)[0]
  const all = clause.rest.slice(0, at).some(({ word }) => /^(all|every|each)$/.test(word))
  const things = sighted(hands.scene, what).filter(({ thing }) => thing.ref !== target?.thing.ref)
  if (!target || things.length === 0) return undefined
  const list: DetectedShape[] = all ? things : things.slice(0, 1)
  for (const { thing } of list) {
    const [from, to] = [await hands.middle(hands.again(thing) ?? thing), await hands.middle(target.thing)]
    await hands.drag(from, to)
  }
  return tell(ground, true, `Dragged ${list.length} of them there.`)
}
