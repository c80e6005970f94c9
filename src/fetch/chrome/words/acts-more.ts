// The other acts: scrolling, going somewhere, sorting, dragging, folds, dialogs, consent, copying, and questions.
import { fieldMeant, place } from './acts-fill.ts'
import { pressThing } from './acts-press.ts'
import { choicesOf, fieldsOf, tablesOf } from './choices.ts'
import type { Clause } from './clauses.ts'
import { findTarget, nameOf, notFound, type PromptContext, quoted, tell } from './context.ts'
import { digest } from './effects.ts'
import { likeness, plain } from './likeness.ts'
import { solved, textMeant } from './meanings.ts'
import { overlayOf } from './page-driver.ts'
import { answerTo, nthWord } from './reading.ts'
import { inside, isShown, labelOf, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { nextControl, openersShown, searchField, seekByScroll, seekInFolds, seekOnPages } from './seeking.ts'
import { looksIn, sighted } from './sight.ts'
import { isOnPage, labelScore, readings, scopeWords } from './targets.ts'
import { numberOf, ordinalOf, textOf } from './tokens.ts'

export async function actScroll(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const words = clause.rest.map(({ word }) => word)
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word))
  const area = says(/^(textarea|area|box|list|panel|container)$/)
    ? hands.scene.things.find((thing) => isShown(thing) && thing.scrolls)
    : undefined
  const where = says(/^(bottom|end|down)$/) ? 'bottom' : says(/^(top|up|start|beginning)$/) ? 'top' : undefined
  if (clause.until) {
    const scope = scopeWords(clause.until)
    const there = scope
      ? await seekByScroll(hands, (scene) => isOnPage(scene, scope))
      : await seekByScroll(hands, () => false).then(() => true)
    if (scope) ground.memory.scope = scope
    return tell(
      ground,
      there,
      there
        ? `Scrolled until ${quoted(scope || 'the end')} was there.`
        : `Could not find ${quoted(scope)}; scrolled to the end.`,
    )
  }
  if (area && where) {
    await (await hands.handle(area)).evaluate((el, end) => {
      const box = el as unknown as { scrollTop: number; scrollHeight: number }
      box.scrollTop = end ? box.scrollHeight : 0
    }, where === 'bottom')
    await hands.settle()
    return tell(ground, true, `Scrolled ${nameOf(area)} to the ${where}.`)
  }
  if (where) {
    const step = says(/^(down|up)$/) && !says(/^(bottom|top|end)$/)
    await hands.page.evaluate(
      step
        ? `window.scrollBy(0, ${where === 'bottom' ? 1 : -1} * innerHeight)`
        : `window.scrollTo(0, ${where === 'bottom' ? 'document.documentElement.scrollHeight' : 0})`,
    )
    await hands.settle(100, 1200)
    return tell(ground, true, `Scrolled ${step ? (where === 'bottom' ? 'down' : 'up') : `to the ${where}`}.`)
  }
  const found = await findTarget(
    ground,
    clause.rest.filter(({ word }) => word !== 'to'),
  )
  if (!found) return notFound(ground, quoted(clause.text))
  await (await hands.handle(found.thing)).scrollIntoViewIfNeeded({ timeout: 1000 }).catch(() => {})
  return tell(ground, true, `Scrolled to ${nameOf(found.thing)}.`)
}

export async function actGo(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const { page } = hands
  const words = clause.rest.map(({ word }) => word)
  const url = clause.rest.find(({ kind }) => kind === 'url')
  if (url) {
    await page.goto(url.value, {
      waitUntil: 'domcontentloaded',
      timeout: Math.max(1000, Math.min(15_000, hands.timeLeft())),
    })
    await hands.settle(100, 2000)
    return tell(ground, true, `Opened ${page.url()}.`)
  }
  if (/^(back|forward)$/.test(words[0] ?? '')) {
    const went = words[0] === 'back' ? await page.goBack({ timeout: 5000 }) : await page.goForward({ timeout: 5000 })
    await hands.settle()
    return tell(ground, true, `Went ${words[0]}${went ? ` to ${page.url()}` : ''}.`)
  }
  if (words.includes('next') && words.includes('page')) return nextPages(ground, clause)
  // "Navigate through the file tree" says how the next words are to be done.
  if (words[0] === 'through' && ground.at < ground.clauses.length - 1) return true
  const tokens = clause.rest.filter(({ word }, at) => !(at === 0 && /^(to|into|on|over)$/.test(word)))
  const found = await findTarget(
    ground,
    tokens.filter(({ word }) => word !== 'the'),
    { where: clause.where },
  )
  return found ? pressThing(ground, found.thing) : notFound(ground, quoted(textOf(tokens, ground.prompt)))
}

