import { describe, expect, it } from 'vitest'
import { openLongReplyPager } from './paginate-long-replies.ts'

const limits = { partChars: 10, maxChars: 100, keepMs: 1000 }
const at = { now: 0 }
const clock = { now: () => at.now }

describe('answers that are too long', () => {
  it('come in parts that together are the whole, however often a part is asked for', () => {
    const kept = openLongReplyPager(clock, limits)
    const text = 'abcdefghijklmnopqrstuvwxy'
    const first = kept.keep('team', text)
    const second = kept.more('team', first.cursor ?? '')
    const third = kept.more('team', second?.cursor ?? '')
    expect([first.text, second?.text, third?.text].join('')).toBe(text)
    expect(third).toEqual({ text: 'uvwxy', from: 20, total: 25 })
    expect(kept.more('team', first.cursor ?? '')).toEqual(second)
  })

  it('a short one is whole and keeps nothing', () => {
    expect(openLongReplyPager(clock, limits).keep('team', 'short')).toEqual({ text: 'short', from: 0, total: 5 })
  })

  it('are not cut within a character', () => {
    const kept = openLongReplyPager(clock, limits)
    const { text, cursor } = kept.keep('team', `123456789🕸after`)
    expect(text).toBe('123456789')
    expect(kept.more('team', cursor ?? '')?.text).toBe('🕸after')
  })

  it('exist for their own team, and for cursors that were given', () => {
    const kept = openLongReplyPager(clock, limits)
    const { cursor = '' } = kept.keep('team', 'x'.repeat(30))
    expect(kept.more('others', cursor)).toBeUndefined()
    for (const wrong of ['', 'x', cursor.replace(/\d+$/, '999'), `${cursor}0`, cursor.slice(1)])
      expect(kept.more('team', wrong), wrong).toBeUndefined()
  })

  it('go when their time is over, and the oldest when there are too many', () => {
    const kept = openLongReplyPager(clock, limits)
    const { cursor: old = '' } = kept.keep('team', 'o'.repeat(60))
    const { cursor: young = '' } = kept.keep('team', 'y'.repeat(60))
    expect(kept.more('team', old)).toBeUndefined()
    expect(kept.more('team', young)?.text).toBe('yyyyyyyyyy')
    at.now += 1001
    expect(kept.more('team', young)).toBeUndefined()
  })

  it('one that is larger than all there is room for ends with a sentence that says so', () => {
    const kept = openLongReplyPager(clock, limits)
    let part = kept.keep('team', 'z'.repeat(500))
    let whole = part.text
    while (part.cursor) {
      part = kept.more('team', part.cursor) ?? { text: '', from: 0, total: 0 }
      whole += part.text
    }
    expect(whole).toHaveLength(100)
    expect(whole).toMatch(/^z+\n\n\[The rest was too long to be kept/)
  })
})
