// Discord webhooks.
import { messageToText } from '../notification-message.ts'
import { JSON_HEADERS, MAX_CHAT_CHARS, type NotificationChannel } from './channel.ts'

export const discord: NotificationChannel = {
  name: 'discord',
  suits: (address) =>
    /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\//.test(address) || address.startsWith('discord://'),
  request: (address, message) => ({
    // `discord://id/token` abbreviates the webhook's URL.
    url: address
      .replace(/^discord:\/\/(?=[^/]+\/[^/]+$)/, 'https://discord.com/api/webhooks/')
      .replace(/^discord:\/\//, 'http://'),
    headers: JSON_HEADERS,
    body: JSON.stringify({ content: messageToText(message, MAX_CHAT_CHARS), allowed_mentions: { parse: [] } }),
  }),
}
