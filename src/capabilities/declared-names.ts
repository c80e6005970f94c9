// The names that all capabilities declare, for checking names that callers send.
export interface Declared {
  groups: ReadonlySet<string>
  activities: ReadonlySet<string>
}
