// Typed requests that a search answers.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'search',
    places: { question: 2, words: 1 },
    label: 'Search',
    why: 'pages of the web about this',
    phrases: [
      'find pages',
      'find articles',
      'find … articles',
      'anything about',
      'search*',
      'google',
      'look for',
      'pages about',
      'news about',
      'articles about',
      'suche*',
      'such',
      'cherche*',
      'recherche*',
      'busca*',
    ],
    takes: 'words',
    operation: 'search',
    path: '/v2/search',
    isQuick: true,
    body: ({ urls, words }) => ({
      query: [words, ...urls.map((url) => `site:${new URL(url).hostname}`)].join(' ').trim(),
      limit: 10,
    }),
  },
]