async function nextPages(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const scope = clause.until ? scopeWords(clause.until) : ''
  const toEnd =
    clause.until !== undefined &&
    (!scope || /\b(none|no|last|end|more)\b/.test(clause.until.map(({ word }) => word).join(' ')))
  let pages = 0
  for (; pages < 200; pages++) {
    if (scope && !toEnd && isOnPage(hands.scene, scope))
      return tell(ground, true, `Went ${pages} pages on, to ${quoted(scope)}.`)
    const next = nextControl(hands.scene)
    if (!next || (!clause.until && pages === 1)) break
    if (!(await hands.press(next))) break
  }
  if (pages === 0 && !toEnd) return notFound(ground, 'a link to the next page')
  if (scope && !toEnd) return notFound(ground, quoted(scope))
  return tell(
    ground,
    true,
    `Went ${pages} ${pages === 1 ? 'page' : 'pages'} on${toEnd ? '; there is a last page, and it is shown' : ''}.`,
  )
}

const DOWN =
  /\b(descending|most expensive|highest|high to low|best|top rated|newest|latest|largest|biggest|z ?[-–to]+ ?a|decreasing|most recent|most|longest)\b/
const UP =
  /\b(ascending|cheapest|lowest|low to high|smallest|oldest|earliest|a ?[-–to]+ ?z|increasing|least|shortest|worst|alphabetical\w*)\b/

export async function actSort(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const text = plain(clause.text)
  const way = DOWN.test(text) ? -1 : UP.test(text) ? 1 : 0
  const by = clause.rest.findIndex(({ word }) => word === 'by')
  const rest = clause.rest.slice(by + 1)
  const comma = rest.findIndex(({ word }) => word === ',' || word === 'from')
  const column = textOf(
    (comma > 0 ? rest.slice(0, comma) : rest).filter(
      ({ word }) => !DOWN.test(word) && !UP.test(word) && !/^(the|first|order|in)$/.test(word),
    ),
    ground.prompt,
  )
  const lists = choicesOf(hands.scene).filter(({ kind }) => kind === 'native' || kind === 'option')
  const option = lists
    .map((choice) => ({
      choice,
      score:
        likeness(column, choice.text).covers +
        (way !== 0 && (way > 0 ? UP : DOWN).test(plain(choice.text)) ? 0.6 : 0) -
        (way !== 0 && (way > 0 ? DOWN : UP).test(plain(choice.text)) ? 0.8 : 0) +
        (/sort|order/i.test(choice.group) ? 0.2 : 0),
    }))
    .filter(({ score }) => score >= 0.75)
    .sort((a, b) => b.score - a.score)[0]
  if (option) return place(ground, { kind: 'choice', choice: option.choice, on: true, uses: [] })
  const heads = hands.scene.things.filter(
    (thing) =>
      isShown(thing) && (thing.role === 'columnheader' || thing.does) && labelScore(column, thing, hands.near) > 0.7,
  )
  const head = heads.find(({ role }) => role === 'columnheader') ?? heads[0]
  if (!head) return notFound(ground, `a way to sort by ${quoted(column)}`)
  const target = head.does ? head : (inside(hands.scene, head).find(({ does }) => does) ?? head)
  for (let turn = 0; turn < 3; turn++) {
    const now = sorted(hands.scene, hands.again(head) ?? head)
    if (turn > 0 && (way === 0 ? now !== 0 : now === way))
      return tell(ground, true, `Sorted by ${quoted(labelOf(head))}, ${now > 0 ? 'ascending' : 'descending'}.`)
    await hands.press(hands.again(target) ?? target)
  }
  const now = sorted(hands.scene, hands.again(head) ?? head)
  const ok = way === 0 || now === way
  return tell(
    ground,
    ok,
    ok ? `Sorted by ${quoted(labelOf(head))}.` : `Could not sort by ${quoted(labelOf(head))} in that direction.`,
  )
}

