// Reads several pages in one step with limited concurrency. Failed pages are free; the step fails only when all fail.
import { asProblem, Problem } from '../../../base/problem.ts'
import type { Tx } from '../../../store/tables.ts'
import type { JsonValue, PageRead } from '../notebook.ts'
import type { ScrapeInput } from '../steps.ts'
import type { PageReadResult, ToolCall } from './agent-tool.ts'
import { readPage } from './read-page.ts'

const AT_ONCE = 3

export type PagesReadResult = Awaited<ReturnType<typeof readPages>>

/** `record`: each page but the first is about one item of the wanted list. */
export async function readPages(
  call: ToolCall<unknown>,
  urls: readonly string[],
  signal: AbortSignal,
  record?: (url: string) => boolean,
) {
  const pages: PageReadResult[] = urls.map((asked) => ({ asked }))
  const stores: ((tx: Tx) => Promise<void>)[] = []
  let credits = 0
  let next = 0
  let trouble: Problem | undefined
  const reader = async () => {
    for (let n = next++; n < urls.length; n = next++) {
      const url = urls[n]!
      const isItem = record?.(url) ?? false
      const input: ScrapeInput = { url, ...(isItem ? { record: '' } : {}) }
      try {
        const read = await readPage(call, input, 1, signal)
        credits += read.credits
        if (read.store) stores.push(read.store)
        pages[n] = { asked: url, page: isItem ? asItem(call, read.page) : read.page }
      } catch (error) {
        if (signal.aborted) throw error
        trouble = asProblem(error)
        pages[n] = { asked: url, error: trouble.message }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, reader))
  if (pages.every(({ page }) => page === undefined)) throw trouble ?? new Problem('internal')
  return {
    pages,
    credits,
    async store(tx: Tx) {
      for (const store of stores) await store(tx)
    },
  }
}

/** Treats a page about one item as a list of one; a page that lacks most fields is about something else. */
function asItem({ goal: { list, fields } }: ToolCall<unknown>, page: PageRead): PageRead {
  const { data, quotes } = page
  const known = fields.filter((field) => ((data as Record<string, JsonValue> | null)?.[field] ?? null) !== null)
  if (!list || known.length < Math.max(Math.min(2, fields.length), fields.length / 2)) return { ...page, data: null }
  const prefix = list.path === null ? '0' : `${list.path}.0`
  return {
    ...page,
    isItem: true,
    data: list.path === null ? [data] : { [list.path]: [data] },
    quotes: Object.fromEntries(Object.entries(quotes).map(([path, words]) => [`${prefix}.${path}`, words])),
  }
}
