#!/usr/bin/env node
// The command line. In a checkout packages and build are made ready first; an installed package has them.
import { ready } from './ready.mjs'

await ready()
await import('../dist/main.js')
