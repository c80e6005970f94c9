import { describe, expect, it } from 'vitest'
import { Problem } from '../base/problem.ts'
import { type ContentOptions, type ParsedPage, parsePage } from './parsed-page.ts'

const everything: ContentOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
}

function open(
  body: string | Uint8Array,
  choices: Partial<ContentOptions> = {},
  contentType = 'text/html; charset=utf-8',
): ParsedPage {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return parsePage({ bytes, contentType, url: 'https://e.com/a/b' }, { ...everything, ...choices })
}

describe('links of an uploaded file', () => {
  const open = (head: string) => {
    const body = '<a href="/a">a</a> <a href="b.html">b</a> <a href="//o.com/c">c</a> <a href="javascript:d()">d</a>'
    const bytes = new TextEncoder().encode(`<head>${head}</head><p>Links: ${body}</p>`)
    return parsePage({ bytes, contentType: 'text/html', url: 'file:///saved.html' }, everything)
  }

  it('stay relative when nothing says where the page comes from', () => {
    for (const head of ['', '<link rel="canonical" href="/x">', '<meta property="og:url" content="javascript:1">'])
      expect(open(head).markdown).toBe('Links: [a](/a) [b](b.html) [c](https://o.com/c) d')
  })

  it('are resolved against the address that the page states', () => {
    for (const head of [
      '<link rel="canonical" href="https://e.com/x/y">',
      '<meta property="og:url" content="https://e.com/x/y">',
    ]) {
      expect(open(head).markdown).toBe('Links: [a](https://e.com/a) [b](https://e.com/x/b.html) [c](https://o.com/c) d')
      expect(open(head).links).toEqual(['https://e.com/a', 'https://e.com/x/b.html', 'https://o.com/c'])
    }
  })
})

