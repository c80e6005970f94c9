// What a page says in a form that a program can trust: objects it describes itself with (JSON-LD, microdata, RDFa) and
// the state it was drawn from. Everything is read when first asked for, bounded, and never evaluated. It knows nothing
// of schemas or products: who wants an answer matches these facts to the question.
import type { Document } from 'domhandler'
import type { Page } from '../../content/page.ts'
import { jsonLdThings } from './json-ld-things.ts'
import { markedThings } from './marked-things.ts'
import { statesOf } from './state.ts'
import type { State, StatedThing } from './thing.ts'

export interface StatedFacts {
  /** Outermost objects in document order: JSON-LD first, then microdata and RDFa. */
  readonly things: readonly StatedThing[]
  readonly states: readonly State[]
}

const known = new WeakMap<Document, StatedFacts>()

/** The facts of a page, read once for each tree. */
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
