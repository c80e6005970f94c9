// The whole web of the agents, some forty sites and three thousand pages on one server, and the hundred tasks on it with their
// exact answers. Half of the tasks are sealed by the hash of their name: figures are told for that half.
import { createHash } from 'node:crypto'
import type { Pages } from '../site/site.ts'
import { companyAt } from './companies.ts'
import type { Value, WebPage } from './page.ts'
import { docsAt, paperAt, registerAt } from './references.ts'
import { shopAt } from './shops.ts'
import { seeded } from './words.ts'

export interface Task {
  id: string
  prompt: string
  /** Path of the page to begin with. */
  start: string
  effort: 'low' | 'medium' | 'high'
  fields: Readonly<Record<string, 'string' | 'number' | 'integer'>>
  /** Of a record; or, for a list under this name, of each of its items. */
  list?: string
  expected: Readonly<Record<string, Value>> | readonly Readonly<Record<string, Value>>[]
}

export interface World {
  pages: readonly WebPage[]
  tasks: readonly Task[]
}

export const isSealed = ({ id }: Pick<Task, 'id'>): boolean => createHash('sha256').update(id).digest()[0]! % 2 === 1

export function makeWorld(): World {
  const rng = seeded(20_260_401)
  const companies = Array.from({ length: 14 }, (_, at) => companyAt(at, rng))
  const shops = Array.from({ length: 8 }, (_, at) => shopAt(at, rng, 190))
  const docs = Array.from({ length: 5 }, (_, at) => docsAt(at, rng))
  const registers = Array.from({ length: 4 }, (_, at) => registerAt(at, rng, 180))
  const papers = Array.from({ length: 3 }, (_, at) => paperAt(at, rng, 70))
  const tasks: Task[] = []
  const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'string' as const]))
  for (const { name, root, facts } of companies) {
    const { founder, founded, email, ceo, headquarters, phone, employees } = facts
    const task = (what: string, prompt: string, fields: Task['fields'], expected: Record<string, Value>) =>
      tasks.push({ id: `${root}${what}`, prompt, start: root, effort: 'medium', fields, expected })
    task(
      'origin',
      `Find who founded ${name}, when, and its e-mail address`,
      { ...text('founder', 'email'), founded: 'integer' },
      { founder, founded, email },
    )
    task(
      'lead',
      `Who is the CEO of ${name}, where are its headquarters and what is its phone number`,
      text('ceo', 'headquarters', 'phone'),
      { ceo, headquarters, phone },
    )
    task(
      'size',
      `How many employees does ${name} have, and how can it be reached by e-mail`,
      { ...text('email'), employees: 'integer' },
      { employees, email },
    )
  }
  for (const [at, { name, root, things, delivery }] of shops.entries()) {
    const kitchen = things.filter(({ category }) => category === 'Kitchen').slice(0, 400)
    const some = kitchen.map(({ name: called, price }) => ({ name: called, price }))
    tasks.push({
      id: `${root}list`,
      prompt: 'List all products of this category with name and price',
      start: `${root}category/kitchen`,
      effort: 'high',
      fields: { name: 'string', price: 'number' },
      list: 'products',
      expected: some,
    })
    const thing = things[(at * 31) % 9]!
    tasks.push({
      id: `${root}thing`,
      prompt: `What does the ${thing.name} cost at ${name}, what does it weigh and what is it made of`,
      start: `${root}category/kitchen`,
      effort: 'medium',
      fields: { price: 'number', weight: 'string', material: 'string' },
      expected: { price: thing.price, weight: thing.weight, material: thing.material },
    })
    tasks.push({
      id: `${root}delivery`,
      prompt: `How many days does delivery take at ${name}, and within how many days can things be returned`,
      start: root,
      effort: 'medium',
      fields: { deliveryDays: 'integer', returnDays: 'integer' },
      expected: delivery,
    })
  }
  for (const { name, root, facts } of docs) {
    const { version, licence, defaultPort, maintainer } = facts
    tasks.push({
      id: `${root}run`,
      prompt: `What is the current version of ${name} and its default port`,
      start: root,
      effort: 'medium',
      fields: { version: 'string', defaultPort: 'integer' },
      expected: { version, defaultPort },
    })
    tasks.push({
      id: `${root}project`,
      prompt: `Under which licence is ${name} and who is its maintainer`,
      start: root,
      effort: 'medium',
      fields: text('licence', 'maintainer'),
      expected: { licence, maintainer },
    })
  }
  for (const { root, entries } of registers)
    for (const n of [7, 42, 99, 150]) {
      const { name, number, status, owner } = entries[n]!
      tasks.push({
        id: `${root}${n}`,
        prompt: `Find the number, the status and the owner of "${name}"`,
        start: `${root}letters`,
        effort: 'medium',
        fields: text('number', 'status', 'owner'),
        expected: { number, status, owner },
      })
    }
  for (const { root, articles } of papers)
    for (const n of [5, 47]) {
      const { title, author, published } = articles[n]!
      tasks.push({
        id: `${root}${n}`,
        prompt: `Who wrote the article "${title}" and when was it published`,
        start: n < 20 ? root : `${root}all`,
        effort: 'medium',
        fields: text('author', 'published'),
        expected: { author, published },
      })
    }
  const more = companies.slice(0, 2).map(
    ({ name, root, facts: { phone } }): Task => ({
      id: `${root}call`,
      prompt: `What is the phone number of ${name}`,
      start: root,
      effort: 'low',
      fields: text('phone'),
      expected: { phone },
    }),
  )
  const pages = [companies, shops, docs, registers, papers].flatMap((sites) => sites.flatMap((site) => site.pages))
  return { pages, tasks: [...tasks, ...more] }
}

