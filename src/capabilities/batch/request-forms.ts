// Typed requests that a batch answers: a list of addresses needs no verb.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'batch',
    places: { addresses: 1 },
    label: 'Scrape all',
    why: 'each of these pages, as one job',
    phrases: ['batch', 'scrape these', 'these pages|urls|links', 'each|all of these'],
    takes: 'pages',
    operation: 'batch',
    path: '/v2/batch/scrape',
    isGeneral: true,
    repeats: '/v2/scrape',
    isQuick: false,
    body: ({ urls }) => ({ urls, formats: ['markdown'] }),
  },
]
