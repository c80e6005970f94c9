// Whether a change was called one: silence on noise, every edit found, and the edit itself shown in the diff.
import { plain } from '../equal.ts'
import { count, type Score } from '../tally.ts'
import type { Pair } from './pairs.ts'

export interface Change {
  changeStatus: 'new' | 'same' | 'changed' | 'removed'
  /** The unified diff; judged where it is given. */
  diff?: string | null
}

/** `noise`: right when nothing was reported. `edit`: right when it was. `shown`: right when the diff names the edit. */
export function scoreChange({ kind, seen = [] }: Pair, { changeStatus, diff }: Change): Score {
  const score: Score = new Map()
  const isRight = changeStatus === (kind === 'noise' ? 'same' : 'changed')
  count(score, kind, isRight ? 'right' : 'wrong')
  if (kind === 'edit' && typeof diff === 'string') count(score, 'shown', shows(diff, seen) ? 'right' : 'wrong')
  return score
}

/** Only lines that were added or taken out count; what merely stands nearby is not the change. */
function shows(diff: string, seen: string[]): boolean {
  const changed = plain(
    diff
      .split('\n')
      .filter((line) => /^[+-](?![+-]{2} )/.test(line))
      .map((line) => line.slice(1))
      .join('\n'),
  )
  return seen.every((text) => changed.includes(plain(text)))
}
