// Labels and colours of a job's kind and status.
import type { JobShown } from '../wire.ts'

export const kinds: Readonly<Record<JobShown['status'], 'live' | 'good' | 'bad' | 'warn'>> = {
  scraping: 'live',
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
}

export const names: Readonly<Record<JobShown['kind'], string>> = { crawl: 'Crawl', batch: 'Batch', extract: 'Extract' }
