// Typed requests that a feed answers.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'feed',
    places: {},
    namesThings: true,
    label: 'Create a feed',
    why: 'its entries as RSS, Atom and JSON Feed',
    phrases: ['feed|rss|atom|newsfeed', 'subscribe to', 'follow', 'abonnier*', 'flux', 'suscri*|sigue'],
    takes: 'page',
    operation: 'feed',
    path: '/v2/feeds',
    isQuick: false,
    body: ({ urls }) => ({ url: urls[0] ?? '' }),
  },
]
