import { describe, expect, it } from 'vitest'
import type { DomSnapshot, SnapshotElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { comparePage, describePage } from './expected-page.ts'

const page = (url: string, heading: string): DomSnapshot => ({
  elements: [
    {
      id: 1,
      at: 0,
      up: -1,
      frame: 0,
      ref: 'e1',
      tag: 'h1',
      role: 'heading',
      level: 1,
      text: heading,
      box: [0, 0, 9, 9],
    },
  ] as SnapshotElement[],
  url,
  title: 'Site',
  view: [],
  focus: -1,
  cut: false,
})

const SITE = 'https://shop.example'

describe('the page that a recording ended on', () => {
  it.each([
    ['/orders?page=2', '/orders'],
    ['/orders/8812/lines', '/orders/*/lines'],
    ['/app#/list?sort=name', '/app#/list'],
    ['/app#access_token=abc', '/app'],
    ['/p/3f2b8c1e-77aa-4c1d-9e52-0d8f1c2b3a4d', '/p/*'],
    ['/blog/how-to-choose-a-very-long-ladder', '/blog/how-to-choose-a-very-long-ladder'],
    ['/caf%C3%A9', '/café'],
    ['/100%', '/*'],
  ])('%s is known by %s', (address, path) => {
    expect(describePage(page(SITE + address, 'Orders'))).toEqual({ path, heading: 'Orders' })
  })

  it.each([
    ['/orders/*', 'Order', '/orders/9001', 'Order', [], true, true],
    ['/orders/', '12 orders', '/orders?x=1', '3 orders', [], true, true],
    ['/app#/list', 'List', '/app#/item', 'Item', [], false, false],
    ['/orders', 'Orders', '/orders/new', 'Orders', [], false, true],
    [
      '/city/den-haag',
      'Trains to Den Haag',
      '/city/%C3%A5rhus',
      'Trains to Århus',
      [['Den Haag', 'Århus']],
      true,
      true,
    ],
    ['/city/den-haag', 'Trains', '/city/den-haag', 'Trains', [['Den Haag', 'Oslo']], true, true],
  ] as const)('%s (%s) beside %s (%s)', (path, heading, address, found, changed, isSamePath, isSameHeading) => {
    expect(comparePage({ path, heading }, page(SITE + address, found), changed)).toEqual({ isSamePath, isSameHeading })
  })
})
