// A shop and a restaurant, and their hostile cousins.
import type { Page, Pages } from './page.ts'

const page =
  (html: string): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html)
  }

const filler =
  '<p>The yarn is spun in a mill by the quay, and every piece is washed twice before it leaves the house.</p>'.repeat(
    20,
  )

const pullover = `<!doctype html><html lang="en"><head><title>Deckhand Pullover | Pier 4</title><link rel="canonical" href="/shop/pullover"></head><body><header><nav><a href="/">Home</a></nav></header>
<main><nav aria-label="Breadcrumb"><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/shop/knitwear">Knitwear</a></nav><h1>Deckhand Pullover</h1><p class="price"><s>$120.00</s> <strong>$84.00</strong></p>
<form action="/cart"><button>Add to cart</button></form>
<div class="product-gallery"><img src="/img/1.png" alt="Front" width="600" height="600"><img src="/img/2.png" alt="Back" width="600" height="600"></div>${filler}</main></body></html>`

const tavern = `<!doctype html><html lang="en"><head><title>Menu | The Anchor</title></head><body><main><h1>Menu</h1><h2>Starters</h2><ul><li><strong>Leek soup (V)</strong> <span>£6.50</span></li><li><strong>Whitebait</strong> <span>£8.00</span></li></ul>
<h2>Mains</h2><ul><li><strong>Fish pie</strong> <span>£16.00</span><p>With peas, 720 kcal</p></li><li><strong>Mushroom risotto (VG, GF)</strong> <span>£14.50</span></li></ul>${filler}</main></body></html>`

/** Ten megabytes of state about nothing, and a product beneath it. */
const heap: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.write('<!doctype html><title>Heap</title><h1>Heap</h1><script>window.__STATE__ = [')
  const chunk = `${JSON.stringify({ name: 'Noise', price: 1, sku: 'n', image: '/n.png' })},`.repeat(1000)
  for (let written = 0; written < 10_000_000; written += chunk.length) response.write(chunk)
  response.end(`null]</script><p class="price">$5.00</p><button>Add to cart</button>${filler}`)
}

/** A shop system without data: facts in lists, the old price struck. */
const lens = `<!doctype html><html lang="en"><title>Anchor Lens 50</title><body><main><h1>Anchor Lens 50</h1>
<ul><li>Brand: <a href="/anchor">Anchor Optics</a></li><li>Product Code: AL50</li><li>Availability: In Stock</li></ul>
<ul><li><span style="text-decoration: line-through;">$100.00</span></li><li><h2>$90.00</h2></li><li>Ex Tax: $75.00</li></ul>
<button>Add to Cart</button></main></body></html>`

export const shopPages: Pages = {
  '/shop/pullover': page(pullover),
  '/shop/lens': page(lens),
  '/tavern/menu': page(tavern),
  '/shop/heap': heap,
}
