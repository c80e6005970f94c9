// The channels, most specific first: the first match handles an address.
import type { NotificationChannel } from './channel.ts'
import { discord } from './discord.ts'
import { ntfy } from './ntfy.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'

const channels: readonly NotificationChannel[] = [discord, ntfy, telegram, slack]

export const channelFor = (address: string): NotificationChannel | undefined =>
  channels.find((channel) => channel.suits(address))
