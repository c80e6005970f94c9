// What pages describe: objects by name, and values that scripts hold. Words shared by everyone who reads facts.

/** An object that the page describes: properties by name, `@type` without its vocabulary, references filled in. */
export type StatedThing = { readonly '@type': readonly string[]; readonly [property: string]: unknown }

/** A value that a script holds: `__NEXT_DATA__`, `window.__STATE__ = {…}`, an `application/json` script. */
export interface State {
  /** The variable, or the id or class of the script; empty when it has none. */
  name: string
  value: unknown
}
