// Runs whose model requests were recorded and answered by hand, each request from its own text alone. Changed requests are
// recorded anew with `node bench/models.mjs serve` (docs/models.md).

export interface RecordedRun {
  name: string
  /** Below the site of test/site/agent-web.ts. */
  paths: readonly string[]
  /** Formats of a scrape, or the body of an agent run. */
  formats?: readonly (string | object)[]
  agent?: { prompt: string; schema?: object; effort?: string }
  /** What must be in the document, or in the run's answer. */
  expected: object
}

const object = (properties: Record<string, object>) => ({ type: 'object', properties })
const text = { type: 'string' }
const number = { type: 'number' }
const listOf = (name: string, properties: Record<string, object>) =>
  object({ [name]: { type: 'array', items: object(properties) } })

const question = (words: string) => [{ type: 'question', question: words }]
const json = (schema: object, prompt?: string) => [{ type: 'json', schema, ...(prompt ? { prompt } : {}) }]

const BOATS = [
  { name: 'Otter', price: 4200 },
  { name: 'Heron', price: 5800 },
  { name: 'Grebe', price: 3100 },
  { name: 'Teal', price: 2650 },
]
const LENGTHS: Readonly<Record<string, number>> = { Otter: 5.4, Heron: 6.1, Grebe: 4.2, Teal: 3.9 }

export const scrapes: readonly RecordedRun[] = [
  {
    name: 'fields of a page',
    paths: ['/tarn/about'],
    formats: json(object({ founder: text, founded: number })),
    expected: { json: { founder: 'Mary Fell', founded: 1987 } },
  },
  {
    name: 'a list without a schema',
    paths: ['/tarn/boats'],
    formats: [{ type: 'json', prompt: 'the names and prices of all boats on this page' }],
    expected: { json: [{ name: 'Otter' }, { name: 'Heron' }] },
  },
  {
    name: 'numbers and units',
    paths: ['/tarn/boats/otter'],
    formats: json(object({ name: text, lengthMetres: number, price: number, currency: text })),
    expected: { json: { name: 'Otter', lengthMetres: 5.4, price: 4200 } },
  },
  {
    name: 'addresses and phones',
    paths: ['/tarn/contact'],
    formats: json(object({ email: text, phone: text, fax: text })),
    expected: { json: { email: 'oars@tarn.example', phone: '+44 1539 555 014', fax: null } },
  },
  {
    name: 'fields that a page does not have',
    paths: ['/tarn/blog'],
    formats: json(object({ founder: text, price: number })),
    expected: { json: { founder: null, price: null } },
  },
  {
    name: 'a judgement',
    paths: ['/tarn/blog'],
    formats: json(object({ weather: { type: 'string', enum: ['sunny', 'rainy', 'snowy'] } })),
    expected: { json: { weather: 'rainy' } },
  },
  {
    name: 'a question',
    paths: ['/tarn/contact'],
    formats: question('How can I call them?'),
    expected: { answer: /\+44 1539 555 014/ },
  },
  {
    name: 'a question in another language',
    paths: ['/tarn/about'],
    formats: question('Wann wurde die Firma gegründet?'),
    expected: { answer: /wurde.*1987|1987.*gegründet/ },
  },
  {
    name: 'a question that the page does not answer',
    paths: ['/tarn/privacy'],
    formats: question('Who founded the company?'),
    expected: { answer: /^Not on this page/ },
  },
  { name: 'a summary', paths: ['/tarn/about'], formats: ['summary'], expected: { summary: /Mary Fell/ } },
  {
    name: 'highlights',
    paths: ['/tarn/blog'],
    formats: [{ type: 'highlights', query: 'weather' }],
    expected: { highlights: /rained all week/ },
  },
  {
    name: 'a price in words',
    paths: ['/tarn/boats/teal'],
    formats: question('What does the Teal cost, and how long is it?'),
    expected: { answer: /2,?650.*3\.9|3\.9.*2,?650/ },
  },
]

export const agents: readonly RecordedRun[] = [
  {
    name: 'fields over several pages',
    paths: ['/tarn/'],
    agent: {
      prompt: 'Who founded Tarn Boats, when, and what is the e-mail address?',
      schema: object({ founder: text, founded: number, email: text }),
    },
    expected: { data: { founder: 'Mary Fell', founded: 1987, email: 'oars@tarn.example' } },
  },
  {
    name: 'a list over two pages',
    paths: ['/tarn/boats'],
    agent: {
      prompt: 'List all boats with their prices',
      schema: listOf('boats', { name: text, price: number }),
    },
    expected: { data: { boats: BOATS } },
  },
  {
    name: 'a list whose items have pages',
    paths: ['/tarn/boats'],
    agent: {
      prompt: 'List all boats with their prices and lengths in metres',
      schema: listOf('boats', { name: text, price: number, length: number }),
    },
    expected: { data: { boats: BOATS.map((boat) => ({ ...boat, length: LENGTHS[boat.name] })) } },
  },
  {
    name: 'an answer from two pages',
    paths: ['/tarn/'],
    agent: { prompt: 'Who is behind Tarn Boats, and how do I reach them by phone?' },
    expected: { data: { answer: /Mary Fell[\s\S]*555 014|555 014[\s\S]*Mary Fell/ } },
  },
  {
    name: 'an answer in the language of the question',
    paths: ['/tarn/'],
    agent: { prompt: 'Seit wann gibt es Tarn Boats, und wie lautet die E-Mail-Adresse?' },
    expected: { data: { answer: /1987[\s\S]*oars@tarn\.example/ } },
  },
  {
    name: 'a comparison',
    paths: ['/tarn/boats'],
    agent: { prompt: 'Which is the cheapest boat, and how long is it?' },
    expected: { data: { answer: /Teal[\s\S]*3\.9/ } },
  },
  {
    name: 'what no page says',
    paths: ['/tarn/'],
    agent: {
      prompt: 'What was the revenue of Tarn Boats last year?',
      schema: object({ revenue: number }),
      effort: 'low',
    },
    expected: { data: { revenue: null } },
  },
  {
    name: 'a page that says it all',
    paths: ['/tarn/boats/heron'],
    agent: {
      prompt: 'Name, length and price of this boat',
      schema: object({ name: text, length: number, price: number }),
    },
    expected: { data: { name: 'Heron', length: 6.1, price: 5800 } },
  },
]
