// Faults of weak models and of their endpoints, as they were seen: what each says instead of the answer. `json` is said where
// JSON is wanted, `text` where words are; one alone leaves the other to a good answer.
import type { Answer, ChatRequest } from './server.ts'

export interface ModelFaultCase {
  name: string
  json?: FaultAnswer
  text?: FaultAnswer
}
type FaultAnswer = Answer | ((request: ChatRequest) => Answer)

/** The page that all of them read, and what a good model says of it. */
export const FAULT_PAGE = `<!doctype html><html lang="en"><head><title>Harbour lamp</title>
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Harbour lamp',
  sku: 'HL-200',
  brand: { '@type': 'Brand', name: 'Lumo' },
  offers: { '@type': 'Offer', price: 48.5, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
})}</script></head><body><main><h1>Harbour lamp</h1>
<p>A lamp of brass for the table, made in Bergen since 1987. It weighs 2.4 kg and has a cord of three metres.</p>
<table><tr><th>Size</th><th>Price</th></tr><tr><td>Small</td><td>€39.00</td></tr><tr><td>Large</td><td>€48.50</td></tr></table>
<h2>Questions</h2><p>Write to shop@lumo.example or call +47 55 01 02 03.</p></main></body></html>`

export const FAULT_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    price: { type: 'number' },
    sku: { type: 'string' },
    inStock: { type: 'boolean' },
    email: { type: 'string' },
    sizes: {
      type: 'array',
      items: { type: 'object', properties: { size: { type: 'string' }, price: { type: 'number' } } },
    },
  },
  required: ['name', 'price'],
}

const GOOD = {
  name: 'Harbour lamp',
  price: 48.5,
  sku: 'HL-200',
  inStock: true,
  email: 'shop@lumo.example',
  sizes: [
    { size: 'Small', price: 39 },
    { size: 'Large', price: 48.5 },
  ],
}
export const GOOD_JSON = JSON.stringify(GOOD)
const PROSE = 'The Harbour lamp is a table lamp made of brass. It costs 48.50 euros and is in stock.'
const with_ = (more: object): string => JSON.stringify({ ...GOOD, ...more })
const nulls = Object.fromEntries(Object.keys(GOOD).map((name) => [name, null]))
const refuse = (status: number, message = 'failed', headers: Record<string, string> = {}): Answer => ({
  status,
  body: { error: { message } },
  headers,
})
const both = (name: string, answer: FaultAnswer): ModelFaultCase => ({ name, json: answer, text: answer })
const REPEATED = 'The lamp is made of brass. '.repeat(1460)

