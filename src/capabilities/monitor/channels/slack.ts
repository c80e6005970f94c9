// Slack incoming webhooks and compatible ones (Mattermost, Rocket.Chat, Zulip): any other https URL.
import { plainText } from '../message.ts'
import { type Channel, JSON_TYPE, MAX_CHAT } from './channel.ts'

export const slack: Channel = {
  name: 'slack',
  suits: (address) => /^https?:\/\//.test(address),
  request: (address, message) => ({
    url: address,
    headers: JSON_TYPE,
    body: JSON.stringify({ text: escaped(plainText(message, MAX_CHAT)) }),
  }),
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
