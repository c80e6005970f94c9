// Pages that scripts draw (`/drawn/<kind>/<n>`) and pages that look as if they were but come whole (`/served/<kind>/<n>`).
// Each has a sentence that is its content, so that a test can tell whether it was really read.
import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Pages } from './page.ts'

/** The sentence that only the finished page holds. */
export const drawnSentence = (kind: string, number: string | number): string =>
  `The ${kind} gauge number ${number} stood at ${Number(number) * 3 + 7} centimetres.`

const words = (kind: string, n: string): string =>
  `<article><h1>Report ${n}</h1><p>${drawnSentence(kind, n)}</p>${'<p>The water came in slowly and went out again before anybody on the quay had finished breakfast.</p>'.repeat(3)}</article>`

const html = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour reports</title>${head}</head><body>${body}</body></html>`

const FRAME = `<header><a href="/">Harbour reports</a><nav><a href="/a">Today</a> <a href="/b">Week</a> <a href="/c">Month</a></nav></header>`
const INTRO = `<p>${'On this page you will find the reports of all gauges along the coast, sorted by the time at which they came in. '.repeat(3)}</p>`
const FOOT = '<footer><p>Harbour office, open from nine to five, closed on Sundays.</p></footer>'
const fill = (id: string, n: string) =>
  `<script>fetch('/drawn-data/${n}').then(r=>r.json()).then(d=>{document.getElementById('${id}').innerHTML=d.html})</script>`

type Maker = (n: string, kind: string) => string

const drawn: Readonly<Record<string, Maker>> = {
  root: (n) => html('', `<div id="root"></div><script src="/drawn-bundle/${n}.js"></script>`),
  timer: (n) =>
    html(
      '',
      `<div id="app">Loading…</div><script>setTimeout(()=>fetch('/drawn-data/${n}').then(r=>r.json()).then(d=>{app.innerHTML=d.html}),200)</script>`,
    ),
  late: (n) =>
    html(
      '',
      `<div id="app"></div><script>setTimeout(()=>{app.innerHTML=${JSON.stringify(words('late', n))}},700)</script>`,
    ),
  frame: (n) => html('', `${FRAME}<main>${INTRO}<ul id="reports"></ul></main>${FOOT}${fill('reports', n)}`),
  noscript: (n) =>
    html(
      '',
      `${FRAME}<noscript>You need to enable JavaScript to run this app.</noscript><section class="shell"></section><script>document.querySelector('.shell').innerHTML=${JSON.stringify(words('noscript', n))}</script>`,
    ),
  skeleton: (n) =>
    html(
      '',
      `${FRAME}<main id="page" aria-busy="true"><div class="skeleton line"></div><div class="skeleton line"></div><div class="skeleton block"></div></main><script>setTimeout(()=>{page.removeAttribute('aria-busy');page.innerHTML=${JSON.stringify(words('skeleton', n))}},300)</script>`,
    ),
  // Hides itself, with much that it says already: scripts put the rest into it and show it.
  veil: (n) =>
    html('', `${FRAME}<main>${INTRO.repeat(4)}<div id="more"></div></main>${FOOT}`).replace(
      '<body>',
      `<body style="display: none"><script>addEventListener('load',()=>{more.innerHTML=${JSON.stringify(words('veil', n))};document.body.style.display=''})</script>`,
    ),
  refresh: (n) => html(`<meta http-equiv="refresh" content="0; url=/drawn-target/refresh/${n}">`, '<p>One moment.</p>'),
  location: (n) => html('', `<script>location.replace('/drawn-target/location/${n}')</script>`),
  element: (n) =>
    html(
      '',
      `<app-root></app-root><script>customElements.define('app-root',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML=${JSON.stringify(words('element', n))}}})</script>`,
    ),
  module: (n) => html('', `${FRAME}<div id="__next"></div><script type="module" src="/drawn-module/${n}.js"></script>`),
  table: (n) =>
    html(
      '',
      `${FRAME}<main><h1>Gauges</h1><table class="data-table"><thead><tr><th>Report</th></tr></thead><tbody id="rows"></tbody></table></main><script>const x=new XMLHttpRequest();x.open('GET','/drawn-data/${n}');x.onload=()=>{rows.innerHTML='<tr><td>'+JSON.parse(x.responseText).html+'</td></tr>'};x.send()</script>`,
    ),
}

const CHUNKS = Array.from(
  { length: 12 },
  (_, at) => `<script src="/_next/static/chunks/${at}.js" defer></script>`,
).join('')
const NUXT = `<script>window.__NUXT__={data:[${JSON.stringify({ list: Array.from({ length: 40 }, (_, id) => ({ id })) })}]}</script>`

const served: Readonly<Record<string, Maker>> = {
  next: (n, kind) =>
    html(
      CHUNKS,
      `<div id="__next">${FRAME}<main>${words(kind, n)}</main>${FOOT}</div><script id="__NEXT_DATA__" type="application/json">{"props":{"n":${n}}}</script>`,
    ),
  nuxt: (n, kind) =>
    html(
      '',
      `<div id="__nuxt">${FRAME}<main>${words(kind, n)}</main></div>${NUXT}<script src="/_nuxt/entry.js" type="module"></script>`,
    ),
  short: (n, kind) =>
    html(
      '<script src="/app.js"></script>',
      `<h1>Notice ${n}</h1><p>${drawnSentence(kind, n)} Please come back tomorrow.</p>`,
    ),
  heavy: (n, kind) =>
    html(
      Array.from(
        { length: 30 },
        (_, at) =>
          `<script>window.q${at}=[];(function(){var s=document.createElement('script');s.async=1;})()</script>`,
      ).join(''),
      `${FRAME}<main>${words(kind, n)}${words(kind, n)}</main><div id="ad-slot-1"></div><div class="modal-portal"></div>${FOOT}`,
    ),
  plain: (n, kind) => html('', `<h1>Note ${n}</h1><p>${drawnSentence(kind, n)}</p>`),
  tracked: (n, kind) =>
    html(
      '<script async src="https://www.googletagmanager.com/gtag/js"></script>',
      `<h1>Card ${n}</h1><p>${drawnSentence(kind, n)}</p><div id="fb-root"></div>`,
    ),
  noscript: (n, kind) =>
    html(
      '<script src="/app.js"></script>',
      `<noscript><img src="/pixel.gif" alt=""></noscript>${FRAME}<main>${words(kind, n)}</main>`,
    ),
  widgets: (n, kind) =>
    html(
      '<script src="/app.js"></script>',
      `<main>${words(kind, n)}${words(kind, n)}${words(kind, n)}<ul id="comments"></ul></main>`,
    ),
  form: (n, kind) =>
    html(
      '<script src="/app.js"></script>',
      `<h1>Write to gauge ${n}</h1><p>${drawnSentence(kind, n)}</p><form><label>Name <input name="name"></label><textarea></textarea><button>Send</button></form>`,
    ),
  state: (n, kind) =>
    html(
      `<script>window.__STATE__=${JSON.stringify('x'.repeat(20_000))}</script>`,
      `<div id="app"><main>${words(kind, n)}</main></div><script src="/app.js"></script>`,
    ),
}

export const drawnKinds = Object.keys(drawn)
export const servedKinds = Object.keys(served)

const numberOf = (path: string): string => path.split('/').at(-1)?.replace(/\D/g, '') || '0'
const kindIn = (path: string): string => path.split('/')[2] ?? ''

const send =
  (makers: Readonly<Record<string, Maker>>): Page =>
  ({ response, url: { pathname } }) => {
    const kind = kindIn(pathname)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(makers[kind]?.(numberOf(pathname), kind))
  }

/** The kind is not in the address of the data: the page that asks is named by the referrer. */
const refererKind = (referer: string | undefined): string => (referer ? kindIn(new URL(referer).pathname) : '')

const data: Page = async ({ request, response, url }) => {
  await wait(20)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ html: words(refererKind(request.headers.referer), numberOf(url.pathname)) }))
}

const script =
  (code: (kind: string, n: string) => string): Page =>
  ({ request, response, url }) => {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(code(refererKind(request.headers.referer), numberOf(url.pathname)))
  }

export const drawnPages: Pages = {
  ...Object.fromEntries(drawnKinds.map((kind) => [`/drawn/${kind}/*`, send(drawn)])),
  ...Object.fromEntries(servedKinds.map((kind) => [`/served/${kind}/*`, send(served)])),
  '/drawn-data/*': data,
  '/drawn-bundle/*': script((kind, n) => `document.getElementById('root').innerHTML=${JSON.stringify(words(kind, n))}`),
  '/drawn-module/*': script(
    (_kind, n) => `const {text}=await import('/drawn-part/${n}.js');document.getElementById('__next').innerHTML=text`,
  ),
  '/drawn-part/*': script((_kind, n) => `export const text=${JSON.stringify(words('module', n))}`),
  '/drawn-target/refresh/*': send({ refresh: (n, kind) => html('', words(kind, n)) }),
  '/drawn-target/location/*': send({ location: (n, kind) => html('', words(kind, n)) }),
}
