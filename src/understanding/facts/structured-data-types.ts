// The types of facts: described objects and script values.

/** An object that the page describes: properties by name, `@type` without its vocabulary, references resolved. */
export type SchemaOrgThing = { readonly '@type': readonly string[]; readonly [property: string]: unknown }

/** A script value: `__NEXT_DATA__`, `window.__STATE__ = {…}`, an `application/json` script. */
export interface ScriptState {
  /** The variable, or the id or class of the script; empty without one. */
  name: string
  value: unknown
  /** A response that the page fetched and the caller requested as a source. */
  isFetched?: boolean
}
