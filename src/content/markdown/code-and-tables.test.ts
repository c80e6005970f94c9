import { describe, expect, it } from 'vitest'
import { parsePage } from '../parsed-page.ts'

function markdown(html: string): string {
  const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
  const bytes = new TextEncoder().encode(html)
  return parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/a/b' }, choices).markdown
}

type Row = readonly [promise: string, html: string, markdown: string]

function promises(area: string, rows: readonly Row[]): void {
  describe(area, () => {
    for (const [promise, html, expected] of rows) it(promise, () => expect(markdown(html)).toBe(expected))
  })
}

const fence = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``

promises('code', [
  ['keeps lines, blanks and characters', '<pre>a   b\n  *c* &lt;d&gt;\n</pre>', fence('a   b\n  *c* <d>')],
  ['reads the language of a class', '<pre><code class="language-python">x</code></pre>', fence('x', 'python')],
  [
    'reads data-lang, brushes and figures',
    '<pre data-lang=go>a</pre><pre class="brush: java">b</pre><figure class="highlight ruby"><pre>c</pre></figure>',
    `${fence('a', 'go')}\n\n${fence('b', 'java')}\n\n${fence('c', 'ruby')}`,
  ],
  ['reads the language of the wrapper', '<div class="highlight-source-js"><pre>a</pre></div>', fence('a', 'js')],
  ['takes no styling class for a language', '<pre class="code block prettyprint notranslate">a</pre>', fence('a')],
  ['makes the fence longer than any inside', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['breaks lines at <br> and at line elements', '<pre>a<br>b<div>c</div><div>d</div></pre>', fence('a\nb\nc\nd')],
  [
    'drops line numbers and copy buttons',
    '<pre><span class="lineno">1</span>a<button>Copy</button><div class="copy-btn">Copy</div></pre>',
    fence('a'),
  ],
  [
    'drops the gutter of a listing in a table',
    '<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>',
    fence('a\nb'),
  ],
  [
    'reads a listing with a row per line',
    '<table><tr><td class=blob-num data-line-number=1><td>a<tr><td class=blob-num data-line-number=2><td>b</table>',
    fence('a\nb'),
  ],
  ['writes code with breaks as a block', '<p><code>a<br>b</code>', fence('a\nb')],
  [
    'writes spans with backticks inside',
    '<code>a `b` c</code> <code>`x`</code> <kbd>Ctrl</kbd>',
    '``a `b` c`` `` `x` `` `Ctrl`',
  ],
  [
    'keeps blanks at the ends of lines and spans',
    '<pre>a  \n  \nb</pre><code> c </code>',
    `${fence('a  \n  \nb')}\n\n\`  c  \``,
  ],
  ['keeps an empty listing, but none that a script fills', '<pre><code></code></pre><pre id=a></pre>', '```\n```'],
  ['turns non-breaking blanks into blanks', '<pre>&nbsp;&nbsp;a</pre>', fence('  a')],
])

const table = (...rows: string[]): string => rows.join('\n')

promises('tables', [
  [
    'writes header, rule and rows',
    '<table><tr><th>a<th>b<tr><td>1<td>2</table>',
    table('| a | b |', '| --- | --- |', '| 1 | 2 |'),
  ],
  [
    'gives no head row to a table that has heads of rows only',
    '<table><tr><th>Weight<td>3 kg<tr><th>Length<td>2 m</table>',
    table('| | |', '| --- | --- |', '| Weight | 3 kg |', '| Length | 2 m |'),
  ],
  [
    'gives no head row to a table without one',
    '<table><tr><td>a<td>b<tr><td>1<td>2</table>',
    table('| | |', '| --- | --- |', '| a | b |', '| 1 | 2 |'),
  ],
  [
    'takes the row of <thead>, or a row of bold cells, for the head',
    '<table><thead><tr><td>a<td>b</thead><tr><td>1<td>2</table><table><tr><td><b>c</b><td><tr><td>3<td>4</table>',
    table('| a | b |', '| --- | --- |', '| 1 | 2 |', '', '| **c** | |', '| --- | --- |', '| 3 | 4 |'),
  ],
  [
    'keeps a table of one column that has a head',
    '<table><tr><th>a<tr><td>1<tr><td>2</table>',
    table('| a |', '| --- |', '| 1 |', '| 2 |'),
  ],
  [
    'keeps alignment',
    '<table><tr><th align=left>a<th align=center>b<th style="text-align:right">c<tr><td>1<td>2<td>3</table>',
    table('| a | b | c |', '| :-- | :-: | --: |', '| 1 | 2 | 3 |'),
  ],
  [
    'repeats cells over rows and pads cells over columns',
    '<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4</table>',
    table('| a | b | |', '| --- | --- | --- |', '| 1 | 2 | 3 |', '| 1 | 4 | |'),
  ],
  [
    'escapes pipes, in code too',
    '<table><tr><th>a|b<th>c<tr><td><code>x||y</code><td>z</table>',
    table('| a\\|b | c |', '| --- | --- |', '| `x\\|\\|y` | z |'),
  ],
  [
    'keeps breaks, lists and code inside a cell on one line',
    '<table><tr><th>a<th>b<tr><td>1<br>2<ul><li>3<li>4</ul><td><pre>x\ny</pre></table>',
    table('| a | b |', '| --- | --- |', '| 1<br>2<br>- 3<br>- 4 | `x`<br>`y` |'),
  ],
  [
    'writes a table inside a cell as its text',
    '<table><tr><th>a<th>b<tr><td>1<td><table><tr><td>x<td>y</table></table>',
    table('| a | b |', '| --- | --- |', '| 1 | x y |'),
  ],
  [
    'puts the caption before the table',
    '<table><caption>c</caption><tr><th>a<th>b<tr><td>1<td>2</table>',
    table('c', '', '| a | b |', '| --- | --- |', '| 1 | 2 |'),
  ],
  [
    'unrolls tables that lay out a page',
    '<table><tr><td><a href=/m>m</a><td><h2>h</h2><p>t</table>',
    '[m](https://e.com/m)\n\n## h\n\nt',
  ],
  [
    'unrolls tables marked as presentation or of one column',
    '<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table><table><tr><td>e<tr><td>f</table>',
    'a\n\nb\n\nc\n\nd\n\ne\n\nf',
  ],
  [
    'reads the data table inside a layout table',
    '<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>',
    table('x', '', '| a | b |', '| --- | --- |', '| 1 | 2 |'),
  ],
  [
    'drops empty rows and empty tables',
    '<table><tr><th>a<th>b<tr><td> <td><tr><td>1<td>2</table><table><tr><td><td></table>',
    table('| a | b |', '| --- | --- |', '| 1 | 2 |'),
  ],
])

promises('math', [
  [
    'escapes signs that TeX reads, and balances a fence of one side',
    '<math><mo>{</mo><mi>x_1</mi><mo>,</mo><mn>5</mn><mo>%</mo><mo>}</mo><mo>∪</mo><mi>A</mi><mo>\\</mo><mi>B</mi><mo>=</mo><mfenced open="{" close=""><mi>y</mi></mfenced><mfenced open="{" close="}"><mtext> R&amp;D is &nbsp;</mtext></mfenced><mfenced open="" close=""><mi>z</mi></mfenced></math>',
    '$\\{x\\_1,5\\%\\}\\cup A\\backslash B=\\left\\{ y \\right.\\{\\text{R\\&D is  }\\}z$',
  ],
  ['prefers the TeX a page gives', '<math alttext="\\frac{y}{x}"><mi>y</mi></math>', '$\\frac{y}{x}$'],
  [
    'reads KaTeX once',
    '<span class=katex><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=1</annotation></semantics></math><span class=katex-html aria-hidden=true>E=1</span></span>',
    '$E=1$',
  ],
  [
    'reads MathJax scripts',
    'a <script type="math/tex">x^2</script> b<script type="math/tex; mode=display">y</script>',
    'a $x^2$ b\n\n$$\ny\n$$',
  ],
  [
    'writes MathML as TeX',
    '<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>≤</mo><msqrt><mi>α</mi></msqrt><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    '$x_{1}^{2}\\leq \\sqrt{\\alpha }\\frac{1}{2}$',
  ],
  [
    'leaves dollar signs of prices',
    '<p>$$ for lunch, $$$ for dinner, $$$$ at sea',
    '$$ for lunch, $$$ for dinner, $$$$ at sea',
  ],
  ['leaves TeX in text unescaped', '<p>so \\(a_b*c\\) and $$x$$', 'so $a_b*c$ and\n\n$$\nx\n$$'],
  ['leaves money alone', '<p>$5 and $6', '$5 and $6'],
  [
    'shows the formula of an encyclopedia and not its picture',
    '<span><span class="mwe-math-mathml-inline" style="display: none;"><math><annotation encoding="application/x-tex">{\\displaystyle x}</annotation></math></span><img class="mwe-math-fallback-image-inline" src=/x.svg alt=x></span>',
    '$x$',
  ],
])
