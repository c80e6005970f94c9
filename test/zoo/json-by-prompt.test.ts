// What people ask of the zoo in words, answered as JSON without a model.
import { expect, it } from 'vitest'
import { zooPages } from '../../src/api/zoo/zoo-pages.ts'
import { parsePage } from '../../src/content/parsed-page.ts'
import { extractJson } from '../../src/understanding/extract/extract-json.ts'

function answer(path: string, prompt: string): unknown {
  const { html } = zooPages.find((animal) => animal.path === path)!
  const page = parsePage(
    {
      bytes: Buffer.from(typeof html === 'function' ? html(0) : (html ?? '')),
      contentType: 'text/html; charset=utf-8',
      url: `https://zoo.example/zoo/${path}`,
    },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )
  return extractJson(page, undefined, prompt).value
}

const products = [
  { name: 'Copper kettle', price: 49.9 },
  { name: 'Reading lamp', price: 32.5 },
  { name: 'Wall clock', price: 74 },
]
const dishes = [
  { name: 'Leek soup', price: 6.5 },
  { name: 'Beetroot and goat cheese', price: 8 },
  { name: 'Braised fennel with barley', price: 15 },
  { name: 'Trout with almonds', price: 19.5 },
]

it.each([
  ['shop', 'What are the names and prices of the three products?', { products }],
  ['shop', 'List all products with their price', { products }],
  ['menu', 'Get each dish with its price', { dishes }],
  ['shop/kettle', 'Extract the name and the price', products[0]],
  ['shop/lamp', 'What is the guarantee?', { guarantee: 'five years' }],
])('/zoo/%s: %s', (path, prompt, expected) => {
  expect(answer(path, prompt)).toEqual(expected)
})
