// Typed requests that a map answers.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'map',
    places: { address: 3 },
    label: 'Map',
    why: 'the URLs of the site, without reading them',
    phrases: [
      'urls',
      'structure of',
      'todas las direcciones',
      'liste des',
      'map',
      'sitemap',
      'site map',
      'all urls',
      'list … urls',
      'list … pages',
      'urls of',
      'urls on',
      'every url',
      'which pages',
      'site structure',
      'alle urls',
      'alle adressen',
      'toutes les urls',
      'todas las urls',
      'liste … pages',
      'lista … paginas',
    ],
    takes: 'site',
    operation: 'map',
    path: '/v2/map',
    isQuick: true,
    body: ({ urls }) => ({ url: urls[0] ?? '', limit: 500 }),
  },
]
