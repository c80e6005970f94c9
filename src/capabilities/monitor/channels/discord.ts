// Discord webhooks.
import { plainText } from '../message.ts'
import { type Channel, JSON_TYPE, MAX_CHAT } from './channel.ts'

export const discord: Channel = {
  name: 'discord',
  suits: (address) =>
    /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\//.test(address) || address.startsWith('discord://'),
  request: (address, message) => ({
    // `discord://id/token` abbreviates the webhook's URL.
    url: address
      .replace(/^discord:\/\/(?=[^/]+\/[^/]+$)/, 'https://discord.com/api/webhooks/')
      .replace(/^discord:\/\//, 'http://'),
    headers: JSON_TYPE,
    body: JSON.stringify({ content: plainText(message, MAX_CHAT), allowed_mentions: { parse: [] } }),
  }),
}
