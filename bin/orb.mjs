#!/usr/bin/env node
// `npx orb …` in the checkout: set-up when needed, then the command line.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setUp } from '../scripts/setup.mjs'

// Look-ups of host names share Node's few background threads with files; slow names must not hold up the others.
process.env.UV_THREADPOOL_SIZE ??= '16'
setUp()
await import(pathToFileURL(join(root, 'dist', 'main.js')).href)
