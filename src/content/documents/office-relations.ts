// Resolves relationships between parts of an Office file. Targets are only names inside the archive.
import { findAllElements, parseXml } from '../walk-xml.ts'
import type { Archive } from './zip-archive.ts'

export interface OfficeRelation {
  target: string
  /** Last segment of the type: slide, styles, hyperlink. */
  type: string
  isExternal: boolean
}

export function readRelations(archive: Archive, part: string): Map<string, OfficeRelation> {
  const folder = part.includes('/') ? part.slice(0, part.lastIndexOf('/')) : ''
  const name = folder ? part.slice(folder.length + 1) : part
  const text = archive.text(`${folder && `${folder}/`}_rels/${name}.rels`)
  const found = new Map<string, OfficeRelation>()
  if (!text) return found
  for (const { attribs } of findAllElements(parseXml(text), 'Relationship')) {
    const { Id = '', Target = '', Type = '', TargetMode } = attribs
    const isExternal = TargetMode === 'External'
    const target = isExternal ? Target : resolvePartName(folder, Target)
    found.set(Id, { target, type: Type.slice(Type.lastIndexOf('/') + 1), isExternal })
  }
  return found
}

export const findPartByType = (found: ReadonlyMap<string, OfficeRelation>, type: string): string | undefined =>
  [...found.values()].find((one) => one.type === type && !one.isExternal)?.target

/** The main part. Its name varies between editors, so the usual names are only a fallback. */
export const findMainPart = (archive: Archive): string =>
  findPartByType(readRelations(archive, ''), 'officeDocument') ?? USUAL.find((name) => archive.has(name)) ?? ''

const USUAL = ['word/document.xml', 'ppt/presentation.xml', 'xl/workbook.xml', 'xl/workbook.bin']

export function resolvePartName(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const steps = folder ? folder.split('/') : []
  for (const step of target.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}
