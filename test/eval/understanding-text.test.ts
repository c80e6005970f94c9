// Questions, personal data and changes, measured on the sets in understanding/ without a model. What each format
// costs is measured by `npm run prove understanding`.
// A figure that falls below its floor names the cases that fell.
import { describe, expect, it } from 'vitest'
import floors from './text-floors.json' with { type: 'json' }
import { precisionOf, recallOf } from './understanding/pii/score.ts'
import { changeScores, isShared, privacyScore, QUESTION_SETS, questionScores, shareOf } from './understanding/run.ts'
import { hasSharedPages } from './understanding/shared-pages.ts'
import { faults } from './understanding/tally.ts'

describe('questions', () => {
  for (const set of QUESTION_SETS)
    it.skipIf(isShared(set) && !hasSharedPages)(
      `the passages of the set ${set} are found, and it is said when there is none (shared pages: skipped where ../shared/bench is absent)`,
      { timeout: 120_000 },
      async () => {
        const scores = await questionScores(set)
        for (const field of ['found', 'absent'] as const)
          expect(shareOf(scores, field), faults(scores).join('\n')).toBeGreaterThanOrEqual(
            floors[`questions.${set}.${field}`],
          )
      },
    )
})

describe('personal data', () => {
  it.each(['first', 'second'] as const)('is found in many locales, and little else is: the %s set', async (set) => {
    const score = await privacyScore(set)
    for (const mark of ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'SECRET', 'PERSON', 'LOCATION'] as const)
      expect(recallOf(score, [mark]), mark).toBeGreaterThanOrEqual(floors[`pii.${set}.${mark}`])
    expect(precisionOf(score)).toBeGreaterThanOrEqual(floors[`pii.${set}.precision`])
  })

  it.each(['open', 'sealed'] as const)(
    'national numbers, accounts, passwords and the names of the world: the %s half',
    async (half) => {
      const score = await privacyScore(half)
      const fixed = recallOf(score, ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'ACCOUNT', 'ID', 'SECRET'])
      expect(fixed).toBeGreaterThanOrEqual(floors[`pii.${half}.fixed`])
      expect(recallOf(score, ['PERSON', 'LOCATION'])).toBeGreaterThanOrEqual(floors[`pii.${half}.people`])
      expect(precisionOf(score)).toBeGreaterThanOrEqual(floors[`pii.${half}.precision`])
    },
  )
})

describe('changes', () => {
  const FIELDS = ['noise', 'edit', 'shown'] as const

  it('are silent on noise, and every edit is found and shown', () => {
    const scores = changeScores()
    for (const field of FIELDS)
      expect(shareOf(scores, field), faults(scores).join('\n')).toBeGreaterThanOrEqual(floors[`changes.${field}`])
  })

  it('of the watched pages likewise, the half that rules were written by', () => {
    const scores = changeScores('watched', 'open')
    for (const field of FIELDS)
      expect(shareOf(scores, field), faults(scores).join('\n')).toBeGreaterThanOrEqual(floors[`watched.open.${field}`])
  })

  // In sums only: a sealed case is not named.
  it('of the watched pages likewise, the sealed half', () => {
    const scores = changeScores('watched', 'sealed')
    for (const field of FIELDS) expect(shareOf(scores, field)).toBeGreaterThanOrEqual(floors[`watched.sealed.${field}`])
  })
})
