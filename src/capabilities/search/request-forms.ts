// Typed requests that a search answers.
import type { RequestForm } from '../request-form.ts'

/** An instruction, not a part of the query. */
const OPENING = /^(?:please )?(?:search|look)(?: the (?:web|internet))? for /i

export const requestForms: readonly RequestForm[] = [
  {
    name: 'search',
    places: { question: 2, words: 1 },
    label: 'Search',
    why: 'pages of the web about this',
    phrases: [
      'search*|google',
      'find … pages|articles|news|papers',
      'find pages|articles',
      'look for',
      'anything|pages|news|articles about',
      'suche*|such',
      'cherche*|recherche*',
      'busca*',
    ],
    takes: 'words',
    operation: 'search',
    path: '/v2/search',
    isQuick: true,
    body: ({ urls, words, count = 10 }) => ({
      query: [words.replace(OPENING, ''), ...urls.map((url) => `site:${new URL(url).hostname}`)].join(' ').trim(),
      limit: Math.min(count, 100),
    }),
  },
]
