// Shops of the agents' web: categories in pages of four, a page for each thing, and a page about delivery.
import { FORMS, filler, framed, link, stated, type WebPage } from './page.ts'
import { between, material, type Rng, siteWord, slug, thingName } from './words.ts'

export interface Thing {
  name: string
  price: number
  weight: string
  material: string
  category: string
  path: string
}

export interface Shop {
  name: string
  root: string
  things: Thing[]
  delivery: { deliveryDays: number; returnDays: number }
  pages: WebPage[]
}

const CATEGORIES = ['Kitchen', 'Garden', 'Travel', 'Workshop', 'Home']
const PER_PAGE = 4

export function shopAt(at: number, rng: Rng, perShop: number): Shop {
  const name = `${siteWord(at + 20)} & Daughters`
  const root = `/shop/${slug(name)}/`
  const things: Thing[] = Array.from({ length: perShop }, (_, n) => {
    const called = thingName(at * perShop + n)
    return {
      name: called,
      price: between(rng, 5, 400) + (n % 2 ? 0.5 : 0),
      weight: `${(between(rng, 2, 90) / 10).toFixed(1)} kg`,
      material: material(rng),
      category: CATEGORIES[n < 9 ? 0 : n % CATEGORIES.length]!,
      path: `${root}item/${slug(called)}`,
    }
  })
  const delivery = { deliveryDays: between(rng, 2, 9), returnDays: between(rng, 2, 8) * 7 }
  const site = {
    name,
    root,
    menu: [
      ['', 'Home'],
      ...CATEGORIES.map((one) => [`category/${one.toLowerCase()}`, one] as [string, string]),
      ['delivery', at % 2 ? 'Delivery and returns' : 'Shipping & returns'],
    ] as [string, string][],
  }
  const form = FORMS[at % 3]!
  const money = (price: number) => (at % 2 ? `€${price.toFixed(2)}` : `$${price.toFixed(2)}`)
  const card = ({ name: called, price, path }: Thing) =>
    `<li class="card"><h2>${link(path, called)}</h2><p class="price">${money(price)}</p></li>`
  const lists = CATEGORIES.flatMap((category) => {
    const all = things.filter((thing) => thing.category === category)
    const base = `${root}category/${category.toLowerCase()}`
    return Array.from({ length: Math.ceil(all.length / PER_PAGE) }, (_, n) => {
      const some = all.slice(n * PER_PAGE, (n + 1) * PER_PAGE)
      const next = (n + 1) * PER_PAGE < all.length ? `<p>${link(`${base}?page=${n + 2}`, 'Next')}</p>` : ''
      return {
        path: n === 0 ? base : `${base}?page=${n + 1}`,
        html: framed(site, category, `<ul>${some.map(card).join('')}</ul>${next}`),
        items: some.map(({ name: called, price }) => ({ name: called, price })),
      }
    })
  })
  const details = things.map(
    (thing): WebPage => ({
      path: thing.path,
      html: framed(
        site,
        thing.name,
        `<p>${money(thing.price)}</p>${stated(form, thing.name, [
          { label: 'Price', value: money(thing.price), sentence: `It costs ${money(thing.price)}.` },
          { label: 'Weight', value: thing.weight, sentence: `It weighs ${thing.weight}.` },
          { label: 'Material', value: thing.material, sentence: `It is made of ${thing.material}.` },
        ])}${filler(at, 1)}`,
      ),
      facts: { name: thing.name, price: thing.price, weight: thing.weight, material: thing.material },
    }),
  )
  const { deliveryDays, returnDays } = delivery
  return {
    name,
    root,
    things,
    delivery,
    pages: [
      {
        path: root,
        html: framed(
          site,
          name,
          `${filler(at)}<ul>${CATEGORIES.map((one) => `<li>${link(`${root}category/${one.toLowerCase()}`, one)}</li>`).join('')}</ul>`,
        ),
      },
      ...lists,
      ...details,
      {
        path: `${root}delivery`,
        html: framed(
          site,
          'Delivery and returns',
          stated(form, name, [
            { label: 'Delivery days', value: deliveryDays, sentence: `Delivery takes ${deliveryDays} days.` },
            { label: 'Return days', value: returnDays, sentence: `Things can be returned within ${returnDays} days.` },
          ]),
        ),
        facts: { deliveryDays, returnDays },
      },
      {
        path: `${root}privacy`,
        html: framed(site, 'Privacy', '<p>We keep your address for as long as the law wants it.</p>'),
      },
    ],
  }
}
