import { describe, expect, it } from 'vitest'
import { parseCommands } from './parse-commands.ts'

const parsed = (prompt: string) => {
  const result = parseCommands(prompt)
  if ('unclear' in result) return result
  return result.commands.map(({ text: _, ...fields }) => fields)
}

describe('a prompt', () => {
  it('is a list of commands', () => {
    expect(parsed('Type Ghent into City, choose Belgium from Country and click Show orders.')).toEqual([
      { kind: 'fill', target: { name: 'City' }, value: 'Ghent' },
      { kind: 'choose', target: { name: 'Country' }, value: 'Belgium' },
      { kind: 'press', target: { name: 'Show orders' } },
    ])
  })

  it('keeps what is quoted together, words of commands included', () => {
    expect(parsed('fill "Note" with "Wait, then press the bell. Twice" and press "Save and close"')).toEqual([
      { kind: 'fill', target: { name: 'Note' }, value: 'Wait, then press the bell. Twice' },
      { kind: 'press', target: { name: 'Save and close' } },
    ])
  })

  it.each([
    ['press Enter', { kind: 'key', keys: 'Enter' }],
    ['press ctrl + K', { kind: 'key', keys: 'Control+k' }],
    ['Click the second "Add" button', { kind: 'press', target: { name: 'Add', at: 2 } }],
    ['click "Delete" in the row "Rosa Holm"', { kind: 'press', target: { name: 'Delete', near: 'Rosa Holm' } }],
    ['untick the "News" box', { kind: 'tick', target: { name: 'News' }, on: false }],
    ['turn on Night mode', { kind: 'tick', target: { name: 'Night mode' }, on: true }],
    ['set Size to "Large"', { kind: 'set', target: { name: 'Size' }, value: 'Large' }],
    ['open https://example.org/a?b=1', { kind: 'open', url: 'https://example.org/a?b=1' }],
    ['type "red shoes"', { kind: 'fill', target: undefined, value: 'red shoes' }],
    ['go to Orders', { kind: 'press', target: { name: 'Orders' } }],
    ['search for "red shoes"', { kind: 'search', value: 'red shoes', target: undefined }],
    ['Log in with vault:shop', { kind: 'login', vault: 'shop' }],
    ['scroll to the bottom', { kind: 'scroll', words: 'bottom' }],
    ['wait 2 seconds', { kind: 'wait', seconds: 2 }],
    ['wait for "Done"', { kind: 'await', value: 'Done' }],
    ['What is the Total?', { kind: 'read', target: { name: 'Total' } }],
    ['read "Price" of "Oak stool"', { kind: 'read', target: { name: 'Price', near: 'Oak stool' } }],
  ])('may say: %s', (prompt, command) => {
    expect(parsed(prompt)).toEqual([command])
  })

  it.each([
    ['fill "Name" with "Ada" "Bo"', 'fill "Name" with "Ada" "Bo"'],
    ['press "Add" unless "Sold out" is shown', 'press "Add" unless "Sold out" is shown'],
  ])('with a clause that is understood in part is not understood: %s', (prompt, unclear) => {
    expect(parsed(prompt)).toEqual({ unclear })
  })

  it.each(['press it', 'Sign in as Ada with vault:shop', 'Sign out'])(
    'may be the label of a button as a whole: %s',
    (prompt) => {
      expect(parsed(prompt)).toEqual([{ kind: 'press', target: { name: prompt }, isBare: true }])
    },
  )
})
