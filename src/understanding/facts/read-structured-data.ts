// A page's machine-readable facts: objects in JSON-LD, microdata and RDFa, and script state. Bounded, and never
// evaluated.

import type { Document } from 'domhandler'
import { once } from '../../base/values.ts'
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
  const facts = known.get(tree) ?? readFacts(tree, base)
  known.set(tree, facts)
  return facts
}

function readFacts(tree: Document, base: string): StructuredData {
  const things = once(() => [...readJsonLd(tree), ...readMicrodataAndRdfa(tree, base)])
  const states = once(() => readScriptStates(tree))
  return {
    get things() {
      return things()
    },
    get states() {
      return states()
    },
  }
}
