// `npm start`: set-up when needed, then the service in this very process, so that signals reach it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setUpWithBrowser } from './setup.mjs'

// Look-ups of host names share Node's few background threads with files; slow names must not hold up the others.
process.env.UV_THREADPOOL_SIZE ??= '16'
process.stderr.write('Orbweaver is starting …\n')
await setUpWithBrowser()
process.argv.splice(2, 0, 'start')
await import(pathToFileURL(join(root, 'dist', 'main.js')).href)
