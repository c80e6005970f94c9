// Values that a prompt describes instead of giving: the text of a field, the nth word, the result of a sum, a value of a
// table, "it". Arithmetic is worked out by hand-written rules, never by running code.

import { fieldsOf } from './choices.ts'
import type { Clause } from './clauses.ts'
import type { PromptContext } from './context.ts'
import { keyWords, likeness, plain } from './likeness.ts'
import { answerTo, labelledAnswer, nthWord } from './reading.ts'
import { isShown, type Scene } from './scene.ts'
import { drawings, looksIn, sighted } from './sight.ts'
import { ordinalOf, type Token, textOf } from './tokens.ts'

/** The text that a clause wants typed, when its words only describe it; nothing when it is given plainly. */
export async function valueMeant(ground: PromptContext, clause: Clause): Promise<string | undefined> {
  const { hands, memory } = ground
  const words = clause.rest.map(({ word }) => word)
  const quote = clause.rest.find(({ kind }) => kind === 'quote')
  const into = words.findIndex((word) => /^(into|in|as)$/.test(word))
  const head = into < 0 ? clause.rest : clause.rest.slice(0, into)
  if (quote && /\b(lower|upper|capital)/.test(words.join(' ')))
    return words.some((word) => word.startsWith('lower')) ? quote.value.toLowerCase() : quote.value.toUpperCase()
  if (quote && head.includes(quote)) return undefined
  const said = head.map(({ word }) => word)
  if (
    said.length > 0 &&
    said.every((word) => /^(it|that|this|them|the|your|my|copied|text|word|result|answer|value|number)$/.test(word)) &&
    (memory.value !== undefined || said.some((word) => /answer|result/.test(word)))
  )
    return memory.value ?? solved(hands.scene, hands.prompt)
  const text = said.join(' ')
  if (/\b(answer|result|solution)\b/.test(text)) return solved(hands.scene, hands.prompt)
  const nth = said.findIndex((word) => ordinalOf(word) !== undefined)
  if (nth >= 0 && said[nth + 1] === 'word') return nthWord(hands.scene, ordinalOf(said[nth]!)!, hands.prompt)
  if (/^(the )?(total )?(number|amount|count) of\b/.test(text)) return counted(hands.scene, head)
  const value = /^(the )?(?:value|text|content) (?:of|for|from|in)\b/.test(text)
  if (value) {
    const rest = head.slice(said.findIndex((word) => /^(of|for|from|in)$/.test(word)) + 1)
    return textMeant(hands.scene, rest, ground)
  }
  if (/^(the )?(text|words?) (below|above)/.test(text)) return textBelow(hands.scene, hands.prompt)
  return undefined
}

/** The text that stands in a field or beside a label. */
export function textMeant(scene: Scene, tokens: readonly Token[], ground: PromptContext): string | undefined {
  const ordinal = tokens.find(({ word }) => ordinalOf(word) !== undefined && word !== 'top')
  const isArea =
    tokens.some(({ word }) => /^(textarea|area|text)$/.test(word)) && tokens.some(({ word }) => /area/.test(word))
  const holders = fieldsOf(scene).filter(({ thing }) => thing.value && (!isArea || thing.tag === 'textarea'))
  if (isArea) {
    const areas = scene.things.filter((thing) => isShown(thing) && thing.tag === 'textarea')
    const at = ordinal ? ordinalOf(ordinal.word)! : 1
    return (at < 0 ? areas.at(at) : areas[at - 1])?.value
  }
  const words = textOf(
    tokens.filter(({ word }) => !/^(the|field|box|text|value|of|in|from)$/.test(word)),
    ground.prompt,
  )
  const field = holders
    .map((holder) => ({ holder, score: Math.max(0, ...holder.labels.map((label) => likeness(words, label).score)) }))
    .sort((a, b) => b.score - a.score)[0]
  if (field && field.score > 0.75) return field.holder.thing.value
  return (
    answerTo(scene, words, tokens, ground.hands.near) ??
    labelledAnswer(scene, keyWords(words), tokens, ground.hands.near)
  )?.value
}

