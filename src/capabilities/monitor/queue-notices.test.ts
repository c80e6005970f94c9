// When a message may leave, and what each channel is sent: quiet hours, digests, Telegram, over both changes of the clock.
import { describe, expect, it } from 'vitest'
import { channelFor } from './channels/index.ts'
import { type MonitorMessage, mergeMessages } from './notification-message.ts'
import { nextSendTime } from './queue-notices.ts'

const at = (text: string) => Date.parse(text)
const moment = (options: Parameters<typeof nextSendTime>[0], zone: string, now: string) =>
  new Date(nextSendTime(options, zone, at(now))).toISOString()
const night = { quietHours: { from: '22:00', to: '07:00' } }

describe('a message', () => {
  it.each([
    ['at once', {}, 'UTC', '2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000Z'],
    ['outside the quiet hours at once', night, 'UTC', '2026-03-02T21:59:30Z', '2026-03-02T21:59:30.000Z'],
    ['late in the evening the next morning', night, 'UTC', '2026-03-02T22:00:00Z', '2026-03-03T07:00:00.000Z'],
    ['at night in the morning', night, 'UTC', '2026-03-02T03:10:00Z', '2026-03-02T07:00:00.000Z'],
    ['by the clock of the schedule', night, 'Asia/Tokyo', '2026-03-02T14:00:00Z', '2026-03-02T22:00:00.000Z'],
    ['in the night that is short', night, 'Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29T05:00:00.000Z'],
    ['in the night that is long', night, 'Europe/Berlin', '2026-10-24T22:30:00Z', '2026-10-25T06:00:00.000Z'],
    ['with the hour', { digest: 'hourly' as const }, 'UTC', '2026-03-02T12:10:00Z', '2026-03-02T13:00:00.000Z'],
    [
      'on the hour with the next',
      { digest: 'hourly' as const },
      'UTC',
      '2026-03-02T12:00:00Z',
      '2026-03-02T13:00:00.000Z',
    ],
    [
      'with the day',
      { digest: 'daily' as const },
      'America/New_York',
      '2026-03-02T14:00:00Z',
      '2026-03-03T13:00:00.000Z',
    ],
    [
      'with the day after the clock changed',
      { digest: 'daily' as const },
      'America/New_York',
      '2026-03-07T20:00:00Z',
      '2026-03-08T12:00:00.000Z',
    ],
    [
      'with the hour, but not at night',
      { ...night, digest: 'hourly' as const },
      'UTC',
      '2026-03-02T22:30:00Z',
      '2026-03-03T07:00:00.000Z',
    ],
  ])('leaves %s', (_name, options, zone, now, expected) => {
    expect(moment(options, zone, now)).toBe(expected)
  })
})

const message = (page: string): MonitorMessage => ({
  title: 'Prices: a page was changed',
  monitor: 'Prices',
  monitorId: '01890000-0000-7000-8000-000000000000',
  at: 0,
  summary: { totalPages: 2, same: 1, changed: 1, new: 0, removed: 0, error: 0 },
  pages: [{ url: page, status: 'changed', title: 'A page', reason: null, diff: '-old\n+new', error: null }],
  more: 0,
})

describe('Telegram', () => {
  it.each([
    ['telegram://123:ab-C_d@-1001234', '-1001234'],
    ['telegram://123:abc@@news', '@news'],
    ['telegram://123:abc@news', '@news'],
  ])('%s is told in chat %s', (address, chat) => {
    const request = channelFor(address)!.request(address, message('https://shop.example/a'))
    expect(request.url).toMatch(/^https:\/\/api\.telegram\.org\/bot123:[\w-]+\/sendMessage$/)
    const body = JSON.parse(request.body)
    expect(body).toMatchObject({ chat_id: chat, disable_web_page_preview: true })
    expect(body.text).toContain('https://shop.example/a')
    expect(body.text).toContain('+new')
  })

  it('says what is wrong with an address', () => {
    const address = 'telegram://nobody'
    expect(() => channelFor(address)!.request(address, message('https://shop.example/a'))).toThrow(/has the form/)
  })
})

it('several messages of a monitor are one, with all their pages', () => {
  const whole = mergeMessages([message('https://shop.example/a'), message('https://shop.example/b')])
  expect(whole.title).toBe('Prices: 2 checks with news')
  expect(whole.summary).toMatchObject({ totalPages: 4, changed: 2 })
  expect(whole.pages.map(({ url }) => url)).toEqual(['https://shop.example/a', 'https://shop.example/b'])
})
