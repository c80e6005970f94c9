// CPU seconds of this process and of all ended processes that it waited for, which `process.cpuUsage` leaves out.
import { readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100
/** User and system time, its own and of its children: `man proc`, fields 14 to 17, counted after the command's name. */
const [FIRST_TIME, AFTER_TIMES] = [11, 15]

export function cpuSeconds() {
  if (process.platform !== 'linux') return (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(FIRST_TIME, AFTER_TIMES).reduce((sum, one) => sum + Number(one), 0)
  return ticks / TICKS_A_SECOND
}
