// The names that all capabilities declare, for checking names that callers send.
export interface DeclaredGroupsAndActivities {
  groups: ReadonlySet<string>
  activities: ReadonlySet<string>
}
