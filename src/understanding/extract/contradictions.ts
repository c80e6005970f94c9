// Answers of one object that cannot all be true: one text answers one field, a price before the discount is the higher one.
// The less sure of two gives way. It knows answers and what their fields mean, not where they were found.
import type { Ground } from './ground.ts'
import type { Field } from './shape.ts'

export interface Answer {
  value: unknown
  sure: number
}

type Answers = Map<Field, Answer>

/** `isCard`: the answers were read from one card of a list. */
export function dropContradictions(answers: Answers, isCard: boolean, ground: Ground): void {
  const meaning = ({ name, shape }: Field) => ground.wanted(name, shape).concepts[0]?.id
  const of = (id: string) => [...answers].find(([field]) => meaning(field) === id)
  if (isCard) dropEchoes(answers, ground)
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
  if (published && modified && String(modified[1].value).slice(0, 10) < String(published[1].value).slice(0, 10))
    answers.delete(published[1].sure < modified[1].sure ? published[0] : modified[0])
  const job = of('jobTitle')
  if (job && of('name')?.[1].value === job[1].value) answers.delete(job[0])
  const [name, subtitle] = [of('name'), of('subtitle')]
  if (subtitle && name?.[1].value === subtitle[1].value) answers.delete(subtitle[0])
}

/** The same text twice answers the field that it answers best. A link and its name are two things. */
function dropEchoes(answers: Answers, ground: Ground): void {
  const heard = new Map<string, Field>()
  for (const [field, { value, sure }] of [...answers]) {
    const { kind, concepts } = ground.wanted(field.name, field.shape)
    // A shop may be called by its town.
    if (typeof value !== 'string' || kind !== 'text' || concepts[0]?.id === 'city') continue
    const said = value.toLowerCase()
    const other = heard.get(said)
    if (other && answers.get(other)!.sure >= sure) answers.delete(field)
    else {
      if (other) answers.delete(other)
      heard.set(said, field)
    }
  }
}
