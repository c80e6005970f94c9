// `npm run build`: packages and build, when they are stale.
import { setUp } from './setup.mjs'

setUp()
