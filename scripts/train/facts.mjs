// The rate `facts`: of what a page's structured data says about its subject (price, rating, ingredients, steps, place, pay,
// address) and its text shows, the share that the main content keeps. Independent of the code that it judges.

const SUBJECTS = {
  Product: ({ offers, aggregateRating }) => [
    ...first(offers, ({ price, lowPrice, priceSpecification }) =>
      number('price', price ?? lowPrice ?? list(priceSpecification)[0]?.price),
    ),
    ...first(aggregateRating, ({ ratingValue }) => number('rating', ratingValue)),
  ],
  Recipe: ({ recipeIngredient, ingredients, recipeInstructions, recipeYield }) => [
    ...words('ingredient', recipeIngredient ?? ingredients),
    ...words('step', steps(recipeInstructions)),
    ...words('yield', list(recipeYield).slice(-1)),
  ],
  Event: ({ location, offers }) => [
    ...first(location, (place) => [...words('place', place.name), ...address(place)]),
    ...first(offers, ({ price, lowPrice }) => number('price', price ?? lowPrice)),
  ],
  JobPosting: ({ baseSalary, jobLocation }) => [
    ...first(baseSalary, ({ value }) => number('pay', value?.minValue ?? value?.value ?? value)),
    ...first(jobLocation, (place) => words('place', place.address?.addressLocality)),
  ],
  LocalBusiness: (business) => [...address(business), ...words('telephone', business.telephone)],
}

const ALIASES = [
  [/^(ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)$/, 'Product'],
  [/Event$/, 'Event'],
  [
    /^(Restaurant|Store|Hotel|Dentist|MedicalClinic|FoodEstablishment|LodgingBusiness|Attorney|Hospital)$/,
    'LocalBusiness',
  ],
]

const list = (value) => (value === undefined || value === null ? [] : [value].flat())
const first = (value, read) => {
  const [one] = list(value).filter((each) => typeof each === 'object')
  return one ? read(one) : []
}
const address = ({ address: at }) => words('address', typeof at === 'string' ? at : at?.streetAddress)
const words = (kind, value) =>
  list(value)
    .filter((one) => typeof one === 'string')
    .map((text) => ({ kind, letters: letters(text.replace(/<[^>]*>/g, ' ')).slice(0, 60) }))
    .filter((fact) => fact.letters.length >= 4)
const steps = (value) =>
  list(value)
    .flatMap((one) => (typeof one === 'string' ? [] : [one.text, ...steps(one.itemListElement)]))
    .filter(Boolean)

function number(kind, value) {
  const amount = Number(String(value ?? '').replace(/,(?=\d{3}\b)/g, ''))
  return Number.isFinite(amount) && amount > 0 ? [{ kind, forms: formsOf(amount) }] : []
}

/** As people write it: 1234.5, 1,234.50, 1.234,50, 1 234. */
function formsOf(amount) {
  const whole = String(Math.trunc(amount))
  const grouped = [whole, ...[',', '.', ' ', "'"].map((mark) => whole.replace(/\B(?=(\d{3})+$)/g, mark))]
  const cents = amount.toFixed(2).split('.')[1]
  const ends =
    cents === '00'
      ? ['', '.00', ',00']
      : [`.${cents}`, `,${cents}`, `.${cents.replace(/0$/, '')}`, `,${cents.replace(/0$/, '')}`]
  return [...new Set(grouped.flatMap((front) => ends.map((end) => front + end)))]
}

const letters = (text) =>
  decode(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
const decode = (text) =>
  text.replace(/&(amp|nbsp|quot|lt|gt|#\d+|#x[\da-f]+);/gi, (_, code) =>
    code[0] === '#'
      ? String.fromCodePoint(code[1] === 'x' ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1)))
      : ' ',
  )

function* things(value, depth = 0) {
  if (depth > 4) return
  for (const one of list(value).slice(0, 200)) {
    if (typeof one !== 'object' || one === null) continue
    yield one
    yield* things(one['@graph'], depth + 1)
    yield* things(one.mainEntity, depth + 1)
    yield* things(one.mainEntityOfPage, depth + 1)
  }
}

const typesOf = (thing) =>
  list(thing['@type']).map((type) => {
    const own = String(type).replace(/^.*[/#:]/, '')
    return ALIASES.find(([form]) => form.test(own))?.[1] ?? own
  })

/** The facts of the one thing that the page names in its title. */
export function factsOf(html) {
  const [heading, ...declared] = [
    /<h1[^>]*>(.*?)<\/h1>/is,
    /<title[^>]*>([^<]*)/i,
    /property="og:title"[^>]*content="([^"]*)/i,
  ].map((form) => letters((form.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, ' ')))
  const names = [heading, ...declared].filter((name) => name.length > 3)
  const found = []
  for (const [, text] of html.matchAll(/<script[^>]*application\/ld\+json[^>]*>(.*?)<\/script>/gis)) {
    let data
    try {
      data = JSON.parse(text.trim())
    } catch {
      continue
    }
    for (const thing of things(data)) {
      const type = typesOf(thing).find((one) => SUBJECTS[one])
      const own = letters(String(thing.name ?? thing.title ?? ''))
      // A business signs all of its pages; those about it name it in their heading.
      if (type === 'LocalBusiness' && !heading.includes(own)) continue
      if (!type || own.length < 4 || !names.some((name) => name.includes(own) || own.includes(name))) continue
      found.push({ type, facts: SUBJECTS[type](thing) })
    }
  }
  const [subject = sharedProduct(html)] = found
  return subject && found.every(({ type }) => type === subject.type) ? subject : undefined
}

/** The product that Open Graph declares, for pages without JSON-LD. */
function sharedProduct(html) {
  const meta = (name) => {
    const [tag = ''] = html.match(new RegExp(`<meta[^>]*property=["']${name}["'][^>]*>`, 'i')) ?? []
    return /content=["']([^"']*)/i.exec(tag)?.[1] ?? ''
  }
  if (!/product/i.test(meta('og:type'))) return undefined
  const price = meta('(?:product|og):price:amount').replace(/^\D+|\D+$/g, '')
  return { type: 'Product', facts: number('price', price) }
}

const escapeForm = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '[\\s\\u00a0\\u202f]')

function shows(markdown, fact) {
  if (fact.letters) return letters(markdown).includes(fact.letters)
  return fact.forms.some((form) => new RegExp(`(?<![\\d.,])${escapeForm(form)}(?!\\d|[.,:]\\d)`).test(markdown))
}

/** Of each fact that the whole page shows: is it in the main content? */
export function judgeFacts(html, main, whole) {
  const subject = factsOf(html)
  if (!subject) return undefined
  const units = subject.facts
    .filter((fact) => shows(whole, fact))
    .map((fact) => ({
      kind: `${subject.type} ${fact.kind}`,
      said: fact.letters ?? fact.forms[0],
      kept: shows(main, fact),
    }))
  return units.length > 0 ? units : undefined
}

/** The mean share over pages. */
export function factRate(judged) {
  const pages = judged.filter(Boolean)
  const shares = pages.map((units) => units.filter(({ kept }) => kept).length / units.length)
  return shares.length > 0 ? shares.reduce((a, b) => a + b, 0) / shares.length : 1
}
