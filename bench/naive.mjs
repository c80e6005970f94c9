// What a user would write instead: undici, cheerio and turndown in a loop. Prints one line of JSON when done.
import { load } from 'cheerio'
import { gfm } from 'joplin-turndown-plugin-gfm'
import Turndown from 'turndown'
import { Agent, request, setGlobalDispatcher } from 'undici'

const [site, concurrency, first, step, count] = process.argv
  .slice(2)
  .map((text, at) => (at === 0 ? text : Number(text)))
setGlobalDispatcher(new Agent({ connections: concurrency, pipelining: 1 }))
const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
turndown.use(gfm)
let next = first
let pages = 0
const started = performance.now()
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    while (next < first + count * step) {
      const url = `${site}/static/${next}`
      next += step
      const $ = load(await (await request(url)).body.text())
      $('script,style,noscript,meta,head,header,footer,nav,aside').remove()
      turndown.turndown($('body').html() ?? '')
      pages++
    }
  }),
)
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ pages, seconds: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 }))
process.exit(0)
