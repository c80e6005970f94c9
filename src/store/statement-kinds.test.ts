import { expect, it } from 'vitest'
import { canLeaveRowsToSweep, isWrite } from './statement-kinds.ts'

it('sweeps after writes of data, never after those by which the service keeps itself', () => {
  const data = ['insert into "captures" ("id") values (?)', '\n update jobs set state = ?', 'delete from "agent_runs"']
  const own = [
    'insert into "workers" ("id") values (?)',
    '\n      update bells set lease_until = ?',
    'UPDATE settings set',
  ]
  expect(data.map(canLeaveRowsToSweep)).toEqual([true, true, true])
  expect(own.map(canLeaveRowsToSweep)).toEqual([false, false, false])
  expect(own.every(isWrite)).toBe(true)
  expect(isWrite('select 1')).toBe(false)
})
