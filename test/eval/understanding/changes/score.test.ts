// The scorer of the change set, and the set itself: every edit applies once, and noise leaves what matters alone.
import { describe, expect, it } from 'vitest'
import { plain } from '../equal.ts'
import { readable } from '../visible.ts'
import { type Pair, pairs } from './pairs.ts'
import { scoreChange } from './score.ts'

const edit: Pair = { id: 'price', page: 'x', kind: 'edit', says: 'the price', seen: ['£16.25'], edits: [] }

describe('scoreChange', () => {
  it('wants silence on noise and a report of an edit', () => {
    expect(scoreChange({ ...edit, kind: 'noise' }, { changeStatus: 'same' }).get('noise')?.right).toBe(1)
    expect(scoreChange({ ...edit, kind: 'noise' }, { changeStatus: 'changed' }).get('noise')?.wrong).toBe(1)
    expect(scoreChange(edit, { changeStatus: 'same' }).get('edit')?.wrong).toBe(1)
  })

  it('wants the edit among the changed lines of the diff, not beside them', () => {
    const shown = (diff: string) => scoreChange(edit, { changeStatus: 'changed', diff }).get('shown')
    expect(shown('--- a\n+++ b\n@@ -1 +1 @@\n-£14.75\n+£16.25')?.right).toBe(1)
    expect(shown('--- a\n+++ b\n@@ -1,2 +1,2 @@\n-Old\n+New\n £16.25')?.wrong).toBe(1)
    expect(scoreChange(edit, { changeStatus: 'changed' }).has('shown')).toBe(false)
  })
})

describe('the change set', () => {
  const all = pairs()

  it('has twenty kinds of noise and more edits than that', () => {
    expect(all.filter(({ kind }) => kind === 'noise')).toHaveLength(20)
    expect(all.filter(({ kind }) => kind === 'edit').length).toBeGreaterThan(20)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  it.each(all.map((pair) => [pair.id, pair] as const))('%s: the pages differ by what it says', (_, pair) => {
    expect(pair.after).not.toBe(pair.before)
    const [before, after] = [readable(pair.before), readable(pair.after)]
    // What a diff must show is on exactly one of the two pages.
    for (const text of pair.seen ?? []) expect(before.includes(plain(text))).not.toBe(after.includes(plain(text)))
  })
})