describe('what counts as content', () => {
  it('leaves out what no reader would see', () => {
    const page = open(
      'a<p hidden>b</p><p style="DISPLAY : none">c</p><p style="visibility:hidden">d</p><dialog>e</dialog>' +
        '<script>f</script><style>g</style><noscript>h</noscript><!-- i --><template>j</template><i aria-hidden=true>★</i>z',
    )
    expect(page.markdown).toBe('a\n\nz')
  })

  it('keeps words that are hidden from screen readers only', () => {
    for (const indent of ['', '\n'.padEnd(200)])
      expect(open(`<main aria-hidden="true">${indent}<p>the page under a dialog</p></main>`).markdown).toBe(
        'the page under a dialog',
      )
  })

  it('reads a page that hides itself until a script has run', () => {
    const story = '<p>What the keepers wrote down, day by day.</p>'.repeat(40)
    const hidden = `<div id="app" style="display:none">${story}<p hidden>never</p></div>`
    expect(open(`<p>Please wait</p>${hidden}`).markdown).toMatch(/Please wait\n\nWhat the keepers/)
    expect(open(`<p>Please wait</p>${hidden}`).markdown).not.toContain('never')
    expect(open(`<body style="visibility:hidden">${story}</body>`).markdown).toContain('What the keepers')
    expect(open(`${story}<div hidden>${'<p>A menu for phones.</p>'.repeat(40)}</div>`).markdown).not.toContain('menu')
  })

  it('reads a short page that hides itself as well', () => {
    expect(open('<body style="display:none"><h1>Tides</h1><p>High at nine.</p></body>').markdown).toBe(
      '# Tides\n\nHigh at nine.',
    )
  })

  it.each([
    [
      'a letter',
      '<p>Hi Bob,</p><p>on Monday at 10.</p><p>Best,<br>Ann</p><hr><p>Acme Ltd. | 1 Main Street</p>',
      'Acme',
    ],
    [
      'minutes',
      '<h1>Minutes</h1><p>Present: Ann, Bob</p><p>Date: 3 May</p><ol><li>Budget approved</li></ol>',
      'Present',
    ],
    ['a note', '<h1>Guide</h1><p>Use the left door.</p><aside>The right one is locked.</aside><p>Ring.</p>', 'locked'],
    [
      'a footer',
      '<article><h1>Prize</h1><p>The bakery won.</p><footer>Published in Local News</footer></article>',
      'Local',
    ],
  ])('keeps a page without boilerplate whole: %s', (_, source, part) => {
    expect(open(source, { onlyMainContent: true }).markdown).toContain(part)
    const menu = '<nav><a href="/a">One</a> <a href="/b">Two</a></nav>'
    expect(open(menu + source, { onlyMainContent: true }).markdown).not.toContain('Two')
  })

  it('reads a hidden part that has the title of the page, if nothing else has it', () => {
    const article =
      '<article style="display:none"><h1>Tides of May</h1><p>High at nine in the morning, and the boats leave an hour before it.</p></article>'
    const around = `<title>Tides of May – Harbour</title><header>${'<p>Open all year.</p>'.repeat(20)}</header>`
    for (const onlyMainContent of [true, false]) {
      const { markdown } = open(around + article, { onlyMainContent })
      expect(markdown).toContain('# Tides of May\n\nHigh at nine')
    }
    expect(open(`${around}<h1>Tides of May</h1>${article}`).markdown).not.toContain('High at nine')
    expect(open(around + article.replace('Tides of May', 'Sign up')).markdown).not.toContain('High at nine')
  })

  it('leaves out what says that something is still loading, and keeps what speaks of it', () => {
    const page = open(
      '<p>Tides</p><div>Loading comments…</div><p>Chargement...</p><span>読み込み中…</span><h2>Loading…</h2><p>Loading</p><p>It shows <code>Loading…</code> first.</p><p>Loading ships takes time...and patience.</p>',
    )
    expect(page.markdown).toBe(
      'Tides\n\nLoading\n\nIt shows `Loading…` first.\n\nLoading ships takes time...and patience.',
    )
  })

  it('takes what follows the end of the body for a part of it', () => {
    expect(open('<html><body><p>a</p></body></html><p>b</p>').markdown).toBe('a\n\nb')
  })

  it('leaves out a single run of text beside others that stay', () => {
    const copy = 'The ferry leaves at nine from the old pier, and takes an hour and a half.'
    const page = open(
      `<main><h1>Ferry</h1><p>${copy}</p><div>Good to know:<br><br>${copy}<br><br>No dogs.</div></main>`,
      {
        onlyMainContent: true,
      },
    )
    for (const text of [page.markdown, page.html]) expect(text.split(copy).length - 1).toBe(1)
    expect(page.cuts.map(({ why }) => why)).toContain('copy of a text that is kept')
  })

  it('takes includeTags for the content, by tag, class, id or any selector', () => {
    const html = '<header>h</header><main><p class=x>a</p><p id=y>b</p><div><em>c</em></div></main>'
    expect(open(html, { includeTags: ['.x', '#y'] }).markdown).toBe('a\n\nb')
    expect(open(html, { includeTags: ['main > div'] }).markdown).toBe('*c*')
    expect(open(html, { includeTags: ['HEADER'], onlyMainContent: true }).markdown).toBe('h')
    expect(open(html, { includeTags: ['.none'] }).markdown).toBe('')
  })

  it('gives each included element once, in document order', () => {
    expect(open('<div><p>a</p></div><p>b</p>', { includeTags: ['p', 'div'] }).markdown).toBe('a\n\nb')
  })

  it('matches frames in selectors', () => {
    const page = open('<iframe src="https://x.com/f" title="t"></iframe><p>a', { includeTags: ['iframe'] })
    expect(page.markdown).toBe('[t](https://x.com/f)')
  })

  it('takes excludeTags away, from included elements too', () => {
    const html = '<main><p class=x>a</p><p>b</p></main>'
    expect(open(html, { excludeTags: ['.x'] }).markdown).toBe('b')
    expect(open(html, { includeTags: ['main'], excludeTags: ['.x'] }).markdown).toBe('b')
    expect(open(html, { includeTags: ['.x'], excludeTags: ['.x'] }).markdown).toBe('')
  })

  it('names the selector that is none', () => {
    expect(() => open('a', { includeTags: ['p['] }).markdown).toThrow('`p[` in `includeTags` is not a CSS selector')
    expect(() => open('a', { excludeTags: [':bogus('] }).html).toThrow(Problem)
  })

  it('cuts boilerplate only when asked to', () => {
    const text =
      '<p>Long enough to be an article, with several words in a sentence. And a second one, for good measure.</p>'
    const html = `<body><nav><a href=/n>menu</a></nav><main><h1>t</h1>${text.repeat(20)}</main></body>`
    expect(open(html).markdown).toContain('menu')
    expect(open(html, { onlyMainContent: true }).markdown).not.toContain('menu')
    expect(open(html, { onlyMainContent: true }).markdown).toContain('Long enough')
  })

  it('says what was cut and why, biggest first', () => {
    const { cuts } = open('<p>a</p><script>1234567890</script><p hidden id=x class="y z w">12345</p>')
    expect(cuts).toEqual([
      { what: 'script', why: '<script> is not content', chars: 10 },
      { what: 'p#x.y.z', why: 'hidden', chars: 5 },
    ])
  })

  it('keeps the record of cuts short', () => {
    expect(open('<p hidden>x</p>'.repeat(500)).cuts).toHaveLength(100)
  })
})

