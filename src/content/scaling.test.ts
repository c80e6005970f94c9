// Ten times the page may cost at most twelve times the work. Measured in CPU time, as a ratio, because the machine that
// runs this has other things to do.
import { expect, it } from 'vitest'
import { expectCost, rounds, sized } from '../../test/cost.ts'
import { parsePage } from './parsed-page.ts'

const WORDS = 'the quick brown fox jumps over a lazy dog while nobody was looking at it'.split(' ')

/** An article of about so many bytes, with every kind of block in it. */
function article(size: number): Uint8Array {
  const parts = [
    '<!doctype html><html lang=en><head><title>t</title></head><body><nav><a href=/>home</a></nav><main><h1>t</h1>',
  ]
  let length = 0
  for (let at = 0; length < size; at++) {
    const sentence = WORDS.map((_, word) => WORDS[(at * 7 + word * 3) % WORDS.length]).join(' ')
    const section =
      `<h2 id=s${at}>${sentence}<a class=headerlink href="#s${at}">¶</a></h2>` +
      `<p class="p p${at % 9}">${sentence}, <a href="/l/${at}">${sentence}</a> <b>${at}</b> <i>${sentence}</i> snake_case 2*3.</p>`.repeat(
        3,
      ) +
      `<ul><li>${sentence}<ul><li>${at}</ul><li>${sentence}</ul>` +
      `<table><tr><th>a<th>b<tr><td>${at}<td>${sentence}</table><pre><code class=language-js>x(${at})\n</code></pre>` +
      `<blockquote>${sentence}<br>${at}</blockquote><img src="/i/${at}.png" alt="${sentence}">`
    parts.push(section)
    length += section.length
  }
  parts.push('</main></body></html>')
  return new TextEncoder().encode(parts.join(''))
}

function cpuMs(bytes: Uint8Array, times: number): number {
  const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
  const started = process.cpuUsage()
  for (let time = 0; time < times; time++) {
    const page = parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/' }, choices)
    expect([page.markdown, page.html, page.links, page.images, page.metadata]).toHaveLength(5)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

it('costs at most twelve times as much for a page ten times as large', { timeout: 120_000 }, () => {
  const small = article(sized(500_000))
  const large = article(sized(5_000_000))
  cpuMs(small, rounds(5))
  // Side by side and several times, so that a busy neighbour slows both; the best round is the one least disturbed.
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds(10) && best >= 12; round++)
    best = Math.min(best, (rounds(10) * cpuMs(large, 1)) / cpuMs(small, rounds(10)))
  expectCost(best).toBeLessThan(12)
})

it.each([
  ['a plain text', 'text/plain', (blanks: string) => `one${blanks}two`],
  ['a formula', 'text/html', (blanks: string) => `<p>t<script type="math/tex">x${blanks}y</script></p>`.repeat(20)],
])('takes a long run of blanks in %s in one pass', (_, contentType, make) => {
  const bytes = new TextEncoder().encode(make(' '.repeat(400_000)))
  const choices = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
  const started = process.cpuUsage()
  expect(parsePage({ bytes, contentType, url: 'https://e.com/' }, choices).markdown).not.toBe('')
  expectCost(process.cpuUsage(started).user / 1000).toBeLessThan(3000)
})
