import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { protocolSchema, schemaText } from '../../../../scripts/cdp-protocol.mjs'

describe('the list of open methods', () => {
  it('is what the script makes of the protocol and the decisions', () => {
    expect(readFileSync(join(import.meta.dirname, 'protocol.json'), 'utf8')).toBe(schemaText())
  })

  it('needs a decision on every parameter that names a file, an address or a target', () => {
    const decisions = {
      browserMethods: {},
      pageMethods: { Page: 'navigate', Input: 'dispatchDragEvent' },
      parameters: [{ rule: 'page-url', of: ['Page.navigate url', 'Page.gone url'] }],
    }
    expect(() => protocolSchema(decisions)).toThrow(/Page.navigate referrer .*Input.DragData files .*Page.gone url/s)
  })
})
