// Telegram bots: `telegram://<bot token>@<chat>`, where the chat is a number or @name.
import { messageToText } from '../notification-message.ts'
import { JSON_HEADERS, MAX_CHAT_CHARS, type NotificationChannel } from './channel.ts'

const ADDRESS = /^telegram:\/\/([\w:-]+)@(-?\d+|@?\w+)$/

export const telegram: NotificationChannel = {
  name: 'telegram',
  suits: (address) => address.startsWith('telegram://'),
  request(address, message) {
    const [, token, chat] = ADDRESS.exec(address) ?? []
    if (!token || !chat) throw new Error('A Telegram URL has the form telegram://<bot token>@<chat>')
    const chatId = /^-?\d+$/.test(chat) ? chat : chat.startsWith('@') ? chat : `@${chat}`
    return {
      url: `https://api.telegram.org/bot${token}/sendMessage`,
      headers: JSON_HEADERS,
      body: JSON.stringify({
        chat_id: chatId,
        text: messageToText(message, MAX_CHAT_CHARS),
        disable_web_page_preview: true,
      }),
    }
  },
}
