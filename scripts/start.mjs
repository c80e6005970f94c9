// `npm start`: set-up when needed, then the service in this very process, so that signals reach it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setUp } from './setup.mjs'

setUp()
process.argv.splice(2, 0, 'start')
await import(pathToFileURL(join(root, 'dist', 'main.js')).href)
