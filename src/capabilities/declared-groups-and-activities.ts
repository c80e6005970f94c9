// What all capabilities declare: names for checking what callers send, and forms of typed requests.
import type { RequestForm } from './request-form.ts'

export interface DeclaredGroupsAndActivities {
  groups: ReadonlySet<string>
  activities: ReadonlySet<string>
  requestForms: readonly RequestForm[]
}
