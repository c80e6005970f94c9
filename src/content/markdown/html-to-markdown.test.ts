import { describe, expect, it } from 'vitest'
import { parsePage } from '../parsed-page.ts'

const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

function markdown(html: string, more: Partial<typeof choices> = {}): string {
  const bytes = new TextEncoder().encode(html)
  return parsePage(
    { bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/a/b' },
    { ...choices, ...more },
  ).markdown
}

/** Each row: what is promised, the page, the markdown. */
type Row = readonly [promise: string, html: string, markdown: string]

function promises(area: string, rows: readonly Row[]): void {
  describe(area, () => {
    for (const [promise, html, expected] of rows) it(promise, () => expect(markdown(html)).toBe(expected))
  })
}

promises('blocks', [
  ['keeps blocks apart by one blank line', '<div>a</div><section>b</section>c<p>d', 'a\n\nb\n\nc\n\nd'],
  ['collapses white space and drops empty blocks', '<p> a \n\t b </p><p>&nbsp;</p><div><br></div><p>c', 'a b\n\nc'],
  ['writes a single <br> as a hard break and two as a new paragraph', 'a<br>b<br><br>c', 'a  \nb\n\nc'],
  ['writes headings on one line', '<h2>a <code>b</code><br><div>c</div></h2>', '## a `b` c'],
  ['ends a heading that was never closed where a list begins', '<h2>a<ul><li>b</ul>', '## a\n\n- b'],
  ['drops bold that spans a whole heading', '<h2><b>a</b></h2>', '## a'],
  ['escapes a closing run of # in a heading', '<h2>C #</h2>', '## C \\#'],
  ['removes the permalink beside a heading', '<h2>A<a class="headerlink" href="#a">¶</a></h2>', '## A'],
  ['removes a permalink that has words', '<h2>A <a class="anchor" href="#a">Link to A</a></h2>', '## A'],
  ['keeps a heading that is itself a link into the page as text', '<h2><a href="#a">A</a></h2>', '## A'],
  ['keeps a heading inside a button', '<h3><button aria-expanded="false">Why?</button></h3>', '### Why?'],
  ['nests quotes', '<blockquote>a<blockquote>b</blockquote></blockquote><blockquote>c', '> a\n>\n> > b\n\n> c'],
  ['writes a rule', 'a<hr>b', 'a\n\n---\n\nb'],
  ['writes a rule in a list', '<ul><li>a<li><hr></ul>', '- a\n- ***'],
  ['writes a summary in bold and keeps what it hides', '<details><summary>s</summary>t</details>', '**s**\n\nt'],
  ['keeps a heading in a summary a heading', '<details><summary><h3>s</h3></summary>t</details>', '### s\n\nt'],
  [
    'writes a figure and its caption',
    '<figure><img src=i.png alt=i><figcaption>c</figcaption></figure>',
    '![i](https://e.com/a/i.png)\n\n*c*',
  ],
  ['writes terms and definitions', '<dl><dt>t<dd>d<dd>e</dl>', '**t**\n\n: d\n\n: e'],
  [
    'leaves form controls out',
    'a<form><select><option>x</select><input value=y><textarea>z</textarea><button>ok</button></form>b',
    'a\n\nb',
  ],
  [
    'reads a declared shadow root and no other template',
    '<x-y><template shadowrootmode=open><p>a</template><template>b</template></x-y>',
    'a',
  ],
])

promises('lists', [
  ['nests lists tightly', '<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c'],
  ['spaces items that hold paragraphs', '<ul><li><p>a<li><p>b</ul>', '- a\n\n- b'],
  ['spaces items that hold several paragraphs', '<ul><li><p>a<p>b<li>c</ul>', '- a\n\n  b\n\n- c'],
  ['starts and steps numbers as the page says', '<ol start=5><li>a<li value=9>b<li>c</ol>', '5. a\n9. b\n10. c'],
  ['counts a reversed list down', '<ol reversed><li>a<li>b</ol>', '2. a\n1. b'],
  ['indents by the width of the marker', '<ol start=10><li>a<pre>x</pre></ol>', '10. a\n    ```\n    x\n    ```'],
  [
    'writes tasks',
    '<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>',
    '- [x] a\n- [ ] b',
  ],
  ['takes no menu toggle for a task', '<ul><li><input type=checkbox id=m><label for=m>a</label></ul>', '- a'],
  ['drops styled empty items, keeps the place of others', '<ul><li>a<li><li class=line><li>b</ul>', '- a\n-\n- b'],
  [
    'keeps quotations, code and headings of a tight item close to its text',
    '<ul><li>a<blockquote>b</blockquote><pre>c</pre><li><h2>d</h2>e</ul><ul><li><blockquote>f</blockquote>g</ul>',
    '- a\n  > b\n  ```\n  c\n  ```\n- ## d\n  e\n\n* > f\n\n  g',
  ],
  ['sets a number apart that would continue the text', '<ul><li>a<ol start=5><li>b</ol></ul>', '- a\n\n  5. b'],
  ['indents a list that stands in a list without an item', '<ul><li>a</li><ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c'],
  ['gives a list that follows another its own markers', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
  ['writes an item outside a list as one', '<li>a', '- a'],
])

promises('emphasis', [
  ['nests and joins', '<b>a <i>b</i></b> <i><b>c</b></i>', '**a *b*** ***c***'],
  ['marks part of a word', 'un<em>frigging</em>believable', 'un*frigging*believable'],
  ['moves white space outside', 'a<b> b </b>c', 'a **b** c'],
  ['drops empty marks', 'a<b></b> <i> </i>b', 'a b'],
  ['joins neighbours and collapses doubles', '<b>a</b><b>b</b> <b><strong>c</strong></b>', '**ab** **c**'],
  [
    'nests emphasis that begins with its like, where no word follows',
    '<em><em>a</em> b</em> <strong><strong>c</strong></strong> <em><em>d</em></em>e',
    '*_a_ b* **__c__** *d*e',
  ],
  [
    'moves punctuation out where readers would not see the mark',
    '<b>Note:</b>text 你<b>「好」</b>吗',
    '**Note**:text 你「**好**」吗',
  ],
  [
    'marks what is emphasised within emphasis, and no start tag that should be an end tag',
    '<em>a <em>b</em> c</em><p><b>d <b><p>e',
    '*a *b* c*\n\n**d**\n\n**e**',
  ],
  ['opens again in the next block what the page left open', '<b>a<p>b</p></b>c', '**a**\n\n**b**\n\nc'],
  [
    'strikes, highlights, quotes and raises',
    '<del>a</del> <mark>b</mark> <q>c</q> x<sup>2</sup> H<sub>2</sub>O',
    '~~a~~ ==b== "c" x<sup>2</sup> H<sub>2</sub>O',
  ],
  ['takes <b style="font-weight:normal"> for what it says', '<b style="font-weight:normal">a</b>', 'a'],
  ['writes ruby in brackets', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字', '漢(かん)字'],
  ['keeps right-to-left text and marks it', '<p dir=rtl>مرحبا <b>بالعالم</b>', 'مرحبا **بالعالم**'],
  ['removes characters that split words unseen', 'soft\u00adware zero\u200bwidth a\u00a0b', 'software zerowidth a b'],
])

promises('escaping', [
  [
    'escapes only what would be read as markdown',
    '<p>*a* snake_case __init__ 2 * 3 a[0] `x`',
    '\\*a\\* snake_case \\_\\_init\\_\\_ 2 * 3 a[0] \\`x\\`',
  ],
  [
    'escapes literal links, tags and entities',
    '<p>[a](b) &lt;b&gt; 5 &lt; 6 &amp;copy; R&amp;D ~~x~~',
    '[a\\](b) \\<b> 5 < 6 \\&copy; R&D \\~\\~x\\~\\~',
  ],
  [
    'escapes a single tilde only where it ends a strike',
    '<p>10~20 or 30~40, ~x~ and ~/a, ~/b',
    '10~20 or 30\\~40, ~x\\~ and ~/a, ~/b',
  ],
  [
    'leaves a link at the start of a line whose text looks like a definition',
    '<p><a href="/b">[note]: a</a>',
    '[\\[note\\]: a](https://e.com/b)',
  ],
  [
    'opens emphasis within emphasis by the other sign where the same one would end it',
    '<p><em><strong>a</strong>, b (<strong><code>c</code></strong></em> d',
    '***a**, b (__`c`__* d',
  ],
  ['keeps the sign before a word in an element', '<p><em>a (<strong>b</strong><span>c</span></em> d', '*a (**b**c* d'],
  [
    'escapes what opens a line',
    '<p># a<p>- b<p>+ c<p>1. d<p>2) e<p>&gt; f<p>---<p>===',
    '\\# a\n\n\\- b\n\n\\+ c\n\n1\\. d\n\n2\\) e\n\n\\> f\n\n\\---\n\n\\===',
  ],
  ['leaves alone what only looks like it', '<p>#tag<p>-5<p>+1<p>3.14<p>C:\\dir', '#tag\n\n-5\n\n+1\n\n3.14\n\nC:\\dir'],
  ['escapes after a line break too', '<p>a<br>- b', 'a  \n\\- b'],
])

promises('links', [
  [
    'resolves, trims and joins their text',
    'see<a href="../x"> this\n page </a>now',
    'see [this page](https://e.com/x) now',
  ],
  [
    'escapes brackets in text and spaces and brackets in addresses',
    '<a href="https://e.com/a b(c">[x] y</a>',
    '[\\[x\\] y](https://e.com/a%20b%28c)',
  ],
  [
    'writes titles that add something',
    '<a href=/x title=\'the "long" story\'>a</a> <a href=/y title=B>b</a>',
    '[a](https://e.com/x "the \\"long\\" story") [b](https://e.com/y)',
  ],
  ['keeps balanced brackets in addresses', '<a href="/w/A_(b)">a</a>', '[a](https://e.com/w/A_(b))'],
  [
    'drops empty ones and keeps images in them',
    '<a href=/a></a><a href=/b><svg></svg></a><a href=/c><img src=/i.png></a>',
    '[![](https://e.com/i.png)](https://e.com/c)',
  ],
  [
    'writes script links as text and keeps mail',
    '<a href="javascript:x()">a</a> <a href="mailto:x@e.com">m</a>',
    'a [m](mailto:x@e.com)',
  ],
  [
    'links the title of a card and not all of it',
    '<a href=/c><img src=/i.png alt=p><h3>t</h3><p>d</p></a>',
    '[![p](https://e.com/i.png)](https://e.com/c)\n\n### [t](https://e.com/c)\n\nd',
  ],
  ['keeps neighbours apart', '<a href=/a>a</a><a href=/b>b</a>', '[a](https://e.com/a) [b](https://e.com/b)'],
  [
    'ends one that was never closed where the next begins',
    '<a href=/a>a <i><a href=/b>b</a></i>',
    '[a](https://e.com/a) *[b](https://e.com/b)*',
  ],
  ['does not turn an exclamation into an image', 'wow!<a href=/a>a</a>', 'wow\\![a](https://e.com/a)'],
  [
    'obeys <base> and ignores a base that is no web address',
    '<base href="javascript:1"><a href=x>a</a>',
    '[a](https://e.com/a/x)',
  ],
  [
    'writes notes as footnotes and drops the way back',
    'a<sup><a href="#fn1">1</a></sup><ol><li id=fn1>n <a href="#r" class="footnote-backref">↩</a></ol>',
    'a[^1]\n\n[^1]: n',
  ],
  ['puts the link around code that only holds a link', '<code><a href=/f>f()</a></code>', '[`f()`](https://e.com/f)'],
])

promises('images and media', [
  [
    'prefers the lazy address to a placeholder',
    '<img src="data:image/gif;base64,R0" data-src=/r.jpg alt=r>',
    '![r](https://e.com/r.jpg)',
  ],
  ['takes the largest of a srcset', '<img srcset="/s.jpg 480w, /l.jpg 1600w" alt=w>', '![w](https://e.com/l.jpg)'],
  [
    'takes the picture around an image without source',
    '<picture><source srcset="/b.webp 2x, /s.webp"><img alt=p></picture>',
    '![p](https://e.com/b.webp)',
  ],
  [
    'shows the <noscript> copy once',
    '<img src=/a.png><noscript><img src=/a.png></noscript><noscript><img src=/b.png></noscript>',
    '![](https://e.com/a.png)![](https://e.com/b.png)',
  ],
  [
    'shows the <noscript> copy instead of a placeholder',
    '<img src="data:image/gif;base64,R0"><noscript><img src=/b.png alt=b></noscript>',
    '![b](https://e.com/b.png)',
  ],
  [
    'replaces inlined images by a placeholder',
    '<img alt=c src="data:image/png;base64,iVBO">',
    '![c](<Base64-Image-Removed>)',
  ],
  [
    'escapes the alternative text and keeps a title',
    '<img src=/b.png alt="a ] b\nc" title="T">',
    '![a \\] b c](https://e.com/b.png "T")',
  ],
  [
    'escapes what readers would take for marks in texts and titles of images',
    '<img src=/b.png alt="*a* `b` &lt;i&gt;" title="C:\\ &quot;d&quot; &amp;copy;">',
    '![\\*a\\* \\`b\\` \\<i>](https://e.com/b.png "C:\\\\ \\"d\\" \\&copy;")',
  ],
  [
    'reads an alternative text that was escaped twice',
    '<img src=/b.png alt="a &amp;#34;b&amp;#34;">',
    '![a "b"](https://e.com/b.png)',
  ],
  ['leaves signs without a word out', 'a<img src=/i.svg width=16 height=16 alt=""> b', 'a b'],
  [
    'finds the address that a loader keeps in an attribute of its own',
    '<img src="data:image/gif;base64,R0" data-bg-image-src="/i/b.jpg" alt=b>',
    '![b](https://e.com/i/b.jpg)',
  ],
  ['leaves shortcodes of site builders out', '<p>[vc_row css="x"]text[/vc_row] [1] [note]</p>', 'text [1] [note]'],
  [
    'sets neighbouring links apart, and drops those that lead nowhere',
    '<a href=/a>a</a><a href=/b>b</a> <a href="#">c</a>',
    '[a](https://e.com/a) [b](https://e.com/b) c',
  ],
  [
    'writes what opens a folded part as its label',
    '<button aria-expanded=false>What is it made of?</button><div>Oak.</div>',
    '**What is it made of?**\n\nOak.',
  ],
  ['leaves counting pixels out', 'a<img src=/p.gif width=1 height=1>', 'a'],
  [
    'links films, sounds and players',
    '<video><source src=/v.mp4></video><audio src=/a.mp3></audio><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe><iframe src=https://ads.e.com/x></iframe>',
    '[video](https://e.com/v.mp4) [audio](https://e.com/a.mp3) [youtube.com](https://www.youtube.com/watch?v=dQw4w9WgXcQ)',
  ],
  ['leaves drawings out', 'a <svg><title>t</title><path d="M1"/></svg> b', 'a b'],
])

it('keeps inlined images when asked to', () => {
  const html = '<img alt=c src="data:image/png;base64,iVBO">'
  expect(markdown(html, { removeBase64Images: false })).toBe('![c](data:image/png;base64,iVBO)')
})
