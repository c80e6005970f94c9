import type { AnyNode, Document } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { expectCost, sized } from '../../test/cost.ts'
import { findMainContent, type RemovedNodes } from './find-main-content.ts'
import { isHidden } from './main/hidden-elements.ts'

/** The text that remains, without recursion, since some pages here are 100 000 levels deep. */
function remaining(tree: Document, cuts: RemovedNodes): string {
  const out: string[] = []
  const open: AnyNode[] = [...tree.children].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (cuts.has(node)) continue
    if (isText(node)) out.push(node.data)
    else if (isTag(node) && node.name !== 'script' && node.name !== 'title')
      for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i]!)
  }
  return out.join(' ').replace(/\s+/g, ' ')
}

const main = (html: string, url?: string): string => {
  const tree = parseDocument(html)
  return remaining(
    tree,
    findMainContent(tree, url === undefined ? { hidden: isHidden } : { hidden: isHidden, url }).cuts,
  )
}

const prose = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `<p>The ${topic} of part ${i + 1} was watched for several weeks, and what the keepers wrote down, day by day, ` +
      'tells more than any summary could. They were careful, they were patient, and they did not agree with each other.</p>',
  ).join('\n')

const navigation = `<nav class="site-nav"><ul>${['Home', 'About us', 'Prices', 'Contact', 'Press']
  .map((name) => `<li><a href="/${name}">${name}</a></li>`)
  .join('')}</ul></nav>`
const footer =
  '<footer class="site-footer"><p>© 2026 Harbour Weekly. All rights reserved.</p><a href="/privacy">Privacy policy</a> <a href="/imprint">Imprint</a></footer>'

