import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../../test/cost.ts'
import { type ParsedPage, parsePage } from '../parsed-page.ts'

function open(text: string, contentType?: string): ParsedPage {
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return parsePage({ bytes: new TextEncoder().encode(text), contentType, url: 'https://e.com/a/b' }, choices)
}

describe('the reader', () => {
  it.each([
    ['html', '<p>a', 'text/html'],
    ['html', '<!doctype html><p>a', 'text/plain'],
    ['html', '<!doctype html><p>a', 'application/json'],
    ['html', '<html><p>a', undefined],
    ['html', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>a</p></html>', 'application/xml'],
    ['json', '{"a":1}', 'application/json'],
    ['json', '{"a":1}', 'application/ld+json; charset=utf-8'],
    ['json', '[{"a":1}]', undefined],
    ['feed', '<?xml version="1.0"?><rss><channel></channel></rss>', 'text/xml'],
    ['feed', '<feed></feed>', 'application/atom+xml'],
    ['xml', '<?xml version="1.0"?><a/>', undefined],
    ['xml', '<urlset></urlset>', 'application/xml'],
    ['text', 'just words', undefined],
    ['text', 'a,b\n1,2', 'text/csv'],
    ['text', '# a', 'text/markdown'],
    ['asciidoc', '= a', 'text/asciidoc'],
  ])('is %s for %j sent as %s', (kind, text, type) => {
    expect(open(text, type).kind).toBe(kind)
  })
})

it('captions are the paragraphs that were spoken', () => {
  const cue = (from: number, text: string) => `00:00:0${from}.000 --> 00:00:0${from + 1}.000\n${text}\n\n`
  const vtt = `WEBVTT\n\n${cue(0, '<v Ann>Good morning,')}${cue(1, '<v Ann>all.')}${cue(2, '<v Bob>Hello.')}${cue(7, '<v Bob>Tides.')}`
  expect(open(vtt, 'text/vtt').markdown).toBe('**Ann:** Good morning, all.\n\n**Bob:** Hello.\n\n**Bob:** Tides.')
  const srt = cue(0, 'One').replaceAll('.', ',')
  expect(open(`1\n${srt}`, 'application/x-subrip').markdown).toBe('One')
})

describe('json', () => {
  it('does not indent a value so deep that it would be mostly indentation', () => {
    const deep = `${`{"${'k'.repeat(40)}":`.repeat(4500)}1${'}'.repeat(4500)}`
    expect(open(deep, 'application/json').markdown.length).toBeLessThan(deep.length * 2)
    expect(open('{"a":{"b":[1,2]}}', 'application/json').markdown).toContain('\n    "b": [\n')
  })

  it('is indented and fenced, and its addresses are links', () => {
    const page = open('{"a":[1,"https://x.com/y"]}', 'application/json')
    expect(page.markdown).toBe('```json\n{\n  "a": [\n    1,\n    "https://x.com/y"\n  ]\n}\n```')
    expect(page.links).toEqual(['https://x.com/y'])
    expect(page.rawHtml).toBe('{"a":[1,"https://x.com/y"]}')
  })

  it('stays as it came when it is broken or too deep', () => {
    expect(open('{"a":', 'application/json').markdown).toBe('```json\n{"a":\n```')
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(open(deep, 'application/json').markdown).toContain('[[[[')
  })
})

describe('text', () => {
  it('stays as it is', () => {
    expect(open('a *b*\n\n- c\n', 'text/plain').markdown).toBe('a *b*\n\n- c')
  })

  it('is fenced where columns would be lost', () => {
    const drawn = 'name    size\na       1\nb       22\nc       333'
    expect(open(drawn, 'text/plain').markdown).toBe(`\`\`\`\n${drawn}\n\`\`\``)
  })

  it('passes markdown through unchanged', () => {
    expect(open('# a\n\n* b\n', 'text/markdown').markdown).toBe('# a\n\n* b\n')
  })

  it('fences source code in its language', () => {
    expect(open('a { b: c }', 'text/css').markdown).toBe('```css\na { b: c }\n```')
  })

  it('is escaped in html', () => {
    expect(open('a <b> & c', 'text/plain').html).toBe('<body><pre><code>a &lt;b&gt; &amp; c</code></pre></body>')
  })
})

describe('a feed', () => {
  const rss =
    '<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>https://f.com/</link><description>About</description><language>de</language>' +
    '<item><title>One &amp; two</title><link>https://f.com/1</link><pubDate>Mon, 01 Jan 2026</pubDate><description>&lt;p&gt;a &lt;b&gt;b&lt;/b&gt;&lt;/p&gt;&lt;script&gt;x</description></item>' +
    '<item><title><![CDATA[Three]]></title><link>https://f.com/2</link><description><![CDATA[<a href="/y">c</a>]]></description></item></channel></rss>'

  it('has a heading per entry, with link, date and text', () => {
    const page = open(rss, 'application/rss+xml')
    expect(page.markdown).toBe(
      '# [T](https://f.com/)\n\nAbout\n\n## [One & two](https://f.com/1)\n\nMon, 01 Jan 2026\n\na **b**\n\n## [Three](https://f.com/2)\n\n[c](https://e.com/y)',
    )
    expect(page.links).toEqual(['https://f.com/', 'https://f.com/1', 'https://f.com/2', 'https://e.com/y'])
    expect(page.metadata).toMatchObject({ title: 'T', description: 'About', language: 'de' })
  })

  it('may be Atom', () => {
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>E</title><link rel="self" href="https://f.com/self"/><link href="https://f.com/e"/><updated>2026-01-01</updated><author><name>me</name></author><content type="html">&lt;i&gt;x&lt;/i&gt;</content></entry></feed>'
    expect(open(atom, 'application/atom+xml').markdown).toBe('# T\n\n## [E](https://f.com/e)\n\n2026-01-01 · me\n\n*x*')
  })

  it('may be Atom 0.3, with addresses relative to `xml:base`', () => {
    const atom =
      '<feed version="0.3" xmlns="http://purl.org/atom/ns#" xml:base="https://f.com/blog/"><title>T</title><tagline>About</tagline>' +
      '<entry xml:base="2026/"><title>E</title><link rel="alternate" href="e.html"/><issued>2026-01-01</issued><content mode="escaped">&lt;p&gt;&lt;a href="../x"&gt;x&lt;/a&gt;&lt;/p&gt;</content></entry>' +
      '<entry xml:base="/other/"><title>F</title><link href="f.html"/></entry></feed>'
    expect(open(atom, 'application/atom+xml').markdown).toBe(
      '# T\n\nAbout\n\n## [E](https://f.com/blog/2026/e.html)\n\n2026-01-01\n\n[x](https://f.com/blog/x)\n\n## [F](https://f.com/other/f.html)',
    )
  })

  it('may be RDF, whose items stand beside the channel', () => {
    const rdf =
      '<rdf:RDF><channel><title>T</title></channel><item><title>E</title><link>https://f.com/e</link></item></rdf:RDF>'
    expect(open(rdf, 'application/xml').markdown).toBe('# T\n\n## [E](https://f.com/e)')
  })
})

it('reads an article of a journal in JATS as a page', () => {
  const article = `<?xml version="1.0"?><article article-type="research-article"><front><article-meta>
    <title-group><article-title>Silt in <italic>deltas</italic></article-title></title-group>
    <contrib-group><contrib><name><surname>Bohl</surname><given-names>Lea</given-names></name></contrib></contrib-group>
    <abstract><p>We measured silt.</p></abstract></article-meta></front>
    <body><sec><title>Methods</title><p>At <xref ref-type="fig" rid="f">two</xref> places.</p>
    <sec><title>Rate</title><p><inline-formula><tex-math>\\begin{document}$$x^2$$\\end{document}</tex-math></inline-formula>
    by <ext-link xlink:href="https://e.com/m">m</ext-link></p></sec></sec>
    <table-wrap><label>Table 1</label><table><thead><tr><th>River</th></tr></thead><tbody><tr><td>Aa</td></tr></tbody></table></table-wrap></body>
    <back><ref-list><title>References</title><ref><mixed-citation>Abt 2001.</mixed-citation></ref></ref-list></back></article>`
  const page = open(article, 'application/xml')
  expect(page.kind).toBe('jats')
  expect(page.metadata).toMatchObject({ title: 'Silt in deltas', author: 'Lea Bohl' })
  expect(page.markdown).toBe(
    '# Silt in *deltas*\n\nLea Bohl\n\n## Abstract\n\nWe measured silt.\n\n## Methods\n\nAt two places.\n\n' +
      '### Rate\n\n$x^2$ by [m](https://e.com/m)\n\nTable 1\n\n| River |\n| --- |\n| Aa |\n\n## References\n\n- Abt 2001.',
  )
})

it('keeps the numbers of sections and the parts of citations apart, and finds the end of long articles', () => {
  const article = `<article article-type="x"><front><article-meta><title-group><article-title>Silt</article-title></title-group>
    <contrib-group><contrib><collab>The Silt Group</collab></contrib></contrib-group></article-meta></front>
    <body><sec><label>1.</label><title>Methods</title>${'<p>At <b>a</b>.</p>'.repeat(9000)}</sec></body><back><ref-list><ref><label>1</label><element-citation>
    <person-group><name><surname>Abt</surname><given-names>A</given-names></name></person-group><year>2001</year><source>Nature</source></element-citation></ref></ref-list></back></article>`
  const { markdown } = open(article, 'application/xml')
  expect(markdown).toMatch(/^# Silt\n\nThe Silt Group\n\n## 1\\?\. Methods\n\nAt a\./)
  expect(markdown).toMatch(/\n\n- 1 Abt A 2001 Nature$/)
})

it('shows other XML as it is, with its addresses as links', () => {
  const page = open('<urlset><url><loc>https://e.com/x</loc></url></urlset>', 'application/xml')
  expect(page.markdown).toBe('```xml\n<urlset><url><loc>https://e.com/x</loc></url></urlset>\n```')
  expect(page.links).toEqual(['https://e.com/x'])
})

it('displays the formulas of an article that stand on lines of their own', () => {
  const tex = '<tex-math>x^2</tex-math>'
  const article = `<article article-type="x"><body><p>At <inline-formula>${tex}</inline-formula>.</p>
    <disp-formula><alternatives><graphic/>${tex}</alternatives></disp-formula>
    <disp-formula><mml:math><mml:mi>y</mml:mi></mml:math></disp-formula></body></article>`
  expect(open(article, 'application/xml').markdown).toBe('At $x^2$.\n\n$$\nx^2\n$$\n\n$$\ny\n$$')
})

describe('AsciiDoc', () => {
  const read = (...lines: string[]) => open(lines.join('\n'), 'text/asciidoc').markdown

  it('has a title with its author, attributes and conditions, and is recognised by its address', () => {
    const text = '= Silt\nLea Bohl\n:river: Aa\n\nifdef::x[]\nno\nendif::[]\nThe {river} {sea}.\ninclude::b.adoc[]\n'
    const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
    const page = parsePage(
      { bytes: new TextEncoder().encode(text), contentType: 'text/plain', url: 'https://e.com/a.adoc?raw=1' },
      choices,
    )
    expect(page.metadata.title).toBe('Silt')
    expect(page.markdown).toBe('# Silt\n\nLea Bohl\n\nThe Aa {sea}.\n\n[b.adoc](https://e.com/b.adoc)')
  })

  it('has headings, lists in lists, blocks of items and terms', () => {
    expect(
      read(
        '== A',
        '. one',
        '** b',
        '. two',
        '+',
        '----',
        'x  y',
        '----',
        '',
        'p',
        '',
        't:: d',
        '',
        'Old',
        '---',
        '',
        'end',
      ),
    ).toBe('## A\n\n1. one\n   - b\n2. two\n   ```\n   x  y\n   ```\n\np\n\n**t**\n\n: d\n\n## Old\n\nend')
  })

  it('has marks, links, images, notes, formulas and characters that are none of them', () => {
    expect(read('*b* **c**d _i_ `+a{b}+` H~2~O a_b_c 2 * 3 https://e.com/x[X] <<s,S>> image:i.png[I]')).toBe(
      '**b** **c**d *i* `a{b}` H<sub>2</sub>O a_b_c 2 * 3 [X](https://e.com/x) [S](https://e.com/a/b#s) ![I](https://e.com/a/i.png)',
    )
    expect(read('a.footnote:[N] stem:[x^2]', '', '[NOTE]', '====', 'n', '====')).toBe(
      'a.[^1] $x^2$\n\n> **Note**\n>\n> n\n\n[^1]: N',
    )
  })

  it('has tables with cells that span columns and rows, and tables of comma-separated values', () => {
    expect(read('[cols="1,1a"]', '|===', '|A |B', '', '.2+|x | * y', '|z', '2+|w', '|===')).toBe(
      '| A | B |\n| --- | --- |\n| x | - y |\n| x | z |\n| w | |',
    )
    expect(read('[%header]', ',===', '"a, b",c', 'd,', ',===')).toBe('| a, b | c |\n| --- | --- |\n| d | |')
  })

  it('leaves out comments, resolves addresses and keeps the lines of verses', () => {
    expect(read('////', 'a', '////', '= T', ':d: p', '////', 'b', '////', '', 'x')).toBe('# T\n\nx')
    expect(read(':d: p', 'include::{d}/x.adoc[]', '', 'include::{e}/y.adoc[]')).toBe(
      '[p/x.adoc](https://e.com/a/p/x.adoc)\n\n{e}/y.adoc',
    )
    expect(read('a image::i.png[I] image:j.png[J]')).toBe('a image::i.png[I] ![J](https://e.com/a/j.png)')
    expect(read('[verse, Bohl]', '  one', 'two')).toBe('> one  \n> two\n>\n> — Bohl')
    expect(read('[verse]', '____', '  one', '', 'two', '____')).toBe('> one\n>\n> two')
    expect(read('https://a.com[open *b* and', '', 'https://a.com[b [c\\] d]', '', 'stem:[a')).toBe(
      '[https://a.com](https://a.com/)[open \\*b\\* and\n\n[b \\[c\\] d](https://a.com/)\n\nstem:[a',
    )
  })

  it('does not take names of objects for attributes, and counts only what attributes add', () => {
    expect(read('{__proto__} {constructor} {vbar}')).toBe('{*proto*} {constructor} |')
    const long = `:a: ${'x'.repeat(2000)}\n`
    expect(open(`${long}${'{__proto__}{a}\n\n'.repeat(1000)}`, 'text/asciidoc').markdown.length).toBeLessThan(1_100_000)
    expect(read(':a: x', `${'{unknown}'.repeat(9000)}\n\n`.repeat(14), '{a}')).toMatch(/\nx$/)
    const folder = `:imagesdir: ${'x'.repeat(2000)}\n\n`
    expect(open(`${folder}${'image:i[]\n\n'.repeat(2000)}`, 'text/asciidoc').markdown.length).toBeLessThan(1_200_000)
  })

  it('finds the option of a head among the attributes of a table', () => {
    const table = ['|===', '|a |b', '|c |d', '|===']
    const head = '| a | b |\n| --- | --- |\n| c | d |'
    expect(read('[%autowidth%header,cols=2*]', ...table)).toBe(head)
    expect(read('[options="footer, header"]', ...table)).toBe(head)
    expect(read('[%noheader]', ...table)).not.toBe(head)
  })

  it('copies no more of cells than one document may, however deep their tables nest', () => {
    const nest = (levels: number): string =>
      levels === 0
        ? 'x'
        : `|===\n10*a|\n${nest(levels - 1)
            .replaceAll('|', '\\|')
            .replace('===', '====')}`
    expect(read(nest(12)).match(/x/g)?.length).toBeLessThan(30_000)
    expect(read('|===', `200*|${'b'.repeat(3_000_000)}`).length).toBeLessThan(4_100_000)
    expect(read('[cols="200*"]', '|===', '200.200+|a\n'.repeat(20_000)).length).toBeLessThan(1_000_000)
    const { markdown, warnings } = open(`,===\n${'1,'.repeat(300_000)}`, 'text/asciidoc')
    expect(markdown.match(/1/g)?.length).toBeLessThanOrEqual(200_000)
    expect(warnings).toContain('The tables of the file have more than 200000 cells; the rest was left out.')
  })

  it.each<[string, (length: number) => string]>([
    ['brackets of a condition', (length) => `ifdef::${'['.repeat(length)}`],
    ['escaped brackets of macros', (length) => 'kbd:[\\]'.repeat(length / 4)],
    ['open links with marks', (length) => 'https://a[*b* ['.repeat(length / 15)],
    ['attributes in a paragraph', (length) => `:a: ${'kbd:[\\]'.repeat(250)}\n\n${'{a}'.repeat(length / 400)}`],
    ['options of a table', (length) => `[${'%'.repeat(length)}${'options='.repeat(length / 8)}]\n|===\n|a\n|===`],
    ['blanks before a line separator', (length) => `a::${' '.repeat(length)}x\u2028a`],
  ])('is read in linear time: %s', (_, make) =>
    expectLinear(12_000, (length) => open(make(length), 'text/asciidoc').markdown),
  )

  it.each([
    'link:a[',
    '[[a',
    'pass:[a',
    '"`a ',
    '* a\n+\n',
    '====\n',
    '|===\n.200+|a\n',
    'ifdef::a[]\n',
    '*_`#',
    ':a: {b}\n',
  ])('is read in linear time if it repeats %j', (part) =>
    expectLinear(12_000, (length) => open(part.repeat(length / part.length), 'text/asciidoc').markdown),
  )
})
