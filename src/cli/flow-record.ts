// `orb flow record`: opens a session, prints its live view, and keeps what was done there as a flow.
import { createInterface } from 'node:readline/promises'
import { type Command, CommandExitError, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { type CommandFlag, parseFlags } from './flags.ts'
import {
  callService,
  connectionFlags,
  describeErrorReply,
  readConnection,
  type ServiceRequest,
} from './service-call.ts'

const FLAGS: readonly CommandFlag[] = [
  { name: 'name', value: 'name', help: 'The name of the flow; `recorded` by default.' },
  { name: 'profile', value: 'name', help: 'Profile with cookies and storage to use.' },
  ...connectionFlags,
]
const NO_INPUTS = { properties: {}, required: [] }

export const flowRecordCommand: Command = {
  name: 'flow record',
  usage: 'flow record <url> [flags]',
  summary: 'record steps by hand in a live view, and save them as a flow',
  details: () => alignColumns(describeOwnFlags(FLAGS)),
  flags: () => listFlagNames(NO_INPUTS, [], FLAGS),
  async run(args) {
    const { own, positionals } = parseFlags(args, NO_INPUTS, FLAGS)
    const [address, ...more] = positionals
    if (!address) throw new UsageError('the start URL is missing')
    if (more.length > 0) throw new UsageError(`unexpected argument: ${more[0]}`)
    const connection = await readConnection(own)
    const { signal } = new AbortController()
    const call = async (request: ServiceRequest): Promise<Record<string, unknown>> => {
      const answer = await callService(connection, request, signal)
      if (answer.status >= 400)
        throw new CommandExitError(describeErrorReply(answer, connection), exitCodes.failed.code)
      return answer.json ?? {}
    }
    const profile = typeof own.profile === 'string' ? { profile: { name: own.profile } } : {}
    const session = await call({
      method: 'POST',
      path: '/v2/browser',
      body: { ttl: 3600, activityTtl: 900, ...profile },
    })
    const path = `/v2/browser/${session.id}`
    try {
      const open = { code: `open ${JSON.stringify(address)}`, language: 'bash', timeout: 60 }
      await call({ method: 'POST', path: `${path}/execute`, body: open })
      console.log(`Do the steps in this live view: ${session.interactiveLiveViewUrl}`)
      const input = createInterface({ input: process.stdin, output: process.stdout })
      await input.question('Press Enter when they are done. ')
      input.close()
      const name = typeof own.name === 'string' ? own.name : 'recorded'
      const kept = await call({ method: 'POST', path: `${path}/flow`, body: { name } })
      const count = Array.isArray(kept.steps) ? kept.steps.length : 0
      console.log(`Saved ${count} steps as "${name}", version ${kept.version}. Run it: orb flow run ${name}`)
      return exitCodes.done.code
    } finally {
      await callService(connection, { method: 'DELETE', path }, signal)
    }
  },
}
