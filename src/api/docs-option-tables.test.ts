import { expect, test } from 'vitest'
import { fillOptionsTables, type OpenApiDocument, renderFieldsTable, renderOptionsTable } from './docs-option-tables.ts'

const api: OpenApiDocument = {
  paths: {
    '/v2/look': {
      post: {
        parameters: [
          { name: 'explain', in: 'query', required: false, description: 'Say why.', schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                required: ['url'],
                properties: {
                  limit: { type: 'integer', minimum: 1, maximum: 100_000, default: 10, description: 'Most | of them.' },
                  url: { type: 'string', format: 'uri' },
                  steps: {
                    type: 'array',
                    items: {
                      anyOf: [
                        { type: 'object', properties: { type: { const: 'wait' } } },
                        {
                          type: 'object',
                          properties: { type: { const: 'click' }, all: { type: 'boolean', default: false } },
                        },
                      ],
                    },
                  },
                },
              },
            },
          },
        },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Found' } } } } },
      },
    },
  },
  components: { schemas: { Found: { properties: { links: { type: 'array', items: { type: 'string' } } } } } },
}

test('options with their limits, what is required first, then the answer', () => {
  expect(renderOptionsTable(api, 'POST /v2/look').split('\n')).toEqual([
    '| Option | Type | Default | Description |',
    '|---|---|---|---|',
    '| `url` | URL | required | – |',
    '| `limit` | number from 1 to 100,000 | `10` | Most \\| of them. |',
    '| `steps` | list of object with a `type`: `wait`, `click` | – | – |',
    '',
    '| Query | Type | Default | Description |',
    '|---|---|---|---|',
    '| `?explain=` | text | – | Say why. |',
    '',
    '| Response | Type | Description |',
    '|---|---|---|',
    '| `links` | list of text | – |',
  ])
})

test('fields of the objects of a list, by their type', () => {
  expect(renderFieldsTable(api, 'POST /v2/look steps').split('\n')).toEqual([
    '| `type` | Field | Type | Default | Description |',
    '|---|---|---|---|---|',
    '| `click` | `all` | `true` or `false` | `false` | – |',
  ])
  expect(() => renderFieldsTable(api, 'POST /v2/look url')).toThrow('which the API does not have')
})

test('marked places of a page are filled again and again; a call that is gone is told', () => {
  const page = 'Look.\n\n<!-- options: POST /v2/look -->\nold\n<!-- end of options -->\n\nEnd.\n'
  const filled = fillOptionsTables(api, page)
  expect(filled).toContain('| `url` | URL |')
  expect(filled).not.toContain('old')
  expect(fillOptionsTables(api, filled)).toBe(filled)
  expect(() => fillOptionsTables(api, page.replace('look', 'gone'))).toThrow('POST /v2/gone')
})