/** 1 ascending, -1 descending, 0 neither, by the mark on the column or its values. */
function sorted(scene: Scene, head: SceneThing): number {
  if (head.sort === 'ascending') return 1
  if (head.sort === 'descending') return -1
  for (const { head: labels, rows } of tablesOf(scene)) {
    const at = labels.findIndex((label) => likeness(labelOf(head), label).score > 0.8)
    if (at < 0) continue
    const texts = rows.map(({ cells }) => (cells[at] ? wordsIn(scene, cells[at]!, 100) : ''))
    const numbers = texts.map((text) => numberOf((/-?[\d.,]*\d/.exec(text) ?? [''])[0]!))
    const list: (string | number)[] = numbers.every((number) => number !== undefined) ? (numbers as number[]) : texts
    const rises = list.every((value, index) => index === 0 || list[index - 1]! <= value)
    const falls = list.every((value, index) => index === 0 || list[index - 1]! >= value)
    return rises === falls ? 0 : rises ? 1 : -1
  }
  return 0
}

export async function actFold(ground: PromptContext, clause: Clause, open: boolean): Promise<boolean> {
  const { hands } = ground
  const target = readings(clause.rest)[0]!
  const general = clause.rest.every(
    ({ word, kind }) =>
      kind === 'mark' ||
      (kind !== 'quote' &&
        /^(the|all|every|section|sections|below|above|menu|pie|panel|panels|items?|it|them|accordion|everything|to|find|and)$/.test(
          word,
        )),
  )
  if (general) {
    const openers = openersShown(hands.scene, new Set())
    const all = clause.rest.some(({ word }) => /^(all|every|sections|panels|everything)$/.test(word))
    if (openers.length === 0) return ground.at < ground.clauses.length - 1 || notFound(ground, 'anything to unfold')
    if (clause.rest.some(({ word }) => word === 'find'))
      return tell(ground, true, 'The sections are unfolded as needed.')
    for (const opener of all ? openers : openers.slice(0, 1)) await hands.press(hands.again(opener) ?? opener)
    return tell(ground, true, `Unfolded ${all ? openers.length : nameOf(openers[0]!)}.`)
  }
  const found = await findTarget(ground, clause.rest, { where: clause.where })
  if (!found) return notFound(ground, quoted(target.label || clause.text))
  if (found.thing.expanded === open)
    return tell(ground, true, `${nameOf(found.thing)} is ${open ? 'open' : 'closed'} already.`)
  return pressThing(ground, found.thing)
}

export async function actClose(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const by = clause.rest.find(({ kind }) => kind === 'quote')
  const dialog =
    overlayOf(hands.scene) ??
    hands.scene.things.find(
      (thing) =>
        isShown(thing) &&
        (/^(dialog|alertdialog|alert)$/.test(thing.role ?? '') || /dialog|modal|popup/i.test(`${thing.cls}`)),
    )
  const parts = dialog ? inside(hands.scene, dialog) : hands.scene.things
  const buttons = parts.filter((thing) => isShown(thing) && thing.does && thing.does < 3)
  const isClose = (thing: SceneThing) =>
    /^(x|×|✕|✖|close|dismiss|cancel|no,? thanks|not now|ok|got it)$/i.test(labelOf(thing).trim()) ||
    /close|dismiss/i.test(`${labelOf(thing)} ${thing.cls}`)
  const named =
    by && by.value.length > 1 ? buttons.find((thing) => likeness(by.value, labelOf(thing)).score > 0.9) : undefined
  const button = named ?? buttons.find(isClose)
  if (!button) return notFound(ground, 'a way to close it')
  return pressThing(ground, button)
}

