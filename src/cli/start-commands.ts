// `orb start`, `orb serve`, `orb work`. The service is imported on demand: other commands start in half the time.
import type { ProcessRole } from '../app.ts'
import type { Command } from './command.ts'

export const startCommand = command('start', 'both', 'run the service: answer requests and work on jobs')
export const serveCommand = command(
  'serve',
  'serve',
  'only answer requests; `orb work` elsewhere does the jobs (PostgreSQL)',
)
export const workCommand = command('work', 'work', 'only work on jobs, for any number of `orb serve` (PostgreSQL)')

function command(name: string, role: ProcessRole, summary: string): Command {
  return { name, usage: name, summary, run: async () => (await import('./run-service.ts')).runService(role) }
}
