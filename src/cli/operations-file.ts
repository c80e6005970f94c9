// The operations of the API as the build wrote them down (scripts/write-operations.mjs). The schemas themselves take half
// a second to load; this takes a few milliseconds.
import { readFileSync } from 'node:fs'
import { fromCard, type Operation, type OperationCard } from '../capabilities/operation.ts'

export const operationsFile = new URL('./operations.json', import.meta.url)

export const operations = (): Operation[] =>
  (JSON.parse(readFileSync(operationsFile, 'utf8')) as OperationCard[]).map(fromCard)
