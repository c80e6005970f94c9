// The last step of the build: every operation of the API, written down beside the command line, which is then ready
// without loading the schemas they are made of.
import { writeFileSync } from 'node:fs'
import { capabilities } from '../dist/capabilities/index.js'
import { cardOf } from '../dist/capabilities/operation.js'
import { operationsOf } from '../dist/capabilities/operations.js'
import { operationsFile } from '../dist/cli/operations-file.js'

writeFileSync(operationsFile, JSON.stringify(operationsOf(capabilities).map(cardOf)))
