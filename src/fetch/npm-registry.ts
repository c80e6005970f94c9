// Reads packages of the npm registry: each is verified by its checksum and unpacked in memory.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { anySignal } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { readTarFiles } from '../base/read-tar.ts'
import { type EgressRequest, openEgress } from './egress.ts'

interface NpmPackage {
  name: string
  /** The newest, if none is given. */
  version?: string
  /** As in a lock file; the registry's own, if none is given. */
  integrity?: string
}

export interface NpmRegistryOptions {
  /** Its base address. */
  registry: string | undefined
  dnsServers: readonly string[]
  proxies: readonly string[]
  log: Log
  stallMs?: number
}

const unpack = promisify(gunzip)
const REGISTRY = 'https://registry.npmjs.org'
const MAX_PACKED_BYTES = 64 * 1024 * 1024
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024
const MAX_ENTRY_BYTES = 1024 * 1024
/** A download may be slow, but not silent for longer. */
const STALL_MS = 60_000

/** The files of a package, by their path in it. */
export async function readNpmPackage(
  wanted: NpmPackage,
  { registry = REGISTRY, dnsServers, proxies, log, stallMs = STALL_MS }: NpmRegistryOptions,
  signal: AbortSignal,
): Promise<Map<string, Buffer>> {
  // The operator names the registry, which may lie in a private network.
  const allowPrivate = [new URL(registry).host]
  const egress = openEgress({ allowPrivate, dnsServers, proxies: { basic: proxies, enhanced: [] }, log })
  const read = async (url: string, maxBytes: number, isFile: boolean): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    const stalled = new AbortController()
    const timer = setTimeout(() => stalled.abort(makeFailure(`${url} sent nothing for ${stallMs} ms`)), stallMs)
    const into = async (chunk: Uint8Array) => {
      timer.refresh()
      chunks.push(chunk)
    }
    const asked: Pick<EgressRequest, 'headers' | 'into'> = isFile
      ? { headers: { 'accept-encoding': 'identity' }, into }
      : { headers: { accept: 'application/vnd.npm.install-v1+json, */*;q=0.5' } }
    const request = { url, maxBytes, skipTlsVerification: false, proxy: 'basic' as const, ...asked }
    const within = anySignal(signal, stalled.signal)
    const { status, body, truncated } = await egress.fetch(request, within).finally(() => clearTimeout(timer))
    if (status === 404) throw makeFailure(`the registry has no ${url}`)
    if (status !== 200 || truncated) throw makeFailure(`${url} returned status ${status}`)
    return isFile ? Buffer.concat(chunks) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  }
  try {
    const entry = await read(`${registry}/${wanted.name.replace('/', '%2f')}`, MAX_ENTRY_BYTES, false)
    const { tarball, integrity } = distributionOf(wanted, entry)
    const packed = await read(tarball, MAX_PACKED_BYTES, true)
    if (!hasChecksum(packed, wanted.integrity ?? integrity))
      throw makeFailure(
        `${wanted.name} does not have the checksum ${wanted.integrity ? 'that it should have' : 'in the registry'}`,
      )
    const archive = await unpack(packed, { maxOutputLength: MAX_UNPACKED_BYTES })
    return new Map([...readTarFiles(archive)].map(({ name, bytes }) => [name.replace(/^package\//, ''), bytes]))
  } finally {
    await egress.close()
  }
}

function distributionOf({ name, version }: NpmPackage, entry: Buffer): { tarball: string; integrity: string } {
  try {
    const { versions, 'dist-tags': tags } = JSON.parse(entry.toString('utf8'))
    const { tarball, integrity } = versions[version ?? tags.latest].dist
    return { tarball: String(tarball), integrity: String(integrity) }
  } catch {
    throw makeFailure(`the registry entry of ${name} cannot be read${version ? `, or has no version ${version}` : ''}`)
  }
}

function hasChecksum(packed: Buffer, integrity: string): boolean {
  const [method = '', sum = ''] = integrity.split(/-(.*)/s)
  return method === 'sha512' && createHash('sha512').update(packed).digest('base64') === sum
}

const makeFailure = (because: string): Problem => new Problem('site_failed', { because })
