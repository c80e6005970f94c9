// Typed requests that an agent run answers.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'agent',
    places: { addressWithWords: 3, addressWithQuestion: 2, addresses: 3, question: 1, words: 2 },
    label: 'Ask the agent',
    why: 'searches, reads several pages and answers with its sources',
    phrases: [
      'go through',
      'figure|find out',
      'which companies',
      'dig|look up',
      'research|investigate|compare',
      'who sells',
      'finde heraus',
      'compara*|vergleich*|recherchier*',
    ],
    phrasesAlone: [
      'gather|collect|compile|find|cheapest',
      'list|table of|all',
      'make … list|table',
      'finde|trouve*|encuentra',
    ],
    takes: 'anything',
    operation: 'agent',
    path: '/v2/agent',
    isQuick: false,
    body: ({ urls, words }) => ({ prompt: words, ...(urls.length > 0 ? { urls } : {}) }),
  },
]
