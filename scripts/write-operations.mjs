// The last step of the build: every operation of the API, written down beside the command line, which is then ready
// without loading the schemas they are made of, and the OpenAPI document, which takes more than a second to make.
import { writeFileSync } from 'node:fs'
import { openApiFileUrl, serialiseOpenApiDocument } from '../dist/api/openapi-file.js'
import { deriveOperations as operationsOf } from '../dist/capabilities/derive-operations.js'
import { capabilities } from '../dist/capabilities/index.js'
import { serializeOperation as cardOf } from '../dist/capabilities/operation.js'
import { operationsFileUrl as operationsFile } from '../dist/cli/operations-file.js'

writeFileSync(operationsFile, JSON.stringify(operationsOf(capabilities).map(cardOf)))
writeFileSync(openApiFileUrl, serialiseOpenApiDocument(capabilities))
