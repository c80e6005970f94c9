// Whole pages and the markdown they become, as pairs of files. A mistake found on a real page gets a pair that fails first.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parsePage } from './parsed-page.ts'

const folder = new URL('../../test/fixtures/content/', import.meta.url)
const names = readdirSync(folder).filter((file) => file.endsWith('.html'))

it.each(names)('writes %s as its pair says', (file) => {
  const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
  const bytes = readFileSync(new URL(file, folder))
  const page = parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://harbour.example/x' }, choices)
  const expected = readFileSync(new URL(file.replace(/html$/, 'md'), folder), 'utf8')
  expect(page.markdown).toBe(expected.trimEnd())
})
