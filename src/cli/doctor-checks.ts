// The checks of `orb doctor`, in order. `broken` prevents the service from working; a `note` only limits it.
import { existsSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { silentLog } from '../base/log.ts'
import type { Config } from '../config.ts'
import { readMachineResources } from '../machine.ts'
import { databasePath } from '../store/sqlite.ts'
import { readSqliteFacts } from '../store/sqlite-copies.ts'
import { findUnknownMigrations } from './known-migrations.ts'
import { callService, type ServiceConnection } from './service-call.ts'
import { readProductVersion } from './version.ts'

export type DoctorFinding = { name: string; state: 'ok' | 'note' | 'broken'; says: string; mend?: string }

export type DoctorContext = { config: Config; connection: ServiceConnection }

type DoctorCheck = (context: DoctorContext, signal: AbortSignal) => Promise<Omit<DoctorFinding, 'name'>>

const GB = 1024 ** 3
const LOW_DISK = 2 * GB
const NO_DISK = 0.2 * GB
/** One browser, the workers and the service. */
const LOW_MEMORY_BYTES = 1.5 * GB

const ok = (says: string) => ({ state: 'ok' as const, says })
const note = (says: string, mend: string) => ({ state: 'note' as const, says, mend })
const makeBroken = (says: string, mend: string) => ({ state: 'broken' as const, says, mend })
const gb = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`

export const doctorChecks: Readonly<Record<string, DoctorCheck>> = {
  async node() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    return major > 20 || (major === 20 && minor >= 19)
      ? ok(process.version)
      : makeBroken(`${process.version} is too old`, 'Install Node 20.19 or newer.')
  },
  async memory() {
    const { memoryBytes, cores } = readMachineResources()
    const says = `${gb(memoryBytes)} and ${cores} cores may be used`
    return memoryBytes >= LOW_MEMORY_BYTES
      ? ok(says)
      : note(says, 'Large documents and rendering need 2 GB; set ORB_CONCURRENCY low.')
  },
  async 'data folder'({ config }) {
    const folder = resolve(config.dataDir)
    if (!existsSync(folder)) {
      const can = await access(dirname(folder), constants.W_OK).then(
        () => true,
        () => false,
      )
      return can
        ? note(`${folder} does not exist yet`, 'The first start creates it.')
        : makeBroken(
            `${folder} does not exist and cannot be created`,
            `Create it for this user, or set ORB_DATA_DIR to another one.`,
          )
    }
    const can = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!can)
      return makeBroken(
        `${folder} cannot be written by this user`,
        `Change its owner to this user (chown), or set ORB_DATA_DIR.`,
      )
    const { mode } = await stat(folder)
    return (mode & 0o077) === 0
      ? ok(folder)
      : note(`${folder} can be read by others on this machine`, `It contains keys: chmod 700 ${folder}`)
  },
  async disk({ config }) {
    let folder = resolve(config.dataDir)
    while (!existsSync(folder)) folder = dirname(folder)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < NO_DISK) return makeBroken(`${gb(free)} free`, 'Free disk space, or move ORB_DATA_DIR to a larger disk.')
    return free < LOW_DISK
      ? note(`${gb(free)} free`, `The cache may take ${gb(config.cacheMaxMb * 1024 * 1024)} (ORB_CACHE_MAX_MB).`)
      : ok(`${gb(free)} free`)
  },
  async database({ config }) {
    const { databaseUrl, dataDir } = config
    const path = databasePath(resolve(dataDir))
    if (!databaseUrl && !existsSync(path)) return note('none yet', 'The first start creates it.')
    const { steps, server } = databaseUrl
      ? await postgres(databaseUrl)
      : { ...(await readSqliteFacts(path)), server: '' }
    const newer = await findUnknownMigrations(steps)
    const called = databaseUrl ? `PostgreSQL ${server}` : path
    return newer.length === 0
      ? ok(called)
      : makeBroken(
          `${called} was written by a newer version (${newer.join(', ')})`,
          'Start that version, or restore an older backup.',
        )
  },
  async browser({ config }) {
    const { findBrowserBinary, checkChromiumIsolation, sandboxWarning } = await import(
      '../fetch/open-browser-services.ts'
    )
    try {
      const binary = await findBrowserBinary(config.chromium, resolve(config.dataDir))
      const { path } = binary
      const notes = [sandboxWarning(config.browserSandbox), await checkChromiumIsolation(binary, config.dataDir)]
      const open = notes.filter(Boolean).join(' ')
      return open
        ? note(`${path}. ${open}`, 'Pages that escape from Chromium are then limited only by the system.')
        : ok(path)
    } catch (error) {
      const mend =
        '`orb browser` installs one; or install Chromium (Debian: apt install chromium-headless-shell), or set ORB_CHROMIUM. Without one, pages that need rendering are refused.'
      return note((error as Error).message, mend)
    }
  },
  async fonts({ config }) {
    if (config.browserEndpoints.length > 0) return ok('those of the browsers that run elsewhere')
    const { hasEastAsianFonts } = await import('../fetch/open-browser-services.ts')
    const folder = resolve(config.dataDir, 'fonts')
    return (await hasEastAsianFonts(config.dataDir))
      ? ok('Chinese, Japanese and Korean too')
      : note(
          'none for Chinese, Japanese and Korean: screenshots show boxes for them',
          `Debian: apt install fonts-noto-cjk. Without root: npm install --prefix ${folder} @expo-google-fonts/noto-sans-sc (or -tc, -jp, -kr), or any font files in ${folder}. Then restart.`,
        )
  },
  async packages() {
    const missing = (await import('../fetch/open-browser-services.ts')).listMissingPackages()
    return missing.length === 0
      ? ok('all are here, or are fetched when they are needed')
      : note(missing.join(' '), 'Nothing can be done: other machines have a build.')
  },
  async dashboard() {
    return (await import('../api/dashboard.ts')).isDashboardBuilt()
      ? ok('built')
      : note(
          'not built: `/` returns plain text; the API is complete',
          'Run `npm run build` and read the messages of vite.',
        )
  },
  async OCR({ config }) {
    const { listInstalledOcrLanguages, ocrFolderPath } = await import('../scrape/workshop/ocr-languages.ts')
    try {
      const installed = listInstalledOcrLanguages(ocrFolderPath(resolve(config.dataDir)))
      return ok(`language data: ${installed.map(({ code }) => code).join(', ')}`)
    } catch (error) {
      return note((error as Error).message, 'Run `npm ci`: the data is part of the packages.')
    }
  },
  async LibreOffice() {
    const { findOfficeProgram } = await import('../scrape/workshop/convert-old-office-files.ts')
    return findOfficeProgram()
      ? ok('found')
      : note('not found', 'The old formats .ppt and .doc lose less with it (Debian: apt install libreoffice-nogui).')
  },
  async model({ config: { llmUrl, llmModel, llmKey, llmContext, llmLocal, llmAuto } }, signal) {
    if (llmUrl === undefined || llmModel === undefined) {
      const { findLocalModels, describeLocalModels } = await import('../llm/find-local-models.ts')
      const all = await findLocalModels(llmLocal, signal)
      const [found] = all
      if (found && llmAuto === 'on') return ok(`${found.model} at ${found.url}, found on this machine`)
      return note(
        'no language model is configured',
        found ? describeLocalModels(all).join(' ') : 'Set ORB_LLM_URL and ORB_LLM_MODEL to use one for pages.',
      )
    }
    const { describeModelEndpoint, openLlm } = await import('../llm/index.ts')
    const llm = openLlm({ url: llmUrl, model: llmModel, key: llmKey, contextTokens: llmContext, log: silentLog })
    await llm.probe(signal)
    const trouble = llm.facts()?.trouble
    return trouble
      ? makeBroken(`${llmModel} at ${llmUrl}: ${trouble}`, 'See ORB_LLM_URL, ORB_LLM_MODEL and ORB_LLM_KEY.')
      : ok(describeModelEndpoint(llm).join(' '))
  },
  async port({ config, connection }, signal) {
    const { host, port: wanted } = config
    if (wanted === 0) return ok('any free one')
    const code = await tryPort(host, wanted)
    if (code === undefined) return ok(`${wanted} on ${host} is free`)
    if (code === 'EADDRINUSE' && (await healthOf({ ...connection, url: `http://${host}:${wanted}` }, signal)))
      return ok(`${wanted} on ${host} is used by the service`)
    return code === 'EADDRINUSE'
      ? makeBroken(
          `${wanted} on ${host} is in use by another program`,
          'Stop that program, or set ORB_PORT to another port.',
        )
      : makeBroken(
          `${wanted} on ${host} cannot be used (${code})`,
          'Set ORB_HOST and ORB_PORT to an address and port of this machine.',
        )
  },
  async service({ connection }, signal) {
    const health = await healthOf(connection, signal)
    if (!health) return note(`no service responds at ${connection.url}`, 'Start it with `npm start`, or set ORB_URL.')
    const { status, version, why } = health
    const here = readProductVersion()
    if (status !== 'ok')
      return { state: status === 'degraded' ? 'note' : 'broken', says: `${status}: ${why.join('; ')}` }
    return version === here
      ? ok(`${version} at ${connection.url}`)
      : note(`${version} at ${connection.url}, but this checkout is ${here}`, 'Restart it to run this version.')
  },
  async key({ connection, config }, signal) {
    if (config.auth === 'off') return ok('none needed (ORB_AUTH=off)')
    if (!(await healthOf(connection, signal)))
      return note('not checked: no service responds', 'Start the service first.')
    if (!connection.key) return makeBroken('there is none', 'Set ORB_API_KEY, or run this where the data folder is.')
    const { status } = await callService(connection, { method: 'GET', path: '/v2/parse/formats' }, signal)
    const shown = `fc-…${connection.key.slice(-4)}`
    return status === 401
      ? makeBroken(
          `${shown} is not accepted by ${connection.url}`,
          '`orb keys` beside that service shows and creates keys.',
        )
      : ok(`${shown} is accepted`)
  },
}

async function postgres(url: string) {
  const { readPostgresFacts } = await import('../store/postgres-facts.ts')
  return readPostgresFacts(url).catch((error: Error) => {
    throw new Error(`the PostgreSQL server of ORB_DATABASE_URL does not respond: ${error.message}`)
  })
}

type Health = { status: string; version: string; why: string[] }

async function healthOf(connection: ServiceConnection, signal: AbortSignal): Promise<Health | undefined> {
  const answer = await callService({ ...connection, key: undefined }, { method: 'GET', path: '/health' }, signal).catch(
    () => undefined,
  )
  const { status, version, why } = answer?.json ?? {}
  if (typeof status !== 'string' || typeof version !== 'string' || !Array.isArray(why)) return undefined
  return { status, version, why: why.map(String) }
}

const tryPort = (host: string, wanted: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen(wanted, host, () => server.close(() => done(undefined)))
  })
