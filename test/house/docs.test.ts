// The form of the documents: pages of capabilities have the same parts in the same order, and headings name things.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const notes = readdirSync(join(root, 'bench/notes')).map((name) => `bench/notes/${name}`)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const headingsOf = (path: string): string[] =>
  [...read(path).matchAll(/^```[\s\S]*?^```$|^#+ (.+)$/gm)].flatMap(([, heading]) => heading ?? [])

const CAPABILITIES = [
  ...[
    'agent',
    'changes',
    'crawling',
    'documents',
    'extractors',
    'flows',
    'interact',
    'jobs',
    'map',
    'media',
    'monitor',
  ],
  ...['privacy', 'products', 'scraping', 'search', 'site-owners', 'sync', 'threats'],
]
const SECTIONS = ['Common tasks', 'Limits and accuracy', 'Errors', 'Cost']

describe('documents', () => {
  it.each(CAPABILITIES)('%s has a purpose, requests in three languages, a response and the common sections', (name) => {
    const path = `docs/${name}.md`
    expect(headingsOf(path).filter((heading) => SECTIONS.includes(heading))).toEqual(SECTIONS)
    const [introduction = ''] = read(path).split('\n## Common tasks')
    expect(introduction).toMatch(/^# .+\n\n[A-Z`]/)
    for (const fence of ['```sh', '```js', '```py', '```json']) expect(introduction).toContain(`\n${fence}\n`)
  })

  it('have headings that name a thing or a task', () => {
    const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs, ...notes]
    const questions = files.flatMap((path) =>
      headingsOf(path)
        .filter((heading) => /^(?:What|Who|Whom|Where|How|Is|Why)\b/.test(heading))
        .map((heading) => `${path}: ${heading}`),
    )
    expect(questions).toEqual([])
  })
})
