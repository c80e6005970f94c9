// Slack incoming webhooks and compatible ones (Mattermost, Rocket.Chat, Zulip): any other https URL.
import { messageToText } from '../notification-message.ts'
import { JSON_HEADERS, MAX_CHAT_CHARS, type NotificationChannel } from './channel.ts'

export const slack: NotificationChannel = {
  name: 'slack',
  suits: (address) => /^https?:\/\//.test(address),
  request: (address, message) => ({
    url: address,
    headers: JSON_HEADERS,
    body: JSON.stringify({ text: escapeMarkup(messageToText(message, MAX_CHAT_CHARS)) }),
  }),
}

const escapeMarkup = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
