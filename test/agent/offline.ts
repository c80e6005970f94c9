// The planner by rules on the agents' web without a service: the same goal, plan, extraction and notebook, and pages that come out
// of memory. Seconds for a hundred tasks, so that the suite can hold all of them to their floors.
import { goalOf } from '../../src/capabilities/agent/goal.ts'
import { learn, newProgress } from '../../src/capabilities/agent/learning.ts'
import { Notebook } from '../../src/capabilities/agent/notebook.ts'
import { EFFORTS } from '../../src/capabilities/agent/planner.ts'
import { rulePlanner } from '../../src/capabilities/agent/rule-planner.ts'
import { pageOf } from '../../src/capabilities/agent/tools/read-page.ts'
import { openPage } from '../../src/content/page.ts'
import { extractJson } from '../../src/understanding/extract/extract.ts'
import type { WebPage } from './page.ts'
import { type Grade, graded, schemaOf, type Task, type World } from './world.ts'

const BASE = 'http://web.example'

export interface Outcome {
  task: Task
  grade: Grade
  pages: number
  data: unknown
  visited: string[]
  because: string
}

export function runOffline({ pages }: World, task: Task): Outcome {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const schema = schemaOf(task) as never
  const goal = goalOf({ prompt: task.prompt, urls: [BASE + task.start], schema })
  const notebook = new Notebook(goal)
  const progress = newProgress()
  const visited: string[] = []
  for (;;) {
    const plan = rulePlanner.next(goal, notebook, progress, EFFORTS[task.effort])
    if (plan.steps.length === 0) {
      const { data } = notebook.answer()
      return { task, grade: graded(task, data), pages: progress.pages, data, visited, because: plan.because }
    }
    for (const step of plan.steps) {
      if (step.tool !== 'scrape') {
        learn(notebook, progress, step, { tool: step.tool, links: [] })
        continue
      }
      visited.push(step.input.url.slice(BASE.length))
      const { pathname, search } = new URL(step.input.url)
      const page = byPath.get(pathname + search) ?? byPath.get(pathname)
      const wanted = step.input.record === undefined ? goal.schema : goal.list?.item
      const read = page && pageOf(goal, step.input, documentOf(page, step.input.url, wanted), 'extractive', 0).page
      learn(notebook, progress, step, read ? { tool: 'scrape', page: read } : { tool: 'scrape', error: 'not found' })
    }
  }
}

function documentOf({ html }: WebPage, url: string, schema: object | undefined) {
  const view = openPage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )
  const { value } = extractJson(view, schema as never, undefined)
  const { title } = view.metadata
  return { markdown: view.markdown, links: view.links, json: value, metadata: { url, title, statusCode: 200 } } as never
}
