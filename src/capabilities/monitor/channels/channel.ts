// A notification channel: which addresses it handles, and the request that sends a message.
import type { MonitorMessage } from '../notification-message.ts'

export interface NotificationChannel {
  name: string
  suits(address: string): boolean
  request(address: string, message: MonitorMessage): ChannelRequest
}

type ChannelRequest = { url: string; headers: Record<string, string>; body: string }

export const JSON_HEADERS = { 'content-type': 'application/json' }

export const MAX_CHAT_CHARS = 1800
