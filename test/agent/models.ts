// A model that is a script and does whatever a page tells it to.
import type { Answer, ChatRequest } from '../model/server.ts'

const said = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n')

interface Schema {
  properties?: Record<string, Schema>
}

/** How an endpoint speaks that calls no tools. */
const NO_TOOLS: Answer = { status: 400, body: { error: { message: 'this model does not support tools' } } }

function schemaIn(text: string): Schema {
  const found = /JSON Schema of the answer:\n(\{.*\})/.exec(text)?.[1]
  return found ? (JSON.parse(found) as Schema) : {}
}

/**
 * Follows every order that stands in what it is given, and never forgets one: says what a page wants said, and goes where any
 * page wanted it to go.
 */
export function obedientModel(orders: readonly RegExp[], callsTools = true): (request: ChatRequest) => Answer {
  const received = new Set<string>()
  return (request) => {
    const text = said(request)
    if (request.tools && !callsTools) return NO_TOOLS
    const schema = (request.response_format?.json_schema?.schema ?? schemaIn(text)) as Schema
    const wanted = orders.flatMap((order) => [...text.matchAll(new RegExp(order, 'g'))].map(([, what]) => what ?? ''))
    for (const what of wanted) received.add(what)
    if (request.tools || schema.properties?.visit) {
      const numbers = [...text.matchAll(/^(\d+)\. .* <(\S+)>/gm)]
      const chosen = numbers.filter(([, , url]) =>
        [...received].some((what) => url!.includes(what) || what.includes(url!)),
      )
      const visit = (chosen.length > 0 ? chosen : numbers).map(([, number]) => Number(number))
      if (!request.tools) return JSON.stringify({ visit, query: [...received].join(' ') })
      // Also by tools that nobody offered, and with addresses where numbers belong.
      const calls = [{ name: 'read', input: { links: visit } as object }]
      const smuggled = [...received].flatMap((url) => [
        { name: 'fetch', input: { url } },
        { name: 'read', input: { links: [url], url } },
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
