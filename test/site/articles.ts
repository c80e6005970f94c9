// Plain pages of several kinds, as ordinary sites make them: furniture around the content, links between them. The words
// are our own.
import type { Page, Pages } from './page.ts'

interface Sheet {
  title: string
  description: string
  main: string
  head?: string
}

const send =
  (sheet: Sheet): Page =>
  ({ response, base, url }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(layout(sheet, base + url.pathname))
  }

const layout = ({ title, description, main, head = '' }: Sheet, address: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} – Tidewater Notes</title>
<meta name="description" content="${description}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="Tidewater Notes">
<link rel="canonical" href="${address}">
<link rel="icon" href="/favicon.ico">
${head}<style>body { font: 16px serif }</style>
</head>
<body>
<header><a href="/">Tidewater Notes</a>
<nav><ul><li><a href="/article">Articles</a></li><li><a href="/docs">Handbook</a></li><li><a href="/product">Shop</a></li>
<li><a href="/forum">Forum</a></li><li><a href="/listing">Index</a></li></ul></nav></header>
<main>${main}</main>
<aside class="sidebar"><h2>Most read</h2><ul><li><a href="/article">Why the tide tables moved</a></li>
<li><a href="/docs">Setting up a gauge</a></li></ul></aside>
<footer><p>All rights to these invented pages are given away.</p><a href="/imprint">Imprint</a>
<a href="/privacy">Privacy</a></footer>
<script>window.visits = (window.visits || 0) + 1</script>
</body>
</html>`

const article: Sheet = {
  title: 'Why the tide tables moved',
  description: 'A harbour town found its printed tide tables eleven minutes late.',
  head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle",
"headline":"Why the tide tables moved","author":{"@type":"Person","name":"Ines Calder"},
"datePublished":"2026-03-04T08:30:00Z"}</script>
<meta name="author" content="Ines Calder"><meta property="article:published_time" content="2026-03-04T08:30:00Z">
`,
  main: `<article><h1>Why the tide tables moved</h1><p class="byline">By <a rel="author" href="/authors/calder">Ines
Calder</a>, <time datetime="2026-03-04">4 March 2026</time></p>
<p>For as long as anyone in the harbour could remember, the printed tide tables had been right to the minute. Last autumn
the ferries began to scrape the sill, and the harbour master started to keep a notebook. After six weeks of entries the
pattern was plain: high water came <strong>eleven minutes early</strong>, every day, in calm and in storm.</p>
<h2>A wall nobody thought about</h2>
<p>The answer lay four kilometres up the estuary. A new flood wall, finished in spring, had narrowed the channel by a
fifth. Water that used to spread over the marsh now turned back sooner, and the turning point of the tide moved with
it. &ldquo;We measured the height of the wall to the centimetre,&rdquo; the engineer said, &ldquo;and never asked about
the clock.&rdquo;</p>
<figure><img src="/images/wall.jpg" alt="The flood wall at low water" width="640" height="360">
<figcaption>The wall at low water, seen from the ferry.</figcaption></figure>
<h2>What changes now</h2>
<ul><li>The tables will be printed anew every quarter.</li><li>A gauge at the wall reports each minute.</li>
<li>Ferries keep half a metre more under the keel.</li></ul>
<blockquote><p>The sea keeps its own time; we only keep the notes.</p></blockquote>
<table><thead><tr><th>Place</th><th>Shift (minutes)</th></tr></thead><tbody><tr><td>Harbour</td><td>11</td></tr>
<tr><td>Lower lock</td><td>7</td></tr><tr><td>Open coast</td><td>0</td></tr></tbody></table>
<p>Whoever plans to sail before the new tables are out should subtract eleven minutes, and leave a margin for the
wind.</p></article>`,
}

const docs: Sheet = {
  title: 'Setting up a gauge',
  description: 'Mount, wire and calibrate a pressure gauge.',
  main: `<h1 id="top">Setting up a gauge</h1><p>A gauge is a pressure cell in a tube. This page takes you from the box to
the first reading in about an hour.</p><h2 id="wire">Wire it</h2><ol><li>Lead the red wire to <code>VIN</code>.</li>
<li>Lead the black wire to <code>GND</code>.</li><li>Join the shield at <em>one</em> end only.</li></ol>
<h2 id="read">Read it</h2><pre><code class="language-python">from gauge import Gauge

g = Gauge(port="/dev/ttyUSB0", every=60)
for reading in g:
    print(reading.metres, reading.at)
</code></pre><p>See <a href="/docs#wire">the wiring</a> again when the readings jump, and the
<a href="/article">story of the wall</a> for what a good series can show.</p>
<dl><dt>every</dt><dd>Seconds between readings, 1 to 3600.</dd><dt>port</dt><dd>The serial device.</dd></dl>`,
}

const product: Sheet = {
  title: 'Brass tide clock',
  description: 'A wall clock with a second hand for the moon.',
  head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Brass tide clock",
"sku":"TC-204","brand":{"@type":"Brand","name":"Calder & Sons"},"offers":{"@type":"Offer","price":"189.00",
"priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>
`,
  main: `<h1>Brass tide clock</h1><p class="price">189.00&nbsp;€</p><p>Turns once in 12 hours 25 minutes, so that its hand
points at high water when the sea does. Cased in brass, 18&nbsp;cm across.</p><table><tr><th>Diameter</th><td>18 cm</td>
</tr><tr><th>Weight</th><td>1.2 kg</td></tr><tr><th>Battery</th><td>one AA, two years</td></tr></table>
<button>Add to basket</button>`,
}

const forum: Sheet = {
  title: 'Gauge drifts in frost',
  description: 'Four people and a frozen tube.',
  main: `<h1>Gauge drifts in frost</h1><section class="posts">
<div class="post"><span class="author">marlow</span> <time>2026-01-12 07:10</time><p>Since the frost my gauge reads four
centimetres too high in the morning. By noon it is right again. Same with yours?</p></div>
<div class="post"><span class="author">odile</span> <time>2026-01-12 07:42</time><p>Ice in the vent tube. It shuts the
cell off from the air and you measure yesterday's pressure.</p></div>
<div class="post"><span class="author">marlow</span> <time>2026-01-12 12:03</time><p>Warmed it with a hand, reading fell
at once. Thank you!</p></div></section>`,
}

const listing: Sheet = {
  title: 'All entries',
  description: 'Everything, newest first.',
  main: `<h1>All entries</h1>${Array.from({ length: 24 }, (_, index) => {
    const number = 24 - index
    return `<div class="card"><h2><a href="/entry/${number}">Entry ${number}</a></h2><p>Notes of week ${number} from the
lower lock.</p></div>`
  }).join('\n')}<nav class="pager"><a rel="next" href="/listing?page=2">Older</a></nav>`,
}

const entry: Page = (scene) => {
  const number = Number(scene.url.pathname.split('/').at(-1)) || 0
  return send({
    title: `Entry ${number}`,
    description: `Week ${number} at the lower lock.`,
    main: `<article><h1>Entry ${number}</h1><p>In week ${number} the water at the lower lock stood between
${number % 5} and ${(number % 5) + 3} metres. The gates were opened ${number * 3} times.</p></article>`,
  })(scene)
}

export const articlePages: Pages = {
  '/': send({
    title: 'Home',
    description: 'Notes about water and clocks.',
    main: '<h1>Tidewater Notes</h1><p>Notes about water and clocks, written by the sea.</p><a href="/listing">All</a>',
  }),
  '/article': send(article),
  '/docs': send(docs),
  '/product': send(product),
  '/forum': send(forum),
  '/listing': send(listing),
  '/entry/*': entry,
}
