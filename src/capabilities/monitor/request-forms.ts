// Typed requests that a monitor answers.
import { valueOr } from '../../base/attempt.ts'
import type { RequestForm } from '../request-form.ts'
import { phraseToCron } from './schedule.ts'

const MAX_NAME = 200

/** The longest part of the words that is a schedule, such as `every day at 9am`. */
function scheduleIn(words: string): string | undefined {
  for (const { index } of words.matchAll(/\b(?:hourly|daily|weekly|every|weekdays)\b/gi)) {
    const rest = words.slice(index, index + MAX_NAME).split(/[,;\s]+/)
    for (let length = Math.min(6, rest.length); length > 0; length -= 1) {
      const text = rest
        .slice(0, length)
        .join(' ')
        .replace(/[.!?]+$/, '')
      if (isSchedule(text)) return text.toLowerCase()
    }
  }
  return undefined
}

const isSchedule = (text: string): boolean => valueOr(false, () => phraseToCron(text, '') !== '')

export const requestForms: readonly RequestForm[] = [
  {
    name: 'monitor',
    places: { address: 4, addresses: 2 },
    label: 'Watch',
    why: 'a notification when it changes',
    phrases: [
      'monitor|watch|track|observe',
      'keep an eye',
      'hourly|daily|weekly',
      'every … minute|hour|day|week|month|morning|evening|monday|weekday',
      'tell|text|email*|mail*|message|ping|notif*|inform*|warn*|alert*|remind* … when*|if|once|soon',
      'notif*|inform*|warn*|alert* me about|on|of',
      'let me know',
      'know when|if|once',
      'alert|notify',
      'when|if|once … changes|changed|drops|falls|rises|appears|goes',
      'uberwach*|beobacht*|benachrichtig*|informier*',
      'sag|sage|schreib|melde … wenn|sobald|bescheid|dich',
      'taglich|stundlich|wochentlich',
      'jeden|jede|jedes tag|stunde|woche|morgen',
      'surveill*|previens*|avertis*',
      'dis moi quand|si',
      'chaque jour|heure|semaine',
      'vigila*|avisa*|notifica*',
      'cada dia|hora|semana',
    ],
    takes: 'pages',
    operation: 'monitor create',
    path: '/v2/monitor',
    screen: 'monitors',
    isQuick: false,
    body: ({ urls, words }) => ({
      name: (urls[0] ?? '').replace(/^https?:\/\//, '').slice(0, MAX_NAME),
      schedule: { text: scheduleIn(words) ?? 'hourly' },
      targets: [{ type: 'scrape', urls }],
      ...(words ? { goal: words } : {}),
    }),
  },
]
