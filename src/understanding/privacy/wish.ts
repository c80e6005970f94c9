// What a caller wants taken out, and what stands in its place. Apart from the detectors, which only workers load.
import { ENTITIES, type Entity, type PrivacyMode } from './finding.ts'

export interface RedactWish {
  mode: PrivacyMode
  entities: readonly Entity[]
  replaceStyle: 'tag' | 'mask' | 'remove'
}

export const DEFAULT_WISH: RedactWish = { mode: 'accurate', entities: ENTITIES, replaceStyle: 'tag' }
