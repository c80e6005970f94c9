// `orb flow record`: opens a session, prints its live view, and keeps what was done there as a flow.
import { createInterface } from 'node:readline/promises'
import { exitCodes, UsageError } from './command.ts'
import { makeCommand } from './local-command.ts'
import { callService, connectionFlags, readConnection, requestJson } from './service-call.ts'

const MISSING = 'the start URL is missing'

export const flowRecordCommand = makeCommand({
  name: 'flow record',
  places: ['<url>'],
  missing: MISSING,
  summary: 'record steps by hand in a live view, and save them as a flow',
  flags: [
    { name: 'name', value: 'name', help: 'The name of the flow; `recorded` by default.' },
    { name: 'profile', value: 'name', help: 'Profile with cookies and storage to use.' },
    ...connectionFlags,
  ],
  async run({ own, words: [address] }) {
    if (!address) throw new UsageError(MISSING)
    const connection = await readConnection(own)
    const { signal } = new AbortController()
    const post = (path: string, body: object) => requestJson(connection, { method: 'POST', path, body }, signal)
    const profile = typeof own.profile === 'string' ? { profile: { name: own.profile } } : {}
    const session = await post('/v2/browser', { ttl: 3600, activityTtl: 900, ...profile })
    const path = `/v2/browser/${session.id}`
    try {
      const open = { code: `open ${JSON.stringify(address)}`, language: 'bash', timeout: 60 }
      await post(`${path}/execute`, open)
      console.log(`Do the steps in this live view: ${session.interactiveLiveViewUrl}`)
      const input = createInterface({ input: process.stdin, output: process.stdout })
      await input.question('Press Enter when they are done. ')
      input.close()
      const name = typeof own.name === 'string' ? own.name : 'recorded'
      const kept = await post(`${path}/flow`, { name })
      const count = Array.isArray(kept.steps) ? kept.steps.length : 0
      console.log(`Saved ${count} steps as "${name}", version ${kept.version}. Run it: orb flow run ${name}`)
      return exitCodes.done.code
    } finally {
      await callService(connection, { method: 'DELETE', path }, signal)
    }
  },
})
