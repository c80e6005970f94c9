#!/usr/bin/env node
// `npx orb …` in the checkout: set-up when needed, then the command line.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setUp } from '../scripts/setup.mjs'

setUp()
await import(pathToFileURL(join(root, 'dist', 'main.js')).href)
