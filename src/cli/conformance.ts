// `orb conformance`: checks any service against the API contract. It changes nothing except a job that it starts
// and cancels.
import { abortAfter } from '../base/abort-after.ts'
import { exitCodes } from './command.ts'
import { type ConformanceContext, conformanceChecks } from './conformance-checks.ts'
import { makeCommand } from './local-command.ts'
import { callService, connectionFlags, readConnection } from './service-call.ts'
import { makeTextStyler } from './terminal-output.ts'

const CHECK_MS = 60_000

export const conformanceCommand = makeCommand({
  name: 'conformance',
  places: ['[url]'],
  summary: 'test the guarantees of the API against a service',
  flags: [
    {
      name: 'page',
      value: 'url',
      help: 'A page to scrape. The zoo of the service, or https://example.com, by default.',
    },
    { name: 'json', help: 'One line of JSON for each check.' },
    ...connectionFlags,
  ],
  async run({ own: given, words: [url] }) {
    const connection = await readConnection(url ? { ...given, service: url } : given)
    const call: ConformanceContext['call'] = (method, path, body, key = connection.key) =>
      callService({ ...connection, key }, { method, path, body }, abortAfter(CHECK_MS))
    const page = typeof given.page === 'string' ? given.page : await pageOf(call)
    const paint = makeTextStyler(process.stdout)
    let failed = 0
    for (const { what, check } of conformanceChecks) {
      const because = await check({ call, page }).catch((error: Error) => error.message)
      if (because !== undefined) failed += 1
      if (given.json === true) console.log(JSON.stringify({ check: what, holds: because === undefined, because }))
      else {
        const mark = because === undefined ? paint.good('holds ') : paint.bad('broken')
        console.log(`${mark}  ${what}${because === undefined ? '' : `\n        ${paint.dim(because)}`}`)
      }
    }
    if (given.json !== true)
      console.log(`\n${conformanceChecks.length - failed} of ${conformanceChecks.length} hold at ${connection.url}`)
    return failed === 0 ? exitCodes.done.code : exitCodes.failed.code
  },
})

async function pageOf(call: ConformanceContext['call']): Promise<string> {
  const { json } = await call('GET', '/zoo/index.json', undefined)
  return typeof json?.origin === 'string' ? `${json.origin}/zoo/article` : 'https://example.com'
}
