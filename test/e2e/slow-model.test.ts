// Everything that asks a model, with one that takes longer for an answer than a page may take.
import { expect, it } from 'vitest'
import { slowFaults } from '../model/slow.ts'
import { startService } from './service.ts'

it('a slow model does everything itself, and words of pages stay in their fence', async () => {
  // A session lives for 30 s at least, and its prompt takes three answers.
  const times = { answerMs: 20_500, pageMs: 20_000, promptMs: 11_000, isAllSlow: false }
  expect(await slowFaults({ ...times, start: (env) => startService({ env }) })).toEqual([])
}, 240_000)
