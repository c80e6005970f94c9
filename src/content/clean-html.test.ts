import { describe, expect, it } from 'vitest'
import { parsePage } from './parsed-page.ts'

function html(source: string, includeTags: string[] = []): string {
  const choices = { onlyMainContent: false, includeTags, excludeTags: [], removeBase64Images: true }
  const bytes = new TextEncoder().encode(source)
  return parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/a/b' }, choices).html
}

describe('cleaned html', () => {
  it('has no script, style, noscript, meta or head', () => {
    const page =
      '<html><head><title>t</title><meta name=a content=b></head><body><p>a</p><script>b</script><style>c</style><noscript>d</noscript></body></html>'
    expect(html(page)).toBe('<body><p>a</p></body>')
  })

  it('makes addresses absolute and drops what would run', () => {
    expect(html('<a href="../x" onclick="y()" class=k>a</a><a href="javascript:y()">b</a>')).toBe(
      '<a href="https://e.com/x" class="k">a</a><a>b</a>',
    )
  })

  it.each(['java&#9;script:y()', '&#1;javascript:y()', ' JaVaScRiPt:y()', 'java\nscript:y()', '&#x20;vbscript:y()'])(
    'knows a program by what a browser makes of it: %j',
    (href) => {
      expect(html(`<a href="${href}">b</a><form action="${href}"></form><img src="${href}" alt=c>`)).not.toMatch(
        /script/i,
      )
      expect(html(`<svg><a xlink:href="${href}"><text>d</text></a></svg><p>e</p>`)).not.toMatch(/script/i)
      const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
      const bytes = new TextEncoder().encode(
        `<p>a <a href="${href}">b</a> <code><a href="${href}">c</a></code> <img src="${href}" alt=d></p>`,
      )
      const page = parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/a/b' }, choices)
      expect(page.markdown).toMatch(/b/)
      expect(page.markdown).not.toMatch(/script/i)
    },
  )

  it('gives images their largest source', () => {
    expect(html('<img src=s.jpg srcset="m.jpg 1x, l.jpg 2x" sizes=1px alt="a&quot;b">')).toBe(
      '<img src="https://e.com/a/l.jpg" alt="a&quot;b">',
    )
  })

  it('keeps inlined images, which only markdown replaces', () => {
    expect(html('<img src="data:image/png;base64,AA">')).toBe('<img src="data:image/png;base64,AA">')
  })

  it('escapes text and keeps declared shadow roots as content', () => {
    expect(html('<p>a &lt;b&gt; &amp; c</p><x-y><template shadowrootmode=open><i>s</i></template></x-y>')).toBe(
      '<p>a &lt;b&gt; &amp; c</p><x-y><i>s</i></x-y>',
    )
  })

  it('honours includeTags', () => {
    expect(html('<div><p>a</p><p class=x>b</p></div>', ['.x'])).toBe('<p class="x">b</p>')
  })
})
