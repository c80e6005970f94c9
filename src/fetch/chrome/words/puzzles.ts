// Requests that take more than one look: guessing with hints, numbers in order, a place on a grid, a form filled from a
// table, a price to wait for. Each is told by the words of the request and the kind of thing on the page.
import { place } from './acts-fill.ts'
import { pressThing, unitOf } from './acts-press.ts'
import { fieldsOf } from './choices.ts'
import type { Clause } from './clauses.ts'
import { notFound, type PromptContext, quoted, tell } from './context.ts'
import { newWords } from './effects.ts'
import { keyWords, stem } from './likeness.ts'
import { labelledAnswer } from './reading.ts'
import { isShown, labelOf, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { drawings } from './sight.ts'
import { numberOf } from './tokens.ts'

/** Done by the first that knows such requests; nothing when none does. */
export async function actPuzzle(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  for (const puzzle of [guess, inOrder, onGrid, fromTable, oddOrEven, describeFigure, whenPrice, styleText]) {
    const done = await puzzle(ground, clause)
    if (done !== undefined) return done
  }
  return undefined
}

const says = (clause: Clause, pattern: RegExp): boolean => pattern.test(clause.text)
const buttons = (scene: Scene): SceneThing[] =>
  scene.things.filter((thing) => isShown(thing) && thing.does && !thing.disabled)
const named = (scene: Scene, pattern: RegExp): SceneThing | undefined =>
  buttons(scene).find((thing) => pattern.test(labelOf(thing).trim()) || pattern.test(thing.described ?? ''))

/** "Guess the number between 0-9": halves the range by what the page answers. */
async function guess(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const range = /\bguess\b.*?(\d+)\s*(?:-|–|to|and)\s*(\d+)/i.exec(ground.prompt)
  if (clause.verb !== 'guess' || !range) return undefined
  let [low, high] = [Number(range[1]), Number(range[2])]
  while (low <= high) {
    const field = fieldsOf(hands.scene).find(({ kind }) => kind === 'text' || kind === 'number')
    const send = named(hands.scene, /^(submit|guess|check|ok|go|try)$/i)
    if (!field || !send) return notFound(ground, 'a field and a button to guess with')
    const number = Math.floor((low + high) / 2)
    await hands.type(field.thing, String(number))
    const before = hands.scene
    await hands.press(hands.again(send) ?? send)
    const hint = newWords(before, hands.scene).join(' ')
    tell(ground, true, `Tried ${number}${hint ? `; the page says: ${hint.slice(0, 80)}` : ''}.`)
    if (/\b(greater|higher|bigger|larger|more|low)\b/i.test(hint)) low = number + 1
    else if (/\b(less|lower|smaller|fewer|high)\b/i.test(hint)) high = number - 1
    else return true
  }
  return tell(ground, false, 'Could not find the number: the hints leave none.')
}

/** "Click on the numbers in ascending order." */
async function inOrder(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  if (clause.act !== 'press' || !says(clause, /\bnumbers?\b.*\b(ascending|increasing|descending|decreasing)\b/i))
    return undefined
  const { hands } = ground
  const sign = /descending|decreasing/i.test(clause.text) ? -1 : 1
  const things = hands.scene.things.filter((thing) => isShown(thing) && /^\s*-?\d+\s*$/.test(thing.text ?? ''))
  const sorted = things.sort((a, b) => sign * (Number(a.text) - Number(b.text)))
  if (sorted.length < 2) return undefined
  for (const thing of sorted) await hands.press(hands.again(thing) ?? thing)
  return tell(ground, true, `Pressed ${sorted.map(({ text }) => text?.trim()).join(', ')} in order.`)
}

/** "the grid coordinate (1,-2)": points by their name, or by their rows and columns around the middle. */
async function onGrid(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const pair = clause.rest.find(({ kind }) => kind === 'pair')
  if (!pair) return undefined
  const { scene } = ground.hands
  const [x = 0, y = 0] = pair.value.match(/-?\d+(?:\.\d+)?/g)!.map(Number)
  const bare = pair.value.replace(/\s/g, '')
  const point = scene.things.find(
    (thing) => isShown(thing) && (thing.dom === bare || (thing.name ?? thing.text ?? '').replace(/\s/g, '') === bare),
  )
  if (point) return pressThing(ground, point)
  const dots = drawings(scene)
    .filter(({ shape }) => shape === 'circle')
    .map(({ thing }) => thing)
  const middle = (thing: SceneThing, axis: 0 | 1) => Math.round(thing.box![axis] + thing.box![axis + 2]! / 2)
  const lines = (axis: 0 | 1) => [...new Set(dots.map((dot) => middle(dot, axis)))].sort((a, b) => a - b)
  const [columns, rows] = [lines(0), lines(1)]
  if (columns.length % 2 === 0 || rows.length % 2 === 0 || dots.length < 9)
    return notFound(ground, `the point ${pair.value}`)
  const wanted = [columns[(columns.length - 1) / 2 + x], rows[(rows.length - 1) / 2 - y]]
  const dot = dots.find((one) => middle(one, 0) === wanted[0] && middle(one, 1) === wanted[1])
  return dot ? pressThing(ground, dot) : notFound(ground, `the point ${pair.value}`)
}

/** "Enter the value that corresponds with each label": every empty field from what stands beside its label elsewhere. */
async function fromTable(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  if (clause.act !== 'type' || !says(clause, /\beach (label|field|name)\b/i)) return undefined
  const { hands } = ground
  let ok = true
  for (const field of fieldsOf(hands.scene).filter(
    ({ kind, thing }) => kind !== 'slider' && !thing.value && !thing.readonly,
  )) {
    const label = field.labels[0] ?? ''
    const answer = labelledAnswer(withoutLabels(hands.scene), keyWords(label), [], undefined)
    ok =
      (answer
        ? await place(ground, { kind: 'field', field, value: answer.value, uses: [] })
        : notFound(ground, `a value for ${quoted(label)}`)) && ok
  }
  return ok
}

/** The same page without the words that are labels of fields themselves. */
function withoutLabels(scene: Scene): Scene {
  const holders = new Set(fieldsOf(scene).map(({ thing }) => thing.up))
  const things = scene.things.map((thing) => {
    const { text: _, ...rest } = thing
    return thing.role === 'label' || holders.has(thing.at) ? rest : thing
  })
  return { ...scene, things }
}

/** "Mark the numbers below as odd or even": in every row that has a number and both buttons. */
async function oddOrEven(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  if (!says(clause, /\bodd or even\b|\beven or odd\b/i)) return undefined
  const { hands } = ground
  const odds = buttons(hands.scene).filter((thing) => /^odd$/i.test(labelOf(thing).trim()))
  for (const odd of odds) {
    const unit = unitOf(hands.scene, odd, odds)
    const number = Number(/-?\d+/.exec(wordsIn(hands.scene, unit, 200))?.[0])
    const even = buttons(hands.scene).find(
      (thing) => thing.at > unit.at && thing.at < odd.at + 12 && /^even$/i.test(labelOf(thing).trim()),
    )
    const button = number % 2 === 0 ? even : odd
    if (button) await hands.press(hands.again(button) ?? button)
  }
  return odds.length > 0 ? tell(ground, true, `Marked ${odds.length} numbers.`) : undefined
}

/** "the button that best describes the figure", "how many sides the shape has". */
async function describeFigure(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  if (!says(clause, /\b(describes? the (figure|shape|picture)|how many sides)\b/i)) return undefined
  const [figure] = drawings(ground.hands.scene).sort((a, b) => b.area - a.area)
  if (!figure) return notFound(ground, 'a figure that can be read')
  const sides = figure.thing.points ?? (/^(rectangle|square)$/.test(figure.shape) ? 4 : 0)
  const wanted = /sides/i.test(clause.text)
    ? [String(sides)]
    : [figure.shape, figure.shape === 'digit' ? 'number' : figure.shape === 'square' ? 'rectangle' : '', 'polygon']
  const button = wanted
    .filter(Boolean)
    .map((word) =>
      buttons(ground.hands.scene).find((thing) => stem(labelOf(thing).trim().toLowerCase()) === stem(word)),
    )
    .find(Boolean)
  return button ? pressThing(ground, button) : notFound(ground, `a button for ${quoted(wanted[0]!)}`)
}

/** "Buy it when the price is less than $49.30": watches the first amount on the page. */
async function whenPrice(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const wait =
    /\bwhen\b.*?\b(less|below|under|lower|greater|above|more|higher|over)\b[^\d$€£]*([$€£]? ?\d[\d.,]*\d|\d)/i.exec(
      ground.prompt,
    )
  if (!wait || !/^(buy|sell|press|click)/.test(clause.verb)) return undefined
  const limit = numberOf(wait[2]!)!
  const below = /less|below|under|lower/i.test(wait[1]!)
  const price = (scene: Scene) =>
    scene.things
      .filter((thing) => isShown(thing) && /^[$€£] ?\d/.test(thing.text?.trim() ?? ''))
      .map(({ text }) => numberOf(text!.trim()))[0]
  const isSo = (scene: Scene) => {
    const now = price(scene)
    return now !== undefined && (below ? now < limit : now > limit)
  }
  const button = named(hands.scene, new RegExp(`^${/^sell/.test(clause.verb) ? 'sell' : 'buy'}`, 'i'))
  if (!button || price(hands.scene) === undefined) return undefined
  if (!(await hands.until(isSo, hands.timeLeft() - 500)))
    return tell(
      ground,
      false,
      `The price did not get there; it is ${price(hands.scene)}: the button was not pressed, so this could not be done.`,
    )
  return pressThing(ground, button)
}

const STYLES = /\b(bold|italics?|underlined?|strikethrough)\b/i

/** "make the text X bold": marks the words in the editor and presses the style's button. */
async function styleText(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const style = STYLES.exec(clause.text)?.[1]?.replace(/^(italic|underline).*/i, '$1')
  const editor = fieldsOf(hands.scene).find(({ kind }) => kind === 'editor')?.thing
  if (!style || !editor || /^(press|choose|check|open)$/.test(clause.act)) return undefined
  const button = named(hands.scene, new RegExp(`^${style}`, 'i'))
  if (!button) return notFound(ground, `a button for ${quoted(style)}`)
  const words = clause.all.find(({ kind }) => kind === 'quote')?.value ?? ''
  const handle = await hands.handle(editor)
  await handle.focus()
  const marked = await handle.evaluate(MARK_WORDS as unknown as (element: unknown, words: string) => boolean, words)
  if (!marked) return notFound(ground, `${quoted(words)} in the editor`)
  await hands.press(button)
  return tell(ground, true, `Made ${quoted(words || 'the text')} ${style.toLowerCase()}.`)
}

/** Runs in the page: selects the words inside an editor, or all of it. Text, so that no compiler changes it. */
const MARK_WORDS = new Function(
  'element',
  'words',
  `const walk = document.createTreeWalker(element, 4), range = document.createRange()
   if (!words) range.selectNodeContents(element)
   else {
     let node
     while ((node = walk.nextNode()) && !node.data.includes(words));
     if (!node) return false
     range.setStart(node, node.data.indexOf(words)); range.setEnd(node, node.data.indexOf(words) + words.length)
   }
   const selection = getSelection(); selection.removeAllRanges(); selection.addRange(range)
   return true`,
)
