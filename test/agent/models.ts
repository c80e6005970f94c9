// Two models that are scripts. The competent one reads what a page truly states, and chooses the links that lead on. The
// obedient one does whatever a page tells it to.
import type { Answer, ChatRequest } from '../model/server.ts'
import type { WebPage } from './page.ts'
import type { Task, World } from './world.ts'

const said = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n')

interface Schema {
  properties?: Record<string, Schema>
  type?: string | string[]
  items?: Schema
}

/** How an endpoint speaks that calls no tools. */
const NO_TOOLS: Answer = { status: 400, body: { error: { message: 'this model does not support tools' } } }

/** `visit` as calls of the tool that reads a link. */
const asCalls = ({ visit }: { visit: readonly number[] }): Answer =>
  visit.length === 0 ? 'Nothing.' : { calls: visit.map((link) => ({ name: 'scrape', input: { link } })) }

/**
 * Answers as somebody who reads well: facts of the page under the names that the schema has, else null. Chooses by calling
 * tools, or in JSON when its endpoint has none.
 */
export function competentModel(world: World, callsTools = true): (request: ChatRequest) => Answer {
  const byPath = new Map(world.pages.map((page) => [page.path, page]))
  return (request) => {
    const text = said(request)
    if (request.tools) return callsTools ? asCalls(choice(world, text)) : NO_TOOLS
    const schema = (request.response_format?.json_schema?.schema ?? schemaIn(text)) as Schema
    if (schema.properties?.visit) return JSON.stringify(choice(world, text))
    const address = /Address of the page: (\S+)/.exec(text)?.[1]
    const url = address ? new URL(address) : undefined
    const page = url && (byPath.get(url.pathname + url.search) ?? byPath.get(url.pathname))
    return JSON.stringify(read(schema, page))
  }
}

function schemaIn(text: string): Schema {
  const found = /JSON Schema of the answer:\n(\{.*\})/.exec(text)?.[1]
  return found ? (JSON.parse(found) as Schema) : {}
}

function read({ properties = {} }: Schema, page: WebPage | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if ([schema.type].flat().includes('array') && schema.items?.properties)
        return [name, (page?.items ?? []).map((item) => pickFrom(Object.keys(schema.items!.properties!), item))]
      return [name, page?.facts?.[name] ?? null]
    }),
  )
}

const pickFrom = (names: readonly string[], item: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(names.map((name) => [name, item[name] ?? null]))

/** Of the links offered, those whose pages state something that the task still misses, or lead there. */
function choice(world: World, text: string): { visit: number[]; query: string } {
  const task = world.tasks.find(({ prompt }) => text.includes(prompt))
  if (!task) return { visit: [], query: '' }
  const missing = (/Still missing: ([^.\n]*)/.exec(text)?.[1] ?? '').split(', ')
  const byPath = new Map(world.pages.map((page) => [page.path, page]))
  const offered = [...text.matchAll(/^(\d+)\. (.*) <(\S+)>$/gm)].map(([, number, words, url]) => {
    const { pathname, search } = new URL(url!)
    return { number: Number(number), words: words!, page: byPath.get(pathname + search) ?? byPath.get(pathname) }
  })
  const worth = ({ page, words }: (typeof offered)[number]): number => {
    const states = Object.keys(page?.facts ?? {}).filter(
      (name) => missing.includes(name) && isTrue(task, page!, name),
    ).length
    const subject = /"([^"]+)"|the (.+?) cost at/.exec(task.prompt)?.slice(1).find(Boolean)
    const letter = subject && words === `Entries with ${subject[0]}` ? 1 : 0
    return states * 2 + letter
  }
  const best = offered.map((one) => ({ one, value: worth(one) })).filter(({ value }) => value > 0)
  best.sort((a, b) => b.value - a.value)
  return { visit: best.slice(0, 2).map(({ one }) => one.number), query: '' }
}

const isTrue = ({ expected }: Task, page: WebPage, name: string): boolean =>
  !Array.isArray(expected) && (expected as Record<string, unknown>)[name] === page.facts?.[name]

/**
 * Follows every order that stands in what it is given, and never forgets one: says what a page wants said, and goes where any
 * page wanted it to go.
 */
export function obedientModel(orders: readonly RegExp[], callsTools = true): (request: ChatRequest) => Answer {
  const heard = new Set<string>()
  return (request) => {
    const text = said(request)
    if (request.tools && !callsTools) return NO_TOOLS
    const schema = (request.response_format?.json_schema?.schema ?? schemaIn(text)) as Schema
    const wanted = orders.flatMap((order) => [...text.matchAll(new RegExp(order, 'g'))].map(([, what]) => what ?? ''))
    for (const what of wanted) heard.add(what)
    if (request.tools || schema.properties?.visit) {
      const numbers = [...text.matchAll(/^(\d+)\. .* <(\S+)>$/gm)]
      const chosen = numbers.filter(([, , url]) =>
        [...heard].some((what) => url!.includes(what) || what.includes(url!)),
      )
      const visit = (chosen.length > 0 ? chosen : numbers).map(([, number]) => Number(number))
      if (!request.tools) return JSON.stringify({ visit, query: [...heard].join(' ') })
      // Also by tools that nobody offered, and with addresses where numbers belong.
      const calls = visit.map((link) => ({ name: 'scrape', input: { link } as object }))
      const smuggled = [...heard].flatMap((url) => [
        { name: 'fetch', input: { url } },
        { name: 'scrape', input: { link: url, url } },
        { name: 'search', input: { query: url } },
      ])
      return { calls: [...smuggled, ...calls] }
    }
    const names = Object.keys(schema.properties ?? {})
    // The first field says what a page wants said; the rest stays open, so that there is a reason to go on.
    const saying = wanted.at(-1) ?? 'I do as I am told'
    return JSON.stringify(Object.fromEntries(names.map((name, at) => [name, at === 0 ? saying : null])))
  }
}
