// A small site whose pages all link to each other, for crawls: /linked/0 … /linked/59, each with ten links; with ?ms it
// is slow everywhere. And pages with moods: busy at first, broken at first, always gone.
import type { Page, Pages } from './page.ts'

export const LINKED_PAGES = 60

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const linked: Page = ({ response, url }) => {
  const n = Number(url.pathname.split('/').pop())
  if (!(n < LINKED_PAGES)) {
    response.writeHead(404, { 'content-type': 'text/html' })
    return void response.end(html('Gone', '<p>There is nothing here.</p>'))
  }
  const links = Array.from({ length: 10 }, (_, at) => (n * 2 + at * 7 + 1) % LINKED_PAGES)
  const list = links.map((to) => `<li><a href="/linked/${to}${url.search}">Page ${to}</a></li>`).join('')
  const text = `<p>Page ${n} of a small site: its words are few, but they are its own, and number ${n} is among them.</p>`
  const send = () => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html(`Page ${n}`, `${text}<ul>${list}</ul>`))
  }
  const ms = Number(url.searchParams.get('ms') ?? 0)
  if (ms > 0) setTimeout(send, ms)
  else send()
}

/** Says that it is busy the first two times, and for how long. */
const busy: Page = ({ response, hit }) => {
  if (hit <= 2) {
    response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '1' })
    return void response.end('Too many requests, please come back.')
  }
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(html('Rested', '<p>This page was busy and now has time for its visitors again.</p>'))
}

/** Hangs up the first time. */
const flaky: Page = ({ request, response, hit }) => {
  if (hit === 1) return void request.socket.destroy()
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(html('Mended', '<p>This page hung up once and then thought better of it.</p>'))
}

const broken: Page = ({ request }) => void request.socket.destroy()

/** Leads to /linked/3 by a redirect. */
const moved: Page = ({ response }) => {
  response.writeHead(301, { location: '/linked/3' })
  response.end()
}

const hub: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html' })
  const to = [
    '/linked/3',
    '/moods/moved',
    '/moods/flaky',
    '/moods/broken',
    '/linked/3?utm_source=mail',
    '/linked/3#part',
  ]
  response.end(html('Hub', to.map((href) => `<p>Here is a way to <a href="${href}">${href}</a>.</p>`).join('')))
}

export const linkedPages: Pages = {
  '/linked/*': linked,
  '/moods/busy': busy,
  '/moods/flaky': flaky,
  '/moods/broken': broken,
  '/moods/moved': moved,
  '/moods/': hub,
}
