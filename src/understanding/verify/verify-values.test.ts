// Values as models give them against the pages they read: right ones in other spellings, and invented ones.
import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../../test/cost.ts'
import { makeEvidenceIndex } from './page-evidence.ts'
import { verifyValue, writeVerifyWarnings } from './verify-values.ts'

const BOATS = `# Tarn Boats Ltd.

Tarn Boats builds **wooden** rowing boats. It was founded on 3rd of May 1987 by Mary Fell
and her brother John.

Twelve people work in the yard; sales reached £1.2 million in 2024, up 15%.

Visit us: 14 Quay Street
Lower Harbour
Leeds LS1 4AB

Phone: 0113 496 0722 · [info@tarnboats.example](mailto:info@tarnboats.example) · [Order](https://tarnboats.example/order?kind=row)

| Model | Length | Weight | Price |
|---|---|---|---|
| Skiff 12 | 3.66 m | 64 kg | £2,450.00 |
| Punt "Grey Heron" | 5,2 m | 0.12 t | £3,980 |

Order code TB-2209-X. Opening hours: 9 am – 5:30 pm. Delivery takes 2 h 30 min.

![Mary Fell in the workshop](https://tarnboats.example/mary.jpg)
`
const LAMPE = `# Wanderlampe „Glühwurm“

Preis: 89,50 € inkl. MwSt. · Lieferung bis 12. März 2026

Gewicht 1.250 g, Leuchtdauer zwölf Stunden, Lichtstrom 1.200 Lumen.

Hergestellt in Österreich von der Firma Hüttenlicht GmbH
(Inhaberin: Frau Dr. Änne Köhler).

Termine 2026
- 7. April: Messe in Graz
- 24.09.2026, 19:30 Uhr: Lesung
`
const FERRY = `# Le bac de l’île

Prix : 12 490 € par an, tarif réduit vingt-cinq euros. Ouvert du 5 au 24 juillet 2026.

東京からの団体も歓迎。電話 03-1234-5678。

Distance : 42 195 mètres. Note : 4,7/5 (1 024 avis).
`
const DATA =
  '{"@type":"Product","name":"Skiff 12","gtin13":"4006381333931","datePublished":"2026-02-11","aggregateRating":{"ratingValue":4.6}}'
const boats = makeEvidenceIndex(['Title: Tarn Boats – rowing boats made by hand', BOATS, DATA])
const lampe = makeEvidenceIndex([LAMPE])
const ferry = makeEvidenceIndex([FERRY])

const plausible: [string, string | number, typeof boats][] = [
  ['founded', '1987-05-03', boats],
  ['founded', 1987, boats],
  ['founders', 'Mary Fell and her brother John', boats],
  ['founders', 'Mary Fell, John', boats],
  ['employees', 12, boats],
  ['revenue', 1_200_000, boats],
  ['revenue', '£1.2 million', boats],
  ['revenue', '1.2 million GBP', boats],
  ['growth', '15 %', boats],
  ['growth', 0.15, boats],
  ['address', '14 Quay Street, Lower Harbour, Leeds LS1 4AB', boats],
  ['phone', '+44 113 496 0722', boats],
  ['email', 'INFO@tarnboats.example', boats],
  ['orderUrl', 'https://tarnboats.example/order?kind=row', boats],
  ['model', 'Punt “Grey Heron”', boats],
  ['price', 2450, boats],
  ['price', '2450.00 GBP', boats],
  ['length_cm', 366, boats],
  ['length', '5.2 metres', boats],
  ['weightKg', 120, boats],
  ['code', 'tb-2209-x', boats],
  ['opens', '09:00', boats],
  ['deliveryMinutes', 150, boats],
  ['gtin', '4006381333931', boats],
  ['published', '2026-02-11', boats],
  ['rating', 4.6, boats],
  ['tagline', 'rowing boats made by hand', boats],
  ['caption', 'Mary Fell in the Workshop', boats],
  ['column', 'Weight', boats],
  ['price', 89.5, lampe],
  ['price', '€89.50', lampe],
  ['delivery', '2026-03-12', lampe],
  ['hours', 12, lampe],
  ['weight', '1.25 kg', lampe],
  ['lumen', 1200, lampe],
  ['maker', 'Huttenlicht GmbH', lampe],
  ['fair', '2026-04-07', lampe],
  ['reading', '2026-09-24T19:30:00', lampe],
  ['price', 12490, ferry],
  ['city', '東京', ferry],
]

