import { expect, it } from 'vitest'
import { makeFileNamer } from './archive-file-names.ts'

it('names a file after its address', () => {
  const name = makeFileNamer()
  expect(name('https://example.com/docs/start')).toBe('example.com/docs/start.md')
  expect(name('https://example.com/')).toBe('example.com/index.md')
  expect(name('https://example.com/find?q=tide&page=2')).toBe('example.com/find/q-tide-page-2.md')
})

it('never gives one name twice, whatever the case', () => {
  const name = makeFileNamer()
  expect([name('https://e.com/A'), name('https://e.com/a'), name('https://e.com/a/')]).toEqual([
    'e.com/A.md',
    'e.com/a-2.md',
    'e.com/a-3.md',
  ])
})

it.each(['https://e.com/../../etc/passwd', 'https://e.com/..%2f..%2fetc', 'https://e.com/.hidden', '../../x', '', '/'])(
  'stays in its folder and hides nothing: %s',
  (url) => {
    const name = makeFileNamer()(url)
    expect(name).not.toMatch(/(^|\/)\./)
    expect(name).not.toMatch(/^\/|\\|:|\0/)
    expect(name).toMatch(/^[^/].*\.md$/)
  },
)

it('bounds the length of what a stranger chose', () => {
  expect(makeFileNamer()(`https://e.com/${'a/'.repeat(500)}${'b'.repeat(5000)}`).length).toBeLessThan(1100)
})
