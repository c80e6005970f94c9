// Where a runner finds our bundle and its session's browser, from its last arguments.
import { createRequire } from 'node:module'
import net, { Socket } from 'node:net'
import { join } from 'node:path'
import { CDP_PORT, openCdpRelay } from './cdp-relay.ts'
import { openStreamMultiplexer } from './stream-multiplexer.ts'

/** The language, the bundle folder, and the session's socket; `-` where a pipe replaces it. */
const [, , language = 'node', bundle = '/orb/runtime', socketPath = '/orb/session/cdp.sock'] = process.argv
const PIPE = 5

export const runnerEnvironment = { language, bundle, require: createRequire(join(bundle, 'code.js')) }

/** Connects to the session's CDP endpoint. */
export let openCdpConnection: () => NodeJS.ReadWriteStream = () => net.connect(socketPath)

/** Makes the browser available on a loopback port; without sockets, only inside this process. */
export async function connectToBrowser(): Promise<void> {
  if (socketPath !== '-') return openCdpRelay(socketPath)
  const mux = openStreamMultiplexer(new Socket({ fd: PIPE, readable: true, writable: true }), (stream) =>
    stream.destroy(),
  )
  openCdpConnection = () => mux.open()
  const real = net.connect.bind(net) as (...given: unknown[]) => unknown
  const connect = (...given: unknown[]): unknown => {
    const [first] = given
    const port = typeof first === 'object' && first ? (first as { port?: unknown }).port : first
    return Number(port) === CDP_PORT ? mux.open() : real(...given)
  }
  Object.assign(runnerEnvironment.require('node:net') as object, { connect, createConnection: connect })
}