export async function actConsent(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const tokens = clause.rest.filter(({ word }) => !/^(to|the|with|all|a|any)$/.test(word))
  const words = textOf(tokens, ground.prompt)
  const boxes = choicesOf(hands.scene).filter(({ kind, hidden }) => kind === 'check' && !hidden)
  const box = boxes.find(({ text }) => words && likeness(words, text).covers > 0.8)
  const yes = /^(accept|agree|allow)$/.test(clause.verb)
  if (box) return place(ground, { kind: 'choice', choice: box, on: yes, uses: [] })
  const over = overlayOf(hands.scene)
  const buttons = (list: readonly SceneThing[]) =>
    list.filter((thing) => isShown(thing) && thing.does && !thing.disabled && thing.does < 3)
  const pattern = yes
    ? /^(accept|agree|i agree|allow|ok|okay|got it|yes|continue|i accept)\b/i
    : /^(reject|decline|refuse|deny|no\b|only necessary)/i
  const near = over ? buttons(inside(hands.scene, over)) : []
  const button = [...near, ...buttons(hands.scene.things)].find((thing) => pattern.test(labelOf(thing).trim()))
  if (button) return pressThing(ground, button)
  if (/cookie/i.test(words)) return tell(ground, true, 'The page asks nothing about cookies.')
  if (boxes.length === 1) return place(ground, { kind: 'choice', choice: boxes[0]!, on: yes, uses: [] })
  return notFound(ground, quoted(clause.text))
}

/** "Copy A into B", "take the text of A": remembered, and put where the words say. */
export async function actCopy(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const at = clause.rest.findIndex(({ word, kind }) => kind === 'word' && /^(into|to)$/.test(word))
  const source = at > 0 ? clause.rest.slice(0, at) : clause.rest
  const value = textMeant(
    hands.scene,
    source.filter(({ word }) => !/^(below|above)$/.test(word)),
    ground,
  )
  if (!value) return notFound(ground, quoted(textOf(source, ground.prompt)))
  ground.memory.value = value
  tell(ground, true, `Took ${quoted(value)}.`)
  if (at < 0) return true
  const field = await fieldMeant(ground, clause.rest.slice(at))
  return field
    ? place(ground, { kind: 'field', field, value, uses: [] })
    : notFound(ground, quoted(textOf(clause.rest.slice(at + 1), ground.prompt)))
}

export async function actFind(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const only = clause.rest.every(({ word, kind }) => kind === 'mark' || /^(the|a|an|it|one|that)$/.test(word))
  if (only) return true
  const nth = clause.rest.findIndex(
    ({ word }, at) => ordinalOf(word) !== undefined && clause.rest[at + 1]?.word === 'word',
  )
  if (nth >= 0) {
    const word = nthWord(hands.scene, ordinalOf(clause.rest[nth]!.word)!, ground.prompt)
    if (word === undefined) return notFound(ground, quoted(clause.text))
    ground.memory.value = word
    return tell(ground, true, `Found the word ${quoted(word)}.`)
  }
  const scope = nameIn(clause) || scopeWords(clause.rest)
  ground.memory.scope = scope
  const onlyHere = { where: clause.where, seek: false }
  const found = await findTarget({ ...ground, memory: {} }, clause.rest, onlyHere)
  if (found) {
    ground.memory.thing = found.thing
    return tell(ground, true, `Found ${nameOf(found.thing)}.`)
  }
  const isThere = (scene: Scene) => isOnPage(scene, scope)
  if (
    scope &&
    (isThere(hands.scene) ||
      (!searchField(hands.scene) &&
        ((await seekOnPages(hands, isThere)) ||
          (await seekByScroll(hands, isThere)) ||
          (await seekInFolds(hands, isThere)))))
  )
    return tell(ground, true, `Found ${quoted(scope)}.`)
  if (await searchFor(ground, scope)) return true
  return notFound(ground, quoted(scope || clause.text))
}

/** "the recipe Pumpkin pie in the list" → "Pumpkin pie": from its first capital to the next preposition. */
function nameIn({ rest }: Clause): string {
  const quote = rest.find(({ kind }) => kind === 'quote')
  if (quote) return quote.value
  const from = rest.findIndex(({ capital }) => capital)
  if (from < 0) return ''
  const to = rest.findIndex(
    ({ word, kind }, at) =>
      at > from && (kind === 'mark' || /^(in|on|from|of|by|with|at|for|under|to|and)$/.test(word)),
  )
  return rest
    .slice(from, to < 0 ? undefined : to)
    .map(({ value }) => value)
    .join(' ')
}

