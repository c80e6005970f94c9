// Telegram bots: `telegram://<bot token>@<chat>`, where the chat is a number or @name.
import { plainText } from '../message.ts'
import { type Channel, JSON_TYPE, MAX_CHAT } from './channel.ts'

const ADDRESS = /^telegram:\/\/([\w:-]+)@(-?\d+|@?\w+)$/

export const telegram: Channel = {
  name: 'telegram',
  suits: (address) => address.startsWith('telegram://'),
  request(address, message) {
    const [, token, chat] = ADDRESS.exec(address) ?? []
    if (!token || !chat) throw new Error('A Telegram address looks like telegram://<bot token>@<chat>')
    const chatId = /^-?\d+$/.test(chat) ? chat : chat.startsWith('@') ? chat : `@${chat}`
    return {
      url: `https://api.telegram.org/bot${token}/sendMessage`,
      headers: JSON_TYPE,
      body: JSON.stringify({ chat_id: chatId, text: plainText(message, MAX_CHAT), disable_web_page_preview: true }),
    }
  },
}
