// Redaction options. Separate from the detectors, which only workers load.
import { ENTITIES, type Entity, type PrivacyMode } from './finding.ts'

export interface RedactOptions {
  mode: PrivacyMode
  entities: readonly Entity[]
  replaceStyle: 'tag' | 'mask' | 'remove'
}

export const DEFAULT_REDACT_OPTIONS: RedactOptions = { mode: 'accurate', entities: ENTITIES, replaceStyle: 'tag' }
