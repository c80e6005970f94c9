// Prompts that name fields become a schema; others do not.
import { describe, expect, it } from 'vitest'
import { schemaFromPrompt } from './schema-from-prompt.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const list = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })

describe('a prompt', () => {
  it.each([
    ['What are the names and prices of the three products?', { products: list({ name: text, price: number }) }],
    ['names and prices of the products', { products: list({ name: text, price: number }) }],
    ['List all products with their price', { products: list({ name: text, price: number }) }],
    ['Get each dish with its price', { dishes: list({ name: text, price: number }) }],
    ['title, speaker and room of each talk', { talks: list({ title: text, speaker: text, room: text }) }],
    ['Extract the phone number and the address', { phoneNumber: text, address: text }],
    [
      'Find the CEO, the founding year and the number of employees',
      { ceo: text, foundingYear: text, numberEmployees: number },
    ],
    ['What is the price of the kettle?', { price: number }],
    ['How much does it cost?', { price: number }],
    ['What does the lamp weigh?', { weight: text }],
    ['Get the ingredients', { ingredients: { type: 'array', items: text } }],
  ])('%s', (prompt, properties) => {
    expect(schemaFromPrompt(prompt)).toEqual({ type: 'object', properties })
  })

  it.each(['Summarise the page for me in three lines', 'Why do spiders eat their webs at dusk every evening?', ''])(
    'names no fields: %s',
    (prompt) => {
      expect(schemaFromPrompt(prompt)).toBeUndefined()
    },
  )
})
