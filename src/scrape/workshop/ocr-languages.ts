// The language data of OCR: what is installed, by script, and how more is fetched from the npm registry.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Problem } from '../../base/problem.ts'
import { readTarFiles } from '../../base/read-tar.ts'
import type { Egress } from '../../fetch/egress.ts'
import languages from './ocr-languages.json' with { type: 'json' }

export interface InstalledOcrLanguage {
  /** Tesseract's name, such as `deu`. */
  code: string
  script: string
  file: string
}

const SCRIPTS: Readonly<Record<string, Readonly<Record<string, string>>>> = languages.scripts
export const ENGLISH_CODE = 'eng'
const VARIANT = '4.0.0_best_int'
const EXTENSION = '.traineddata.gz'
const MAX_PACKED_BYTES = 64 * 1024 * 1024
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024
const MAX_ENTRY_BYTES = 1024 * 1024

export const ocrFolderPath = (dataDir: string): string => join(dataDir, 'ocr')

/** English comes with the service, others are in the folder when they were added. */
export function listInstalledOcrLanguages(folder: string | undefined): InstalledOcrLanguage[] {
  const english = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))
  const fileOf = (code: string) =>
    code === ENGLISH_CODE ? join(english, VARIANT, code + EXTENSION) : join(folder ?? '', code + EXTENSION)
  return Object.entries(SCRIPTS).flatMap(([script, codes]) =>
    Object.keys(codes).flatMap((code) => {
      const isInstalled = code === ENGLISH_CODE || (folder !== undefined && existsSync(fileOf(code)))
      return isInstalled ? [{ code, script, file: fileOf(code) }] : []
    }),
  )
}

/** `de` or `deu` → `deu`. */
export function toOcrLanguageCode(name: string): string {
  const wanted = name.toLowerCase()
  for (const codes of Object.values(SCRIPTS))
    for (const [code, short] of Object.entries(codes)) if (code === wanted || short === wanted) return code
  const known = Object.values(SCRIPTS).flatMap((codes) => Object.values(codes))
  throw new Problem('bad_request', { because: `there is no OCR data for "${name}"; known are ${known.join(', ')}` })
}

interface Source {
  egress: Pick<Egress, 'fetch'>
  registry: string
}

export async function installOcrLanguage(
  code: string,
  folder: string,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const name = `@tesseract.js-data/${code}`
  const entry = await fetched(`${source.registry}/${name.replace('/', '%2f')}`, MAX_ENTRY_BYTES, source, signal)
  const { tarball, integrity } = newest(entry, name)
  const packed = await fetched(tarball, MAX_PACKED_BYTES, source, signal)
  const [method = '', sum = ''] = integrity.split(/-(.*)/s)
  if (method !== 'sha512' || createHash('sha512').update(packed).digest('base64') !== sum)
    throw failed(`${name} does not have the checksum in the registry`)
  const wanted = `package/${VARIANT}/${code}${EXTENSION}`
  const files = [...readTarFiles(gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }))]
  const data = files.find((file) => file.name === wanted)?.bytes
  if (!data) throw failed(`${name} has no ${wanted}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, code + EXTENSION)
  await writeFile(`${path}.part`, data)
  await rename(`${path}.part`, path)
}

export const removeOcrLanguage = (code: string, folder: string): Promise<void> =>
  rm(join(folder, code + EXTENSION), { force: true })

function newest(entry: Buffer, name: string): { tarball: string; integrity: string } {
  try {
    const { versions, 'dist-tags': tags } = JSON.parse(entry.toString('utf8'))
    const { tarball, integrity } = versions[tags.latest].dist
    return { tarball: String(tarball), integrity: String(integrity) }
  } catch {
    throw failed(`the registry entry of ${name} cannot be read`)
  }
}

async function fetched(url: string, maxBytes: number, { egress }: Source, signal: AbortSignal): Promise<Buffer> {
  const headers = { accept: 'application/vnd.npm.install-v1+json, */*;q=0.5' }
  const options = { url, headers, maxBytes, skipTlsVerification: false, proxy: 'basic' as const }
  const { status, body, truncated } = await egress.fetch(options, signal)
  if (status === 404) throw failed(`the registry has no ${url}`)
  if (status !== 200 || truncated) throw failed(`${url} returned status ${status}`)
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

const failed = (because: string): Problem => new Problem('site_failed', { because })
