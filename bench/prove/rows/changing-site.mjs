// A site that lives: every day some pages are edited, added, deleted or moved, some answer with errors or block pages, every
// visit shows noise, and the sitemap is wrong about some edits. It knows what really happened, and counts bytes.
import http from 'node:http'

/** The same site for the same seed. */
export function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const WORDS =
  'web loom thread silk frame spoke hub anchor line dew night moth garden hedge gate rain wind stem leaf bark'.split(
    ' ',
  )
const QUOTES = WORDS.map((word, at) => `“Every ${word} has its ${WORDS[(at * 7 + 3) % WORDS.length]}.”`)

export async function startChangingSite({
  pages: count,
  seed,
  lyingShare = 0.3,
  etagShare = 0.7,
  troubleShare = 0.015,
}) {
  const next = random(seed)
  const chance = (share) => next() < share
  const pages = new Map()
  let made = 0
  let [bytes, visits] = [0, 0]
  const sentence = () =>
    `The ${Array.from({ length: 8 }, () => WORDS[Math.floor(next() * WORDS.length)]).join(' ')} number ${made++}.`
  const long = () => Array.from({ length: 6 }, () => Array.from({ length: 3 }, sentence).join(' '))
  const add = () => {
    const path = `/p/${made++}`
    const text = long()
    pages.set(path, {
      text,
      version: 0,
      lastmod: Date.now() - 40 * 86_400_000,
      etag: chance(etagShare),
      trouble: '',
      to: '',
    })
    return path
  }
  for (let at = 0; at < count; at++) add()

  const body = (path, { text }) => {
    const links = [...pages.keys()].filter((_, at) => at % 97 === path.length % 97).slice(0, 20)
    const quote = QUOTES[Math.floor(Math.random() * QUOTES.length)]
    return `<!doctype html><html><head><title>Page ${path}</title></head><body><nav><a href="/">Home</a></nav><main><h1>Page ${path}</h1>
${text.map((one) => `<p>${one}</p>`).join('\n')}<blockquote><p>${quote}</p></blockquote><p>${Math.floor(Math.random() * 9000)} views</p>
<p>Last updated: ${new Date().toISOString().slice(0, 10)}</p></main><aside><h2>Related articles</h2><ul>${links.map((one) => `<li><a href="${one}">${one}</a></li>`).join('')}</ul></aside>
<footer>Session id: ${Math.random().toString(16).slice(2)}${Math.random().toString(16).slice(2)}</footer></body></html>`
  }
  const server = http.createServer((request, response) => {
    const path = new URL(request.url, 'http://site').pathname
    const send = (status, text, headers = {}) => {
      bytes += Buffer.byteLength(text)
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
      response.end(text)
    }
    if (path === '/robots.txt')
      return send(200, `User-agent: *\nSitemap: http://${request.headers.host}/sitemap.xml\n`, {
        'content-type': 'text/plain',
      })
    if (path === '/sitemap.xml') {
      const entries = [...pages]
        .filter(([, { to }]) => !to)
        .map(
          ([one, { lastmod }]) =>
            `<url><loc>http://${request.headers.host}${one}</loc><lastmod>${new Date(lastmod).toISOString()}</lastmod></url>`,
        )
      return send(
        200,
        `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`,
        { 'content-type': 'application/xml' },
      )
    }
    visits += 1
    if (path === '/')
      return send(
        200,
        '<title>Start</title><main><h1>Start</h1><p>Everything is in the sitemap of this site.</p></main>',
      )
    const page = pages.get(path)
    if (!page) return send(404, '<h1>Not found</h1>')
    if (page.to) return send(301, '', { location: page.to })
    if (page.trouble === 'error') return send(500, '<h1>Oops</h1>')
    if (page.trouble === 'block')
      return send(
        403,
        '<title>Access denied</title><h1>Access denied</h1><p>Please verify you are a human. Complete the CAPTCHA to continue.</p>',
      )
    const etag = page.etag ? { etag: `"${path}-${page.version}"` } : {}
    if (page.etag && request.headers['if-none-match'] === etag.etag) return send(304, '', etag)
    send(200, body(path, page), etag)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = server.address().port

  /** A day passes; returns what really happened. */
  function day() {
    const truth = { edited: new Set(), added: new Set(), deleted: new Set(), moved: new Map(), troubled: new Set() }
    for (const [path, page] of pages) {
      page.trouble = ''
      if (page.to) continue
      if (chance(0.003)) {
        pages.delete(path)
        truth.deleted.add(path)
      } else if (chance(0.001)) {
        const to = add()
        Object.assign(pages.get(to), { text: page.text })
        page.to = to
        truth.moved.set(path, to)
      } else {
        if (chance(0.02)) {
          page.text[Math.floor(next() * page.text.length)] = sentence()
          page.version += 1
          if (!chance(lyingShare)) page.lastmod = Date.now()
          truth.edited.add(path)
        } else if (chance(0.01)) page.lastmod = Date.now()
        if (chance(troubleShare)) {
          page.trouble = chance(0.6) ? 'error' : 'block'
          truth.troubled.add(path)
        }
      }
    }
    for (let at = 0; at < pages.size * 0.004; at++) truth.added.add(add())
    return truth
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    day,
    size: () => pages.size,
    /** Path and paragraphs of every page that is there. */
    texts: () => [...pages].flatMap(([path, { text, to }]) => (to ? [] : [[path, text]])),
    isTroubled: (path) => (pages.get(path)?.trouble ?? '') !== '',
    /** Since the last call. */
    used() {
      const used = { bytes, visits }
      ;[bytes, visits] = [0, 0]
      return used
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Holds what crawls report against what happened, over all days. */
export function openScore(site) {
  const [edits, removals] = [new Map(), new Set()]
  const score = { edits: 0, late: 0, reported: 0, falseChanges: 0, falseRemovals: 0, removals: 0 }
  return {
    score,
    happened(truth, today) {
      for (const path of [...truth.edited, ...truth.added]) {
        edits.set(path, today)
        score.edits += 1
      }
      for (const path of [...truth.deleted, ...truth.moved.keys()]) {
        if (edits.delete(path)) score.edits -= 1
        removals.add(path)
      }
      for (const to of truth.moved.values()) {
        edits.set(to, today)
        score.edits += 1
      }
    },
    /** Changes of one crawl as [path, change]. */
    reported(changes, today) {
      for (const [path, change] of changes) {
        if (change === 'same' || path === '/') continue
        score.reported += 1
        if (change === 'removed') {
          if (removals.delete(path)) score.removals += 1
          else score.falseRemovals += 1
        } else if (edits.has(path)) {
          if (edits.get(path) < today) score.late += 1
          edits.delete(path)
        } else score.falseChanges += 1
      }
    },
    /** What was never reported; pages in trouble on the last day are still to come. */
    missed: () => [...edits.keys()].filter((path) => !site.isTroubled(path)).length,
    unseen: () => removals.size,
  }
}
