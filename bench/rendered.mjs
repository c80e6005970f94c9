// What a user would write instead for pages that scripts draw: Playwright with a context for each page, cheerio and
// turndown. Told where the site and the browser are. Prints one line of JSON when done, and ends with its browser.
import { load } from 'cheerio'
import { chromium } from 'playwright-core'
import Turndown from 'turndown'
import { costOf } from './process.mjs'

const [site, executablePath, concurrency, count] = process.argv.slice(2)
const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
let next = 0
async function page(number) {
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(`${site}/js/${number}`)
  await tab.waitForSelector('article')
  const $ = load(await tab.content())
  $('script,style,noscript,meta,head,header,footer,nav,aside').remove()
  turndown.turndown($('body').html() ?? '')
  await context.close()
}
for (let at = 0; at < 8; at++) await page(next++)
const before = costOf(process.pid)
const end = next + Number(count)
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (next < end) await page(next++)
  }),
)
const after = costOf(process.pid)
console.log(JSON.stringify({ cpu: (after.cpu - before.cpu) / Number(count) }))
await browser.close()
process.exit(0)
