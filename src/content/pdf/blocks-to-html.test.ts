import { expect, it } from 'vitest'
import { blocksToHtml } from './blocks-to-html.ts'

const item = (content: string) =>
  ({ type: 'list', label: 'list_item', content, markdownSpan: [0, content.length] }) as never

it('numbers a list as the document does, with its gaps', () => {
  const items = ['1. a', '2. b', '    - inner', '7. c', '8. d', '- bullet', '3. e'].map(item)
  const html = blocksToHtml([{ items } as never], undefined).replaceAll('\n', '')
  expect(html).toContain(
    '<ol start="1"><li>a</li><li>b<ul><li>inner</li></ul></li><li value="7">c</li><li>d</li></ol><ul><li>bullet</li></ul><ol start="3"><li>e</li></ol>',
  )
})

it('keeps code as it stands, without its fences', () => {
  const content = '```\nif (a < b) *p = 1\n```'
  const code = { type: 'text', label: 'code', content, markdownSpan: [0, content.length] }
  expect(blocksToHtml([{ items: [code] } as never], undefined)).toContain(
    '<pre><code>if (a &lt; b) *p = 1</code></pre>',
  )
})

it('keeps formulas as they stand, and prices in bold', () => {
  const html = blocksToHtml([{ items: [item('- $x_{1}=\\text{\\$5}*y*$, **$5** or **10$**')] } as never], undefined)
  expect(html).toContain('$x_{1}=\\text{\\$5}*y*$, <strong>$5</strong> or <strong>10$</strong>')
})