/** Through the page's own search: the whole words first, then fewer. */
export async function searchFor(ground: PromptContext, words: string): Promise<boolean> {
  const { hands } = ground
  const field = searchField(hands.scene) ?? onlyField(hands.scene)
  if (!field || !words) return false
  const button = () =>
    hands.scene.things.find(
      (thing) => isShown(thing) && thing.role === 'button' && /search|find|go|🔍/i.test(labelOf(thing)),
    )
  for (const query of [...new Set([words, words.split(/\s+/)[0]!])]) {
    const before = digest(hands.scene)
    if (!(await hands.type(hands.again(field) ?? field, query))) return false
    await hands.key('Enter')
    if (digest(hands.scene) === before && button()) await hands.press(button()!)
    await hands.until(
      (scene) => scene.things.some((thing) => isShown(thing) && thing.does && labelScore(words, thing) > 0.85),
      1200,
    )
    const target = hands.scene.things.find(
      (thing) => isShown(thing) && thing.does && labelScore(words, thing) > 0.85 && thing.ref !== field.ref,
    )
    tell(ground, true, `Searched for ${quoted(query)}.`)
    if (target) ground.memory.thing = target
    if (target || isOnPage(hands.scene, words)) return true
  }
  return false
}

const onlyField = (scene: Scene): SceneThing | undefined => {
  const fields = fieldsOf(scene).filter(({ kind }) => kind === 'text' || kind === 'search')
  return fields.length === 1 ? fields[0]!.thing : undefined
}

export async function actSearch(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const quote = clause.rest.find(({ kind }) => kind === 'quote')
  const fields = fieldsOf(hands.scene).filter(({ kind }) => kind !== 'search')
  if (!searchField(hands.scene) && fields.length > 1) return false
  const words =
    quote?.value ??
    textOf(
      clause.rest.filter(({ word }, at) => !(at === 0 && /^(for|the)$/.test(word))),
      ground.prompt,
    )
  const field = searchField(hands.scene) ?? onlyField(hands.scene)
  if (!field) return notFound(ground, 'a field to search with')
  const before = digest(hands.scene)
  const typed = await hands.type(field, words)
  if (!typed) return tell(ground, false, `Could not type ${quoted(words)} into ${nameOf(field)}.`)
  // What the next clause presses is left to it.
  const next = ground.clauses[ground.at + 1]
  if (next?.act === 'press' && /search|enter|go\b/i.test(next.text))
    return tell(ground, true, `Typed ${quoted(words)} into ${nameOf(field)}.`)
  await hands.key('Enter')
  const button = hands.scene.things.find(
    (thing) => isShown(thing) && thing.role === 'button' && /search|find|go\b|🔍/i.test(labelOf(thing)),
  )
  if (digest(hands.scene) === before && button) await hands.press(button)
  ground.memory.scope = undefined as never
  return tell(ground, true, `Searched for ${quoted(words)}.`)
}

export async function actAsk(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const looks = /^how many/i.test(clause.text) ? looksIn(clause.all.map(({ word }) => word)) : undefined
  const answer = looks
    ? { value: String(sighted(hands.scene, looks).length), from: clause.text }
    : answerTo(hands.scene, clause.text, clause.rest, hands.near)
  if (!answer) return notFound(ground, `an answer to ${quoted(clause.text)}`)
  ground.memory.value = answer.value
  tell(ground, true, `${answer.from}: ${answer.value}`)
  // A page that offers answers as buttons wants one of them pressed.
  const offers = hands.scene.things.filter(
    (thing) => isShown(thing) && thing.does && /^\s*-?\d+\s*$/.test(labelOf(thing)),
  )
  const offer =
    offers.length > 1 && ground.clauses.length === 1
      ? offers.find((thing) => labelOf(thing).trim() === answer.value)
      : undefined
  return offer ? pressThing(ground, offer) : true
}

export async function actSolve(ground: PromptContext): Promise<boolean> {
  const value = solved(ground.hands.scene, ground.prompt)
  if (value === undefined) return notFound(ground, 'a sum to solve')
  ground.memory.value = value
  return tell(ground, true, `Worked out ${value}.`)
}
