import { describe, expect, it } from 'vitest'
import { JsonBytes } from '../base/json-bytes.ts'
import { DEFAULT_REDACT_OPTIONS } from '../understanding/privacy/redact-options.ts'
import { redactDocument } from './clean-and-redact.ts'
import { redactFields } from './workshop/redact-fields.ts'

const workshop = { redact: redactFields }
const signal = new AbortController().signal

describe('redaction of a document', () => {
  it('reaches every text in it, and leaves addresses of ours alone', async () => {
    const document = await redactDocument(
      {
        html: JsonBytes.of('<a href="mailto:ada@example.org">mail</a>'),
        json: { people: [{ contact: 'ada@example.org' }] },
        blocks: [{ items: [{ id: 'p1.b0', content: 'ada@example.org', markdownSpan: [0, 3] }] }],
        screenshot: 'https://service.example/media/x?token=abcdefabcdefabcdef123',
        metadata: { title: 'Page of ada@example.org', url: 'https://a.b/?q=ada@example.org', statusCode: 200 },
      },
      DEFAULT_REDACT_OPTIONS,
      [],
      workshop,
      signal,
    )
    const value = (field: string) => (document[field] as JsonBytes<unknown>).value()
    expect(value('html')).toBe('<a href="mailto:&lt;EMAIL&gt;">mail</a>')
    expect(value('json')).toEqual({ people: [{ contact: '<EMAIL>' }] })
    expect(value('blocks')).toEqual([{ items: [{ id: 'p1.b0', content: '<EMAIL>', markdownSpan: null }] }])
    expect(value('screenshot')).toContain('token=abcdef')
    expect(document.metadata).toEqual({
      title: 'Page of <EMAIL>',
      url: 'https://a.b/?q=ada@example.org',
      statusCode: 200,
    })
    expect(document.warning).toContain('Screenshots and PDFs of the page are not redacted')
  })

  it('reaches labels that became keys, and no name of a schema', async () => {
    const { json } = await redactDocument(
      {
        json: { Paris: 'x', 'call ada@example.org': 1, 'call eve@example.org': 2, __proto__x: 3 },
        metadata: {},
      },
      DEFAULT_REDACT_OPTIONS,
      [],
      workshop,
      signal,
    )
    expect((json as JsonBytes<unknown>).value()).toEqual({
      Paris: 'x',
      'call <EMAIL>': 1,
      'call <EMAIL> 2': 2,
      __proto__x: 3,
    })
  })

  it('knows a person by the family name where another text gives the whole name', async () => {
    const document = await redactDocument(
      {
        html: JsonBytes.of('<p>Professor Ngozi Okafor opened the mill.</p>'),
        answer: 'Okafor opened it; Green was there.',
        metadata: { title: 'What Okafor and Lindqvist said', description: 'Okaforia is a plant' },
      },
      DEFAULT_REDACT_OPTIONS,
      ['Lindqvist'],
      workshop,
      signal,
    )
    expect((document.html as JsonBytes<string>).value()).not.toContain('Okafor')
    expect((document.answer as JsonBytes<string>).value()).toBe('<PERSON> opened it; Green was there.')
    expect(document.metadata).toEqual({
      title: 'What <PERSON> and <PERSON> said',
      description: 'Okaforia is a plant',
    })
  })

  it.each([
    { screenshots: ['https://service.example/media/1'], pdfs: [] },
    { screenshots: [], pdfs: ['https://service.example/media/1'] },
  ])('says that pictures taken by actions are not redacted either: %j', async (actions) => {
    const pictured = { actions, metadata: {} }
    const document = await redactDocument(pictured, DEFAULT_REDACT_OPTIONS, [], workshop, signal)
    expect(document.warning).toContain('Screenshots and PDFs of the page are not redacted')
  })

  it('takes a person out of the name of a brand, and no town out of its type', async () => {
    const branding = { brandName: 'Mr Thomas Becker', fonts: [{ family: 'Georgia' }] }
    const document = await redactDocument({ branding, metadata: {} }, DEFAULT_REDACT_OPTIONS, [], workshop, signal)
    expect((document.branding as JsonBytes<unknown>).value()).toEqual({
      brandName: 'Mr <PERSON>',
      fonts: [{ family: 'Georgia' }],
    })
  })

  it('lets no text leave when it fails', async () => {
    let depth: unknown = 'ada@example.org'
    for (let n = 0; n < 100; n++) depth = [depth]
    const document = await redactDocument(
      { markdown: JsonBytes.of('already clean'), json: depth, metadata: { title: 'ada@example.org', statusCode: 200 } },
      DEFAULT_REDACT_OPTIONS,
      [],
      workshop,
      signal,
    )
    expect(document).toMatchObject({ markdown: null, json: null, metadata: { statusCode: 200 } })
    expect(JSON.stringify(document)).not.toContain('ada@')
    expect(document.warning).toContain('no text is returned')
  })
})
