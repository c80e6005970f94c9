// Sixteen pages of 20 MB at once: what the service holds at most, with all its threads and children.
import { costOf, sleep } from '../../process.mjs'
import { openContext, row } from './trust-context.mjs'

const AT_ONCE = 16
const PAGE_BYTES = 20 * 1024 * 1024
const MB = 1024 * 1024

export async function hugePages({ scale }) {
  const paragraph = `<p>${'The lock keeper writes down every boat that passes. '.repeat(8)}</p>\n`
  const pages = {
    '/huge/*': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Huge</title>${paragraph.repeat(Math.floor(PAGE_BYTES / paragraph.length))}`)
    },
  }
  const { web, call, pid, close } = await openContext({ pages })
  try {
    const idle = costOf(pid).rss
    let most = idle
    let over = false
    void (async () => {
      while (!over) {
        most = Math.max(most, costOf(pid).rss)
        await sleep(100)
      }
    })()
    const count = Math.max(4, Math.round(AT_ONCE * scale))
    const visit = (at) =>
      call('POST', '/v2/scrape', { url: `${web.url}/huge/${at}`, maxAge: 0, timeout: 280_000 }, { timeoutMs: 290_000 })
    const answers = await Promise.all(Array.from({ length: count }, (_, at) => visit(at)))
    over = true
    const good = answers.filter(({ status }) => status === 200).length
    return [
      row(`${count} pages of 20 MB at once: successful responses`, `${count}`, good, good === count),
      row(
        'pages of 20 MB at once: peak memory (2.7 GB before a change)',
        '≤ 1,800 MB',
        `${(most / MB).toFixed(0)} MB`,
        most / MB <= 1800,
      ),
    ]
  } finally {
    await close()
  }
}