const invented: [string, string | number, typeof boats][] = [
  ['founded', '1987-05-13', boats],
  ['founded', 1978, boats],
  ['founders', 'Mary Tarn', boats],
  ['founders', 'Peter Fell', boats],
  ['employees', 120, boats],
  ['revenue', 12_000_000, boats],
  ['revenue', '£1.3 million', boats],
  ['growth', '51 %', boats],
  ['growth', 0.51, boats],
  ['address', '41 Quay Street, Leeds', boats],
  ['address', '14 Quay Street, York', boats],
  ['phone', '0113 496 0723', boats],
  ['phone', '+44 20 7946 0958', boats],
  ['email', 'sales@tarnboats.example', boats],
  ['email', 'info@tarnboats.com', boats],
  ['orderUrl', 'https://tarnboats.example/order?kind=sail', boats],
  ['orderUrl', 'https://evil.example/order', boats],
  ['model', 'Punt "Blue Heron"', boats],
  ['model', 'Skiff 14', boats],
  ['price', 2540, boats],
  ['price', 245, boats],
  ['price', '2450 EUR', boats],
  ['length', '3.66 km', boats],
  ['length_cm', 367.9, boats],
  ['weight', '64 lb', boats],
  ['code', 'TB-2290-X', boats],
  ['opens', '08:00', boats],
  ['closes', '2024-05-03', boats],
  ['deliveryMinutes', 90, boats],
  ['gtin', '4006381333932', boats],
  ['published', '2026-11-02', boats],
  ['rating', 4.8, boats],
  ['summary', 'A family firm that has won the national prize for boats three times', boats],
  ['price', 895, lampe],
  ['price', '$89.50', lampe],
  ['delivery', '2026-12-03', lampe],
  ['maker', 'Berglicht GmbH', lampe],
  ['fair', '2026-04-08', lampe],
  ['reading', '2026-09-24T20:30:00', lampe],
  ['city', '京都', ferry],
]

describe('what becomes of values that the page does not say', () => {
  const schema = { type: 'object', properties: { size: { enum: ['small', 'large'] } } }
  const value = {
    size: 'small',
    name: 'Peter',
    mail: 'a@b.example',
    links: ['https://a.example/x'],
    rows: [{ id: 'X-99123' }],
  }

  it('texts are kept and marked; addresses, e-mails and ids are left out; choices are not judged', () => {
    const { value: kept, checks } = verifyValue(value, boats, schema)
    expect(kept).toEqual({ size: 'small', name: 'Peter', mail: null, links: [], rows: [{ id: null }] })
    expect(checks.map(({ path, isDropped = false }) => [path, isDropped])).toEqual([
      ['name', false],
      ['mail', true],
      ['links.0', true],
      ['rows.0.id', true],
    ])
    expect(writeVerifyWarnings(checks)).toEqual([
      expect.stringMatching(/literally: name\.$/),
      expect.stringMatching(/left out: mail, links\.0, rows\.0\.id\.$/),
    ])
  })

  it('a quote is the line that says it, over line breaks too', () => {
    const { checks } = verifyValue(['Mary Fell and her brother John', 64], boats)
    expect(checks.map(({ quote }) => quote)).toEqual([
      expect.stringMatching(/^Tarn Boats builds wooden.*brother John\.$/),
      'Skiff 12 | 3.66 m | 64 kg | £2,450.00',
    ])
  })

  it('takes linear time for links without an end', () => {
    expectLinear(50_000, (n) => makeEvidenceIndex([']('.repeat(n)]))
  })

  it('reads on over the targets of links', () => {
    const page =
      'Find [red rope](https://x.test/a_(b)?tags[]=red "All \\"red\\" ropes") in [the shop](https://x.test/?a[b]=c_d).'
    const [check] = verifyValue({ about: 'red rope in the shop' }, makeEvidenceIndex([page])).checks
    expect(check).toMatchObject({ isVerified: true })
  })

  it('takes a large page in a moment', () => {
    const large = Array.from(
      { length: 12_000 },
      (_, n) => `Row ${n}: item ${n * 7} of ${n} May 2024, ${n}.50 EUR`,
    ).join('\n')
    const values = Array.from({ length: 300 }, (_, n) => ({
      a: n * 7,
      b: `item ${n * 7}`,
      c: '2031-01-01',
      d: 'not there',
    }))
    const began = process.cpuUsage()
    verifyValue(values, makeEvidenceIndex([large]))
    const { user } = process.cpuUsage(began)
    expect(user / 1e6).toBeLessThan(3)
  })
})

describe('values of a model', () => {
  it('are as many as the bar asks for', () => expect([plausible.length, invented.length]).toEqual([40, 40]))

  it.each(plausible)('%s: %j stands on the page', (name, value, evidence) => {
    expect(verifyValue({ [name]: value }, evidence).checks).toEqual([
      { path: name, isVerified: true, quote: expect.any(String) },
    ])
  })

  it.each(invented)('%s: %j does not', (name, value, evidence) => {
    expect(verifyValue({ [name]: value }, evidence).checks).toMatchObject([{ path: name, isVerified: false }])
  })
})