describe('a page', () => {
  it('gives the text exactly as received', () => {
    const html = '<P>a<!-- c --></p>\r\n<script>x</script>\0'
    expect(open(html).rawHtml).toBe(html)
  })

  it('does not change its tree, whatever is made of it', () => {
    const page = open('<p onclick=x>a <img srcset="/b 2x"><script>y</script>')
    const before = page.tree.children.length
    const attribs = JSON.stringify(page.tree.children.map((node) => ('attribs' in node ? node.attribs : '')))
    expect([page.markdown, page.html, page.links, page.images, page.metadata].length).toBe(5)
    expect(page.tree.children.length).toBe(before)
    expect(JSON.stringify(page.tree.children.map((node) => ('attribs' in node ? node.attribs : '')))).toBe(attribs)
  })

  it('makes each thing once', () => {
    const page = open('<a href=/x>a</a>')
    expect(page.tree).toBe(page.tree)
    expect(page.links).toBe(page.links)
    expect(page.metadata).toBe(page.metadata)
  })

  it('gives the same answer to the same bytes', () => {
    const html = '<table><tr><td>a<td><b>x<p>y<ul><li>z'
    expect(open(html).markdown).toBe(open(html).markdown)
    expect(open(html).html).toBe(open(html).html)
  })
})

describe('a type nobody reads', () => {
  const pdf = () => open('%PDF-1.7 …', {}, 'text/html')

  it('is refused only when something made of text is asked for', () => {
    const page = pdf()
    expect(page.metadata).toEqual({})
    expect(page.warnings).toEqual([])
    for (const field of ['kind', 'rawHtml', 'tree', 'links', 'images', 'html', 'markdown'] as const) {
      expect(() => page[field]).toThrow('application/pdf, and this build has no reader for it')
    }
  })

  it('is recognised by its first bytes, whatever the header says', () => {
    expect(() => open(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), {}, 'text/html').markdown).toThrow(
      'image/png',
    )
    expect(() => open(Uint8Array.of(0x50, 0x4b, 3, 4), {}, 'application/vnd.ms-excel').markdown).toThrow('vnd.ms-excel')
    const noise = Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 0xff)
    expect(() => open(noise, {}, 'text/html').markdown).toThrow('application/octet-stream')
  })
})

it.each([
  ['<h1>Herons</h1>', ''],
  ['<header><h1>Herons</h1></header>', '<h2>Where they live</h2>'],
])('brings no title back that the caller left out: %s', (heading, more) => {
  const text = '<p>Herons stand in shallow water and wait for fish, often for hours, without any movement at all.</p>'
  const html = `<title>Herons</title>${heading}<main>${more}${text.repeat(3)}</main>`
  const choices = { onlyMainContent: true, removeBase64Images: true, includeTags: [] }
  expect(open(html, choices).markdown).toContain('# Herons')
  expect(open(html, { ...choices, excludeTags: ['h1'] }).markdown).not.toContain('# Herons')
})
