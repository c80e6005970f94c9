// A local site of articles of about 56 kB for the speed benchmark, for machines without a richer one. Prints its port.
import { createServer } from 'node:http'

const words =
  'thread orb web spider silk anchor radius spiral knot line frame hub dew morning hedge garden autumn light'.split(' ')
function article(number) {
  let seed = number + 1
  const word = () => {
    seed = (seed * 48271) % 2147483647
    return words[seed % words.length]
  }
  const sentence = (n) => `${Array.from({ length: n }, word).join(' ')}.`
  const paragraph = () =>
    `<p>${sentence(12)} <a href="/static/${number + (seed % 97)}">${word()}</a> ${sentence(40)} <em>${word()}</em></p>`
  const section = (at) =>
    `<section><h2>Section ${at}: ${word()}</h2>${Array.from({ length: 9 }, paragraph).join('')}<ul>${`<li>${sentence(9)}</li>`.repeat(6)}</ul></section>`
  const nav = Array.from({ length: 20 }, (_, at) => `<li><a href="/static/${number + at}">Menu ${at}</a></li>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article ${number}</title></head><body><header><nav><ul>${nav}</ul></nav></header><main><article><h1>Article ${number}</h1>${Array.from({ length: 14 }, (_, at) => section(at)).join('')}</article></main><footer><p>The end</p></footer></body></html>`
}
/** The same article, drawn by a script after 200 ms. */
const drawn = (number) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article ${number}</title></head><body><div id="root">Loading…</div><script>setTimeout(()=>fetch('/js-data/${number}').then(r=>r.json()).then(d=>{document.getElementById('root').innerHTML=d.html}),200)</script></body></html>`
let hits = 0
const server = createServer((request, response) => {
  if (request.url === '/__stats') return response.end(JSON.stringify({ byKind: { static: hits } }))
  hits++
  const number = Number(request.url?.split('/').pop()) || 0
  if (request.url?.startsWith('/js-data/')) {
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ html: /<main>.*<\/main>/s.exec(article(number))[0] }))
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  return response.end(request.url?.startsWith('/js/') ? drawn(number) : article(number))
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () =>
  console.log(`site on 127.0.0.1:${server.address().port}`),
)
