// Settings of the identity that sites see, and of hosts that are never visited.
import { z } from 'zod'
import { commaListSchema, defineSetting, optionalTextSchema } from '../../base/setting.ts'

export const siteOwnerSettings = {
  botName: defineSetting(
    'ORB_BOT_NAME',
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]{1,40}$/, 'must be a product name such as ExampleBot')
      .optional(),
    'Name under which this service visits pages: its user agent, its group in robots.txt, and Web Bot Auth signatures (docs/site-owners.md). Needs ORB_PUBLIC_URL with https. Unset: requests look like those of a browser.',
  ),
  botContact: defineSetting(
    'ORB_BOT_CONTACT',
    optionalTextSchema,
    'Contact of the operator for owners of sites, shown at `/bot` beside ORB_BOT_NAME.',
  ),
  leaveAlone: defineSetting(
    'ORB_LEAVE_ALONE',
    commaListSchema,
    'Comma list of hosts that no team may visit, with their subdomains, because their owners want no visits.',
  ),
}
