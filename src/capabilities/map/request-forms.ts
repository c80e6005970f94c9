// Typed requests that a map answers.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'map',
    places: { address: 3 },
    namesThings: true,
    label: 'Map',
    why: 'the URLs of the site, without reading them',
    phrases: [
      'map|sitemap|url|subpage',
      'site map|structure',
      'structure of',
      'list|show … pages',
      'what|which pages|urls|sections',
      'find … page',
      'unterseite*|seitenstruktur',
      'alle urls|adressen',
      'liste des|pages',
      'sous pages',
      'todas las direcciones',
      'lista … paginas',
      'subpagina*',
    ],
    takes: 'site',
    operation: 'map',
    path: '/v2/map',
    isQuick: true,
    body: ({ urls, count = 500 }) => ({ url: urls[0] ?? '', limit: count }),
  },
]
