// The OpenAPI document, written by scripts/write-operations.mjs: making it takes more than a second of the event loop.
import { existsSync, readFileSync } from 'node:fs'
import type { Capability } from '../capabilities/capability.ts'
import { makeOpenApiDocument } from './openapi.ts'

export const openApiFileUrl = new URL('./openapi.json', import.meta.url)

/** Stands for the version, which may be raised after a build. */
const VERSION = '{version}'

export const serialiseOpenApiDocument = (capabilities: readonly Capability[]): string =>
  JSON.stringify(makeOpenApiDocument(capabilities, VERSION))

/** Made anew where a build has not written it, such as a bundle for development. */
export function readOpenApiDocument(capabilities: readonly Capability[], version: string): string {
  const text = existsSync(openApiFileUrl)
    ? readFileSync(openApiFileUrl, 'utf8')
    : serialiseOpenApiDocument(capabilities)
  return text.replace(`"version":"${VERSION}"`, `"version":${JSON.stringify(version)}`)
}
