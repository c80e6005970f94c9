// What a page seems to say and does not: answers that are left out rather than guessed, and the places that are believed
// instead. Each is a mistake once made on a real page.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const prose = `<p>${'A page with enough words to be worth reading on its own. '.repeat(4)}</p>`
const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }
const WHOLE = { type: 'integer' }
const DATE = { type: 'string', format: 'date' }
const TEXTS = { type: 'array', items: TEXT }
const many = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })

const extract = (body: string, properties: object, { title = 'T', url = 'https://example.org/a', head = '' } = {}) => {
  const html = `<!doctype html><html lang="en-US"><head><title>${title}</title>${head}</head><body>${body}</body></html>`
  const input = { bytes: new TextEncoder().encode(html), contentType: 'text/html', url }
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return extractJson(openPage(input, choices), { type: 'object', properties }, undefined).value
}

describe('a list', () => {
  const card = (name: string, n: number) =>
    `<article class="card"><div class="body"><div class="eyebrow"><a href="/edition/west">West</a></div>
      <h3><a href="/${n}">${name}</a></h3><div class="text">${prose}</div>
      <div class="foot"><a href="/author/ann">Ann Lee</a> and <a href="/author/bo">Bo Li</a></div></div></article>`

  it('is read from its cards, not from a part of each of them', () => {
    const names = ['One day', 'Two days', 'Three days', 'Four days']
    const body = `<main><h1>News</h1>${names.map(card).join('')}</main>`
    expect(extract(body, { articles: many({ title: TEXT, url: TEXT, category: TEXT, author: TEXT }) })).toEqual({
      articles: names.map((title, n) => ({ title, url: `https://example.org/${n}`, author: 'Ann Lee and Bo Li' })),
    })
  })

  it('ends where boxes built alike hold other things', () => {
    const box = (name: string, more: string) => `<div class="tile"><h3>${name}</h3>${more}</div>`
    const body = `<main><h1>Pests</h1><h2>Services</h2><div>${['Ants', 'Bees', 'Mice'].map((name) => box(name, '<p>$20</p>')).join('')}</div>
      <h2>Areas</h2><div>${['Wayne', 'Oakland', 'Macomb'].map((name) => box(name, '')).join('')}</div></main>`
    expect(extract(body, { services: many({ name: TEXT, price: NUMBER }) })).toEqual({
      services: ['Ants', 'Bees', 'Mice'].map((name) => ({ name, price: 20 })),
    })
  })

  it('of which nothing but names is known is not told when more was asked', () => {
    const menu = ['Solutions', 'Industries', 'Partners', 'Insights'].map((name) => `<li><b>${name}</b></li>`).join('')
    const body = `<main><h1>Work</h1>${prose}<h2>Services</h2><ul>${menu}</ul></main>`
    expect(extract(body, { services: many({ name: TEXT, description: TEXT, price: NUMBER }) })).toEqual({})
  })

  it('stands under its label or its heading', () => {
    const body = `<main><h1>Hoses</h1>${prose}<p><strong>Pros:</strong></p><ul><li>Light</li><li>Long</li></ul>
      <p>Cons:</p><ul><li>Dear</li></ul><h2>Our Local Team</h2><div><div class="one">Ann Lee</div><div class="one">Bo Li</div>
      <div class="one">Cy Oh</div></div><h3>Where we work</h3>${prose}<h3>Codes</h3>${prose}</main>`
    const team = { ...TEXTS, description: 'Names of the local team' }
    expect(extract(body, { pros: TEXTS, cons: TEXTS, team })).toEqual({
      pros: ['Light', 'Long'],
      cons: ['Dear'],
      team: ['Ann Lee', 'Bo Li', 'Cy Oh'],
    })
  })

  it('is not made of the clauses of a sentence', () => {
    const body = `<main><h1>Sandals</h1>${prose}<p>Pros: It was the first time, and it took me a couple of days to get used to them. Now,
      it feels strange to wear other shoes, even at home.</p></main>`
    expect(extract(body, { pros: TEXTS })).toEqual({})
  })

  it('of answers comes from the data of the question, with what was accepted', () => {
    const answer = (mark: string, name: string, votes: number) =>
      `<div class="post" itemprop="${mark}" itemscope itemtype="https://schema.org/Answer"><span itemprop="upvoteCount">${votes}</span>
        <div itemprop="text">${prose}</div><span itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="name">${name}</a></span></div>`
    const body = `<main itemscope itemtype="https://schema.org/QAPage"><div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question">
      <h1 itemprop="name">Which hose?</h1><div class="post"><div itemprop="text">${prose}</div></div>
      ${answer('acceptedAnswer', 'Ann', 3)}${answer('suggestedAnswer', 'Bo', 0)}</div></main>`
    expect(extract(body, { answers: many({ author: TEXT, score: WHOLE, accepted: { type: 'boolean' } }) })).toEqual({
      answers: [
        { author: 'Ann', score: 3, accepted: true },
        { author: 'Bo', score: 0, accepted: false },
      ],
    })
  })
})

