// Requests as people write them, on small sites of our own, without a model.
import { describe, expect, it } from 'vitest'
import { runOffline } from './offline.ts'

const page = (title: string, body: string, nav = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav>${nav}</nav><main>${body}</main></body></html>`
const text = (data: unknown): string => JSON.stringify(data)

const shop = {
  '/': page(
    'Shop',
    `<h1>Shop</h1><ul>${[
      ['Kettle', 39],
      ['Lamp', 24.5],
      ['Clock', 18],
    ]
      .map(([name, price]) => `<li class="card"><h2>${name}</h2><p class="price">€${price}</p></li>`)
      .join('')}</ul>`,
  ),
}
const NAV = '<a href="/fleet">Our fleet</a> <a href="/contact">Contact</a>'
const harbour = {
  '/': page('Skerry Sailing', '<h1>Skerry Sailing</h1><p>Days at sea.</p>', NAV),
  '/fleet': page(
    'Our fleet',
    '<h1>Our fleet</h1><table><tr><th>Boat</th><th>Length</th><th>Berths</th><th>Price per week</th></tr><tr><td>Gannet</td><td>11 m</td><td>6</td><td>€1,900</td></tr><tr><td>Fulmar</td><td>9 m</td><td>4</td><td>€1,250</td></tr></table>',
    NAV,
  ),
  '/contact': page(
    'Contact',
    '<h1>Contact</h1><p>Write to crew@skerry.example or ring Ailsa Reid on 01631 555 044.</p><h2>Cancelling</h2><p>You get everything back until 30 days before the start.</p>',
    NAV,
  ),
}
const boats = {
  type: 'object',
  properties: {
    boats: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, length: { type: 'string' } } },
    },
  },
}
const contact = { type: 'object', properties: { email: { type: 'string' } } }

describe('fields that the words of a request name', () => {
  it.each([
    ['What are the names and prices of the three products?', ['name', 'price']],
    ['List all products with their price', ['name', 'price']],
    ['Get each dish with its price', ['name', 'price']],
    ['title, speaker and room of each talk', ['title', 'speaker', 'room']],
  ])('%s', (prompt, fields) => {
    expect(runOffline(shop, prompt).goal).toMatchObject({ shape: 'list', isFromPrompt: true, fields })
  })

  it.each(['What does the lamp weigh?', 'Who runs it and how do I reach them?', 'Tell me about the clock'])(
    'none in "%s"',
    (prompt) => expect(runOffline(shop, prompt).goal.shape).toBe('answer'),
  )

  it('fills them from the page', () => {
    const { data } = runOffline(shop, 'List all products with their price')
    for (const part of ['Kettle', '39', 'Lamp', '24.5', 'Clock', '18']) expect(text(data)).toContain(part)
  })
})

describe('a site whose links share no word with the request', () => {
  it('is read all the same', () => {
    const { read } = runOffline(harbour, 'boats and e-mail address', boats)
    expect(read).toEqual(expect.arrayContaining(['/fleet', '/contact']))
    expect(text(runOffline(harbour, 'Where can I write to them?', contact).data)).toContain('crew@skerry.example')
  })
})

describe('questions that are answered with quotes', () => {
  it.each([
    ['How much is the Fulmar per week?', '1,250'],
    ['How many berths does the Gannet have?', '6'],
    ['Who do I ring?', 'Ailsa Reid'],
    ['Can I get my money back?', '30 days'],
    ['How long are the boats?', '11 m'],
  ])('%s', (prompt, expected) => {
    const { data, sources } = runOffline(harbour, prompt)
    expect(text(data)).toContain(expected)
    expect(sources.answer?.quote).toBeTruthy()
  })

  it('is null when nothing shares a content word', () => {
    expect(runOffline(harbour, 'Zeppelin?').data).toEqual({ answer: null })
  })

  it('puts what is only near under a heading of its own', () => {
    const { data, confidence } = runOffline(
      harbour,
      'Which vegetarian restaurants near the boats accept dogs, and since when?',
    )
    expect([text(data).includes('Closest on this site:'), (confidence ?? 1) < 0.3]).toEqual([true, true])
  })
})
