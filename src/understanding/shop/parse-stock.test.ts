// Whether a thing can be bought: what the page says of it, and what a theme only keeps ready to say.
import { describe, expect, it } from 'vitest'
import { linked, read } from '../../../test/site/quay-boot.ts'

describe('what is gone', () => {
  it('is gone although the data call it limited, when the page says so', () => {
    const offer = {
      '@type': 'Offer',
      price: 49.9,
      priceCurrency: 'EUR',
      availability: 'https://schema.org/LimitedAvailability',
    }
    const data = linked({ '@type': 'Product', name: 'Quay Boot', offers: offer })
    const gone = read('<p>49,90 €</p><p class="delivery-information delivery-soldout">Nicht mehr verfügbar</p>', data)
    expect(gone?.variants[0]?.availability).toEqual({ inStock: false, text: 'Nicht mehr verfügbar' })
    const few = read('<p>49,90 €</p><button>Add to cart</button>', data)
    expect(few?.variants[0]?.availability).toEqual({ inStock: true, text: 'Limited availability' })
  })

  it('is not there because sizes or payments are “available”', () => {
    const product = read(
      '<b class="price">$24.00</b><p class="stock-note">3 versions available</p><button disabled>Sold out</button>',
    )
    expect(product?.variants[0]?.availability).toEqual({ inStock: false, text: 'Sold out' })
  })

  it('is told in its own words, not with the price beside them', () => {
    const product = read(`<div class="price price--sold-out"><span class="price-item">$24.00</span>
      <span class="badge price__badge-sold-out">Sold out</span></div><button disabled>Sold out</button>`)
    expect(product?.variants[0]?.availability).toEqual({ inStock: false, text: 'Sold out' })
  })
})

describe('what a theme keeps out of sight', () => {
  it.each([
    '<span class="product__badge-sold-out hidden">Sold out</span>',
    '<div class="stock-flag" style="display: none">Sold out</div>',
    '<div class="d-none"><p class="stock-note">Sold out</p></div>',
    '<p class="availability" aria-hidden="true">Out of stock</p>',
  ])('is not its stock: %s', (badge) => {
    const product = read(`<b class="price">$24.00</b>${badge}<button>Add to cart</button>`)
    expect(product?.variants[0]?.availability.inStock).toBe(true)
  })
})