describe('a thread', () => {
  const post = (name: string, day: string, text: string, before = '') =>
    `<article class="post" itemscope itemtype="https://schema.org/Comment">${before}<span itemprop="author" itemscope
      itemtype="https://schema.org/Person"><a itemprop="name" href="/members/${name}">${name}</a></span>
      <time itemprop="datePublished" datetime="${day}">${day}</time><p>${text}</p></article>`
  const later = '<div>last post by <a href="/members/cy">cy</a> <time datetime="2026-03-09">Mar 9, 2026</time></div>'
  const said = 'I would take the long one, since the garden is not small at all.'
  const body = `<main><h1>Which hose</h1>${post('ann', '2026-03-01', `Which hose should I take? ${said}`, later)}
    ${post('bo', '2026-03-02', said)}${post('cy', '2026-03-09', `Or this. ${said}`)}</main>`

  it('is begun by whoever wrote its first post, not by whoever wrote last', () => {
    const shape = { title: TEXT, startedBy: TEXT, posts: many({ author: TEXT, date: DATE }) }
    expect(extract(body, shape, { title: 'Which hose' })).toEqual({
      title: 'Which hose',
      startedBy: 'ann',
      posts: [
        { author: 'ann', date: '2026-03-01' },
        { author: 'bo', date: '2026-03-02' },
        { author: 'cy', date: '2026-03-09' },
      ],
    })
  })

  it('has as many views as a counter of views says, and no other counter', () => {
    const counter = (kind: string, count: number) => ({
      '@type': 'InteractionCounter',
      interactionType: `https://schema.org/${kind}`,
      userInteractionCount: count,
    })
    const data = {
      '@type': 'DiscussionForumPosting',
      headline: 'Which hose',
      interactionStatistic: counter('LikeAction', 6),
    }
    const head = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`
    expect(extract(body, { views: WHOLE }, { head: head(data) })).toEqual({})
    const viewed = { ...data, interactionStatistic: [counter('LikeAction', 6), counter('ViewAction', 90)] }
    expect(extract(body, { views: WHOLE }, { head: head(viewed) })).toEqual({ views: 90 })
  })
})

describe('a value', () => {
  it('that contradicts another is dropped', () => {
    const shop = `<main><h1>Hose</h1><div><span class="price">$20</span> <del class="old-price">$20</del></div><button>Add to cart</button>${prose}</main>`
    expect(extract(shop, { name: TEXT, price: NUMBER, originalPrice: NUMBER }, { title: 'Hose' })).toEqual({
      name: 'Hose',
      price: 20,
    })
  })

  it('is not cut where the page only has spaces', () => {
    const body = `<main><h1>Robot</h1><div class="availability">${' '.repeat(50)}<p>Available only at select retailers</p></div>${prose}</main>`
    expect(extract(body, { availability: TEXT })).toEqual({ availability: 'Available only at select retailers' })
  })

  it('in a unit is told only when the page tells one', () => {
    const body = `<main><h1>Running</h1>${prose}<p>${'It is far to go. '.repeat(20)} A marathon is 26.2 miles long.</p><p>Run 1 mile slowly before the marathon.</p></main>`
    expect(extract(body, { marathonMiles: NUMBER })).toEqual({})
    expect(extract(body.replace('Run 1 mile', 'Run a while'), { marathonMiles: NUMBER })).toEqual({
      marathonMiles: 26.2,
    })
  })

  it('of the page is not that of an event, a company or a testimonial asked for beside it', () => {
    const body = `<main><h1>Five tips for hoses</h1><div>July 10, 2023</div>${prose}</main><footer>© 2026 Quay Tools. All rights reserved</footer>`
    const event = { type: 'object', properties: { name: TEXT, startDate: DATE, venue: TEXT } }
    const testimonial = { type: 'object', properties: { author: TEXT, company: TEXT } }
    expect(
      extract(body, { headline: TEXT, businessName: TEXT, event, testimonial }, { title: 'Five tips for hoses' }),
    ).toEqual({
      headline: 'Five tips for hoses',
      businessName: 'Quay Tools',
    })
  })

  it('that is said of every page of a site is said of none', () => {
    const head =
      '<meta name="description" content="Smarter shopping, better living!"><meta property="og:site_name" content="Quay">'
    const body = `<main><h1>Brass hose reel</h1>${prose}</main>`
    expect(extract(body, { description: TEXT }, { head, title: 'Brass hose reel' })).toEqual({})
  })

  it('that any amount would be needs a page that sells', () => {
    const body = `<main><h1>How I built a gym</h1><p>It took $500.</p>${prose}</main>`
    expect(extract(body, { price: NUMBER })).toEqual({})
    expect(extract(body.replace('</main>', '<button>Add to cart</button></main>'), { price: NUMBER })).toEqual({
      price: 500,
    })
  })

  it('is the last page of a pager when the pages are asked for', () => {
    const body = `<main><h1>News</h1>${prose}<nav class="pagination"><a>1</a> <a>2</a> … <a>117</a></nav></main>`
    expect(extract(body, { totalPages: WHOLE })).toEqual({ totalPages: 117 })
  })
})

describe('a label that says how many of something there are of another', () => {
  it('is no field of which only the kind of value fits', () => {
    const body = `<main><h1>The kiln</h1>${prose}<dl><dt>Glazes per firing</dt><dd>12 May 2024</dd></dl></main>`
    expect(extract(body, { quenchMark: DATE })).toEqual({})
  })
})
