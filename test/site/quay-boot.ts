// The page of one boot in a shop, among cards of other products: `read` gives the product that is found when the page says this
// of it, `linked` a block of structured data for its head.
import { parsePage } from '../../src/content/parsed-page.ts'
import { readProduct } from '../../src/understanding/shop/read-product.ts'

const URL_OF_IT = 'https://shop.example/products/quay-boot'
export const read = (body: string, head = '') =>
  readProduct(
    parsePage(
      {
        bytes: Buffer.from(
          `<!doctype html><html lang="en"><head><title>Quay Boot – Pier 4</title>${head}</head><body>` +
            `<nav><a href="/">Home</a><a href="/sale">Sale up to 70%</a></nav><main><h1>Quay Boot</h1>${body}</main>` +
            '<section class="related"><h2>You may also like</h2><article class="card"><h3>Deck Shoe</h3><s>$70.00</s> <span class="price">$49.00</span></article>' +
            '<article class="card"><h3>Rain Hat</h3><span class="price">$25.00</span><span>Sold out</span></article></section></body></html>',
        ),
        contentType: 'text/html; charset=utf-8',
        url: URL_OF_IT,
      },
      { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
    ),
  ).product
export const linked = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`
