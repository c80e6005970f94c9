// The language data of OCR: what is installed, by script, and how more is fetched from the npm registry.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Problem } from '../../base/problem.ts'
import { type NpmRegistryOptions, readNpmPackage } from '../../fetch/npm-registry.ts'
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

export async function installOcrLanguage(
  code: string,
  folder: string,
  registry: NpmRegistryOptions,
  signal: AbortSignal,
): Promise<void> {
  const name = `@tesseract.js-data/${code}`
  const wanted = `${VARIANT}/${code}${EXTENSION}`
  const data = (await readNpmPackage({ name }, registry, signal)).get(wanted)
  if (!data) throw new Problem('site_failed', { because: `${name} has no ${wanted}` })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, code + EXTENSION)
  await writeFile(`${path}.part`, data)
  await rename(`${path}.part`, path)
}

export const removeOcrLanguage = (code: string, folder: string): Promise<void> =>
  rm(join(folder, code + EXTENSION), { force: true })
