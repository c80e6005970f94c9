import { expect, it } from 'vitest'
import { mayReceiveVaultValues } from './sign-in.ts'

it.each(['https://shop.example/login', 'https://accounts.shop.example/', 'https://shop.example:8443/'])(
  'values of shop.example may go to %s',
  (address) => {
    expect(mayReceiveVaultValues(address, 'shop.example', false)).toBe(true)
  },
)

it.each([
  'http://shop.example/login',
  'http://127.0.0.1/',
  'https://shop.example.evil.test/',
  'https://shop-example.test/',
  'https://my-shop.example/',
  'https://sh0p.example/',
  // Cyrillic o.
  'https://shоp.example/',
  'https://shop.example@evil.test/',
  'https://evil.test/shop.example',
  'https://example/',
  'data:text/html,shop.example',
  'about:blank',
  'javascript:void 0',
  '',
])('… and not to %s', (address) => {
  expect(mayReceiveVaultValues(address, 'shop.example', false)).toBe(false)
})

it('does not take two customers of one host for one', () => {
  expect(mayReceiveVaultValues('https://evil.github.io/', 'shop.github.io', false)).toBe(false)
  expect(mayReceiveVaultValues('https://evil.co.uk/', 'shop.co.uk', false)).toBe(false)
})
