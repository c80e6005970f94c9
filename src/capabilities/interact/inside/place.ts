// Where a runner finds our bundle and its session's browser, from its last arguments.
import { createRequire } from 'node:module'
import net, { Socket } from 'node:net'
import { join } from 'node:path'
import { openMux } from './mux.ts'
import { CDP_PORT, openRelay } from './relay.ts'

/** The language, the bundle folder, and the session's socket; `-` where a pipe replaces it. */
const [, , language = 'node', bundle = '/orb/runtime', socketPath = '/orb/session/cdp.sock'] = process.argv
const PIPE = 5

export const place = { language, bundle, require: createRequire(join(bundle, 'code.js')) }

/** Connects to the session's CDP endpoint. */
export let dial: () => NodeJS.ReadWriteStream = () => net.connect(socketPath)

/** Makes the browser available on a loopback port; without sockets, only inside this process. */
export async function reachBrowser(): Promise<void> {
  if (socketPath !== '-') return openRelay(socketPath)
  const mux = openMux(new Socket({ fd: PIPE, readable: true, writable: true }), (stream) => stream.destroy())
  dial = () => mux.open()
  const real = net.connect.bind(net) as (...given: unknown[]) => unknown
  const connect = (...given: unknown[]): unknown => {
    const [first] = given
    const port = typeof first === 'object' && first ? (first as { port?: unknown }).port : first
    return Number(port) === CDP_PORT ? mux.open() : real(...given)
  }
  Object.assign(place.require('node:net') as object, { connect, createConnection: connect })
}