function textBelow(scene: Scene, prompt: string): string | undefined {
  const asked = plain(prompt)
  const texts = scene.things.filter(
    (thing) =>
      isShown(thing) &&
      thing.text &&
      !thing.does &&
      !asked.includes(plain(thing.text).trim()) &&
      thing.role !== 'label' &&
      thing.role !== 'heading',
  )
  return texts.sort((a, b) => (b.size ?? 0) - (a.size ?? 0) || (b.text?.length ?? 0) - (a.text?.length ?? 0))[0]?.text
}

function counted(scene: Scene, tokens: readonly Token[]): string | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ word }) => word)
  const looks = looksIn(words)
  if (looks) return String(sighted(scene, looks).length)
  return drawings(scene).length > 0 ? String(drawings(scene).length) : undefined
}

/** `3 + 4 =`, `x - 2 = 9`, `12 × 3`: worked out from what the page shows. */
export function solved(scene: Scene, prompt: string): string | undefined {
  const asked = plain(prompt)
  const lines: string[] = []
  for (const thing of scene.things) {
    if (!isShown(thing) || thing.does) continue
    const text = thing.text?.trim() ?? ''
    if (text && !asked.includes(plain(text))) lines.push(text)
  }
  for (const text of [...lines, lines.join(' ')]) {
    const result = solve(text)
    if (result !== undefined) return String(result)
  }
  return undefined
}

const NUMBER = '(-?\\d+(?:\\.\\d+)?)'
const SIGN = '([-+−–*×x/÷·])'

export function solve(text: string): number | undefined {
  const tidy = text.replace(/−|–/g, '-').replace(/[×·]/g, '*').replace(/÷/g, '/')
  // One unknown in a sum of two.
  const left = new RegExp(`\\b[a-z] ?${SIGN} ?${NUMBER} ?= ?${NUMBER}`).exec(tidy)
  if (left) return undo(left[1]!, Number(left[2]), Number(left[3]), false)
  const right =
    new RegExp(`${NUMBER} ?${SIGN} ?[a-wyz]\\b ?= ?${NUMBER}`).exec(tidy) ??
    new RegExp(`${NUMBER} ?([-+*/]) ?x ?= ?${NUMBER}`).exec(tidy)
  if (right) return undo(right[2]!, Number(right[1]), Number(right[3]), true)
  const turned = new RegExp(`${NUMBER} ?= ?[a-z] ?${SIGN} ?${NUMBER}`).exec(tidy)
  if (turned) return undo(turned[2]!, Number(turned[3]), Number(turned[1]), false)
  const sum = /(?:^|[^\d.])(-?\d+(?:\.\d+)?(?: ?[-+*x/] ?-?\d+(?:\.\d+)?)+)(?: ?=|\s*$|\s*\?)/.exec(tidy)
  return sum ? chain(sum[1]!) : undefined
}

/** What must stand beside `number` so that the sum is `result`. */
function undo(sign: string, number: number, result: number, unknownLast: boolean): number {
  if (sign === '+') return result - number
  if (sign === '*' || sign === 'x') return result / number
  if (sign === '-') return unknownLast ? number - result : result + number
  return unknownLast ? number / result : result * number
}

/** Multiplications first, then from left to right. */
function chain(text: string): number | undefined {
  const parts = text.match(/(?<=[\d]) ?[-+*x/]|-?\d+(?:\.\d+)?/g)?.map((part) => part.trim()) ?? []
  const terms: number[] = []
  let sign = '+'
  for (const part of parts) {
    if (/^[-+*x/]$/.test(part)) {
      sign = part
      continue
    }
    const number = Number(part)
    if (sign === '*' || sign === 'x') terms.push(terms.pop()! * number)
    else if (sign === '/') terms.push(terms.pop()! / number)
    else terms.push(sign === '-' ? -number : number)
  }
  const total = terms.reduce((sum, term) => sum + term, 0)
  return Number.isFinite(total) ? Math.round(total * 1e6) / 1e6 : undefined
}