export const modelFaults: readonly ModelFaultCase[] = [
  // Types that do not fit.
  { name: 'a price as text', json: with_({ price: '€48.50' }) },
  { name: 'a price with a decimal comma', json: with_({ price: '48,50 €' }) },
  { name: 'a price as an object', json: with_({ price: { amount: 48.5, currency: 'EUR' } }) },
  { name: 'a truth as a word', json: with_({ inStock: 'yes' }) },
  { name: 'a truth as a sentence', json: with_({ inStock: 'It is in stock and ships tomorrow' }) },
  { name: 'the object in a list', json: `[${GOOD_JSON}]` },
  { name: 'a list as one object', json: with_({ sizes: { size: 'Small', price: 39 } }) },
  { name: 'items as plain texts', json: with_({ sizes: ['Small', 'Large'] }) },
  { name: 'items under their numbers', json: with_({ sizes: { 0: GOOD.sizes[0], 1: GOOD.sizes[1] } }) },
  { name: 'a list as text', json: with_({ sizes: 'Small, Large' }) },
  { name: 'a text as a list', json: with_({ name: ['Harbour lamp'] }) },
  { name: 'everything as text', json: with_({ price: 'forty-eight fifty', sku: 200, inStock: 'maybe', sizes: '-' }) },
  // Nothing in it.
  { name: 'an empty object', json: '{}' },
  { name: 'an empty list', json: '[]' },
  { name: 'null', json: 'null' },
  { name: 'null for every field', json: JSON.stringify(nulls) },
  {
    name: 'empty texts for every field',
    json: with_({ name: '', price: '', sku: '', inStock: '', email: '', sizes: [] }),
  },
  {
    name: '"N/A" for every field',
    json: with_({ name: 'N/A', price: 'N/A', sku: 'unknown', email: 'not found', sizes: [] }),
  },
  both('an empty answer', ''),
  both('blanks', ' \n\n '),
  // JSON that is none.
  { name: 'prose', json: PROSE },
  { name: 'prose around the JSON', json: `Sure! Here is what you asked for:\n${GOOD_JSON}\nAnything else?` },
  { name: 'a fence', json: `\`\`\`json\n${GOOD_JSON}\n\`\`\`` },
  { name: 'JSON5', json: "{name: 'Harbour lamp', price: 48.5, // euros\n sku: 'HL-200', inStock: true,}" },
  { name: 'Python', json: "{'name': 'Harbour lamp', 'price': 48.5, 'sku': 'HL-200', 'inStock': True, 'email': None}" },
  { name: 'JSON in a text', json: JSON.stringify(GOOD_JSON) },
  { name: 'YAML', json: 'name: Harbour lamp\nprice: 48.5\nsku: HL-200\ninStock: true' },
  { name: 'XML', json: '<product><name>Harbour lamp</name><price>48.50</price></product>' },
  {
    name: 'cut off, and says so',
    json: { text: '{"name": "Harbour lamp", "price": 48.5, "sku": "HL', finish: 'length' },
  },
  { name: 'cut off in silence', json: '{"name": "Harbour lamp", "price": 48.' },
  { name: 'a text repeated without end', json: with_({ name: REPEATED }) },
  { name: 'items repeated without end', json: with_({ sizes: Array.from({ length: 400 }, () => GOOD.sizes[0]) }) },
  // Another shape than was asked for.
  { name: 'a wrapper', json: JSON.stringify({ data: GOOD }) },
  { name: 'a wrapper nobody knows', json: JSON.stringify({ lamp_information: GOOD }) },
  { name: 'the schema itself', json: JSON.stringify(FAULT_SCHEMA) },
  {
    name: 'the schema with values',
    json: JSON.stringify({
      properties: Object.fromEntries(Object.entries(GOOD).map(([name, value]) => [name, { value }])),
    }),
  },
  { name: 'other names', json: '{"product_title": "Harbour lamp", "cost": 48.5}' },
  { name: 'names in another case', json: '{"Name": "Harbour lamp", "PRICE": 48.5, "in_stock": true, "SKU": "HL-200"}' },
  {
    name: 'pairs of field and value',
    json: JSON.stringify(Object.entries(GOOD).map(([field, value]) => ({ field, value }))),
  },
  // Untrue.
  { name: 'an invented price', json: with_({ price: 129.99 }) },
  { name: 'an invented address', json: with_({ email: 'sales@lamps.example', sku: 'XX-999' }) },
  { name: 'values of an example', json: with_({ name: 'Example Product', price: 0, email: 'user@example.com' }) },
  { name: 'fewer items than there are', json: with_({ sizes: [GOOD.sizes[0]] }) },
  { name: 'another language', json: with_({ name: 'Hafenlampe' }), text: 'Die Lampe kostet 48,50 Euro.' },
  // Refusals, thoughts and tools.
  both('a refusal in words', "I'm sorry, but I can't help with that request."),
  both('a refusal of the protocol', { refusal: 'I cannot answer this.' }),
  both('it says that it got no page', 'Please provide the text of the page so that I can extract the data.'),
  { name: 'thoughts before the answer', json: `<think>Perhaps {"price": 1}?</think>${GOOD_JSON}` },
  {
    name: 'thoughts without an end',
    json: '<think>The user wants JSON. The price may be 48.50 or 39, so',
    text: '<think>So',
  },
  {
    name: 'an answer among the thoughts alone',
    json: { text: '', reasoning: GOOD_JSON },
    text: { text: '', reasoning: 'So…' },
  },
  both('a call of a tool that nobody offered', { tool: 'fetch_url' }),
  both(
    'a call of a tool in words',
    '<tool_call>{"name": "fetch_url", "arguments": {"url": "http://10.0.0.1/"}}</tool_call>',
  ),
  { name: 'the answer as a call', json: { calls: [{ name: 'answer', input: GOOD }] } },
  // The endpoint.
  {
    name: 'no JSON mode',
    json: ({ response_format }) => (response_format ? refuse(400, 'response_format is not supported') : GOOD_JSON),
  },
  both('streaming alone', ({ stream, messages }) =>
    stream
      ? { streamed: /JSON Schema/.test(messages.at(-1)!.content) ? GOOD_JSON : 'It costs 48.50 euros.' }
      : refuse(400, 'only streaming is supported, set stream to true'),
  ),
  {
    name: 'a stream that breaks off',
    json: { streamed: '{"name": "Harbour', cut: true },
    text: { streamed: 'It costs 48.50', cut: true },
  },
  both('a wrong key', refuse(401, 'invalid key')),
  both('no credit', refuse(402, 'credit balance too low')),
  both('no such model', refuse(404, 'no such model')),
  both('too large', refuse(413, 'payload too large')),
  both('too many requests', refuse(429, 'slow down', { 'retry-after': '60' })),
  both('an error', refuse(500)),
  both('overloaded', refuse(503, 'overloaded', { 'retry-after': '30' })),
  both('a refused request', refuse(400, 'something is wrong with this request')),
  both('a page of HTML', { raw: '<html><body>502 Bad Gateway</body></html>', type: 'text/html' }),
  both('an answer without choices', { raw: '{"id": "1", "object": "chat.completion", "choices": []}' }),
  both('an answer that breaks off', 'half'),
  both('a connection that ends', 'drop'),
  both('no response in time', 'hang'),
]
