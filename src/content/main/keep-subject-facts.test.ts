// The facts of what a page is about stay in its main content, and a page without a heading is given its declared title.
import { describe, expect, it } from 'vitest'
import { parsePage } from '../parsed-page.ts'

const prose = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `<p>Part ${i} tells of the lamp at the harbour wall, of the keepers who lit it, and of what they saw.</p>`,
  ).join('')
const related = `<div class="related-products"><h2>You may also like</h2>${['Rope', 'Anchor', 'Buoy']
  .map((name) => `<div class="card"><a href="/${name}">${name}</a><span class="price">$5.00</span></div>`)
  .join('')}</div>`

function read(head: string, body: string, url = 'https://shop.example/lamp'): string {
  const nav = '<nav><a href="/">Home</a><a href="/all">All goods</a></nav>'
  const html = `<!doctype html><html><head>${head}</head><body>${nav}${body}<footer>© The shop</footer></body></html>`
  return parsePage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html', url },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  ).markdown
}

const data = (thing: object): string => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`

describe('what the page is about', () => {
  it('keeps the price and the rating that structured data states', () => {
    const product = data({
      ...{ '@type': 'Product', name: 'Brass lamp', offers: { price: '1249.50', priceCurrency: 'EUR' } },
      aggregateRating: { ratingValue: 4.6, reviewCount: 82 },
    })
    const box = '<div class="box"><span>4.6 stars on 82 reviews</span></div><div class="buy"><b>€1,249.50</b></div>'
    const page = `<main><h1>Brass lamp</h1>${box}<form class="cart"><button>Add</button></form>${prose(6)}</main>${related}`
    const markdown = read(`<title>Brass lamp | The shop</title>${product}`, page)
    expect(markdown).toContain('€1,249.50')
    expect(markdown).toContain('4.6 stars')
  })

  it('keeps the price that Open Graph declares, also beside a discount, and only where it looks like one', () => {
    const head = '<title>On lamps</title><meta property="product:price:amount" content="94.90">'
    const box = '<div class="promo-strip"><a href="/sale">Sale</a><span>£94.90 -17%</span></div>'
    const page = (above: string) => `<main><h1>On lamps</h1>${above}${prose(8)}</main>${related}`
    expect(read(head, page(box))).toContain('£94.90 -17%')
    const counted = page('<div class="share-count"><a href="/share">Share</a><span>94.90</span></div>')
    expect(read(head, counted)).toBe(read('<title>On lamps</title>', counted))
  })

  it('keeps the price of each card of which another part is kept', () => {
    const names = ['Brass', 'Copper', 'Iron', 'Pewter', 'Silver', 'Steel', 'Tin', 'Zinc']
    const cards = names.map((name, i) => {
      const text = `A ${name.toLowerCase()} lamp for the hall, made by hand in our own workshop beside the harbour.`
      const price = `<header class="banner"><div>$${i + 20}.50</div></header>`
      return `<article class="item"><h3><a href="/lamps/${i}">${name} lamp</a></h3><p>${text}</p>${price}</article>`
    })
    const page = `<main><h1>Lamps for the hall</h1><div class="pagination-grid">${cards.join('')}</div></main>`
    const markdown = read('<title>Lamps for the hall | The shop</title>', page, 'https://shop.example/lamps')
    names.forEach((name, i) => {
      expect(markdown).toContain(`${name} lamp`)
      expect(markdown).toContain(`$${i + 20}.50`)
    })
  })

  it('keeps the price in a list of which nothing else is kept', () => {
    const product = data({ '@type': 'Product', name: 'Brass lamp', offers: { price: '698.00', priceCurrency: 'USD' } })
    const lines = [
      'Limit 99 to a buyer',
      'Free returns for 30 days',
      'Sold by the harbour shop',
      'Ships from the old pier',
    ]
    const items = lines.map((line) => `<li>${line}</li>`).join('')
    const list = `<ul class="price"><li><div>$<strong>698</strong><sup>.00</sup></div></li>${items}</ul>`
    const markdown = read(
      `<title>Brass lamp | The shop</title>${product}`,
      `<aside class="sidebar">${list}</aside><main><h1>Brass lamp</h1>${prose(6)}</main>`,
    )
    expect(markdown).toContain('698')
    expect(markdown).not.toContain('Ships from the old pier')
  })

  it('keeps what microdata marks, and not that of related products', () => {
    const scope = (name: string, price: string) =>
      `<div itemscope itemtype="https://schema.org/Product"><h3 itemprop="name">${name}</h3><p itemprop="price">${price}</p></div>`
    const page = `<main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Brass lamp</h1><div class="meta"><div itemprop="price">79 coins</div></div>${prose(6)}<div class="related">${scope('Rope', '5 coins')}${scope('Buoy', '6 coins')}</div></main>`
    const markdown = read('<title>Brass lamp | The shop</title>', page)
    expect(markdown).toContain('79 coins')
    expect(markdown).not.toContain('6 coins')
  })

  it('keeps all ingredients of a recipe, however short', () => {
    const ingredients = ['2 eggs', 'Salt to taste', '300 g of flour', 'A bay leaf']
    const recipe = data({ '@type': 'Recipe', name: 'Fish soup', recipeIngredient: ingredients, recipeYield: '4 bowls' })
    const list = ingredients.map((one) => `<div class="tag"><span>${one}</span></div>`).join('')
    const page = `<main><h1>Fish soup</h1>${prose(5)}<div class="widget">${list}<div>4 bowls</div></div>${prose(2)}</main>`
    const markdown = read(`<title>Fish soup | The shop</title>${recipe}`, page)
    for (const one of [...ingredients, '4 bowls']) expect(markdown).toContain(one)
  })

  it('keeps tables and definition lists of a page with little else', () => {
    const rows = ['Weight|2 kg', 'Height|31 cm', 'Material|Brass'].map((row) => row.split('|'))
    const table = `<table>${rows.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('')}</table>`
    const terms = '<dl><dt>Delivery</dt><dd>Two days</dd><dt>Returns</dt><dd>Thirty days</dd></dl>'
    const markdown = read(
      '<title>Brass lamp | The shop</title>',
      `<main><h1>Brass lamp</h1>${prose(2)}${table}${terms}</main>`,
    )
    expect(markdown).toContain('| Weight | 2 kg |')
    expect(markdown).toContain('Thirty days')
  })
})

describe('a page without a heading', () => {
  const page = `<main>${prose(4)}</main>`
  it.each([
    ['og:title', '<title>x</title><meta property="og:title" content="The lamp">'],
    ['the headline', `<title>x</title>${data({ '@type': 'NewsArticle', headline: 'The lamp' })}`],
    [
      '<title> less the name that the site has',
      '<title>The lamp – Harbour</title><meta property="og:site_name" content="Harbour">',
    ],
    ['<title> less the name of the host', '<title>Shop | The lamp</title>'],
  ])('begins with %s', (_, head) => {
    expect(read(head, page, 'https://www.shop.co.uk/lamp')).toMatch(/^# The lamp\n\nPart 0/)
  })

  it('is not called by the name of its site', () => {
    expect(read('<title>Shop</title>', page, 'https://www.shop.co.uk/')).toMatch(/^Part 0/)
  })
})

describe('once', () => {
  it('a picture, whatever its size, and a paragraph', () => {
    const picture = (size: number) => `<p><img src="/lamp.jpg?w=${size}" alt="The lamp"></p>`
    const markdown = read(
      '<title>Lamp</title>',
      `<main><h1>Lamp</h1>${picture(300)}${prose(3)}${picture(600)}${prose(3)}<p>The end of it all.</p></main>`,
    )
    expect(markdown.match(/lamp\.jpg/g)).toHaveLength(1)
    expect(markdown.match(/Part 2 tells/g)).toHaveLength(1)
  })

  it('and pixels that count visits never', () => {
    const pixels =
      '<img src="/a.gif" style="width:1px;height:1px"><noscript><img src="https://count.example/p?c1=2"></noscript>'
    expect(read('<title>Lamp</title>', `<main><h1>Lamp</h1>${prose(2)}${pixels}${prose(1)}</main>`)).not.toContain('![')
  })
})
