// A page's machine-readable facts: objects in JSON-LD, microdata and RDFa, and script state. Computed on demand,
// bounded, never evaluated, and independent of schemas and products.
import type { Document } from 'domhandler'
import type { Page } from '../../content/page.ts'
import type { State, StatedThing } from './fact-types.ts'
import { jsonLdThings } from './json-ld-things.ts'
import { markedThings } from './marked-things.ts'
import { statesOf } from './state.ts'

export interface StatedFacts {
  /** Top-level objects in document order: JSON-LD first, then microdata and RDFa. */
  readonly things: readonly StatedThing[]
  readonly states: readonly State[]
}

const known = new WeakMap<Document, StatedFacts>()

/** Cached per tree. */
export function factsOf({ tree, base }: Pick<Page, 'tree' | 'base'>): StatedFacts {
  const found = known.get(tree)
  if (found) return found
  const facts = readFacts(tree, base)
  known.set(tree, facts)
  return facts
}

function readFacts(tree: Document, base: string): StatedFacts {
  let things: readonly StatedThing[] | undefined
  let states: readonly State[] | undefined
  return {
    get things() {
      things ??= [...jsonLdThings(tree), ...markedThings(tree, base)]
      return things
    },
    get states() {
      states ??= statesOf(tree)
      return states
    },
  }
}
