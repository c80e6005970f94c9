// The capabilities this build offers. One more costs one folder and one line here.
import { media } from './media/routes.ts'
import { parse } from './parse/routes.ts'
import type { Capability } from './route.ts'
import { scrape } from './scrape/routes.ts'

export const capabilities: readonly Capability[] = [scrape, parse, media]
