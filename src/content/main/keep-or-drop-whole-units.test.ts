// Things on a page are kept or cut whole, and a page begins with its title: pages of our own making, one for each kind of
// thing, read as a caller reads them.
import { describe, expect, it } from 'vitest'
import { parsePage } from '../parsed-page.ts'

const sentence = (topic: string, i: number): string =>
  `The ${topic} of part ${i} was watched for several weeks, and what the keepers wrote down, day by day, tells how the ` +
  `harbour changed, who came, and why the old lamp was lit again in the winter of that year.`
const prose = (topic: string, from = 1, to = 3): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `<p>${sentence(topic, from + i)}</p>`).join('')
const nav = '<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">News</a></li></ul></nav>'
const footer = '<footer><p>© Harbour News. All rights reserved.</p><a href="/terms">Terms</a></footer>'

function read(body: string, head = '<title>The lamp at the wall | Harbour News</title>', url?: string): string {
  const html = `<!doctype html><html><head>${head}</head><body>${nav}${body}${footer}</body></html>`
  return parsePage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html', url: url ?? 'https://harbour.example/lamp' },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  ).markdown
}

const story = (inner: string): string => `<main><article><h1>The lamp at the wall</h1>${inner}</article></main>`

describe('the title', () => {
  it('opens the page once, wherever the page has put it', () => {
    const page = `<header class="hero"><h1>The lamp at the wall</h1></header><main>${prose('lamp')}</main>`
    expect(read(page)).toMatch(/^# The lamp at the wall\n\nThe lamp of part 1/)
    expect(read(page).match(/The lamp at the wall/g)).toHaveLength(1)
    expect(read(`<main>${prose('lamp')}<h1>The lamp at the wall</h1>${prose('lamp', 4, 5)}</main>`)).toMatch(
      /^# The lamp at the wall\n/,
    )
  })

  it('is not the name of the site', () => {
    const page = `<h1><a href="/">Harbour News</a></h1><main><h2>The lamp at the wall</h2>${prose('lamp')}</main>`
    const markdown = read(page, '<title>Harbour News</title><meta property="og:title" content="The lamp at the wall">')
    expect(markdown).toMatch(/^# The lamp at the wall\n/)
    expect(markdown).not.toContain('Harbour News')
  })

  it('may be a text that is no heading, when it says what the page calls itself', () => {
    const page = `<table><tr><td><b>The lamp at the wall</b></td></tr></table><main>${prose('lamp')}</main>`
    expect(read(page, '<meta property="og:title" content="The lamp at the wall">')).toMatch(/# \**The lamp at the wall/)
  })
})

describe('kept whole', () => {
  it('a table, with its head and its shortest rows', () => {
    const rows = [
      ['Year', 'Ships'],
      ['1900', '4'],
      ['1901', 'about as many as in the year before, it was said'],
    ]
    const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
    const markdown = read(story(`${prose('lamp')}<table>${cells}</table>${prose('lamp', 4, 5)}`))
    for (const row of rows) expect(markdown).toContain(`| ${row.join(' | ')} |`)
  })

  it('a small table that ends its section, also on a short page', () => {
    const hours =
      '<h2>Hours</h2><table><tr><td>April–October</td><td>10–17</td></tr><tr><td>Winter</td><td>closed</td></tr></table>'
    const page = `<h1>The old mill</h1><p>${sentence('mill', 1)}</p>${hours}<h2>How to get there</h2><p>Bus 7, stop Mill.</p>`
    expect(read(page, '')).toContain('## Hours\n\n| | |\n| --- | --- |\n| April–October | 10–17 |\n| Winter | closed |')
  })

  it('a heading of a short text', () => {
    const text = '<h1>Week 14</h1><p>2 April 2026, Turku</p><p>We moved the boat to the yard and scraped the hull.</p>'
    const costs = '<h2>Costs</h2><table><tr><td>Crane</td><td>90</td></tr><tr><td>Paint</td><td>65</td></tr></table>'
    expect(read(`${text}${costs}<h2>Next</h2><p>Sand the keel.</p>`, '')).toContain('## Next\n\nSand the keel.')
  })

  it('a table and a heading within the text, whatever their classes sound like', () => {
    const table =
      '<table class="share-box related"><tr><td>Open</td><td>9–17</td></tr><tr><td>Fee</td><td>4</td></tr></table>'
    const heading = '<h2 class="comments-title">The log</h2>'
    const markdown = read(story(`${prose('lamp')}${table}${prose('lamp', 4, 5)}${heading}${prose('lamp', 6, 7)}`))
    expect(markdown).toContain('| Open | 9–17 |\n| Fee | 4 |')
    expect(markdown).toContain('## The log')
  })

  it('a list, with its shortest items', () => {
    const items = ['Oil', 'A wick of cotton, cut to the length of a hand and soaked for a night', 'Glass', 'Patience']
    const list = `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
    const markdown = read(story(`${prose('lamp')}${list}${prose('lamp', 4, 5)}`))
    for (const item of items) expect(markdown).toContain(`- ${item}`)
  })

  it('a term with its definition', () => {
    const list =
      '<dl><dt>Wick</dt><dd>What burns, and has to be cut every night.</dd><dt>Oil</dt><dd>What feeds it.</dd></dl>'
    const markdown = read(story(`${prose('lamp')}${list}${prose('lamp', 4, 5)}`))
    expect(markdown).toContain('**Wick**\n\n: What burns, and has to be cut every night.')
    expect(markdown).toContain('**Oil**\n\n: What feeds it.')
  })

  it('a picture with its caption, in italics below it; who took it is left out', () => {
    const figure =
      '<figure><img src="/i/lamp.jpg" alt="The lamp"><figcaption><span>The lamp, seen from the ferry.</span>' +
      '<div class="credit">Photo: Ada Berg</div></figcaption></figure>'
    const markdown = read(story(`${prose('lamp')}${figure}${prose('lamp', 4, 5)}`))
    expect(markdown).toContain('![The lamp](https://harbour.example/i/lamp.jpg)\n\n*The lamp, seen from the ferry.*')
    expect(markdown).not.toContain('Ada Berg')
  })

  it('a picture beside a credit that is cut', () => {
    const box = '<div class="embed"><div><img src="/i/lamp.jpg" alt="The lamp"></div><span>Harbour archive</span></div>'
    const markdown = read(story(`${prose('lamp')}${box}${prose('lamp', 4, 5)}`))
    expect(markdown).toContain('![The lamp](https://harbour.example/i/lamp.jpg)')
  })

  it('a question in a button with its answer', () => {
    const pair = (i: number) =>
      `<div class="faq-item"><button aria-expanded="false" aria-controls="a${i}">Why was lamp ${i} lit again?</button>` +
      `<div id="a${i}" class="accordion-panel" hidden><p>${sentence('answer', i)}</p></div></div>`
    const markdown = read(story(`${prose('lamp')}<section>${pair(1)}${pair(2)}</section>`))
    expect(markdown).toMatch(/\*\*Why was lamp 1 lit again\?\*\*\n\nThe answer of part 1/)
    expect(markdown).toMatch(/\*\*Why was lamp 2 lit again\?\*\*\n\nThe answer of part 2/)
  })

  it('a listing and a quotation', () => {
    const markdown = read(
      story(
        `${prose('lamp')}<pre><code>light(lamp)\nwait(60)\nx</code></pre><blockquote><p>It was dark.</p><p>Very dark, that night, and the wind came from the sea.</p></blockquote>${prose('lamp', 4, 5)}`,
      ),
    )
    expect(markdown).toContain('light(lamp)\nwait(60)\nx')
    expect(markdown).toContain('> It was dark.\n>\n> Very dark')
  })

  it('a footnote with its mark', () => {
    const text = `<p>${sentence('lamp', 9)}<sup><a href="#fn1">1</a></sup></p>`
    const notes = '<div class="footer-notes"><ol><li id="fn1">Letters of the keeper, 1901, page 14.</li></ol></div>'
    const markdown = read(story(`${prose('lamp')}${text}${prose('lamp', 4, 5)}${notes}`))
    expect(markdown).toContain('[^1]')
    expect(markdown).toContain('[^1]: Letters of the keeper, 1901, page 14.')
  })
})

it('leaves no heading over nothing', () => {
  const lost = Array.from(
    { length: 6 },
    (_, i) => `<li><a href="/story-${i}">Another story of the harbour, number ${i}</a></li>`,
  )
  const markdown = read(
    `${story(prose('lamp'))}<aside class="related"><h2>More from the harbour</h2><p>Stories that our readers liked best during the last week of the season.</p><ul>${lost.join('')}</ul></aside>`,
  )
  expect(markdown).not.toContain('More from the harbour')
})

describe('a thread', () => {
  const post = (author: string, i: number) =>
    `<div class="post" id="post-${i}"><div class="post-author"><img class="avatar" src="/avatars/${i}.png" alt="">` +
    `<a class="username" href="/members/${author}">${author}</a></div><time datetime="2024-05-0${i}">May ${i}, 2024</time>` +
    `<div class="post-body"><p>${sentence(`reply ${i}`, i)}</p><p>${sentence('second thought', i)}</p></div></div>`
  const markdown = read(
    `<main><h1>The lamp at the wall</h1>${['ada', 'bertil', 'cora'].map((name, i) => post(name, i + 1)).join('')}</main>`,
    '<title>The lamp at the wall | Harbour forum</title><meta name="generator" content="phpBB">',
    'https://forum.harbour.example/threads/the-lamp.12/',
  )

  it('has its title, and each post with author and date, in order, set apart', () => {
    expect(markdown).toMatch(/^# The lamp at the wall\n/)
    const places = [
      'ada',
      'May 1, 2024',
      'reply 1',
      '---',
      'bertil',
      'May 2, 2024',
      'reply 2',
      '---',
      'cora',
      'May 3, 2024',
    ]
    let from = 0
    for (const place of places) {
      const at = markdown.indexOf(place, from)
      expect(at, `${place} in\n${markdown}`).toBeGreaterThanOrEqual(from)
      from = at + place.length
    }
  })

  it('is set apart where the first post holds its answers, too', () => {
    const said = (author: string, i: number) =>
      `<div class="meta"><a itemprop="author" href="/u/${author}">${author}</a> <time datetime="2024-05-0${i}">May ${i}</time></div><div class="post" itemprop="text"><p>${sentence(`reply ${i}`, i)}</p></div>`
    const answer = (author: string, i: number) =>
      `<div itemprop="comment" itemscope itemtype="http://schema.org/Comment">${said(author, i)}</div>`
    const thread = read(
      `<main itemscope itemtype="http://schema.org/DiscussionForumPosting"><h1>The lamp</h1><div id="post_1">${said('ada', 1)}</div>${answer('bertil', 2)}${answer('cora', 3)}</main>`,
      '<title>The lamp | Harbour forum</title>',
      'https://forum.harbour.example/t/the-lamp/12',
    )
    expect(thread.match(/\n---\n\n\[\w+\]/g)).toEqual(['\n---\n\n[bertil]', '\n---\n\n[cora]'])
  })

  it('shows no portraits of its users', () => {
    expect(markdown).not.toContain('avatars')
  })
})

it('takes no share link for the author of a post', () => {
  const share =
    '<div class="share">Pass it on: <a href="https://social.example/sharer.php?u=https%3A%2F%2Fx.example">Net</a></div>'
  const post = (i: number) =>
    `<article class="post"><h2>The lamp of part ${i}</h2><time>May ${i}, 2024</time>${prose('lamp', i, i)}${share}</article>`
  expect(read(`<main>${[1, 2, 3, 4].map(post).join('')}</main>`)).not.toContain('Pass it on')
})

it('reads tiny pages whole', () => {
  const html = '<body><main><div>one</div><span>a</span> <span>b</span><ul><li>x</li></ul>tail</main></body>'
  const { markdown } = parsePage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html', url: 'https://harbour.example/' },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )
  expect(markdown).toBe('one\n\na b\n\n- x\n\ntail')
})

it('posts of others that are embedded in a story stay', () => {
  const post =
    '<blockquote class="x"><p>Lit at last! <a href="https://t.example/1">t.example/1</a></p>— Ada (@ada)</blockquote>'
  expect(read(story(`${prose('lamp')}${post}${prose('lamp', 4, 6)}`))).toContain('> Lit at last!')
})

it('a caption goes without who took the picture', () => {
  const credit = '<span itemprop="copyrightHolder">Ada Berg/Harbour News</span>'
  const figure = `<figure><img src="/l.jpg" alt=""><figcaption>The lamp on its wall. ${credit}</figcaption></figure>`
  const markdown = read(story(`${prose('lamp')}${figure}${prose('lamp', 4, 5)}`))
  expect(markdown).toContain('*The lamp on its wall.*')
  expect(markdown).not.toContain('Ada Berg')
})

describe('a page of one list item', () => {
  it('is read, though no block stands before it', () => {
    const bytes = new TextEncoder().encode('<ul class="new_padding"><li> - ')
    const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
    expect(
      () => parsePage({ bytes, contentType: 'text/html', url: 'https://harbour.example/' }, choices).cuts,
    ).not.toThrow()
  })
})
