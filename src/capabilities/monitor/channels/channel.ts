// What a way to tell people is: whether an address is its own, and the request that carries a message there.
import type { MonitorMessage } from '../message.ts'

export interface Channel {
  name: string
  suits(address: string): boolean
  /** The request; throws a sentence when the address cannot be used. */
  request(address: string, message: MonitorMessage): ChannelRequest
}

export interface ChannelRequest {
  url: string
  headers: Record<string, string>
  body: string
}

export const JSON_TYPE = { 'content-type': 'application/json' }

/** The longest text that chats take without cutting it themselves. */
export const MAX_CHAT = 1800
