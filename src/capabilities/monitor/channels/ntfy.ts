// Push messages by ntfy: `ntfy://ntfy.sh/topic`, or `ntfy+http://host/topic` for a self-hosted server without TLS.
import { valueOr } from '../../../base/attempt.ts'
import { messageToText } from '../notification-message.ts'
import { MAX_CHAT_CHARS, type NotificationChannel } from './channel.ts'

export const ntfy: NotificationChannel = {
  name: 'ntfy',
  suits: (address) => /^ntfy(?:\+https?)?:\/\//.test(address),
  request(address, message) {
    const [, scheme = 'https', rest = ''] = /^ntfy(?:\+(https?))?:\/\/(.+)$/.exec(address) ?? []
    const first = message.pages[0]
    return {
      url: `${scheme}://${rest}`,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        // Header values are Latin-1; anything else goes into the body only.
        title: message.title.replace(/[^\x20-\x7e]/g, '?').slice(0, 200),
        ...(first ? { click: encodeURI(decodedOnce(first.url)) } : {}),
      },
      body: messageToText(message, MAX_CHAT_CHARS),
    }
  },
}

const decodedOnce = (url: string): string => valueOr(url, () => decodeURI(url))
