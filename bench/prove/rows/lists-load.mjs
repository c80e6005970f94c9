// Loads reputation lists in a process of its own and says what that costs: resident memory, look-ups, and how long the
// event loop stands still while they are read again. Usage: node lists-load.mjs <list> <entries>; answers by message.
import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openReputationLists as openLists } from '../../../dist/fetch/threats/reputation-lists.js'
import { root } from '../../../scripts/setup.mjs'
import { sleep } from '../../process.mjs'

const [file, entries] = [process.argv[2], Number(process.argv[3])]
const log = { info() {}, warn() {}, error() {}, debug() {} }
const megabytes = () => process.memoryUsage().rss / 1048576
const settled = async () => {
  for (let round = 0; round < 5; round++) {
    global.gc?.()
    await sleep(200)
  }
  return megabytes()
}

const open = (sources) =>
  openLists({
    sources,
    dir: join(dirname(file), 'copies'),
    refreshMs: 3_600_000,
    dnsServers: [],
    log,
    script: new URL(`file://${join(root, 'dist/fetch/threats/reputation-list-worker.js')}`),
  })
// A small list first: what threads and the runtime itself take is there in any service.
const small = join(dirname(file), 'small.txt')
appendFileSync(small, 'one.example\n')
const warm = open([small])
await warm.refresh()
await warm.close()
const before = await settled()
const lists = open([file])
await lists.refresh()
const after = await settled()

const urls = Array.from(
  { length: 20_000 },
  (_, n) => new URL(`https://www.a${n % 2 ? n : n + entries}.bad.example/x?y=${n}`),
)
for (const url of urls) lists.match(url)
const began = process.cpuUsage()
let hits = 0
for (let round = 0; round < 5; round++) for (const url of urls) if (lists.match(url)) hits++
const { user, system } = process.cpuUsage(began)

appendFileSync(file, 'added-later.example\n')
const delay = monitorEventLoopDelay({ resolution: 5 })
let peak = 0
const watch = setInterval(() => {
  peak = Math.max(peak, megabytes())
}, 20)
delay.enable()
await lists.refresh()
delay.disable()
clearInterval(watch)
process.send({
  entries: lists.size(),
  found: lists.match(new URL('https://added-later.example/')) === 'added-later.example',
  rightHits: hits === 5 * 10_000,
  residentMb: after - before,
  peakMb: peak - before,
  lookUpMicros: (user + system) / (urls.length * 5),
  pauseMs: delay.max / 1e6,
})
await lists.close()
