import { expect, it } from 'vitest'
import { removeMarkdownBoilerplate } from './remove-markdown-boilerplate.ts'

it('takes out prompts, lists of links elsewhere and what repeats, and leaves the rest as it stands', () => {
  const content =
    '# Title\n\nA paragraph with a [link](https://a.b).\n\n```js\nshare()\n\n\nsubscribe()\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |'
  const noisy = `Share on Facebook\n\n${content}\n\nSubscribe to our newsletter\n\n## Related articles\n\n- [One](https://a.b/1)\n- [Two](https://a.b/2)\n\n[Accept all cookies](https://a.b/c)`
  expect(removeMarkdownBoilerplate(noisy)).toBe(content)
  expect(removeMarkdownBoilerplate(content)).toBe(content)
})

it('keeps a section that only begins like one of links', () => {
  const text = `# A\n\n## Related work\n\n${'Much has been written about this in the last years. '.repeat(6)}`.trim()
  expect(removeMarkdownBoilerplate(text)).toBe(text)
})

it('takes as long for twice the text as twice the time, whatever the text', () => {
  // Headings that lose all that stands under them, one after the other: 50,000 of them.
  const headings = `${'# a\n'.repeat(50_000)}\nShare\n`
  expect(removeMarkdownBoilerplate(headings)).toBe('')
})
