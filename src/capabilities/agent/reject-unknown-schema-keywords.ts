// Strict intake of a run's schema: a keyword or format that nothing applies would promise a check that never happens.
import { eachSubschema } from '../../base/json-schema.ts'
import { Problem } from '../../base/problem.ts'

export async function assertKnownSchemaKeywords(schema: unknown): Promise<void> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const ajv = new Ajv2020({ strict: false, logger: false, discriminator: true })
  formats.default.default(ajv)
  const isKeyword = (name: string) => name === 'nullable' || ajv.RULES.keywords[name] === true
  for (const { part, path } of eachSubschema(schema)) {
    const { format } = part
    const unknown = Object.keys(part).find((name) => !isKeyword(name))
    const isWrapped = path.length === 0 && unknown !== undefined && Object.hasOwn(part, 'schema')
    const fault =
      unknown !== undefined
        ? `unknown keyword ${JSON.stringify(unknown)}${isWrapped ? '. Send what is in `schema` by itself' : ''}`
        : typeof format === 'string' && !Object.hasOwn(ajv.formats, format)
          ? `unknown format ${JSON.stringify(format)}`
          : undefined
    if (fault === undefined) continue
    const where = path.length > 0 ? ` at ${path.join('.')}` : ''
    throw new Problem('unprocessable', { instead: `Invalid JSON schema: ${fault}${where}.` })
  }
}
