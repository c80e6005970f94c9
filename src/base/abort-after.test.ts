// A limit that only a joined signal refers to comes in spite of garbage collection.
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { abortAfter } from './abort-after.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('ends a wait that was joined with others, after garbage collection', async () => {
  const ended: string[] = []
  const wait = (name: string, limit: AbortSignal) => {
    const joined = AbortSignal.any([new AbortController().signal, limit])
    joined.addEventListener('abort', () => ended.push(name))
    return joined
  }
  const kept = wait('kept', abortAfter(300))
  for (let n = 0; n < 3; n += 1) {
    await sleep(20)
    collect()
  }
  await expect.poll(() => kept.aborted).toBe(true)
  expect(ended).toEqual(['kept'])
})
