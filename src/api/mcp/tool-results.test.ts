import { describe, expect, it } from 'vitest'
import { problemToToolError, replyToMcpContent } from './tool-results.ts'

describe('an answer in words', () => {
  it('a picture that it carries is told apart from its text', () => {
    const screenshot = `data:image/png;base64,${'A'.repeat(5000)}`
    const reply = replyToMcpContent(
      JSON.stringify({ success: true, data: { screenshot, metadata: { statusCode: 200 } } }),
    )
    expect(reply.pictures).toEqual([screenshot])
    expect(reply.text).toContain('the picture of this message')
    expect(reply.text).not.toContain('base64')
    expect(reply.text).toContain('"statusCode":200')
  })

  it('pictures that actions took are pictures, and the text stays the text', () => {
    const data = { markdown: '# Hi', actions: { screenshots: ['http://x/v2/media/a'] }, metadata: { statusCode: 200 } }
    const { text, pictures } = replyToMcpContent(JSON.stringify({ success: true, data }))
    expect(text).toMatch(/^# Hi/)
    expect(pictures).toEqual(['http://x/v2/media/a'])
  })

  it('a failure keeps its hint', () => {
    const body = JSON.stringify({ success: false, error: 'Unauthorized: Invalid token', hint: 'No key was sent.' })
    expect(problemToToolError(body, undefined)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('No key was sent.') }],
    })
  })
})