const page = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`

const article = page(
  'The lighthouse that moved | Harbour Weekly',
  `<header class="masthead"><a href="/">Harbour Weekly</a>${navigation}</header>
  <main><article class="post"><h1>The lighthouse that moved</h1>
  <div class="entry-content">${prose('lighthouse', 9)}</div></article>
  <section class="related-posts"><h2>Related articles</h2><ul>
  ${['A bridge too narrow', 'Ferries in winter', 'The last cooper', 'Salt roads'].map((t) => `<li><a href="/a">${t}</a></li>`).join('')}
  </ul></section>
  <section id="comments" class="comments-area"><h2>3 comments</h2>
  <ol class="comment-list">${['Great read, thanks!', 'I live nearby and never knew.', 'First!'].map((t) => `<li class="comment"><div class="comment-body"><p>${t}</p></div></li>`).join('')}</ol></section>
  </main>
  <aside class="sidebar widget-area"><h3>Newsletter</h3><p>Subscribe to our newsletter</p></aside>${footer}`,
)

describe('main content of an article', () => {
  const text = main(article, 'https://harbour.example/2026/03/the-lighthouse-that-moved')

  it('keeps every paragraph of the story', () => {
    for (let i = 1; i <= 9; i++) expect(text).toContain(`lighthouse of part ${i} was`)
  })
  it('leaves out navigation, footer and sidebar', () => {
    for (const words of ['About us', 'Privacy policy', 'All rights reserved', 'Subscribe to our newsletter'])
      expect(text).not.toContain(words)
  })
  it('leaves out related articles', () => {
    for (const words of ['Related articles', 'Ferries in winter', 'Salt roads']) expect(text).not.toContain(words)
  })
  it('leaves out the comments below it', () => {
    for (const words of ['Great read', 'never knew', 'First!']) expect(text).not.toContain(words)
  })
})

describe('main content of a forum thread', () => {
  const posts = ['How do I keep the lamp from fogging', 'We had the same trouble last autumn', 'Try to warm the glass']
  const thread = page(
    'Lamp fogging - Keepers Forum',
    `<div class="forum-header">${navigation}</div><h1 class="thread-title">Lamp fogging</h1>
    <div class="posts">${posts
      .map(
        (t, i) =>
          `<div class="post message" id="post-${i}"><div class="post-author user-info">keeper${i}</div>
          <div class="post-content postbody"><p>${t} before you light it, because the cold air outside does the rest, as we learned.</p>
          <p>After that it took us two evenings, a cloth and some vinegar, and it has been fine ever since.</p></div></div>`,
      )
      .join('')}</div>${footer}`,
  )
  const text = main(thread, 'https://forum.keepers.example/threads/lamp-fogging.1234/')

  it('keeps all posts', () => {
    for (const words of posts) expect(text).toContain(words)
  })
  it('leaves out navigation and footer', () => {
    for (const words of ['About us', 'Privacy policy']) expect(text).not.toContain(words)
  })
})

describe('hidden and late content', () => {
  it('reads a forum that keeps its posts in noscript', () => {
    const text = main(
      page(
        'Anchors',
        `<div id="app"></div>${navigation}<noscript><div id="main-outlet">${`<div class="topic-body crawler-post"><div class="post">${prose('anchor', 2)}</div></div>`.repeat(3)}</div></noscript>`,
      ),
    )
    expect(text).toContain('anchor of part 1 was')
  })
  it('reads parts that React streamed in as hidden elements', () => {
    const text = main(
      page(
        'Ropes',
        `<main><h1>Ropes</h1></main>${navigation}<div hidden id="S:1"><article>${prose('rope', 6)}</article></div>`,
      ),
    )
    expect(text).toContain('rope of part 3 was')
  })
  it('does not count the text of scripts and hidden elements', () => {
    const plain = page('Knots', `<article>${prose('knot', 4)}</article>${footer}`)
    const noisy = plain.replace(
      '<article>',
      `<script>${'var words = "many words here"; '.repeat(400)}</script><div style="display: none">${prose('shadow', 5)}</div><article>`,
    )
    const tree = parseDocument(noisy)
    const cuts = findMainContent(tree).cuts
    expect(remaining(tree, cuts)).toContain('knot of part 4 was')
  })
})

describe('what is promised of every page', () => {
  it('never leaves a page that has text empty', () => {
    for (const body of [
      'x',
      '<p>Hello</p>',
      navigation,
      footer,
      `<nav>${footer}</nav>`,
      '<div class="cookie-consent modal">We use cookies</div>',
      '<a href="/">Home</a>',
      '<table><tr><td>1</td></tr></table>',
    ]) {
      expect(main(page('', body)).trim(), body).not.toBe('')
      expect(main(body).trim(), body).not.toBe('')
    }
  })
  it('has nothing to cut on a page without text', () => {
    expect(findMainContent(parseDocument('<body><img src="a.png"><div></div></body>')).cuts.size).toBe(0)
    expect(findMainContent(parseDocument('')).cuts.size).toBe(0)
  })
  it('gives the same cuts each time and leaves the tree as it was', () => {
    const [one, two] = [parseDocument(article), parseDocument(article)]
    const before = one.children.length
    const first = remaining(one, findMainContent(one).cuts)
    expect(remaining(one, findMainContent(one).cuts)).toBe(first)
    expect(remaining(two, findMainContent(two).cuts)).toBe(first)
    expect(one.children.length).toBe(before)
  })
  it('gives a reason for each cut, and cuts whole subtrees rather than their leaves', () => {
    const tree = parseDocument(article)
    const cuts = findMainContent(tree).cuts
    for (const reason of cuts.values()) expect(reason).toMatch(/\w/)
    for (const node of cuts.keys())
      for (let up = node.parent; up; up = up.parent) expect(cuts.has(up as AnyNode)).toBe(false)
    expect([...cuts.values()].some((reason) => reason.includes('footer'))).toBe(true)
  })
  it('keeps the pictures of the story and drops the logo', () => {
    const tree = parseDocument(
      page(
        'Gulls',
        `<div class="top"><img src="logo.png"></div>${navigation}<article>${prose('gull', 3)}<figure><img src="gull.jpg"></figure>${prose('tern', 3)}</article>${footer}`,
      ),
    )
    const cuts = findMainContent(tree).cuts
    const kept: string[] = []
    const open: AnyNode[] = [...tree.children]
    for (let node = open.pop(); node; node = open.pop()) {
      if (cuts.has(node) || !isTag(node)) continue
      if (node.name === 'img') kept.push(node.attribs.src!)
      open.push(...node.children)
    }
    expect(kept).toEqual(['gull.jpg'])
  })
})

describe('hostile pages', () => {
  const milliseconds = (html: string): number => {
    const tree = parseDocument(html)
    const start = performance.now()
    findMainContent(tree).cuts
    return performance.now() - start
  }
  it('walks 100 000 levels without a stack', () => {
    const depth = 100_000
    const tree = parseDocument(`${'<div>'.repeat(2)}<p>Some text here.</p>`)
    // Built by hand: a parser takes quadratic time for this, which is not what is tested here.
    let inner = tree.children[0] as import('domhandler').Element
    for (let i = 0; i < depth; i++) {
      const child = inner.cloneNode(false)
      child.parent = inner
      child.prev = null
      child.next = null
      const first = inner.firstChild
      if (first) {
        first.prev = child
        child.next = first
      }
      inner.children.unshift(child)
      inner = child
    }
    expect(remaining(tree, findMainContent(tree).cuts)).toContain('Some text here.')
  })
  it('takes time in proportion to the page', () => {
    const body = `${navigation}<div class="row">${prose('tide', 4)}<ul><li><a href="/x">more</a></li></ul></div>`
    milliseconds(body.repeat(50))
    const small = Math.min(...[0, 1, 2].map(() => milliseconds(body.repeat(sized(200)))))
    const large = Math.min(...[0, 1].map(() => milliseconds(body.repeat(sized(2000)))))
    expectCost(large / small).toBeLessThan(25)
  })
  it('bears odd attributes, endless names and broken markup', () => {
    const long = 'a-'.repeat(100_000)
    expect(main(`<div class="${long}" id="${long}" style="${long}"><p>Kept text stands here.</p></div><div`)).toContain(
      'Kept text',
    )
    expect(main('<p>One</div></p></table><li>Two<td>Three')).toContain('Two')
  })
})
