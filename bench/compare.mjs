// `npm run compare`: this service beside what a user would install instead, on pages that this file makes, so that anyone can
// repeat it. Every page has known text, known structures and known clutter. Its clutter is that of ordinary sites, and it is
// ours: the table shows what each converter does with it, not how it does on the web (docs/measured.md has labelled pages).
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Readability } from '@mozilla/readability'
import { gfm } from 'joplin-turndown-plugin-gfm'
import { parseHTML } from 'linkedom'
import Turndown from 'turndown'
import { root, setUp } from '../scripts/setup.mjs'

const PAGES = 60
const ORIGIN = 'https://compare.example'
const NOUNS = 'harbour lantern orchard meadow kettle bridge ferry gauge ledger quarry spindle willow'.split(' ')
const VERBS = 'keeps repairs measures carries warms follows counts lifts turns holds'.split(' ')
/** Words that only clutter has, so that they can be counted in a result. */
const CLUTTER = 'subscribeword cookieword trendingword menuword footerword shareword'.split(' ')

/** The same sentences for the same numbers, in every run. */
const sentence = (page, n) => {
  const at = (page * 31 + n * 17) % 997
  const word = (list, step) => list[(at * step + n) % list.length]
  return `The ${word(NOUNS, 3)} ${word(VERBS, 5)} the ${word(NOUNS, 7)} near token${page}x${n}, as the keeper wrote that year.`
}
const paragraph = (page, from) => [0, 1, 2, 3].map((n) => sentence(page, from + n)).join(' ')

function makePage(n) {
  const texts = [0, 10, 20, 30].map((from) => paragraph(n, from))
  const link = (to, text) => `<a href="${to}">${text}</a>`
  const menu = NOUNS.map((noun) => `<li>${link(`/${noun}`, `${noun} menuword`)}</li>`).join('')
  const body = `<h1>Notes on number ${n}</h1><p>${texts[0]}</p><h2>Figures</h2><p>${texts[1]}</p>
<table><thead><tr><th>Part</th><th>Length</th></tr></thead><tbody><tr><td>Frame ${n}</td><td>${n + 2} m</td></tr></tbody></table>
<ul><li>outer ${n}<ul><li>inner ${n}</li></ul></li></ul><pre><code class="language-js">const part = ${n}
run(part)</code></pre><p>${texts[2]} See ${link(`/next/${n}`, `the next part ${n}`)}.</p><blockquote><p>quoted words ${n}</p></blockquote><p>${texts[3]}</p>`
  const wrapped = [
    `<main><article>${body}</article></main>`,
    `<div class="content"><div class="text">${body}</div></div>`,
    `<div id="page"><div class="c1"><div class="c2">${body}</div></div></div>`,
  ][n % 3]
  const html = `<!doctype html><html lang="en"><head><title>Notes on number ${n}</title></head><body>
<header><nav><ul>${menu}</ul></nav></header><div class="cookie-banner"><p>We use cookieword files. ${link('#', 'Accept')}</p></div>
${wrapped}<div class="share"><p>shareword on every network</p></div><aside><h3>trendingword</h3><ul>${menu}</ul></aside>
<div class="newsletter"><p>subscribeword to our letter</p><form><input name="mail"><button>Send</button></form></div>
<footer><p>footerword, all rights reserved</p><ul>${menu}</ul></footer></body></html>`
  const structures = [
    /^# Notes on number \d+/m,
    /^## Figures/m,
    new RegExp(`\\| *Frame ${n} *\\| *${n + 2} m *\\|`),
    new RegExp(`^[-*] +outer ${n}\\s*\\n+\\s{2,}[-*] +inner ${n}`, 'm'),
    new RegExp(`^\`\`\`js\\nconst part = ${n}\\nrun\\(part\\)\\n\`\`\``, 'm'),
    new RegExp(`\\[the next part ${n}\\]\\(${ORIGIN}/next/${n}\\)`),
    new RegExp(`^> quoted words ${n}`, 'm'),
  ]
  const tokens = texts.join(' ').match(/token\w+/g)
  return { url: `${ORIGIN}/notes/${n}`, html, tokens, structures }
}

const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
turndown.use(gfm)

function readable(html) {
  const article = new Readability(parseHTML(html).document).parse()
  return `# ${article?.title ?? ''}\n\n${turndown.turndown(article?.content ?? '')}`
}

const withoutTags = (html) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** Peers that this project does not need itself: installed from the registry beside the tools, left out without one. */
const PEERS = ['defuddle@0.19.0', '@crawlee/utils@3.18.1']
async function installedPeers() {
  const folder = join(root, 'node_modules/.orb/compare')
  const load = (name) => import(pathToFileURL(createRequire(join(folder, 'x.js')).resolve(name)).href)
  try {
    mkdirSync(folder, { recursive: true })
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...PEERS]
    execFileSync('npm', args, { stdio: 'ignore' })
    const { Defuddle } = await import(pathToFileURL(join(folder, 'node_modules/defuddle/dist/node.js')).href)
    const { htmlToText } = await load('@crawlee/utils')
    return {
      Defuddle: async ({ html, url }) => {
        const { document } = parseHTML(html)
        const { title, content } = await Defuddle(document, url, { markdown: true })
        return `# ${title}\n\n${content}`
      },
      'Crawlee (htmlToText)': ({ html }) => htmlToText(html),
    }
  } catch (error) {
    console.error(`Defuddle and Crawlee are left out: ${error.message}`)
    return {}
  }
}

/** One round to warm up, one that counts. */
async function measure(pages, convert) {
  for (const page of pages) await convert(page)
  const before = process.cpuUsage()
  const results = []
  for (const page of pages) results.push({ page, markdown: await convert(page) })
  const { user, system } = process.cpuUsage(before)
  const share = (of) => `${Math.round((100 * results.reduce((sum, one) => sum + of(one), 0)) / results.length)} %`
  const part = (list, test) => list.filter(test).length / list.length
  return [
    share(({ page, markdown }) => part(page.tokens, (token) => markdown.includes(token))),
    share(({ markdown }) => part(CLUTTER, (word) => markdown.includes(word))),
    share(({ page, markdown }) => part(page.structures, (pattern) => pattern.test(markdown))),
    Math.round((pages.length * 1e6) / (user + system)),
  ]
}

setUp()
const { parsePage } = await import(pathToFileURL(join(root, 'dist/content/parsed-page.js')).href)
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const converters = {
  Orbweaver: ({ html, url }) =>
    parsePage({ bytes: Buffer.from(html), contentType: 'text/html', url }, choices).markdown,
  'Readability and turndown': ({ html }) => readable(html),
  ...(await installedPeers()),
  'turndown of the whole page': ({ html }) => turndown.turndown(html),
  'tags removed by a pattern': ({ html }) => withoutTags(html),
}
const pages = Array.from({ length: PAGES }, (_, n) => makePage(n))
console.log(
  `| ${PAGES} made pages | Text kept | Clutter kept | Structures kept | Pages per CPU second |\n|---|--:|--:|--:|--:|`,
)
for (const [name, convert] of Object.entries(converters))
  console.log(`| ${name} | ${(await measure(pages, convert)).join(' | ')} |`)
