// The names that all capabilities declare, for checking names that callers send.
export interface Declared {
  groups: ReadonlySet<string>
  /** Names under which calls are logged as activity. */
  activities: ReadonlySet<string>
}
