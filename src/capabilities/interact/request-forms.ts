// Typed requests that a browser session answers.
import type { RequestForm } from '../request-form.ts'

export const requestForms: readonly RequestForm[] = [
  {
    name: 'session',
    areVerbs: true,
    label: 'Open a session',
    why: 'a browser that stays open: click, fill, sign in',
    phrases: [
      'open|browse|interact*|click|press|fill|submit|type|book|order|buy|reserve|register',
      'log|sign in|into|up|me',
      'login',
      'check out',
      'add … to cart',
      'einlogg*|logg*|anmelden|klick*|fulle|offne*|druck*|buche*',
      'melde … an',
      'connecte*|clique*|remplis|inscri*|ouvre*|appuie*|reserve*',
      'inicia sesion',
      'haz clic',
      'entra en',
      'rellena|pulsa*|abre*|reserva*',
    ],
    takes: 'page',
    operation: 'session open',
    path: '/v2/interact',
    screen: 'sessions',
    isQuick: false,
    body: () => ({}),
  },
]
