// A page's machine-readable facts: objects in JSON-LD, microdata and RDFa, and script state. Bounded, and never
// evaluated.
import type { Document } from 'domhandler'
import type { ParsedPage } from '../../content/parsed-page.ts'
import { readJsonLd } from './read-json-ld.ts'
import { readMicrodataAndRdfa } from './read-microdata-and-rdfa.ts'
import { readScriptStates } from './read-script-states.ts'
import type { SchemaOrgThing, ScriptState } from './structured-data-types.ts'

export interface StructuredData {
  /** Top-level objects in document order: JSON-LD first, then microdata and RDFa. */
  readonly things: readonly SchemaOrgThing[]
  readonly states: readonly ScriptState[]
}

const known = new WeakMap<Document, StructuredData>()

/** Cached per tree. */
export function readStructuredData({ tree, base }: Pick<ParsedPage, 'tree' | 'base'>): StructuredData {
  const found = known.get(tree)
  if (found) return found
  const facts = readFacts(tree, base)
  known.set(tree, facts)
  return facts
}

function readFacts(tree: Document, base: string): StructuredData {
  let things: readonly SchemaOrgThing[] | undefined
  let states: readonly ScriptState[] | undefined
  return {
    get things() {
      things ??= [...readJsonLd(tree), ...readMicrodataAndRdfa(tree, base)]
      return things
    },
    get states() {
      states ??= readScriptStates(tree)
      return states
    },
  }
}