/** The pages as our test site serves them. */
export function asPages(world: World): Pages {
  const byPath = new Map(world.pages.map((page) => [page.path, page]))
  const folders = new Set(world.pages.map(({ path }) => `${path.split('?')[0]!.replace(/[^/]*$/, '')}*`))
  return Object.fromEntries(
    [...folders].map((folder) => [
      folder,
      ({ response, url }) => {
        const page = byPath.get(url.pathname + url.search) ?? byPath.get(url.pathname)
        response.writeHead(page ? (page.status ?? 200) : 404, { 'content-type': 'text/html; charset=utf-8' })
        response.end(page?.html ?? '<!doctype html><title>Not found</title><h1>Not found</h1>')
      },
    ]),
  )
}

export function schemaOf({ fields, list }: Task): object {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]))
  const item = { type: 'object', properties }
  return list ? { type: 'object', properties: { [list]: { type: 'array', items: item } } } : item
}

export interface Grade {
  right: number
  wrong: number
  missing: number
}

export function graded(task: Task, data: unknown): Grade {
  const grade: Grade = { right: 0, wrong: 0, missing: 0 }
  const count = (expected: Value | undefined, found: unknown) => {
    if (found === null || found === undefined || found === '') grade.missing += expected === undefined ? 0 : 1
    else if (expected !== undefined && same(expected, found)) grade.right++
    else grade.wrong++
  }
  const { expected, list } = task
  if (!list) {
    for (const [name, value] of Object.entries(expected))
      count(value as Value, (data as Record<string, unknown> | null)?.[name])
    return grade
  }
  const found = ((data as Record<string, unknown> | null)?.[list] ?? []) as Record<string, unknown>[]
  const wanted = expected as readonly Record<string, Value>[]
  for (const item of wanted) {
    const match = found.find(({ name }) => same(item.name!, name))
    for (const [name, value] of Object.entries(item)) count(value, match?.[name])
  }
  for (const item of found) if (!wanted.some(({ name }) => same(name!, item.name))) grade.wrong++
  return grade
}

const plain = (value: unknown): string =>
  String(value)
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.,;]$/, '')

function same(expected: Value, found: unknown): boolean {
  if (typeof expected === 'number') return Math.abs(Number(String(found).replace(/[^\d.-]/g, '')) - expected) < 0.005
  if (typeof found !== 'string') return false
  // A date may carry its hour.
  return plain(found) === plain(expected) || (/^\d{4}-\d\d-\d\d$/.test(expected) && found.startsWith(expected))
}
