// Parses `tbs` date filters: `qdr:d` (also `qdr:h12`), `cdr:1,cd_min:MM/DD/YYYY,cd_max:…`, and `sbd:1` for newest
// first.
import { HOUR_MS } from '../../base/clock.ts'
import { makeLookupTable } from '../../base/lookup-table.ts'
import { parseDate, toTimestamp } from '../../base/parse-dates.ts'

export interface DateFilter {
  from?: number
  until?: number
  newestFirst: boolean
}

const DAY = 24 * HOUR_MS
const SPANS = makeLookupTable<number>({
  n: 60_000,
  h: HOUR_MS,
  d: DAY,
  w: 7 * DAY,
  m: 30 * DAY,
  y: 365 * DAY,
})

export function parseDateFilter(tbs: string | undefined, now: number): DateFilter | undefined {
  const when: DateFilter = { newestFirst: false }
  if (tbs === undefined || tbs.trim() === '') return when
  for (const part of tbs.split(',').map((text) => text.trim())) {
    const [, name = '', value = ''] = /^([a-z_]+):(.+)$/i.exec(part) ?? []
    switch (name.toLowerCase()) {
      case 'qdr': {
        const [, unit = '', count = '1'] = /^([nhdwmy])(\d{1,4})?$/i.exec(value) ?? []
        const span = SPANS[unit.toLowerCase()]
        if (span === undefined) return undefined
        when.from = now - span * Number(count)
        break
      }
      case 'cdr':
        if (value !== '1') return undefined
        break
      case 'cd_min':
      case 'cd_max': {
        const day = dayOf(value)
        if (day === undefined) return undefined
        if (name === 'cd_min') when.from = day
        else when.until = day + DAY - 1
        break
      }
      case 'sbd':
        when.newestFirst = value === '1'
        break
      case 'li':
      case 'lr':
      case 'ctr':
        break
      default:
        return undefined
    }
  }
  return when
}

/** Midnight UTC of MM/DD/YYYY. */
function dayOf(text: string): number | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(at)
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? at : undefined
}

export function parseStatedDate(stated: unknown, now: number): number | undefined {
  const text = Array.isArray(stated) ? stated[0] : stated
  if (typeof text !== 'string' || text.length < 4 || text.length > 60) return undefined
  const date = parseDate(text)
  const at = date ? toTimestamp(date) : 0
  return at > 0 && at <= now + DAY ? at : undefined
}
