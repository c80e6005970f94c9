// Redaction options. Separate from the detectors, which only workers load.
import { PRIVACY_ENTITIES, type PrivacyEntity, type PrivacyMode } from './privacy-finding.ts'

export interface RedactOptions {
  mode: PrivacyMode
  entities: readonly PrivacyEntity[]
  replaceStyle: 'tag' | 'mask' | 'remove'
}

export const DEFAULT_REDACT_OPTIONS: RedactOptions = {
  mode: 'accurate',
  entities: PRIVACY_ENTITIES,
  replaceStyle: 'tag',
}
