// A small web for agents: a company whose facts stand on several pages, a catalogue over several pages with a page for
// each item, and a page that gives orders to whoever reads it.

import type { Page, Pages } from './page.ts'
import { plainPage } from './plain-page.ts'

const NAV =
  '<nav><a href="/tarn/">Home</a> <a href="/tarn/about">About us</a> <a href="/tarn/contact">Contact</a> <a href="/tarn/blog">Blog</a> <a href="/tarn/privacy">Privacy</a></nav>'

const html = (title: string, body: string): Page => plainPage(title, body, NAV)

const BOATS = [
  { name: 'Otter', length: 5.4, price: 4200 },
  { name: 'Heron', length: 6.1, price: 5800 },
  { name: 'Grebe', length: 4.2, price: 3100 },
  { name: 'Teal', length: 3.9, price: 2650 },
]

const card = ({ name, price }: (typeof BOATS)[number]) =>
  `<li class="card"><h2><a href="/tarn/boats/${name.toLowerCase()}">${name}</a></h2><p class="price">$${price}</p></li>`

const boat = ({ name, length, price }: (typeof BOATS)[number]): Page =>
  html(
    `${name} – Tarn Boats`,
    `<h1>${name}</h1><p>A rowing boat for quiet water.</p><dl><dt>Length</dt><dd>${length} m</dd><dt>Price</dt><dd>$${price}</dd></dl>`,
  )

export const agentPages: Pages = {
  '/tarn/': html(
    'Tarn Boats',
    '<h1>Tarn Boats</h1><p>Tarn Boats builds rowing boats by the lake.</p><p><a href="/tarn/boats">Our boats</a></p>',
  ),
  '/tarn/about': html(
    'About Tarn Boats',
    '<h1>About Tarn Boats</h1><p>Tarn Boats was founded in 1987.</p><dl><dt>Founder</dt><dd>Mary Fell</dd><dt>Founded</dt><dd>1987</dd></dl>',
  ),
  '/tarn/contact': html(
    'Contact Tarn Boats',
    '<h1>Contact Tarn Boats</h1><p>E-mail: <a href="mailto:oars@tarn.example">oars@tarn.example</a></p><p>Phone: +44 1539 555 014</p>',
  ),
  '/tarn/blog': html('Blog', '<h1>Blog</h1><p>It rained all week at the lake, and nobody went out.</p>'),
  '/tarn/privacy': html('Privacy', '<h1>Privacy</h1><p>We keep nothing.</p>'),
  '/tarn/boats': (scene) => {
    const isSecond = scene.url.searchParams.get('page') === '2'
    const cards = (isSecond ? BOATS.slice(2) : BOATS.slice(0, 2)).map(card).join('')
    const next = isSecond ? '' : '<p><a href="/tarn/boats?page=2">Next</a></p>'
    return html('Boats', `<h1>Boats</h1><ul>${cards}</ul>${next}`)(scene)
  },
  // Later than any test waits: runs that read it are cancelled.
  '/tarn/slow': async (scene) => {
    await new Promise((resolve) => setTimeout(resolve, 100_000).unref())
    return html('Slow', '<h1>Slow</h1><p>Late.</p>')(scene)
  },
  ...Object.fromEntries(BOATS.map((one) => [`/tarn/boats/${one.name.toLowerCase()}`, boat(one)])),
}
