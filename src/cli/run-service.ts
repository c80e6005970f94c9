// Runs the service in this process until SIGTERM or SIGINT; then drains, closes and exits with 0.
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { App, ProcessRole } from '../app.ts'
import { systemClock } from '../base/clock.ts'
import { lowerOwnBackgroundThreads } from '../base/cpu-priority.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { readMachineResources } from '../machine.ts'
import { makeTextStyler, type TextStyler } from './terminal-output.ts'
import { readProductVersion } from './version.ts'

export async function runService(role: ProcessRole): Promise<number> {
  const config = readConfig()
  if (role !== 'both' && config.databaseUrl === undefined)
    throw new ConfigError(
      `\`orb ${role}\` shares its jobs with other processes, and for that ORB_DATABASE_URL must name a PostgreSQL. Without one, \`orb start\` does everything in one process.`,
    )
  const version = readProductVersion()
  lowerOwnBackgroundThreads()
  const out = makePrettyLog(process.stderr) ?? pino.destination({ fd: 2, sync: false })
  const log = pino({ level: config.logLevel, base: { name: 'orbweaver' } }, out)
  // After the settings: a wrong one is reported without reading the modules of the service.
  const { openApp } = await import('../app.ts')
  const app = await openApp({ config, machine: readMachineResources(), clock: systemClock, log, version, role })
  // Before reporting readiness: a supervisor may stop it at once.
  const stopSignal = firstSignal()
  if (app.server) await listen(app, app.server, config)
  else console.log('  Orbweaver is ready    to work on jobs')
  setFlagsFromString('--semi-space-growth-factor=2')
  // V8 counts page buffers as heap: its default growth would cost a tenth of all CPU in full collections.
  setFlagsFromString('--heap-growing-percent=150')
  // A sixth of V8's default: most functions run once per page, and would stay unoptimised for the first thousand pages.
  // The flag is of Node 20; later ones print that they do not know it.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=11000')
  const signal = await stopSignal
  log.info({ signal }, 'stopping')
  process.once('SIGINT', () => process.exit(1))
  await app.close(config.drainSeconds * 1000)
  log.info({}, 'stopped')
  log.flush()
  return 0
}

async function listen(app: App, server: FastifyInstance, { host, port: wanted }: Config): Promise<void> {
  try {
    await server.listen({ port: wanted, host })
  } catch (error) {
    await app.close(0)
    throw explainStartError(error, host, wanted)
  }
  const bound = server.server.address()
  const port = bound && typeof bound === 'object' ? bound.port : wanted
  console.log(greeting(port, app.greeting))
}

const firstSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })

function greeting(port: number, { needsKey, newKey, signInCode }: App['greeting']): string {
  const authorization = needsKey ? ` -H "Authorization: Bearer ${newKey ?? '$ORB_API_KEY'}"` : ''
  return [
    `  Orbweaver is ready    http://localhost:${port}     (open it: paste a URL, watch it work)`,
    ...(signInCode
      ? [`  Sign in               http://localhost:${port}/#code=${signInCode}     (works once, on this machine)`]
      : []),
    newKey
      ? `  API key               ${newKey}     (kept in the data folder, shown again by \`npx orbweaver keys\`)`
      : needsKey
        ? '  API key               shown by `npx orbweaver keys`'
        : '  API key               none needed (ORB_AUTH=off)',
    `  Try                   curl localhost:${port}/v2/scrape${authorization} -H "Content-Type: application/json" -d '{"url":"https://example.com"}'`,
  ].join('\n')
}

function explainStartError(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or set ORB_PORT to another port.`,
      )
    case 'EACCES':
      return new Error(`Port ${port} on ${host} may not be used by this user. Set ORB_PORT to a port above 1023.`)
    case 'EADDRNOTAVAIL':
      return new Error(`This machine has no address ${host}. Set ORB_HOST to an existing one.`)
    default:
      return error
  }
}

type Line = { level?: number; time?: number; msg?: string; [field: string]: unknown }

const WARN = 40
const ERROR = 50
const UNSAID = new Set(['level', 'time', 'msg', 'name', 'reqId', 'pid', 'hostname', 'v'])

export function formatLogLine(text: string, paint: TextStyler): string {
  let line: Line
  try {
    line = JSON.parse(text) as Line
  } catch {
    return text
  }
  const { level = 30, time = Date.now(), msg = '' } = line
  const at = new Date(time).toTimeString().slice(0, 8)
  const facts = Object.entries(line)
    .filter(([name, value]) => !UNSAID.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
  const said = level >= ERROR ? paint.bad(msg) : level >= WARN ? paint.warn(msg) : msg
  return `${paint.dim(at)} ${said} ${paint.dim(facts.join(' '))}`.trimEnd()
}

export function makePrettyLog(stream: NodeJS.WriteStream): { write(text: string): void } | undefined {
  if (!stream.isTTY) return undefined
  const paint = makeTextStyler(stream)
  return {
    write(text) {
      for (const line of text.split('\n')) if (line !== '') stream.write(`${formatLogLine(line, paint)}\n`)
    },
  }
}
