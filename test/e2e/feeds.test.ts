// Feeds of list pages: entries are found by structure, new ones become entries, order and edits do not.
import { describe, expect, it } from 'vitest'
import type { Page } from '../site/site.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

let titles = ['Ash trees in spring', 'Birch bark and paper', 'Cedar chests', 'Dogwood in flower']
const news: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const cards = titles.map(
    (
      title,
      at,
    ) => `<article class="card"><img src="/pictures/${at}.jpg" alt=""><h2><a href="/news/${slug(title)}">${title}</a></h2>
      <time datetime="2026-03-0${at + 1}">March</time><p>Some words on ${title.toLowerCase()}, for ${at + 3}.50 €.</p></article>`,
  )
  response.end(`<title>News of trees</title><nav><ul><li><a href="/a">Home page</a></li><li><a href="/b">About us</a></li>
    <li><a href="/c">Contact us</a></li><li><a href="/d">Shop now</a></li><li><a href="/e">Imprint</a></li></ul></nav>
    <main><h1>News</h1>${cards.join('')}</main>`)
}
const slug = (title: string) => title.toLowerCase().replaceAll(' ', '-').slice(0, 6)
const { site, service } = shared({ '/news': news })

describe('a feed', () => {
  it('has the entries of a list page, at a secret address and in three forms', async () => {
    const { status, json } = await service.call('POST', '/v2/feeds', { url: `${site.url}/news` })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ title: 'News of trees', every: 60 })
    expect(json.data.items).toHaveLength(4)
    expect(json.data.items[0]).toMatchObject({
      title: 'Ash trees in spring',
      url: `${site.url}/news/ash-tr`,
      date: '2026-03-01',
      image: `${site.url}/pictures/0.jpg`,
      price: { amount: 3.5, currency: 'EUR' },
    })
    const feed = (await (await fetch(json.data.json)).json()) as Json
    expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', home_page_url: `${site.url}/news` })
    expect(feed.items.map(({ title }: Json) => title)).toEqual(titles)
    const rss = await fetch(json.data.rss)
    expect(rss.headers.get('content-type')).toContain('application/rss+xml')
    expect(await rss.text()).toContain('<title>Birch bark and paper</title>')
    expect(await (await fetch(json.data.atom)).text()).toContain('<updated>2026-03-02T00:00:00.000Z</updated>')
    expect((await fetch(json.data.rss.replace(/feeds\/[^/]+/, 'feeds/nonsense'))).status).toBe(404)
  })

  it('ends with the key that made it', async () => {
    const { key, data } = (await service.call('POST', '/v2/admin/keys', { name: 'reader' })).json
    const made = await service.call(
      'POST',
      '/v2/feeds',
      { url: `${site.url}/news` },
      { authorization: `Bearer ${key}` },
    )
    const { id, rss } = made.json.data
    expect((await fetch(rss)).status).toBe(200)
    await service.call('DELETE', `/v2/admin/keys/${data.id}`)
    expect((await fetch(rss)).status).toBe(404)
    expect((await service.call('DELETE', `/v2/feeds/${id}`)).status).toBe(200)
  })

  it('is listed and removed, and a page without a list is an error', async () => {
    titles = [titles[3]!, 'Ash trees in spring, edited', titles[1]!, titles[2]!, 'Elm is new']
    const { data } = (await service.call('GET', '/v2/feeds')).json
    expect(data).toHaveLength(1)
    const none = await service.call('POST', '/v2/feeds', { url: `${site.url}/article` })
    expect(none).toMatchObject({ status: 422, json: { error: expect.stringContaining('no list') } })
    expect((await service.call('DELETE', `/v2/feeds/${data[0].id}`)).status).toBe(200)
    expect((await fetch(data[0].rss)).status).toBe(404)
  })
})
