// What all capabilities together declare, for those who check names that callers send.
export interface Declared {
  /** Groups of endpoints that a restricted key can name. */
  groups: ReadonlySet<string>
  /** Names under which calls are kept as activity. */
  activities: ReadonlySet<string>
}
