// What `-o` writes: the image when one was requested, else the text with front matter.
import { writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { CommandExitError, exitCodes } from './command.ts'
import { callService, type ServiceConnection } from './service-call.ts'

interface Metadata {
  url?: unknown
  sourceURL?: unknown
  title?: unknown
  statusCode?: unknown
  language?: unknown
  cachedAt?: unknown
  reservedUses?: unknown
}

const PICTURE = /^\.(?:png|jpe?g|webp)$/i

export function findPictureLink(answer: Record<string, unknown>, file: string): string | undefined {
  if (!PICTURE.test(extname(file))) return undefined
  const { data } = answer as { data?: { screenshot?: unknown; actions?: { screenshots?: unknown[] } } }
  const link = data?.screenshot ?? data?.actions?.screenshots?.[0]
  if (typeof link === 'string') return link
  throw new CommandExitError(
    `The response has no image to write to ${file}: use --formats screenshot`,
    exitCodes.usage.code,
  )
}

export async function writePicture(
  link: string,
  file: string,
  connection: ServiceConnection,
  signal: AbortSignal,
): Promise<void> {
  const carried = /^data:[^,]*;base64,(.*)$/s.exec(link)?.[1]
  if (carried !== undefined) return writeOutputFile(file, Buffer.from(carried, 'base64'))
  // Only its path: the service's public host name may not resolve here.
  const { status, bytes } = await callService(connection, { method: 'GET', path: new URL(link).pathname }, signal)
  if (status !== 200) throw new CommandExitError(`The image could not be fetched (${status}): ${link}`)
  writeOutputFile(file, bytes)
}

export function writeOutputFile(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content)
  } catch (error) {
    throw new CommandExitError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

export function addFrontMatter(markdown: string, metadata: Metadata | undefined): string {
  const { url, sourceURL, title, statusCode, language, cachedAt, reservedUses } = metadata ?? {}
  const facts = {
    url: url ?? sourceURL,
    title: Array.isArray(title) ? title[0] : title,
    status: statusCode,
    language,
    fetched: cachedAt,
    reserved: reservedUses,
  }
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [`${name}: ${typeof value === 'number' ? value : JSON.stringify(String(value))}`],
  )
  return lines.length === 0 ? markdown : `---\n${lines.join('\n')}\n---\n\n${markdown}`
}
