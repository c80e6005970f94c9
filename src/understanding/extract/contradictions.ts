// Answers of one object that cannot all be true: one text answers one field, a price before the discount is the higher one.
// The less sure of two gives way. It knows answers and what their fields mean, not where they were found.
import type { FieldContext } from './asking.ts'
import type { ShapeField } from './shape.ts'
import { isLong } from './wanted.ts'

export interface SureValue {
  value: unknown
  sure: number
}

type Answers = Map<ShapeField, SureValue>

/** `isCard`: the answers were read from one card of a list. */
export function dropContradictions(answers: Answers, isCard: boolean, ground: FieldContext): void {
  const meaning = ({ name, shape }: ShapeField) => ground.wanted(name, shape).concepts[0]?.id
  const of = (id: string) => [...answers].find(([field]) => meaning(field) === id)
  if (isCard) {
    const [, signed] = of('author') ?? []
    for (const [field, answer] of [...answers]) {
      const wanted = ground.wanted(field.name, field.shape)
      if (typeof answer.value !== 'string' || wanted.kind !== 'text') continue
      if (isListed(answer.value, answers) || isLead(answer, answers) || (isLong(wanted) && isSignature(answer, signed)))
        answers.delete(field)
    }
    dropEchoes(answers, ground)
  }
  const [price, list] = [of('price'), of('listPrice')]
  const isAmount = typeof price?.[1].value === 'number' && typeof list?.[1].value === 'number'
  if (price && list && isAmount && !(Number(list[1].value) > Number(price[1].value))) answers.delete(list[0])
  // One amount asked for under two names is the plain price.
  const prices = [...answers].filter(([field, { value }]) => meaning(field) === 'price' && typeof value === 'number')
  const plain = prices.find(([{ name: one }]) => ground.phrase(one) === 'price')
  for (const [field, { value }] of prices)
    if (plain && plain[0] !== field && plain[1].value === value) answers.delete(field)
  // Nothing is changed before it is there.
  const [published, modified] = [of('published'), of('modified')]
  const [first, last] = [published?.[1].value, modified?.[1].value]
  const isEarlier = typeof first === 'string' && typeof last === 'string' && last.slice(0, 10) < first.slice(0, 10)
  if (published && modified && isEarlier)
    answers.delete(published[1].sure < modified[1].sure ? published[0] : modified[0])
  // A thread whose page shows more posts than it is said to have replies counts something else.
  const replies = [...answers].find(([field, { value }]) => meaning(field) === 'replies' && typeof value === 'number')
  const posts = [...answers].find(([{ name: one }]) => /^(?:post|message|reply|comment)$/.test(ground.phrase(one)))?.[1]
    .value
  if (replies && Array.isArray(posts) && Number(replies[1].value) < posts.length - 1) answers.delete(replies[0])
  const job = of('jobTitle')
  if (job && of('name')?.[1].value === job[1].value) answers.delete(job[0])
  const [name, subtitle] = [of('name'), of('subtitle')]
  if (subtitle && name?.[1].value === subtitle[1].value) answers.delete(subtitle[0])
}

/** An item of a list in the card is not what the card is called. */
const isListed = (value: string, answers: Answers): boolean =>
  [...answers.values()].some((other) => Array.isArray(other.value) && other.value.includes(value))

/** Below this the first words of a text are no name. */
const NAMING = 0.7

const isLead = ({ value, sure }: SureValue, answers: Answers): boolean =>
  sure < NAMING &&
  [...answers.values()].some(
    ({ value: text }) =>
      typeof text === 'string' && text.length > String(value).length * 1.5 && text.startsWith(String(value)),
  )

const MAX_SIGNATURE = 100

/** A short text that holds the writer's name is the line above the text. */
const isSignature = ({ value }: SureValue, signed: SureValue | undefined): boolean =>
  typeof signed?.value === 'string' &&
  String(value).length <= MAX_SIGNATURE &&
  String(value).toLowerCase().includes(signed.value.toLowerCase())

/** The same text twice answers the field that it answers best. A link and its name are two things. */
function dropEchoes(answers: Answers, ground: FieldContext): void {
  const heard = new Map<string, ShapeField>()
  for (const [field, { value, sure }] of [...answers]) {
    const { kind, rules } = ground.wanted(field.name, field.shape)
    // A shop may be called by its town.
    if (typeof value !== 'string' || kind !== 'text' || rules.mayEcho) continue
    const said = value.toLowerCase()
    const other = heard.get(said)
    if (other && answers.get(other)!.sure >= sure) answers.delete(field)
    else {
      if (other) answers.delete(other)
      heard.set(said, field)
    }
  }
}
