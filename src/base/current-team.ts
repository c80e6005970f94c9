// The team for which the current work is done, for what differs by team and is not passed along.
import { CallValue } from './call-context.ts'

export const teamRun = new CallValue<string | undefined>()
